"""Wires the model of the review desk; nothing here is loaded by a review without one."""

from importlib import resources
from pathlib import Path

from witmark.adapters.disk import PosixDisk
from witmark.bootstrap.home import home
from witmark.bootstrap.models import gateway_of
from witmark.bootstrap.settings import load_settings
from witmark.kernel.model.gateway import NoProfileError
from witmark.review.analysts import analysts
from witmark.review.asking.talking import Purpose
from witmark.review.use_cases import Adviser

DESK = "witmark.review"
REVIEWS_FOLDER = "reviews"
"""Below ``$WITMARK_HOME``: the records of model calls, a folder for each file's facts."""

PROMPTS = ("interfaces.v1.md", "judge.v2.md", "roles.v1.md", "units.v1.md")


def review_adviser(config: Path | None, *, is_wanted: bool = False) -> Adviser | None:
    """The model that the settings have for a review; ``None`` if they have none.

    Raises:
        SettingsError: the settings cannot be read.
        NoProfileError: there is none, and one is wanted.
    """
    gateway = gateway_of(load_settings(config), embedded=analysts())
    if gateway is None or not any(gateway.serves(purpose.value) for purpose in Purpose):
        if is_wanted:
            raise NoProfileError("no model is set up for this", place="review")
        return None
    return Adviser(gateway, prompt_files(), record_disk)


def prompt_files() -> dict[str, bytes]:
    """The prompts in use, by file name."""
    folder = resources.files(DESK) / "prompts"
    return {name: (folder / name).read_bytes() for name in PROMPTS}


def record_disk(key: str) -> PosixDisk:
    """Where the calls of one review are recorded."""
    return PosixDisk(home() / REVIEWS_FOLDER / key)
