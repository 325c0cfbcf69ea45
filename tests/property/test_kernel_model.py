"""Random scripts of answers, failures, waits and crashes, against a table written twice.

The oracle below was written from the contract, not from the code: it knows a question, the
providers of each configuration, and nothing of journals.
"""

import asyncio
import json
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from witmark.kernel.canon import digest_of
from witmark.kernel.journal import read_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.outcome import Accepted, Admitted, Blocked, Refused, Rejected, Waiting
from witmark.kernel.model.replaying import ReplayGateway
from witmark.kernel.model.request import Ask, Message, OutputSchema, Profile, Role
from witmark.testing.disks import MemoryDisk, PowerCut
from witmark.testing.models import (
    PlayedProvider,
    SteadyClock,
    misconfigured,
    no_key,
    unreachable,
)

MOST = 3
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)  # a script is short enough as it is
ASK = Ask(
    "r",
    "why",
    "p.q",
    (Message(Role.USER, "Why?"),),
    OutputSchema("o/1", {}),
    digest_of(b""),
)
RIGHT = (
    Profile("a", "played", "m", retries=2, backoff_s=10.0, backoff_cap_s=30.0),
    Profile("b", "played", "m", retries=0, backoff_s=50.0),
)
CORRECTED = (Profile("a", "played", "m", "http://x", retries=1, backoff_s=0.0),)
BRITTLE = (Profile("c", "played", "m", retries=0, backoff_s=50.0),)
PATIENT = (Profile("c", "played", "m", retries=3, backoff_s=1.0, timeout_s=9.0, key_env="K"),)
CONFIGURATIONS = {
    "right": RIGHT,
    "corrected": CORRECTED,
    "brittle": BRITTLE,
    "patient": PATIENT,  # brittle, reached another way: the same operation
}
ANSWERS = ("good", "bad", "fails", "fails for 100 s", "misconfigured", "no key")
CRASHES = ("sent", "failed", "replied", "judged")


# The oracle ------------------------------------------------------------------------------


@dataclass
class Way:
    """A provider, as the contract sees it."""

    tries: int
    backoff_s: float
    cap_s: float
    asked_by: str = ""  # the settings of the last request to it
    failed: int = 0
    eligible_ms: int = 0
    is_wrong: bool = False

    def fail(self, now_ms, *, asked_s=0.0, is_wrong=False):
        if is_wrong:
            self.is_wrong = True
        else:
            wait_s = max(asked_s, min(self.cap_s, self.backoff_s * 2**self.failed))
            self.eligible_ms = now_ms + round(wait_s * 1000)
        self.failed += 1

    @property
    def is_left(self):
        return not self.is_wrong and self.failed < self.tries


@dataclass
class Operation:
    """One configuration's part of the question."""

    ways: list[Way]
    waiting_for: int | None = None  # asked, and no answer is known
    kept: str | None = None  # an answer that nobody has judged
    is_accepted: bool = False
    invalid: int = 0
    opened_by: set[str] = field(default_factory=set)
    is_missing: set[int] = field(default_factory=set)  # whose key was not there just now


def ways_of(profiles):
    return [Way(p.retries + 1, p.backoff_s, p.backoff_cap_s) for p in profiles]


class DeathError(Exception):
    """The oracle expects the process to die here."""


class Oracle:
    """What the contract says must happen, dispatch by dispatch.

    ``is_frozen``: the desk froze the number of invalid answers for the whole question.
    """

    def __init__(self, *, is_frozen=False):
        self.is_frozen = is_frozen
        self.operations = {
            name: Operation(ways_of(profiles)) for name, profiles in CONFIGURATIONS.items()
        }
        self.operations["patient"] = self.operations["brittle"]
        self.asked = []

    def dispatch(self, name, answer, crash, retry_id, now_ms):
        """What comes of it, as plain words; ``DeathError`` if the process dies."""
        at = self.operations[name]
        if at.is_accepted:
            return ("accepted",)
        counted = {id(one): one for one in self.operations.values() if self.is_frozen}
        invalid = sum(one.invalid for one in ({id(at): at} | counted).values())
        for way, now in zip(at.ways, ways_of(CONFIGURATIONS[name]), strict=True):
            if not way.asked_by:  # it counts from its first request on
                way.tries = now.tries
            way.backoff_s, way.cap_s = now.backoff_s, now.cap_s
        if at.kept is None:
            if at.waiting_for is not None:
                self._die(crash, "failed")
                at.ways[at.waiting_for].fail(now_ms)
                at.waiting_for = None
            if invalid >= MOST:
                return ("rejected", invalid, 0)
            self._open(at, retry_id)
            self._open_otherwise(at, name)
            if not self._ask(at, name, answer, crash, now_ms):
                return self._closed(at, now_ms)
        self._die(crash, "judged")
        said, at.kept = at.kept, None
        if said == "good":
            at.is_accepted = True
            return ("accepted",)
        at.invalid += 1
        return ("rejected", invalid + 1, max(0, MOST - invalid - 1))

    def _open(self, at, retry_id):
        is_shut = not any(way.is_left for way in at.ways)
        if is_shut and retry_id and retry_id not in at.opened_by:
            at.opened_by.add(retry_id)
            for way in at.ways:
                way.failed, way.is_wrong = 0, False

    def _open_otherwise(self, at, name):
        """Another way to the provider that failed opens it again, once."""
        was = {way.asked_by for way in at.ways} - {""}
        is_shut = not any(way.is_left for way in at.ways)
        if is_shut and was - {name} and f"settings {name}" not in at.opened_by:
            at.opened_by.add(f"settings {name}")
            for way in at.ways:
                way.failed, way.is_wrong = 0, False

    def _ask(self, at, name, answer, crash, now_ms):
        """Whether an answer came."""
        ready = [
            n for n, way in enumerate(at.ways) if way.is_left and way.eligible_ms <= now_ms
        ]
        at.is_missing = {n for n in ready if answer == "no key"}
        if not ready or at.is_missing:
            return False
        self._die(crash, "sent")
        at.ways[ready[0]].asked_by = name
        at.ways[ready[0]].tries = CONFIGURATIONS[name][ready[0]].retries + 1
        self.asked.append(CONFIGURATIONS[name][ready[0]].name)
        at.waiting_for = ready[0]
        if answer in {"good", "bad"}:
            self._die(crash, "replied")
            at.kept = answer
        else:
            self._die(crash, "failed")
            asked_s = 100.0 if answer == "fails for 100 s" else 0.0
            is_wrong = answer == "misconfigured"
            at.ways[ready[0]].fail(now_ms, asked_s=asked_s, is_wrong=is_wrong)
        at.waiting_for = None
        return at.kept is not None

    def _closed(self, at, now_ms):
        missing = at.is_missing
        left = [w.eligible_ms for n, w in enumerate(at.ways) if w.is_left and n not in missing]
        if not left:
            is_wrong = all(w.is_wrong or n in missing for n, w in enumerate(at.ways))
            return ("blocked", "misconfigured" if is_wrong else "exhausted")
        if min(left) <= now_ms:
            return ("waiting", "next-provider", now_ms)
        return ("waiting", "backing-off", min(left))

    def _die(self, crash, before):
        if crash == before:
            raise DeathError


# The code --------------------------------------------------------------------------------


class DyingDisk(MemoryDisk):
    """Loses power before it writes an entry of one kind."""

    before = None

    def add_line(self, name, line, *, at):
        if json.loads(line)["kind"] == f"model.{self.before}":
            raise PowerCut
        super().add_line(name, line, at=at)


def judge(text):
    return Admitted() if text == "good" else Refused("no")


def answer_of(word):
    match word:
        case "fails":
            return unreachable()
        case "fails for 100 s":
            return unreachable(retry_after_s=100.0)
        case "misconfigured":
            return misconfigured()
        case _:
            return word


def in_words(outcome):
    match outcome:
        case Accepted():
            return ("accepted",)
        case Rejected(invalid=invalid, left=left):
            return ("rejected", invalid, left)
        case Blocked(because=because):
            return ("blocked", because.value)
        case Waiting(because=because, eligible_at_ms=at_ms):
            return ("waiting", because.value, at_ms)


READERS = {"played": PlayedProvider([])}


class Code:
    def __init__(self, *, is_frozen=False):
        self.disk, self.clock, self.asked = DyingDisk(), SteadyClock(), []
        self.ask = replace(ASK, max_invalid_responses=MOST if is_frozen else None)

    def dispatch(self, name, answer, crash, retry_id):
        missing = [no_key()] * 9 if answer == "no key" else []
        provider = PlayedProvider([answer_of(answer)], missing)
        routes = ModelRoutes({"*": CONFIGURATIONS[name]}, max_invalid_responses=MOST)
        gateway = DurableGateway(routes, {"played": provider}, self.clock)
        self.disk.before = crash
        try:
            return asyncio.run(gateway.dispatch(self.ask, judge, self.disk, retry_id=retry_id))
        finally:
            self.asked += [request.profile.name for request in provider.asked]

    def replayed(self):
        head = digest_of(read_journal(self.disk, "r")[-1].to_bytes())
        replay = ReplayGateway({"r": head}, READERS)
        return asyncio.run(replay.dispatch(self.ask, judge, self.disk))


dispatches = st.tuples(
    st.sampled_from(sorted(CONFIGURATIONS)),
    st.sampled_from(ANSWERS),
    st.sampled_from((None, None, None, *CRASHES)),
    st.sampled_from((None, None, "monday", "tuesday")),
    st.sampled_from((0, 0, 5, 60, 600)),
)


@pytest.mark.clause("KER-MOD-02", "KER-MOD-03", "KER-MOD-04", "KER-MOD-05", "KER-MOD-06")
@pytest.mark.clause("KER-MOD-07", "KER-MOD-08", "KER-MOD-09", "KER-MOD-11", "KER-MOD-12")
@given(st.lists(dispatches, min_size=1, max_size=16), st.booleans())
@settings(max_examples=120, deadline=None, phases=UNSHRUNK)
def test_a_call_goes_as_the_contract_says_whatever_befalls_it(script, is_frozen):
    code, oracle = Code(is_frozen=is_frozen), Oracle(is_frozen=is_frozen)
    for name, answer, crash, retry_id, pause_s in script:
        code.clock.pass_s(pause_s)
        now_ms, asked = code.clock.now_ms(), len(code.asked)
        try:
            expected = oracle.dispatch(name, answer, crash, retry_id, now_ms)
        except DeathError:
            with pytest.raises(PowerCut):
                code.dispatch(name, answer, crash, retry_id)
        else:
            assert in_words(code.dispatch(name, answer, crash, retry_id)) == expected
        assert code.asked == oracle.asked
        assert len(code.asked) <= asked + 1


@pytest.mark.clause("KER-MOD-14")
@given(st.lists(dispatches, min_size=1, max_size=10))
@settings(max_examples=60, deadline=None, phases=UNSHRUNK)
def test_whatever_a_call_came_to_its_replay_comes_to_as_well(script):
    code, outcome = Code(), None
    for name, answer, _, retry_id, pause_s in script:
        code.clock.pass_s(pause_s)
        outcome = code.dispatch(name, answer, None, retry_id)
    if isinstance(outcome, Accepted | Blocked) or in_words(outcome)[1:] == (MOST, 0):
        assert in_words(code.replayed()) == in_words(outcome)
