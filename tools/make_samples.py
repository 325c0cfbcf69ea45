r"""Make ``samples/*.step``: a bearing bracket with honest faults, and a cover with none.

Run as ``python tools/make_samples.py``; ``--check`` writes nothing and
fails when a committed sample is not what this script makes. The same kernel gives the same
bytes: the header's stamp is fixed, names are written in ASCII (``\X2\``), nothing is random.

What is wrong with the bracket on purpose, by catalogue id: P14 critical (a window with sharp
corners) and minor (a pocket's radius), P29 major (a gun-drilled oil channel), P38 minor (a
dowel hole at the edge), P26 and P27 minor (an oil hole drilled into a round top, out into the
bore); and P01 cannot be decided (a pad half a millimetre high: nothing says which of the two
faces is machined).
"""

import argparse
import math
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from OCP.gp import gp_Trsf, gp_Vec
from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.Interface import Interface_Static
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_DocumentTool

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a script, Python looks in tools/ only

from bench.seeded_parts.shapes import block, drill, pocket, rod, taper, through  # noqa: E402
from bench.seeded_parts.working import chamfer, common, cut, fillet, join, shifted, turned  # noqa: E402
from bench.seeded_parts.writing import quiet, settled  # noqa: E402

SAMPLES = ROOT / "samples"
Point = tuple[float, float, float]
Colour = tuple[float, float, float]

_STEEL, _CAST, _DARK = (0.62, 0.66, 0.70), (0.36, 0.50, 0.62), (0.22, 0.23, 0.25)
_X_AXIS = (1.0, 0.0, 0.0)


# ---------------------------------------------------------------- parts


def base_plate() -> TopoDS_Shape:
    """210 x 110 x 20 with everything that a base plate collects over its life."""
    plate = join(block(210, 110, 20), block(76, 70, 5.5, at=(38, 0, 0.5)))
    for x in (-88, 88):
        for y in (-38, 38):
            plate = cut(plate, through(9.0, 20, x=x, y=y))
            plate = cut(plate, drill(15.0, 9.0, at=(x, y, 0), point_deg=180))
    plate = cut(plate, pocket(50, 34, 12, 2.5, at=(-50, 2, 0), floor=1.0))
    plate = cut(plate, pocket(12, 24, 21, 0.0, at=(-12, 28, 0)))
    plate = cut(plate, _obround(34, 14, 20, at=(-50, 34, 0)))
    plate = cut(plate, drill(5.0, 60.0, at=(-105, -22, -10), along=_X_AXIS))
    plate = cut(plate, through(8.0, 20, x=-12, y=-48.5))
    for y in (-19, 19):
        plate = cut(plate, drill(6.8, 20.5, at=(48, y, 0.5), point_deg=180))
    return plate


def _obround(length: float, width: float, depth: float, *, at: Point) -> TopoDS_Shape:
    x, y, z = at
    straight = length - width
    middle = block(straight, width, depth + 2, at=(x, y, z + 1))
    ends = [rod(width, depth + 2, at=(x + s * straight / 2, y, z + 1)) for s in (1, -1)]
    return join(middle, *ends)


def bracket() -> TopoDS_Shape:
    """A foot, and an upright with a round top and a bearing seat. The bore runs along x."""
    foot = block(72, 66, 14, at=(0, 0, 14))
    upright = block(16, 66, 58, at=(-28, 0, 66))
    body = join(foot, upright, rod(66, 16, at=(-36, 0, 66), along=_X_AXIS))
    body = fillet(body, 6.0, lambda m: abs(m[0] + 20) < 1e-6 and abs(m[2] - 14) < 1e-6)
    body = cut(body, drill(32.0, 16.5, at=(-36, 0, 66), along=_X_AXIS, point_deg=180))
    for y in (-19, 19):
        body = cut(body, drill(9.0, 15.0, at=(10, y, 14), point_deg=180))
    return cut(body, drill(5.0, 25.0, at=(-28, 0, 99), point_deg=180))


def shaft() -> TopoDS_Shape:
    """Two diameters and a relief groove before the shoulder, chamfered ends, along x."""
    body = join(
        rod(26, 40, along=_X_AXIS),
        rod(20, 50, at=(40, 0, 0), along=_X_AXIS),
    )
    groove = cut(rod(30, 2.0, along=_X_AXIS), rod(19, 2.0, along=_X_AXIS))
    body = cut(body, shifted(groove, (40, 0, 0)))
    return chamfer(body, 1.0, lambda m: m[0] < 1e-6 or m[0] > 89.999)


def bearing() -> TopoDS_Shape:
    """A thin-section ball bearing, as one ring with its two races hinted."""
    ring = cut(rod(32, 7, along=_X_AXIS), rod(20, 9, at=(-1, 0, 0), along=_X_AXIS))
    gap = cut(rod(28.5, 1, along=_X_AXIS), rod(23.5, 1, along=_X_AXIS))
    return cut(ring, gap)


def screw() -> TopoDS_Shape:
    """A hexagon socket head cap screw, M8 x 25; the head's bearing face is z = 0."""
    body = join(rod(13, 8, at=(0, 0, 8)), rod(8, 26, at=(0, 0, 1)))
    body = chamfer(body, 0.8, lambda m: abs(m[2] - 8) < 1e-6 or abs(m[2] + 25) < 1e-6)
    return cut(body, _hexagon(6.0, 4.0))


def _hexagon(across_flats: float, depth: float) -> TopoDS_Shape:
    bar = block(across_flats, 20, depth + 1, at=(0, 0, 9))
    both = common(bar, turned(bar, 60, (0, 0, 1)))
    return common(both, turned(bar, 120, (0, 0, 1)))


def cover() -> TopoDS_Shape:
    """A bearing cover: a flange, a spigot, six counterbored holes, nothing to complain of."""
    body = join(rod(110, 14, at=(0, 0, 14)), rod(62, 10, at=(0, 0, 24)))
    body = chamfer(body, 1.0, lambda m: abs(m[2] - 24) < 1e-6)
    body = chamfer(body, 1.5, lambda m: abs(m[2]) < 1e-6)
    body = cut(body, drill(30.0, 25.0, at=(0, 0, 24), point_deg=180))
    for i in range(6):
        turn = math.radians(60 * i + 30)
        x, y = 42 * math.cos(turn), 42 * math.sin(turn)
        body = cut(body, drill(6.6, 15.0, at=(x, y, 14), point_deg=180))
        body = cut(body, drill(11.0, 6.8, at=(x, y, 14), point_deg=180))
    mouth = taper(34.0, 30.0, 2.0, at=(0, 0, 24))
    return cut(body, mouth)


# ---------------------------------------------------------------- assemblies


@dataclass(frozen=True, slots=True)
class Piece:
    """One product, its colour, and where its occurrences stand."""

    name: str
    make: Callable[[], TopoDS_Shape]
    colour: Colour
    places: tuple[Point, ...]


_BRACKET = (
    Piece("底板", base_plate, _STEEL, ((0, 0, 0),)),
    Piece("轴承支架", bracket, _CAST, ((38, 0, 0.5),)),
    Piece("深沟球轴承 GB/T 276 61804", bearing, _DARK, ((6.5, 0, 66.5),)),
    Piece("传动轴", shaft, _STEEL, ((-34, 0, 66.5),)),
    Piece(
        "内六角圆柱头螺钉 GB/T 70.1 M8x25",
        screw,
        _DARK,
        ((48, -19, 14.5), (48, 19, 14.5)),
    ),
)
_COVER = (Piece("轴承端盖", cover, _STEEL, ((0, 0, 0),)),)


def bracket_text() -> str:
    """The assembly as STEP."""
    return _document_text("轴承支架总成", _BRACKET)


def cover_text() -> str:
    """The single part as STEP."""
    return _document_text(None, _COVER)


def _document_text(root_name: str | None, pieces: tuple[Piece, ...]) -> str:
    quiet()
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    root = shapes.NewShape() if root_name else None
    if root is not None and root_name:
        _name(root, root_name)
    for piece in pieces:
        part = shapes.AddShape(piece.make(), False)
        _name(part, piece.name)
        for number, place in enumerate(piece.places, start=1):
            if root is not None:
                _name(shapes.AddComponent(root, part, _at(place)), f"{piece.name}-{number}")
    shapes.UpdateAssemblies()
    return painted(_written(document), [piece.colour for piece in pieces])


def _name(label: TDF_Label, name: str) -> None:
    TDataStd_Name.Set_s(label, TCollection_ExtendedString(name, True))


def _at(place: Point) -> TopLoc_Location:
    motion = gp_Trsf()
    motion.SetTranslation(gp_Vec(*place))
    return TopLoc_Location(motion)


def _written(document: TDocStd_Document) -> str:
    writer = STEPCAFControl_Writer()
    for key, value in (("write.step.unit", "MM"), ("write.step.schema", "AP214IS")):
        Interface_Static.SetCVal_s(key, value)
    Interface_Static.SetIVal_s("write.surfacecurve.mode", 0)
    if not writer.Transfer(document):
        raise RuntimeError("the kernel could not translate the sample")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.step"
        if writer.Write(str(path)) != IFSelect_ReturnStatus.IFSelect_RetDone:
            raise RuntimeError("the kernel could not write the sample")
        return ascii_only(settled(path.read_text(encoding="utf-8"), {}))


def painted(text: str, colours: list[Colour]) -> str:
    """Give each solid, in the file's order, a colour.

    The kernel would do it, in an order that follows memory addresses and so changes with
    every run.
    """
    solids = re.findall(r"#(\d+) = MANIFOLD_SOLID_BREP", text)
    last = max(int(number) for number in re.findall(r"^#(\d+) = ", text, flags=re.MULTILINE))
    records = []
    for solid, (red, green, blue) in zip(solids, colours, strict=True):
        home = re.search(
            rf"ADVANCED_BREP_SHAPE_REPRESENTATION\('[^']*',\([^)]*#{solid}\),\s*#(\d+)\)", text
        )
        if home is None:
            raise ValueError(f"solid #{solid} belongs to no representation")
        for words in (
            f"MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',(#{{next}}),#{home[1]})",
            f"STYLED_ITEM('colour',(#{{next}}),#{solid})",
            "PRESENTATION_STYLE_ASSIGNMENT((#{next}))",
            "SURFACE_STYLE_USAGE(.BOTH.,#{next})",
            "SURFACE_SIDE_STYLE('',(#{next}))",
            "SURFACE_STYLE_FILL_AREA(#{next})",
            "FILL_AREA_STYLE('',(#{next}))",
            "FILL_AREA_STYLE_COLOUR('',#{next})",
            f"COLOUR_RGB('',{red},{green},{blue})",
        ):
            last += 1
            records.append(f"#{last} = {words.format(next=last + 1)};\n")
    end = text.rindex("ENDSEC;")
    return text[:end] + "".join(records) + text[end:]


def ascii_only(text: str) -> str:
    r"""Write every run of other characters as ISO 10303-21 wants it.

    >>> ascii_only("'轴-1'")
    "'\\X2\\8F74\\X0\\-1'"
    """
    return re.sub(
        r"[^\x00-\x7f]+",
        lambda run: f"\\X2\\{run[0].encode('utf-16-be').hex().upper()}\\X0\\",
        text,
    )


# ---------------------------------------------------------------- the command

MADE: dict[str, Callable[[], str]] = {
    "bearing_bracket.step": bracket_text,
    "bearing_cover.step": cover_text,
}


def main(argv: list[str] | None = None) -> int:
    """Write the samples, or with ``--check`` say which have drifted."""
    parser = argparse.ArgumentParser(description="make samples/*.step")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on drift")
    check = parser.parse_args(argv).check
    drifted = []
    for name, make in MADE.items():
        path, data = SAMPLES / name, make().encode("ascii")
        if check and (not path.is_file() or path.read_bytes() != data):
            drifted.append(name)
        elif not check:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            print(f"samples/{name}: {len(data)} bytes")
    for name in drifted:
        print(f"samples/{name} is not what tools/make_samples.py makes")
    return 1 if drifted else 0


if __name__ == "__main__":
    sys.exit(main())
