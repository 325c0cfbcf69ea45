"""What the words and the names of a question find within one scope."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from witmark.answers import bm25, scoping
from witmark.answers.asking import AliasHit, AliasRule, QueryPlan, ScopeRequest
from witmark.answers.atoms import DocumentId
from witmark.answers.ports import AtomNo, Library, TermHit
from witmark.answers.terms import compact_key, is_unspaced, query_terms

READINGS = 12
"""So many spellings of the question are looked at for what an atom holds of it."""

VARIANT, LEAST_VARIANT = 0.5, 0.1
"""What a word counts that stands in another spelling of a name and not in the question, if
the name is the whole question. It counts the less the less of the question the name is, and
from some point on it is not looked for: in a long question the other names of everything it
mentions only lead astray (measured: two points of nDCG)."""

IN_PASSING = 0.1
"""A name that is less than this of what is asked, in letters, is a word in passing."""


@dataclass(frozen=True, slots=True)
class Pool:
    """What was found in a scope, before anything was read.

    Attributes:
        words: What the words give each atom: BM25, the best of the question being 1.
        rest: The same without the names in the question: the name says which note, the
            rest of the question where in it. Empty if the question is nothing but a name.
        covered: The share of the question's information that each atom holds.
        names: What the question says of each note by its name, from 0 to 1.
        is_named: The question bears the whole name of a note. That alone is evidence: what
            is asked about the thing may be said in other words.
    """

    words: Mapping[AtomNo, float]
    rest: Mapping[AtomNo, float]
    covered: Mapping[AtomNo, float]
    names: Mapping[DocumentId, float]
    is_named: bool = False

    @property
    def evidence(self) -> float:
        """The most that any one atom or name says of the question, from 0 to 1."""
        return max((*self.covered.values(), *self.names.values()), default=0.0)


@dataclass(frozen=True, slots=True)
class Reading:
    """One spelling of the question, each token with what it says."""

    tokens: Mapping[str, float]
    whole: float

    def share(self, held: Mapping[str, object]) -> float:
        """How much of it is held."""
        return math.fsum([v for t, v in self.tokens.items() if t in held]) / self.whole


class Question:
    """A plan's tokens, weighed by how rare they are in this library."""

    def __init__(self, plan: QueryPlan, library: Library) -> None:
        self.plan, self.library, self.state = plan, library, library.state()
        self.rare: dict[str, float] = {}
        self.known: set[str] = set()
        content = tuple(dict.fromkeys(query_terms(plan.planner_query)))
        self._weigh((*content, *query_terms(plan.question)))
        self.asked = frozenset(self.rare)
        self.readings = [self._reading(content)]
        names = {self._spelled(hit) for hit in plan.alias_hits}
        self.named = max((self.share_of(name) for name in sorted(names)), default=0.0)
        self.rest = frozenset(content) - {t for name in names for t in query_terms(name)}
        if VARIANT * self.named >= LEAST_VARIANT:
            self._widen()

    def _weigh(self, tokens: Iterable[str]) -> None:
        new = tuple(token for token in dict.fromkeys(tokens) if token not in self.rare)
        seen = self.library.frequencies(new)
        self.rare |= bm25.rarities(new, seen, self.state)
        self.known |= {token for token in new if seen.get(token, 0)}

    def _widen(self) -> None:
        """Take in the other spellings, where the question is hardly more than a name."""
        spelled = [query_terms(text) for text in self.plan.query_variants[:READINGS]]
        self._weigh((*self.plan.query_tokens, *(t for tokens in spelled for t in tokens)))
        self.readings += [self._reading(tuple(dict.fromkeys(one))) for one in spelled if one]

    def _reading(self, tokens: Sequence[str]) -> Reading:
        telling = [token for token in tokens if not self._straddles(token, tokens)]
        rare = {token: self.rare[token] for token in telling}
        return Reading(rare, math.fsum(rare.values()) or 1.0)

    def _straddles(self, pair: str, tokens: Sequence[str]) -> bool:
        """Whether a pair of characters is nothing but the seam between two known words."""
        if pair in self.known or len(pair) != 2 or not is_unspaced(pair):
            return False
        before = any(t[-1] == pair[0] and t in self.known and len(t) == 2 for t in tokens)
        after = any(t[0] == pair[1] and t in self.known and len(t) == 2 for t in tokens)
        return before and after

    def pool(self, scope: ScopeRequest, *, limit: int) -> Pool:
        """Search a scope."""
        tokens = [token for token in self.plan.query_tokens if token in self.rare]
        widening = VARIANT * self.named
        names = self.names(scope)
        hits = self._searched(tokens, scope, limit)
        rare = {t: self.rare[t] * (1.0 if t in self.asked else widening) for t in tokens}
        return Pool(
            words=self._words(hits, rare),
            rest=self._words(hits, {t: v for t, v in rare.items() if t in self.rest}),
            covered=self._covered(hits),
            names=names,
            is_named=any(
                h.document_id in names for h in self.plan.alias_hits if self._is_whole(h)
            ),
        )

    def _searched(
        self, tokens: Sequence[str], scope: ScopeRequest, limit: int
    ) -> Sequence[TermHit]:
        """The best atoms; where other languages crowd them, those in the question's, too."""
        hits = self.library.search(tokens, scope, limit=limit)
        if len(hits) < limit or scope.languages:
            return hits
        own = replace(scope, languages=(self.plan.language,))
        more = self.library.search(tokens, own, limit=limit // 2)
        found = {hit.atom_no: hit for hit in (*more, *hits)}
        return [found[number] for number in sorted(found)]

    def _words(self, hits: Sequence[TermHit], rare: Mapping[str, float]) -> dict[AtomNo, float]:
        scores = bm25.score(hits, rare, self.state) if rare else {}
        best = max(scores.values(), default=0.0)
        return {number: score / best for number, score in scores.items()} if best else {}

    def _covered(self, hits: Sequence[TermHit]) -> dict[AtomNo, float]:
        """What each atom holds of the question; many hold the same tokens."""
        known: dict[tuple[str, ...], float] = {}
        for hit in hits:
            held = tuple(hit.counts)
            if held not in known:
                known[held] = self._share(hit.counts)
        return {hit.atom_no: known[tuple(hit.counts)] for hit in hits}

    def _share(self, held: Mapping[str, object]) -> float:
        """What these tokens are of the question; of another spelling, as far as that is it."""
        others = (reading.share(held) for reading in self.readings[1:])
        named = self.named * max(others, default=0.0)
        return max(self.readings[0].share(held), named)

    def names(self, scope: ScopeRequest) -> dict[DocumentId, float]:
        """What the question says of each note in the scope by its name."""
        said: dict[DocumentId, float] = {}
        for hit in self.plan.alias_hits:
            share = self.share_of(self._spelled(hit))
            said[hit.document_id] = max(said.get(hit.document_id, 0.0), hit.strength * share)
        inside = scoping.documents_inside(scope, sorted(said), self.library)
        return {document: said[document] for document in inside}

    def _spelled(self, hit: AliasHit) -> str:
        return self.plan.question[hit.start : hit.end]

    def share_of(self, words: str) -> float:
        """How much of the question these of its words are, by what they say."""
        asked = self.readings[0]
        named = dict.fromkeys(query_terms(words))
        # A name may be cut out of a longer run: "是水杯" holds 水杯 and 是水 alike.
        mass = math.fsum(self.rare.get(token, 0.0) for token in named)
        return min(1.0, mass / asked.whole)

    def _is_whole(self, hit: AliasHit) -> bool:
        """Whether a note's whole name stands in the question, and not in passing."""
        name = compact_key(self._spelled(hit))
        asked = compact_key(self.plan.planner_query)
        is_exact = hit.rule is AliasRule.EXACT and len(name) > 1
        return is_exact and len(name) >= IN_PASSING * len(asked)
