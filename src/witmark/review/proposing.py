"""From measured facts to neutral units. This module may not know that rules exist.

One unit per place on every instance that is reviewed: features, in-line bores, surface
boundaries, and the part as a whole. Places of which nothing can be measured share one.
Instances that are context only get none. A unit states what is there; it carries every fact
of its place, and names those that are missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from witmark.review.assembly import ReviewScope
from witmark.review.facts import FactsBlob
from witmark.review.neutrality import spoken_name
from witmark.review.units import (
    Anchor,
    BrepFact,
    FactBundle,
    FactValue,
    KnownRelation,
    LocalSemanticUnit,
    NormalizedMeasurement,
    RelationType,
    merge_units,
)
from witmark.review.vocabulary import FACTS, PLACES, PlaceWord, Unit
from witmark.review.wording import (
    Said,
    described,
    kind_said,
    mouth_direction,
    position,
    positions,
    shown_name,
    side_of,
    spaced,
    whose,
)

MEASURED_CONFIDENCE = 1.0
"""A value computed from the boundary is as sure as the file; roles never get this."""

SILENT_KINDS = frozenset({"fillet", "chamfer"})
"""Edge breaks: hundreds on a real part. They are stated once per part, in its own unit."""

FREE_FORMS = frozenset(
    {"freeform_recess", "freeform_blend", "freeform_surface", "freeform_bore"}
)

Plain = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Places:
    """One instance and what stands on it, as the facts blob has it."""

    blob: FactsBlob
    instance: Plain
    part: Plain
    part_index: int
    instance_index: int
    sharing: Mapping[int, tuple[int, ...]]  # features that share a face with each feature


def propose(blob: FactsBlob) -> tuple[LocalSemanticUnit, ...]:
    """Word one unit per place, in file order, merged where two say the same."""
    units: list[LocalSemanticUnit] = []
    parts = cast("Sequence[Plain]", blob.data["parts"])
    instances = cast("Sequence[Plain]", blob.data["instances"])
    sharing = [_sharing(part) for part in parts]
    for index, instance in enumerate(instances):
        if instance["review_scope"] == ReviewScope.PART_DESIGN_REQUIRED:
            part_index = cast("int", instance["part"])
            here = Places(
                blob, instance, parts[part_index], part_index, index, sharing[part_index]
            )
            units.extend(_units_of(here))
    return merge_units(units)


def _sharing(part: Plain) -> Mapping[int, tuple[int, ...]]:
    """Which features of a part share faces: a pocket and its fillets, a line and its bores."""
    features = cast("Sequence[Plain]", part["features"])
    on: dict[int, list[int]] = {}
    for k, feature in enumerate(features):
        for face in cast("Sequence[int]", feature["faces"]):
            on.setdefault(face, []).append(k)
    beside: dict[int, set[int]] = {}
    for together in on.values():
        for k in together:
            beside.setdefault(k, set()).update(together)
    return {k: tuple(sorted(others - {k})) for k, others in beside.items()}


def _units_of(here: Places) -> Iterator[LocalSemanticUnit]:
    features = cast("Sequence[Plain]", here.part["features"])
    places = cast("Sequence[Plain]", here.instance["places"])
    for alike in _spoken(features, valid=bool(here.part["valid"])):
        if len(alike) == 1:
            yield _feature_unit(here, alike[0], features[alike[0]], places[alike[0]])
        else:
            yield _group_unit(here, alike, features, places)
    if here.part["faces"]:
        yield _part_unit(here)


def _spoken(features: Sequence[Plain], *, valid: bool) -> list[tuple[int, ...]]:
    """The features that get a unit: alone, or together with others of whom as little is known.

    A real part has hundreds of edge breaks and of faces that meet at one height. Of the
    boundaries the one with the least step speaks for the part: where it lies is shown, and
    what would settle it settles the others. A styled part has a hundred free forms on which
    nothing can be measured; they share one unit per kind, which counts them and says where
    they are. So do all places of one kind on a solid that failed its validity check.
    """
    boundaries = [k for k, one in enumerate(features) if one["kind"] == "surface_boundary"]
    nearest = min(boundaries, key=lambda k: (_step_height_mm(features[k]), k), default=None)
    passed_over = set(boundaries) - {nearest}
    groups: dict[object, list[int]] = {}
    for k, one in enumerate(features):
        if one["kind"] not in SILENT_KINDS and k not in passed_over:
            shared = not valid or _has_free_walls(one)
            groups.setdefault(one["kind"] if shared else k, []).append(k)
    return sorted(tuple(group) for group in groups.values())


def _has_free_walls(feature: Plain) -> bool:
    """Whether free forms leave nothing of a place to be measured but how far it reaches."""
    facts = cast("Mapping[str, FactValue]", feature["facts"])
    corners_unknown = "pocket.corners" in facts and facts["pocket.corners"] is None
    return cast("str", feature["kind"]) in FREE_FORMS or corners_unknown


def _step_height_mm(boundary: Plain) -> float:
    height = cast("Mapping[str, FactValue]", boundary["facts"]).get("surface.step_height")
    return float(height) if isinstance(height, int | float) else float("inf")


def _feature_unit(here: Places, k: int, feature: Plain, place: Plain) -> LocalSemanticUnit:
    kind = cast("str", feature["kind"])
    facts = cast("Mapping[str, FactValue]", feature["facts"])
    word = PLACES[kind]
    said = kind_said(kind, facts)
    side = side_of(mouth_direction(kind, cast("Sequence[float] | None", place["direction"])))
    at = position(cast("Sequence[float]", place["at_mm"]))
    bundle = tuple(
        _brep_fact(
            name, value, here.blob.ref("parts", here.part_index, "features", k, "facts", name)
        )
        for name, value in facts.items()
        if name in FACTS
    )
    rest = described(kind, facts)
    on_zh, on_en = (f"{side.zh}的", f" on the {side.en}") if side.zh else ("", "")
    where = Said(f"{on_zh}{said.zh}，位于 {at}", f"{said.en}{on_en}, at {at}")
    zh, en = _spoken_name(here, "零件"), _spoken_name(here, "the part")
    whole = spaced(zh) + on_zh if on_zh else whose(zh)
    sentence = Said(f"{whole}{said.zh}：{rest.zh}", f"{said.en}{on_en} of {en}: {rest.en}")
    return _unit(here, word, f"parts/{here.part_index}/features/{k}", where, sentence, bundle)


_NOT_ALL = Said("尺寸不能全部测得", "whose sizes were not all measurable")
_NOT_LISTED = Said("各处尺寸不逐一列出", "whose sizes are not listed one by one")


def _group_unit(
    here: Places, alike: tuple[int, ...], features: Sequence[Plain], places: Sequence[Plain]
) -> LocalSemanticUnit:
    """One unit for several places: it carries the facts in which they agree."""
    kind = cast("str", features[alike[0]]["kind"])
    word, count = PLACES[kind], len(alike)
    each = [cast("Mapping[str, FactValue]", features[k]["facts"]) for k in alike]
    ref = ("parts", here.part_index, "features", alike[0], "facts")
    bundle = tuple(
        _brep_fact(
            name,
            value if all(name in one and one[name] == value for one in each) else None,
            here.blob.ref(*ref, name),
        )
        for name, value in each[0].items()
        if name in FACTS
    )
    stands = positions([cast("Sequence[float]", places[k]["at_mm"]) for k in alike])
    where = Said(
        f"{word.zh}共 {count} 处，位于 {stands.zh}",
        f"{word.en}, {count} places, at {stands.en}",
    )
    zh, en = _spoken_name(here, "零件"), _spoken_name(here, "the part")
    sizes = _NOT_ALL if here.part["valid"] else _NOT_LISTED
    sentence = Said(
        f"{whose(zh)}{word.zh}共 {count} 处，{sizes.zh}。",
        f"{word.en} of {en}, in {count} places, {sizes.en}.",
    )
    anchor = f"parts/{here.part_index}/features/{alike[0]}"
    others = tuple(f"parts/{here.part_index}/features/{k}" for k in alike[1:])
    unit = _unit(here, word, anchor, where, sentence, bundle)
    return replace(unit, fact_bundle=replace(unit.fact_bundle, related_features=others))


def _part_unit(here: Places) -> LocalSemanticUnit:
    facts = cast("Mapping[str, FactValue]", here.part["facts"])
    bundle = tuple(
        _brep_fact(name, value, here.blob.ref("parts", here.part_index, "facts", name))
        for name, value in facts.items()
    )
    holes = facts.get("part.hole_d_count")
    radii = facts.get("part.internal_r_count")
    zh, en = _spoken_name(here, "零件"), _spoken_name(here, "the part")
    known = Said(
        f"{zh}整体：不同孔径{_count(holes).zh}种，内圆角半径{_count(radii).zh}种。",
        f"{en} as a whole: {_count(holes).en} different hole diameters, "
        f"{_count(radii).en} different internal radii.",
    )
    where = Said("整个零件", "the whole part")
    return _unit(here, PLACES["part"], f"parts/{here.part_index}", where, known, bundle)


def _spoken_name(here: Places, otherwise: str) -> str:
    return spoken_name(_shown(here), otherwise)


def _name(here: Places) -> str:
    """The real name: the instance's own, else its part's."""
    return cast("str", here.instance["name"]) or cast("str", here.part["name"])


def _shown(here: Places) -> str:
    return shown_name(
        cast("str", here.instance["name"]),
        cast("str", here.part["name"]),
        cast("str", here.instance["component_id"]),
    )


def _count(value: FactValue) -> Said:
    return (
        Said("未知多少", "an unknown number of")
        if value is None
        else Said(f" {value} ", f"{value}")
    )


def _unit(  # noqa: PLR0913, PLR0917 - one call site per kind of place; each argument is one fact of it
    here: Places,
    word: PlaceWord,
    anchor_id: str,
    where: Said,
    sentence: Said,
    facts: tuple[BrepFact, ...],
) -> LocalSemanticUnit:
    name = _name(here)
    valid = _brep_fact(
        "part.valid",
        cast("bool", here.part["valid"]),
        here.blob.ref("parts", here.part_index, "valid"),
    )
    bundle = (*facts, valid)
    component = cast("str", here.instance["component_id"])
    local = f"unit_{here.instance_index}_{anchor_id.replace('/', '_')}"
    related = _related(here, anchor_id)
    return LocalSemanticUnit(
        local_id=local,
        linked_subgraph_id=local.replace("unit_", "subgraph_", 1),
        pattern_type=word.pattern_type,
        primary_view=word.primary_view.value,
        secondary_views=tuple(view.value for view in word.secondary_views),
        retrieval_sentence=sentence.zh,
        retrieval_sentence_en=_sentence_case(sentence.en),
        fact_bundle=FactBundle(
            anchor=Anchor(
                kind=word.kind,
                id=anchor_id,
                solidworks_name=name,
                component_file_name=cast("str", here.part["name"]),
            ),
            brep_facts=bundle,
            missing_facts=tuple(FACTS[f.name].missing() for f in bundle if f.value is None),
            related_parts=(component,),
            related_features=related,
            known_relations=tuple(_adjacent(here, anchor_id, other) for other in related),
        ),
        dedup_key=f"{component}|{word.primary_view.value}|{anchor_id}",
        component_id=component,
        semantic_location=f"{_shown(here) or '零件'}：{where.zh}",
        semantic_location_en=f"{_shown(here) or 'part'}: {where.en}",
        retrieval_fact_tags=(word.kind,),
        retrieval_semantic_roles=(word.zh,),
        normalized_measurements=tuple(_measurement(f) for f in bundle if _is_number(f)),
    )


def _related(here: Places, anchor_id: str) -> tuple[str, ...]:
    """Anchors of the features that share a face with this one; none for the whole part."""
    steps = anchor_id.split("/")
    beside = here.sharing.get(int(steps[3]), ()) if len(steps) > 2 else ()
    return tuple(f"parts/{here.part_index}/features/{k}" for k in beside)


def _adjacent(here: Places, anchor_id: str, other: str) -> KnownRelation:
    """Two features that share faces are adjacent: read off the boundary, so it is certain."""
    one, two = (here.blob.ref(*anchor.split("/"), "faces") for anchor in (anchor_id, other))
    return KnownRelation(RelationType.ADJACENT_TO, one, two, MEASURED_CONFIDENCE, (one, two))


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def _brep_fact(name: str, value: FactValue, ref: str) -> BrepFact:
    known = value is not None
    return BrepFact(
        name, value, FACTS[name].unit.value, MEASURED_CONFIDENCE if known else 0.0, ref
    )


def _is_number(fact: BrepFact) -> bool:
    return FACTS[fact.name].unit in (Unit.MM, Unit.DEG, Unit.ONE)


def _measurement(fact: BrepFact) -> NormalizedMeasurement:
    value = fact.value
    return NormalizedMeasurement(
        name=fact.name.partition(".")[2],
        value=float(value) if isinstance(value, int | float) else None,
        unit=fact.unit,
        confidence=fact.confidence,
    )
