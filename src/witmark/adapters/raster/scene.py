"""The triangles of an assembly, placed, cleaned and numbered so that a ray can name a face.

Every array of a ``Soup`` is indexed by triangle; triangles of one instance stand together.
The last entry of the look-up arrays belongs to "no triangle", so that index -1 (a ray that
hit nothing) needs no special case.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from witmark.review.assembly import Assembly
from witmark.review.brep import FloatArray, IntArray
from witmark.review.ports import PartMesh

Hits = NDArray[np.int32]
Mask = NDArray[np.bool_]
Share = NDArray[np.float32]  # per pixel or cell, 0 to 1
SAME_POINT_MM = 1e-5  # meshers give two faces the same points on their common edge
MIN_SHAPE = (
    1e-12  # twice the area over the longest side squared; a needle below it has no normal
)


@dataclass(frozen=True, slots=True)
class PlacedMesh:
    """One instance as triangles, in the assembly's frame, mirrored ones included."""

    vertices_mm: FloatArray  # (v, 3)
    triangles: IntArray  # (t, 3) indices into vertices_mm
    triangle_face: IntArray  # (t,) the instance's own face numbers


@dataclass(frozen=True, slots=True)
class Scene:
    """Every instance of an assembly, in the order the review numbers them.

    An instance without triangles keeps its number and is not drawn.
    """

    instances: tuple[PlacedMesh, ...]


@dataclass(frozen=True)
class Soup:
    """All triangles of a scene in one set of arrays."""

    corners_mm: FloatArray  # (t, 3, 3) triangle, corner, coordinate
    corner_normals: FloatArray  # (t, 3, 3) unit, smooth within a face
    face_key: IntArray  # (t + 1,) unique over the scene; -1 for "no triangle"
    instance: IntArray  # (t + 1,) -1 for "no triangle"
    across: (
        IntArray  # (t, 3) triangle of the same face beyond the side facing corner k; -1: none
    )
    beyond: IntArray  # (t, 3) the same, on to the next face of the instance where a face ends
    start: IntArray  # (i + 1,) first triangle of every instance
    first_key: IntArray  # (i,) face_key of face 0 of every instance

    @cached_property
    def area_mm2(self) -> FloatArray:
        """Area of every triangle, (t,)."""
        a, b, c = (self.corners_mm[:, k] for k in range(3))
        return np.asarray(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1))

    def triangles_of(self, instance: int) -> slice:
        """Where the triangles of an instance stand."""
        return slice(int(self.start[instance]), int(self.start[instance + 1]))

    def triangles_on(self, instance: int, faces: tuple[int, ...]) -> IntArray:
        """Triangles that lie on some faces of an instance, ascending."""
        run = self.triangles_of(instance)
        keys = np.asarray(sorted(set(faces)), dtype=np.int64) + self.first_key[instance]
        found = np.flatnonzero(np.isin(self.face_key[run], keys))
        return np.asarray(found + run.start, dtype=np.int64)


def scene_of(assembly: Assembly, meshes: Sequence[PartMesh]) -> Scene:
    """Place every part's triangles as often as the part stands in the assembly.

    Mirroring turns triangles inside out, so their order is turned back.
    """
    placed = []
    for instance in assembly.instances:
        mesh = meshes[instance.part]
        where = instance.placement.points(mesh.vertices_mm)
        turned = mesh.triangles[:, ::-1] if instance.placement.mirrored else mesh.triangles
        placed.append(PlacedMesh(where, turned, mesh.triangle_face))
    return Scene(tuple(placed))


def soup_of(scene: Scene) -> Soup:
    """Gather a scene's triangles; degenerate and non-finite ones are left out."""
    corners, normals, keys, owners, across = [], [], [], [], []
    first_key, start, next_key = [], [0], 0
    for number, mesh in enumerate(scene.instances):
        sound = _sound(mesh)
        where, normal = _corners_and_normals(mesh, sound)
        faces = mesh.triangle_face[sound]
        corners.append(where)
        normals.append(normal)
        keys.append(faces + next_key)
        beyond = _across(mesh.triangles[sound], faces, len(mesh.vertices_mm))
        across.append(np.where(beyond >= 0, beyond + start[-1], -1))
        owners.append(np.full(len(faces), number))
        first_key.append(next_key)
        start.append(start[-1] + len(faces))
        next_key += int(mesh.triangle_face.max()) + 1 if len(mesh.triangle_face) else 0
    nothing = np.array([-1])
    empty = np.zeros((0, 3, 3))
    corners_mm = np.concatenate([*corners, empty])
    instance = np.concatenate([*owners, nothing]).astype(np.int64)
    inside = np.concatenate([*across, np.zeros((0, 3), dtype=np.int64)])
    return Soup(
        corners_mm=corners_mm,
        corner_normals=np.concatenate([*normals, empty]),
        face_key=np.concatenate([*keys, nothing]).astype(np.int64),
        instance=instance,
        across=inside,
        beyond=_beyond(corners_mm, inside, instance),
        start=np.asarray(start, dtype=np.int64),
        first_key=np.asarray(first_key, dtype=np.int64),
    )


def _sound(mesh: PlacedMesh) -> IntArray:
    """Triangles with three finite, distinct corners that span an area."""
    if not len(mesh.triangles):
        return np.zeros(0, dtype=np.int64)
    corners = mesh.vertices_mm[mesh.triangles]
    sides = corners - np.roll(corners, 1, axis=1)
    longest = (sides**2).sum(axis=2).max(axis=1)
    spread = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    with np.errstate(invalid="ignore"):
        return np.flatnonzero(np.isfinite(longest) & (spread > MIN_SHAPE * longest))


def _corners_and_normals(mesh: PlacedMesh, sound: IntArray) -> tuple[FloatArray, FloatArray]:
    """Corner points, and at every corner the mean normal of its face's triangles there.

    Averaging stops at face borders even when a mesher shares vertices between faces, or
    every crease would be shaded round.
    """
    if not len(sound):
        return np.zeros((0, 3, 3)), np.zeros((0, 3, 3))
    triangles = mesh.triangles[sound]
    corners = mesh.vertices_mm[triangles]
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    key = mesh.triangle_face[sound][:, None] * len(mesh.vertices_mm) + triangles
    names, slot = np.unique(key, return_inverse=True)
    slot = slot.reshape(-1)
    spread = np.repeat(flat, 3, axis=0)
    total = np.stack(
        [np.bincount(slot, weights=spread[:, axis], minlength=len(names)) for axis in range(3)],
        axis=1,
    )
    smooth = total[slot].reshape(-1, 3, 3)
    own = flat[:, None, :]
    opposed = (smooth**2).sum(axis=2, keepdims=True) == 0  # two sheets of a face, back to back
    smooth = np.where(opposed, own, smooth)
    return corners, smooth / np.linalg.norm(smooth, axis=2, keepdims=True)


def _across(triangles: IntArray, faces: IntArray, vertices: int) -> IntArray:
    """For each triangle and corner, the triangle of the same face beyond the facing side."""
    ends = np.sort(
        np.stack([np.roll(triangles, -1, 1), np.roll(triangles, -2, 1)], axis=2), axis=2
    )
    flat = ends.reshape(-1, 2)
    twin = _twins((np.repeat(faces, 3) * vertices + flat[:, 0]) * vertices + flat[:, 1])
    return np.where(twin >= 0, twin // 3, -1).reshape(-1, 3)


def _beyond(corners_mm: FloatArray, across: IntArray, instance: IntArray) -> IntArray:
    """Like ``across``, and at the end of a face the triangle of the face that begins there.

    Faces do not share vertices, so their borders are matched by where they run.
    """
    triangle, side = np.nonzero(across < 0)
    points = np.concatenate([corners_mm[triangle, (side + k) % 3] for k in (1, 2)])
    _, name = np.unique(np.round(points / SAME_POINT_MM), axis=0, return_inverse=True)
    ends = np.sort(name.reshape(2, -1), axis=0)
    count = len(points) + 1
    twin = _twins((instance[triangle] * count + ends[0]) * count + ends[1])
    out = across.copy()
    out[triangle, side] = np.where(twin >= 0, triangle[twin], -1)
    return out


def _twins(key: IntArray) -> IntArray:
    """For each entry the other one with its key; -1 unless there is exactly one."""
    order = np.argsort(key, kind="stable")
    ranked = key[order]
    same = np.zeros(len(key) + 1, dtype=np.bool_)
    same[1:-1] = ranked[1:] == ranked[:-1]
    # A pair: alike to the next, and neither the one before nor the one after the next is.
    pair = np.flatnonzero(same[1:-1] & ~same[:-2] & ~same[2:])
    out = np.full(len(key), -1, dtype=np.int64)
    out[order[pair]] = order[pair + 1]
    out[order[pair + 1]] = order[pair]
    return out
