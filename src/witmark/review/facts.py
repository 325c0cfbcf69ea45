"""What was measured, as one canonical blob that everything after it is decided from.

The blob is the border between reading and judging: after it no array and no CAD kernel is
needed, so a verdict can be decided again years later from these bytes. Lengths are mm,
angles degrees; every number is rounded once, here, so that equal files give equal bytes and
a 5 mm hole from an inch file is 5.0. What could not be measured is ``null``.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from witmark.kernel.canon import PLACES, TOLERANCE, Digest, canonical_json, digest_of, rounded
from witmark.review.assembly import (
    Assembly,
    ComponentInstance,
    Part,
    Placement,
    ReviewScope,
)
from witmark.review.brep import Brep, FloatArray, SurfaceKind
from witmark.review.features.feature import Fact, Feature, Segment
from witmark.review.features.recognise import Recognition
from witmark.review.scope import Scope, scope_of
from witmark.review.source import Sources

FACTS_FORMAT = "witmark.facts/1"
SECOND_FORMAT = "witmark.facts-second/1"

Plain = dict[str, object]


@dataclass(frozen=True, slots=True)
class FactsBlob:
    """A facts blob and its name. ``data`` is what ``raw`` says; nobody changes it."""

    raw: bytes
    digest: Digest
    data: Mapping[str, object]

    def ref(self, *steps: object) -> str:
        """The citation of a place in the blob; steps are pointer tokens without escapes."""
        return f"{self.digest}#" + "".join(f"/{step}" for step in steps)


def blob_of(data: Mapping[str, object]) -> FactsBlob:
    """Freeze facts into their canonical bytes."""
    raw = canonical_json(data)
    return FactsBlob(raw, digest_of(raw), data)


def facts_of(
    assembly: Assembly, recognised: Sequence[Recognition], sources: Sources
) -> FactsBlob:
    """Write down everything measured in the first pass.

    Args:
        assembly: What the file says.
        recognised: The features of ``assembly.parts``, in the same order.
        sources: The files that were read.
    """
    parts = [_part(part, found) for part, found in zip(assembly.parts, recognised, strict=True)]
    return blob_of(
        {
            "format": FACTS_FORMAT,
            "source": {
                "digest": sources.main.digest,
                "referred": [
                    {"path": name, "digest": sources.referred[name].digest}
                    for name in sorted(sources.referred)
                ],
            },
            "schema": assembly.schema,
            "length_unit": {
                "declared": assembly.unit.declared,
                "mm_per_unit": _number(assembly.unit.mm_per_unit),
                "uncertainty_mm": assembly.unit.uncertainty_mm,
            },
            "tolerances": {"mm": TOLERANCE, "deg": TOLERANCE, "ratio": TOLERANCE},
            "parts": parts,
            "instances": [
                _instance(one, recognised[one.part], scope)
                for one, scope in zip(assembly.instances, _scopes(assembly), strict=True)
            ],
            "notices": [
                {"code": n.code, "subject": n.subject, "detail": n.detail}
                for n in assembly.notices
            ],
        }
    )


def second_facts_of(
    first: FactsBlob, answers: Iterable[tuple[int, int, str, Fact]]
) -> FactsBlob:
    """Write down what the second pass measured: (part, feature, fact name, value) each."""
    return blob_of(
        {
            "format": SECOND_FORMAT,
            "facts": first.digest,
            "answers": [
                {"part": part, "feature": feature, "fact": name, "value": _fact(value)}
                for part, feature, name, value in sorted(answers, key=lambda a: a[:3])
            ],
        }
    )


def _scopes(assembly: Assembly) -> list[Scope]:
    """What each instance is owed. A file of standard parts alone is reviewed all the same."""
    parts = [assembly.parts[one.part] for one in assembly.instances]
    scopes = [
        scope_of((one.name, part.name), part.brep)
        for one, part in zip(assembly.instances, parts, strict=True)
    ]
    if any(scope.scope is ReviewScope.PART_DESIGN_REQUIRED for scope in scopes):
        return scopes
    return [Scope(ReviewScope.PART_DESIGN_REQUIRED, ()) for _ in scopes]


def _part(part: Part, found: Recognition) -> Plain:
    brep = part.brep
    faults = [fault for fault in brep.body_fault if fault]
    explained = brep.faces - len(found.unexplained)
    return {
        "name": part.name,
        "source": part.source,
        "valid": bool(np.all(brep.body_valid)) and bool(len(brep.body_valid)),
        "faults": faults,
        "box_mm": _numbers(brep.box_mm),
        "faces": _faces(brep, found),
        "features": [_feature(feature) for feature in found.features],
        "facts": {name: _fact(value) for name, value in sorted(found.facts.items())},
        "coverage": {
            "faces": brep.faces,
            "explained": explained,
            "share": _number(explained / brep.faces) if brep.faces else None,
        },
    }


def _faces(brep: Brep, found: Recognition) -> list[Plain]:
    names = [kind.name.lower() for kind in SurfaceKind]
    rows = zip(
        brep.face_kind.tolist(),
        brep.face_declared_kind.tolist(),
        _numbers(brep.face_radius_mm),
        _numbers(brep.face_area_mm2),
        brep.face_step_record.tolist(),
        brep.face_step_line.tolist(),
        brep.face_step_name,
        found.home,
        (face in found.base for face in range(brep.faces)),
        strict=True,
    )
    return [
        {
            "kind": names[kind],
            "declared": names[declared],
            "radius_mm": radius,
            "area_mm2": area,
            "record": record or None,
            "line": line or None,
            "name": name,
            "feature": feature if feature >= 0 else None,
            "base": base,
        }
        for kind, declared, radius, area, record, line, name, feature, base in rows
    ]


def _feature(feature: Feature) -> Plain:
    return {
        "kind": feature.kind,
        "faces": list(feature.faces),
        "at_mm": [_number(x) for x in feature.at_mm],
        "direction": _vector(feature.direction),
        "facts": {name: _fact(value) for name, value in sorted(feature.facts.items())},
        "segments": [_segment(segment) for segment in feature.segments],
    }


def _segment(segment: Segment) -> Plain:
    return {
        "kind": segment.kind,
        "d_mm": _fact(segment.d_mm),
        "d_small_mm": _fact(segment.d_small_mm),
        "depth_mm": _fact(segment.depth_mm),
        "angle_deg": _fact(segment.angle_deg),
        "coverage": _fact(segment.coverage),
        "faces": list(segment.faces),
    }


def _instance(instance: ComponentInstance, found: Recognition, scope: Scope) -> Plain:
    place = instance.placement
    matrix = np.column_stack([place.rotation, place.shift_mm])
    return {
        "component_id": instance.component_id,
        "name": instance.name,
        "part": instance.part,
        "review_scope": scope.scope.value,
        "scope_reasons": list(scope.reasons),
        "placement": [_numbers(row) for row in matrix],
        "mirrored": place.mirrored,
        "colour": _vector(instance.colour),
        "layers": list(instance.layers),
        "places": _places(found.features, place),
    }


def _places(features: Sequence[Feature], place: Placement) -> list[Plain]:
    """Where each feature of the part stands in the assembly."""
    if not features:
        return []
    points = place.points(np.array([feature.at_mm for feature in features]))
    aims = [feature.direction or (np.nan, np.nan, np.nan) for feature in features]
    turned = place.directions(np.array(aims))
    return [
        {"feature": k, "at_mm": _numbers(points[k]), "direction": _aim(turned[k])}
        for k in range(len(features))
    ]


def _aim(direction: FloatArray) -> list[float | None] | None:
    return None if np.isnan(direction).any() else _numbers(direction)


def _vector(values: Sequence[float] | None) -> list[float | None] | None:
    return None if values is None else [_number(value) for value in values]


def _number(value: float) -> float | None:
    """Round once; not a number becomes ``None``, minus zero becomes zero."""
    return rounded(value) if math.isfinite(value) else None


def _numbers(values: FloatArray) -> list[float | None]:
    rounded = np.round(values, PLACES) + 0.0
    if np.isfinite(rounded).all():
        numbers: list[float | None] = rounded.tolist()
        return numbers
    return [_number(value) for value in values]


def _fact(value: Fact) -> Fact:
    return _number(value) if isinstance(value, float) else value
