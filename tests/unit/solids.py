"""Small solids as triangles, for tests that need something to look at."""

import numpy as np

from witmark.adapters.raster.scene import PlacedMesh

SIDES = 48


def box(low=(0.0, 0.0, 0.0), high=(100.0, 60.0, 40.0), *, first_face=0):
    """Faces 0..5: -x +x -y +y -z +z, wound outwards, each with vertices of its own."""
    corners = np.array([low, high])
    vertices, triangles, faces = [], [], []
    for face in range(6):
        axis, side = divmod(face, 2)
        u, v = [k for k in range(3) if k != axis]
        square = np.zeros((4, 3))
        square[:, axis] = corners[side, axis]
        square[:, u] = corners[[0, 1, 1, 0], u]
        square[:, v] = corners[[0, 0, 1, 1], v]
        base = len(vertices) * 4
        vertices.append(square)
        corner = [0, 1, 2, 3] if (side == 1) != (axis == 1) else [3, 2, 1, 0]
        triangles += [[base + corner[k] for k in pick] for pick in ((0, 1, 2), (0, 2, 3))]
        faces += [first_face + face] * 2
    return PlacedMesh(np.concatenate(vertices), np.array(triangles), np.array(faces))


def blind_hole(middle=(50.0, 30.0), top=40.0, radius=5.0, depth=20.0, *, face=6):
    """A tube and a floor below an opening at z = top: faces ``face`` and ``face + 1``."""
    turn = np.linspace(0, 2 * np.pi, SIDES, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * radius + middle
    upper = np.column_stack([ring, np.full(SIDES, top)])
    lower = np.column_stack([ring, np.full(SIDES, top - depth)])
    floor = np.array([[*middle, top - depth]])
    k = np.arange(SIDES)
    after = (k + 1) % SIDES
    wall = np.concatenate(
        [
            np.stack([k, k + SIDES, after], axis=1),
            np.stack([after, k + SIDES, after + SIDES], axis=1),
        ]
    )
    disc = np.stack([k + 2 * SIDES, after + 2 * SIDES, np.full(SIDES, 3 * SIDES)], axis=1)
    return PlacedMesh(
        np.concatenate([upper, lower, lower, floor]),
        np.concatenate([wall, disc]),
        np.concatenate([np.full(2 * SIDES, face), np.full(SIDES, face + 1)]),
    )


def drilled_box(*, radius=5.0, depth=20.0):
    """A box without its top over the hole: the top is a frame of quads around the mouth."""
    body = box()
    keep = body.triangle_face != 5
    open_body = PlacedMesh(body.vertices_mm, body.triangles[keep], body.triangle_face[keep])
    return joined(
        open_body, _plate_with_mouth(radius=radius), blind_hole(radius=radius, depth=depth)
    )


def joined(*meshes):
    """Several meshes as one instance."""
    offsets = np.cumsum([0, *(len(m.vertices_mm) for m in meshes)])
    return PlacedMesh(
        np.concatenate([m.vertices_mm for m in meshes]),
        np.concatenate([m.triangles + o for m, o in zip(meshes, offsets, strict=False)]),
        np.concatenate([m.triangle_face for m in meshes]),
    )


def moved(mesh, matrix, shift=(0.0, 0.0, 0.0)):
    """The mesh carried by a matrix, which may mirror."""
    vertices = mesh.vertices_mm @ np.asarray(matrix, dtype=float).T + np.asarray(shift)
    return PlacedMesh(vertices, mesh.triangles, mesh.triangle_face)


def _plate_with_mouth(middle=(50.0, 30.0), top=40.0, radius=5.0):
    """The top face of the default box, face 5, with a round opening."""
    turn = np.linspace(0, 2 * np.pi, SIDES, endpoint=False)
    unit = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    low, high = np.array([0.0, 0.0]), np.array([100.0, 60.0])
    with np.errstate(divide="ignore"):
        reach = np.where(unit > 0, (high - middle) / unit, (low - middle) / unit)
    rim = middle + unit * np.where(np.isfinite(reach), reach, np.inf).min(axis=1)[:, None]
    inner = np.column_stack([middle + unit * radius, np.full(SIDES, top)])
    outer = np.column_stack([rim, np.full(SIDES, top)])
    corners = np.array([[0, 0, top], [100, 0, top], [100, 60, top], [0, 60, top]], dtype=float)
    k = np.arange(SIDES)
    after = (k + 1) % SIDES
    quads = np.concatenate(
        [
            np.stack([k, k + SIDES, after + SIDES], axis=1),
            np.stack([k, after + SIDES, after], axis=1),
        ]
    )
    # The straight rim cuts the corners of the plate off; four triangles put them back.
    angle = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]) % (2 * np.pi)
    before = np.searchsorted(turn, angle, side="right") - 1
    caps = np.stack(
        [SIDES + before, 2 * SIDES + np.arange(4), SIDES + (before + 1) % SIDES], axis=1
    )
    triangles = np.concatenate([quads, caps])
    return PlacedMesh(
        np.concatenate([inner, outer, corners]), triangles, np.full(len(triangles), 5)
    )
