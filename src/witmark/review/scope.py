"""Which instances a review judges, and which it only lists as context.

A standard or purchased part is evident when its name says so **and** its shape agrees. Either
alone is not enough: a "bearing bracket" is named after a bearing, and a plain bush is shaped
like a washer. What is not evident is reviewed.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from witmark.review.assembly import ReviewScope
from witmark.review.brep import Brep, FloatArray, SurfaceKind

AXIS_SHARE = 0.6
"""Least share of a standard part's area that turns about, caps or runs along one axis."""

THREAD_OFF = 0.02
"""How far the middle of a thread's flank may lie off the axis, of the part's size: its run-out
begins and ends at any angle."""

STANDARD_SIZE_MM = 400.0
"""Nothing longer is taken for a standard part: a 1 m "pin" is a shaft somebody designed."""

_STANDARD_NUMBER = r"(?:DIN|ISO|EN|GB|GB/?T|JIS|ANSI|ASME|UNI|NAS|MS)[ _/-]?[A-Z]?\d{3,5}"
_ENGLISH = (
    r"screws?|bolts?|nuts?|washers?|rivets?|dowels?|dowel ?pins?|circlips?|retaining ?rings?|"
    r"snap ?rings?|bearings?|o ?-?rings?|cotter ?pins?|pins?|studs?|setscrews?|grub ?screws?|"
    r"shcs|bhcs|fhcs|inserts?|springs?|wires?|cables?"
)
_CHINESE = (
    "螺钉|螺栓|螺母|螺柱|垫圈|弹垫|平垫|圆柱销|销钉|开口销|轴承|挡圈|卡簧|弹簧|铆钉|密封圈|螺丝|"
    "电线|电缆|导线"
)
_HOLDERS = (
    r"bracket|holder|housing|plate|mount|block|cover|carrier|support|seat|cap|arm|adapter|"
    r"spacer|shaft|spindle|rods?\b|gland|rollers?|flange|sleeve|runner|wheel|pulley|gear|"
    r"lead ?screw|座|架|板|壳|盖|块|支|套|轴(?!承)|压圈|轮|滚子|杆|法兰|丝杠"
)
_NAMED_STANDARD = re.compile(
    rf"(?<![A-Za-z])(?:{_STANDARD_NUMBER}|{_ENGLISH}|M\d+(?:\.\d)? ?[x×*] ?\d+)(?![A-Za-z])|"
    rf"{_CHINESE}",
    re.IGNORECASE,
)
_NAMED_HOLDER = re.compile(_HOLDERS, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a review owes an instance, and what told us so (empty when nothing did)."""

    scope: ReviewScope
    reasons: tuple[str, ...]


def scope_of(names: tuple[str, ...], brep: Brep) -> Scope:
    """Decide from the real names of an instance and its product, and from its shape."""
    word = next((found for name in names if (found := standard_word(name))), None)
    if word is None:
        return Scope(ReviewScope.PART_DESIGN_REQUIRED, ())
    share = axis_share(brep)
    size = float(np.max(brep.box_mm[3:] - brep.box_mm[:3]))
    if not (share >= AXIS_SHARE and size <= STANDARD_SIZE_MM):
        return Scope(ReviewScope.PART_DESIGN_REQUIRED, ())
    return Scope(
        ReviewScope.ASSEMBLY_CONTEXT_ONLY,
        (f"name: {word}", f"shape: {share:.0%} about one axis"),
    )


def standard_word(name: str) -> str | None:
    """The word in a name that names a standard part, or None.

    >>> standard_word("ISO 4762 M6x20"), standard_word("bearing bracket")
    ('ISO 4762', None)
    """
    spaced = name.replace("_", " ")
    found = _NAMED_STANDARD.search(spaced)
    if found is None or _NAMED_HOLDER.search(spaced):
        return None
    return found.group()


def axis_share(brep: Brep) -> float:
    """Greatest share of the area that turns about, caps, or runs along one common axis.

    Bolts, nuts, pins, washers, rings and bearings score near 1: their faces are coaxial
    surfaces, planes across the axis, and (hexagons) planes along it at equal distance.
    """
    total = float(np.nansum(brep.face_area_mm2))
    if brep.faces == 0 or not total > 0:
        return 0.0
    return (
        max((_share_about(brep, *axis) for axis in _candidate_axes(brep)), default=0.0) / total
    )


def _candidate_axes(brep: Brep) -> list[tuple[FloatArray, FloatArray]]:
    """Axes of the three largest turned faces; a part without one has no axis to speak of."""
    turned = np.isin(
        brep.face_kind, (SurfaceKind.CYLINDER, SurfaceKind.CONE, SurfaceKind.TORUS)
    )
    order = sorted(np.flatnonzero(turned), key=lambda i: (-brep.face_area_mm2[i], i))
    return [(brep.face_origin_mm[i], brep.face_axis[i]) for i in order[:3]]


def _share_about(brep: Brep, origin: FloatArray, axis: FloatArray) -> float:
    along = np.abs(brep.face_axis @ axis)
    reach = brep.face_origin_mm - origin
    offset = np.linalg.norm(reach - np.outer(reach @ axis, axis), axis=1)
    size = float(np.linalg.norm(brep.box_mm[3:] - brep.box_mm[:3]))
    on_axis = offset < 1e-3 * size
    kind = brep.face_kind
    turned = (kind != SurfaceKind.PLANE) & (kind != SurfaceKind.FREEFORM) & on_axis
    turned &= (along > 1 - 1e-6) | (kind == SurfaceKind.SPHERE)
    caps = (kind == SurfaceKind.PLANE) & (along > 1 - 1e-6)
    mine = turned | caps | _hexagon_flats(brep, origin, axis) | _threads(brep, origin, axis)
    return float(brep.face_area_mm2[mine].sum())


def _threads(brep: Brep, origin: FloatArray, axis: FloatArray) -> NDArray[np.bool_]:
    """Free forms that wind evenly about the axis: modelled threads, whose middle lies on it."""
    middle = (brep.face_box_mm[:, :3] + brep.face_box_mm[:, 3:]) / 2 - origin
    offset = np.linalg.norm(middle - np.outer(middle @ axis, axis), axis=1)
    size = float(np.linalg.norm(brep.box_mm[3:] - brep.box_mm[:3]))
    free: NDArray[np.bool_] = brep.face_kind == SurfaceKind.FREEFORM
    free &= offset < THREAD_OFF * size
    return free


def _hexagon_flats(brep: Brep, origin: FloatArray, axis: FloatArray) -> FloatArray:
    """Planes along the axis at one common distance from it, four or more of them."""
    flat = (brep.face_kind == SurfaceKind.PLANE) & (np.abs(brep.face_axis @ axis) < 1e-6)
    reach = np.einsum("ij,ij->i", brep.face_origin_mm - origin, brep.face_axis)
    size = float(np.linalg.norm(brep.box_mm[3:] - brep.box_mm[:3]))
    chosen = np.zeros(brep.faces, dtype=bool)
    for distance in sorted({round(float(d), 6) for d in np.abs(reach[flat])}):
        ring = flat & (np.abs(np.abs(reach) - distance) < 1e-4 * size)
        if np.count_nonzero(ring) >= 4:
            chosen |= ring
    return chosen
