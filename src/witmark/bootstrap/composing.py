"""Wires the composer that asks a model; nothing here is loaded by an ask without one."""

from pathlib import Path

from witmark.adapters.disk import PosixDisk
from witmark.answers.exhibits import PURPOSE
from witmark.answers.modelling import ModelComposer
from witmark.answers.ports import Composer
from witmark.bootstrap.models import prompt
from witmark.kernel.model.gateway import Gateway, NoProfileError

CALLS_FOLDER = "calls"
"""Below a workspace's home: the journals and blobs of its model calls."""

PROMPT = "compose.v1.md"


def calls_disk(home: Path) -> PosixDisk:
    """Where the calls of a workspace are recorded."""
    return PosixDisk(home / CALLS_FOLDER)


def model_composer(
    gateway: Gateway | None,
    home: Path,
    otherwise: Composer,
    *,
    retry_id: str | None = None,
    is_wanted: bool = False,
) -> Composer:
    """The composer that asks a model, or ``otherwise`` if none is set up for this desk.

    Raises:
        NoProfileError: none is, and one is wanted.
    """
    if gateway is None or not gateway.serves(PURPOSE):
        if is_wanted:
            raise NoProfileError("no model is set up for this", place=PURPOSE)
        return otherwise
    instructions = prompt("witmark.answers", PROMPT)
    return ModelComposer(gateway, instructions, calls_disk(home), otherwise, retry_id)
