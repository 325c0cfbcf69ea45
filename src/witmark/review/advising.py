"""What a model adds to a review: words and roles before retrieval, opinions after judging.

The measured units are retrieved and judged exactly as they are without a model. A model's
units can bring further rules to a place; they cannot take one away, nor a fact, nor a verdict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from witmark.review.asking.interfaces import Interface, ask_interfaces, names_of, touching_of
from witmark.review.asking.opinions import Case, Opinion, ask_opinions, with_roles
from witmark.review.asking.roles import Roles, ask_roles
from witmark.review.asking.roles import with_roles as beside_names
from witmark.review.asking.surroundings import scene_of
from witmark.review.asking.talking import Talk
from witmark.review.asking.units import Proposed, ask_units
from witmark.review.facts import FactsBlob, blob_of
from witmark.review.judging import Verdict, VerdictKind
from witmark.review.neutrality import spoken_name
from witmark.review.units import BrepFact, LocalSemanticUnit, merge_units

INFERRED_FORMAT = "witmark.facts-inferred/1"
LEAST_SURE_ROLE = 0.6
"""A role below this is listed as uncertain in the graph (the judge's own threshold)."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said before retrieval, and the units that came of it.

    ``units`` are the measured ones in their order, with the roles and words that were merged
    into them, then those that stand in a view of their own.
    ``measured`` are those that no model touched.
    """

    units: tuple[LocalSemanticUnit, ...]
    proposed: tuple[Proposed, ...] = ()
    roles: Roles = Roles()  # noqa: RUF009 - a frozen value
    measured: tuple[LocalSemanticUnit, ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """Everything that a model added to one review. Opinions are by position of the verdict."""

    heard: Heard
    inferred: FactsBlob
    opinions: Mapping[int, Opinion]
    with_roles: Mapping[int, VerdictKind]
    interfaces: tuple[Interface, ...]
    contacts: FactsBlob


def listen(
    units: Sequence[LocalSemanticUnit], contacts: FactsBlob, first: FactsBlob, talk: Talk
) -> Heard:
    """Ask for roles and units; merge what passes the gates with what was measured."""
    names = names_of(first)
    beside = {
        one: sorted({spoken_name(names[other], "another component") for other in others})
        for one, others in touching_of(contacts).items()
    }
    roles = ask_roles(units, beside, talk)
    proposed = ask_units(units, talk)
    told = beside_names(units, roles.roles)
    merged = merge_units([*told, *(one.unit for one in proposed)])
    return Heard(_told_apart(merged), proposed, roles, tuple(units))


def _told_apart(units: Sequence[LocalSemanticUnit]) -> tuple[LocalSemanticUnit, ...]:
    """Units of one place in several views keep apart ids; the anchor's role is the place's."""
    roles = {
        (u.component_id, u.anchor.id): u.anchor.inferred_role
        for u in units
        if u.anchor.inferred_role
    }
    return tuple(
        unit
        if (role := roles.get((unit.component_id, unit.anchor.id), ""))
        == unit.anchor.inferred_role
        else replace(
            unit,
            fact_bundle=replace(
                unit.fact_bundle, anchor=replace(unit.anchor, inferred_role=role)
            ),
        )
        for unit in units
    )


def consult(
    cases: Mapping[int, Case],
    heard: Heard,
    first: FactsBlob,
    contacts: FactsBlob,
    talk: Talk,
) -> Advice:
    """Ask what contacts are for, and what a model says of the verdicts worth a question.

    What a judge is told of neighbouring places are the sentences of the measured units: no
    model's words come back to it as if they were the file's.
    """
    interfaces = ask_interfaces(contacts, first, talk)
    verdicts = [case.verdict for case in cases.values()]
    chosen = {k: cases[k] for k in worth_asking(verdicts)}
    opinions = ask_opinions(chosen, scene_of(heard.measured, first, contacts), talk)
    roles = {
        k: kind
        for k, case in cases.items()
        if (kind := with_roles(case, heard.roles.facts)) is not None
    }
    inferred = inferred_facts(first, heard.roles)
    return Advice(heard, inferred, opinions, roles, interfaces, contacts)


_RANKS = {"critical": 0, "major": 1, "minor": 2, "info": 3}
_PLAINLY_KEPT = 6


def worth_asking(verdicts: Sequence[Verdict]) -> list[int]:
    """Positions of verdicts to ask about: the first of each rule and kind, then the rest.

    Violations, open questions, grey cases; after all of these, the first place where a rule is
    plainly kept, once a rule. What does not apply is not asked about.
    """
    seen: dict[tuple[object, ...], int] = {}
    ranked = []
    for k, verdict in enumerate(verdicts):
        match verdict.kind:
            case VerdictKind.VIOLATED:
                rank = _RANKS[verdict.severity.value] if verdict.severity else 0
            case VerdictKind.UNDETERMINED:
                rank = 4
            case VerdictKind.SATISFIED if verdict.grey:
                rank = 5
            case VerdictKind.SATISFIED:
                rank = _PLAINLY_KEPT
            case _:
                continue
        missing = tuple(fact.fact for fact in verdict.missing)
        key = (verdict.rule_id, rank, missing)
        turn = seen[key] = seen.get(key, -1) + 1
        if rank == 4 and turn:
            continue  # what is missing there, is missing here
        if rank == _PLAINLY_KEPT and turn:
            continue
        ranked.append((rank == _PLAINLY_KEPT, turn > 0, rank, turn, k))
    return [k for *_, k in sorted(ranked)]


def inferred_facts(first: FactsBlob, roles: Roles) -> FactsBlob:
    """What was inferred, as a blob that can be cited; it is never read as measured."""
    return blob_of(
        {
            "format": INFERRED_FORMAT,
            "facts": first.digest,
            "roles": [
                {
                    "component_id": one.component_id,
                    "anchor": one.unit.anchor.id if one.unit else None,
                    "inferred_role": one.inferred_role,
                    "confidence": one.confidence,
                    "reason": one.reason,
                    "fact_refs": refs(one.cited),
                    "subject": one.subject,
                }
                for one in roles.roles
            ],
            "answers": [
                {
                    "component_id": one.unit.component_id,
                    "anchor": one.unit.anchor.id,
                    "fact": one.fact,
                    "value": one.value,
                    "confidence": one.confidence,
                    "reason": one.reason,
                    "fact_refs": refs(one.cited),
                    "subject": one.subject,
                }
                for one in roles.facts
            ],
        }
    )


def refs(facts: Sequence[BrepFact]) -> list[str]:
    """The refs of cited facts, each once."""
    return list(dict.fromkeys(fact.source_ref for fact in facts if fact.source_ref))


def component_roles(roles: Roles) -> dict[str, tuple[str, float]]:
    """The role of each component as a whole, and how surely."""
    return {
        one.component_id: (one.inferred_role, one.confidence)
        for one in roles.roles
        if one.unit is None
    }
