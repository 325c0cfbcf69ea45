"""``witmark diagnose``: from a folder with a report to a diagnosis, or an honest hand-over."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from witmark.cli.options import (
    config_option,
    diagnosis_config_option,
    html_option,
    model_option,
    package_option,
    program,
    retry_option,
    sarif_option,
    view_language_option,
)

if TYPE_CHECKING:
    from witmark.diagnosis.builder import Blocked, Published
    from witmark.diagnosis.case import CaseId, PackageId

ON_ITS_OWN = (
    "“on its own” in the table says how a place stands by its rank alone; how well the cause "
    "is supported stands in the headline"
)

MOST_WAITS_S = 120
"""So long another process may be at the same decision before we say so and end."""

Settled = tuple[Path | None, Path | None, bool]
"""The settings, the diagnosis's own, and whether a model may be asked."""


@click.command("diagnose")
@click.argument("case", type=click.Path(path_type=Path))
@package_option
@config_option
@diagnosis_config_option
@model_option
@retry_option
@click.option("--json", "as_json", is_flag=True, help="Print the published result.")
@html_option
@sarif_option
@view_language_option
def command(  # noqa: PLR0913 - a command's options
    *,
    case: Path,
    package: str | None,
    config: Path | None,
    diagnosis_config: Path | None,
    use_model: bool,
    retry_id: str | None,
    as_json: bool,
    html: Path | None,
    sarif: Path | None,
    lang: str,
) -> int:
    """Diagnose CASE: a folder with a report, and what there is of logs, traces and source.

    CASE may also be a single report, an archive, or the name of a package that was made
    before. It is copied, never written to. `report.md` says what is wrong; `source/` holds
    the code, `good/` that of the last good version, `logs/` and `config/` the rest; an archive
    `source.zip` or `good.tar.gz` will do as well.

    Exit code 0 when a root cause is confirmed, 1 when it is inconclusive and handed over.
    """
    from witmark.cli.case_reporting import refuse_views, write_views

    refuse_views(html, sarif, case)
    case_id, package_id = package_at(case, package)
    settled = (config, diagnosis_config, use_model)
    code = diagnose_package(case_id, package_id, settled, retry_id=retry_id, as_json=as_json)
    write_views((case_id, package_id), html, sarif, lang)
    return code


def diagnose_package(
    case_id: "CaseId",
    package_id: "PackageId",
    settled: Settled,
    *,
    retry_id: str | None,
    as_json: bool,
) -> int:
    """Take a package as far as it goes, and print what was published."""
    import asyncio

    from witmark.bootstrap.case_packages import store
    from witmark.bootstrap.diagnosing import desk
    from witmark.bootstrap.settings import load_settings
    from witmark.diagnosis.builder import Published
    from witmark.diagnosis.config import DiagnosisConfig
    from witmark.diagnosis.use_cases import diagnose, run_phases
    from witmark.kernel.errors import visible
    from witmark.kernel.model.outcome import Because

    config, own, use_model = settled
    policy = DiagnosisConfig() if own is None else DiagnosisConfig.load(own)
    made = desk(load_settings(config), policy, use_model=use_model, progress=_progress)
    run_phases(case_id, package_id, made)  # outside the loop, where Ctrl-C ends them at once
    for turn in range(MOST_WAITS_S):
        built = asyncio.run(diagnose(case_id, package_id, made, retry_id=retry_id))
        if isinstance(built, Published) or built.because is not Because.HELD:
            break
        if not turn:
            click.echo("another process asks for this decision; waiting for it", err=True)
        time.sleep(1)
    if not isinstance(built, Published):
        return _blocked(built, f"{case_id}/{package_id}")
    disk = store().disk(case_id, package_id)
    name = "diagnosis" if as_json else "diagnosis_summary"
    raw = disk.read(built.manifest.pointers[name]) or b""
    sys.stdout.buffer.write(raw if raw.endswith(b"\n") else raw + b"\n")
    if built.diagnosis.root_cause is not None and not as_json:
        click.echo(ON_ITS_OWN, err=True)
    click.echo(f"package: {visible(str(store().place(case_id, package_id)))}", err=True)
    return _code(built)


def package_at(path: Path, package: str | None) -> tuple["CaseId", "PackageId"]:
    """The package of a name, or of a folder, a report or an archive as it is now."""
    from witmark.bootstrap.case_packages import package_named, store
    from witmark.bootstrap.diagnosing import package_of
    from witmark.diagnosis.case import CaseId

    if not path.exists() and path.parts and CaseId(path.parts[0]) in store().cases():
        return package_named(str(path), package)
    case_id, package_id, left_out = package_of(path)
    for one in left_out:
        click.echo(f"left out {one}", err=True)
    return case_id, package_id


def _code(built: "Published") -> int:
    from witmark.diagnosis.decision import Status

    return 0 if built.diagnosis.status is Status.CONFIRMED else 1


def _blocked(built: "Blocked", name: str) -> int:
    from witmark.adapters.clock import SystemClock
    from witmark.bootstrap.diagnosing import NoDecisionError

    told = "; ".join(f"{one.code}: {one.detail}" for one in built.failures)
    wait = ""
    if built.eligible_at_ms is not None:
        wait_s = max(0, built.eligible_at_ms - SystemClock().now_ms()) // 1000 + 1
        wait = f", again in {wait_s} s"
    raise NoDecisionError(
        f"no decision came ({built.because.value}{wait}): {told}",
        place="model",
        hint=f"run `{program()} case resume {name}` later, or with --retry-id NAME, "
        "or with --no-model",
    )


def _progress(phase: str) -> None:
    click.echo(f"{phase} …", err=True)
