"""Write the pages that the code knows best; with ``--check``, only compare them.

    python tools/export_docs.py [--check]

``docs/cli.md`` is what ``--help`` says, ``docs/errors.md`` what the error classes say, so
neither can be out of date without being noticed.
"""

import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import witmark
from witmark.cli import COMMANDS, main
from witmark.kernel.errors import WitmarkError

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
_LOOK: dict[str, Any] = {"terminal_width": 88, **main.context_settings}

FAMILIES = {
    2: ("input", "The caller gave something that cannot be worked with."),
    3: ("integrity", "Stored bytes are not what their name promises."),
    4: ("outside", "Something we depend on failed; nothing was lost."),
}


def pages() -> dict[str, str]:
    """File name → text."""
    return {"cli.md": _cli(), "errors.md": _errors()}


def error_kinds() -> list[type[WitmarkError]]:
    """Every error class of the package, by code; the CAD kernel is not needed for that."""
    for module in pkgutil.walk_packages(witmark.__path__, "witmark."):
        if _may_hold_errors(module.name):
            importlib.import_module(module.name)
    return sorted(_below(WitmarkError), key=lambda kind: (kind.exit_code, kind.code))


def _may_hold_errors(name: str) -> bool:
    """All but those that load the kernel or a model client, need pytest, or run on import."""
    loads_kernel = "adapters.occt." in name and not name.endswith(".errors")
    loads_client = name.startswith("witmark.adapters.providers.")
    return not (loads_kernel or loads_client) and not name.startswith(
        ("witmark.testing", "witmark.__main__")
    )


def _below(kind: type[WitmarkError]) -> Iterator[type[WitmarkError]]:
    for below in kind.__subclasses__():
        if below.__module__.startswith("witmark."):
            yield below
        yield from _below(below)


def _cli() -> str:
    front = subprocess.run(
        ["sh", str(ROOT / "do"), "help"], capture_output=True, text=True, check=True
    )
    parts = [
        _CLI_HEAD,
        f"## ./do\n\n```text\n{front.stdout.rstrip()}\n```",
        _help(click.Context(main, info_name="witmark", **_LOOK)),
    ]
    for name in COMMANDS:
        parent = click.Context(main, info_name="witmark", **_LOOK)
        command = main.get_command(parent, name)
        assert command is not None, name  # noqa: S101 - COMMANDS is the table of commands
        context = click.Context(command, parent=parent, info_name=name)
        parts.append(_help(context))
        if isinstance(command, click.Group):
            parts += [
                _help(click.Context(command.commands[below], parent=context, info_name=below))
                for below in sorted(command.commands)
            ]
    parts.append(_ENVIRONMENT)
    return "\n\n".join(parts) + "\n"


_CLI_HEAD = """\
# Commands

This page is what `--help` says; `python tools/export_docs.py` writes it."""

_ENVIRONMENT = """\
## Environment

| variable | says |
|---|---|
| `WITMARK_HOME` | where indexes, runs, sessions and cited sources of workspaces are kept, and \
where `trace` looks too; by default `$XDG_DATA_HOME/witmark`, else `~/.local/share/witmark` |
| `WITMARK_VENV` | where `./do` keeps its environment instead of `.venv` |
| `WITMARK_DATA` | where tests and benchmarks look for the shared data |
| `LC_ALL`, `LC_MESSAGES`, `LANG` | the first that is set decides the default of `--lang` |
| `NO_COLOR` | leave colour out, and nothing else |"""


def _help(context: click.Context) -> str:
    said = context.get_help().rstrip()
    return f"## {context.command_path}\n\n```text\n{said}\n```"


def _errors() -> str:
    parts = [_ERRORS_HEAD]
    for exit_code, (family, meaning) in FAMILIES.items():
        rows = [_row(kind) for kind in error_kinds() if kind.exit_code == exit_code]
        head = f"## {family} (exit {exit_code})\n\n{meaning}\n\n| code | means | way out |"
        parts.append("\n".join([head, "|---|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


_ERRORS_HEAD = """\
# Messages

What goes wrong is one line on standard error, and the exit code says who has to act:

    code: place: what is wrong; the way out

The code is stable: scripts may look for it. Anything else on standard error is progress. A
traceback with exit code 3 is a fault of ours. `interrupted` (130) and `terminated` (143) follow
Ctrl-C and SIGTERM; 141 says that the reader of the output had gone. A wrong command line
(exit 2) is answered with its usage.

This page is what the error classes say; `python tools/export_docs.py` writes it."""


def _row(kind: type[WitmarkError]) -> str:
    said = " ".join((kind.__doc__ or "").split("\n\n")[0].split()).replace("``", "`")
    cells = (f"`{kind.code}`", said, kind.hint or "it depends; the line says it")
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def run(arguments: list[str]) -> int:
    """Write or compare; 0 when the folder agrees with the code afterwards."""
    os.environ.pop("COLUMNS", None)
    made = pages()
    if "--check" not in arguments:
        for name, text in made.items():
            (DOCS / name).write_text(text, encoding="utf-8")
        return 0
    stale = [name for name, text in made.items() if _on_disk(name) != text]
    for name in stale:
        print(f"docs/{name} is stale: run python tools/export_docs.py", file=sys.stderr)
    return 1 if stale else 0


def _on_disk(name: str) -> str:
    path = DOCS / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
