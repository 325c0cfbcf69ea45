"""Roles that a model infers, never in place of a real name. Nothing here knows of rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from witmark.kernel.model.outcome import Refused
from witmark.kernel.model.request import OutputSchema
from witmark.review import wire
from witmark.review.asking.sheets import Sheet, quoted, real_name, sheets_of, text_of
from witmark.review.asking.talking import Purpose, Question, Talk, subject_of
from witmark.review.asking.units import strangers, unsaid
from witmark.review.units import BrepFact, LocalSemanticUnit
from witmark.review.vocabulary import FACTS

SCHEMA = OutputSchema(wire.ROLES_REPLY, wire.reply_schema(wire.RolesReply))
BOUNDARY = "surface_boundary"


@dataclass(frozen=True, slots=True)
class InferredRole:
    """What somebody concluded that a component, or a place on it, is for."""

    subject: str
    component_id: str
    component_name: str  # the real one
    unit: LocalSemanticUnit | None  # None: the component as a whole
    inferred_role: str
    confidence: float
    reason: str
    cited: tuple[BrepFact, ...]


@dataclass(frozen=True, slots=True)
class InferredFact:
    """A value of the vocabulary's inferred facts, for one place."""

    subject: str
    unit: LocalSemanticUnit
    fact: str
    value: str
    confidence: float
    reason: str
    cited: tuple[BrepFact, ...]


@dataclass(frozen=True, slots=True)
class Roles:
    """Everything that was inferred about one or more components."""

    roles: tuple[InferredRole, ...] = ()
    facts: tuple[InferredFact, ...] = ()


def ask_roles(
    units: Sequence[LocalSemanticUnit], neighbours: Mapping[str, Sequence[str]], talk: Talk
) -> Roles:
    """Let a model say what each instance and its places seem to be for.

    Args:
        units: The measured units.
        neighbours: What each component touches, as spoken names, by component id.
        talk: The talk of this review.
    """
    if not talk.asks(Purpose.ROLES):
        return Roles()
    roles: list[InferredRole] = []
    facts: list[InferredFact] = []
    for sheet in sheets_of(units)[: talk.limits.roles]:
        subject = subject_of(Purpose.ROLES, sheet.spots[0].unit.local_id)
        beside = neighbours.get(sheet.component_id, ())
        answer = talk.ask(
            Question(
                Purpose.ROLES,
                subject,
                partial(worded, sheet, beside),
                [spot.unit for spot in sheet.spots],
                SCHEMA,
                partial(read, sheet=sheet, subject=subject),
            )
        )
        if answer:
            roles.extend(answer.value.roles)
            facts.extend(answer.value.facts)
    return Roles(_surest(roles), tuple(facts))


def worded(sheet: Sheet, beside: Sequence[str], shown: Sequence[int]) -> str:
    """The question: the component, what it touches, its places, pictures."""
    pictures = [
        f"Picture {k} shows {sheet.spots[at].handle}." for k, at in enumerate(shown, start=1)
    ]
    touching = ", ".join(quoted(name) for name in beside) or "nothing that was found"
    return "\n".join(
        [
            f"Component: {quoted(sheet.name)}",
            f"It touches: {touching}",
            text_of(sheet),
            *(pictures or ["There are no pictures."]),
        ]
    )


def read(text: str, sheet: Sheet, subject: str) -> Roles | Refused:
    """The roles of a reply that keeps the schema and every gate, or why it does not."""
    reply = wire.read_reply(wire.RolesReply, text)
    if isinstance(reply, str):
        return Refused(reply)
    fault = next(_faults(reply, sheet), None)
    if fault is not None:
        return Refused(fault)
    known = sheet.facts
    return Roles(
        tuple(_role(one, sheet, subject, known) for one in reply.roles),
        tuple(_fact(one, sheet, subject, known) for one in reply.surfaces),
    )


def _faults(reply: wire.RolesReply, sheet: Sheet) -> Iterator[str]:
    known = sheet.facts
    for k, role in enumerate(reply.roles):
        at = f"roles/{k}"
        if role.place is not None and sheet.spot(role.place) is None:
            yield f"{at}/place: there is no place {role.place}"
        yield from strangers(role.facts, known, f"{at}/facts", needed=True)
        cited = [known[handle] for handle in role.facts if handle in known]
        yield from unsaid(f"{at}/inferred_role", role.inferred_role, (), sheet)
        yield from unsaid(f"{at}/reason", role.reason, cited, sheet)
    if len({role.place for role in reply.roles}) < len(reply.roles):
        yield "roles: one role for the component and for each place"
    for k, surface in enumerate(reply.surfaces):
        yield from _surface(surface, f"surfaces/{k}", sheet)
    if len({(one.place, one.surface) for one in reply.surfaces}) < len(reply.surfaces):
        yield "surfaces: each surface of a place once"


def _surface(surface: wire.ReplySurface, at: str, sheet: Sheet) -> Iterator[str]:
    spot = sheet.spot(surface.place)
    if spot is None or spot.unit.anchor.kind != BOUNDARY:
        yield f"{at}/place: {surface.place} is not a surface boundary"
        return
    known = dict(spot.facts)
    yield from strangers(surface.facts, known, f"{at}/facts", needed=True)
    cited = [known[handle] for handle in surface.facts if handle in known]
    yield from unsaid(f"{at}/reason", surface.reason, cited, sheet)
    name = fact_name(surface.surface)
    if spot.unit.fact_bundle.fact(name) is None:
        yield f"{at}/surface: nobody looks at this surface here"
    elif name in {fact.name for fact in known.values()}:
        yield f"{at}/surface: this is known already"


def fact_name(surface: str) -> str:
    """The vocabulary's name for how a surface of a boundary is made."""
    name = f"surface.role_{surface}"
    if not FACTS[name].inferred:
        raise AssertionError(f"{name} is measured, so nobody infers it")
    return name


def _role(
    one: wire.ReplyRole, sheet: Sheet, subject: str, known: Mapping[str, BrepFact]
) -> InferredRole:
    spot = sheet.spot(one.place) if one.place is not None else None
    return InferredRole(
        subject,
        sheet.component_id,
        real_name(sheet.spots[0].unit),
        spot.unit if spot else None,
        one.inferred_role,
        one.inference_confidence,
        one.reason,
        tuple(known[handle] for handle in one.facts),
    )


def _fact(
    one: wire.ReplySurface, sheet: Sheet, subject: str, known: Mapping[str, BrepFact]
) -> InferredFact:
    spot = sheet.spot(one.place)
    if spot is None:
        raise AssertionError(f"{one.place} passed the gates and is not there")
    return InferredFact(
        subject,
        spot.unit,
        fact_name(one.surface),
        one.made,
        one.inference_confidence,
        one.reason,
        tuple(known[handle] for handle in one.facts),
    )


def _surest(roles: Sequence[InferredRole]) -> tuple[InferredRole, ...]:
    """One role for each component and place; a component on two sheets keeps the surer."""
    kept: dict[tuple[str, str], InferredRole] = {}
    for role in roles:
        key = (role.component_id, role.unit.anchor.id if role.unit else "")
        if key not in kept or kept[key].confidence < role.confidence:
            kept[key] = role
    return tuple(kept.values())


def with_roles(
    units: Sequence[LocalSemanticUnit], roles: Sequence[InferredRole]
) -> tuple[LocalSemanticUnit, ...]:
    """The units with the roles of their places beside the real names."""
    told = {
        (r.component_id, r.unit.anchor.id): r.inferred_role for r in roles if r.unit is not None
    }
    return tuple(
        unit
        if (role := told.get((unit.component_id, unit.anchor.id))) is None
        else replace(
            unit,
            fact_bundle=replace(
                unit.fact_bundle, anchor=replace(unit.anchor, inferred_role=role)
            ),
        )
        for unit in units
    )
