"""What a file is made of: parts described once, component instances placed many times."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from witmark.review.brep import Brep, FloatArray


class ReviewScope(StrEnum):
    """What a review owes an instance."""

    PART_DESIGN_REQUIRED = "part_design_required"
    ASSEMBLY_CONTEXT_ONLY = "assembly_context_only"


@dataclass(frozen=True, slots=True)
class LengthUnit:
    """What the file measures lengths in, and how surely we know.

    ``declared`` is the file's own word (``millimetre``, ``inch``, ...) or ``given`` when the
    caller passed ``--length-unit``. We never guess.
    """

    declared: str
    mm_per_unit: float
    uncertainty_mm: float | None  # None: the file states none


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an instance stands: ``x' = rotation @ x + shift_mm``. May mirror."""

    rotation: FloatArray  # (3, 3), determinant +1 or -1
    shift_mm: FloatArray  # (3,)

    @property
    def mirrored(self) -> bool:
        """Whether the instance is the mirror image of its part."""
        return bool(np.linalg.det(self.rotation) < 0)

    def points(self, points_mm: FloatArray) -> FloatArray:
        """Carry points (..., 3) from the part's frame into the assembly's."""
        return points_mm @ self.rotation.T + self.shift_mm

    def directions(self, directions: FloatArray) -> FloatArray:
        """Carry directions (..., 3) from the part's frame into the assembly's."""
        return directions @ self.rotation.T


@dataclass(frozen=True, slots=True)
class Part:
    """One prototype: a product with a shape of its own."""

    name: str  # the product name as the file has it; '' if it has none
    brep: Brep
    source: str = ""  # the referred file its face records and lines are of; '' = opened file


@dataclass(frozen=True, slots=True)
class ComponentInstance:
    """One occurrence of a part at one place in the assembly."""

    path: tuple[str, ...]  # names from the root to this instance, made unique among siblings
    name: str  # the occurrence's own name, else the product's
    part: int  # index into Assembly.parts
    placement: Placement
    colour: tuple[float, float, float] | None
    layers: tuple[str, ...]

    @property
    def component_id(self) -> str:
        """The instance path as one string: names joined by ``/``.

        A ``/`` inside a name is spelt ``~1`` and a ``~`` is ``~0``, as in a JSON pointer, so
        that two paths never share an id.
        """
        return "/".join(name.replace("~", "~0").replace("/", "~1") for name in self.path)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader must know about a file that was read all the same.

    ``code`` is stable (``leaf-without-solid``, ``implausible-size`` ...); ``subject`` is a
    readable place; the words in two languages are made from them by the report.
    """

    code: str
    subject: str
    detail: str


@dataclass(frozen=True, slots=True)
class Assembly:
    """Everything one STEP file says, in millimetres."""

    schema: str  # e.g. AP214 / AUTOMOTIVE_DESIGN as written in FILE_SCHEMA
    unit: LengthUnit
    parts: tuple[Part, ...]
    instances: tuple[ComponentInstance, ...]
    notices: tuple[Notice, ...]
