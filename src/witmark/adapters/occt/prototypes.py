"""One prototype → ``Part``: its shape in millimetres, its faces traced to their records."""

from collections.abc import Iterator
from dataclasses import dataclass

from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_Pnt, gp_Trsf
from OCP.TopAbs import TopAbs_Orientation
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from witmark.adapters.occt.build import FaceOrigin, brep_of
from witmark.adapters.occt.records import FaceRecord, Records
from witmark.adapters.occt.shape import Walked, bodies_of, shells_of, walk
from witmark.adapters.occt.tree import FaceColours, Prototype
from witmark.adapters.step21.references import StepFile
from witmark.review.assembly import Part
from witmark.review.brep import BodyKind, SurfaceKind

TURNED_FAULT = "faces not consistently oriented: the CAD kernel turns some of them over"
_REVERSED = TopAbs_Orientation.TopAbs_REVERSED


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
    found = [record for _, record in traced]
    _believe_the_file(walked, found)
    _refuse_turned_faces(walked, found)
    part = Part(prototype.name, brep_of(walked, origins), files[file].name if file else "")
    return part, PartShape(shape, tuple(walked.faces))


def _believe_the_file(walked: Walked, records: list[FaceRecord | None]) -> None:
    """Mark bodies that are not what the file says: the kernel mends in silence what it can.

    A solid it cannot close becomes a sheet; a face whose boundaries cross is cut in pieces, and
    its solid with it.
    """
    bodies_of_record: dict[tuple[int, int], set[int]] = {}
    of_solid: set[int] = set()
    for record, place in zip(records, walked.face_body, strict=True):
        if record is not None:
            bodies_of_record.setdefault((record.file, record.number), set()).add(place)
            if record.of_solid:
                of_solid.add(place)
    apart = {b for bodies in bodies_of_record.values() if len(bodies) > 1 for b in bodies}
    for number, body in enumerate(walked.bodies):
        if number in apart:
            body.known_fault = "the CAD kernel takes one solid of the file apart"
        elif body.kind is BodyKind.SHEET and number in of_solid:
            body.kind = BodyKind.SOLID
            body.known_fault = "the CAD kernel cannot close what the file calls a solid"


def _refuse_turned_faces(walked: Walked, records: list[FaceRecord | None]) -> None:
    """Mark bodies of which the kernel turned some faces over and left others.

    It does so when it takes the wrong side of a boundary on a sphere for the face. A shell that
    is turned as a whole is turned by the file.
    """
    senses: dict[int, set[bool]] = {}
    for index, record in enumerate(records):
        if record is not None and walked.surfaces[index].declared is not SurfaceKind.FREEFORM:
            reversed_ = walked.faces[index].Orientation() == _REVERSED
            senses.setdefault(walked.face_shell[index], set()).add(
                reversed_ is record.same_sense
            )
    for shell, body in zip(walked.face_shell, walked.face_body, strict=True):
        if len(senses.get(shell, ())) > 1 and not walked.bodies[body].known_fault:
            walked.bodies[body].known_fault = TURNED_FAULT


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
