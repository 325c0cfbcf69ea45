"""A seeded part as a STEP file: placed somewhere, in some unit, always the same bytes.

The kernel stamps the time, its own name and a running number into every file it writes;
those are replaced, so that a file depends on the part and on nothing else.
"""

import random
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Quaternion, gp_Trsf, gp_Vec
from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.Interface import Interface_Static
from OCP.Message import Message
from OCP.STEPControl import STEPControl_StepModelType, STEPControl_Writer
from OCP.TopoDS import TopoDS_Shape

from bench.seeded_parts.case import Case
from bench.seeded_parts.working import face_middle, faces, moved

_STAND_IN = "WITMARKPRODUCT"
_STAMP = "2026-01-01T00:00:00"
UNITS = ("MM", "INCH")
PLACEMENTS = 11  # ten random ones and a mirrored one
_MIRRORED = PLACEMENTS - 1


@dataclass(frozen=True, slots=True)
class Variant:
    """Where a part stands and what its file measures in."""

    placement: int  # 0 .. PLACEMENTS - 1; the last one mirrors
    unit: str  # one of UNITS

    @property
    def name(self) -> str:
        """Fit for a file name."""
        return f"p{self.placement:02d}-{self.unit.lower()}"


def every_variant() -> list[Variant]:
    """All placements in all units."""
    return [Variant(place, unit) for place in range(PLACEMENTS) for unit in UNITS]


def write_case(case: Case, variant: Variant, path: Path) -> None:
    """Build the part, place it, write it, and spoil it if the case says so."""
    write_shape(case.make(), case, variant, path)


def write_shape(body: TopoDS_Shape, case: Case, variant: Variant, path: Path) -> None:
    """The same for a body that was built before; it is left as it is."""
    placed = moved(body, placement(case.name, variant.placement))
    text = step_text(placed, product=case.family, unit=variant.unit)
    if case.opened:
        text = without_face(text, _outer_face(body))
    path.write_text(text, encoding="ascii")


def placement(name: str, number: int) -> gp_Trsf:
    """A random rotation and shift, the same one for the same name and number."""
    dice = random.Random(f"{name}/{number}")  # noqa: S311  # reproducible, not secret
    turn = gp_Quaternion(*(dice.gauss(0, 1) for _ in range(4)))
    turn.Normalize()
    motion = gp_Trsf()
    motion.SetRotation(turn)
    motion.SetTranslationPart(gp_Vec(*(dice.uniform(-300, 300) for _ in range(3))))
    if number == _MIRRORED:
        mirror = gp_Trsf()
        mirror.SetMirror(gp_Ax2(gp_Pnt(10, 20, 30), gp_Dir(1, 0, 0)))
        motion.Multiply(mirror)
    return motion


def step_text(body: TopoDS_Shape, *, product: str, unit: str) -> str:
    """The solid as AP214 text without anything that changes between runs.

    Raises:
        RuntimeError: the kernel did not write the solid.
    """
    quiet()
    writer = STEPControl_Writer()
    for key, value in (("write.step.unit", unit), ("write.step.product.name", _STAND_IN)):
        if not Interface_Static.SetCVal_s(key, value):
            raise RuntimeError(f"the kernel does not know {key}")
    Interface_Static.SetIVal_s("write.surfacecurve.mode", 0)
    done = IFSelect_ReturnStatus.IFSelect_RetDone
    as_is = STEPControl_StepModelType.STEPControl_AsIs
    if writer.Transfer(body, as_is) != done:
        raise RuntimeError(f"{product}: the kernel could not translate the solid")
    return settled(_written(writer), {_STAND_IN: product})


def settled(text: str, names: dict[str, str]) -> str:
    """Replace the header's stamp and the numbered stand-in names."""
    header = (
        f"FILE_NAME('','{_STAMP}',('Witmark'),('Witmark'),"
        "'Open CASCADE STEP processor','Witmark seeded parts','');"
    )
    text = re.sub(r"FILE_NAME\(.*?\);", header, text, count=1, flags=re.DOTALL)
    for stand_in, name in names.items():
        text = re.sub(rf"'{stand_in}(?: \d+)?'", f"'{name}'", text)
    return text


def without_face(text: str, face: int) -> str:
    """Strike one face out of the shell, by its place in the list."""
    shell = re.search(r"CLOSED_SHELL\s*\('',\s*\(([^)]*)\)\s*\)", text)
    if shell is None:
        raise ValueError("the file has no closed shell")
    kept = [ref.strip() for i, ref in enumerate(shell[1].split(",")) if i != face]
    return f"{text[: shell.start(1)]}{','.join(kept)}{text[shell.end(1) :]}"


def quiet() -> None:
    """Take the kernel's progress printer off stdout; the last line there is ours."""
    messenger = Message.DefaultMessenger_s()
    while messenger.Printers().Size():
        messenger.RemovePrinter(messenger.Printers().First())


def _outer_face(body: TopoDS_Shape) -> int:
    """The face furthest towards -x: an outer side, never the place that the case is about."""
    middles = [round(face_middle(face)[0], 6) for face in faces(body)]
    return middles.index(min(middles))


def _written(writer: STEPControl_Writer) -> str:

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.step"
        if writer.Write(str(path)) != IFSelect_ReturnStatus.IFSelect_RetDone:
            raise RuntimeError("the kernel could not write the file")
        return path.read_text(encoding="ascii")
