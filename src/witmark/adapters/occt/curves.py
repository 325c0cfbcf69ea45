"""What an edge lies on, and its polyline: exact data for lines, circles and ellipses.

Conics are kept as centre, two half-axis vectors and a parameter range, so that arrays (not
OCCT) make their points, boxes and area vectors. Freeform edges bring their own points.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.GCPnts import GCPnts_AbscissaPoint, GCPnts_TangentialDeflection
from OCP.GeomAbs import GeomAbs_CurveType as Type
from OCP.gp import gp_Circ, gp_Elips, gp_Lin, gp_Pnt, gp_Vec
from OCP.ShapeAnalysis import ShapeAnalysis_CanonicalRecognition
from OCP.TopoDS import TopoDS_Edge

from witmark.adapters.occt.surfaces import CANONICAL_WITHIN_MM
from witmark.review.brep import CurveKind, FloatArray

STEP_RAD = math.radians(5.0)
"""Polylines turn by no more than this from point to point."""
CHORD_WITHIN_MM = 0.01
"""Nor do freeform polylines leave their curve by more than this, up to ``MOST_POINTS``."""
MOST_POINTS = 400

Triple = tuple[float, float, float]
_ZERO = (0.0, 0.0, 0.0)
_NOWHERE = (math.nan, math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Curve:
    """One edge's curve.

    A line is ``centre + t * x``; a conic ``centre + cos t * x + sin t * y`` for ``first <= t <=
    last``. Only curves that were not analytic in the file bring ``points`` (freeform) and
    ``middle`` and ``tangent`` (all of them), taken at ``parameter`` of the file's own curve.
    """

    kind: CurveKind
    centre: Triple
    x: Triple
    y: Triple
    first: float
    last: float
    length: float
    parameter: float
    points: tuple[Triple, ...] = ()
    middle: Triple = _NOWHERE
    tangent: Triple = _NOWHERE


def curve_of(edge: TopoDS_Edge) -> Curve:
    """Describe the curve under an edge that is not degenerate."""
    adaptor = BRepAdaptor_Curve(edge)
    first, last = adaptor.FirstParameter(), adaptor.LastParameter()
    kind = adaptor.GetType()
    if kind == Type.GeomAbs_Line:
        return _line(adaptor.Line(), first, last)
    if kind == Type.GeomAbs_Circle:
        return _conic(CurveKind.CIRCLE, adaptor.Circle(), first, last)
    if kind == Type.GeomAbs_Ellipse:
        return _conic(CurveKind.ELLIPSE, adaptor.Ellipse(), first, last, adaptor)
    return _freeform(edge, adaptor, first, last)


def _line(line: gp_Lin, first: float, last: float) -> Curve:
    centre: Triple = line.Location().Coord()
    along: Triple = line.Direction().Coord()
    return Curve(
        CurveKind.LINE, centre, along, _ZERO, first, last, last - first, (first + last) / 2
    )


def _conic(
    kind: CurveKind,
    conic: gp_Circ | gp_Elips,
    first: float,
    last: float,
    adaptor: BRepAdaptor_Curve | None = None,
) -> Curve:
    frame = conic.Position()
    if kind is CurveKind.CIRCLE:
        major = minor = conic.Radius()
        length = major * (last - first)
    else:
        major, minor = conic.MajorRadius(), conic.MinorRadius()
        length = GCPnts_AbscissaPoint.Length_s(adaptor) if adaptor else math.nan
    ax, ay, az = frame.XDirection().Coord()
    bx, by, bz = frame.YDirection().Coord()
    x, y = (ax * major, ay * major, az * major), (bx * minor, by * minor, bz * minor)
    return Curve(kind, frame.Location().Coord(), x, y, first, last, length, (first + last) / 2)


def _freeform(
    edge: TopoDS_Edge, adaptor: BRepAdaptor_Curve, first: float, last: float
) -> Curve:
    points = _polyline(adaptor, first, last)
    middle, tangent = gp_Pnt(), gp_Vec()
    parameter = (first + last) / 2
    adaptor.D1(parameter, middle, tangent)
    found = _canonical(edge, points)
    if found is None:
        length = GCPnts_AbscissaPoint.Length_s(adaptor)
        found = Curve(
            CurveKind.FREEFORM,
            _NOWHERE,
            _NOWHERE,
            _NOWHERE,
            first,
            last,
            length,
            parameter,
            points,
        )
    return replace(found, parameter=parameter, middle=middle.Coord(), tangent=tangent.Coord())


def _polyline(adaptor: BRepAdaptor_Curve, first: float, last: float) -> tuple[Triple, ...]:
    run = GCPnts_TangentialDeflection(adaptor, first, last, STEP_RAD, CHORD_WITHIN_MM, 3)
    count = run.NbPoints()
    if count <= MOST_POINTS:
        return tuple(run.Value(i).Coord() for i in range(1, count + 1))
    marks = np.linspace(first, last, MOST_POINTS)
    return tuple(adaptor.Value(float(t)).Coord() for t in marks)


def _canonical(edge: TopoDS_Edge, points: tuple[Triple, ...]) -> Curve | None:
    """A line, circle or ellipse that the whole edge follows, in the edge's own sense."""
    recognition = ShapeAnalysis_CanonicalRecognition(edge)
    path = np.asarray(points)
    if recognition.IsLine(CANONICAL_WITHIN_MM, gp_Lin()):
        chord = path[-1] - path[0]
        size = float(np.linalg.norm(chord))
        if size > CANONICAL_WITHIN_MM:
            along = tuple((chord / size).tolist())
            return Curve(CurveKind.LINE, points[0], along, _ZERO, 0.0, size, size, size / 2)
    for kind, conic, ask in (
        (CurveKind.CIRCLE, gp_Circ(), recognition.IsCircle),
        (CurveKind.ELLIPSE, gp_Elips(), recognition.IsEllipse),
    ):
        if ask(CANONICAL_WITHIN_MM, conic):
            return _followed(kind, conic, path)
    return None


def _followed(kind: CurveKind, conic: gp_Circ | gp_Elips, path: FloatArray) -> Curve | None:
    """The arc of a recognised conic that a polyline runs along."""
    whole = _conic(kind, conic, 0.0, 2 * math.pi)
    x, y = np.asarray(whole.x), np.asarray(whole.y)
    arm = path - np.asarray(whole.centre)
    angle = np.unwrap(np.arctan2(arm @ y / (y @ y), arm @ x / (x @ x)))
    if angle[-1] < angle[0]:
        y, angle = -y, -angle
    first, last = float(angle[0]), float(angle[-1])
    if not 0 < last - first <= 2 * math.pi + 1e-6:
        return None
    length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    if kind is CurveKind.CIRCLE:
        length = conic.Radius() * (last - first)
    return replace(whole, y=tuple(y.tolist()), first=first, last=last, length=length)
