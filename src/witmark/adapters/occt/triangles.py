"""A part as triangles: what pictures and viewers need. No CAD kernel in sight."""

from dataclasses import dataclass

from witmark.review.brep import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class PartMesh:
    """Triangles of one part prototype, in its own frame; wound so that normals point outward."""

    vertices_mm: FloatArray  # (v, 3)
    triangles: IntArray  # (t, 3) indices into vertices
    triangle_face: IntArray  # (t,) index of the Brep face each triangle lies on
    failed_faces: tuple[int, ...]  # faces that the kernel could not triangulate
