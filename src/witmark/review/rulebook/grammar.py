"""The language of predicates: a small grammar, read once and checked against the vocabulary.

    predicate  = all { "or" all }
    all        = one { "and" one }
    one        = "not" one | "(" predicate ")" | comparison | flag
    comparison = sum sign sum | named-fact ( "==" | "!=" ) value
    sum        = [ "-" ] term { ( "+" | "-" ) term }
    term       = number [ "mm" | "deg" ] | fact | number "*" fact | fact ( "*" | "/" ) number
    sign       = "<" | "<=" | ">" | ">=" | "==" | "!="

A bare number is dimensionless; sums have one unit, and both sides of a sign the same one.
Brackets group logic, not arithmetic: sums are linear, so they never need them.
"""

import re
from dataclasses import dataclass

from witmark.kernel.errors import InputError
from witmark.review.rulebook.predicate import (
    AllOf,
    AnyOf,
    Comparison,
    Flag,
    Is,
    Linear,
    Not,
    Predicate,
)
from witmark.review.vocabulary import FACTS, FactWord, Unit

LONGEST_PREDICATE_CHARS = 2_000
DEEPEST_NESTING = 32

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_][\w.]*)|(?P<sign><=|>=|==|!=|<|>)"
    r"|(?P<mark>[()+\-*/])|(?P<bad>\S))"
)
_UNITS = {"mm": Unit.MM, "deg": Unit.DEG}
_WORDS = frozenset({"and", "or", "not"})


class PredicateError(InputError):
    """A predicate that cannot be read, or compares what cannot be compared."""

    code = "input.predicate"

    def __init__(self, because: str, column: int) -> None:
        super().__init__(f"column {column + 1}: {because}")
        self.because, self.column = because, column


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    column: int


def parse(source: str) -> Predicate:
    """Read one predicate and check every fact, unit and value in it.

    Raises:
        PredicateError: the text is not a predicate, names an unknown fact, mixes units,
            is not linear, or compares a named value with a number.
    """
    if len(source) > LONGEST_PREDICATE_CHARS:
        raise PredicateError(f"longer than {LONGEST_PREDICATE_CHARS} characters", 0)
    reader = _Reader(_tokens(source))
    predicate = reader.any_of(0)
    if reader.now.kind != "end":
        raise PredicateError(f"did not expect {reader.now.text!r}", reader.now.column)
    return predicate


def _tokens(source: str) -> list[_Token]:
    tokens = []
    for found in _TOKEN.finditer(source):
        kind = str(found.lastgroup)
        token = _Token(kind, found[kind], found.start(kind))
        if kind == "bad":
            raise PredicateError(f"cannot read {token.text!r}", token.column)
        tokens.append(token)
    return [*tokens, _Token("end", "the end", len(source))]


class _Reader:
    """Walks the tokens once, left to right, never deeper than DEEPEST_NESTING."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens, self._at = tokens, 0

    @property
    def now(self) -> _Token:
        return self._tokens[self._at]

    def take(self, *texts: str) -> _Token | None:
        """Consume the next token if it is one of these."""
        token = self.now
        if token.text in texts and token.kind != "end":
            self._at += 1
            return token
        return None

    def step(self) -> _Token:
        token = self.now
        self._at += token.kind != "end"
        return token

    def any_of(self, depth: int) -> Predicate:
        items = [self._all_of(depth)]
        while self.take("or"):
            items.append(self._all_of(depth))
        return items[0] if len(items) == 1 else AnyOf(tuple(items))

    def _all_of(self, depth: int) -> Predicate:
        items = [self._one(depth)]
        while self.take("and"):
            items.append(self._one(depth))
        return items[0] if len(items) == 1 else AllOf(tuple(items))

    def _one(self, depth: int) -> Predicate:
        if depth > DEEPEST_NESTING:
            raise PredicateError(f"nested deeper than {DEEPEST_NESTING}", self.now.column)
        if self.take("not"):
            return Not(self._one(depth + 1))
        if self.take("("):
            inner = self.any_of(depth + 1)
            if not self.take(")"):
                raise PredicateError("a bracket is not closed", self.now.column)
            return inner
        return self._statement()

    def _statement(self) -> Predicate:
        token = self.now
        word = self._word() if token.kind == "name" else None
        if word is not None and word.unit is Unit.BOOL:
            return self._flag(word)
        if word is not None and word.unit is Unit.ENUM:
            return self._named(word)
        return self._comparison()

    def _word(self) -> FactWord:
        token = self.now
        if token.text in _WORDS or token.text not in FACTS:
            raise PredicateError(f"there is no fact {token.text!r}", token.column)
        return FACTS[token.text]

    def _flag(self, word: FactWord) -> Predicate:
        self.step()
        if self.now.kind == "sign":
            raise PredicateError(
                f"{word.name} is yes or no; write it alone or with not", self.now.column
            )
        return Flag(word.name)

    def _named(self, word: FactWord) -> Predicate:
        self.step()
        sign = self.take("==", "!=")
        if sign is None:
            raise PredicateError(f"{word.name} needs == or != and a value", self.now.column)
        value = self.step()
        if value.text not in word.values:
            allowed = ", ".join(word.values)
            raise PredicateError(
                f"{word.name} is one of {allowed}, not {value.text}", value.column
            )
        return Is(word.name, value.text, sign.text == "==")

    def _comparison(self) -> Predicate:
        left = self._sum()
        sign = self.step()
        if sign.kind != "sign":
            raise PredicateError(
                f"a comparison sign must stand before {sign.text!r}", sign.column
            )
        right = self._sum()
        if left.unit != right.unit:
            raise PredicateError(
                f"{left.unit} cannot be compared with {right.unit} (1 means a bare number)",
                sign.column,
            )
        if not left.terms and not right.terms:
            raise PredicateError("a comparison without any fact", sign.column)
        if self.now.kind == "sign":
            raise PredicateError(
                "comparisons do not chain; join them with and", self.now.column
            )
        return Comparison(left, sign.text, right)

    def _sum(self) -> Linear:
        total = self._term(-1.0 if self.take("-") else 1.0)
        while sign := self.take("+", "-"):
            term = self._term(1.0 if sign.text == "+" else -1.0)
            if term.unit != total.unit:
                raise PredicateError(
                    f"{total.unit} and {term.unit} cannot be added", sign.column
                )
            total = _added(total, term)
        return total

    def _term(self, factor: float) -> Linear:
        if self.now.kind == "number":
            return self._from_number(factor)
        return self._from_fact(factor)

    def _from_number(self, factor: float) -> Linear:
        factor *= float(self.step().text)
        if unit := self.take(*_UNITS):
            return Linear((), factor, _UNITS[unit.text].value)
        if self.take("*"):
            return self._from_fact(factor)
        return Linear((), factor, Unit.ONE.value)

    def _from_fact(self, factor: float) -> Linear:
        token = self.now
        if token.kind != "name":
            raise PredicateError(
                f"expected a fact or a number, not {token.text!r}", token.column
            )
        word = self._word()
        if word.unit in (Unit.BOOL, Unit.ENUM):
            raise PredicateError(f"{word.name} is not a measurement", token.column)
        self.step()
        if sign := self.take("*", "/"):
            factor = self._scaled(factor, sign)
        return Linear(((word.name, factor),), 0.0, word.unit.value)

    def _scaled(self, factor: float, sign: _Token) -> float:
        number = self.step()
        if number.kind != "number":
            raise PredicateError(
                "not linear: multiply and divide a fact by a number only", number.column
            )
        by = float(number.text)
        if sign.text == "*":
            return factor * by
        if by == 0:
            raise PredicateError("division by zero", number.column)
        return factor / by


def _added(one: Linear, two: Linear) -> Linear:
    factors = dict(one.terms)
    for name, factor in two.terms:
        factors[name] = factors.get(name, 0.0) + factor
    return Linear(tuple(factors.items()), one.constant + two.constant, one.unit)
