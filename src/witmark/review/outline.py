"""The edges of the face a hole starts in, as the eye sees them: outline and recesses."""

from collections.abc import Callable, Iterator

import numpy as np
import shapely

from witmark.review.brep import Convexity, FloatArray, SurfaceKind
from witmark.review.features.axes import COAXIAL_WITHIN_MM, axis_through
from witmark.review.features.graph import FaceGraph, Link

_FILLETS = (SurfaceKind.CYLINDER, SurfaceKind.TORUS, SurfaceKind.SPHERE)
_ON_MM = 1e-3


def outline_edges(graph: FaceGraph, faces: tuple[int, ...], own: set[int]) -> list[int]:
    """Sharp convex edges on the outer outline around some faces, sorted.

    Faces that run on smoothly in the same surface are one face. A fillet on the outline is
    part of it, so its far side is the edge. ``own`` are the hole's faces, never an edge.
    """
    sheet = _grown(graph, faces)
    edges = {link.edge for link in _borders(graph, sheet, own, _around)}
    return _outermost(graph, sheet, sorted(edges))


def recess_rims(graph: FaceGraph, faces: tuple[int, ...], bored: set[int]) -> list[Link]:
    """Edges over which some faces fall off inside their outline, and what lies across.

    They are the rims of pockets, windows and slots; ``bored`` are faces of holes, whose rims
    are none. Sorted by edge.
    """
    sheet = _grown(graph, faces)
    outer = set(outline_edges(graph, faces, bored))
    links = {link.edge: link for link in _borders(graph, sheet, bored, _around_all)}
    return [links[edge] for edge in sorted(links.keys() - outer)]


def _borders(
    graph: FaceGraph,
    sheet: set[int],
    own: set[int],
    around: Callable[[FaceGraph, int], Iterator[Link]],
) -> Iterator[Link]:
    fillets = {
        link.face
        for face in sheet
        for link in around(graph, face)
        if link.convexity == Convexity.SMOOTH and _rounds_off(graph, link.face)
    } - own
    region = sheet | fillets
    for face in sorted(region):
        for link in around(graph, face):
            falls = link.convexity == Convexity.CONVEX or face in fillets
            if falls and link.face not in region and link.face not in own:
                yield link


def _around_all(graph: FaceGraph, face: int) -> Iterator[Link]:
    """What lies across any loop of a face."""
    return graph.across(face)


def _around(graph: FaceGraph, face: int) -> Iterator[Link]:
    """What lies across a face's outer loop."""
    for loop in graph.loops[face]:
        if graph.brep.loop_outer[loop]:
            yield from (link for link in graph.across_loop(loop) if link.face not in (face, -1))


def _grown(graph: FaceGraph, faces: tuple[int, ...]) -> set[int]:
    sheet, todo = set(faces), list(faces)
    while todo:
        face = todo.pop()
        for link in graph.across(face, Convexity.SMOOTH):
            if link.face not in sheet and _same_surface(graph, face, link.face):
                sheet.add(link.face)
                todo.append(link.face)
    return sheet


def _same_surface(graph: FaceGraph, face: int, other: int) -> bool:
    brep, kind = graph.brep, graph.brep.face_kind[face]
    if brep.face_kind[other] != kind:
        return False
    if kind == SurfaceKind.PLANE:
        return True
    if kind != SurfaceKind.CYLINDER or brep.face_side[other] != brep.face_side[face]:
        return False
    axis = axis_through(brep.face_origin_mm[face], brep.face_axis[face])
    return axis.off_mm(brep.face_origin_mm[other]) <= COAXIAL_WITHIN_MM


def _rounds_off(graph: FaceGraph, face: int) -> bool:
    brep = graph.brep
    return bool(brep.face_side[face] == 1 and brep.face_kind[face] in _FILLETS)


def _outermost(graph: FaceGraph, sheet: set[int], edges: list[int]) -> list[int]:
    """Drop the outlines of pockets that a split face has on its outer loops."""
    brep = graph.brep
    flat = all(brep.face_kind[face] == SurfaceKind.PLANE for face in sheet)
    if len(sheet) < 2 or not flat:
        return edges
    axis = axis_through(brep.face_origin_mm[min(sheet)], brep.face_axis[min(sheet)])

    def plan(points_mm: FloatArray) -> FloatArray:
        arms = points_mm - axis.origin_mm
        return np.column_stack([arms @ axis.x, arms @ axis.y])

    rings = [plan(brep.loop_points_mm(graph.loops[face][0])) for face in sorted(sheet)]
    whole = shapely.union_all(
        [shapely.Polygon(ring).buffer(_ON_MM / 2) for ring in rings if len(ring) >= 3]
    )
    holes = [
        shapely.Polygon(ring) for part in shapely.get_parts(whole) for ring in part.interiors
    ]
    inner = shapely.union_all(holes).buffer(_ON_MM)
    kept = []
    for edge in edges:
        points = plan(brep.edge_points_mm(edge))
        middle = (points[(len(points) - 1) // 2] + points[(len(points) - 1) // 2 + 1]) / 2
        if not shapely.contains_xy(inner, *middle):
            kept.append(edge)
    return kept
