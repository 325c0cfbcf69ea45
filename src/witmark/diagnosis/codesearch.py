"""Definitions found by the words they share with a text (BM25 over identifiers taken apart)."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from witmark.diagnosis.words import words

K1 = 1.2  # how soon a word's repeats stop counting (Robertson and Zaragoza 2009)
B = 0.75  # how much a long text is held back


@dataclass(frozen=True, slots=True)
class Ranked:
    """One text and how well it fits; ``score`` orders and means nothing else."""

    key: int
    score: float


class WordIndex:
    """An index of texts by number, built once.

    Args:
        texts: What may be found; its place in the sequence is its key.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(words(text)) for text in texts]
        self._lengths = [sum(one.values()) for one in counted]
        self._mean = sum(self._lengths) / len(counted) if counted else 1.0
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for key, one in enumerate(counted):
            for word, times in one.items():
                self._postings.setdefault(word, []).append((key, times))
        self._size = len(counted)

    def find(self, query: str, *, weights: Mapping[str, float] | None = None) -> list[Ranked]:
        """Every text that shares a word with the query, best first; ties by key."""
        scores: dict[int, float] = {}
        for word in sorted(set(words(query))):
            postings = self._postings.get(word, ())
            if not postings:
                continue
            gain = self.rarity(word) * (weights or {}).get(word, 1.0)
            for key, times in postings:
                held = K1 * (1 - B + B * self._lengths[key] / self._mean)
                scores[key] = scores.get(key, 0.0) + gain * times * (K1 + 1) / (times + held)
        ranked = (Ranked(key, round(score, 9)) for key, score in scores.items())
        return sorted(ranked, key=lambda one: (-one.score, one.key))

    def rarity(self, word: str) -> float:
        """How much a word tells: its inverse document frequency."""
        held = len(self._postings.get(word, ()))
        return math.log(1 + (self._size - held + 0.5) / (held + 0.5))

    def knows(self, found: Iterable[str]) -> list[str]:
        """Those of some words that occur at all."""
        return [word for word in found if word in self._postings]
