"""What a face lies on: kind, frame, radii and the side its material is on.

Non-analytic surfaces (B-spline, Bezier, revolution, extrusion, offset) are offered to canonical
recognition first; what it refuses within ``CANONICAL_WITHIN_MM`` is FREEFORM and stays so.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepTools import BRepTools
from OCP.Geom import Geom_ToroidalSurface
from OCP.GeomAbs import GeomAbs_SurfaceType as Type
from OCP.GeomConvert import GeomConvert_SurfToAnaSurf
from OCP.gp import gp_Cone, gp_Cylinder, gp_Pln, gp_Pnt, gp_Sphere, gp_Vec
from OCP.ShapeAnalysis import ShapeAnalysis_CanonicalRecognition
from OCP.TopAbs import TopAbs_Orientation
from OCP.TopoDS import TopoDS_Face

from witmark.review.brep import FloatArray, SurfaceKind

CANONICAL_WITHIN_MM = 1e-3
"""A surface nearer than this to a plane, cylinder, cone, sphere or torus is one."""
LEAST_LEVEL = 0.9
"""Least cosine between a recognised plane's normal and the face's own. A sliver narrower than
``CANONICAL_WITHIN_MM`` lies that near to many planes, and the one found may stand on edge."""

_NAN = math.nan
_NOWHERE = (_NAN, _NAN, _NAN)
_ZERO = (0.0, 0.0, 0.0)

Triple = tuple[float, float, float]
Analytic = Any
"""``gp_Pln``, ``gp_Cylinder``, ``gp_Cone``, ``gp_Sphere`` or ``gp_Torus``: OCP has no types."""


@dataclass(frozen=True, slots=True)
class Surface:
    """One face's surface. The axis of a plane already points out of the material."""

    kind: SurfaceKind
    declared: SurfaceKind
    origin: Triple
    axis: Triple
    radius: float = _NAN
    minor: float = _NAN
    half_angle: float = _NAN
    side: int = 0


def surface_of(face: TopoDS_Face) -> Surface:
    """Describe the surface under a face, recognised where it can be."""
    adaptor = BRepAdaptor_Surface(face, False)
    outward = -1 if face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED else 1
    known = _DECLARED.get(adaptor.GetType())
    if known is not None:
        kind, getter = known
        return _described(kind, getter(adaptor), outward)
    return _recognised(face, adaptor, outward)


_Getter = Callable[[BRepAdaptor_Surface], Analytic]
_DECLARED: dict[Type, tuple[SurfaceKind, _Getter]] = {
    Type.GeomAbs_Plane: (SurfaceKind.PLANE, BRepAdaptor_Surface.Plane),
    Type.GeomAbs_Cylinder: (SurfaceKind.CYLINDER, BRepAdaptor_Surface.Cylinder),
    Type.GeomAbs_Cone: (SurfaceKind.CONE, BRepAdaptor_Surface.Cone),
    Type.GeomAbs_Sphere: (SurfaceKind.SPHERE, BRepAdaptor_Surface.Sphere),
    Type.GeomAbs_Torus: (SurfaceKind.TORUS, BRepAdaptor_Surface.Torus),
}


def _described(kind: SurfaceKind, shape: Analytic, outward: int) -> Surface:
    """Read an analytic surface. OCCT's normal is X x Y, so a left-handed frame flips it."""
    frame = shape.Position()
    side = outward if frame.Direct() else -outward
    axis: Triple = frame.Direction().Coord()
    origin: Triple = frame.Location().Coord()
    if kind is SurfaceKind.PLANE:
        return Surface(kind, kind, origin, (axis[0] * side, axis[1] * side, axis[2] * side))
    if kind is SurfaceKind.CYLINDER:
        return Surface(kind, kind, origin, axis, radius=shape.Radius(), side=side)
    if kind is SurfaceKind.CONE:
        apex: Triple = shape.Apex().Coord()
        return Surface(kind, kind, apex, axis, half_angle=abs(shape.SemiAngle()), side=side)
    if kind is SurfaceKind.SPHERE:
        return Surface(kind, kind, origin, _ZERO, radius=shape.Radius(), side=side)
    major, minor = shape.MajorRadius(), shape.MinorRadius()
    return Surface(kind, kind, origin, axis, radius=major, minor=minor, side=side)


def _recognised(face: TopoDS_Face, adaptor: BRepAdaptor_Surface, outward: int) -> Surface:
    """Offer a non-analytic face to canonical recognition; judge its side by its own normal."""
    point, normal = _sample(face, adaptor, outward)
    found = _canonical(face)
    if found is None:
        return Surface(SurfaceKind.FREEFORM, SurfaceKind.FREEFORM, point, normal)
    kind, shape = found
    plain = _described(kind, shape, 1)
    if kind is SurfaceKind.PLANE:
        x, y, z = plain.axis
        level = float(np.dot(plain.axis, normal))
        if abs(level) < LEAST_LEVEL:
            return Surface(SurfaceKind.FREEFORM, SurfaceKind.FREEFORM, point, normal)
        outward_axis = plain.axis if level >= 0 else (-x, -y, -z)
        return replace(plain, declared=SurfaceKind.FREEFORM, axis=outward_axis)
    side = 1 if float(np.dot(_away(plain, point), normal)) >= 0 else -1
    return replace(plain, declared=SurfaceKind.FREEFORM, side=side)


def _canonical(face: TopoDS_Face) -> tuple[SurfaceKind, Analytic] | None:
    recognition = ShapeAnalysis_CanonicalRecognition(face)
    for kind, shape, ask in (
        (SurfaceKind.PLANE, gp_Pln(), recognition.IsPlane),
        (SurfaceKind.CYLINDER, gp_Cylinder(), recognition.IsCylinder),
        (SurfaceKind.CONE, gp_Cone(), recognition.IsCone),
        (SurfaceKind.SPHERE, gp_Sphere(), recognition.IsSphere),
    ):
        if ask(CANONICAL_WITHIN_MM, shape) and recognition.GetGap() <= CANONICAL_WITHIN_MM:
            return kind, shape
    return _torus(face)


def _torus(face: TopoDS_Face) -> tuple[SurfaceKind, Analytic] | None:
    """OCCT's canonical recognition knows no torus; its surface converter does."""
    converter = GeomConvert_SurfToAnaSurf(BRep_Tool.Surface_s(face))
    u0, u1, v0, v1 = BRepTools.UVBounds_s(face)
    found = converter.ConvertToAnalytical(CANONICAL_WITHIN_MM, u0, u1, v0, v1)
    if isinstance(found, Geom_ToroidalSurface) and converter.Gap() <= CANONICAL_WITHIN_MM:
        return SurfaceKind.TORUS, found.Torus()
    return None


def _sample(
    face: TopoDS_Face, adaptor: BRepAdaptor_Surface, outward: int
) -> tuple[Triple, Triple]:
    """A point over the face and the outward normal there."""
    u0, u1, v0, v1 = BRepTools.UVBounds_s(face)
    for share_u, share_v in ((0.5, 0.5), (0.37, 0.41), (0.61, 0.23), (0.13, 0.77)):
        point, along_u, along_v = gp_Pnt(), gp_Vec(), gp_Vec()
        adaptor.D1(u0 + share_u * (u1 - u0), v0 + share_v * (v1 - v0), point, along_u, along_v)
        across = along_u.Crossed(along_v)
        size = across.Magnitude()
        if size > 1e-12:
            x, y, z = across.Coord()
            scale = outward / size
            return point.Coord(), (x * scale, y * scale, z * scale)
    return point.Coord(), _NOWHERE


def _away(surface: Surface, point: Triple) -> FloatArray:
    """From the surface's centre line to a point: outward if material is inside."""
    arm: FloatArray = np.subtract(point, surface.origin)
    if surface.kind is SurfaceKind.SPHERE:
        return arm
    axis = np.asarray(surface.axis)
    radial: FloatArray = arm - arm.dot(axis) * axis
    if surface.kind is SurfaceKind.TORUS:
        radial = arm - radial * (surface.radius / np.linalg.norm(radial))
    return radial
