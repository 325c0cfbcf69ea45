"""The CAD kernel failed on a file: Witmark lives on, and says which file it was."""

from witmark.kernel.errors import OutsideError


class CadKernelError(OutsideError):
    """The kernel's process did not answer. ``source`` is the file it worked on."""

    code = "outside.cad-kernel"
    hint = "export the file again, with another schema or in smaller pieces"

    def __init__(self, source: str, why: str) -> None:
        super().__init__(f"{source}: {why}")
        self.source, self.why = source, why


class CadKernelCrashError(CadKernelError):
    """The process died of a signal or of an error it could not report."""

    code = "outside.cad-kernel-crash"


class CadKernelTimeoutError(CadKernelError):
    """The process was stopped at its time limit."""

    code = "outside.cad-kernel-timeout"


class CadKernelMemoryError(CadKernelError):
    """The process was stopped at its memory limit."""

    code = "outside.cad-kernel-memory"


class CadKernelMissingError(CadKernelError):
    """The kernel, or a library that it needs, is not on this machine."""

    code = "outside.cad-kernel-missing"
    hint = "`witmark doctor` says what is missing and how to get it"
