"""``witmark diagnose``: from a folder with a report to a diagnosis, or an honest hand-over."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from witmark.cli.options import config_option

if TYPE_CHECKING:
    from witmark.diagnosis.builder import Blocked, Published


@click.command("diagnose")
@click.argument("case", type=click.Path(path_type=Path))
@config_option
@click.option(
    "--diagnosis-config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Limits and policy (config/diagnosis.example.toml).",
)
@click.option(
    "--model/--no-model", "use_model", default=True, help="Ask a model, if one is set up."
)
@click.option(
    "--retry-id", metavar="ID", help="Open a blocked model call again, once per name."
)
@click.option("--json", "as_json", is_flag=True, help="Print the published result.")
def command(  # noqa: PLR0913 - a command's options
    *,
    case: Path,
    config: Path | None,
    diagnosis_config: Path | None,
    use_model: bool,
    retry_id: str | None,
    as_json: bool,
) -> int:
    """Diagnose the folder CASE: a report, and what there is of logs, traces and source.

    The folder is copied, never written to. `report.md` says what is wrong; `source/` holds the
    code, `good/` that of the last good version, `logs/` and `config/` the rest.

    Exit code 0 when a root cause is confirmed, 1 when it is inconclusive and handed over.
    """
    import asyncio

    from witmark.bootstrap.diagnosing import desk, package_of, store
    from witmark.bootstrap.settings import load_settings
    from witmark.diagnosis.builder import Published
    from witmark.diagnosis.config import DiagnosisConfig
    from witmark.diagnosis.use_cases import diagnose
    from witmark.kernel.errors import visible

    settled = (
        DiagnosisConfig()
        if diagnosis_config is None
        else DiagnosisConfig.load(diagnosis_config)
    )
    made = desk(load_settings(config), settled, use_model=use_model, progress=_progress)
    case_id, package_id, left_out = package_of(case)
    for one in left_out:
        click.echo(f"left out {visible(one)}", err=True)
    built = asyncio.run(diagnose(case_id, package_id, made, retry_id=retry_id))
    if not isinstance(built, Published):
        return _blocked(built)
    disk = store().disk(case_id, package_id)
    name = "diagnosis" if as_json else "diagnosis_summary"
    raw = disk.read(built.manifest.pointers[name]) or b""
    sys.stdout.buffer.write(raw if raw.endswith(b"\n") else raw + b"\n")
    click.echo(f"package: {store().place(case_id, package_id)}", err=True)
    return _code(built)


def _code(built: "Published") -> int:
    from witmark.diagnosis.decision import Status

    return 0 if built.diagnosis.status is Status.CONFIRMED else 1


def _blocked(built: "Blocked") -> int:
    from witmark.kernel.errors import OutsideError

    told = "; ".join(f"{one.code}: {one.detail}" for one in built.failures)
    wait = "" if built.eligible_at_ms is None else f", not before {built.eligible_at_ms} ms"
    raise OutsideError(
        f"no decision came ({built.because.value}{wait}): {told}",
        place="model",
        hint="run it again later, or with --retry-id NAME, or with --no-model",
    )


def _progress(phase: str) -> None:
    click.echo(f"{phase} …", err=True)
