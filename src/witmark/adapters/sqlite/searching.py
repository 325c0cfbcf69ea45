"""Finding atoms by tokens: the rare tokens choose the candidates, all tokens score them."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from witmark.adapters.sqlite.segments import COLUMNS, Alive, Columns, Segment
from witmark.adapters.sqlite.words import Block, Counts, Slots, found_in, token_key
from witmark.answers.ports import TermHit

TITLE_WEIGHT, K1, B = 2.0, 1.2, 0.75
"""Of the BM25 that decides which atoms fall to a limit; it orders nothing that is shown."""

ENOUGH_POSTINGS = 25_000
"""When the rarer tokens have this many, the commoner ones only score what those found."""

SPARE = 4
"""How many times the limit is then kept until the commoner tokens have had their say."""

Scores = npt.NDArray[np.float64]
Local = npt.NDArray[np.uint16]
ReadBlock = Callable[[int], Block]


@dataclass(frozen=True, slots=True)
class Rows:
    """Where one token stands.

    Attributes:
        token: The token.
        atoms: How many atoms hold it.
        parts: Per segment that holds it: its place in the order, then slots within it,
            counts in the title and counts in the body, crossed-out slots included.
    """

    token: str
    atoms: int
    parts: tuple[tuple[int, Local, Counts, Counts], ...]


class WordIndex:
    """All segments of one generation as one.

    Args:
        segments: In the order of their numbers.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = segments
        self._whole = [bool(segment.alive.all()) for segment in segments]
        flat = [segment.columns.view(np.int32) for segment in segments]  # seven times as fast
        self.columns: Columns = np.concatenate([np.empty(0, np.int32), *flat]).view(COLUMNS)
        self.alive: Alive = np.concatenate(
            [np.empty(0, np.bool_), *(segment.alive for segment in segments)]
        )
        sizes = [len(segment.alive) for segment in segments]
        self._spans = [slice(e - n, e) for n, e in zip(sizes, np.cumsum(sizes), strict=True)]
        self.atoms = int(self.alive.sum())
        title, body = (np.ascontiguousarray(self.columns[one]) for one in ("title", "body"))
        self.title_tokens = int(title.sum(where=self.alive))
        self.body_tokens = int(body.sum(where=self.alive))
        mean = (self.title_tokens + self.body_tokens) / max(self.atoms, 1) or 1.0
        slack: Scores = (title + body) / mean  # one array, written over, as it is a large one
        slack *= B
        slack += 1 - B
        slack *= K1
        self._slack = slack

    def slots(self, atoms: Sequence[int]) -> Slots:
        """Where these atoms stand, in their order; -1 for one that is not there."""
        wanted = np.array(atoms, np.int64)
        known = (wanted >= 0) & (wanted < len(self._slot_of))
        found = np.full(len(wanted), -1, np.int64)
        found[known] = self._slot_of[wanted[known]]
        return found

    @cached_property
    def _slot_of(self) -> Slots:
        """By the number of an atom, which is small: they are given one after another."""
        there = self.columns["atom"][self.alive]
        table = np.full(int(there.max(initial=-1)) + 1, -1, np.int64)
        table[there] = np.flatnonzero(self.alive)
        return table

    def rows(self, token: str, read: ReadBlock) -> Rows:
        """Look a token up in every segment."""
        key, atoms = token_key(token), 0
        parts = []
        for place, segment in enumerate(self.segments):
            block = int(segment.fences.searchsorted(key, "right")) - 1
            if block >= 0 and (found := found_in(read(segment.first_block + block), key)):
                whole = self._whole[place]
                atoms += len(found[0]) if whole else int(segment.alive[found[0]].sum())
                parts.append((place, *found))
        return Rows(token, atoms, tuple(parts))

    def holding(self, rows: Sequence[Rows]) -> list[int]:
        """Return the numbers of the atoms whose body holds every token, ascending."""
        found = self.alive.copy()
        for row in rows:
            held = np.zeros(len(found), np.bool_)
            for place, slots, _, body in row.parts:
                held[self._spans[place]][slots[body > 0]] = True
            found &= held
        return sorted(self.columns["atom"][found].tolist())

    def best(self, rows: Sequence[Rows], allowed: Alive | None, limit: int) -> Slots:
        """Return the slots of the best atoms that hold a token, ascending."""
        allowed = self.alive if allowed is None else allowed
        scores = np.zeros(len(self.alive), np.float64)
        waiting = sorted(rows, key=lambda row: (row.atoms, row.token))
        spent, scored = 0, 0
        for row in waiting:
            spent += row.atoms
            if (
                spent > ENOUGH_POSTINGS
                and np.count_nonzero((scores > 0) & allowed) >= limit * SPARE
            ):
                break
            for place, slots, title, body in row.parts:
                span, at = self._spans[place], slots.astype(np.intp)  # cast once, used thrice
                scores[span][at] += self._score(row, self._slack[span][at], title, body)
            scored += 1
        if scored == len(rows):
            return np.sort(self._top(scores, allowed, limit))
        chosen = np.sort(self._top(scores, allowed, limit * SPARE))
        split = self._split(chosen)
        for row in waiting[scored:]:
            for there, in_title, in_body in _counts(row, split):
                some = chosen[there]
                scores[some] += self._score(row, self._slack[some], in_title, in_body)
        return np.sort(chosen[self._order(scores, chosen)[:limit]])

    def hits(self, slots: Slots, rows: Sequence[Rows]) -> list[TermHit]:
        """Say exactly how often each token stands in each of these atoms, by atom number."""
        counts: list[dict[str, tuple[int, int]]] = [{} for _ in range(len(slots))]
        split = self._split(slots)
        for row in rows:
            for there, title, body in _counts(row, split):
                held = zip(there.tolist(), title.tolist(), body.tolist(), strict=True)
                for place, in_title, in_body in held:
                    counts[place][row.token] = in_title, in_body
        columns = self.columns[slots]
        lengths = zip(
            columns["atom"].tolist(),
            counts,
            columns["title"].tolist(),
            columns["body"].tolist(),
            strict=True,
        )
        return sorted(map(TermHit._make, lengths), key=itemgetter(0))

    def _split(self, slots: Slots) -> list[tuple[int, Local]]:
        """Per segment: where its slots begin among these (ascending), and which they are."""
        borders = slots.searchsorted([span.start for span in self._spans] + [len(self.alive)])
        return [
            (int(first), (slots[first:last] - span.start).astype(np.uint16))
            for first, last, span in zip(borders, borders[1:], self._spans, strict=False)
        ]

    def _top(self, scores: Scores, allowed: Alive, most: int) -> Slots:
        """The slots with the best scores; equal ones by atom number."""
        found = np.flatnonzero((scores > 0) & allowed)
        if most <= 0:
            return found[:0]
        if len(found) > most:
            held = scores[found]
            found = found[held >= np.partition(held, len(held) - most)[len(held) - most]]
            found = found[self._order(scores, found)[:most]]
        return found

    def _order(self, scores: Scores, slots: Slots) -> Slots:
        return np.lexsort((self.columns["atom"][slots], -scores[slots]))

    def _score(self, row: Rows, slack: Scores, title: Counts, body: Counts) -> Scores:
        """What one token adds to atoms that hold it so often."""
        often = TITLE_WEIGHT * title + body
        rare = math.log(1 + (self.atoms - row.atoms + 0.5) / (row.atoms + 0.5))
        score: Scores = rare * often * (K1 + 1) / (often + slack)
        return score


def _counts(
    row: Rows, split: Sequence[tuple[int, Local]]
) -> Iterator[tuple[Slots, Counts, Counts]]:
    """Say which slots of a split hold a token, by their place, and how often."""
    for place, held, title, body in row.parts:
        first, wanted = split[place]
        if len(wanted):
            at = held.searchsorted(wanted)
            at[at == len(held)] = 0
            there = (held[at] == wanted).nonzero()[0]
            at = at[there]
            yield there + first, title[at], body[at]
