"""What the reader of a report must know about a file that was read all the same."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from witmark.adapters.occt.tree import Tree
from witmark.adapters.step21.errors import HugeCoordinatesError, NoSolidError
from witmark.adapters.step21.references import StepFile
from witmark.adapters.step21.structure import unread_transformations
from witmark.review.assembly import Notice, Part
from witmark.review.brep import BodyKind

LARGEST_PLAUSIBLE_MM = 10_000.0
SMALLEST_PLAUSIBLE_MM = 0.1
"""A part outside these is read, and a unit slip is suspected."""
FARTHEST_MM = 1e7
"""Beyond this, double precision no longer holds the kernel's own tolerance."""

_FACES = ("ADVANCED_FACE", "FACE_SURFACE")


@dataclass(frozen=True, slots=True)
class Described:
    """All that was read of a file."""

    source: str
    files: list[StepFile]
    tree: Tree
    parts: tuple[Part, ...]
    uncounted: list[str]  # files whose records the kernel counts otherwise
    unit_given: bool

    def place(self, part: int) -> str:
        """The first instance of a part, as a reader would look for it."""
        return next("/".join(leaf.path) for leaf in self.tree.leaves if leaf.prototype == part)


def notices_of(found: Described) -> tuple[Notice, ...]:
    """Every notice about a file, in a fixed order.

    Raises:
        NoSolidError: no part has a solid.
        HugeCoordinatesError: a part or an instance stands too far out to be measured.
    """
    if not any((p.brep.body_kind == BodyKind.SOLID).any() for p in found.parts):
        raise NoSolidError(found.source, _what_there_is(found.parts))
    _refuse_far_instances(found)
    return (
        *_about_files(found),
        *_about_units(found),
        *_about_parts(found),
        *_about_records(found),
    )


def _refuse_far_instances(found: Described) -> None:
    for leaf in found.tree.leaves:
        if np.abs(leaf.placement.shift_mm).max() > FARTHEST_MM:
            why = f"{'/'.join(leaf.path)} is placed more than {FARTHEST_MM:.0e} mm away"
            raise HugeCoordinatesError(found.source, why)


def _what_there_is(parts: tuple[Part, ...]) -> str:
    kinds = [int(k) for p in parts for k in p.brep.body_kind]
    sheets, wires = kinds.count(BodyKind.SHEET), kinds.count(BodyKind.WIRE)
    return f"no solid in this file, only {sheets} surface bodies and {wires} wire bodies"


def _about_files(found: Described) -> Iterator[Notice]:
    for file in found.files:
        if not file.encoding.certain:
            yield Notice("unknown-encoding", file.name, "names may read wrongly")
        for line in file.shortened_lines:
            detail = "a text too long for the CAD kernel was shortened"
            yield Notice("shortened-text", f"{file.name}:{line}", detail)
        for line in unread_transformations(file.exchange):
            detail = "an operator that moves, scales or mirrors a component was not read"
            yield Notice("transformation-not-read", f"{file.name}:{line}", detail)
        for name, line in file.other_documents:
            yield Notice("document-not-read", f"{file.name}:{line}", name)


def _about_units(found: Described) -> Iterator[Notice]:
    names = sorted({u.name for f in found.files for u in f.units.declared})
    if len(names) > 1:
        yield Notice("mixed-length-units", found.source, ", ".join(names))
    if names and found.unit_given:
        yield Notice("declared-unit-used", found.source, names[0])


def _about_parts(found: Described) -> Iterator[Notice]:
    for index, part in enumerate(found.parts):
        brep, place = part.brep, found.place(index)
        kinds = brep.body_kind
        if not (kinds == BodyKind.SOLID).any():
            yield Notice(
                "leaf-without-solid", place, f"{len(kinds)} bodies, none of them solid"
            )
        elif (kinds != BodyKind.SOLID).any():
            open_ones = int((kinds != BodyKind.SOLID).sum())
            yield Notice("open-bodies", place, f"{open_ones} surface or wire bodies")
        for number, fault in enumerate(brep.body_fault):
            if fault:
                yield Notice("invalid-body", place, f"body {number + 1}: {fault}")
        crowded = int((np.bincount(brep.loop_edge) > 2).sum())
        if crowded:
            yield Notice(
                "non-manifold-edges", place, f"{crowded} edges join more than two faces"
            )
        yield from _about_size(found.source, part, place)


def _about_size(source: str, part: Part, place: str) -> Iterator[Notice]:
    box = part.brep.box_mm
    if not np.isfinite(box).all():
        return
    if np.abs(box).max() > FARTHEST_MM:
        why = f"{place} stands {np.abs(box).max():.3g} mm from its origin"
        raise HugeCoordinatesError(source, why)
    size = float((box[3:] - box[:3]).max())
    if not SMALLEST_PLAUSIBLE_MM <= size <= LARGEST_PLAUSIBLE_MM:
        yield Notice("implausible-size", place, f"{size:.6g} mm; is the length unit right?")


def _about_records(found: Described) -> Iterator[Notice]:
    for name in found.uncounted:
        yield Notice("faces-without-record", name, "the kernel counts its records otherwise")
    for index, part in enumerate(found.parts):
        lost = int((part.brep.face_step_record == 0).sum())
        if lost and not found.uncounted:
            detail = f"{lost} of {part.brep.faces} faces"
            yield Notice("faces-without-record", found.place(index), detail)
    for file in found.files:
        mine = "" if file is found.files[0] else file.name
        used = {
            int(n)
            for p in found.parts
            if p.source == mine
            for n in p.brep.face_step_record
            if n
        }
        unread = len(set(file.exchange.numbers[file.exchange.of(*_FACES)].tolist()) - used)
        if unread and file.name not in found.uncounted:
            detail = f"{unread} face records belong to no part"
            yield Notice("records-not-read", file.name, detail)
