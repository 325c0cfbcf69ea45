"""STEP file → ``Assembly``: the one way in. Runs in the worker process.

Order matters: everything the bytes can tell us is checked before the kernel sees them, because
the kernel is silent about most of it.
"""

import os
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.Interface import Interface_Static
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_AsciiString, TCollection_ExtendedString
from OCP.TDocStd import TDocStd_Document
from OCP.XCAFApp import XCAFApp_Application

from witmark.adapters.occt.notices import Described, notices_of
from witmark.adapters.occt.prototypes import TURNED_FAULT, PartShape, describe
from witmark.adapters.occt.records import Records
from witmark.adapters.occt.tree import Tree, tree_of
from witmark.adapters.step21.errors import KernelRefusedError, UnreadableFileError
from witmark.adapters.step21.numbers import refuse_huge_numbers
from witmark.adapters.step21.references import Staging, StepFile
from witmark.adapters.step21.structure import (
    refuse_cycles,
    refuse_other_models,
    refuse_other_schemas,
)
from witmark.adapters.step21.units import DeclaredUnit
from witmark.kernel.errors import UnknownLengthUnitError
from witmark.review.assembly import Assembly, ComponentInstance, LengthUnit, Part

_AS_EVER: Mapping[str, str] = {}
_POLES_LEFT_ALONE: Mapping[str, str] = {"FixShape.FixDegeneratedMode": "0"}
"""The kernel's mending of boundaries through the poles of a sphere can take the wrong side."""


def read_step(
    path: str | os.PathLike[str],
    *,
    length_unit_mm: float | None = None,
    scratch: Path | None = None,
) -> Assembly:
    """Read a STEP file, and the files beside it that it refers to, in millimetres.

    Args:
        path: The file to open.
        length_unit_mm: What one length unit measures if the file does not say; a declared unit
            wins over it.
        scratch: An empty folder for rewritten copies; a temporary one when not given.

    Raises:
        UnknownLengthUnitError: the file states no unit and none is given.
        InputError: the file cannot be reviewed; the subclass says why and what to do.
    """
    with ExitStack() as stack:
        if scratch is None:
            scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="witmark-")))
        assembly, _ = read_with_shapes(path, length_unit_mm=length_unit_mm, scratch=scratch)
        return assembly


def read_with_shapes(
    path: str | os.PathLike[str], *, length_unit_mm: float | None, scratch: Path
) -> tuple[Assembly, tuple[PartShape, ...]]:
    """As ``read_step``, with the kernel's own shape of every part, for meshing."""
    path = Path(path)
    source = shown(path)
    real, data = _load(path, source)
    staging = Staging(real.parent, scratch)
    main = staging.add(real, source, data)
    unit = _checked(staging, source)
    if unit is None and length_unit_mm is None:
        raise UnknownLengthUnitError(source)
    scale = 1.0 if unit is not None or length_unit_mm is None else length_unit_mm
    read = _read(staging.files, scale, _AS_EVER)
    if read.turned:
        again = _read(staging.files, scale, _POLES_LEFT_ALONE)
        read = read if again.turned or again.faults > read.faults else again
    parts = tuple(part for part, _ in read.described)
    found = Described(
        source, staging.files, read.tree, parts, read.uncounted, length_unit_mm is not None
    )
    assembly = Assembly(
        schema=", ".join(main.exchange.schemas),
        unit=_length_unit(unit, scale),
        parts=parts,
        instances=_instances(read.tree, scale),
        notices=notices_of(found),
    )
    return assembly, tuple(shape for _, shape in read.described)


@dataclass(frozen=True, slots=True)
class _ReadOnce:
    """What one pass of the kernel makes of a model."""

    tree: Tree
    described: list[tuple[Part, PartShape]]
    uncounted: list[str]

    @property
    def faults(self) -> int:
        """How many bodies have one."""
        return sum(bool(fault) for part, _ in self.described for fault in part.brep.body_fault)

    @property
    def turned(self) -> bool:
        """Whether the kernel turned faces over that the file has right."""
        return any(
            TURNED_FAULT in fault
            for part, _ in self.described
            for fault in part.brep.body_fault
        )


def _read(files: list[StepFile], scale: float, mending: Mapping[str, str]) -> _ReadOnce:
    kernel = _transferred(files[0], mending)
    tree = tree_of(kernel.document, files[0].exchange.source)
    records = Records(kernel.reader, files)
    described = [describe(p, records, files, scale) for p in tree.prototypes]
    return _ReadOnce(tree, described, records.uncounted)


def shown(path: Path) -> str:
    """A path as messages may print it, whatever its bytes."""
    return os.fsencode(path).decode("utf-8", errors="backslashreplace")


def _load(path: Path, source: str) -> tuple[Path, bytes]:
    """The file behind a path, links followed, and its bytes."""
    try:
        real = path.resolve(strict=True)
        if real.is_dir():
            raise UnreadableFileError(source, "this is a folder, not a file")
        if not real.is_file():
            raise UnreadableFileError(source, "this is a device, not a file")
        return real, real.read_bytes()
    except FileNotFoundError as problem:
        raise UnreadableFileError(source, "there is no such file") from problem
    except RuntimeError as problem:
        raise UnreadableFileError(source, "its links lead in a circle") from problem
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or "the path cannot be used"
        raise UnreadableFileError(source, why[0].lower() + why[1:]) from problem


def _checked(staging: Staging, source: str) -> DeclaredUnit | None:
    """Refuse what the kernel would swallow in silence; answer the unit of the opened file."""
    main = staging.files[0]
    refuse_other_models(main.exchange)
    for file in staging.files:
        refuse_other_schemas(file.exchange)
        refuse_huge_numbers(file.exchange)
        refuse_cycles(file.exchange, file.encoding.python)
    units = [file.units.settled(file.exchange.source) for file in staging.files]
    declared = [unit for unit in units if unit is not None]
    if declared and None in units:
        silent = staging.files[units.index(None)]
        raise UnknownLengthUnitError(silent.exchange.source if silent is not main else source)
    return declared[0] if declared else None


@dataclass(frozen=True, slots=True)
class _Kernel:
    reader: STEPCAFControl_Reader
    document: TDocStd_Document


def _transferred(main: StepFile, mending: Mapping[str, str]) -> _Kernel:
    """Let OCCT read and transfer the staged file, its healing changed as told."""
    source = main.exchange.source
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    reader = STEPCAFControl_Reader()
    for mode in (reader.SetColorMode, reader.SetNameMode, reader.SetLayerMode):
        mode(True)
    Interface_Static.SetCVal_s("read.step.codepage", main.encoding.occt)
    if reader.ReadFile(str(main.staged)) != IFSelect_ReturnStatus.IFSelect_RetDone:
        raise KernelRefusedError(source, "the CAD kernel cannot read this file")
    _set_mending(reader, mending)
    if not reader.Transfer(document):
        raise KernelRefusedError(
            source, "the CAD kernel finds nothing to transfer in this file"
        )
    return _Kernel(reader, document)


def _set_mending(reader: STEPCAFControl_Reader, mending: Mapping[str, str]) -> None:
    if not mending:
        return
    inner = reader.ChangeReader()
    parameters = inner.GetShapeFixParameters()
    for name, value in mending.items():
        key = TCollection_AsciiString(name)
        parameters.UnBind(key)
        parameters.Bind(key, TCollection_AsciiString(value))
    inner.SetShapeFixParameters(parameters)


def _length_unit(unit: DeclaredUnit | None, given_mm: float) -> LengthUnit:
    if unit is None:
        return LengthUnit("given", given_mm, None)
    return LengthUnit(unit.name, unit.mm_per_unit, unit.uncertainty_mm)


def _instances(tree: Tree, scale: float) -> tuple[ComponentInstance, ...]:
    return tuple(
        ComponentInstance(
            path=leaf.path,
            name=leaf.name,
            part=leaf.prototype,
            placement=replace(leaf.placement, shift_mm=leaf.placement.shift_mm * scale),
            colour=leaf.colour,
            layers=leaf.layers,
        )
        for leaf in tree.leaves
    )
