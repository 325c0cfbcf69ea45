"""The command line: parse, call one use case, print.

One command, one file. A command's module is imported only when it runs, so that ``--help``
answers at once and a machine without the CAD kernel can still verify and trace.
"""

import errno
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Any, ClassVar, NoReturn

import click

from witmark import __version__
from witmark.cli.lazy import LazyCommands
from witmark.kernel.errors import DiskError, WitmarkError, one_line

COMMANDS = {
    "review": "Review a STEP file against a rulebook.",
    "features": "List every face, its feature and its dimensions.",
    "trace": "Print what a citation points at, in context.",
    "verify": "Decide a report's verdicts again and check every byte.",
    "ask": "Answer a question from a folder of Markdown notes.",
    "ingest": "Index a folder of notes; follow it with --watch.",
    "open": "Show a cited source with its place marked.",
    "runs": "List what was asked; show one run; compare two.",
    "replay": "Make a run again from its record; compare every byte.",
    "export": "Write everything kept of a workspace as one bundle.",
    "import": "Put an exported bundle back into an empty workspace.",
    "serve": "Serve a workspace over HTTP on this machine.",
    "diagnose": "Diagnose a bug from a folder with a report, logs, traces and source.",
    "case": "Make a case package, add to it, and see where it stands.",
    "work": "Diagnose what is queued, case by case; several may run side by side.",
    "models": "List the models that are set up; check that they answer.",
    "doctor": "Say what this machine lacks, and how to get it.",
}

_MODULES = {"import": "importing"}
"""Commands whose name is a keyword of Python."""

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
READ_ENOUGH = 128 + 13
"""SIGPIPE, by number, for Windows has none: who reads us has gone, as ``head`` does."""

BROKEN_INVARIANT = 3


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""What a disk says that takes no more."""


class Terminated(BaseException):
    """SIGTERM, made to unwind as Ctrl-C does: every ``with`` block cleans up behind it."""


class ReaderGone(BaseException):
    """Nobody reads our output any more; click would take it for a plain "no"."""


class LazyGroup(LazyCommands):
    """Every command, and the door at which every error becomes one line and an exit code."""

    table: ClassVar = {
        name: (_MODULES.get(name, name), "command", said) for name, said in COMMANDS.items()
    }

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's signature
        """Run the command.

        Raises:
            ReaderGone: standard output leads nowhere.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGone from error

    def main(self, *args: Any, **extra: Any) -> Any:  # noqa: ANN401 - click's signature
        """Run, and turn every error into one line and the exit code of who must act."""
        signal.signal(signal.SIGTERM, _terminate)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show it all
                stream.reconfigure(errors="backslashreplace")
        asked = {**extra, "standalone_mode": False}
        sys.exit(_exit_code(lambda: super(LazyGroup, self).main(*args, **asked)))


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Terminated


def _exit_code(run: Callable[[], object]) -> int:
    try:
        code = _said_whole(run)
    except WitmarkError as error:
        click.echo(one_line(error), err=True)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort, Terminated) as end:
        return _cut_short(end)
    except Exception:  # noqa: BLE001 - a door: the last place that can say whose fault it is
        traceback.print_exc()
        click.echo(
            "witmark: this is a fault of ours, not of your file; nothing was published",
            err=True,
        )
        return BROKEN_INVARIANT
    return code if isinstance(code, int) else 0


def _said_whole(run: Callable[[], object]) -> object:
    """Run, and see that what was said has left us: standard output may be a full disk.

    Raises:
        DiskError: it could not be written.
    """
    try:
        try:
            return run()
        except SystemExit as end:
            return end.code
        finally:
            if isinstance(sys.stdout, io.TextIOBase):  # it may be closed from the start
                sys.stdout.flush()
    except (BrokenPipeError, ReaderGone):  # nobody knows what the answer would have been
        _say_no_more()
        return READ_ENOUGH
    except OSError as error:
        if error.filename is not None or error.errno not in _FULL:
            raise  # not of standard output, or a fault of ours
        _say_no_more()
        because = os.strerror(error.errno).lower()
        hint = "make room where it leads, then run again"
        raise DiskError(because, place="standard output", hint=hint) from error


def _say_no_more() -> None:
    """What is still to be written at the end of the process goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _cut_short(end: BaseException) -> int:
    """The exit code a shell expects of a run that somebody else ended."""
    terminated = isinstance(end, Terminated)
    said = "terminated" if terminated else "interrupted"
    click.echo(f"{said}; nothing is left half written", err=True)
    return TERMINATED if terminated else INTERRUPTED


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
)
@click.version_option(__version__, prog_name="witmark")
def main() -> None:
    """Findings you can walk back to their evidence.

    Exit codes: 0 yes, 1 a "no" that is a result, 2 your input, 3 integrity, 4 something
    outside us, 130 Ctrl-C, 141 the reader of the output has gone, 143 terminated.
    """
