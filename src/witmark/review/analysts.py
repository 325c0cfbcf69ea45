"""Analysts that live in this process: they say what a request shows, and guess nothing.

With ``provider = "embedded"`` a review runs the whole way a model's review does, offline. The
analysts read what a model would read, and nothing else.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from witmark.kernel.model.request import Request, Role
from witmark.review.asking.talking import Purpose
from witmark.review.rulebook.grammar import parse
from witmark.review.rulebook.predicate import ALWAYS, Predicate, Truth, evaluate, facts_of, text
from witmark.review.units import FactValue

_FACT = re.compile(r"^  (F\d+) (\S+) \(.*\) = (.*)$", re.MULTILINE)
_LINE = r"^{}: (.*)$"
_CONTACT = re.compile(r"^(K\d+) (\w+) contact", re.MULTILINE)


def analysts() -> Mapping[str, Callable[[Request], str]]:
    """An analyst for each purpose of this desk."""
    return {
        Purpose.JUDGE.value: judge,
        Purpose.UNITS.value: units,
        Purpose.ROLES.value: roles,
        Purpose.INTERFACES.value: interfaces,
    }


def units(request: Request) -> str:
    """Nothing: what was measured is worded already."""
    del request
    return json.dumps({"units": []})


def roles(request: Request) -> str:
    """Nothing: geometry alone tells no role."""
    del request
    return json.dumps({"roles": []})


def interfaces(request: Request) -> str:
    """What kind of contact it is; what it is for, a contact alone does not tell."""
    found = _CONTACT.findall(_question(request))
    kinds = {kind for _, kind in found}
    function = "round fit" if "cylindrical" in kinds else "face contact"
    return json.dumps(
        {
            "function": function,
            "description": "The two components touch here.",
            "components": [],
            "inference_confidence": 0.5,
            "contacts": [handle for handle, _ in found[:1]],
        }
    )


def judge(request: Request) -> str:
    """What the predicates shown come to on the facts shown."""
    asked = _question(request)
    shown = {name: (handle, _value(said)) for handle, name, said in _FACT.findall(asked)}
    values = {name: value for name, (_, value) in shown.items()}
    verdict, missing = _decided(asked, values)
    cited = [handle for handle, _ in shown.values()]
    return json.dumps(
        {
            "verdict": verdict,
            "facts": cited,
            "reason": "the predicates compared with the facts shown",
            "missing": missing,
            "inference_confidence": 1.0 if verdict != "undetermined" else 0.5,
        }
    )


def _decided(asked: str, values: Mapping[str, FactValue]) -> tuple[str, list[str]]:
    applies, bad, good = (_predicate(asked, key) for key in ("applies_if", "bad_if", "good_if"))
    unknown = [
        _parsed(one) for one in re.findall(_LINE.format("unknown_if"), asked, re.MULTILINE)
    ]
    came = evaluate(applies, values).outcome
    if came is Truth.FALSE:
        return "not_applicable", []
    for one in unknown:
        if evaluate(one, values).outcome is not Truth.FALSE:
            return "undetermined", _missing([one], values)
    if came is Truth.UNKNOWN:
        return "undetermined", _missing([applies], values)
    match evaluate(bad, values).outcome:
        case Truth.TRUE:
            return "violated", []
        case Truth.FALSE:
            return "satisfied", []
        case _:
            return "undetermined", _missing([bad, good], values)


def _missing(predicates: Sequence[Predicate], values: Mapping[str, FactValue]) -> list[str]:
    names = dict.fromkeys(name for one in predicates for name in facts_of(one))
    return [name for name in names if name not in values]


def _predicate(asked: str, key: str) -> Predicate:
    found = re.search(_LINE.format(key), asked, re.MULTILINE)
    return ALWAYS if found is None else _parsed(found[1])


def _parsed(said: str) -> Predicate:
    return ALWAYS if said == text(ALWAYS) else parse(said)


def _value(said: str) -> FactValue:
    if said in {"yes", "no"}:
        return said == "yes"
    number = re.fullmatch(r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)(?: mm| deg)?", said)
    return float(number[1]) if number else said


def _question(request: Request) -> str:
    return next(message.text for message in request.messages if message.role is Role.USER)
