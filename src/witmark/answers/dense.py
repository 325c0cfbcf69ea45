"""Vectors, for those who have a model: a second opinion on the words, never a replacement.

The two opinions are mixed evenly by their values (not by their ranks, which measured worse),
each scaled so that its best is 1. Without a model everything else works as before.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from witmark.answers.atoms import KnowledgeAtom
from witmark.answers.ports import AtomNo, Embedder
from witmark.kernel.errors import OutsideError

VECTOR_SHARE = 0.5
PASSAGE_CHARS = 2_000
BATCH = 256


class EmbedderUnavailableError(OutsideError):
    """Vectors were asked for, and there is no model to make them."""

    code = "outside.embedder-unavailable"
    hint = "ask with local_hybrid, which needs no model, or install an embedder"

    def __init__(self) -> None:
        super().__init__("local_vector needs an embedder, and none is installed")


class Remembering:
    """An embedder that embeds the same text once. The memory lives as long as this does."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._known: dict[str, Sequence[float]] = {}

    def passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector per text."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.passages(new), strict=True))
        return [self._known[text] for text in texts]

    def query(self, text: str) -> Sequence[float]:
        """The vector of a question."""
        return self._embedder.query(text)


def similarities(
    questions: Sequence[str], atoms: Mapping[AtomNo, KnowledgeAtom], embedder: Embedder
) -> dict[AtomNo, float]:
    """Return each atom's greatest similarity to any spelling of the question, from 0 to 1."""
    numbers = sorted(atoms)
    asked = np.array([embedder.query(text) for text in questions], np.float64)
    found: dict[AtomNo, float] = {}
    for at in range(0, len(numbers), BATCH):
        batch = numbers[at : at + BATCH]
        passages = embedder.passages([_passage(atoms[number]) for number in batch])
        alike = np.array(passages, np.float64) @ asked.T
        found.update(zip(batch, np.clip(alike.max(axis=1), 0.0, 1.0).tolist(), strict=True))
    return found


def scaled(values: Mapping[AtomNo, float]) -> dict[AtomNo, float]:
    """Stretch values so that the best is 1 and the least 0; equal ones are all 1."""
    if not values:
        return {}
    least, best = min(values.values()), max(values.values())
    span = best - least
    return {no: (value - least) / span if span else 1.0 for no, value in values.items()}


def mixed(
    words: Mapping[AtomNo, float], vectors: Mapping[AtomNo, float]
) -> dict[AtomNo, float]:
    """Mix two opinions, each from 0 to 1; who is missing from one has 0 there."""
    return {
        no: (1 - VECTOR_SHARE) * words.get(no, 0.0) + VECTOR_SHARE * vectors.get(no, 0.0)
        for no in sorted(words.keys() | vectors.keys())
    }


def _passage(atom: KnowledgeAtom) -> str:
    return f"{' > '.join(atom.section_path)}\n{atom.content.text}"[:PASSAGE_CHARS]
