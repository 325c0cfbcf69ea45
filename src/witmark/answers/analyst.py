"""The embedded analyst for ``answers.compose``: quotes the exhibit's sentence that fits best.

A model's place can be held by it, offline and deterministic: it reads the request as a model
would, and says that the exhibits do not answer when no sentence holds half of what is asked.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from witmark.answers.picking import ASKING, language_of
from witmark.answers.sentences import is_complete, sentences
from witmark.answers.terms import query_terms
from witmark.kernel.canon import canonical_json
from witmark.kernel.model.request import Request, Role

LEAST_SHARE = 0.5
"""Of the question's weight that a sentence, or the title it stands under, must hold."""

_TITLE = 0.7  # what a word weighs that only the note's title holds


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence of an exhibit."""

    exhibit: str
    text: str
    own: frozenset[str]
    title: frozenset[str]


def compose(request: Request) -> str:
    """Reply to a request in ``answers-draft/1``; the same request has the same reply."""
    told = _told(request)
    refused = [one.text for one in request.messages if one.role is Role.ASSISTANT]
    best = _best(told, refused)
    if best is None:
        reason = "no sentence of the exhibits holds what is asked"
        return _said([], not_answered=True, reason=reason)
    return _said([{"text": best.text, "exhibits": [best.exhibit]}])


def _said(said: list[object], *, not_answered: bool = False, reason: str = "") -> str:
    reply = {"sentences": said, "not_answered": not_answered, "reason": reason}
    return canonical_json(reply).decode()


def _told(request: Request) -> dict[str, object]:
    """The message that holds the question; anything else is no request of this desk."""
    first = next(one.text for one in request.messages if one.role is Role.USER)
    told: dict[str, object] = json.loads(first)
    return told


def _best(told: dict[str, object], refused: Sequence[str]) -> _Candidate | None:
    """The sentence worth most that was not refused yet, if it is worth enough."""
    asked = dict.fromkeys(query_terms(ASKING.sub("\n", str(told["question"]))))
    pool = list(_candidates(told, _names(told)))
    rarity = _rarities(pool, asked)
    total = sum(rarity.values())
    ranked = sorted(
        ((_worth(one, rarity), -at, one) for at, one in enumerate(pool)),
        key=lambda found: found[:2],
        reverse=True,
    )
    for worth, _, one in ranked:
        if worth < LEAST_SHARE * total or not total:
            return None
        if not any(canonical_json(one.text).decode() in said for said in refused):
            return one
    return None


def _names(told: dict[str, object]) -> dict[str, frozenset[str]]:
    """By title what the question calls a note."""
    named = told["named"]
    pairs = [(str(n["note"]), str(n["name"])) for n in named] if isinstance(named, list) else []
    return {
        note: frozenset(
            term for title, name in pairs if title == note for term in query_terms(name)
        )
        for note, _ in pairs
    }


def _candidates(
    told: dict[str, object], names: dict[str, frozenset[str]]
) -> Iterator[_Candidate]:
    wanted = "zh" if told["language"] == "zh" else "en"
    exhibits = told["exhibits"]
    for exhibit in exhibits if isinstance(exhibits, list) else []:
        text, note = str(exhibit["text"]), str(exhibit["note"])
        title = frozenset(query_terms(note)) | names.get(note, frozenset())
        for where in sentences(text):
            said = text[where.start : where.end]
            if language_of(said) == wanted and is_complete(said):
                own = frozenset(query_terms(said))
                yield _Candidate(str(exhibit["id"]), said, own, title)


def _rarities(pool: Sequence[_Candidate], asked: dict[str, None]) -> dict[str, float]:
    counts = Counter(term for one in pool for term in one.own | one.title)
    size = len(pool)
    return {term: math.log(1 + (size + 0.5) / (counts[term] + 0.5)) for term in asked}


def _worth(one: _Candidate, rarity: dict[str, float]) -> float:
    own = sum(weight for term, weight in rarity.items() if term in one.own)
    titled = (w for term, w in rarity.items() if term in one.title and term not in one.own)
    return own + _TITLE * sum(titled)
