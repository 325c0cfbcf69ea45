"""Why a note cannot be read. Each reason has a stable code, and says the way out.

A note that cannot be read never stops an ingest: it is listed, and the others are read.
"""

import codecs

from witmark.answers.ports import NoteFailure
from witmark.kernel.errors import UnreadableSourceError

TOO_LARGE = "too-large"
NOT_UTF_8 = "not-utf-8"
BINARY = "binary"
UNREADABLE = "unreadable"
LINK_OUTSIDE = "link-outside"
BAD_NAME = "bad-name"
FRONT_MATTER = "front-matter"

MOST_NOTE_BYTES = 16 * 1024**2
"""A larger note is not read: whole books are shorter, exports and dumps are not notes."""

_MARKS = (  # the longer ones first: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


class UnreadableNoteError(UnreadableSourceError):
    """A note is there, but cannot be read; ``failure`` says why in the ingest's terms."""

    code = "input.unreadable-note"
    hint = "the other notes are not affected"

    def __init__(self, failure: NoteFailure) -> None:
        super().__init__(failure.path, failure.detail)
        self.failure = failure


def too_large(path: str, size: int) -> NoteFailure:
    """Name the size and the limit."""
    return NoteFailure(
        path,
        TOO_LARGE,
        f"it has {size / 1024**2:.1f} MiB, and notes are read up to "
        f"{MOST_NOTE_BYTES // 1024**2} MiB; split it",
    )


def decode(path: str, raw: bytes) -> str | NoteFailure:
    r"""Return a note's text exactly as it stands, or say why it is none.

    A byte order mark of UTF-8, carriage returns and everything else stay: they count in
    every offset.

    >>> decode("a.md", "孔".encode("gbk")).code
    'not-utf-8'
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return NoteFailure(path, NOT_UTF_8, f"it is {encoding}; {_convert(encoding)}")
    if b"\0" in raw:
        return NoteFailure(
            path, BINARY, "it holds zero bytes, so it is no text; give it another name"
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return NoteFailure(
            path,
            NOT_UTF_8,
            f"line {line} holds bytes that are not UTF-8; "
            f"{_convert('GB18030')} (or whatever it was written in)",
        )


def _convert(encoding: str) -> str:
    return f"save it as UTF-8 in your editor, or convert it: iconv -f {encoding} -t UTF-8"
