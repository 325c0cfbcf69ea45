"""Finding atoms by tokens: the rare tokens choose the candidates, all tokens score them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from witmark.adapters.sqlite.segments import COLUMNS, Alive, Columns, Segment
from witmark.adapters.sqlite.words import Counts, Slots, found_in, token_key
from witmark.answers.ports import AtomNo, TermHit

TITLE_WEIGHT, K1, B = 2.0, 1.2, 0.75
"""Of the BM25 that decides which atoms fall to a limit; it orders nothing that is shown."""

ENOUGH_POSTINGS = 40_000
"""When the rarer tokens have this many, the commoner ones only score what those found."""

SPARE = 4
"""How many times the limit is then kept until the commoner tokens have had their say."""

Scores = npt.NDArray[np.float64]
ReadBlock = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Rows:
    """Where one token stands: slots counted over all segments, ascending, alive ones only."""

    token: str
    slots: Slots
    title: Counts
    body: Counts


class WordIndex:
    """All segments of one generation as one.

    Args:
        segments: In the order of their numbers.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = segments
        self._whole = [bool(segment.alive.all()) for segment in segments]
        self.columns: Columns = np.concatenate(
            [np.empty(0, COLUMNS), *(segment.columns for segment in segments)]
        )
        self.alive: Alive = np.concatenate(
            [np.empty(0, np.bool_), *(segment.alive for segment in segments)]
        )
        self.atoms = int(self.alive.sum())
        self.title_tokens = int(self.columns["title"][self.alive].sum())
        self.body_tokens = int(self.columns["body"][self.alive].sum())
        mean = (self.title_tokens + self.body_tokens) / max(self.atoms, 1) or 1.0
        lengths = (self.columns["title"] + self.columns["body"]) / mean
        self._slack: Scores = K1 * (1 - B + B * lengths)

    def rows(self, token: str, read: ReadBlock) -> Rows:
        """Look a token up in every segment."""
        key, offset = token_key(token), 0
        slots: list[Slots] = [np.empty(0, np.int64)]
        title: list[Counts] = [np.empty(0, np.int64)]
        body: list[Counts] = [np.empty(0, np.int64)]
        for segment, whole in zip(self.segments, self._whole, strict=True):
            place = int(segment.fences.searchsorted(key, "right")) - 1
            if place >= 0 and (found := found_in(read(segment.first_block + place), key)):
                kept = slice(None) if whole else segment.alive[found[0]]
                slots.append(found[0][kept].astype(np.int64) + offset)
                title.append(found[1][kept])
                body.append(found[2][kept])
            offset += len(segment.alive)
        return Rows(token, np.concatenate(slots), np.concatenate(title), np.concatenate(body))

    def best(self, rows: Sequence[Rows], allowed: Alive | None, limit: int) -> Slots:
        """Return the slots of the best atoms that hold a token, ascending."""
        scores = np.zeros(len(self.alive), np.float64)
        waiting = sorted(rows, key=lambda row: (len(row.slots), row.token))
        spent, scored = 0, 0
        for row in waiting:
            spent += len(row.slots)
            if spent > ENOUGH_POSTINGS and _matches(scores, allowed) >= limit * SPARE:
                break
            scores[row.slots] += self._score(row, slice(None))
            scored += 1
        chosen = self._top(scores, allowed, limit * SPARE if scored < len(rows) else limit)
        for row in waiting[scored:]:
            at, there = _places(row, chosen)
            scores[chosen[there]] += self._score(row, at[there])
        if scored < len(rows):
            chosen = chosen[self._order(scores, chosen)[:limit]]
        chosen.sort()
        return chosen

    def hits(self, slots: Slots, rows: Sequence[Rows]) -> list[TermHit]:
        """Say exactly how often each token stands in each of these atoms, by atom number."""
        counts: list[dict[str, tuple[int, int]]] = [{} for _ in range(len(slots))]
        for row in rows:
            at, there = _places(row, slots)
            held = zip(
                np.flatnonzero(there).tolist(),
                row.title[at[there]].tolist(),
                row.body[at[there]].tolist(),
                strict=True,
            )
            for place, title, body in held:
                counts[place][row.token] = title, body
        columns = self.columns[slots]
        lengths = zip(
            columns["atom"].tolist(),
            counts,
            columns["title"].tolist(),
            columns["body"].tolist(),
            strict=True,
        )
        hits = [TermHit(AtomNo(atom), *rest) for atom, *rest in lengths]
        return sorted(hits, key=lambda hit: hit.atom_no)

    def _top(self, scores: Scores, allowed: Alive | None, most: int) -> Slots:
        """The slots with the best scores; equal ones by atom number."""
        held = scores if allowed is None else np.where(allowed, scores, 0.0)
        found = np.flatnonzero(held)
        if most <= 0:
            return found[:0]
        if len(found) > most:
            border = np.partition(held[found], len(found) - most)[len(found) - most]
            found = found[held[found] >= border]
            found = found[self._order(scores, found)[:most]]
        return found

    def _order(self, scores: Scores, slots: Slots) -> Slots:
        return np.lexsort((self.columns["atom"][slots], -scores[slots]))

    def _score(self, row: Rows, at: slice | Slots) -> Scores:
        """What one token adds to the atoms at these of its rows."""
        often = TITLE_WEIGHT * row.title[at] + row.body[at]
        rare = math.log(1 + (self.atoms - len(row.slots) + 0.5) / (len(row.slots) + 0.5))
        score: Scores = rare * often * (K1 + 1) / (often + self._slack[row.slots[at]])
        return score


def _matches(scores: Scores, allowed: Alive | None) -> int:
    return int(np.count_nonzero(scores if allowed is None else scores[allowed]))


def _places(row: Rows, slots: Slots) -> tuple[Slots, Alive]:
    """Where slots stand in a token's rows, and whether they do."""
    at = row.slots.searchsorted(slots)
    at[at == len(row.slots)] = 0
    there = row.slots[at] == slots if len(row.slots) else np.zeros(len(slots), np.bool_)
    return at, there
