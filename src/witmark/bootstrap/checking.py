"""Asks every model of the settings one tiny thing, through the very path that a desk takes.

Analysts in this process are not asked: it is looked up for which purposes there are any.
"""

import asyncio
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from witmark.adapters.clock import SystemClock
from witmark.adapters.disk import PosixDisk
from witmark.answers import exhibits as answers
from witmark.bootstrap.models import providers_of
from witmark.bootstrap.settings import PURPOSES, Settings
from witmark.diagnosis import deciding
from witmark.kernel.canon import digest_of
from witmark.kernel.journal import read_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes, RequestTooLargeError
from witmark.kernel.model.ledger import Call, calls_of
from witmark.kernel.model.outcome import (
    Accepted,
    Admitted,
    Blocked,
    Judgement,
    Outcome,
    Refused,
    Rejected,
    Waiting,
)
from witmark.kernel.model.record import events_of
from witmark.kernel.model.request import Ask, Message, OutputSchema, Profile, Role
from witmark.review.analysts import analysts

EMBEDDED = "embedded"
PURPOSE = "models.check"
"""What a script's row is for, if it wants to be checked."""

_SCHEMA = OutputSchema(
    "models-check/1",
    {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
        "additionalProperties": False,
    },
)
_SAID = (
    Message(Role.SYSTEM, "You answer with one JSON object and nothing else."),
    Message(Role.USER, 'Answer with exactly this: {"ok": true}'),
)


@dataclass(frozen=True, slots=True)
class Checked:
    """What one profile came to.

    Attributes:
        profile: Which.
        works: Whether it answered in the form asked.
        says: What it came to, for a reader.
        call: The request that was made, as the ledger has it; ``None`` if none was.
    """

    profile: Profile
    works: bool
    says: str
    call: Call | None


def check_models(settings: Settings) -> Iterator[Checked]:
    """Ask each profile once, by name; one request each at most, and no record is kept."""
    for profile in settings.profiles:
        if profile.provider == EMBEDDED:
            yield _looked_up(profile, settings.models, _analysed())
            continue
        with tempfile.TemporaryDirectory(prefix="witmark-check-") as folder:
            yield _check(profile, settings, PosixDisk(Path(folder)))


def _analysed() -> frozenset[str]:
    """Every purpose that this installation has an analyst for."""
    return frozenset({answers.PURPOSE, *analysts(), deciding.PURPOSE})


def _looked_up(profile: Profile, routes: ModelRoutes, analysed: frozenset[str]) -> Checked:
    """Whether there is an analyst for everything that an embedded profile serves."""
    served = [purpose for purpose in PURPOSES if profile in routes.of(purpose)]
    if lacking := [purpose for purpose in served if purpose not in analysed]:
        return Checked(profile, False, f"no analyst for {', '.join(lacking)}", None)
    says = f"has an analyst for {', '.join(served)}" if served else "serves nothing"
    return Checked(profile, True, says, None)


def _check(profile: Profile, settings: Settings, disk: PosixDisk) -> Checked:
    routes = ModelRoutes({"*": (profile,)}, settings.models.max_request_bytes)
    gateway = DurableGateway(routes, providers_of(settings), SystemClock())
    ask = Ask("check", profile.name, PURPOSE, _SAID, _SCHEMA, digest_of(_SAID[0].text.encode()))
    try:
        outcome = asyncio.run(gateway.dispatch(ask, _judge, disk))
    except RequestTooLargeError as error:
        return Checked(profile, False, f"{error}; {error.hint}", None)
    calls = calls_of(events_of(read_journal(disk, "check"), place="check"))
    call = calls[0] if calls else None  # none if something is missing here
    return Checked(profile, isinstance(outcome, Accepted), _says(outcome), call)


def _judge(text: str) -> Judgement:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return Refused("answers, but not in JSON")
    if isinstance(found, dict) and set(found) == {"ok"} and isinstance(found["ok"], bool):
        return Admitted()
    return Refused("answers, but not in the form asked")


def _says(outcome: Outcome) -> str:
    match outcome:
        case Accepted():
            return "works"
        case Rejected(feedback=feedback):
            return feedback
        case Waiting(failures=failures) | Blocked(failures=failures):
            return "; ".join(f"{one.code}: {one.detail}" for one in failures)
