"""The assembly tree of an XCAF document: prototypes once, leaf instances with their paths."""

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.collections import Sequence_TDF_Label
from OCP.Quantity import Quantity_Color
from OCP.TCollection import TCollection_AsciiString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label, TDF_Tool
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape
from OCP.XCAFDoc import (
    XCAFDoc_ColorTool,
    XCAFDoc_ColorType,
    XCAFDoc_DocumentTool,
    XCAFDoc_LayerTool,
    XCAFDoc_ShapeTool,
)

from witmark.adapters.occt.shape import explore
from witmark.adapters.step21.errors import UnplaceableError
from witmark.review.assembly import Placement

UNNAMED = "unnamed"
"""What stands in an instance path for a product to which the file gives no name."""

Colour = tuple[float, float, float]
_MADE_UP = re.compile(r"=>\[[0-9:]+\]")
_SHAPE_TYPES = {"", "COMPOUND", "COMPSOLID", "SOLID", "SHELL", "FACE", "WIRE", "EDGE", "VERTEX"}
_COLOUR_TYPES = (XCAFDoc_ColorType.XCAFDoc_ColorSurf, XCAFDoc_ColorType.XCAFDoc_ColorGen)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One occurrence of a prototype."""

    path: tuple[str, ...]
    name: str
    prototype: int
    placement: Placement
    colour: Colour | None
    layers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prototype:
    """A product with a shape of its own."""

    name: str
    shape: TopoDS_Shape
    label: TDF_Label


@dataclass(slots=True)
class Tree:
    """Prototypes in order of first use, and leaves in tree order."""

    prototypes: list[Prototype] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)


def tree_of(document: TDocStd_Document, source: str) -> Tree:
    """Walk the free shapes of a document.

    Raises:
        UnplaceableError: an instance is scaled or sheared, not only moved or mirrored.
    """
    return _Walk(document, source).run()


class _Walk:
    def __init__(self, document: TDocStd_Document, source: str) -> None:
        self._source = source
        self._shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
        self._layers = XCAFDoc_DocumentTool.LayerTool_s(document.Main())
        self._known: dict[str, int] = {}
        self._tree = Tree()

    def run(self) -> Tree:
        roots = Sequence_TDF_Label()
        self._shapes.GetFreeShapes(roots)
        labels = list(roots)
        names = unique_among_siblings([name_of(label) or UNNAMED for label in labels])
        for label, name in zip(labels, names, strict=True):
            self._visit(label, label, TopLoc_Location(), (name,))
        return self._tree

    def _visit(
        self,
        label: TDF_Label,
        product: TDF_Label,
        where: TopLoc_Location,
        path: tuple[str, ...],
    ) -> None:
        children = _components(product) if XCAFDoc_ShapeTool.IsAssembly_s(product) else []
        if not all(_is_made_up(child, referred) for child, referred in children):
            names = unique_among_siblings(
                [name_of(c) or name_of(p) or UNNAMED for c, p in children]
            )
            for (child, referred), name in zip(children, names, strict=True):
                there = where.Multiplied(XCAFDoc_ShapeTool.GetLocation_s(child))
                self._visit(child, referred, there, (*path, name))
            return
        self._tree.leaves.append(
            Leaf(
                path=path,
                name=name_of(label) or name_of(product) or UNNAMED,
                prototype=self._prototype(product),
                placement=self._placement(where, path),
                colour=colour_of(label) or colour_of(product),
                layers=_layers_of(self._layers, label) or _layers_of(self._layers, product),
            )
        )

    def _placement(self, where: TopLoc_Location, path: tuple[str, ...]) -> Placement:
        motion = where.Transformation()
        rows = np.array([[motion.Value(r, c) for c in range(1, 5)] for r in range(1, 4)])
        rotation = rows[:, :3]
        if not np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-6, rtol=0):
            raise UnplaceableError(self._source, f"{'/'.join(path)} is scaled, not only moved")
        return Placement(rotation, rows[:, 3])

    def _prototype(self, product: TDF_Label) -> int:
        entry = TCollection_AsciiString()
        TDF_Tool.Entry_s(product, entry)
        key = entry.ToCString()
        if key not in self._known:
            self._known[key] = len(self._tree.prototypes)
            shape = XCAFDoc_ShapeTool.GetShape_s(product)
            self._tree.prototypes.append(Prototype(name_of(product), shape, product))
        return self._known[key]


def unique_among_siblings(names: list[str]) -> list[str]:
    """Tell equal siblings apart: the second ``bolt`` is ``bolt#2``.

    >>> unique_among_siblings(["bolt", "nut", "bolt", "bolt#2"])
    ['bolt', 'nut', 'bolt#2', 'bolt#2#2']
    """
    seen: Counter[str] = Counter()
    taken: set[str] = set()
    out = []
    for name in names:
        seen[name] += 1
        unique = name if seen[name] == 1 else f"{name}#{seen[name]}"
        while unique in taken:
            seen[name] += 1
            unique = f"{name}#{seen[name]}"
        taken.add(unique)
        out.append(unique)
    return out


def _components(product: TDF_Label) -> list[tuple[TDF_Label, TDF_Label]]:
    children = Sequence_TDF_Label()
    XCAFDoc_ShapeTool.GetComponents_s(product, children, False)
    pairs = []
    for child in children:
        referred = TDF_Label()
        XCAFDoc_ShapeTool.GetReferredShape_s(child, referred)
        pairs.append((child, referred))
    return pairs


def _is_made_up(child: TDF_Label, referred: TDF_Label) -> bool:
    """Whether OCCT split one product's shape into components of its own making.

    It does so when a product has several shapes, a solid and its construction points, say; the
    components then bear the names of shape types, and the product is one part all the same.
    """
    names = {name_of(child), name_of(referred)}
    return names <= _SHAPE_TYPES and name_of(referred) != ""


def name_of(label: TDF_Label) -> str:
    """The name a label carries; '' when it has none, or one that OCCT made up."""
    attribute = TDataStd_Name()
    if label.FindAttribute(TDataStd_Name.GetID_s(), attribute):
        name = str(attribute.Get().ToExtString())
        return "" if _MADE_UP.fullmatch(name) else name.strip()
    return ""


def colour_of(label: TDF_Label) -> Colour | None:
    """The colour a label carries, as linear RGB."""
    for kind in _COLOUR_TYPES:
        colour = Quantity_Color()
        if XCAFDoc_ColorTool.GetColor_s(label, kind, colour):
            return colour.Red(), colour.Green(), colour.Blue()
    return None


class FaceColours:
    """The colours that a product's own faces carry, by themselves or through their body."""

    def __init__(self, product: TDF_Label) -> None:
        self._faces = ShapeMap()
        self._colours: list[Colour] = []
        parts = Sequence_TDF_Label()
        XCAFDoc_ShapeTool.GetSubShapes_s(product, parts)
        coloured = [(colour_of(p), XCAFDoc_ShapeTool.GetShape_s(p)) for p in parts]
        for colour, shape in sorted(coloured, key=lambda c: -int(c[1].ShapeType())):
            if colour is not None:  # faces before bodies: the nearer colour wins
                self._paint(colour, shape)
        self._whole = colour_of(product)

    def _paint(self, colour: Colour, shape: TopoDS_Shape) -> None:
        for face in explore(shape, TopAbs_ShapeEnum.TopAbs_FACE):
            if self._faces.Add(face) > len(self._colours):
                self._colours.append(colour)

    def of(self, face: TopoDS_Face) -> Colour | None:
        """The colour of one face; the product's when it has none of its own."""
        found = self._faces.FindIndex(face) if self._colours else 0
        return self._colours[found - 1] if found else self._whole


def _layers_of(tool: XCAFDoc_LayerTool, label: TDF_Label) -> tuple[str, ...]:
    names = tool.GetLayers(label)
    return tuple(sorted(str(name.ToExtString()) for name in names)) if names else ()
