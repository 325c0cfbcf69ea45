"""Evidence pictures: the place in colour, its component as a line drawing, the rest a ghost.

A picture that does not show its place is worse than none, so every one is measured before it
leaves: ``RasterPictures.picture`` tries the best directions, then draws the place through what
covers it, and then says no.
"""

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from witmark.adapters.raster import png
from witmark.adapters.raster.cameras import (
    close_up,
    closer_frame,
    component_frame,
    extent_px,
    name_of,
    ranked_directions,
)
from witmark.adapters.raster.lines import ink, wires
from witmark.adapters.raster.marking import Sheet, circle_small_marks, mark, ring_around
from witmark.adapters.raster.plates import Plate, expose, glance
from witmark.adapters.raster.projection import Camera, Direction
from witmark.adapters.raster.scene import Scene, Share, Soup, soup_of
from witmark.adapters.raster.shading import lightness
from witmark.adapters.raster.tracing import Tracer
from witmark.adapters.raster.values import MIN_VISIBLE_PIXELS, NotShown, Picture, Place
from witmark.review.brep import IntArray

SIZE_PX = (1000, 750)
TRIES = 3  # directions that are drawn before the place is drawn through what covers it
CLOSE_UPS = (8.0, 64.0)  # last resort for a place that is long and thinner than a pixel
KEPT_PLATES = 4  # frames kept for the next picture; about 20 MB each
REST_PITCH_PX = 3  # other components are looked at on every third pixel: they are ghosts
INSET_SHARE = 0.25  # width of the overview over that of the picture
INSET_GAP_PX = 14
HARDLY_THERE = 0.01  # a component that covers less of its frame is drawn as wires too
SMALL_MARK = 0.002  # a mark that covers less of the frame is ringed
MOST_RINGS = 12  # on an overview
INSET_LINES = 0.6  # width of lines in the overview over that in the picture

GHOST_FILL, GHOST_LINE, GHOST_LINE_IN_FRONT, VEIL = 0.20, 0.34, 0.26, 0.22
INK = 0.88


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A frame of a component before any mark: kept, so never changed."""

    plate: Plate
    light: Share


class RasterPictures:
    """Draws places of one scene. Keeps the last frames, so sort places by instance.

    Args:
        scene: Every instance, placed.
        size_px: Width and height of every picture.
        min_visible_pixels: Below this no picture is published.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        size_px: tuple[int, int] = SIZE_PX,
        min_visible_pixels: int = MIN_VISIBLE_PIXELS,
    ) -> None:
        self._scene = scene
        self._size_px = size_px
        self._needed = min_visible_pixels
        self._frames: dict[tuple[int, Direction], Camera] = {}
        self._tracers: dict[int, Tracer] = {}
        self._drawn: OrderedDict[tuple[int, Camera, bool], _Drawn] = OrderedDict()

    def picture(self, place: Place) -> Picture | NotShown:
        """A picture in which the place can be seen, or why there is none.

        Returns:
            ``NotShown`` also when the place has no triangles: an empty picture is no evidence.
        """
        target = self._soup.triangles_on(place.instance, place.faces)
        if not len(target):
            return NotShown("the place has no triangles to draw", 0, self._needed)
        views = ranked_directions(
            self._soup, target, self._component(place.instance), self._everything, place.towards
        )
        shown: list[tuple[Direction, bool, float | None]]
        shown = [(eye, False, None) for eye, share in views[:TRIES] if share > 0]
        shown += [(views[0][0], True, zoom) for zoom in (None, *CLOSE_UPS)]
        best = 0
        for eye, see_through, zoom in shown:
            picture = self._draw(place.instance, target, eye, see_through, zoom)
            if picture.visible_pixels >= self._needed:
                return picture
            best = max(best, picture.visible_pixels)
        return NotShown(
            "the place stays too small from every direction tried", best, self._needed
        )

    def prepare(self) -> None:
        """Do now what the first picture of a scene or a component would have to wait for."""
        _ = self._everything
        for instance in range(len(self._scene.instances)):
            self._component(instance)

    def forget_frames(self) -> None:
        """Empty the shelf of frames; the next picture is drawn from the triangles up."""
        self._drawn.clear()
        self._frames.clear()

    @cached_property
    def _soup(self) -> Soup:
        return soup_of(self._scene)

    @cached_property
    def _everything(self) -> Tracer:
        return Tracer(self._soup.corners_mm)

    def _component(self, instance: int) -> Tracer:
        if instance not in self._tracers:
            run = self._soup.triangles_of(instance)
            self._tracers[instance] = Tracer(self._soup.corners_mm[run])
        return self._tracers[instance]

    def _draw(
        self,
        instance: int,
        target: IntArray,
        eye: Direction,
        see_through: bool,
        zoom: float | None,
    ) -> Picture:
        """One picture from one direction, with an overview when it shows a part only."""
        whole = self._whole(instance, eye)
        camera = closer_frame(self._soup, whole, target)
        if zoom is not None:
            camera = close_up(self._soup, whole, target, zoom)
        base = self._base(instance, camera, with_rest=True)
        sheet = Sheet(base.light.copy(), np.zeros_like(base.light))
        marked = mark(sheet, base.plate, target, see_through=see_through)
        if marked.open_px + marked.behind_px < SMALL_MARK * base.light.size:
            circle_small_marks(sheet)
        if camera != whole:
            self._add_overview(sheet, base.plate, instance, target)
        return Picture(
            png=png.encode(sheet.light, sheet.tint),
            width_px=camera.width_px,
            height_px=camera.height_px,
            visible_pixels=marked.open_px + (marked.behind_px if see_through else 0),
            see_through=see_through,
            view=name_of(eye),
            zoom=round(whole.mm_per_px / camera.mm_per_px, 6),
        )

    def _whole(self, instance: int, eye: Direction) -> Camera:
        """The frame of a component from a direction."""
        if (instance, eye) not in self._frames:
            frame = component_frame(self._soup, instance, eye, self._size_px)
            self._frames[instance, eye] = frame
        return self._frames[instance, eye]

    def _base(self, instance: int, camera: Camera, *, with_rest: bool) -> _Drawn:
        """The frame without a mark, from the shelf if it was drawn lately."""
        key = (instance, camera, with_rest)
        if key not in self._drawn:
            run = self._soup.triangles_of(instance)
            plate = expose(self._soup, self._component(instance), camera, run.start)
            light = lightness(plate)
            if with_rest and len(self._scene.instances) > 1:
                light = self._among_the_rest(plate, light, instance)
            line = ink(plate, weight=1.0 if with_rest else INSET_LINES)
            if (plate.triangle >= 0).mean() < HARDLY_THERE:
                line = np.maximum(line, wires(self._soup, camera, run))
            light *= 1 - np.float32(INK) * line
            self._drawn[key] = _Drawn(plate, light)
        self._drawn.move_to_end(key)
        while len(self._drawn) > KEPT_PLATES:
            self._drawn.popitem(last=False)
        return self._drawn[key]

    def _among_the_rest(self, plate: Plate, light: Share, instance: int) -> Share:
        """The component's shade with the other components as ghosts behind and before it."""
        soup = self._soup
        rest = glance(soup, self._everything, plate.camera, 0, pitch_px=REST_PITCH_PX)
        others = soup.instance != instance
        others[-1] = False
        ghost = rest.over_pixels(others[rest.triangle])
        before = plate.triangle >= 0
        shade = rest.over_pixels(1 - np.float32(GHOST_FILL) * (1 - lightness(rest)))
        np.copyto(light, shade, where=ghost & ~before)
        np.copyto(light, light + np.float32(VEIL) * (1 - light), where=ghost & before)
        line = ink(rest, others)
        line *= np.where(before, np.float32(GHOST_LINE_IN_FRONT), np.float32(GHOST_LINE))
        return light - light * line

    def _add_overview(
        self, sheet: Sheet, plate: Plate, instance: int, target: IntArray
    ) -> None:
        """The whole component in the emptiest corner, a ring around the place."""
        height, width = sheet.light.shape
        size = (round(width * INSET_SHARE), round(height * INSET_SHARE))
        eye = plate.camera.toward_eye
        camera = component_frame(self._soup, instance, eye, size)
        low, high = extent_px(self._soup, camera, target)
        if (low < 0).any() or (high > size).any():
            camera = component_frame(self._soup, instance, eye, size, with_outliers=True)
            low, high = extent_px(self._soup, camera, target)
        base = self._base(instance, camera, with_rest=False)
        small = Sheet(base.light.copy(), np.zeros_like(base.light))
        mark(small, base.plate, target)
        for piece in self._pieces(camera, target):
            ring_around(small, *extent_px(self._soup, camera, piece))
        for edge in (np.s_[:2], np.s_[-2:], np.s_[:, :2], np.s_[:, -2:]):
            small.light[edge], small.tint[edge] = np.float32(0.55), np.float32(0)
        corner = _emptiest_corner(plate, sheet.tint, size)
        sheet.light[corner], sheet.tint[corner] = small.light, small.tint

    def _pieces(self, camera: Camera, target: IntArray) -> list[IntArray]:
        """The target as one, or face by face when it is spread over half the frame."""
        low, high = extent_px(self._soup, camera, target)
        if np.hypot(*(high - low)) < camera.height_px / 2:
            return [target]
        keys = self._soup.face_key[target]
        return [target[keys == key] for key in np.unique(keys)[:MOST_RINGS]]


def _emptiest_corner(plate: Plate, tint: Share, size: tuple[int, int]) -> tuple[slice, slice]:
    """The corner in which the least of the component and nothing of the mark lies."""
    height, width = tint.shape
    left = (INSET_GAP_PX, width - INSET_GAP_PX - size[0])
    top = (INSET_GAP_PX, height - INSET_GAP_PX - size[1])
    corners = [
        (slice(y, y + size[1]), slice(x, x + size[0]))
        for y, x in ((top[1], left[1]), (top[0], left[1]), (top[0], left[0]), (top[1], left[0]))
    ]
    cost = [
        float((plate.triangle[c] >= 0).mean()) + 100 * float((tint[c] > 0).mean())
        for c in corners
    ]
    return corners[int(np.argmin(cost))]
