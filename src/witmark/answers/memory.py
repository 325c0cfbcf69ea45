"""What is kept of an ask for later: a few review cards, and what a session remembers.

Both are offers to the reader, shown in blocks, trace, pane and export; never in the public
answer. Nothing is remembered unless the request says ``persistMemory``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from witmark.answers.answer import DraftSentence
from witmark.answers.asking import QueryPlan
from witmark.answers.atoms import AtomId
from witmark.answers.claims import words_of
from witmark.answers.pack import GraphContextPack
from witmark.kernel.canon import canonical_json, digest_of

MOST_CARDS = 3
"""Review cards of one run (``reviewCards``)."""

MOST_RECALLED = 3
"""Memories that one ask brings back."""


class MemoryKind(StrEnum):
    """What was done with a memory (``kind``)."""

    REMEMBER = "remember"
    RECALL = "recall"


class MemoryStatus(StrEnum):
    """How it went (``status``)."""

    STORED = "stored"
    ALREADY_KNOWN = "already_known"
    RECALLED = "recalled"


class MemoryLayer(StrEnum):
    """Where the memory lives (``layer``)."""

    SESSION = "session"


@dataclass(frozen=True, slots=True)
class ReviewCard:
    """A question to come back to.

    Attributes:
        card_id: A digest of the rest.
        question: What to ask oneself.
        answer_atom_id: Where the answer stands.
        due: ISO date.
    """

    card_id: str
    question: str
    answer_atom_id: AtomId
    due: str


@dataclass(frozen=True, slots=True)
class Memory:
    """A question that was answered, and where from.

    Attributes:
        memory_id: A digest of namespace, question and atoms: the same twice is one.
        namespace: Whose memory it is; memories of different namespaces never mix.
        question: As asked.
        atom_ids: What the answer rested on.
        recorded: ISO date.
    """

    memory_id: str
    namespace: str
    question: str
    atom_ids: tuple[AtomId, ...]
    recorded: str


@dataclass(frozen=True, slots=True)
class MemoryAction:
    """One thing done with a memory; ``memory_governance`` wants every field filled."""

    kind: str
    status: str
    layer: str
    namespace: str
    memory_id: str


def review_cards(
    plan: QueryPlan, pack: GraphContextPack, kept: Sequence[DraftSentence], *, asked_on: str
) -> tuple[ReviewCard, ...]:
    """Offer the question itself and what else the answer leant on, due the day after.

    Args:
        plan: The question.
        pack: Titles of what the answer rests on.
        kept: The sentences that were released.
        asked_on: ISO date of the ask.
    """
    titles = {node.atom.id: node.atom.document_title for node in pack.support}
    due = (date.fromisoformat(asked_on) + timedelta(days=1)).isoformat()
    cards: list[ReviewCard] = []
    for atom in dict.fromkeys(cut.atom_id for sentence in kept for cut in sentence.cuts):
        if not cards:
            cards.append(_card(plan.question, atom, due))
        elif titles.get(atom):
            cards.append(_card(_what_is(titles[atom], plan.language), atom, due))
    return tuple(cards[:MOST_CARDS])


def _what_is(title: str, language: str) -> str:
    return f"什么是{title}？" if language == "zh" else f"What is {title}?"


def _card(question: str, atom: AtomId, due: str) -> ReviewCard:
    return ReviewCard(card_id(question, atom, due), question, atom, due)


def card_id(question: str, atom: str, due: str) -> str:
    """Name a card by the rest of it."""
    return _name("card", question, atom, due)


def _name(kind: str, *parts: str) -> str:
    return f"{kind}:{digest_of(canonical_json(list(parts))).removeprefix('sha256:')[:24]}"


def remember(
    known: Iterable[Memory],
    plan: QueryPlan,
    kept: Sequence[DraftSentence],
    *,
    namespace: str,
    asked_on: str,
) -> tuple[tuple[Memory, ...], MemoryAction | None]:
    """Add an answered question to what a session remembers, newest last.

    Returns:
        All memories, and what was done: ``None`` when there was no answer to remember.
    """
    known = tuple(known)
    atoms = tuple(dict.fromkeys(cut.atom_id for sentence in kept for cut in sentence.cuts))
    if not atoms:
        return known, None
    name = _name("memory", namespace, plan.question, *atoms)
    status = MemoryStatus.STORED
    if any(memory.memory_id == name for memory in known):
        status = MemoryStatus.ALREADY_KNOWN
    else:
        known = (*known, Memory(name, namespace, plan.question, atoms, asked_on))
    return known, MemoryAction(
        MemoryKind.REMEMBER, status, MemoryLayer.SESSION, namespace, name
    )


def recall(
    known: Iterable[Memory], plan: QueryPlan, pack: GraphContextPack, *, namespace: str
) -> tuple[tuple[Memory, ...], tuple[MemoryAction, ...]]:
    """Bring back the memories of a namespace that touch this question, closest first.

    A memory touches the question when it rests on an atom of the pack or shares a word.
    """
    atoms = {fragment.atom_id for fragment in pack.fragments}
    words = words_of(plan.question)
    scored = [
        (len(atoms & set(memory.atom_ids)), len(words & words_of(memory.question)), memory)
        for memory in known
        if memory.namespace == namespace
    ]
    scored.sort(key=lambda one: (-one[0], -one[1], one[2].memory_id))
    back = tuple(memory for a, w, memory in scored if a or w)[:MOST_RECALLED]
    return back, tuple(
        MemoryAction(
            MemoryKind.RECALL,
            MemoryStatus.RECALLED,
            MemoryLayer.SESSION,
            namespace,
            one.memory_id,
        )
        for one in back
    )
