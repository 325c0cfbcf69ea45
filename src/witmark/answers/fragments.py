"""Source text for the pack: which passages, in which role, within the budget, and what not.

A fragment is a whole passage, or, of one that is too long, the run of whole sentences that
holds most of what is asked about, at its own exact place. Nothing is left out silently.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from witmark.answers.asking import QueryPlan
from witmark.answers.atoms import AtomId, Document, KnowledgeAtom, Passage
from witmark.answers.budget import Budget
from witmark.answers.defining import defines
from witmark.answers.normalising import normal_text
from witmark.answers.notes import BlockKind
from witmark.answers.pack import (
    FRONT_LINE,
    Fragment,
    FragmentRole,
    FragmentStatus,
    SourceDecision,
    Stated,
)
from witmark.answers.picking import content_tokens
from witmark.answers.places import SourceText
from witmark.answers.sentences import sentences
from witmark.answers.stating import Saying
from witmark.answers.terms import query_terms
from witmark.kernel.context import ContextPack, Item, Overflow, pack
from witmark.kernel.evidence import EvidenceRef, TextRange

_VARIANT = 0.3  # a word of another spelling of the subject, not of the question
_HEADING = 0.35  # a word found only in the headings above a passage
MOST_PASSAGES = 400
"""Passages of one atom that are looked at."""

LONGEST_PASSAGE = 20_000
"""Code points of one passage that are looked at, when only a part of it can be shown."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A passage that might be shown."""

    atom: KnowledgeAtom
    passage: int
    role: FragmentRole


class Words:
    """What the question's words are worth, by how few passages hold them."""

    def __init__(self, plan: QueryPlan, atoms: Iterable[KnowledgeAtom]) -> None:
        asked = dict.fromkeys(query_terms(plan.planner_query or plan.question), 1.0)
        self._own = frozenset(content_tokens(plan)) & asked.keys()
        for token in plan.query_tokens:
            asked.setdefault(token, _VARIANT)
        self._texts: dict[tuple[AtomId, int], str] = {}
        self._above: dict[AtomId, str] = {}
        for atom in atoms:
            self._above[atom.id] = normal_text(" ".join(atom.section_path))
            for index, passage in _readable(atom):
                self._texts[atom.id, index] = normal_text(_text(atom, passage))
        size = len(self._texts)
        spread = {t: sum(t in text for text in self._texts.values()) for t in sorted(asked)}
        self._worth = {
            token: asked[token] * math.log(1 + (size + 0.5) / (spread[token] + 0.5))
            for token in sorted(asked)
        }

    def of(self, atom: KnowledgeAtom, index: int) -> float:
        """What a passage is worth: its own words, and a little for the headings above it."""
        own = self.held(self._texts[atom.id, index])
        return self.worth(own) + _HEADING * self.worth(self.held(self._above[atom.id]) - own)

    def matches(self, atom: KnowledgeAtom, index: int) -> bool:
        """Whether a passage itself holds a word of the question."""
        return bool(self.held(self._texts[atom.id, index]))

    def are_all_in(self, heading: str) -> bool:
        """Whether a heading holds every word of the question that is its own."""
        held = self.held(normal_text(heading))
        return bool(self._own) and self._own <= held

    def held(self, normal: str) -> frozenset[str]:
        """The question's words in a text that is in the common spelling."""
        return frozenset(token for token in self._worth if token in normal)

    def worth(self, held: frozenset[str]) -> float:
        """What these words are worth together."""
        return sum(self._worth[token] for token in sorted(held))


def _text(atom: KnowledgeAtom, passage: Passage) -> str:
    return atom.content.text[passage.start : passage.end]


def _readable(atom: KnowledgeAtom) -> Iterator[tuple[int, Passage]]:
    """The passages that say something; a heading alone does not."""
    for index, passage in enumerate(atom.passages[:MOST_PASSAGES]):
        if passage.kind is not BlockKind.HEADING and _text(atom, passage).strip():
            yield index, passage


def matching(
    words: Words, atoms: Sequence[KnowledgeAtom], role: FragmentRole
) -> list[Proposal]:
    """The passages that hold words of the question, the most telling first."""
    found = [
        (-words.of(atom, index), place, index, Proposal(atom, index, role))
        for place, atom in enumerate(atoms)
        for index, _ in _readable(atom)
        if words.matches(atom, index)
    ]
    return [proposal for *_, proposal in sorted(found, key=lambda entry: entry[:3])]


def defining_passages(
    atoms: Iterable[KnowledgeAtom], names: Sequence[str], role: FragmentRole
) -> list[Proposal]:
    """The passages that name a thing and say what it is."""
    return passages_that(lambda text: defines(text, names), atoms, role)


def passages_that(
    say: Callable[[str], bool], atoms: Iterable[KnowledgeAtom], role: FragmentRole
) -> list[Proposal]:
    """The passages, tables aside, whose text passes a test."""
    return [
        Proposal(atom, index, role)
        for atom in atoms
        for index, passage in _readable(atom)
        if passage.kind is not BlockKind.TABLE_ROW and say(_text(atom, passage))
    ]


def leading(atom: KnowledgeAtom, role: FragmentRole, most: int = 1) -> list[Proposal]:
    """The first passages of an atom."""
    indices = [index for index, _ in _readable(atom)]
    return [Proposal(atom, index, role) for index in indices[:most]]


def listed(atoms: Iterable[KnowledgeAtom], role: FragmentRole, most: int) -> list[Proposal]:
    """The items of the first list in the first of these atoms that has one."""
    for atom in atoms:
        items = [index for index, p in _readable(atom) if p.kind is BlockKind.LIST_ITEM]
        run = [index for index in items if index - items[0] == items.index(index)]
        if len(run) > 1:
            return [Proposal(atom, index, role) for index in run[:most]]
    return []


def list_length(atom: KnowledgeAtom, index: int) -> int:
    """How many items the list has that a passage is an item of, nested ones aside."""
    return len(list_indices(atom, index))


def list_indices(atom: KnowledgeAtom, index: int) -> list[int]:
    """The passages that are items of the same list, nested ones aside."""
    if not 0 <= index < len(atom.passages):
        return []
    here = atom.passages[index]
    if here.kind is not BlockKind.LIST_ITEM:
        return []
    first, last = index, index
    while first > 0 and atom.passages[first - 1].kind is BlockKind.LIST_ITEM:
        first -= 1
    while last + 1 < len(atom.passages) and (
        atom.passages[last + 1].kind is BlockKind.LIST_ITEM
    ):
        last += 1
    run = ((at, atom.passages[at]) for at in range(first, last + 1))
    return [at for at, p in run if p.level == here.level and bool(p.info) == bool(here.info)]


def table_header(atom: KnowledgeAtom, index: int) -> int:
    """The passage that heads the table a passage is a row of; -1 if it is no row."""
    if atom.passages[index].kind is not BlockKind.TABLE_ROW:
        return -1
    while index > 0 and atom.passages[index - 1].kind is BlockKind.TABLE_ROW:
        index -= 1
    return index


def heading(atom: KnowledgeAtom, role: FragmentRole) -> list[Proposal]:
    """The heading an atom begins with, if it has one."""
    first = atom.passages[:1]
    is_there = any(p.kind is BlockKind.HEADING and _text(atom, p).strip() for p in first)
    return [Proposal(atom, 0, role)] if is_there else []


def around(proposals: Sequence[Proposal], reach: int) -> list[Proposal]:
    """The passages after and before some others, in their atoms, nearest first."""

    def near(proposal: Proposal, step: int) -> Iterator[Proposal]:
        there = dict(_readable(proposal.atom))
        for index in (proposal.passage + step, proposal.passage - step):
            if index in there:
                yield Proposal(proposal.atom, index, FragmentRole.ADJACENT_CONTEXT)

    steps = range(1, reach + 1)
    return [found for step in steps for one in proposals for found in near(one, step)]


# Choosing ----------------------------------------------------------------------------


@dataclass(slots=True)
class Shelf:
    """Fragments taken so far, and every decision on the way."""

    budget: Budget
    words: Words
    fragments: list[Fragment] = field(default_factory=list)
    decisions: list[SourceDecision] = field(default_factory=list)
    stated: list[Stated] = field(default_factory=list)
    _items: list[Item] = field(default_factory=list)
    _sources: dict[str, SourceText | None] = field(default_factory=dict)
    _seen: set[EvidenceRef] = field(default_factory=set)
    _dropped: list[EvidenceRef] = field(default_factory=list)
    _listed: dict[AtomId, KnowledgeAtom] = field(default_factory=dict)
    _chars: int = 0

    def open(self, atom: KnowledgeAtom, document: Document | None, role: FragmentRole) -> None:
        """Read the source of a note; one that is gone is told so."""
        path = atom.source_path
        if document is None:
            self._sources[path] = None
            status, chars = FragmentStatus.SOURCE_WINDOW_UNAVAILABLE, 0
            because = "the note is not in the index any more"
        else:
            self._sources[path] = SourceText.of(document)
            status, chars, because = FragmentStatus.READ, len(document.text), "read whole"
        self.decisions.append(SourceDecision(path, atom.id, status, role, chars, because))

    def has_opened(self, atom: KnowledgeAtom) -> bool:
        """Whether the note of an atom was opened, or found to be gone."""
        return atom.source_path in self._sources

    def propose(self, proposals: Iterable[Proposal]) -> None:
        """Take what fits, in order."""
        for proposal in proposals:
            self._propose(proposal)

    def state(self, saying: Saying, head: KnowledgeAtom, document: Document) -> None:
        """Take the text that states an edge, if it fits, and remember what it states.

        A line of the front matter becomes a fragment of its own; a link is shown with its
        passage.
        """
        source = self._sources.get(head.source_path)
        if source is None:
            return
        if not saying.is_front:
            self.propose(_holding(document, saying))
        elif len(self.fragments) < self.budget.max_fragments:
            made = _front_line(saying, head, source)
            if made.ref not in self._seen and self._chars + len(made.text) <= (
                self.budget.max_total_chars
            ):
                self._seen.add(made.ref)
                self._items.append(Item(made.ref, made.text))
                self.fragments.append(made)
                self._chars += len(made.text)
        for one in self.fragments:
            at, is_there = one.span.span, one.span.document_id == saying.document_id
            if is_there and at.start <= saying.at.start and saying.at.end <= at.end:
                self.stated.append(Stated(saying.edge_id, one.ref, saying.at))
                return

    def leave(self, atom: KnowledgeAtom, role: FragmentRole, because: str) -> None:
        """Tell that a note that was found is not shown."""
        self._decide(Proposal(atom, -1, role), FragmentStatus.FRAGMENT_DROPPED, 0, because)

    def context(self) -> ContextPack:
        """The fragments as the kernel's pack, with the refs of what did not fit.

        The items of a list of which some are shown are named as well, asked for or not.
        """
        fitted = pack(
            self._items, budget_chars=self.budget.max_total_chars, overflow=Overflow.OMIT
        )
        left = dict.fromkeys((*fitted.omitted, *self._dropped, *self._rest_of_lists()))
        return replace(fitted, omitted=tuple(ref for ref in left if ref not in fitted.refs))

    def _rest_of_lists(self) -> Iterator[EvidenceRef]:
        for one in self.fragments:
            if (atom := self._listed.get(one.atom_id)) is None:
                continue
            for item in (atom.passages[n] for n in list_indices(atom, one.passage)):
                at = TextRange(item.source_start, item.source_end)
                yield EvidenceRef(one.ref.blob, at)

    def _propose(self, proposal: Proposal) -> None:
        source = self._sources.get(proposal.atom.source_path)
        if source is None:
            return  # its note is gone, which is told already
        passage = proposal.atom.passages[proposal.passage]
        size = min(passage.end - passage.start, self.budget.max_fragment_chars)
        if len(self.fragments) >= self.budget.max_fragments:
            at = TextRange(passage.source_start, passage.source_end)
            self._dropped.append(EvidenceRef(source.source_hash, at))
            self._drop(proposal, size, "as many fragments as the budget allows are shown")
        elif (made := self._fragment(proposal, source)) and made.ref not in self._seen:
            self._seen.add(made.ref)
            self._take(proposal, made)

    def _take(self, proposal: Proposal, made: Fragment) -> None:
        size = len(made.text)
        self._items.append(Item(made.ref, made.text))
        if self._chars + size > self.budget.max_total_chars:
            self._drop(proposal, size, "it is longer than what is left of the budget")
        else:
            self.fragments.append(made)
            self._chars += size
            self._tell(proposal, size)
            if made.list_length:
                self._listed[made.atom_id] = proposal.atom
            if 0 <= made.table_header != made.passage:
                role = FragmentRole.PARENT_CONTEXT
                self._propose(Proposal(proposal.atom, made.table_header, role))

    def _drop(self, proposal: Proposal, size: int, because: str) -> None:
        self._decide(proposal, FragmentStatus.FRAGMENT_DROPPED, size, because)

    def _tell(self, proposal: Proposal, size: int) -> None:
        passage = proposal.atom.passages[proposal.passage]
        whole = passage.end - passage.start
        if size < whole:
            because = f"{size} of {whole} code points, cut at the end of a sentence"
            self._decide(proposal, FragmentStatus.FRAGMENT_TRUNCATED, size, because)
        else:
            self._decide(proposal, FragmentStatus.FRAGMENT_INCLUDED, size, "shown whole")

    def _decide(
        self, proposal: Proposal, status: FragmentStatus, size: int, because: str
    ) -> None:
        atom = proposal.atom
        self.decisions.append(
            SourceDecision(atom.source_path, atom.id, status, proposal.role, size, because)
        )

    def _fragment(self, proposal: Proposal, source: SourceText) -> Fragment | None:
        atom = proposal.atom
        passage = atom.passages[proposal.passage]
        where = TextRange(passage.source_start, passage.source_end)
        text = _text(atom, passage)
        if len(text) > self.budget.max_fragment_chars:
            cut = self._best_run(text)
            placed = None if cut is None else _placed(atom, passage, cut)
            if cut is None or placed is None:
                self._truncate(proposal, len(text))
                return None
            where, text = placed, text[cut.start : cut.end]
        return Fragment(
            ref=EvidenceRef(source.source_hash, where),
            atom_id=atom.id,
            passage=proposal.passage,
            role=proposal.role,
            text=text,
            span=source.span(where.start, where.end, atom.language),
            list_length=list_length(atom, proposal.passage),
            table_header=table_header(atom, proposal.passage),
        )

    def _truncate(self, proposal: Proposal, size: int) -> None:
        because = f"{size} code points and no sentence end to cut it at"
        self._decide(proposal, FragmentStatus.FRAGMENT_TRUNCATED, 0, because)

    def _best_run(self, text: str) -> TextRange | None:
        """The run of whole sentences within the limit that is worth most."""
        limit = self.budget.max_fragment_chars
        cut = [s for s in sentences(text[:LONGEST_PASSAGE]) if s.end - s.start <= limit]
        held = [self.words.held(normal_text(text[s.start : s.end])) for s in cut]
        best: tuple[float, int, int] | None = None
        last = 0
        for first, start in enumerate(cut):
            while last < len(cut) and cut[last].end - start.start <= limit:
                last += 1
            worth = self.words.worth(frozenset().union(*held[first:last]))
            if best is None or worth > best[0]:
                best = worth, start.start, cut[last - 1].end
        return None if best is None else TextRange(best[1], best[2])


def _front_line(saying: Saying, head: KnowledgeAtom, source: SourceText) -> Fragment:
    span = source.span(saying.at.start, saying.at.end, head.language)
    return Fragment(
        ref=EvidenceRef(source.source_hash, saying.at),
        atom_id=head.id,
        passage=FRONT_LINE,
        role=FragmentRole.BACKGROUND,
        text=span.span.quote,
        span=span,
    )


def _holding(document: Document, saying: Saying) -> list[Proposal]:
    """The passage in which a link stands."""
    return [
        Proposal(atom, index, FragmentRole.BACKGROUND)
        for atom in document.atoms
        for index, passage in _readable(atom)
        if passage.source_start <= saying.at.start < passage.source_end
    ][:1]


def _placed(atom: KnowledgeAtom, passage: Passage, cut: TextRange) -> TextRange | None:
    return atom.content.source_range(passage.start + cut.start, passage.start + cut.end)
