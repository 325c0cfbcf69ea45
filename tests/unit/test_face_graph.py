"""A face knows its neighbours, and how the material folds towards them."""

from witmark.review.brep import Convexity, SurfaceKind
from witmark.review.features.graph import face_graph
from witmark.testing.breps import Turned, plate

COUNTERBORE = ((8.0, 0.0), (8.0, -5.0), (4.0, -5.0), (4.0, -20.0))


def test_a_box_face_has_four_convex_neighbours():
    graph = face_graph(plate())

    assert [len(graph.neighbours(face, Convexity.CONVEX)) for face in range(6)] == [4] * 6
    assert not any(graph.neighbours(face, Convexity.CONCAVE) for face in range(6))


def test_a_counterbore_floor_folds_up_to_its_wall_and_down_into_the_drill():
    graph = face_graph(plate([Turned(50, 30, COUNTERBORE)]))
    wall, floor, drill = 6, 7, 8

    assert graph.neighbours(floor, Convexity.CONCAVE) == (wall,)
    assert graph.neighbours(floor, Convexity.CONVEX) == (drill,)


def test_a_seam_is_no_neighbour():
    graph = face_graph(plate([Turned(50, 30, ((4, 0), (4, -20)))]))

    assert 6 not in graph.neighbours(6)
    assert [link.face for link in graph.links[6]].count(6) == 2


def test_the_outer_loop_comes_first():
    graph = face_graph(plate([Turned(20, 30, ((4, 0), (4, -20)))]))
    top = next(f for f in range(6) if len(graph.loops[f]) == 2)

    assert [bool(graph.brep.loop_outer[loop]) for loop in graph.loops[top]] == [True, False]
    assert [link.face for link in graph.across_loop(graph.loops[top][1])] == [6]


def test_smooth_parts_of_a_wall_hang_together_and_others_do_not():
    graph = face_graph(plate([Turned(50, 30, ((4, 0), (4, -20)), parts=3)]))
    walls = [f for f in range(9) if graph.brep.face_kind[f] == SurfaceKind.CYLINDER]

    assert graph.connected(range(9), Convexity.SMOOTH)[-1] == tuple(walls)
    assert len(graph.connected(range(9), Convexity.SMOOTH)) == 7
