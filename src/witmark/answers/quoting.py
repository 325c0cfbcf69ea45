"""What of each note in the pack is quoted, in which role, and what comes first.

The anchor answers, so its matching passages lead; then what the question cannot do without:
the items of a list, what contradicts, the steps of an order. Then the support, then what
stands around the best passages, then the rest, as far as the budget goes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from witmark.answers.asking import Intent, QueryPlan
from witmark.answers.atoms import Document, KnowledgeAtom
from witmark.answers.budget import Budget
from witmark.answers.defining import is_definition, names_whole
from witmark.answers.expecting import Expected, announces, asks_for_cautions, look_of
from witmark.answers.fragments import (
    Proposal,
    Shelf,
    Words,
    around,
    defining_passages,
    heading,
    leading,
    listed,
    matching,
    passages_that,
    warnings_of,
)
from witmark.answers.headings import Fit, asked_of, fit, is_part_of, is_section_of
from witmark.answers.notes import BlockKind
from witmark.answers.pack import Fragment, FragmentRole, SourceDecision, Stated
from witmark.answers.stating import Saying
from witmark.answers.supporting import names_asked
from witmark.kernel.context import ContextPack

_STEPS = frozenset({Intent.LEARN, Intent.HOW_TO})
_PROMISE = {Intent.WHY: Expected.REASON, Intent.HOW_TO: Expected.MANNER}
_ITEMS = frozenset({Intent.LIST, Intent.HOW_TO})
_BY_GRAPH = frozenset({Intent.LEARN, Intent.STILL_VALID, Intent.COMPARE})
_SECTIONS, _SECTION_PASSAGES = 2, 9
_A_PART = Fit(is_exact=False, own=0, less=0)
_FIRST, _EACH, _ITEM_REACH, _ITEMS_MOST = 4, 2, 8, 9
_BEFORE_SAYINGS = 2  # the best passages of the anchor, and what they stand under


@dataclass(frozen=True, slots=True)
class NoteToQuote:
    """A note in the pack.

    Attributes:
        head: The atom it is told by.
        atoms: Those of its atoms that were found, best first.
        document: Its source; ``None`` if it is gone.
        tied: A relation joins it to the anchor.
        opposes: It contradicts the anchor, or one of the two replaces the other.
        whole: All of its atoms in scope, if the question wants them looked through.
    """

    head: KnowledgeAtom
    atoms: tuple[KnowledgeAtom, ...]
    document: Document | None
    tied: bool
    opposes: bool
    whole: tuple[KnowledgeAtom, ...] = ()

    @property
    def everything(self) -> tuple[KnowledgeAtom, ...]:
        """Its atoms, the head included."""
        return self.atoms if self.head in self.atoms else (*self.atoms, self.head)


@dataclass(frozen=True, slots=True)
class Material:
    """All notes that may be quoted, by what they are to the question."""

    plan: QueryPlan
    budget: Budget
    anchor: NoteToQuote
    support: tuple[NoteToQuote, ...]
    steps: tuple[NoteToQuote, ...]
    before: tuple[NoteToQuote, ...]
    after: tuple[NoteToQuote, ...]
    outranked: tuple[KnowledgeAtom, ...]
    sayings: tuple[tuple[Saying, KnowledgeAtom, Document], ...] = ()


@dataclass(frozen=True, slots=True)
class Quoted:
    """The fragments of a pack, and what was decided about the rest."""

    fragments: tuple[Fragment, ...]
    context: ContextPack
    decisions: tuple[SourceDecision, ...]
    evidence_refs: tuple[str, ...]
    stated: tuple[Stated, ...]


def quote(material: Material) -> Quoted:
    """Fill the budget with source text, the most important first."""
    notes = (material.anchor, *material.support)
    words = Words(material.plan, [atom for note in notes for atom in note.everything])
    shelf = Shelf(material.budget, words)
    for note, role in _opened(material):
        shelf.open(note.head, note.document, role)
    for number, proposals in enumerate(_in_turn(material, words)):
        shelf.propose(proposals)
        if number == _BEFORE_SAYINGS:
            for saying in material.sayings:
                _state(shelf, *saying)
    for atom in material.outranked:
        shelf.leave(atom, FragmentRole.BACKGROUND, "other notes matter more")
    return Quoted(
        tuple(shelf.fragments),
        shelf.context(),
        tuple(shelf.decisions),
        _evidence_refs(shelf.fragments, material.budget),
        tuple(shelf.stated),
    )


def _state(shelf: Shelf, saying: Saying, head: KnowledgeAtom, document: Document) -> None:
    if not shelf.has_opened(head):
        shelf.open(head, document, FragmentRole.BACKGROUND)
    shelf.state(saying, head, document)


def _opened(material: Material) -> Iterator[tuple[NoteToQuote, FragmentRole]]:
    yield material.anchor, FragmentRole.DIRECT_SUPPORT
    for note in material.support:
        yield note, FragmentRole.CONFLICT if note.opposes else FragmentRole.DIRECT_SUPPORT
    for note in _neighbours(material):
        yield note, FragmentRole.GRAPH_NEIGHBOR_SUPPORT


def _neighbours(material: Material) -> tuple[NoteToQuote, ...]:
    """Notes beyond the support that an answer may speak of, so that it can cite them."""
    steps = material.plan.intent in _STEPS
    return (*material.steps, *material.before, *(material.after if steps else ()))


def _in_turn(  # noqa: C901 - one branch for each thing that has its turn
    material: Material, words: Words
) -> Iterator[list[Proposal]]:
    """Every proposal, in the order in which they are worth a place."""
    intent, anchor = material.plan.intent, material.anchor
    direct = matching(words, anchor.everything, FragmentRole.DIRECT_SUPPORT)
    yield list(_decided(material))
    if intent is Intent.STILL_VALID:
        yield heading(anchor.head, FragmentRole.PARENT_CONTEXT)
    yield direct[:_FIRST]
    yield _parents(direct[:_FIRST], anchor)
    yield list(_promised(material))
    yield list(_ways(material, words))
    if intent is Intent.HOW_TO or asks_for_cautions(material.plan.question):
        yield list(_warned(anchor))
    if intent in _ITEMS:
        yield around(direct[:1], _ITEM_REACH)
        yield listed(
            _in_order_found(anchor, direct), FragmentRole.ADJACENT_CONTEXT, _ITEMS_MOST
        )
    found = {
        note.head.id: matching(words, note.everything, FragmentRole.DIRECT_SUPPORT)
        for note in material.support
    }
    for note in material.support:
        if note.opposes:
            best = [*found[note.head.id][:1], *leading(note.head, FragmentRole.CONFLICT)]
            yield [Proposal(p.atom, p.passage, FragmentRole.CONFLICT) for p in best]
    for note in material.support if intent in _ITEMS else ():
        if note.opposes:
            yield listed(note.whole or note.atoms, FragmentRole.CONFLICT, _ITEMS_MOST)
    for note in _neighbours(material) if intent in _STEPS else ():
        yield leading(note.head, FragmentRole.GRAPH_NEIGHBOR_SUPPORT)
    for note in material.support:
        yield found[note.head.id][:_EACH]
        beside = FragmentRole.GRAPH_NEIGHBOR_SUPPORT if note.tied else FragmentRole.BACKGROUND
        yield leading(note.head, beside)
    for note in _neighbours(material):
        yield leading(note.head, FragmentRole.GRAPH_NEIGHBOR_SUPPORT)
    yield around(direct[:_EACH], 1)
    yield direct[_FIRST:]
    for atom in anchor.atoms:
        yield leading(atom, FragmentRole.BACKGROUND, _FIRST)


def _decided(material: Material) -> Iterator[Proposal]:
    """What stands in the sections whose headings repeat the question, the best first."""
    plan = material.plan
    if plan.intent in _BY_GRAPH:
        return
    found = []
    for number, note in enumerate((material.anchor, *material.support)):
        asked = asked_of(plan, note.head.document_id)
        for atom in _whole(note):
            fits = None if atom.is_root else fit(asked, plan.intent, atom.section_path)
            if fits is None and not atom.is_root and is_part_of(asked, atom.section_path):
                fits = _A_PART
            if fits is not None:
                strange = atom.language.partition("-")[0] not in {plan.language, "und"}
                rank = tuple(-int(part) for part in fits.rank)
                found.append((strange, rank, number, atom.ordinal, atom))
    for *_, atom in sorted(found, key=lambda entry: entry[:4])[:_SECTIONS]:
        yield from warnings_of(atom, FragmentRole.DIRECT_SUPPORT)
        yield from leading(atom, FragmentRole.DIRECT_SUPPORT, _SECTION_PASSAGES)


def _promised(material: Material) -> Iterator[Proposal]:
    """Passages that say what is asked in words the question does not use.

    Those that define the thing; those under a heading that promises a reason or a way.
    """
    plan, anchor = material.plan, material.anchor
    whole = _whole(anchor)
    if names := names_asked(plan):
        for atom in whole:
            if not atom.is_root and is_definition(atom.title):
                yield from leading(atom, FragmentRole.DIRECT_SUPPORT)
        atoms = (*whole, *(atom for note in material.support for atom in note.everything))
        yield from defining_passages(atoms, names, FragmentRole.DIRECT_SUPPORT)[:_FIRST]
    if plan.intent is Intent.COMPARE:
        atoms = (*whole, *(a for n in material.support for a in _whole(n)))
        yield from _about_all_sides(plan, atoms)
    wanted = _PROMISE.get(plan.intent)
    if wanted is None:
        return
    for atom in whole:
        if atom.language in {plan.language, "und"} and announces(atom.title, wanted):
            yield from leading(atom, FragmentRole.DIRECT_SUPPORT, _EACH)
    if wanted is Expected.REASON:
        reasons = passages_that(look_of(wanted), whole, FragmentRole.DIRECT_SUPPORT)
        yield from reasons[:_EACH]


def _ways(material: Material, words: Words) -> Iterator[Proposal]:
    """The items of the sections whose headings promise the very thing that is asked.

    Of the anchor a heading that promises a way is enough; of any other note it must hold
    every word of the question.
    """
    plan = material.plan
    notes = (material.anchor, *material.support) if plan.intent is Intent.HOW_TO else ()
    for note in notes:
        for atom in _whole(note):
            if atom.language not in {plan.language, "und"} or atom.is_root:
                continue
            is_way = announces(atom.title, Expected.MANNER)
            is_it = words.are_all_in(atom.title)
            if is_it or (
                is_way
                and (note is material.anchor or words.are_all_in(" ".join(atom.section_path)))
            ):
                yield from listed([atom], FragmentRole.DIRECT_SUPPORT, _ITEMS_MOST)


def _warned(note: NoteToQuote) -> Iterator[Proposal]:
    """The warnings beside the lists of a note, and those at its beginning."""
    found = (
        proposal
        for atom in _whole(note)
        if atom.is_root or any(p.kind is BlockKind.LIST_ITEM for p in atom.passages)
        for proposal in warnings_of(atom, FragmentRole.DIRECT_SUPPORT)
    )
    yield from islice(found, _FIRST)


def _whole(note: NoteToQuote) -> tuple[KnowledgeAtom, ...]:
    return note.whole or note.everything


def _about_all_sides(plan: QueryPlan, atoms: Iterable[KnowledgeAtom]) -> Iterator[Proposal]:
    """The sections whose very headings name all the things compared, or one of them."""
    sides = [subject.text for subject in plan.subjects]
    there = [atom for atom in atoms if not atom.is_root] if len(sides) > 1 else []
    for atom in there:
        if all(names_whole(atom.title, side) for side in sides):
            yield from leading(atom, FragmentRole.DIRECT_SUPPORT, _FIRST)
    for side in sides:
        for atom in [a for a in there if is_section_of(a.section_path, side)][:_EACH]:
            yield from leading(atom, FragmentRole.DIRECT_SUPPORT, _EACH)


def _in_order_found(note: NoteToQuote, direct: Sequence[Proposal]) -> list[KnowledgeAtom]:
    """A note's atoms, those first that hold the best passages."""
    return list({atom.id: atom for atom in (*(p.atom for p in direct), *note.atoms)}.values())


def _parents(direct: Sequence[Proposal], anchor: NoteToQuote) -> list[Proposal]:
    """What the best passages stand under: the note's lead, or, if it is shown, its heading."""
    lead = leading(anchor.head, FragmentRole.PARENT_CONTEXT)
    shown = {(proposal.atom.id, proposal.passage) for proposal in direct}
    if lead and (lead[0].atom.id, lead[0].passage) not in shown:
        return lead
    return heading(anchor.head, FragmentRole.PARENT_CONTEXT)


def _evidence_refs(fragments: Sequence[Fragment], budget: Budget) -> tuple[str, ...]:
    refs = (f"{f.span.source_path}:{f.span.start_line}" for f in fragments)
    return tuple(dict.fromkeys(refs))[: budget.evidence_refs]
