"""A library that is killed, starved or fought over is the old one or the new one."""

import os
import random
import resource
import signal
import time

import pytest

from witmark.adapters.sqlite import SqliteLibrary, SqliteShelf, opening
from witmark.answers.asking import ScopeRequest
from witmark.answers.atoms import DocumentId
from witmark.answers.ports import Change
from witmark.kernel.errors import DiskError, OutsideError, one_line
from witmark.testing.noting import note, relation
from witmark.testing.writers import race_processes

NOTES = 150
DEATHS = 12


def generation(word, notes=NOTES):
    """A change that replaces every note, so that a half of it would show."""
    return Change(
        upserted=tuple(
            note(f"{n}.md", f": {word} both", edges=[relation(f"{n}.md", f"{n}.md", "0.md")])
            for n in range(notes)
        )
    )


def seen(library):
    """How many atoms hold the words of one change or the other, and what else must agree."""
    counts = library.frequencies(["old", "new", "both"])
    state = library.state()
    assert state.atoms == state.documents == state.relation_edges == counts["both"]
    texts = {library.document(key).text.split()[1] for key in library.stamps()}
    return counts["old"], counts["new"], texts


@pytest.mark.clause("ANS-LIB-05")
def test_a_kill_at_any_moment_leaves_the_old_state_or_the_new_one(tmp_path):
    path = tmp_path / "index.sqlite3"
    library = SqliteLibrary(path)
    library.apply(generation("old"))
    library.close()
    moments = random.Random(7)  # noqa: S311 - moments of death, not a secret
    for _ in range(DEATHS):
        child = os.fork()
        if child == 0:
            ours = SqliteLibrary(path)
            while True:
                ours.apply(generation("new"))
                ours.apply(generation("old"))
        time.sleep(moments.uniform(0.02, 0.4))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        survivor = SqliteLibrary(path)
        assert seen(survivor) in ((NOTES, 0, {"old"}), (0, NOTES, {"new"}))
        survivor.close()


@pytest.mark.clause("ANS-LIB-07")
def test_two_readers_and_a_writer_never_see_half_a_change(tmp_path):
    path = tmp_path / "index.sqlite3"
    library = SqliteLibrary(path)
    library.apply(generation("old", 30))
    library.close()

    def write():
        ours = SqliteLibrary(path)
        for word in ("new", "old") * 5:
            ours.apply(generation(word, 30))
        return "written"

    def read():
        ours = SqliteLibrary(path)
        return {len(ours.search(["both"], ScopeRequest(), limit=99)) for _ in range(50)}

    assert race_processes(write, read, read) == ["written", {30}, {30}]


@pytest.mark.clause("ANS-LIB-07")
def test_a_second_writer_waits_and_is_then_told_so(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "BUSY_MS", 50)
    one, two = (SqliteLibrary(tmp_path / "index.sqlite3") for _ in range(2))
    one.apply(generation("old", 3))
    with one._writing(), pytest.raises(OutsideError, match="another process") as caught:
        two.apply(generation("new", 3))
    assert one_line(caught.value).startswith("outside.library-busy: ")
    assert seen(two) == (3, 0, {"old"})
    two.apply(generation("new", 3))
    assert seen(one) == (0, 3, {"new"})


@pytest.fixture
def small_files():
    """A system that lets no file grow beyond half a megabyte."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, old[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, old)
    signal.signal(signal.SIGXFSZ, ignored)


@pytest.mark.clause("ANS-LIB-05")
def test_a_change_that_does_not_fit_changes_nothing(tmp_path, small_files):
    library = SqliteLibrary(tmp_path / "index.sqlite3")
    library.apply(generation("old", 3))
    with pytest.raises(DiskError):
        library.apply(generation("new", 3_000))
    assert seen(library) == (3, 0, {"old"})
    library.apply(generation("new", 3))
    assert seen(library) == (0, 3, {"new"})


def test_a_change_that_fails_in_the_middle_changes_nothing(tmp_path):
    library = SqliteLibrary(tmp_path / "index.sqlite3")
    library.apply(generation("old", 3))
    twice = (*generation("new", 3).upserted, note("0.md"))
    with pytest.raises(AssertionError):
        library.apply(Change(removed=(DocumentId("1.md"),), upserted=twice))
    assert seen(library) == (3, 0, {"old"})


def test_a_shelf_that_is_killed_keeps_what_it_has_taken(tmp_path):
    path = tmp_path / "runs.sqlite3"
    child = os.fork()
    if child == 0:
        ours = SqliteShelf(path)
        for number in range(10_000):
            ours.put_run(f"{number}", b"x" * 100)
    time.sleep(0.3)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    shelf = SqliteShelf(path)
    kept = list(shelf.run_ids())
    assert kept == [str(number) for number in range(len(kept))]
    assert all(shelf.run(name) == b"x" * 100 for name in kept)
