"""Replaces secrets by marks, and remembers where and what it replaced.

The inputs stay as they are. What is frozen for a decision, and so everything that is sent to a
model or published, is redacted. A mark says the kind and a running number: the same number is
the same secret. No digest of a secret is given, for one of a short secret can be guessed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from witmark.diagnosis.case import InputKind, RawInput
from witmark.diagnosis.secrets import sightings
from witmark.kernel.canon import Digest

_SHORTEST_KNOWN = 8  # a shorter one is likely to be a word somewhere else
_SHORTEST_WORD = 12  # a piece of letters alone that is shorter is likely to be a word, too
_MOST_KNOWN = 1000
_UNREAD = {InputKind.SCREENSHOT, InputKind.STEP, InputKind.REPOSITORY}

Known = Mapping[str, str]
"""The kind of each secret that the inputs hold."""


@dataclass(frozen=True, slots=True)
class InputSecrets:
    """What the inputs hold of secrets.

    Attributes:
        counts: How many of each kind, by the input's path; only inputs that hold any.
        known: Those that are long enough to be known again anywhere, by their text.
    """

    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    known: Known = field(default_factory=dict)


def secrets_of(inputs: Iterable[RawInput], read: Callable[[RawInput], bytes]) -> InputSecrets:
    """Look for secrets in every input that may hold text."""
    counts: dict[str, dict[str, int]] = {}
    known: dict[str, str] = {}
    seen: dict[Digest, tuple[dict[str, int], dict[str, str]]] = {}
    for one in inputs:
        if one.kind in _UNREAD:
            continue
        if one.digest not in seen:
            seen[one.digest] = _in_text(read(one).decode("utf-8", "replace"))
        found, pieces = seen[one.digest]
        if found:
            counts[one.path] = found
        known |= pieces
    return InputSecrets(counts, dict(sorted(known.items())[:_MOST_KNOWN]))


def _in_text(text: str) -> tuple[dict[str, int], dict[str, str]]:
    counts: dict[str, int] = {}
    known: dict[str, str] = {}
    for one in sightings(text):
        counts[one.kind] = counts.get(one.kind, 0) + 1
        for line in text[one.start : one.end].splitlines():
            piece = line.strip()
            if _is_known_again(piece):
                known[piece] = one.kind
    return dict(sorted(counts.items())), known


def _is_known_again(piece: str) -> bool:
    """Whether a text is a secret wherever it stands: long, and no word of anybody's."""
    is_long = len(piece) >= _SHORTEST_KNOWN and not piece.startswith("-----")
    return is_long and any(c.isdigit() for c in piece) and any(c.isalpha() for c in piece)


def _is_telling(piece: str) -> bool:
    """Whether a piece gives a secret away: it is no mere word that stands in it, too."""
    is_word = piece.isalpha() and (piece.islower() or piece.istitle() or piece.isupper())
    return bool(piece) and not (is_word and len(piece) < _SHORTEST_WORD)


class Redactor:
    """Replaces secrets in plain data.

    Args:
        known: Secrets of the inputs; they are replaced also where only they stand, such as a
            quoted line from the middle of a key, and so is every piece of one that a quote or
            a name was cut to.
    """

    def __init__(self, known: Known | None = None) -> None:
        self._known = sorted((known or {}).items(), key=lambda one: (-len(one[0]), one[0]))
        self._pieces: dict[str, list[tuple[str, str]]] = {}
        for secret, kind in self._known:
            for at in range(len(secret) - _SHORTEST_KNOWN + 1):
                begun = secret[at : at + _SHORTEST_KNOWN]
                self._pieces.setdefault(begun, []).append((secret, kind))
        self._numbers: dict[str, int] = {}
        self._found: dict[tuple[int, str], dict[str, int]] = {}
        self._marked = cache(self._replaced)

    def redact(self, plain: Mapping[str, Any]) -> dict[str, Any]:
        """Redact every text in plain data; keys are left as they are."""
        return {name: self._walk(plain[name], f"/{_step(name)}") for name in sorted(plain)}

    def text(self, text: str, *, place: str = "") -> str:
        """Redact one text, and take note of the place."""
        redacted, hits = self._marked(text)
        for hit in hits:
            places = self._found.setdefault(hit, {})
            places[place] = places.get(place, 0) + 1
        return redacted

    def lines(self, text: str) -> list[str]:
        """The lines of a text, as many as it has; a secret is marked on each of its lines.

        What is inside the text is judged as a whole, so a secret that its neighbours give
        away is marked in the one line too.
        """
        shown: list[str] = []
        hidden = sightings(text)
        at = 0
        for line in text.split("\n"):
            end, pieces, last = at + len(line), [""], at
            for one in hidden:
                if one.start < end and one.end > at:
                    before = text[last : max(one.start, last)]
                    mark = self._mark(text[one.start : one.end], one.kind, [])
                    pieces += [self._without_known(before, []), mark]
                    last = min(one.end, end)
            hidden = [one for one in hidden if one.end > end]
            shown.append("".join([*pieces, self._without_known(text[last:end], [])]))
            at = end + 1
        return shown

    def listed(self) -> list[dict[str, Any]]:
        """What was replaced so far: kind, number, how often, and the places as pointers."""
        return [
            {
                "kind": kind,
                "number": number,
                "times": sum(places.values()),
                "where": sorted(places),
            }
            for (number, kind), places in sorted(self._found.items())
        ]

    def _replaced(self, text: str) -> tuple[str, tuple[tuple[int, str], ...]]:
        pieces: list[str] = []
        hits: list[tuple[int, str]] = []
        last = 0
        for one in sightings(text):
            pieces += [
                text[last : one.start],
                self._mark(text[one.start : one.end], one.kind, hits),
            ]
            last = one.end
        redacted = self._without_known("".join([*pieces, text[last:]]), hits)
        return redacted, tuple(hits)

    def _without_known(self, text: str, hits: list[tuple[int, str]]) -> str:
        for secret, kind in self._known:
            while secret in text:
                text = text.replace(secret, self._mark(secret, kind, hits), 1)
        return self._without_pieces(text, hits) if self._pieces else text

    def _without_pieces(self, text: str, hits: list[tuple[int, str]]) -> str:
        shown: list[str] = []
        last = at = 0
        while at + _SHORTEST_KNOWN <= len(text):
            piece, secret, kind = self._longest_at(text, at)
            if not _is_telling(piece):
                at += 1
                continue
            shown += [text[last:at], self._mark(secret, kind, hits)]
            last = at = at + len(piece)
        return "".join([*shown, text[last:]])

    def _longest_at(self, text: str, at: int) -> tuple[str, str, str]:
        """The longest piece of a secret that begins here, with that secret; none is empty."""
        best = "", "", ""
        for secret, kind in self._pieces.get(text[at : at + _SHORTEST_KNOWN], ()):
            end = at + _SHORTEST_KNOWN
            while end < len(text) and text[at : end + 1] in secret:
                end += 1
            if end - at > len(best[0]):
                best = text[at:end], secret, kind
        return best

    def _mark(self, secret: str, kind: str, hits: list[tuple[int, str]]) -> str:
        number = self._numbers.setdefault(secret, len(self._numbers) + 1)
        hits.append((number, kind))
        return f"[redacted {kind} {number}]"

    def _walk(self, value: Any, place: str) -> Any:  # noqa: ANN401 - plain data of any shape
        match value:
            case str():
                return self.text(value, place=place)
            case list() | tuple():
                return [self._walk(one, f"{place}/{n}") for n, one in enumerate(value)]
            case Mapping():
                return {
                    name: self._walk(value[name], f"{place}/{_step(name)}")
                    for name in sorted(value)
                }
            case _:
                return value


def _step(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
