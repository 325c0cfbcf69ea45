"""Short texts found by the tokens they share with a query, the rarer the better.

A hit's score is the weight of the shared tokens over the geometric mean of both texts'
weights. It lies between 0 and 1, is 1 for a text with the same tokens, and is the sum of
one feature per kind of token; a desk adds features of its own with ``Hit.plus``.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from witmark.kernel.retrieve.rank import Hit, ranked
from witmark.kernel.retrieve.tokens import tokens


class Index:
    """An inverted index, built once. It knows nothing of scope: index what may be found.

    Args:
        texts: What may be found, by id. The order does not matter.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        held = {doc_id: tokens(texts[doc_id]) for doc_id in sorted(texts)}
        spread = Counter(token for found in held.values() for token in found)
        self._unseen = _weight(0, len(held))
        self._weights = {token: _weight(count, len(held)) for token, count in spread.items()}
        self._postings: dict[str, list[tuple[str, float]]] = {token: [] for token in spread}
        for doc_id, found in held.items():
            norm = self._norm(found)
            for token in found:
                self._postings[token].append((doc_id, self._weights[token] / norm))

    def find(self, query: str, *, limit: int | None = None) -> list[Hit]:
        """Return the texts that share a token with the query, best first.

        The order is total: equal scores fall back to the id. An empty list says that
        nothing in the index shares a token, not that nothing was meant.
        """
        asked = tokens(query)
        norm = self._norm(asked)
        features: dict[str, dict[str, float]] = {}
        for token, kind in asked.items():
            for doc_id, share in self._postings.get(token, ()):
                mine = features.setdefault(doc_id, {})
                mine[kind] = mine.get(kind, 0.0) + share / norm
        return ranked(Hit(doc_id, found) for doc_id, found in features.items())[:limit]

    def _norm(self, found: Iterable[str]) -> float:
        """Square root of a text's whole weight; words we never saw weigh the most."""
        weights = (self._weights.get(token, self._unseen) for token in found)
        return math.sqrt(math.fsum(weights))


def _weight(count: int, of: int) -> float:
    """Inverse document frequency, never zero: a token in every text is still shared."""
    return math.log(1 + (1 + of) / (1 + count))
