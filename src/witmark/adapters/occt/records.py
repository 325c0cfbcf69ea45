"""From a face back to the record that made it, and to the line on which that record stands.

The i-th entity of OCCT's model is the i-th record of the DATA sections; its transfer reader
knows which entity made a face, but finds it by linear search. So one face of each shell is
looked up, and the shell's own record lists the others in order; each of those is believed only
if its surface record is of the right type and stands at the right point. What is not believed
is looked up; what cannot be found has no record. Nothing here is guessed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_CurveType as CurveType
from OCP.GeomAbs import GeomAbs_SurfaceType as Type
from OCP.Standard import Standard_Transient
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Face
from OCP.XSControl import XSControl_WorkSession

from witmark.adapters.step21.references import StepFile
from witmark.adapters.step21.values import part, readable

SAME_POINT_WITHIN_MM = 1e-6
"""How near a surface must stand to where its record says, beyond rounding of large numbers."""

_FACES = ("ADVANCED_FACE", "FACE_SURFACE")
_SHELLS = ("CLOSED_SHELL", "OPEN_SHELL")
_SOLIDS = ("MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP")
_REFERENCES = re.compile(rb"#(\d+)")
_FIRST_POLE = re.compile(rb"\(\s*\(\s*#(\d+)")
_FIRST_LISTED = re.compile(rb"\(\s*#(\d+)")
_AGAINST = re.compile(rb"\.F\.\s*\)\s*;\Z", re.IGNORECASE)
_NUMBERS = re.compile(rb"[+-]?\d+\.?\d*(?:[Ee][+-]?\d+)?")
_EXTRUSION = "SURFACE_OF_LINEAR_EXTRUSION"
_SURFACES: dict[Type, tuple[str, Callable[[Any], Any]]] = {
    Type.GeomAbs_Plane: ("PLANE", lambda a: a.Plane().Location()),
    Type.GeomAbs_Cylinder: ("CYLINDRICAL_SURFACE", lambda a: a.Cylinder().Location()),
    Type.GeomAbs_Cone: ("CONICAL_SURFACE", lambda a: a.Cone().Location()),
    Type.GeomAbs_Sphere: ("SPHERICAL_SURFACE", lambda a: a.Sphere().Location()),
    Type.GeomAbs_Torus: ("TOROIDAL_SURFACE", lambda a: a.Torus().Location()),
    Type.GeomAbs_BSplineSurface: ("B_SPLINE_SURFACE", lambda a: a.BSpline().Pole(1, 1)),
    Type.GeomAbs_SurfaceOfRevolution: (
        "SURFACE_OF_REVOLUTION",
        lambda a: a.AxeOfRevolution().Location(),
    ),
    Type.GeomAbs_SurfaceOfExtrusion: (_EXTRUSION, lambda a: _first_pole(a.BasisCurve())),
}


def _first_pole(curve: Any) -> Any:  # noqa: ANN401 - OCP has no types
    """The first pole of a B-spline curve; None for another curve."""
    is_spline = curve.GetType() == CurveType.GeomAbs_BSplineCurve
    return curve.BSpline().Pole(1) if is_spline else None


@dataclass(frozen=True, slots=True)
class FaceRecord:
    """Where a face is written."""

    file: int  # index into the files of the model
    number: int
    line: int
    name: str
    of_solid: bool  # its shell bounds a solid, says the file
    same_sense: bool  # its normal is its surface's, says the file


class _FileRecords:
    """The faces of one file."""

    def __init__(self, place: int, file: StepFile, session: XSControl_WorkSession) -> None:
        self.place, self.file, self.exchange = place, file, file.exchange
        self._transfer = session.TransferReader()
        self._model = session.Model()
        self.sound = self._model.NbEntities() == len(self.exchange)
        faces = self.exchange.of(*_FACES) if self.sound else self.exchange.of()
        self._lines = dict(
            zip(faces.tolist(), self.exchange.lines(faces).tolist(), strict=True)
        )
        # Entities stay alive in this table: a wrapper is the same object only while it lives.
        self._entities: dict[Standard_Transient, int] = {
            self._model.Value(i + 1): i for i in faces.tolist()
        }
        self._shells = self._shells_by_face()
        self._solid_shells = {
            int(n)
            for record in self.exchange.records(*_SOLIDS)
            for n in _REFERENCES.findall(record.text)[1:]
        }
        units = file.units.declared
        self._scale = units[0].mm_per_unit if units else 1.0

    def _shells_by_face(self) -> dict[int, tuple[int, list[int]]]:
        """Face number → the shell it stands in, and the face numbers of that, in order."""
        shells: dict[int, tuple[int, list[int]]] = {}
        for record in self.exchange.records(*_SHELLS):
            numbers = [int(n) for n in _REFERENCES.findall(record.text)[1:]]
            for number in numbers:
                shells.setdefault(number, (record.number, numbers))
        return shells

    def look_up(self, face: TopoDS_Face) -> int | None:
        """The index of a face's record, as the transfer reader knows it: exact and slow."""
        for shape in (face, face.Located(TopLoc_Location())):
            for mode in (-1, 1):
                entity = self._transfer.EntityFromShapeResult(shape, mode)
                if entity is not None and entity in self._entities:
                    return self._entities[entity]
        return None

    def of_shell(self, faces: list[TopoDS_Face]) -> list[int | None]:
        """The record indices of the faces of one shell; empty when it is not of this file."""
        first = next((i for f in faces if (i := self.look_up(f)) is not None), None)
        if first is None:
            return []
        _, listed = self._shells.get(int(self.exchange.numbers[first]), (0, []))
        indices = [self.exchange.index_of(n) for n in listed]
        if len(listed) == len(faces) and all(map(self._agrees, faces, indices)):
            return indices
        return self._with_pieces(faces, [self.look_up(face) for face in faces], indices)

    def _with_pieces(
        self, faces: list[TopoDS_Face], found: list[int | None], listed: list[int | None]
    ) -> list[int | None]:
        """Give a face that the kernel cut out of another that one's record, if only it fits."""
        unclaimed = [i for i in listed if i in self._lines and i not in found]
        for place, face in enumerate(faces):
            if found[place] is None:
                fits = [i for i in unclaimed if self._agrees(face, i)]
                found[place] = fits[0] if len(fits) == 1 else None
        return found

    def _agrees(self, face: TopoDS_Face, index: int | None) -> bool:
        """Whether a face lies on the surface that a record names: same type, same point."""
        if index is None or index not in self._lines:
            return False
        adaptor = BRepAdaptor_Surface(TopoDS.Face(face.Located(TopLoc_Location())), False)
        expected = _SURFACES.get(adaptor.GetType())
        if expected is None:
            return False
        keyword, locate = expected
        point = self._surface_point(index, keyword)
        if point is None:
            return False
        located = locate(adaptor)
        if located is None:
            return False
        here = located.Coord()
        near = SAME_POINT_WITHIN_MM + 1e-9 * max(map(abs, here))
        return all(abs(a - b * self._scale) <= near for a, b in zip(here, point, strict=True))

    def _surface_point(self, face: int, keyword: str) -> list[float] | None:
        surface = self._after(self.exchange.record(face).text, -1)
        if surface is None:
            return None
        text, kind = surface
        if keyword == "B_SPLINE_SURFACE":
            pole = _FIRST_POLE.search(text) if b"B_SPLINE_SURFACE" in text else None
            return self._coordinates(int(pole[1])) if pole else None
        if kind != keyword:
            return None
        if keyword == _EXTRUSION:
            curve = self._after(text, 1)
            first = _FIRST_LISTED.search(curve[0], curve[0].index(b"=") + 1) if curve else None
            spline = curve is not None and b"B_SPLINE_CURVE" in curve[0]
            return self._coordinates(int(first[1])) if first and spline else None
        placement = self._after(text, -1)
        numbers = _REFERENCES.findall(placement[0]) if placement else []
        return self._coordinates(int(numbers[1])) if len(numbers) > 1 else None

    def _after(self, text: bytes, place: int) -> tuple[bytes, str] | None:
        """Text and type of the record that the reference at ``place`` of a text leads to."""
        numbers = _REFERENCES.findall(text)
        record = self.exchange.by_number(int(numbers[place])) if len(numbers) > 1 else None
        return (record.text, record.keyword) if record else None

    def _coordinates(self, number: int) -> list[float] | None:
        record = self.exchange.by_number(number)
        if record is None or record.keyword != "CARTESIAN_POINT":
            return None
        values = _NUMBERS.findall(record.text[record.text.rindex(b"(") :])
        return [float(v) for v in values] if len(values) == 3 else None

    def describe(self, index: int) -> FaceRecord:
        """Number, line and name of a face record."""
        record = self.exchange.record(index)
        typed = part(record.text, record.keyword)
        name = typed.values[0] if typed and typed.values else b""
        shown = readable(name, self.file.encoding.python) if isinstance(name, bytes) else ""
        shell, _ = self._shells.get(record.number, (0, []))
        line, of_solid = self._lines[index], shell in self._solid_shells
        same_sense = _AGAINST.search(record.text) is None
        return FaceRecord(self.place, record.number, line, shown, of_solid, same_sense)


class Records:
    """The faces of a whole model, over all its files."""

    def __init__(self, reader: STEPCAFControl_Reader, files: list[StepFile]) -> None:
        places = {file.staged.name: place for place, file in enumerate(files)}
        sessions = [(0, reader.Reader().WS())]
        for external in reader.ExternFiles() if len(files) > 1 else ():
            place = places.get(external.GetName().ToCString())
            if place is not None and external.GetWS() is not None:
                sessions.append((place, external.GetWS()))
        self._files = [_FileRecords(place, files[place], ws) for place, ws in sessions]

    @property
    def uncounted(self) -> list[str]:
        """Files whose entities are not their records one by one: no face is traced there."""
        return [f.file.name for f in self._files if not f.sound]

    def of_shell(self, faces: list[TopoDS_Face]) -> list[FaceRecord | None]:
        """The records of the faces of one shell, which all stand in one file."""
        for file in self._files:
            if indices := file.of_shell(faces):
                return [None if i is None else file.describe(i) for i in indices]
        return [None] * len(faces)
