"""Print the faces and edges of every part of a STEP file: ``tools/dump_brep.py FILE [PART]``.

For people who build on ``Brep``: calls the reader in this process, without the worker.
"""

import sys

import numpy as np

from witmark.adapters.occt.reader import read_step
from witmark.review.brep import Brep, Convexity, CurveKind, SurfaceKind


def main() -> None:
    """Dump one part (by index) or all of them."""
    assembly = read_step(sys.argv[1])
    wanted = {int(a) for a in sys.argv[2:]} or set(range(len(assembly.parts)))
    print(assembly.schema, assembly.unit, *assembly.notices, sep="\n")
    for instance in assembly.instances:
        print(
            instance.component_id,
            "-> part",
            instance.part,
            "mirrored" * instance.placement.mirrored,
        )
    for index in sorted(wanted):
        part = assembly.parts[index]
        print(
            f"\nPART {index} {part.name!r} bodies {part.brep.body_kind} {part.brep.body_fault}"
        )
        _dump(part.brep)


def _dump(brep: Brep) -> None:
    np.set_printoptions(precision=4, suppress=True)
    for i in range(brep.faces):
        print(
            f"face {i:4} {SurfaceKind(brep.face_kind[i]).name:8} side {brep.face_side[i]:2}"
            f" r {brep.face_radius_mm[i]:.4g}/{brep.face_minor_radius_mm[i]:.4g}"
            f" half {np.degrees(brep.face_half_angle_rad[i]):.4g}"
            f" area {brep.face_area_mm2[i]:.6g} sweep {np.degrees(brep.face_sweep_rad[i]):.4g} along {brep.face_along_mm[i]}"
            f" at {brep.face_origin_mm[i]} axis {brep.face_axis[i]}"
            f" #{brep.face_step_record[i]} line {brep.face_step_line[i]}"
            f" {brep.face_step_name[i]!r}"
        )
    for i in range(brep.edges):
        print(
            f"edge {i:4} {CurveKind(brep.edge_kind[i]).name:8} faces {brep.edge_faces[i]}"
            f" {Convexity(brep.edge_convexity[i]).name:7}"
            f" {np.degrees(brep.edge_fold_rad[i]):.4g} length {brep.edge_length_mm[i]:.6g} r {brep.edge_radius_mm[i]:.4g}"
        )


if __name__ == "__main__":
    main()
