"""Wires the composer that asks a model; nothing here is loaded by an ask without one."""

from importlib import resources
from pathlib import Path

from witmark.adapters.disk import PosixDisk
from witmark.answers.exhibits import PURPOSE
from witmark.answers.modelling import ModelComposer
from witmark.answers.ports import Composer
from witmark.bootstrap.models import prompt
from witmark.kernel.errors import ReplayDiffersError
from witmark.kernel.model.gateway import Gateway, NoProfileError
from witmark.kernel.model.prompt import Prompt

CALLS_FOLDER = "calls"
"""Below a workspace's home: the journals and blobs of its model calls."""

DESK = "witmark.answers"
PROMPT = "compose.v1.md"
_COMPOSE = "compose."


def calls_disk(home: Path) -> PosixDisk:
    """Where the calls of a workspace are recorded."""
    return PosixDisk(home / CALLS_FOLDER)


def prompt_named(digest: str, *, place: str) -> Prompt:
    """The prompt of any version that a run was made with.

    Raises:
        ReplayDiffersError: none of ours is it, so it was changed.
    """
    folder = resources.files(DESK) / "prompts"
    names = sorted(file.name for file in folder.iterdir() if file.name.startswith(_COMPOSE))
    ours = [prompt(DESK, name) for name in names]
    for one in ours:
        if one.digest == digest:
            return one
    found = ", ".join(one.digest[:19] for one in ours)
    raise ReplayDiffersError(f"{place}: prompt", digest[:19], found)


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
    instructions = prompt(DESK, PROMPT)
    return ModelComposer(gateway, instructions, calls_disk(home), otherwise, retry_id)
