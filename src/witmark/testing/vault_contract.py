"""What every vault promises. Subclass, give a fixture named ``filled``, and run."""

from collections.abc import Callable

import pytest

from witmark.answers.failures import MOST_NOTE_BYTES, TOO_LARGE, UnreadableNoteError
from witmark.answers.ports import Vault

Filled = Callable[[dict[str, bytes]], Vault]


class VaultContract:
    """Shared by the memory vault, the folder, and whatever comes next.

    ``filled`` makes a vault that holds these notes.
    """

    def test_lists_its_notes_in_order_with_their_sizes(self, filled: Filled) -> None:
        """Sorted by path as text, so that every ingest goes the same way."""
        scan = filled({"b/a.md": b"12", "b.md": b"1", "a.md": b""}).scan()
        assert [(f.path, f.size) for f in scan.files] == [
            ("a.md", 0), ("b.md", 1), ("b/a.md", 2),
        ]  # fmt: skip
        assert scan.failures == ()

    def test_reads_back_the_very_bytes(self, filled: Filled) -> None:
        """Neither line ends nor a byte order mark nor broken UTF-8 are touched."""
        raw = b"\xef\xbb\xbfa\r\nb\rc\xff"
        assert filled({"水/a b.md": raw}).read("水/a b.md") == raw

    def test_says_that_a_note_is_gone(self, filled: Filled) -> None:
        """It may have been there when the folder was listed."""
        vault = filled({"a.md": b"1"})
        with pytest.raises(FileNotFoundError):
            vault.read("b.md")
        with pytest.raises(FileNotFoundError):
            vault.read("a.md/b.md")

    def test_never_reads_a_note_that_is_too_large(self, filled: Filled) -> None:
        """It is listed as a failure, with the limit, and not as a file."""
        vault = filled({"a.md": b"1", "big.md": bytes(MOST_NOTE_BYTES + 1)})
        scan = vault.scan()
        assert [f.path for f in scan.files] == ["a.md"]
        assert [(f.path, f.code) for f in scan.failures] == [("big.md", TOO_LARGE)]
        with pytest.raises(UnreadableNoteError):
            vault.read("big.md")

    def test_reads_a_note_of_just_the_largest_size(self, filled: Filled) -> None:
        """The limit itself is allowed."""
        vault = filled({"big.md": bytes(MOST_NOTE_BYTES)})
        assert [f.size for f in vault.scan().files] == [MOST_NOTE_BYTES]
        assert len(vault.read("big.md")) == MOST_NOTE_BYTES
