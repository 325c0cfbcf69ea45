"""What is asked of the studio and what comes back: values that know no renderer.

The port that the review desk owns speaks in these types::

    class Pictures(Protocol):
        \"\"\"Draws a place so that a reader finds it, or says why it cannot.\"\"\"

        def picture(self, place: Place) -> Picture | NotShown: ...

``RasterPictures`` is the implementation. Nothing here imports embreex or Pillow.
"""

from dataclasses import dataclass

MIN_VISIBLE_PIXELS = 150  # a mark smaller than about 12 x 12 pixels is overlooked on a page


@dataclass(frozen=True, slots=True)
class Place:
    """Some faces of one placed instance.

    ``towards`` is the direction, in the assembly's frame, out of which the place is best
    entered by eye (out of the mouth of a hole, out of the open top of a pocket); ``None``
    leaves the choice to what is visible.
    """

    instance: int  # index into Scene.instances
    faces: tuple[int, ...]  # the instance's own face numbers
    towards: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in which the place is really visible.

    ``visible_pixels`` counts the pixels of the whole place that no other surface of its own
    component covers; with ``see_through`` it counts the pixels drawn over what covers them.
    """

    png: bytes
    width_px: int
    height_px: int
    visible_pixels: int
    see_through: bool
    view: str  # the direction looked from, as in "+x-y+z"
    zoom: float  # 1.0 shows the whole component


@dataclass(frozen=True, slots=True)
class NotShown:
    """No picture, because in none that we tried could the place be seen."""

    because: str
    best_visible_pixels: int
    needed_pixels: int
