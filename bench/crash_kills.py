"""The deaths of model calls: which lives, and what has to be left of them."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.dying import Lives, Tally, as_told, forked, refusals_of
from bench.model_lives import IMAGE, LIVES, Life, ending, kinds, lines
from witmark.adapters.disk import PosixDisk
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import WitmarkError
from witmark.kernel.store import blob_path

SHORT_LIMITS = (64, 700, 1500, 2400, 3200, 4000, 4800, 5600, 6400)
"""Bytes that a file may have; the lives' records and images end on both sides of each."""

NAUGHT = (
    *("lost_replies", "second_requests", "hidden_requests", "stuck", "unreadable"),
    *("changed_inputs", "not_actionable", "missed"),
)


def run_all(parent: Path, lives: Sequence[str] | None, *, times: int, share: int) -> Tally:
    """Kill every life at each of its calls, and refuse each of its calls.

    Args:
        parent: An empty folder to work in.
        lives: Which; ``None`` for all.
        times: How often each kill is done.
        share: Refuse one call in so many.
    """
    tally = Tally(dict.fromkeys(NAUGHT, 0))
    for name in lives or LIVES:
        calls = _Calls(parent / name.replace(" ", "-"), name, tally)
        points = calls.points()
        kills = [point for point in points if point.creates]
        tally.points[name] = len(kills)
        for point in kills * times:
            calls.kill(point)
        for at, (error, point) in enumerate(refusals_of(points)):
            if at % share == 0:
                calls.refuse(error, point)
        for most in SHORT_LIMITS:
            calls.shorten(most)
    return tally


class _Calls(Lives):
    """One kind of model call."""

    def prepare(self, here: Path) -> None:
        """An empty folder."""

    def live(self, here: Path) -> str:
        """Run a life; say how it ended, or what its caller is told."""
        return _told(self._life(here), here)

    def is_fine(self, told: dict[str, Any]) -> bool:
        """Whether it came to what the answers come to."""
        return bool(told.get("ending") == LIVES[self.name][1])

    def hold(self, here: Path, where: str) -> None:
        """Whatever happened: nothing durable is lost, and another process brings it home."""
        disk, life = PosixDisk(here / "disk"), self._life(here)
        try:
            before, had = lines(disk), kinds(disk)
        except WitmarkError as error:
            self.tally.note("unreadable", f"{where}: {error}")
            return
        asked = life.requests()
        if asked > had.count("sent"):
            self.tally.note("hidden_requests", where)
        said = forked(lambda: _told(Life(life.name, life.count, 1_000_000), here))
        if said is None or not self.is_fine(json.loads(said)):
            self.tally.note("stuck", f"{where}: then {said}")
            return
        after, has = lines(disk), kinds(disk)
        if after[: len(before)] != before:
            self.tally.note("lost_replies", where)
        unjudged = had[-1:] == ["replied"]
        if unjudged and has[len(had)] != "judged":
            self.tally.note("second_requests", where)
        if life.requests() - asked != has[len(had) :].count("sent"):
            self.tally.note("second_requests", where)
        if disk.read(blob_path(digest_of(IMAGE))) != IMAGE:
            self.tally.note("changed_inputs", where)
        shutil.rmtree(here)
        life.count.unlink()

    def _life(self, here: Path) -> Life:
        return Life(self.name, here.with_name(f"count-{here.name}"))


def _told(life: Life, here: Path) -> str:
    try:
        outcome = life.run(PosixDisk(here / "disk"))
    except WitmarkError as error:
        return as_told(error)
    return json.dumps({"ending": ending(outcome)})
