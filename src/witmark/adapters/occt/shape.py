"""One prototype's shape → ``Brep``: walk the topology once, then let arrays do the arithmetic.

Python meets OCCT a bounded number of times per face and per edge; everything that can be worked
out from frames, parameter ranges and points is worked out in ``arrays``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from OCP.BRep import BRep_Tool
from OCP.BRepTools import BRepTools
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.TopAbs import TopAbs_Orientation, TopAbs_ShapeEnum
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Iterator, TopoDS_Shape

from witmark.adapters.occt.curves import Curve, curve_of
from witmark.adapters.occt.surfaces import Surface, surface_of
from witmark.review.brep import BodyKind, SurfaceKind

_SOLID = TopAbs_ShapeEnum.TopAbs_SOLID
_SHELL = TopAbs_ShapeEnum.TopAbs_SHELL
_FACE = TopAbs_ShapeEnum.TopAbs_FACE
_WIRE = TopAbs_ShapeEnum.TopAbs_WIRE
_EDGE = TopAbs_ShapeEnum.TopAbs_EDGE
_FORWARD = TopAbs_Orientation.TopAbs_FORWARD
_REVERSED = TopAbs_Orientation.TopAbs_REVERSED


@dataclass(slots=True)
class Loop:
    """A wire of a face: edge indices in wire order, and whether each runs in its own sense."""

    face: int
    outer: bool
    edges: list[int] = field(default_factory=list)
    forward: list[bool] = field(default_factory=list)


@dataclass(slots=True)
class Body:
    """A solid, a free shell or a bundle of loose faces or edges."""

    kind: BodyKind
    shape: TopoDS_Shape
    known_fault: str = ""  # how it differs from what the file says, in words


@dataclass(slots=True)
class Walked:
    """What one walk over a prototype's topology collects."""

    bodies: list[Body] = field(default_factory=list)
    faces: list[TopoDS_Face] = field(default_factory=list)
    face_body: list[int] = field(default_factory=list)
    face_shell: list[int] = field(default_factory=list)
    surfaces: list[Surface] = field(default_factory=list)
    edges: list[TopoDS_Edge] = field(default_factory=list)
    edge_body: list[int] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    shells: int = 0


def walk(shape: TopoDS_Shape) -> Walked:
    """Collect bodies, faces, edges and loops of a shape in its own order."""
    found = Walked()
    for body in bodies_of(shape):
        found.bodies.append(body)
        _walk_body(body, found)
    return found


def explore(
    shape: TopoDS_Shape, kind: TopAbs_ShapeEnum, avoid: TopAbs_ShapeEnum | None = None
) -> Iterator[TopoDS_Shape]:
    """Sub-shapes of a kind in explorer order, orientation composed."""
    explorer = (
        TopExp_Explorer(shape, kind) if avoid is None else TopExp_Explorer(shape, kind, avoid)
    )
    while explorer.More():
        yield explorer.Current()
        explorer.Next()


def bodies_of(shape: TopoDS_Shape) -> Iterator[Body]:
    """Solids first, then sheets, then wires, each in the shape's own order."""
    for kind, what, avoid in (
        (BodyKind.SOLID, _SOLID, None),
        (BodyKind.SHEET, _SHELL, _SOLID),
        (BodyKind.SHEET, _FACE, _SHELL),
        (BodyKind.WIRE, _WIRE, _FACE),
        (BodyKind.WIRE, _EDGE, _WIRE),
    ):
        for part in explore(shape, what, avoid):
            yield Body(kind, part)


class _Edges:
    """The edges of one body, described when first met; degenerate ones are left out."""

    def __init__(self, body: int, found: Walked) -> None:
        self._map = ShapeMap()
        self._index: list[int | None] = []
        self._body = body
        self._found = found

    def index(self, raw: TopoDS_Shape) -> int | None:
        """Where the edge stands in the whole walk; None for a degenerate one."""
        at: int = self._map.Add(raw)
        if at > len(self._index):
            self._index.append(self._describe(TopoDS.Edge(raw)))
        return self._index[at - 1]

    def _describe(self, edge: TopoDS_Edge) -> int | None:
        if BRep_Tool.Degenerated_s(edge):
            return None
        self._found.edges.append(edge)
        self._found.edge_body.append(self._body)
        self._found.curves.append(curve_of(edge))
        return len(self._found.edges) - 1


def _walk_body(body: Body, found: Walked) -> None:
    number = len(found.bodies) - 1
    edges = _Edges(number, found)
    if body.kind is BodyKind.WIRE:
        for raw in explore(body.shape, _EDGE):
            edges.index(raw)
        return
    for shell in shells_of(body.shape):
        for face in shell:
            found.faces.append(face)
            found.face_body.append(number)
            found.face_shell.append(found.shells)
            found.surfaces.append(surface_of(face))
            _walk_loops(face, edges, found)
        found.shells += 1


def shells_of(body: TopoDS_Shape) -> Iterator[list[TopoDS_Face]]:
    """The faces of a body by shell, each face once; a loose face is a shell of its own."""
    seen, known = ShapeMap(), 0
    for shell in list(explore(body, _SHELL)) or [body]:
        faces = []
        for raw in explore(shell, _FACE):
            if seen.Add(raw) > known:
                known += 1
                faces.append(TopoDS.Face(raw))
        yield faces


def _walk_loops(face: TopoDS_Face, edges: _Edges, found: Walked) -> None:
    wires = [child for child in _children(face) if child.ShapeType() == _WIRE]
    plane = found.surfaces[-1].kind is SurfaceKind.PLANE  # there, the largest loop decides
    outer = BRepTools.OuterWire_s(face) if len(wires) > 1 and not plane else None
    for wire in wires:
        loop = Loop(len(found.faces) - 1, outer is None or bool(wire.IsSame(outer)))
        for raw in _children(wire):
            turn = raw.Orientation()
            at = edges.index(raw) if turn in {_FORWARD, _REVERSED} else None
            if at is not None:
                loop.edges.append(at)
                loop.forward.append(turn == _FORWARD)
        if wire.Orientation() == _REVERSED:  # its edges are turned, but not their order
            loop.edges.reverse()
            loop.forward.reverse()
        found.loops.append(loop)


def _children(shape: TopoDS_Shape) -> Iterator[TopoDS_Shape]:
    children = TopoDS_Iterator(shape)
    while children.More():
        yield children.Value()
        children.Next()
