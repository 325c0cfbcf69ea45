"""What can be measured of a recess: depth, widths, corners, open sides, section."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from witmark.review.brep import Convexity, CurveKind, FloatArray
from witmark.review.features.feature import Fact
from witmark.review.features.fillets import SAME_RADIUS_MM, pieces_of, radius_of
from witmark.review.features.freeform import leads_in
from witmark.review.features.kinds import CONE, CYLINDER, FREEFORM, PLANE, Profile
from witmark.review.features.recesses import Opening, Recess
from witmark.review.features.scene import Scene, cross

FACING = -0.99  # cosine between the normals of facing walls, draft allowed for
PARALLEL = -(1 - 1e-7)
NEARLY_FACING = -0.9
OPPOSITE = -0.8  # cosine between open sides that make a cut run through
SAME_SIDE = 0.94  # cosine between open edges of one side (20 degrees)
HALF_TURN_RAD = math.radians(175)
TOUCH_MM = 1e-3  # exporters leave walls of one plane a little apart
ONE_LINE_MM = 1e-3
TURN_RAD = 1e-3
LEAST_FACETS = 8  # of a round that a mesh left as flats
UNEVEN = 0.05  # share of the mean by which its flats' folds and distances may differ
LEAST_HOLLOW = 0.01  # outer lofts stay within 0.002 of nothing; cut letters have much more


@dataclass(frozen=True)
class Section:
    """A recess with its measurements; each is worked out once, when first asked for."""

    scene: Scene
    recess: Recess

    @cached_property
    def knowable(self) -> bool:
        """Whether no free-form face stands among the walls."""
        return not any(self._kind(f) == FREEFORM for f in self.recess.walls)

    @cached_property
    def planes(self) -> tuple[int, ...]:
        """One face for every plane among the walls."""
        kept: list[int] = []
        brep = self.scene.brep
        for face in self.recess.walls:
            if self._kind(face) != PLANE:
                continue
            normal, origin = brep.face_axis[face], brep.face_origin_mm[face]
            if not any(
                normal @ brep.face_axis[k] > 1 - 1e-6
                and abs((origin - brep.face_origin_mm[k]) @ normal) < 1e-3
                for k in kept
            ):
                kept.append(face)
        return tuple(kept)

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """Cylindrical walls, one face for each: half turns, island sides, curved flanks."""
        return tuple(sorted({pieces[0] for pieces in self._arcs}))

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Internal half turns, as at the end of an obround, one face for each."""
        side, sweep = self.scene.brep.face_side, self.scene.brep.face_sweep_rad
        return tuple(
            pieces[0]
            for pieces in sorted(self._arcs)
            if side[pieces[0]] < 0 and sweep[list(pieces)].sum() >= HALF_TURN_RAD
        )

    @cached_property
    def _arcs(self) -> frozenset[tuple[int, ...]]:
        graph = self.scene.graph
        return frozenset(
            pieces_of(graph, f) for f in self.recess.walls if self._kind(f) == CYLINDER
        )

    @cached_property
    def open_sides(self) -> tuple[Opening, ...]:
        """One opening per direction in which the floor runs out."""
        kept: list[Opening] = []
        for opening in self.recess.openings:
            if not any(opening.outward @ k.outward > SAME_SIDE for k in kept):
                kept.append(opening)
        return tuple(kept)

    @cached_property
    def runs_through(self) -> bool:
        """Whether two open sides lie opposite each other."""
        return any(
            one.outward @ other.outward < OPPOSITE
            for one, other in combinations(self.open_sides, 2)
        )

    @cached_property
    def facing(self) -> tuple[tuple[int, int, float], ...]:
        """Pairs of (nearly) parallel plane walls that face each other, with the gap in mm."""
        return tuple(
            (a, b, gap)
            for a, b in self._pairs(-2.0, FACING)
            if (gap := self._gap(a, b)) > TOUCH_MM
        )

    @cached_property
    def is_hollow(self) -> bool:
        """Whether the walls look inwards from all sides, free forms among them too.

        The border of a face runs round it with the material to one side, so its vector area
        tells the mean normal of a free form, too. Around a cut it points to the middle. One
        wall that closes on itself has none; it is hollow if it leads in from its neighbour.
        """
        walls = sorted({*self.recess.walls, *self.recess.corners})
        looks = np.array([self._vector_area(f) for f in walls])
        places = np.array([self.scene.points(f).mean(axis=0) for f in walls])
        sizes = np.linalg.norm(looks, axis=1)
        total = float(sizes.sum())
        if total > 0.0:
            flat = np.column_stack(plane_axes(self.recess.direction))
            arms = (places - (places * sizes[:, None]).sum(axis=0) / total) @ flat
            reach = float(np.linalg.norm(np.ptp(places, axis=0)))
            turned = arms.T @ (looks @ flat) / (total * reach or 1.0)
            # The side on which they look inwards least: a waisted rod is hollow on two only.
            if float(np.linalg.eigvalsh(turned + turned.T).max()) < -LEAST_HOLLOW:
                return True
        return any(leads_in(self.scene.graph, f) for f in walls)

    def _vector_area(self, face: int) -> FloatArray:
        """The area of a face times its mean outward normal, from its border alone."""
        area = np.zeros(3)
        for loop in self.scene.graph.loops[face]:
            ring = self.scene.brep.loop_points_mm(loop)
            arms = ring - ring[0]
            area += np.cross(arms, np.roll(arms, -1, axis=0)).sum(axis=0) / 2
        return area

    @cached_property
    def may_face(self) -> bool:
        """Whether walls of which one is a free form stand apart, so that they may face."""
        touching = (Convexity.CONCAVE, Convexity.SMOOTH)
        return (
            not self.knowable
            and len(self.scene.graph.connected(self.recess.walls, *touching)) > 1
        )

    @cached_property
    def depth_mm(self) -> float | None:
        """From the floor to the highest point of a wall; of a through cut its length."""
        upright = (*self.recess.walls, *self.recess.corners)
        heights = [self.scene.points(f) @ self.recess.direction for f in upright]
        heights = [h for h in heights if len(h)]
        if not heights:
            return None
        top = max(float(h.max()) for h in heights)
        return top - (
            self._floor_level() if self.recess.floors else min(float(h.min()) for h in heights)
        )

    @cached_property
    def min_width_mm(self) -> float | None:
        """The narrowest passage between facing walls; None if none face or one is unknown."""
        if not self.knowable:
            return None
        widths = [gap for _, _, gap in self.facing]
        widths += [2 * float(self.scene.brep.face_radius_mm[f]) for f in self.ends]
        widths += self._past_islands()
        widths += self._slanted_gaps()
        if widths:
            return min(widths)
        return None if self.recess.openings else self._least_breadth()

    @cached_property
    def walls_face(self) -> bool | None:
        """Whether walls face each other, so that there is a width; None if nobody can tell."""
        if not self.knowable:
            return None
        if self.min_width_mm is not None or not self.recess.openings:
            return True
        curved = [f for f in self.recess.walls if self._kind(f) not in (PLANE, CYLINDER)]
        return False if len(self.rounds) + len(curved) <= 1 else None

    @cached_property
    def sharp_corners(self) -> int:
        """Upright lines in which two walls meet sharply; an edge in pieces counts once."""
        brep, graph, walls = self.scene.brep, self.scene.graph, set(self.recess.walls)
        edges = {
            x.edge
            for f in self.recess.walls
            for x in graph.across(f, Convexity.CONCAVE)
            if x.face in walls
            and brep.edge_kind[x.edge] != CurveKind.CIRCLE
            and abs(brep.edge_axis[x.edge] @ self.recess.direction) > 0.7
        }
        lines: list[FloatArray] = []
        for place in brep.edge_origin_mm[sorted(edges)]:
            flat = place - (place @ self.recess.direction) * self.recess.direction
            if not any(np.linalg.norm(flat - line) < ONE_LINE_MM for line in lines):
                lines.append(flat)
        return len(lines)

    @cached_property
    def corner_radii_mm(self) -> tuple[float, ...]:
        """Radii of the upright internal rounds between walls."""
        return tuple(self._corner_radius(f) for f in self.recess.corners)

    @cached_property
    def floor_radii_mm(self) -> tuple[float, ...]:
        """Radii of the internal rounds between floor and walls."""
        return tuple(radius_of(self.scene.brep, f) for f in self.recess.floor_blends)

    @cached_property
    def is_faceted(self) -> bool:
        """Whether the walls are a round that a mesh left as many equal flats.

        They touch one circle and turn by equal angles. Six sides are a hexagon, meant as such.
        """
        brep, count = self.scene.brep, len(self.planes)
        if count < LEAST_FACETS or self.rounds or not self.knowable:
            return False
        flat = np.column_stack(plane_axes(self.recess.direction))
        looks, places = (
            a[list(self.planes)] @ flat for a in (brep.face_axis, brep.face_origin_mm)
        )
        offsets = (looks * places).sum(axis=1)
        table = np.column_stack([looks, -np.ones(count)])  # look @ middle - radius = offset
        fit, _, rank, _ = np.linalg.lstsq(table, offsets, rcond=None)
        angles = np.sort(np.arctan2(looks[:, 1], looks[:, 0]))
        turns = np.diff(np.append(angles, angles[0] + 2 * math.pi)) * count / (2 * math.pi)
        off = float(np.abs(table @ fit - offsets).max())
        even = float(np.abs(turns - 1).max()) <= UNEVEN
        return bool(rank == 3 and even and off <= UNEVEN * float(fit[2]))

    @cached_property
    def profile(self) -> Profile:
        """The section's name."""
        if not self.knowable:
            return Profile.GENERAL
        if self.is_faceted:
            return Profile.FACETED_ROUND
        if not self.rounds:
            return self._polygon()
        if not self.planes:
            return Profile.ROUND if self._is_full_turn() else Profile.GENERAL
        ends = self.ends and len(self.ends) == len(self.rounds)
        parallel = len(self.planes) == 2 and self.facing
        return Profile.OBROUND if ends and parallel else Profile.GENERAL

    def pocket_facts(self) -> dict[str, Fact]:
        """The ``pocket.*`` family."""
        depth, width = self.depth_mm, self.min_width_mm
        return {
            "pocket.depth": depth,
            "pocket.facing": self.walls_face,
            "pocket.min_width": width,
            "pocket.depth_to_width": depth / width if depth is not None and width else None,
            **self.corner_facts(),
            "pocket.open_sides": len(self.open_sides),
            "pocket.through": not self.recess.floors,
            **self.shape_facts(),
        }

    def corner_facts(self) -> dict[str, Fact]:
        """Internal radii, upright and at the floor."""
        if not self.knowable:
            names = ("corner_r", "corners", "floor_r", "distinct_r")
            return {f"pocket.{name}": None for name in names}
        if self.is_faceted:  # its edges are the mesh's, not the part's
            floor = max(self.floor_radii_mm, default=0.0)
            unknown = dict.fromkeys(("pocket.corner_r", "pocket.corners", "pocket.distinct_r"))
            return {**unknown, "pocket.floor_r": floor}
        radii = [*self.corner_radii_mm, *([0.0] * self.sharp_corners)]
        rounds = radii or [float(self.scene.brep.face_radius_mm[f]) for f in self._hollow()]
        return {
            "pocket.corner_r": min(rounds) if rounds else None,
            "pocket.corners": len(radii),
            "pocket.floor_r": max(self.floor_radii_mm, default=0.0),
            "pocket.distinct_r": len(distinct([*self.corner_radii_mm, *self.floor_radii_mm])),
        }

    def shape_facts(self) -> dict[str, Fact]:
        """The section's name and how many plane sides it has."""
        return {"section.profile": str(self.profile), "section.sides": len(self.planes)}

    def _kind(self, face: int) -> int:
        return self.scene.kind[face]

    def _dot(self, one: int, other: int) -> float:
        axes = self.scene.brep.face_axis
        return float(axes[one] @ axes[other])

    def _hollow(self) -> list[int]:
        return [f for f in self.rounds if self.scene.brep.face_side[f] < 0]

    def _floor_level(self) -> float:
        origins = self.scene.brep.face_origin_mm[list(self.recess.floors)]
        return float((origins @ self.recess.direction).min())

    def _gap(self, one: int, other: int) -> float:
        return gap_across(self.scene, one, other, self.recess.direction)

    def _past_islands(self) -> list[float]:
        """Passages between a convex round and a wall across from it."""
        brep = self.scene.brep
        found = []
        for island in (f for f in self.rounds if brep.face_side[f] > 0):
            centre, radius = brep.face_origin_mm[island], float(brep.face_radius_mm[island])
            for wall in self.planes:
                gap = (centre - brep.face_origin_mm[wall]) @ brep.face_axis[wall] - radius
                if self._looks(island, -brep.face_axis[wall]) and self._abreast(island, wall):
                    found.append(float(gap))
            for other in (f for f in self.rounds if f != island):
                arm = brep.face_origin_mm[other] - centre
                apart = self._apart(island, other)
                if brep.face_side[other] < 0:
                    if self._looks(island, -arm) and self._looks(other, -arm):
                        found.append(float(brep.face_radius_mm[other]) - radius - apart)
                elif self._looks(island, arm) and self._looks(other, -arm):
                    found.append(apart - radius - float(brep.face_radius_mm[other]))
        return [gap for gap in found if gap > TOUCH_MM]

    def _looks(self, round_: int, way: FloatArray) -> bool:
        """Whether an upright round has wall on the side of its axis to which ``way`` leads."""
        brep, pieces = self.scene.brep, list(pieces_of(self.scene.graph, round_))
        axis = brep.face_axis[round_]
        ahead = way - (way @ axis) * axis
        size = float(np.linalg.norm(ahead))
        if size == 0.0 or float(brep.face_sweep_rad[pieces].sum()) >= 2 * math.pi - TURN_RAD:
            return True
        arms = np.concatenate([self.scene.points(f) for f in pieces])
        arms = arms - brep.face_origin_mm[round_]
        angles = np.sort(np.arctan2(arms @ cross(axis, ahead / size), arms @ (ahead / size)))
        steps = np.diff(np.append(angles, angles[0] + 2 * math.pi))
        k = int(np.argmax(steps))  # the part of the turn that has no wall
        return not angles[k] + TURN_RAD < 0.0 < angles[k] + steps[k] - TURN_RAD

    def _abreast(self, round_: int, wall: int) -> bool:
        """Whether a wall reaches to where the square from the round's axis meets its plane."""
        brep = self.scene.brep
        along = cross(brep.face_axis[wall], self.recess.direction)
        at = float(brep.face_origin_mm[round_] @ along)
        reach = self.scene.points(wall) @ along
        return bool(reach.min() - TOUCH_MM <= at <= reach.max() + TOUCH_MM)

    def _apart(self, one: int, other: int) -> float:
        brep = self.scene.brep
        gap = brep.face_origin_mm[one] - brep.face_origin_mm[other]
        return float(np.linalg.norm(gap - (gap @ brep.face_axis[one]) * brep.face_axis[one]))

    def _slanted_gaps(self) -> list[float]:
        """Least distance of walls that nearly face each other and do not touch."""
        found = [front_gap(self.scene, a, b) for a, b in self._pairs(FACING, NEARLY_FACING)]
        return [gap for gap in found if gap > TOUCH_MM]

    def _pairs(self, least: float, most: float) -> list[tuple[int, int]]:
        """Plane walls whose normals' cosine lies in [least, most)."""
        planes = [f for f in self.recess.walls if self._kind(f) == PLANE]
        axes = self.scene.brep.face_axis[planes]
        cosine = np.triu(axes @ axes.T, 1)
        rows, columns = np.nonzero((cosine >= least) & (cosine < most))
        return [
            (planes[a], planes[b]) for a, b in zip(rows.tolist(), columns.tolist(), strict=True)
        ]

    def _least_breadth(self) -> float | None:
        if not self.recess.walls:
            return None
        points = np.concatenate([self.scene.points(f) for f in self.recess.walls])
        return least_breadth(points, self.recess.direction)

    def _corner_radius(self, face: int) -> float:
        brep = self.scene.brep
        if self._kind(face) != CONE:
            return radius_of(brep, face)
        lean = math.tan(float(brep.face_half_angle_rad[face]))
        return float(brep.face_along_mm[face].min()) * lean

    def _is_full_turn(self) -> bool:
        brep = self.scene.brep
        turn = sum(float(brep.face_sweep_rad[list(pieces)].sum()) for pieces in self._arcs)
        return len(self._hollow()) == len(self.rounds) and turn > 2 * HALF_TURN_RAD

    def _polygon(self) -> Profile:
        sides = len(self.planes)
        if sides == 3 and not self.facing:
            return Profile.TRIANGULAR
        if sides <= 4 and all(
            abs(self._dot(a, b)) < 1e-3 or abs(self._dot(a, b)) > 1 - 1e-3
            for a, b in combinations(self.planes, 2)
        ):
            return Profile.RECTANGULAR
        return Profile.POLYGONAL if sides > 4 else Profile.GENERAL


def least_breadth(points: FloatArray, direction: FloatArray) -> float | None:
    """The least distance between two parallel lines that hold the points (calipers).

    Seen along ``direction``; None when the points then lie on one line.
    """
    first, second = plane_axes(direction)
    flat = np.column_stack([points @ first, points @ second])
    try:
        sides = ConvexHull(flat).equations
    except (QhullError, ValueError):
        return None
    reach: FloatArray = flat @ sides[:, :2].T
    return float((reach.max(axis=0) - reach.min(axis=0)).min())


def gap_across(scene: Scene, one: int, other: int, direction: FloatArray) -> float:
    """Least distance between facing planes abreast of each other; 0 when they are not."""
    brep = scene.brep
    normal = brep.face_axis[one]
    cosine = float(normal @ brep.face_axis[other])
    along = cross(normal, direction)
    a, b = scene.points(one) @ along, scene.points(other) @ along
    if cosine > FACING or min(a.max(), b.max()) - max(a.min(), b.min()) <= TOUCH_MM:
        return 0.0
    if cosine > PARALLEL:
        return front_gap(scene, one, other)
    return float((brep.face_origin_mm[other] - brep.face_origin_mm[one]) @ normal)


def front_gap(scene: Scene, one: int, other: int) -> float:
    """How far two planes that nearly face each other lie apart where they come closest."""
    brep = scene.brep
    ahead = (scene.points(other) - brep.face_origin_mm[one]) @ brep.face_axis[one]
    back = (scene.points(one) - brep.face_origin_mm[other]) @ brep.face_axis[other]
    return float(max(ahead.min(), back.min()))


def distinct(values: Sequence[float]) -> list[float]:
    """Values sorted, those within ``SAME_RADIUS_MM`` of the one before taken as one."""
    kept: list[float] = []
    for value in sorted(v for v in values if not math.isnan(v)):
        if not kept or value - kept[-1] > SAME_RADIUS_MM:
            kept.append(value)
    return kept


def plane_axes(normal: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two unit vectors that span the plane square to ``normal``."""
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    first = first / np.linalg.norm(first)
    return first, np.cross(normal, first)
