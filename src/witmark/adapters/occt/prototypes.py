"""One prototype → ``Part``: its shape in millimetres, its faces traced to their records."""

from collections.abc import Iterator
from dataclasses import dataclass

from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_Pnt, gp_Trsf
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from witmark.adapters.occt.build import FaceOrigin, brep_of
from witmark.adapters.occt.records import FaceRecord, Records
from witmark.adapters.occt.shape import Walked, bodies_of, shells_of, walk
from witmark.adapters.occt.tree import FaceColours, Prototype
from witmark.adapters.step21.references import StepFile
from witmark.review.assembly import Part
from witmark.review.brep import BodyKind


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
    _believe_the_file(walked, [record for _, record in traced])
    part = Part(prototype.name, brep_of(walked, origins), files[file].name if file else "")
    return part, PartShape(shape, tuple(walked.faces))


def _believe_the_file(walked: Walked, records: list[FaceRecord | None]) -> None:
    """What the file calls a solid is one, though the kernel made only a sheet of it: a bad one."""
    for number, body in enumerate(walked.bodies):
        mine = [r for r, b in zip(records, walked.face_body, strict=True) if b == number]
        if body.kind is BodyKind.SHEET and any(r is not None and r.of_solid for r in mine):
            body.kind, body.unclosed = BodyKind.SOLID, True


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
