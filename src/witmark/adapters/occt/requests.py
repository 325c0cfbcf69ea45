"""What passes between Witmark and its CAD worker. No CAD kernel in sight."""

from dataclasses import dataclass
from pathlib import Path

from witmark.kernel.errors import InputError


@dataclass(frozen=True, slots=True)
class Read:
    """Read a file."""

    path: Path
    length_unit_mm: float | None


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangulate parts of the file read last."""

    parts: tuple[int, ...]
    deflection_mm: float


Request = Read | Mesh


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request, and the CPU seconds it took in the worker."""

    value: object
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Refused:
    """The file cannot be reviewed, and the error says why."""

    error: InputError


@dataclass(frozen=True, slots=True)
class UnitUnknown:
    """The file states no length unit (this error rebuilds itself from the file's name)."""

    source: str


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The memory limit was reached in a place that could still say so."""


@dataclass(frozen=True, slots=True)
class NotInstalled:
    """Instead of the first message: the kernel, or a library it needs, cannot be imported."""

    why: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The kernel raised an error of its own."""

    why: str
