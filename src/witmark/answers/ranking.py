"""What makes one note matter more than another, every reason by name.

The words come first: BM25, scaled so that the best atom of a question has 1. All else is
added to it and bounded by the table below, so that no reason can shout the others down. A
name in the question adds to the words, it never replaces them. Graph reasons count only
when the question names a note that was found: without an anchor there is no "near".

Source: the third contract, "Make retrieval graph-aware without overfitting to degree";
KNOWLEDGE promises 18, 23 and 24 and the weights of its section 1.4.
"""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from witmark.answers.asking import Intent, QueryPlan
from witmark.answers.atoms import DocumentId, KnowledgeAtom
from witmark.answers.defining import names_whole
from witmark.answers.edges import RelationKind
from witmark.answers.framing import content_of
from witmark.answers.heading_words import words_of
from witmark.answers.headings import asked_of, fit
from witmark.answers.late import late
from witmark.answers.nearness import Nearness
from witmark.answers.pack import Validity
from witmark.answers.ports import AtomNo
from witmark.answers.terms import compact_key

# The weights -------------------------------------------------------------------------

ALIAS = 0.6
"""For a name that is the whole question; a part counts by the share it says of it."""

SIBLING = 0.08
"""Of each further atom of the same note, falling by half each time."""

HEADING = 0.15
"""For a heading that says what the question asks for; orders atoms within their note."""

OTHER_LANGUAGE = (0.0, 0.1, 0.6)
"""What a note loses that is in the other of Chinese and English, or in a third language."""

OTHER_FOLDER, OWN_COVERS = 1.5, 0.5
"""What it loses more if it lies in the folder of that language, and a note in the question's
holds so much of what is asked: it says the same, whatever its name."""

NUMBER, OTHER_NUMBER = 0.15, 0.3
"""For the number in a title that the question asks for; for another number in its place."""

STUB = 0.5
"""What a note loses that says next to nothing, if another of the same name says something."""

SUBJECT = 0.5
"""For a heading that is the very name of what is asked about; also within the note alone."""

HEADED, HEADED_EXACTLY = 0.3, 0.5
"""For a section whose headings hold all that is asked; more if they hold nothing else."""

OTHER_SPELLING = 0.2
"""What a note loses whose name is in the other script of Chinese than the question's."""

_NAME_WORDS = 5  # no longer name is taken for one

SEEDS, EXPANSION = 3, 0.5
"""How many of the best notes lend their neighbours weight, and how much at most."""

DISTANCE = (0.30, 0.18, 0.10, 0.05)
DISTANCE_OF_ANCHOR_IN_COMPARISON = 0.22
PATH = (0.14, 0.09, 0.05)
PATH_CONFIDENCE = 0.12
PREREQUISITE, PREREQUISITE_TO_DO = 0.07, 0.12
CONTRAST, ANALOGY = 0.32, 0.18
PATH_CAP, PATH_CAP_IN_COMPARISON = 0.4, 0.6
BRANCH = 0.24
SIDE = 0.01  # the first side of a comparison before the second
RELATION_CAP = 0.18
INVALID, INVALID_PER_REASON, INVALID_REASONS = 0.18, 0.02, 3
HUB, HUB_SHARE, HUB_LEAST = 0.12, 0.7, 8

GRAPH_MOST = DISTANCE[0] + PATH_CAP_IN_COMPARISON + RELATION_CAP + BRANCH + EXPANSION
TIME_MOST = INVALID + INVALID_PER_REASON * INVALID_REASONS

TITLE_OVERLAP = 1.6
ANCHORS, ANCHOR_LEAST, ANCHOR_BEHIND = 3, 0.2, 0.08
"""At most so many anchors, none below this score or this far behind the best."""

_REFERENCE = {RelationKind.REFERENCE: 18}
_EXPLAINED = {RelationKind.PREREQUISITE: 94, RelationKind.CAUSAL: 88, RelationKind.SEQUENCE: 76}
_DONE = {
    RelationKind.PREREQUISITE: 104,
    RelationKind.SEQUENCE: 96,
    RelationKind.APPLICATION: 82,
}
_COMPARED = {RelationKind.CONTRAST: 104, RelationKind.ANALOGY: 92, RelationKind.CAUSAL: 70}
_OTHER = {
    RelationKind.PREREQUISITE: 90,
    RelationKind.SEQUENCE: 82,
    RelationKind.APPLICATION: 74,
}
PRIORITIES: Mapping[Intent, Mapping[RelationKind, int]] = {
    Intent.WHAT: _EXPLAINED | _REFERENCE,
    Intent.WHY: _EXPLAINED | _REFERENCE,
    Intent.LEARN: _DONE | _REFERENCE,
    Intent.HOW_TO: _DONE | _REFERENCE,
    Intent.COMPARE: _COMPARED | _REFERENCE,
    Intent.STILL_VALID: _OTHER | _REFERENCE,
    Intent.LIST: _OTHER | _REFERENCE,
    Intent.GENERIC: _OTHER | _REFERENCE,
}
"""How well a kind of relation fits what is asked; a kind that is not listed does not."""

_BEST_PRIORITY = 104
_TO_DO = frozenset({Intent.HOW_TO, Intent.LEARN})


# A note in the making ----------------------------------------------------------------


@dataclass(slots=True)
class Found:
    """A note under consideration, while its reasons are gathered.

    Attributes:
        document_id: The note.
        root_no: Its root atom.
        words: Those of its atoms that were found, with what the words give each, 0 to 1.
        features: Every reason so far.
        validity: Whether it holds, once that was looked up.
    """

    document_id: DocumentId
    root_no: AtomNo
    words: dict[AtomNo, float]
    features: dict[str, float] = field(default_factory=dict)
    validity: Validity | None = None

    @property
    def score(self) -> float:
        """The sum of its reasons, whatever order they came in."""
        return math.fsum(self.features.values())

    def add(self, reasons: Mapping[str, float]) -> None:
        """Take in more reasons; one that says nothing is not kept."""
        for name, value in reasons.items():
            if value:
                self.features[name] = value


def in_order(found: Iterable[Found]) -> list[Found]:
    """Best first; equals by their ids."""
    return sorted(found, key=lambda note: (-note.score, note.document_id))


def put_first(sides: Sequence[Found], found: Iterable[Found]) -> None:
    """Put the sides of a comparison before all others, in the order of the question."""
    most = max((note.score for note in found), default=0.0)
    for behind, side in enumerate(reversed(sides), start=1):
        side.add({"side": most - side.score + SIDE * behind})


# Words and names ---------------------------------------------------------------------


def of_words(words: Mapping[AtomNo, float]) -> dict[str, float]:
    """The best atom of a note, and a small share of the others."""
    ranked = sorted(words.values(), reverse=True)
    if not ranked:
        return {}
    further = math.fsum(value * SIBLING / 2**at for at, value in enumerate(ranked[1:]))
    return {"bm25": ranked[0], "siblings": further}


def of_name(said: float, words: Mapping[AtomNo, float]) -> dict[str, float]:
    """A name of the note stands in the question.

    If the question is nothing but the name, the words cannot say less than the name does.

    Args:
        said: How much of the question the name is, and how surely it is meant, 0 to 1.
        words: What the words give the note's atoms.
    """
    best = max(words.values(), default=0.0)
    return {"alias": ALIAS * said, "whole_name": max(0.0, said - best)}


def _asks_for_more(plan: QueryPlan) -> bool:
    """Whether a question wants to know more of a thing than what it is."""
    subjects = " ".join(subject.text for subject in plan.subjects)
    return len(words_of(subjects).needed) > _NAME_WORDS


def of_spelling(plan: QueryPlan, document: DocumentId) -> dict[str, float]:
    """A note steps back if another's name stands there letter for letter, in that script."""
    literal = {
        (hit.start, hit.end)
        for hit in plan.alias_hits
        if hit.surface.casefold() == plan.question[hit.start : hit.end].casefold()
    }
    mine = [hit for hit in plan.alias_hits if hit.document_id == document]
    meant = [hit for hit in mine if (hit.start, hit.end) in literal]
    is_other = bool(meant) and not any(
        hit.surface.casefold() == plan.question[hit.start : hit.end].casefold() for hit in meant
    )
    return {"spelling": -OTHER_SPELLING if is_other else 0.0}


def of_headings(
    plan: QueryPlan, document: DocumentId, sections: Iterable[Sequence[str]]
) -> dict[str, float]:
    """A note has a section whose headings ask what the question asks.

    Args:
        plan: The question.
        document: The note.
        sections: The headings down to each of its sections, its title first.
    """
    if plan.intent is Intent.WHAT and not _asks_for_more(plan):
        return {}  # a note of that name says more of it than a section that is called so
    if plan.intent is Intent.COMPARE:
        names = [subject.text for subject in plan.subjects]
        is_of_all = len(names) > 1 and any(
            all(names_whole(path[-1], name) for name in names) for path in sections
        )
        return {"heading": HEADED_EXACTLY if is_of_all else 0.0}
    asked = asked_of(plan, document)
    found = [fit(asked, plan.intent, path) for path in sections]
    worth = [HEADED_EXACTLY if one.is_exact else HEADED for one in found if one is not None]
    return {"heading": max(worth, default=0.0)}


def of_language(rank: int, *, yields: bool) -> dict[str, float]:
    """A note in another language than the question's steps back (``tongues.py``)."""
    return {"language": -OTHER_LANGUAGE[rank] - (OTHER_FOLDER if yields and rank else 0.0)}


def of_number(*, agrees: bool | None) -> dict[str, float]:
    """A title with the asked number comes forward, one with another number steps back."""
    return {} if agrees is None else {"number": NUMBER if agrees else -OTHER_NUMBER}


_HEADINGS: Mapping[Intent, re.Pattern[str]] = {
    intent: late(rf"\b(?:{latin})\b|{han}", re.IGNORECASE)
    for intent, latin, han in (
        (
            Intent.WHAT,
            r"what is|what are|definition|overview|introduction|concepts?|summary|meaning",
            "定义|是什么|什么是|什麼是|概念|简介|簡介|介绍|介紹|概述|概览|概覽|含义|含義",
        ),
        (
            Intent.WHY,
            r"why|reasons?|rationale|motivation|causes?|background|purpose",
            "为什么|為什麼|为何|為何|原因|原理|理由|动机|動機|背景|目的",
        ),
        (
            Intent.HOW_TO,
            r"how|steps?|usage|guide|procedure|instructions?|tutorial|getting started|setup",
            "怎样|怎樣|怎么|怎麼|如何|步骤|步驟|方法|操作|用法|教程|流程|做法",
        ),
        (
            Intent.LEARN,
            r"learning|prerequisites?|roadmap|getting started|where to start|path",
            "学习|學習|路线|路線|先修|前置|入门|入門|预备|預備",
        ),
        (
            Intent.COMPARE,
            r"vs|versus|compar(?:e|ed|ison)|differences?|differs?|pros and cons|trade-?offs?",
            "区别|區別|对比|對比|比较|比較|差异|差異|不同|优缺点|優缺點",
        ),
        (
            Intent.STILL_VALID,
            r"status|changes?|changelog|history|deprecat(?:ed|ion)|superseded|versions?",
            "有效|变更|變更|更新|版本|废弃|廢棄|弃用|棄用|历史|歷史|取代",
        ),
        (
            Intent.LIST,
            r"lists?|types?|kinds?|examples?|categories|members",
            "列表|清单|清單|种类|種類|分类|分類|类型|類型|例子|示例",
        ),
    )
}


def lift(intent: Intent, atom: KnowledgeAtom, subjects: Collection[str] = ()) -> float:
    """How much an atom rises within its note, for what its heading says.

    A question what something is wants the note's own beginning, which seldom says so.

    Args:
        intent: What is asked.
        atom: A section of a note.
        subjects: What it is asked of, as compact keys; a heading that is one of them, but
            for what kind of thing it is ("Floyd 算法"), says that all below is about it.
    """
    if not atom.is_root and _names(atom.title, subjects):
        return SUBJECT
    if intent is Intent.WHAT and atom.is_root:
        return HEADING
    headings = _HEADINGS.get(intent)
    return HEADING if headings and not atom.is_root and headings.search(atom.title) else 0.0


def _names(heading: str, subjects: Collection[str]) -> bool:
    asked = content_of(heading)
    keys = [compact_key(piece.text) for piece in asked]
    return any(
        key == subject or (key.startswith(subject) and _KIND.fullmatch(key, len(subject)))
        for key in keys[:1]
        for subject in subjects
    )


_KIND = late("[\u3400-\u9fff]{1,2}|algorithm|method|function|type|class|operator")

# The graph ---------------------------------------------------------------------------


def lent(seed: float, degree: int) -> float:
    """What a seed lends each neighbour; a hub spreads itself thin."""
    return EXPANSION * seed / math.log2(2 + degree)


def anchors(named: Sequence[tuple[float, DocumentId]]) -> list[DocumentId]:
    """Choose the anchors among the notes that the question names, from their scores."""
    ranked = sorted(named, key=lambda one: (-one[0], one[1]))
    if not ranked:
        return []
    least = max(ANCHOR_LEAST, ranked[0][0] - ANCHOR_BEHIND)
    return [document for score, document in ranked if score >= least][:ANCHORS]


def title_overlap(asked: frozenset[str], title: frozenset[str]) -> float:
    """How far a title and a question have the same words (Jaccard), as anchors are scored.

    >>> title_overlap(frozenset({"wash", "glass"}), frozenset({"glass", "cup"})) > ANCHOR_LEAST
    True
    """
    both = len(asked & title)
    return TITLE_OVERLAP * both / len(asked | title) if both else 0.0


def of_graph(intent: Intent, node: int, near: Nearness) -> dict[str, float]:
    """How a note lies to the anchors, from where it stands in the graph."""
    distance = near.distance.get(node)
    if distance is None:
        return {}
    compared = intent is Intent.COMPARE
    branch = {"compare_branch": _branch(near.kinds(node)) if compared else 0.0}
    if distance == 0:
        here = DISTANCE_OF_ANCHOR_IN_COMPARISON if compared else DISTANCE[0]
        return {"anchor_distance": here} | branch
    reasons = {"anchor_distance": DISTANCE[distance] if distance < len(DISTANCE) else 0.0}
    reasons |= _of_path(intent, node, near)
    return reasons | _of_relations(intent, near.kinds(node)) | branch


def _of_path(intent: Intent, node: int, near: Nearness) -> dict[str, float]:
    """A directed path to or from an anchor, its certainty, and what kind it is."""
    way, depth = near.ways.get(node), near.prerequisite_depth.get(node)
    if way is None:
        return {}
    needed = PREREQUISITE_TO_DO if intent in _TO_DO else PREREQUISITE
    reasons = {
        "path": PATH[min(way.edges, len(PATH)) - 1],
        "path_confidence": PATH_CONFIDENCE * way.path_confidence,
        "prerequisite_depth": needed / depth if depth else 0.0,
    }
    if intent is not Intent.COMPARE:
        return _capped(reasons, PATH_CAP)
    kinds = near.kinds(node)
    reasons["contrast"] = CONTRAST * kinds.get(RelationKind.CONTRAST, 0.0)
    reasons["analogy"] = ANALOGY * kinds.get(RelationKind.ANALOGY, 0.0)
    return _capped(reasons, PATH_CAP_IN_COMPARISON)


def _of_relations(intent: Intent, kinds: Mapping[RelationKind, float]) -> dict[str, float]:
    fits = PRIORITIES[intent]
    best = max((fits.get(kind, 0) * sure for kind, sure in kinds.items()), default=0.0)
    return {"relation_intent": min(RELATION_CAP, RELATION_CAP * best / _BEST_PRIORITY)}


def _branch(kinds: Mapping[RelationKind, float]) -> float:
    """A branch of a comparison beats a note that merely refers to what is compared."""
    is_branch = RelationKind.CONTRAST in kinds or RelationKind.ANALOGY in kinds
    return BRANCH if is_branch else 0.0


def _capped(reasons: dict[str, float], cap: float) -> dict[str, float]:
    whole = math.fsum(reasons.values())
    if whole <= cap:
        return reasons
    return {name: value * cap / whole for name, value in reasons.items()}


def of_hub(degree: int, greatest: int, *, reachable: bool) -> dict[str, float]:
    """A note with links to everything, and none to what was asked, steps back."""
    if reachable or greatest < HUB_LEAST or degree <= HUB_SHARE * greatest:
        return {}
    return {"hub": -HUB * degree / greatest}


# Time --------------------------------------------------------------------------------


def of_time(intent: Intent, validity: Validity) -> dict[str, float]:
    """A penalty for what does not hold; there is no reward for being new.

    Whoever asks whether something still holds must find it, stale or not.
    """
    if validity.is_valid or intent is Intent.STILL_VALID:
        return {}
    reasons = min(len(validity.reasons), INVALID_REASONS)
    return {"temporal": -(INVALID + INVALID_PER_REASON * reasons)}
