"""What this desk needs from the outside world."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from witmark.review.assembly import Assembly
from witmark.review.brep import FloatArray, IntArray
from witmark.review.rulebook.index import RulebookError, RuleIndex, load_index
from witmark.review.rulebook.store import RuleStore, load_store


@dataclass(frozen=True, slots=True)
class PartMesh:
    """Triangles of one part, in its own frame; wound so that normals point outward."""

    vertices_mm: FloatArray  # (v, 3)
    triangles: IntArray  # (t, 3) into vertices_mm
    triangle_face: IntArray  # (t,) face number in the part's Brep
    failed_faces: tuple[int, ...] = ()  # faces that could not be triangulated


class CadReader(Protocol):
    """Reads STEP files, out of our process. One reader serves one run."""

    def read(
        self, path: str | os.PathLike[str], *, length_unit_mm: float | None = None
    ) -> Assembly:
        """Read a file whole.

        Raises:
            InputError: the file cannot be read as a product model; says where and why.
            OutsideError: the CAD kernel crashed, hung or ran out of memory on it.
        """

    def mesh(self, parts: Sequence[int], deflection_mm: float) -> Sequence[PartMesh]:
        """Triangulate some parts of the file that was read last, in the order asked for."""

    cpu_s: float
    """CPU seconds that all answered requests took in the reader's process, import left out."""


@dataclass(frozen=True, slots=True)
class Place:
    """Some faces of one instance, and the direction out of which its mouth looks."""

    instance: int  # index into Assembly.instances
    faces: tuple[int, ...]
    towards: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in which the place is really visible, on this many pixels."""

    png: bytes
    width_px: int
    height_px: int
    visible_pixels: int


@dataclass(frozen=True, slots=True)
class NotShown:
    """No picture: from nowhere that was tried could the place be seen well enough."""

    because: str


class Pictures(Protocol):
    """Draws places of one assembly."""

    def picture(self, place: Place) -> Picture | NotShown:
        """Draw a place so that a reader finds it, or say why that is not possible."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A compiled rulebook: its two halves, and the very bytes they were read from."""

    name: str
    index: RuleIndex
    store: RuleStore
    index_raw: bytes
    store_raw: bytes


def rulebook_of(index_raw: bytes, store_raw: bytes) -> Rulebook:
    """Read both halves of a compiled rulebook.

    Raises:
        RulebookError: one of them is broken, or they are not of one book.
    """
    index, store = load_index(index_raw), load_store(store_raw)
    if index.name != store.name:
        raise RulebookError(f"the index is of {index.name}, the store of {store.name}")
    return Rulebook(index.name, index, store, index_raw, store_raw)


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a review, as it begins: for those who wait."""

    name: str
    detail: str = ""


Progress = Callable[[Step], None]


def nobody_waits(_: Step) -> None:
    """Progress for a run that nobody watches."""
