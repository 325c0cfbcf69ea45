"""BM25 over two fields: what a section is called, and what it says.

Both fields are weighed before the curve flattens (BM25F), so a word in the title and the
same word in the text are one piece of evidence, not two. Robertson, Zaragoza: "The
Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.6; the inverse document
frequency is Lucene's, which is never negative.
"""

import math
from collections.abc import Mapping, Sequence

from witmark.answers.ports import AtomNo, LibraryState, TermHit

K1 = 1.2
BODY_B = 0.75
TITLE_B = 0.5
TITLE_WEIGHT = 2.0
"""One setting for every language and every kind of note; bench/retrieval.py measures it."""


def rarity(frequency: int, atoms: int) -> float:
    """How much a token that occurs in ``frequency`` of ``atoms`` says.

    >>> rarity(1, 1000) > rarity(500, 1000) > 0.0
    True
    """
    return math.log1p((atoms - frequency + 0.5) / (frequency + 0.5))


def rarities(
    tokens: Sequence[str], frequencies: Mapping[str, int], state: LibraryState
) -> dict[str, float]:
    """How much each token says; one that nobody wrote says the most."""
    atoms = max(state.atoms, 1)
    return {t: rarity(min(frequencies.get(t, 0), atoms), atoms) for t in tokens}


def score(
    hits: Sequence[TermHit], rare: Mapping[str, float], state: LibraryState
) -> dict[AtomNo, float]:
    """Weigh every hit against the tokens of the question; comparable within one question.

    A token counts once however often the question repeats it.
    """
    atoms = max(state.atoms, 1)
    title_mean = max(state.title_tokens / atoms, 1.0)
    body_mean = max(state.body_tokens / atoms, 1.0)
    return {hit.atom_no: _one(hit, rare, title_mean, body_mean) for hit in hits}


def _one(hit: TermHit, rare: Mapping[str, float], title_mean: float, body_mean: float) -> float:
    of_title = TITLE_WEIGHT / (1 - TITLE_B + TITLE_B * hit.title_length / title_mean)
    of_body = 1 / (1 - BODY_B + BODY_B * hit.body_length / body_mean)
    said = []
    for token, (in_title, in_body) in hit.counts.items():
        if value := rare.get(token, 0.0):
            times = in_title * of_title + in_body * of_body
            said.append(value * times / (K1 + times))
    # fsum: the order in which a library lists the tokens must not show in the last digit.
    return math.fsum(said)
