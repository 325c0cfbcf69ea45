"""A rule card as it was read, and what it says once every field has been checked."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from witmark.kernel.canon import Digest
from witmark.kernel.errors import InputError
from witmark.review.rulebook.grammar import PredicateError, parse
from witmark.review.rulebook.index import CHAPTER, IndexEntry
from witmark.review.rulebook.predicate import ALWAYS, Predicate
from witmark.review.rulebook.rule import SEVERITY_ORDER, Rule, Severity, Tier, Words
from witmark.review.vocabulary import FACTS, PLACES, View

CONTRACT_RULE_IDS: Mapping[str, str] = {"18.2.4": "P01"}
"""Rules that the contract numbers itself; every other id is ``18.`` and the catalogue id."""

NEEDED_FIELDS = (
    "rule_id",
    "catalogue_id",
    "title",
    "title_en",
    "primary_view",
    "knowledge_category",
    "retrieval_sentence",
    "keywords",
    "applies_to",
    "required_facts",
    "required_model_facts",
    "bad_if",
    "good_if",
    "source",
    "grade",
)
OPTIONAL_FIELDS = ("secondary_views", "aliases", "applies_if", "unknown_if", "grade_note")
NEEDED_SECTIONS = (("zh", "why"), ("zh", "mend"), ("en", "why"), ("en", "mend"))

_CATALOGUE_ID = re.compile(r"[PA]\d{2}").fullmatch
_GRADE = re.compile(r"[abc]").fullmatch


class CardError(InputError):
    """A card that does not compile, with the line that stops it."""

    code = "input.card"
    hint = "docs/rulebook.md shows how a card is written"

    def __init__(self, path: str, line: int, because: str) -> None:
        super().__init__(f"{path}:{line}: {because}")
        self.path, self.line, self.because = path, line, because


@dataclass(frozen=True, slots=True)
class Field:
    """A front-matter value, the line it stands on, and the lines of its items if a list."""

    value: object
    line: int
    item_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RawCard:
    """A card as read: nothing checked, every line remembered.

    ``sections`` maps (language, topic) to text; topics are ``why``, ``mend`` and ``note``.
    """

    path: str
    digest: Digest
    fields: Mapping[str, Field]
    sections: Mapping[tuple[str, str], str]
    last_line: int


@dataclass(frozen=True, slots=True)
class Card:
    """A checked card: the half for retrieval, the half for the judge, and where it stood."""

    entry: IndexEntry
    rule: Rule
    raw: RawCard

    def line(self, field: str, item: int | None = None) -> int:
        """The line of a field, or of one item of it."""
        return _line(self.raw, field, item)

    def error(self, field: str, because: str, item: int | None = None) -> CardError:
        """An error that points at a field."""
        return CardError(self.raw.path, self.line(field, item), because)


def check_card(raw: RawCard) -> Card:
    """Check every field of a card by itself: presence, kind, vocabulary, predicates.

    Raises:
        CardError: the first thing that is wrong, with its line.
    """
    _check_fields(raw)
    return Card(_entry(raw), _rule(raw), raw)


def _check_fields(raw: RawCard) -> None:
    for name, field in raw.fields.items():
        if name not in NEEDED_FIELDS + OPTIONAL_FIELDS:
            raise CardError(raw.path, field.line, f"there is no field {name!r}")
    for name in NEEDED_FIELDS:
        if name not in raw.fields:
            raise CardError(raw.path, 1, f"the field {name!r} is missing")
    for language, topic in NEEDED_SECTIONS:
        if not raw.sections.get((language, topic)):
            raise CardError(raw.path, raw.last_line, f"the {language} part has no {topic!r}")


def _entry(raw: RawCard) -> IndexEntry:
    return IndexEntry(
        rule_id=_rule_id(raw),
        title=_text(raw, "title"),
        title_en=_text(raw, "title_en"),
        catalogue_id=_catalogue_id(raw),
        primary_view=_one_of(raw, "primary_view", View),
        secondary_views=_some_of(raw, "secondary_views", View),
        knowledge_category=_text(raw, "knowledge_category"),
        retrieval_sentence=_text(raw, "retrieval_sentence"),
        aliases=_list(raw, "aliases"),
        keywords=_list(raw, "keywords"),
    )


def _rule(raw: RawCard) -> Rule:
    return Rule(
        rule_id=_rule_id(raw),
        catalogue_id=_catalogue_id(raw),
        title=Words(_text(raw, "title"), _text(raw, "title_en")),
        knowledge_category=_text(raw, "knowledge_category"),
        primary_view=_one_of(raw, "primary_view", View),
        applies_to=_some_of(raw, "applies_to", PLACES),
        applies_if=_condition(raw, "applies_if"),
        required_facts=_some_of(raw, "required_facts", FACTS),
        required_model_facts=_some_of(raw, "required_model_facts", FACTS),
        tiers=_tiers(raw),
        good_if=_condition(raw, "good_if"),
        unknown_if=tuple(
            _predicate(raw, "unknown_if", source, at)
            for at, source in enumerate(_list(raw, "unknown_if"))
        ),
        source=_text(raw, "source"),
        grade=_grade(raw),
        grade_note=_text(raw, "grade_note") if "grade_note" in raw.fields else "",
        why=_both(raw, "why"),
        mend=_both(raw, "mend"),
        note=_both(raw, "note"),
        card=raw.path,
        card_digest=raw.digest,
    )


def _rule_id(raw: RawCard) -> str:
    rule_id, catalogue_id = _text(raw, "rule_id"), _catalogue_id(raw)
    if not rule_id.startswith(CHAPTER):
        raise _wrong(raw, "rule_id", f"{rule_id} does not begin with {CHAPTER!r}")
    if CONTRACT_RULE_IDS.get(rule_id, rule_id.removeprefix(CHAPTER)) != catalogue_id:
        raise _wrong(raw, "rule_id", f"{rule_id} is not {CHAPTER}{catalogue_id}")
    return rule_id


def _catalogue_id(raw: RawCard) -> str:
    return _matching(raw, "catalogue_id", _CATALOGUE_ID, "P or A and two digits")


def _grade(raw: RawCard) -> str:
    return _matching(raw, "grade", _GRADE, "a, b or c")


def _tiers(raw: RawCard) -> tuple[Tier, ...]:
    items = raw.fields["bad_if"].value
    if not isinstance(items, list) or not items:
        raise _wrong(raw, "bad_if", "a list such as '- major: hole.ld > 10' is needed")
    tiers = tuple(_tier(raw, at, item) for at, item in enumerate(items))
    ranks = [SEVERITY_ORDER.index(tier.severity) for tier in tiers]
    for at in range(1, len(ranks)):
        if ranks[at] <= ranks[at - 1]:
            raise _wrong(raw, "bad_if", "severities run from the worst down, each once", at)
    return tiers


def _tier(raw: RawCard, at: int, item: object) -> Tier:
    """``major: hole.ld > 10``, or with a grade of its own beside it."""
    fields = dict(item) if isinstance(item, dict) else {}
    grade = fields.pop("grade", None) or _grade(raw)
    if len(fields) != 1 or not _GRADE(str(grade)):
        raise _wrong(raw, "bad_if", "one severity and its predicate (and a grade, a to c)", at)
    [(severity, source)] = fields.items()
    if severity not in SEVERITY_ORDER or not isinstance(source, str):
        allowed = ", ".join(SEVERITY_ORDER)
        raise _wrong(raw, "bad_if", f"{severity!r} is not one of {allowed}", at)
    return Tier(Severity(severity), _predicate(raw, "bad_if", source, at), str(grade))


def _condition(raw: RawCard, name: str) -> Predicate:
    return _predicate(raw, name, _text(raw, name)) if name in raw.fields else ALWAYS


def _predicate(raw: RawCard, name: str, source: str, at: int | None = None) -> Predicate:
    try:
        return parse(source)
    except PredicateError as wrong:
        raise _wrong(raw, name, f"{name}: {wrong}", at) from wrong


def _both(raw: RawCard, topic: str) -> Words:
    return Words(raw.sections.get(("zh", topic), ""), raw.sections.get(("en", topic), ""))


def _text(raw: RawCard, name: str) -> str:
    value = raw.fields[name].value
    if not isinstance(value, str) or not value.strip():
        raise _wrong(raw, name, f"{name} must be a text (put it in quotes if need be)")
    return value.strip()


def _matching(raw: RawCard, name: str, matches: Callable[[str], object], expected: str) -> str:
    value = _text(raw, name)
    if not matches(value):
        raise _wrong(raw, name, f"{name} must be {expected}, not {value!r}")
    return value


def _list(raw: RawCard, name: str) -> tuple[str, ...]:
    if name not in raw.fields:
        return ()
    value = raw.fields[name].value
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _wrong(raw, name, f"{name} must be a list of texts")
    return tuple(value)


def _one_of(raw: RawCard, name: str, allowed: Iterable[str]) -> str:
    value = _text(raw, name)
    if value not in list(allowed):
        raise _wrong(raw, name, f"{name}: there is no {value!r}")
    return value


def _some_of(raw: RawCard, name: str, allowed: Iterable[str]) -> tuple[str, ...]:
    values, known = _list(raw, name), list(allowed)
    for at, value in enumerate(values):
        if value not in known:
            raise _wrong(raw, name, f"{name}: there is no {value!r}", at)
        if value in values[:at]:
            raise _wrong(raw, name, f"{name}: {value!r} stands there twice", at)
    return values


def _wrong(raw: RawCard, name: str, because: str, item: int | None = None) -> CardError:
    return CardError(raw.path, _line(raw, name, item), because)


def _line(raw: RawCard, name: str, item: int | None) -> int:
    field = raw.fields.get(name, Field(None, 1))
    if item is None or item >= len(field.item_lines):
        return field.line
    return field.item_lines[item]
