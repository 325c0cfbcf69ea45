"""A small workspace about glass, and packs, plans and drafts made of it by hand.

Nothing here parses or searches: each part is built as the rooms before would build it, so a
test can put one thing wrong.
"""

from dataclasses import replace
from itertools import pairwise

from witmark.answers.answer import Cut, Draft, DraftSentence, SentenceKind
from witmark.answers.asking import (
    AliasHit,
    AliasRule,
    Backend,
    Intent,
    QueryPlan,
    Readiness,
    ReadinessStatus,
    ResolvedScope,
    ScopeRequest,
    ScopeSource,
    Subject,
)
from witmark.answers.atoms import (
    Document,
    EvidenceSpan,
    KnowledgeAtom,
    Passage,
    Representation,
    SpanId,
    atom_id,
    corpus_of,
)
from witmark.answers.budget import budget_for
from witmark.answers.edges import (
    Provenance,
    RelationEdge,
    RelationKind,
    TemporalEdge,
    TemporalKind,
    edge_id,
)
from witmark.answers.gates import quality
from witmark.answers.memory import review_cards
from witmark.answers.notes import BlockKind, PlainText, Run
from witmark.answers.pack import (
    AnchorReason,
    Comparison,
    ConnectionPath,
    Fragment,
    FragmentRole,
    GraphContextPack,
    GraphDiagnostics,
    GraphProfile,
    PathEdge,
    RelationSummary,
    SupportNode,
    TemporalDetail,
    Validity,
    WindowNode,
)
from witmark.answers.ports import AliasEntry, AtomTerms, Change, NoteFailure, Record, Stamp
from witmark.answers.release import cite, public_answer, released, review
from witmark.answers.runs import KnowledgeRun
from witmark.kernel.canon import digest_of
from witmark.kernel.context import Item, Overflow, pack
from witmark.kernel.evidence import Basis, EvidenceRef, TextRange, TextSpan
from witmark.testing.libraries import MemoryLibrary

AS_OF = "2026-06-17"
VALID = Validity(True, AS_OF, (), ())

CUP = "glass/water glass.md"
MATERIAL = "glass/glass material.md"
SILICA = "glass/silica.md"
PLASTIC = "glass/plastic cup.md"
OLD = "glass/washing guide 2019.md"
NEW = "glass/washing guide 2025.md"

NOTES = {
    CUP: (
        "Water glass",
        "A water glass holds 250 ml of water. It does not stand boiling water.",
    ),
    MATERIAL: ("Glass material", "Glass is an amorphous solid made mostly of silica."),
    SILICA: ("Silica", "Silica is the oxide of silicon."),
    PLASTIC: ("Plastic cup", "A plastic cup is lighter than a water glass."),
    OLD: ("Washing guide 2019", "Rinse glassware with boiling water."),
    NEW: ("Washing guide 2025", "Warm the glass first, then wash at 40 degrees."),
}


def note(path, notes=NOTES, *, valid_from="", valid_to=""):
    """A document of one root atom with one paragraph under its title."""
    title, body = notes[path]
    text = f"# {title}\n\n{body}\n"
    start = text.index(body)
    source_hash = digest_of(text.encode())
    plain = PlainText(
        f"{title}\n{body}", (Run(0, 2, len(title)), Run(len(title) + 1, start, len(body)))
    )
    passages = (
        Passage(BlockKind.HEADING, 0, len(title), 0, len(title) + 2, level=1),
        Passage(BlockKind.PARAGRAPH, len(title) + 1, len(plain.text), start, start + len(body)),
    )
    atom = KnowledgeAtom(
        id=atom_id(path, ""),
        stable_key="",
        document_id=path,
        source_path=path,
        title=title,
        document_title=title,
        section_path=(title,),
        content=plain,
        passages=passages,
        representation=Representation.TEXT,
        keywords=(),
        language="en",
        source_hash=source_hash,
        updated="",
        ordinal=0,
    )
    stem = path.rpartition("/")[2].removesuffix(".md")
    return Document(
        id=path, title=title, stem=stem, aliases=(), corpus=corpus_of(path), language="en",
        source_hash=source_hash, text=text, valid_from=valid_from, valid_to=valid_to,
        updated="", atoms=(atom,),
    )  # fmt: skip


def span_at(document, start, end):
    """An exact span of a sample note; its lines hold no tab and no carriage return."""
    text = document.text
    before, quote = text[:start], text[start:end]
    line = before.count("\n") + 1
    column = start - (before.rfind("\n") + 1) + 1
    last = text[: end - 1]
    return EvidenceSpan(
        id=SpanId(f"{document.id}@{start}-{end}"),
        document_id=document.id,
        source_path=document.id,
        language=document.language,
        span=TextSpan(start, end, quote),
        start_byte=len(before.encode()),
        end_byte=len(text[:end].encode()),
        start_line=line,
        start_column=column,
        end_line=last.count("\n") + 1,
        end_column=end - 1 - (last.rfind("\n") + 1) + 2,
        prefix=text[max(0, start - 32) : start],
        suffix=text[end : end + 32],
        source_hash=document.source_hash,
    )


def fragment(path, role=FragmentRole.DIRECT_SUPPORT, notes=NOTES):
    """The paragraph of a sample note as a fragment."""
    document = note(path, notes)
    body = notes[path][1]
    start = document.text.index(body)
    span = span_at(document, start, start + len(body))
    ref = EvidenceRef(document.source_hash, TextRange(start, start + len(body)))
    return Fragment(ref, document.atoms[0].id, 1, role, body, span)


def cut(path, words, notes=NOTES):
    """Some words of a sample note as a cut."""
    document, whole = note(path, notes), fragment(path, notes=notes)
    start = document.text.index(words)
    span = span_at(document, start, start + len(words))
    ref = EvidenceRef(document.source_hash, TextRange(start, start + len(words)))
    return Cut(ref, whole.ref, document.atoms[0].id, span)


def quoted(path, words, kind=SentenceKind.DIRECT, notes=NOTES):
    """A sentence read from a note."""
    return DraftSentence(words, kind, Basis.OBSERVED, (cut(path, words, notes),))


def built(text, *paths, kind=SentenceKind.GRAPH, notes=NOTES):
    """A sentence built from the pack, resting on the paragraphs of some notes."""
    cuts = tuple(cut(path, notes[path][1], notes) for path in paths)
    return DraftSentence(text, kind, Basis.DERIVED, cuts)


def told(text, *paths, kind=SentenceKind.DIRECT, notes=NOTES):
    """A sentence that a model wrote about some notes."""
    return replace(built(text, *paths, kind=kind, notes=notes), basis=Basis.INFERRED)


def nothing_found(text="Your notes do not answer this."):
    """What a composer says when the notes do not."""
    return DraftSentence(text, SentenceKind.ABSTENTION, Basis.DERIVED, ())


def draft(*sentences):
    """A draft of these sentences."""
    return Draft(sentences)


ANSWER = quoted(CUP, "A water glass holds 250 ml of water.")


# Graph -------------------------------------------------------------------------------


def root(path):
    """The root atom's id."""
    return atom_id(path, "")


def step(source, target, kind=RelationKind.PREREQUISITE):
    """One edge of a path between root atoms."""
    name = edge_id(target, root(source), root(target), kind)
    return PathEdge(name, root(source), root(target), kind, Provenance.FACT, 1.0)


def path_of(*paths, kind=RelationKind.PREREQUISITE):
    """A path along these notes."""
    steps = tuple(step(a, b, kind) for a, b in pairwise(paths))
    titles = tuple(NOTES[path][0] for path in paths)
    return ConnectionPath(tuple(map(root, paths)), titles, steps, 1.0)


def upstream(*paths, kind=RelationKind.PREREQUISITE):
    """A window node: the first of the notes, with its path to the last."""
    via = path_of(*paths, kind=kind)
    return WindowNode(
        root(paths[0]), paths[0], NOTES[paths[0]][0], via.length, kind,
        Provenance.FACT, 1.0, 90.0, via,
    )  # fmt: skip


def in_order(*paths):
    """A learning order, each node with the path to the next ones."""
    return tuple(upstream(*paths[at:]) for at in range(len(paths)))


def support(path, validity=VALID):
    """A support node."""
    return SupportNode(note(path).atoms[0], 0.5, (), validity)


def expired(path=OLD, successor=NEW):
    """Why the old guide does not hold."""
    return TemporalDetail(
        root(path), NOTES[path][0], TemporalKind.SUPERSEDES, "superseded", "2019-01-01",
        "2024-12-31", root(successor), NOTES[successor][0], "edge:1",
    )  # fmt: skip


def invalid(*details):
    """A validity with these reasons against it."""
    return Validity(False, AS_OF, tuple(d.reason for d in details), details)


# Question, scope, pack ---------------------------------------------------------------


def plan(question="what is water glass?", intent=Intent.WHAT, subjects=(CUP,), language="en"):
    """A plan whose subjects are named by their titles."""
    asked = tuple(
        Subject(
            NOTES[path][0],
            (AliasHit(path, NOTES[path][0], AliasRule.EXACT, 1.0, 0, len(NOTES[path][0])),),
        )
        for path in subjects
    )
    hits = tuple(hit for subject in asked for hit in subject.hits)
    return QueryPlan(
        question, question, question, intent, language, (), (), (), asked, hits
    )  # fmt: skip


def scope(request=ScopeRequest(), **changes):  # noqa: B008 - a frozen value
    """A scope in which everything is ready."""
    ready = Readiness(ReadinessStatus.READY, "", 6, 6, 6, 6, 1)
    return replace(ResolvedScope(request, ScopeSource.GLOBAL_DEFAULT, 6, ready), **changes)


def _role(is_anchor):
    neighbour = FragmentRole.GRAPH_NEIGHBOR_SUPPORT
    return FragmentRole.DIRECT_SUPPORT if is_anchor else neighbour


def packed(intent=Intent.WHAT, anchor=CUP, shown=(CUP,), notes=NOTES, **changes):
    """A pack around an anchor that shows the paragraphs of some notes."""
    fragments = tuple(
        fragment(
            path,
            FragmentRole.DIRECT_SUPPORT
            if path == anchor
            else FragmentRole.GRAPH_NEIGHBOR_SUPPORT,
            notes,
        )
        for path in shown
    )
    budget = budget_for(intent)
    items = [Item(one.ref, one.text) for one in fragments]
    diagnostics = GraphDiagnostics(
        True, False, "", AnchorReason.TITLE_MENTION, 1, 0, budget.support_nodes,
        budget.path_edges, (), (), (), 1, 0,
    )  # fmt: skip
    made = GraphContextPack(
        intent=intent,
        budget=budget,
        anchor=note(anchor, notes).atoms[0] if anchor else None,
        anchor_profile=GraphProfile(1, 1, 0.5),
        anchor_validity=VALID,
        support=(),
        relations=(),
        paths=(),
        predecessors=(),
        successors=(),
        learning_order=(),
        comparison=Comparison((), (), (), ()),
        temporal_warnings=(),
        fragments=fragments,
        context=pack(items, budget_chars=budget.max_total_chars, overflow=Overflow.OMIT),
        decisions=(),
        evidence_refs=tuple(
            f"{one.span.source_path}:{one.span.start_line}" for one in fragments
        ),
        diagnostics=diagnostics,
    )
    return replace(made, **changes)


def related(source, target, kind):
    """A relation between two notes of the pack."""
    name = edge_id(source, root(source), root(target), kind)
    return RelationSummary(kind, root(source), root(target), (name,), 1.0, Provenance.FACT)


def learning(**changes):
    """A pack for "how do I learn water glass": silica, then glass material, then the glass."""
    return replace(
        packed(
            Intent.LEARN,
            shown=(CUP, MATERIAL, SILICA),
            predecessors=(upstream(MATERIAL, CUP), upstream(SILICA, MATERIAL, CUP)),
            learning_order=(*in_order(SILICA, MATERIAL, CUP)[:-1], anchor_node()),
        ),
        **changes,
    )


def anchor_node(path=CUP):
    """The anchor at the end of a learning order; no path leads anywhere."""
    here = ConnectionPath((root(path),), (NOTES[path][0],), (), 1.0)
    return WindowNode(
        root(path), path, NOTES[path][0], 0, RelationKind.PREREQUISITE, Provenance.FACT,
        1.0, 0.0, here,
    )  # fmt: skip


def comparing(**changes):
    """A pack for "compare water glass and plastic cup", which contrast."""
    return replace(
        packed(
            Intent.COMPARE,
            shown=(CUP, PLASTIC),
            support=(support(PLASTIC),),
            relations=(related(CUP, PLASTIC, RelationKind.CONTRAST),),
            comparison=Comparison((root(CUP), root(PLASTIC)), (), (RelationKind.CONTRAST,), ()),
        ),
        **changes,
    )


def dated(**changes):
    """A pack for "is the washing guide 2019 still valid": it was replaced."""
    return replace(
        packed(
            Intent.STILL_VALID,
            anchor=OLD,
            shown=(OLD, NEW),
            anchor_validity=invalid(expired()),
            support=(support(NEW),),
            temporal_warnings=(expired(),),
        ),
        **changes,
    )


# Edges as a library keeps them ---------------------------------------------------------


def relation(source, target, kind=RelationKind.PREREQUISITE, owner=None):
    """A relation edge between root atoms."""
    owner = owner or target
    name = edge_id(owner, root(source), root(target), kind)
    return RelationEdge(
        name, root(source), root(target), kind, Provenance.FACT, 1.0, (), "", "", owner
    )


def replacement(newer=NEW, older=OLD):
    """A temporal edge: one guide replaces another."""
    name = edge_id(newer, root(newer), root(older), TemporalKind.SUPERSEDES)
    return TemporalEdge(
        name, root(newer), root(older), TemporalKind.SUPERSEDES, "2025-01-01", "",
        note(newer).source_hash, newer,
    )  # fmt: skip


# Whole runs, libraries, shelves ------------------------------------------------------------


def run(asked=None, pack_=None, *sentences, generated_at="2026-06-17T10:00:00Z", session="s1"):
    """A run as the use case makes it: reviewed, cited, judged."""
    asked, pack_ = asked or plan(), pack_ or packed()
    drafted = draft(*(sentences or (ANSWER,)))
    outcome = review(asked, pack_, drafted)
    published = released(outcome, drafted)
    citations = cite(outcome, drafted, titles={}, scores={})
    cards = review_cards(asked, pack_, published.sentences, asked_on=AS_OF)
    return KnowledgeRun(
        generated_at=generated_at,
        as_of=AS_OF,
        session_id=session,
        backend=Backend.LOCAL_HYBRID,
        plan=asked,
        scope=scope(),
        pack=pack_,
        published=published,
        review=outcome,
        answer=public_answer(outcome, drafted, citations, language=asked.language),
        citations=citations,
        quality=quality(asked, scope(), pack_, published, cards=cards, actions=()),
        cards=cards,
        actions=(),
    )


def terms(document):
    """Tokens of a sample note's atoms: its words."""
    return tuple(
        AtomTerms(tuple(atom.title.split()), tuple(atom.content.text.split()))
        for atom in document.atoms
    )


def names(document):
    """Keys of a sample note: its title, small."""
    return (AliasEntry(document.title.casefold(), "exact", document.title),)


def library(*paths, notes=NOTES):
    """A library of sample notes with two relations, one of them to a missing note."""
    kept = MemoryLibrary()
    records = [_record(note(path, notes)) for path in paths or sorted(NOTES)]
    failure = NoteFailure("glass/broken.md", "not-utf-8", "save it as UTF-8")
    kept.apply(Change(upserted=tuple(records), failures=(failure,)))
    return kept


def _record(document):
    edges, temporal = (), ()
    if document.id == CUP:
        edges = (relation(MATERIAL, CUP), relation("glass/missing.md", CUP))
    if document.id == NEW:
        temporal = (replacement(),)
    stamp = Stamp(document.source_hash, len(document.text.encode()), 7)
    return Record(
        document, stamp, terms(document), names(document), edges, temporal, ("silica",)
    )
