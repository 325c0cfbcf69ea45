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
        counted: How often each word stands in each text; its place is its key.
    """

    def __init__(self, counted: Sequence[Mapping[str, int]]) -> None:
        self._counted = counted
        self._lengths = [sum(one.values()) for one in counted]
        self._mean = sum(self._lengths) / len(counted) if counted else 1.0
        self._postings: dict[str, list[tuple[int, int]]] = {}

    @classmethod
    def of(cls, texts: Iterable[str]) -> "WordIndex":
        """An index of texts as they are."""
        return cls([Counter(words(text)) for text in texts])

    def find(self, query: str, *, weights: Mapping[str, float] | None = None) -> list[Ranked]:
        """Every text that shares a word with the query, best first; ties by key."""
        scores: dict[int, float] = {}
        for word in sorted(set(words(query))):
            gain = self.rarity(word) * (weights or {}).get(word, 1.0)
            for key, times in self._held(word):
                held = K1 * (1 - B + B * self._lengths[key] / self._mean)
                scores[key] = scores.get(key, 0.0) + gain * times * (K1 + 1) / (times + held)
        ranked = (Ranked(key, round(score, 9)) for key, score in scores.items())
        return sorted(ranked, key=lambda one: (-one.score, one.key))

    def rarity(self, word: str) -> float:
        """How much a word tells: its inverse document frequency."""
        held = len(self._held(word))
        return math.log(1 + (len(self._counted) - held + 0.5) / (held + 0.5))

    def knows(self, found: Iterable[str]) -> list[str]:
        """Those of some words that occur at all."""
        return [word for word in found if self._held(word)]

    def _held(self, word: str) -> list[tuple[int, int]]:
        """Which texts hold a word, and how often; looked up when it is asked for.

        A case asks for the words of one report, a small part of what a source holds.
        """
        if (found := self._postings.get(word)) is None:
            found = [(key, one[word]) for key, one in enumerate(self._counted) if word in one]
            self._postings[word] = found
        return found
