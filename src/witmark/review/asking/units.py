"""Units that a model proposes, beside the measured ones. Nothing here knows of rules.

The model sees a sheet and says what is there; the gates let in what is neutral and holds no
number but a cited one. What is let in carries every measured fact of its place, so that a
model can add words, views and attributes, and never take a fact away.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from witmark.kernel.model.outcome import Refused
from witmark.kernel.model.request import OutputSchema
from witmark.review import wire
from witmark.review.asking.saying import not_measured, not_neutral
from witmark.review.asking.sheets import Sheet, quoted, sheets_of, text_of
from witmark.review.asking.talking import Purpose, Question, Talk, subject_of
from witmark.review.units import (
    BrepFact,
    ImageFact,
    InferredAttribute,
    LocalSemanticUnit,
)
from witmark.review.vocabulary import FACTS, PLACES, View

SCHEMA = OutputSchema(wire.UNITS_REPLY, wire.reply_schema(wire.UnitsReply))
VIEWS = tuple(view.value for view in View)
PATTERNS = tuple(sorted({place.pattern_type for place in PLACES.values()}))


@dataclass(frozen=True, slots=True)
class Proposed:
    """A unit that was let in, the measured unit of its place, and the question it answers."""

    unit: LocalSemanticUnit
    beside: LocalSemanticUnit
    cited: tuple[BrepFact, ...]
    subject: str


def ask_units(units: Sequence[LocalSemanticUnit], talk: Talk) -> tuple[Proposed, ...]:
    """Let a model word the places of each instance, in the order of the measured units."""
    if not talk.asks(Purpose.UNITS):
        return ()
    found: list[Proposed] = []
    for sheet in sheets_of(units)[: talk.limits.units]:
        subject = subject_of(Purpose.UNITS, sheet.spots[0].unit.local_id)
        mine = [spot.unit for spot in sheet.spots]
        answer = talk.ask(
            Question(
                Purpose.UNITS,
                subject,
                partial(worded, sheet),
                mine,
                SCHEMA,
                partial(_heard, sheet=sheet, subject=subject, talk=talk),
            )
        )
        found.extend(answer.value if answer else ())
    return tuple(found)


def worded(sheet: Sheet, shown: Sequence[int]) -> str:
    """The question: names, words to choose from, places, pictures."""
    pictures = [
        f"Picture {k} shows {sheet.spots[at].handle}." for k, at in enumerate(shown, start=1)
    ]
    return "\n".join(
        [
            f"Component: {quoted(sheet.name)}",
            f"Views: {', '.join(VIEWS)}",
            f"Pattern types: {', '.join(PATTERNS)}",
            text_of(sheet),
            *(pictures or ["There are no pictures."]),
        ]
    )


def _heard(text: str, sheet: Sheet, subject: str, talk: Talk) -> tuple[Proposed, ...] | Refused:
    return read(text, sheet, subject, sum(1 for one, _, _ in talk.images if one == subject))


def read(
    text: str, sheet: Sheet, subject: str, pictures: int
) -> tuple[Proposed, ...] | Refused:
    """The units of a reply that keeps the schema and every gate, or why it does not."""
    reply = wire.read_reply(wire.UnitsReply, text)
    if isinstance(reply, str):
        return Refused(reply)
    seen: set[tuple[str, str]] = set()
    for k, unit in enumerate(reply.units):
        fault = next(_faults(unit, f"units/{k}", sheet, pictures), None)
        if fault is None and (unit.place, unit.primary_view) in seen:
            fault = f"units/{k}: one unit for one place and view"
        if fault is not None:
            return Refused(fault)
        seen.add((unit.place, unit.primary_view))
    return tuple(_proposed(unit, k, sheet, subject) for k, unit in enumerate(reply.units))


def _faults(unit: wire.ReplyUnit, at: str, sheet: Sheet, pictures: int) -> Iterator[str]:
    spot = sheet.spot(unit.place)
    if spot is None:
        yield f"{at}/place: there is no place {unit.place}"
        return
    yield from _views(unit, at)
    cited = dict(spot.facts)
    yield from strangers(unit.facts, cited, f"{at}/facts", needed=True)
    for k, attribute in enumerate(unit.inferred_attributes):
        yield from _attribute(attribute, f"{at}/inferred_attributes/{k}", cited, sheet)
    facts = [cited[handle] for handle in unit.facts if handle in cited]
    for place, said in _texts(unit, at):
        yield from unsaid(place, said, facts, sheet)
    for k, sight in enumerate(unit.image_facts):
        if sight.picture > pictures:
            yield f"{at}/image_facts/{k}: there is no picture {sight.picture}"


def _views(unit: wire.ReplyUnit, at: str) -> Iterator[str]:
    for place, view in (
        (f"{at}/primary_view", unit.primary_view),
        *((f"{at}/secondary_views/{k}", v) for k, v in enumerate(unit.secondary_views)),
    ):
        if view not in VIEWS:
            yield f"{place}: choose one of the views listed"
    if unit.primary_view in unit.secondary_views:
        yield f"{at}/secondary_views: the primary view is not repeated here"
    if unit.pattern_type not in PATTERNS:
        yield f"{at}/pattern_type: choose one of the pattern types listed"


def _attribute(
    attribute: wire.ReplyAttribute, at: str, cited: dict[str, BrepFact], sheet: Sheet
) -> Iterator[str]:
    if attribute.name in FACTS or attribute.name in {n.rpartition(".")[2] for n in FACTS}:
        yield f"{at}/name: this is a measured fact; infer something else"
    yield from strangers(attribute.facts, cited, f"{at}/facts", needed=True)
    facts = [cited[handle] for handle in attribute.facts if handle in cited]
    said = attribute.value
    value = said if isinstance(said, str) else "" if isinstance(said, bool) else f"{said:.10g}"
    for place, text in (
        (f"{at}/name", attribute.name.replace("_", " ")),
        (f"{at}/reason", attribute.reason),
        (f"{at}/value", value),
    ):
        if text:
            yield from unsaid(place, text, facts, sheet)


def _texts(unit: wire.ReplyUnit, at: str) -> Iterator[tuple[str, str]]:
    yield f"{at}/retrieval_sentence", unit.retrieval_sentence
    yield f"{at}/retrieval_sentence_en", unit.retrieval_sentence_en
    for key, texts in (
        ("inferred_functions", unit.inferred_functions),
        ("retrieval_fact_tags", [tag.replace("_", " ") for tag in unit.retrieval_fact_tags]),
        ("retrieval_relations", unit.retrieval_relations),
        ("image_facts", [sight.observation for sight in unit.image_facts]),
    ):
        yield from ((f"{at}/{key}/{k}", text) for k, text in enumerate(texts))


def strangers(
    handles: Sequence[str], known: dict[str, BrepFact], place: str, *, needed: bool
) -> Iterator[str]:
    """Faults of a list of cited handles: strange ones, or none where one is needed."""
    if needed and not handles:
        yield f"{place}: cite at least one fact of the place"
    for handle in handles:
        if handle not in known:
            yield f"{place}: {handle} is not a fact of this place"


def unsaid(place: str, text: str, cited: Sequence[BrepFact], sheet: Sheet) -> Iterator[str]:
    """Faults of one text before retrieval."""
    if fault := not_neutral(place, text) or not_measured(
        place, text, cited, names=[sheet.name]
    ):
        yield fault


def _proposed(reply: wire.ReplyUnit, k: int, sheet: Sheet, subject: str) -> Proposed:
    spot = sheet.spot(reply.place)
    if spot is None:
        raise AssertionError(f"{reply.place} passed the gates and is not there")
    cited = dict(spot.facts)
    return Proposed(
        _unit(reply, k, spot.unit),
        spot.unit,
        tuple(cited[handle] for handle in reply.facts),
        subject,
    )


def _unit(reply: wire.ReplyUnit, k: int, base: LocalSemanticUnit) -> LocalSemanticUnit:
    attributes = tuple(_inferred(one) for one in reply.inferred_attributes)
    sights = tuple(
        ImageFact(f"picture {one.picture}", one.observation, one.inference_confidence)
        for one in reply.image_facts
    )
    sure = [1.0, *(a.confidence for a in attributes), *(s.confidence for s in sights)]
    bundle = replace(base.fact_bundle, image_facts=sights, confidence=min(sure))
    return replace(
        base,
        local_id=f"{base.local_id}_said_{k + 1}",
        linked_subgraph_id=f"{base.linked_subgraph_id}_said_{k + 1}",
        pattern_type=reply.pattern_type,
        primary_view=reply.primary_view,
        secondary_views=reply.secondary_views,
        retrieval_sentence=reply.retrieval_sentence,
        retrieval_sentence_en=reply.retrieval_sentence_en,
        inferred_functions=reply.inferred_functions,
        inferred_attributes=attributes,
        retrieval_fact_tags=reply.retrieval_fact_tags,
        retrieval_relations=reply.retrieval_relations,
        fact_bundle=bundle,
        dedup_key=f"{base.component_id}|{reply.primary_view}|{base.anchor.id}",
    )


def _inferred(one: wire.ReplyAttribute) -> InferredAttribute:
    return InferredAttribute(one.name, one.value, one.inference_confidence, one.reason)
