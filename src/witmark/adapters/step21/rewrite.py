"""The same file with other texts in it: for what the CAD kernel cannot hold or must not follow.

Records keep their order, so the n-th record of a rewritten copy is still the n-th of the file;
line numbers are always taken from the original.
"""

import re
from dataclasses import dataclass

import numpy as np

from witmark.adapters.step21.exchange import Exchange
from witmark.adapters.step21.values import readable, written

LONGEST_TOKEN_BYTES = 12_000
"""OCCT's scanner gives up at about 16 kB for one token; we stay well below."""
KEPT_CHARACTERS = 120
"""What is left of a shortened text, before its ellipsis."""

_LONG_LIVED = re.compile(rb"'(?:[^']|'')*+'|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes ``begin`` to ``end`` of a file become ``new``."""

    begin: int
    end: int
    new: bytes


def edited(data: bytes, edits: list[Edit]) -> bytes:
    """Apply edits that do not overlap."""
    out, at = [], 0
    for edit in sorted(edits, key=lambda e: e.begin):
        out += [data[at : edit.begin], edit.new]
        at = edit.end
    return b"".join([*out, data[at:]])


def shortening_edits(exchange: Exchange, encoding: str) -> list[Edit]:
    """Shorten texts and drop comments that would make the kernel refuse the whole file."""
    if not _may_hold_long_tokens(exchange):
        return []
    return [
        Edit(token.start(), token.end(), _shortened(token[0], encoding))
        for token in _LONG_LIVED.finditer(exchange.data)
        if token.end() - token.start() > LONGEST_TOKEN_BYTES
    ]


def _may_hold_long_tokens(exchange: Exchange) -> bool:
    """No statement and no gap between statements is long: then no token is."""
    marks = np.concatenate([[0], exchange.ends, [len(exchange.data)]])
    return bool(np.diff(marks).max() > LONGEST_TOKEN_BYTES)


def _shortened(token: bytes, encoding: str) -> bytes:
    if token.startswith(b"/*"):
        return b" "
    return b"'" + written(readable(token[1:-1], encoding)[:KEPT_CHARACTERS] + "…") + b"'"
