"""What every shelf promises. Subclass, give a fixture named ``shelf``, and run."""

import pytest

from witmark.answers.ports import RunShelf
from witmark.kernel.errors import OutsideError
from witmark.testing.writers import race


class ShelfContract:
    """Shared by the shelf in memory and the one on disk."""

    def test_a_run_reads_back_as_it_was_kept(self, shelf: RunShelf) -> None:
        """Bytes are bytes."""
        shelf.put_run("one", b"\x00\xff")
        assert shelf.run("one") == b"\x00\xff"
        assert shelf.run("two") is None

    def test_a_run_is_written_once(self, shelf: RunShelf) -> None:
        """The same bytes again are no error; others are, and change nothing."""
        shelf.put_run("one", b"first")
        shelf.put_run("one", b"first")
        with pytest.raises(OutsideError):
            shelf.put_run("one", b"second")
        assert shelf.run("one") == b"first"
        assert list(shelf.run_ids()) == ["one"]

    def test_runs_are_listed_oldest_first(self, shelf: RunShelf) -> None:
        """In the order in which they were kept, whatever they are called."""
        assert list(shelf.run_ids()) == []
        for name in ("b", "c", "a"):
            shelf.put_run(name, b"")
        assert list(shelf.run_ids()) == ["b", "c", "a"]

    def test_the_last_run_is_the_one_put_last_new_or_not(self, shelf: RunShelf) -> None:
        """A question that is asked again is the last one asked; a refused one is not."""
        assert shelf.last_run() is None
        for name in ("a", "b", "a"):
            shelf.put_run(name, b"")
        with pytest.raises(OutsideError):
            shelf.put_run("b", b"another")
        assert shelf.last_run() == "a"
        assert list(shelf.run_ids()) == ["a", "b"]

    def test_a_session_counts_its_versions(self, shelf: RunShelf) -> None:
        """None is version 0; every state has the next number."""
        assert shelf.session("s") is None
        shelf.put_session("s", 0, b"one")
        shelf.put_session("s", 1, b"two")
        assert shelf.session("s") == (2, b"two")

    @pytest.mark.parametrize("version", [0, 2])
    def test_a_writer_that_read_another_state_is_told_so(
        self, shelf: RunShelf, version: int
    ) -> None:
        """What the other wrote stands."""
        shelf.put_session("s", 0, b"theirs")
        with pytest.raises(OutsideError):
            shelf.put_session("s", version, b"ours")
        assert shelf.session("s") == (1, b"theirs")

    def test_of_two_writers_of_a_state_one_wins(self, shelf: RunShelf) -> None:
        """Both read the same version and begin at once."""
        states = [bytes([n]) for n in range(4)]
        ends = race(*[lambda s=state: shelf.put_session("s", 0, s) for state in states])

        won = [state for state, end in zip(states, ends, strict=True) if end is None]
        assert shelf.session("s") == (1, *won)
        assert sum(isinstance(end, OutsideError) for end in ends) == len(states) - 1

    def test_sessions_are_listed_in_order(self, shelf: RunShelf) -> None:
        """Sorted by id."""
        for name in ("b", "孔", "a"):
            shelf.put_session(name, 0, b"")
        assert list(shelf.session_ids()) == ["a", "b", "孔"]
