"""A folder is followed: what changes is ingested once it has been still for a moment."""

from collections.abc import Callable
from threading import Event

from witmark.answers.ingest_plan import plan_changes
from witmark.answers.ingesting import IngestReport, ingest
from witmark.answers.ports import Library, NoteParser, Scan, Vault
from witmark.kernel.errors import InputError, OutsideError, WitmarkError

Said = Callable[[IngestReport | WitmarkError], None]
"""Told what an ingest did, or why one could not be made; watching goes on."""


def watch(  # noqa: PLR0913 - a desk's parts, and how to use them
    vault: Vault,
    parser: NoteParser,
    library: Library,
    *,
    said: Said,
    stop: Event,
    poll_s: float = 1.0,
) -> None:
    """Follow a folder until ``stop`` is set; every change is ingested when it has settled.

    A folder that cannot be listed, or a library that is busy, is said once and tried
    again; an editor that saves in several steps is waited for, one poll at least.
    """
    settled = before = _looked(vault, said, None)
    last_error = ""
    while not stop.wait(poll_s):
        now = _looked(vault, said if not last_error else _nobody, before)
        last_error = "" if now is not None else "listing"
        if now is None or now == settled:
            before = now
            continue
        if now != before:
            before = now
            continue
        if not _differs(now, library):
            settled = now
            continue
        try:
            said(ingest(vault, parser, library))
        except (InputError, OutsideError) as error:
            said(error)
            before = None  # not before it has been still again
        else:
            settled = now


def _differs(scan: Scan, library: Library) -> bool:
    plan = plan_changes(scan, library.stamps())
    return bool(plan.to_read or plan.vanished) or scan.failures != library.failures()


def _looked(vault: Vault, said: Said, before: Scan | None) -> Scan | None:
    try:
        return vault.scan()
    except (InputError, OutsideError) as error:
        if before is not None:
            said(error)
        return None


def _nobody(_what: IngestReport | WitmarkError) -> None:
    """What was said already is not said again."""
