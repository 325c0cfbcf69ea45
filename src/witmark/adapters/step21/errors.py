"""Why a STEP file cannot be reviewed: each names the file, the place and a way out."""

from witmark.kernel.errors import InputError


class StepInputError(InputError):
    """A STEP file we cannot work with. ``line`` is 1-based; 0 when the whole file is meant."""

    code = "input.step"

    def __init__(self, source: str, why: str, *, line: int = 0) -> None:
        super().__init__(f"{source}:{line}: {why}" if line else f"{source}: {why}")
        self.source, self.why, self.line = source, why, line

    def __reduce__(self) -> tuple[object, ...]:
        """Cross a process border whole: ``args`` alone would lose source and line."""
        return _rebuilt, (type(self), self.source, self.why, self.line)


def _rebuilt(kind: type[StepInputError], source: str, why: str, line: int) -> StepInputError:
    return kind(source, why, line=line)


class UnreadableFileError(StepInputError):
    """The path leads to nothing that can be read."""

    code = "input.unreadable"
    hint = "check the path and that you may read the file"


class NotStepError(StepInputError):
    """The bytes are not a STEP exchange structure."""

    code = "input.not-step"
    hint = "export the model as STEP (AP203, AP214 or AP242) and pass that file"


class TruncatedStepError(StepInputError):
    """The file stops before its end."""

    code = "input.truncated-step"
    hint = "copy or export the file again; the end is missing"


class BrokenStepError(StepInputError):
    """A record breaks the rules of the exchange structure."""

    code = "input.broken-step"
    hint = "export the file again; if that does not help, look at the line named"


class WrongSchemaError(StepInputError):
    """A well-formed exchange file of something else than a product model."""

    code = "input.wrong-schema"
    hint = "export the model as STEP AP203, AP214 or AP242"


class NoSolidError(StepInputError):
    """The file has nothing that bounds a volume."""

    code = "input.no-solid"
    hint = "export solids, not only surfaces, wires or drawings"


class CyclicAssemblyError(StepInputError):
    """A product contains itself."""

    code = "input.cyclic-assembly"
    hint = "remove the occurrence that closes the circle and export again"


class ExternalReferenceError(StepInputError):
    """A referred file is missing, outside the folder of the opened file, or unreadable."""

    code = "input.external-reference"
    hint = "put the referred files beside the opened one, or export the assembly as one file"


class MixedLengthUnitError(StepInputError):
    """Some shapes have a length unit and some have none."""

    code = "input.mixed-length-unit"
    hint = "export again so that every shape states its unit"


class HugeCoordinatesError(StepInputError):
    """A part so far from its origin that its dimensions drown in rounding."""

    code = "input.huge-coordinates"
    hint = "move the part to its origin, or check the length unit, and export again"


class UnplaceableError(StepInputError):
    """An instance is placed by something that is not a rigid motion or a mirror image."""

    code = "input.scaled-placement"
    hint = "apply the scale to the part itself and export again"


class KernelRefusedError(StepInputError):
    """The CAD kernel could not read a file that looks well formed."""

    code = "input.kernel-refused"
    hint = "export the file again, or with another schema (AP214 or AP242)"
