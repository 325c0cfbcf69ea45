"""What a contact between two components is for, said by a model. Knows nothing of rules.

A description speaks of one contact, names only the two components, and rests on the contact's
measured facts. Contacts come from `witmark.review.contacts`, never from a model.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from witmark.kernel.model.outcome import Refused
from witmark.kernel.model.request import OutputSchema
from witmark.review import wire
from witmark.review.asking.saying import not_measured, not_neutral
from witmark.review.asking.sheets import quoted
from witmark.review.asking.talking import Faces, Purpose, Question, Talk, subject_of
from witmark.review.facts import FactsBlob
from witmark.review.neutrality import spoken_name
from witmark.review.units import BrepFact
from witmark.review.wording import number, shown_name

SCHEMA = OutputSchema(wire.INTERFACES_REPLY, wire.reply_schema(wire.InterfacesReply))
CONTACTS_PER_SHEET = 12
A, B = "component A", "component B"


@dataclass(frozen=True, slots=True)
class Listed:
    """One contact on a sheet: its handle, its line, and its measured values."""

    handle: str
    line: str
    facts: tuple[BrepFact, ...]
    ref: str


@dataclass(frozen=True, slots=True)
class Interface:
    """What was said of one pair of components that touch, by its position among the pairs."""

    subject: str
    pair: int
    function: str
    description: str
    confidence: float
    refs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sheet:
    names: tuple[str, str]
    contacts: tuple[Listed, ...]


def touching_of(contacts: FactsBlob) -> dict[str, list[str]]:
    """Which components touch which, by id."""
    found: dict[str, list[str]] = {}
    for pair in _pairs(contacts):
        found.setdefault(pair["a"], []).append(pair["b"])
        found.setdefault(pair["b"], []).append(pair["a"])
    return found


def ask_interfaces(contacts: FactsBlob, first: FactsBlob, talk: Talk) -> tuple[Interface, ...]:
    """Let a model say what each pair of components that touch does there, in their order."""
    if not talk.asks(Purpose.INTERFACES):
        return ()
    names = names_of(first)
    found = []
    for k, pair in enumerate(_pairs(contacts)[: talk.limits.interfaces]):
        sheet = _sheet(contacts, k, pair, names)
        subject = subject_of(Purpose.INTERFACES, str(k))
        sides = [
            Faces(pair[side], tuple(sorted({c[f"face_{side}"] for c in pair["contacts"]})))
            for side in ("a", "b")
        ]
        answer = talk.ask(
            Question(
                Purpose.INTERFACES,
                subject,
                partial(_worded, sheet),
                sides,
                SCHEMA,
                partial(_read, sheet=sheet, subject=subject, pair=k),
            )
        )
        if answer:
            found.append(answer.value)
    return tuple(found)


def names_of(first: FactsBlob) -> dict[str, str]:
    """What each component instance is called, by its id."""
    data: Mapping[str, Any] = first.data
    return {
        one["component_id"]: shown_name(
            one["name"], data["parts"][one["part"]]["name"], one["component_id"]
        )
        for one in data["instances"]
    }


def _pairs(contacts: FactsBlob) -> list[Any]:
    data: Mapping[str, Any] = contacts.data
    return list(data["pairs"])


def _sheet(
    contacts: FactsBlob, k: int, pair: Mapping[str, Any], names: dict[str, str]
) -> _Sheet:
    listed = [
        _listed(contacts.ref("pairs", k, "contacts", n), n + 1, one)
        for n, one in enumerate(pair["contacts"][:CONTACTS_PER_SHEET])
    ]
    called = spoken_name(names[pair["a"]], A), spoken_name(names[pair["b"]], B)
    return _Sheet(called, tuple(listed))


def _listed(ref: str, number_: int, one: Mapping[str, Any]) -> Listed:
    gap, area = one["gap_mm"], one["area_mm2"]
    line = (
        f"K{number_} {one['kind']} contact: gap {number(gap, 'mm')}, "
        f"area about {number(area, 'mm2')} ({one['method']})"
    )
    facts = (
        BrepFact("contact.gap", gap, "mm", 1.0, f"{ref}/gap_mm"),
        BrepFact("contact.area", area, "mm2", 1.0, f"{ref}/area_mm2"),
    )
    return Listed(f"K{number_}", line, facts, ref)


def _worded(sheet: _Sheet, shown: Sequence[int]) -> str:
    pictures = [
        f"Picture {k} shows the contact on {(A, B)[at]}." for k, at in enumerate(shown, start=1)
    ]
    return "\n".join(
        [
            f"Component A: {quoted(sheet.names[0])}",
            f"Component B: {quoted(sheet.names[1])}",
            *(one.line for one in sheet.contacts),
            *(pictures or ["There are no pictures."]),
        ]
    )


def _read(text: str, sheet: _Sheet, subject: str, pair: int) -> Interface | Refused:
    reply = wire.read_reply(wire.InterfacesReply, text)
    if isinstance(reply, str):
        return Refused(reply)
    fault = next(_faults(reply, sheet), None)
    if fault is not None:
        return Refused(fault)
    refs = {one.handle: one.ref for one in sheet.contacts}
    return Interface(
        subject,
        pair,
        reply.function,
        reply.description,
        reply.inference_confidence,
        tuple(dict.fromkeys(refs[handle] for handle in reply.contacts)),
    )


def _faults(reply: wire.InterfacesReply, sheet: _Sheet) -> Iterator[str]:
    known = {one.handle: one for one in sheet.contacts}
    if not reply.contacts:
        yield "contacts: cite at least one contact"
    for handle in reply.contacts:
        if handle not in known:
            yield f"contacts: there is no contact {handle}"
    for name in reply.components:
        if name not in sheet.names and name.lower() not in {A, B}:
            yield "components: name only the two components, as they are given"
    cited = [fact for h in reply.contacts if h in known for fact in known[h].facts]
    for place, said in (("function", reply.function), ("description", reply.description)):
        if fault := not_neutral(place, said) or not_measured(
            place, said, cited, names=sheet.names
        ):
            yield fault
