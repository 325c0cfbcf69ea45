"""What may be on the disk after the power went, and what the real recovery makes of it.

The rules are those of a weak file system, so that every better one is among them:

* a name that was made, linked or taken away may or may not be so until its folder is synced;
  each name by itself;
* bytes that were written may be there, not be there, or be there up to any byte; the file may
  have grown before they arrived, so any run of them may be zeros, until the file is synced;
* a cut that is not synced may be undone, and what was written after it be there.
"""

import contextlib
import functools
import itertools
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench import model_lives
from bench.crash_log import HeardDisk, Killed, Op, Recorder, marks
from bench.model_lives import LIVES, RUN, Life, ending, kinds
from witmark.adapters.disk import PosixDisk, posix
from witmark.adapters.disk import inside as folders
from witmark.adapters.disk import lines as disk_lines
from witmark.kernel import journal
from witmark.kernel.canon import Digest
from witmark.kernel.errors import WitmarkError
from witmark.kernel.journal import place_of, read_journal
from witmark.kernel.model import call, gateway
from witmark.kernel.model.record import Event, Judged, Replied, Sent, events_of
from witmark.kernel.model.reply import Failure, LoadImage, Raw, Reply, Unreadable
from witmark.kernel.model.request import Request
from witmark.kernel.store import BlobStore
from witmark.testing.disks import MemoryDisk

ROOT = "disk/"
_HOLES, _FEW_HOLES = 72, 8  # places in a line where a run of zeros may begin and end
_FINE = 10  # a step below it goes through every hole too
_EACH_WAY = 3  # of states that differ only inside a torn line, so many are brought home


class EnoughError(Exception):
    """As many bad states were found as were looked for."""


@dataclass(slots=True)
class Found:
    """What the states came to."""

    states: int = 0
    distinct: set[int] = field(default_factory=set)
    bad: int = 0
    settled: int = 0  # of them brought home, dispatch by dispatch
    ways: dict[tuple[object, ...], int] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    most_bad: int | None = None

    def note(self, what: str) -> None:
        """Count a bad state and say why."""
        self.bad += 1
        if len(self.told) < 20:
            self.told.append(what)
        if self.bad == self.most_bad:
            raise EnoughError


# Which states there are ------------------------------------------------------------------


@dataclass(slots=True)
class _Node:
    """A file or folder: what of it is durable, and what was done since."""

    names: dict[str, int] = field(default_factory=dict)
    data: bytes = b""
    pending: list[Op] = field(default_factory=list)


def states_at(ops: Sequence[Op], *, step: int) -> Iterator[dict[str, bytes]]:
    """Every state that the power may leave when it goes after the last of these calls.

    Args:
        ops: The calls.
        step: Of the bytes of a write that is not synced, every so many is a place to break.
    """
    nodes = _durable(ops)
    for names in _namings(nodes):
        shown = dict(_walk(names, 0, ""))
        here = {node: path for path, node in shown.items()}
        loose = [node for node in here if nodes[node].pending and node not in names]
        settled = {path: nodes[node].data for path, node in shown.items() if node not in names}
        if not loose:
            yield settled
            continue
        whole = {here[node]: _after(nodes[node], nodes[node].pending) for node in loose}
        for node in loose:
            for others in ({}, whole) if len(loose) > 1 else ({},):
                for data in _contents(nodes[node], step):
                    yield {**settled, **others, here[node]: data}


def _durable(ops: Sequence[Op]) -> dict[int, _Node]:
    nodes: dict[int, _Node] = {0: _Node()}
    for op in ops:
        if op.call == "make":
            nodes[op.other] = _Node()
            nodes[op.other].names = {"": -1} if op.is_folder else {}
        if op.call in {"make", "link", "unlink", "write", "cut"}:
            nodes[op.node].pending.append(op)
        if op.call == "sync" and op.node >= 0:
            node = nodes[op.node]
            if op.is_folder:
                node.names = _named(node.names, node.pending)
            else:
                node.data = _after(node, node.pending)
            node.pending = []
    return nodes


def _named(names: dict[str, int], pending: Sequence[Op]) -> dict[str, int]:
    made = dict(names)
    for op in pending:
        if op.call == "unlink":
            made.pop(op.name, None)
        else:
            made[op.name] = op.other
    return made


def _namings(nodes: dict[int, _Node]) -> Iterator[dict[int, dict[str, int]]]:
    """Every choice of the names that made it, folder by folder."""
    folders = [n for n, node in nodes.items() if n == 0 or "" in node.names]
    choices = []
    for folder in folders:
        node = nodes[folder]
        loose = [op for op in node.pending if not op.name.startswith(".")]  # nobody reads those
        picks = itertools.product((False, True), repeat=len(loose))
        made = [_named(node.names, list(itertools.compress(loose, pick))) for pick in picks]
        choices.append(list({tuple(sorted(one.items())): one for one in made}.values()))
    for chosen in itertools.product(*choices):
        yield dict(zip(folders, chosen, strict=True))


def _walk(
    names: dict[int, dict[str, int]], folder: int, prefix: str
) -> Iterator[tuple[str, int]]:
    for name, node in sorted(names[folder].items()):
        if not name:
            continue
        if node in names:
            yield from _walk(names, node, f"{prefix}{name}/")
        else:
            yield prefix + name, node


def _after(node: _Node, ops: Sequence[Op]) -> bytes:
    data = node.data
    for op in ops:
        if op.call == "cut":
            data = data[: op.at].ljust(op.at, b"\0")
        else:
            data = data[: op.at].ljust(op.at, b"\0") + op.data + data[op.at + len(op.data) :]
    return data


def _contents(node: _Node, step: int) -> Iterator[bytes]:
    """What a file may hold of what was done to it since it was synced."""
    pending = node.pending
    for pick in itertools.product((False, True), repeat=min(len(pending), 6)):
        yield _after(node, list(itertools.compress(pending, pick)))
    for number, op in enumerate(pending):
        if op.call != "write":
            continue
        before = [pending[:number], [o for o in pending[:number] if o.call == "write"], []]
        for done in before if number else before[:1]:
            for part in _parts(op.data, step):
                yield _after(node, [*done, Op("write", at=op.at, data=part)])


def _parts(data: bytes, step: int) -> Iterator[bytes]:
    size = len(data)
    edges = {*range(0, size, step), 1, 2, size - 2, size - 1} & set(range(size))
    for cut in sorted(edges):
        yield data[:cut]
        yield data[:cut].ljust(size, b"\0")
        yield data[cut:].rjust(size, b"\0")
    holes = _HOLES if step < _FINE else _FEW_HOLES
    grid = [size * number // holes for number in range(holes + 1)]
    for first, last in itertools.combinations(grid, 2):
        yield data[:first] + bytes(last - first) + data[last:]


# What the real code makes of one ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Promise:
    """What the code has promised by a point of its log."""

    record: bytes  # how it begins
    sends: int
    reads: int

    @classmethod
    def of(cls, ops: Sequence[Op]) -> "Promise":
        """Everything that was marked."""
        promised = [op.data for op in ops if op.call == "line"]
        reads = [int(op.data) for op in ops if op.call == "read"]
        return cls(promised[-1] if promised else b"", marks(ops, "send"), max(reads, default=0))


def judge_state(
    files: dict[str, bytes], promise: Promise, life: Life, found: Found, *, where: str
) -> None:
    """Recover from one state with the real code, and hold it to what was promised."""
    found.states += 1
    inside = {
        name.removeprefix(ROOT): data
        for name, data in files.items()
        if name.startswith(ROOT) and not name.rpartition("/")[2].startswith(".")
    }
    key = hash(frozenset(inside.items()))
    is_new = key not in found.distinct
    found.distinct.add(key)
    if not is_new:
        return
    disk = MemoryDisk(inside)
    try:
        entries = read_journal(disk, RUN)
        events = list(events_of(entries, place=RUN))
        if because := _broken(events, promise, inside):
            found.note(f"{where}: {because}")
            return
        for entry in entries:
            for blob in entry.blobs:
                BlobStore(disk).get(blob)
        _stand(events)
        way = (life.name, *_way(inside, len(events)))
        found.ways[way] = found.ways.get(way, 0) + 1
        if found.ways[way] <= _EACH_WAY:
            found.settled += 1
            if because := _homeward(disk, events, life):
                found.note(f"{where}: {because}")
    except (WitmarkError, KeyError, AssertionError, LookupError) as error:
        found.note(f"{where}: {type(error).__name__}: {error}")


def _broken(events: list[Event], promise: Promise, inside: dict[str, bytes]) -> str:
    raw = inside.get(place_of(RUN), b"")
    if not raw.startswith(promise.record):
        lines = promise.record.count(b"\n")
        return f"an entry that was promised is gone, of {lines}"
    if sum(isinstance(event, Sent) for event in events) < promise.sends:
        return "a request was made that the record does not know"
    if sum(isinstance(event, Replied) for event in events) < promise.reads:
        return "an answer was read that is not durable: it would be asked for again"
    return ""


def _stand(events: list[Event]) -> call.Step | None:
    sent = [event for event in events if isinstance(event, Sent)]
    if not sent:
        return None
    question, profiles = sent[-1].question, model_lives.PROFILES
    state = call.fold(events, sent[-1].operation, question, profiles)
    return call.next_step(state, 3, 0)


def _way(inside: dict[str, bytes], entries: int) -> tuple[object, ...]:
    """What of a state can make a difference to where the call goes from here."""
    raw = inside.get(place_of(RUN), b"")
    line, end, rest = raw.rpartition(b"\n")
    tail = rest or line.rpartition(b"\n")[2] + end
    signs = (tail[:1] == b"\0", b"\0\0" in tail, tail[-1:], tail[-2:] == b"}\0", bool(rest))
    return (frozenset(inside), entries, *signs)


def _homeward(disk: MemoryDisk, events: list[Event], life: Life) -> str:
    """Bring the call home from here: no reply is asked for twice, and it does not get stuck."""
    sent = sum(isinstance(event, Sent) for event in events)
    with tempfile.NamedTemporaryFile(dir=life.count.parent) as count:
        count.write(b"x" * sent)
        count.flush()
        outcome = Life(life.name, Path(count.name), 1_000_000).run(disk)
    if ending(outcome) != LIVES[life.name][1]:
        return f"it came to {outcome}"
    then = list(events_of(read_journal(disk, RUN), place=RUN))[len(events) :]
    if events and isinstance(events[-1], Replied) and not isinstance(then[0], Judged):
        return "a durable reply was not judged but asked for again"
    return ""


# The lives, and what may befall them ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Walk:
    """How closely the lives are gone through.

    Attributes:
        parent: An empty folder to work in.
        step: See ``states_at``.
        kills: End every so many-th call's process first, and lose power in the next one.
        twice: Go on from every so many-th torn state, and lose power again.
        ignored: Which syncs are left out, for a planted fault.
        most_bad: So many bad states, and no further.
    """

    parent: Path
    step: int
    kills: int
    twice: int
    ignored: str = ""
    most_bad: int | None = None


def explore(walk: Walk) -> Found:
    """Go through every life: the power goes at each call, once, after a kill, and twice."""
    found = Found(most_bad=walk.most_bad)
    with _remembering(), contextlib.suppress(EnoughError):
        for name in LIVES:
            once = _recorded(walk, name)
            _cut_everywhere(once, 0, found, walk.step, name)
            for kill_at in range(0, once.recorder.calls, walk.kills):
                _after_a_kill(walk, name, kill_at, found)
            for number, (files, ops) in enumerate(_torn(once.recorder.ops)):
                if number % walk.twice == 0:
                    _from_torn(walk, name, files, Promise.of(ops), found)
    return found


@dataclass(frozen=True, slots=True)
class _Lived:
    """A life and everything it asked of the disk."""

    recorder: Recorder
    life: Life


_COARSE = 997  # after a kill or a first power cut: where the bytes break was gone through


def _after_a_kill(walk: Walk, name: str, kill_at: int, found: Found) -> None:
    lived = _recorded(walk, name, kill_at=kill_at)
    first = len(lived.recorder.ops)
    lived.recorder.kill_at = None
    _live(lived.recorder, replace(lived.life, begun_s=1_000_000))
    _cut_everywhere(lived, first, found, _COARSE, f"{name}, killed at {kill_at}")


def _from_torn(
    walk: Walk, name: str, files: dict[str, bytes], promise: Promise, found: Found
) -> None:
    here, count = _folder(walk.parent)
    count.write_bytes(b"x" * promise.sends)
    for path, data in files.items():
        (here / path).parent.mkdir(parents=True, exist_ok=True)
        (here / path).write_bytes(data)
    recorder, life = Recorder(here, ignored=walk.ignored), Life(name, count, 1_000_000)
    recorder.adopt()
    recorder.mark("line", promise.record)
    for _ in range(promise.sends):
        recorder.mark("send")
    first = len(recorder.ops)
    _live(recorder, life)
    _cut_everywhere(_Lived(recorder, life), first, found, _COARSE, f"{name}, torn before")


def _cut_everywhere(lived: _Lived, first: int, found: Found, step: int, where: str) -> None:
    ops = lived.recorder.ops
    for upto in range(first, len(ops) + 1):
        promise, here = Promise.of(ops[:upto]), f"{where}, power at {upto}"
        for files in states_at(ops[:upto], step=step):
            judge_state(files, promise, lived.life, found, where=here)


def _torn(ops: Sequence[Op]) -> Iterator[tuple[dict[str, bytes], Sequence[Op]]]:
    for upto, op in enumerate(ops, start=1):
        if op.call == "write":
            for files in states_at(ops[:upto], step=97):
                yield files, ops[:upto]


def _recorded(walk: Walk, name: str, *, kill_at: int | None = None) -> _Lived:
    here, count = _folder(walk.parent)
    recorder, life = Recorder(here, kill_at, walk.ignored), Life(name, count)
    _live(recorder, life)
    return _Lived(recorder, life)


def _folder(parent: Path) -> tuple[Path, Path]:
    made = Path(tempfile.mkdtemp(dir=parent))
    (made / "here").mkdir()
    return made / "here", made / "count"


def _live(recorder: Recorder, life: Life) -> None:
    with _marking(recorder), recorder.listening():
        try:
            life.run(HeardDisk(recorder.here / "disk", recorder))
        except Killed:
            return


@contextlib.contextmanager
def _marking(recorder: Recorder) -> Iterator[None]:
    """Mark when the provider is asked, and when an answer of it is read."""
    provider = model_lives.CountedProvider
    send, read = provider.send, provider.read
    disk = PosixDisk(recorder.here / "disk")
    answers = kinds(disk).count("replied")

    async def sending(
        self: model_lives.CountedProvider, request: Request, load: LoadImage
    ) -> Raw | Failure:
        nonlocal answers
        recorder.mark("send")
        answer = await send(self, request, load)
        answers += isinstance(answer, Raw)
        return answer

    def reading(
        self: model_lives.CountedProvider, raw: Raw, request: Request
    ) -> Reply | Unreadable:
        recorder.mark("read", str(answers).encode())
        return read(self, raw, request)

    with _patched((provider, "send", sending), (provider, "read", reading)):
        yield


@contextlib.contextmanager
def _remembering() -> Iterator[None]:
    """A line is parsed alike wherever it stands; it need not be parsed 100,000 times."""
    remembered = functools.lru_cache(maxsize=4096)(journal._parse)  # noqa: SLF001  # pure
    with _patched((journal, "_parse", remembered)):
        yield


@contextlib.contextmanager
def _patched(*changes: tuple[object, str, object]) -> Iterator[None]:
    was = [(where, name, getattr(where, name)) for where, name, _ in changes]
    for where, name, new in changes:
        setattr(where, name, new)
    try:
        yield
    finally:
        for where, name, old in was:
            setattr(where, name, old)


# Planted faults ---------------------------------------------------------------------------


def _judged_before_durable() -> tuple[tuple[object, str, object], ...]:
    dispatch = gateway._Dispatch  # noqa: SLF001  # the fault is planted in its order
    note = dispatch._note  # noqa: SLF001
    held: list[Replied] = []

    def noting(self: gateway._Dispatch, event: Event, *blobs: Digest) -> None:
        if isinstance(event, Replied):
            held.append(event)
            self._events.append(event)
            return
        while held:
            self._events.pop()
            note(self, held.pop())
        note(self, event, *blobs)

    return ((dispatch, "_note", noting),)


def _any_other_end(rest: bytes) -> bool:
    try:
        journal._parse(rest[:-1], place="")  # noqa: SLF001  # as it was before it was mended
    except WitmarkError:
        return False
    return True


def _refuse_without_sync(folder: int, last: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.stat(last, dir_fd=folder, follow_symlinks=False)
        raise FileExistsError(last)


Changes = tuple[tuple[object, str, object], ...]

FAULTS: dict[str, tuple[str, Callable[[], Changes]]] = {
    "no file is synced": ("file", tuple),
    "no folder is synced": ("folder", tuple),
    "an answer is judged before it is durable": ("", _judged_before_durable),
    "a folder that is there is taken for durable": (
        "",
        lambda: ((folders, "is_empty", lambda _: False),),
    ),
    "a name that is there is taken for durable": (
        "",
        lambda: ((posix, "refuse_if_there", _refuse_without_sync),),
    ),
    "a record is acted on before it is synced": (
        "",
        lambda: ((PosixDisk, "sync", lambda *_: None),),
    ),
    "a cut is not synced": ("", lambda: ((disk_lines, "_cut", os.ftruncate),)),
    "a break that did not arrive is taken for changed": (
        "",
        lambda: ((journal, "_has_another_end", _any_other_end),),
    ),
}
"""Faults of the protocol: which syncs are left out, or what is put in the code's place."""


def faults_caught(parent: Path) -> dict[str, str]:
    """Plant each fault; say which state gave it away, or nothing if none did."""
    caught = {}
    for fault, (ignored, changes) in FAULTS.items():
        with _patched(*changes()):
            walk = Walk(parent, step=389, kills=1, twice=7, ignored=ignored, most_bad=1)
            found = explore(walk)
        caught[fault] = found.told[0] if found.told else ""
    return caught
