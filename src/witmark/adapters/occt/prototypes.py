"""One prototype → ``Part``: its shape in millimetres, its faces traced to their records."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_Pnt, gp_Trsf
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from witmark.adapters.occt.build import FaceOrigin, brep_of
from witmark.adapters.occt.records import FaceRecord, Records
from witmark.adapters.occt.shape import bodies_of, shells_of, walk
from witmark.adapters.occt.tree import FaceColours, Prototype
from witmark.adapters.step21.references import StepFile
from witmark.adapters.step21.solids import solid_faces
from witmark.review.assembly import Part
from witmark.review.brep import BodyKind, Brep


NOT_CLOSED = "declared a solid, but its faces do not close"


@dataclass(frozen=True, slots=True)
class PartShape:
    """The kernel's shape of a part, in millimetres, and its faces in the order of ``Brep``."""

    shape: TopoDS_Shape
    faces: tuple[TopoDS_Face, ...]


def describe(
    prototype: Prototype, records: Records, files: list[StepFile], scale: float
) -> tuple[Part, PartShape]:
    """Describe a prototype; ``scale`` is not 1 when the file left its unit to the caller."""
    traced = list(_traced(prototype.shape, records))
    colours = FaceColours(prototype.label)
    origins = [_origin(record, colours.of(face)) for face, record in traced]
    file = next((r.file for _, r in traced if r is not None), 0)
    shape = prototype.shape if scale == 1.0 else _scaled(prototype.shape, scale)
    walked = walk(shape)
    brep = _meant_as_solids(brep_of(walked, origins), files[file])
    part = Part(prototype.name, brep, files[file].name if file else "")
    return part, PartShape(shape, tuple(walked.faces))


def _meant_as_solids(brep: Brep, file: StepFile) -> Brep:
    """Bodies that the file declares solid, and the kernel could not close, are broken solids."""
    sheets = np.flatnonzero(brep.body_kind == BodyKind.SHEET)
    if not len(sheets):
        return brep
    declared = np.isin(brep.face_step_record, sorted(solid_faces(file.exchange)))
    broken = [b for b in sheets if declared[brep.face_body == b].any()]
    kind, valid, fault = brep.body_kind.copy(), brep.body_valid.copy(), list(brep.body_fault)
    for body in broken:
        kind[body], valid[body] = BodyKind.SOLID, False
        fault[body] = "; ".join(filter(None, [NOT_CLOSED, fault[body]]))
    return replace(brep, body_kind=kind, body_valid=valid, body_fault=tuple(fault))


def _traced(
    shape: TopoDS_Shape, records: Records
) -> Iterator[tuple[TopoDS_Face, FaceRecord | None]]:
    for body in bodies_of(shape):
        for shell in shells_of(body.shape):
            if shell:
                yield from zip(shell, records.of_shell(shell), strict=True)


def _origin(record: FaceRecord | None, colour: tuple[float, float, float] | None) -> FaceOrigin:
    if record is None:
        return FaceOrigin(colour=colour)
    return FaceOrigin(record.number, record.line, record.name, colour)


def _scaled(shape: TopoDS_Shape, scale: float) -> TopoDS_Shape:
    """A copy in millimetres, its faces and edges in the same order."""
    motion = gp_Trsf()
    motion.SetScale(gp_Pnt(0.0, 0.0, 0.0), scale)
    return BRepBuilderAPI_Transform(shape, motion, True).Shape()
