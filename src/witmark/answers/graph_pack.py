"""The bounded pack an answer is made from: anchor, support, paths, order, time, source text.

The same question, candidates and library give the same pack, byte for byte. Its limits come
from one budget, which the gates read, too. If the graph cannot be read, the pack is made of
what was retrieved, and says so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from witmark.answers.anchors import choose_anchor
from witmark.answers.asking import Intent, QueryPlan
from witmark.answers.atoms import AtomId, Document, DocumentId, EdgeId, KnowledgeAtom
from witmark.answers.branches import NO_COMPARISON, compare
from witmark.answers.budget import Budget
from witmark.answers.candidates import Candidate
from witmark.answers.dag import Dag, Scope
from witmark.answers.edges import RelationKind
from witmark.answers.expecting import asks_for_cautions
from witmark.answers.note_view import NoteView
from witmark.answers.pack import (
    AnchorReason,
    Comparison,
    ConnectionPath,
    GraphContextPack,
    GraphDiagnostics,
    GraphProfile,
    RelationSummary,
    SupportNode,
    TemporalDetail,
    Validity,
    WindowNode,
)
from witmark.answers.ports import Library
from witmark.answers.quoting import Material, NoteToQuote, quote
from witmark.answers.relating import NO_PROFILE, connections, profile, summaries, ties
from witmark.answers.stating import (
    Saying,
    owner_of,
    said_by_relation,
    said_of_limits,
    said_of_time,
    said_of_title,
)
from witmark.answers.supporting import Support, replacing, sides, supporting
from witmark.answers.validity import HOLDS, LIMIT_UNREAD, SUPERSEDED, Timeline, always_valid
from witmark.answers.windows import PRIORITY, learning_order, steps_before, window
from witmark.kernel.context import Overflow, pack
from witmark.kernel.errors import IntegrityError, OutsideError

MOST_ATOMS = 16
"""Of the atoms of one note that were found, so many of the best are read for passages."""

_MOST_SAYINGS = 8
_LOOKS_THROUGH = frozenset({Intent.WHAT, Intent.WHY, Intent.HOW_TO, Intent.COMPARE})
_GRADE = ("superseded", "expired", "not_yet_valid", "supersedes")


def assemble(  # noqa: PLR0913  # the question, what was found, and in what
    plan: QueryPlan,
    candidates: Sequence[Candidate],
    library: Library,
    dag: Dag | None,
    *,
    as_of: str,
    budget: Budget,
    scope_mask: Scope | None = None,
    timeline: Timeline | None = None,
    graph_fault: str = "",
) -> GraphContextPack:
    """Put together everything a composer may use, and nothing more.

    Args:
        plan: The question.
        candidates: What retrieval found in scope, best first.
        library: The index they come from.
        dag: Its relations; ``None`` when they could not be read.
        as_of: The day asked about, ISO.
        budget: The limits.
        scope_mask: Per atom of the graph whether it is in scope; ``None`` for all.
        timeline: What the library knows of time, if it is at hand.
        graph_fault: Why there is no graph.
    """
    because = graph_fault or "there is no graph"
    if dag is not None:
        try:
            view = NoteView(library, dag, as_of, scope_mask)
            graph = view, timeline or Timeline.of(library)
            return _Assembly(plan, library, graph, as_of, budget).pack(candidates)
        except (OutsideError, IntegrityError) as error:
            because = str(error)
    return _Assembly(plan, library, None, as_of, budget).pack(candidates, because)


@dataclass(frozen=True, slots=True)
class _Around:
    """What the graph says around the anchor; all empty without a graph."""

    profile: GraphProfile = NO_PROFILE
    relations: tuple[RelationSummary, ...] = ()
    paths: tuple[ConnectionPath, ...] = ()
    missing: tuple[AtomId, ...] = ()
    predecessors: tuple[WindowNode, ...] = ()
    successors: tuple[WindowNode, ...] = ()
    learning: tuple[WindowNode, ...] = ()
    comparison: Comparison = NO_COMPARISON
    broken: tuple[EdgeId, ...] = ()
    before: int = 0


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Which of the notes that were found stand in the pack.

    Attributes:
        anchor: What the question is about.
        reason: Why.
        others: Everything else that was considered.
        kept: Those of them that stand beside the anchor, best first.
        joined: The kinds of the relations between each of them and the anchor.
    """

    anchor: Candidate
    reason: AnchorReason
    others: Sequence[Candidate]
    kept: Sequence[Support]
    joined: Mapping[DocumentId, frozenset[RelationKind]]

    @property
    def shown(self) -> list[Candidate]:
        """The anchor first, then its support."""
        return [self.anchor, *(one.candidate for one in self.kept)]


class _Assembly:
    """One pack in the making: the question, what it is asked of, and what was read so far."""

    def __init__(
        self,
        plan: QueryPlan,
        library: Library,
        graph: tuple[NoteView, Timeline] | None,
        as_of: str,
        budget: Budget,
    ) -> None:
        self._plan, self._library = plan, library
        self._view = graph[0] if graph else None
        self._timeline = graph[1] if graph else None
        self._as_of, self._budget = as_of, budget
        self._documents: dict[DocumentId, Document | None] = {}
        self._first: dict[DocumentId, KnowledgeAtom | None] = {}
        self._nodes: dict[DocumentId, int] = {}

    def pack(self, found: Sequence[Candidate], fault: str = "") -> GraphContextPack:
        """Make the pack of these candidates."""
        candidates = [self._dated(candidate) for candidate in found if candidate.atoms]
        self._place(candidates)
        chosen = choose_anchor(self._plan, candidates, degrees=self._degrees())
        if chosen is None:
            return self._empty(fault)
        anchor, reason = chosen
        anchor = self._with_limits(anchor)
        candidates += self._needed(anchor, candidates)
        others = [c for c in candidates if c.document_id != anchor.document_id]
        joined = self._ties(anchor, others)
        kept = supporting(
            self._plan,
            others,
            joined,
            in_time=replacing(anchor.validity),
            budget=self._budget,
        )
        return self._packed(_Chosen(anchor, reason, others, kept, joined), fault)

    def _packed(self, chosen: _Chosen, fault: str) -> GraphContextPack:
        self._read_roots(chosen.shown)
        heads = [self._head(candidate) for candidate in chosen.shown]
        around = self._around(chosen)
        quoted = quote(self._material(chosen, around))
        return GraphContextPack(
            intent=self._plan.intent,
            budget=self._budget,
            anchor=heads[0],
            anchor_profile=around.profile,
            anchor_validity=chosen.anchor.validity,
            support=tuple(
                SupportNode(head, one.score, one.features, one.candidate.validity)
                for head, one in zip(heads[1:], chosen.kept, strict=True)
            ),
            relations=around.relations,
            paths=around.paths,
            predecessors=around.predecessors,
            successors=around.successors,
            learning_order=around.learning,
            comparison=around.comparison,
            temporal_warnings=self._warnings(chosen, around),
            fragments=quoted.fragments,
            context=quoted.context,
            decisions=quoted.decisions,
            evidence_refs=quoted.evidence_refs,
            diagnostics=self._diagnostics(chosen, heads[0].id, around, fault),
            other_names=self._other_names(chosen, around),
            stated=quoted.stated,
            steps_before=around.before,
        )

    # Candidates ------------------------------------------------------------------------

    def _dated(self, candidate: Candidate) -> Candidate:
        if self._timeline is None:
            return candidate
        validity = self._timeline.validity(candidate.atoms[0].id, self._as_of)
        return replace(candidate, validity=self._discreet(validity))

    def _with_limits(self, anchor: Candidate) -> Candidate:
        """The same, told whether the note states a limit that nobody could read."""
        document = self._document(anchor.document_id) if self._asks_time else None
        if document is None or not any(said_of_limits(document)):
            return anchor
        reasons = (*anchor.validity.reasons, LIMIT_UNREAD)
        return replace(anchor, validity=replace(anchor.validity, reasons=reasons))

    @property
    def _asks_time(self) -> bool:
        return self._plan.intent is Intent.STILL_VALID

    def _discreet(self, validity: Validity) -> Validity:
        """The same without the names of notes that are out of scope."""
        if self._view is None or not self._view.is_scoped:
            return validity
        told = []
        for detail in validity.details:
            if not detail.other_atom_id or self._may_show(detail.other_atom_id):
                told.append(detail)
            elif detail.reason == SUPERSEDED:
                nobody = AtomId("")
                told.append(
                    replace(detail, other_atom_id=nobody, other_title="", valid_from="")
                )
        return replace(validity, details=tuple(told))

    def _place(self, candidates: Sequence[Candidate]) -> None:
        if self._view is not None:
            at = self._view.nodes([c.root_no for c in candidates])
            known = {c.document_id: at[c.root_no] for c in candidates if c.root_no in at}
            self._nodes.update(known)

    def _degrees(self) -> dict[DocumentId, int]:
        if self._view is None:
            return {}
        return {d: sum(self._view.dag.degrees(node)) for d, node in self._nodes.items()}

    def _needed(self, anchor: Candidate, found: Sequence[Candidate]) -> list[Candidate]:
        """Notes that retrieval did not find and the question cannot do without.

        What replaces the anchor; the other side of a comparison. Nothing out of scope.
        """
        if self._view is None:
            return []
        wanted = [*replacing(anchor.validity), *self._named_sides()]
        known = {candidate.document_id for candidate in found}
        missing = [d for d in dict.fromkeys(wanted) if d not in known]
        roots = self._library.roots(missing) if missing else {}
        there = [d for d in missing if d in roots]
        made = [
            self._dated(
                Candidate(d, (roots[d],), (atom,), roots[d], 0.0, (), always_valid(self._as_of))
            )
            for d, atom in zip(
                there, self._library.atoms([roots[d] for d in there]), strict=True
            )
            if self._view.is_in_scope(roots[d])
        ]
        self._place(made)
        return made

    def _named_sides(self) -> list[DocumentId]:
        subjects = self._plan.subjects if len(self._plan.subjects) > 1 else ()
        return [subject.hits[0].document_id for subject in subjects if subject.hits]

    def _ties(
        self, anchor: Candidate, others: Sequence[Candidate]
    ) -> dict[DocumentId, frozenset[RelationKind]]:
        node = self._nodes.get(anchor.document_id)
        if self._view is None or node is None:
            return {}
        at = {
            self._nodes[c.document_id]: c.document_id
            for c in others
            if c.document_id in self._nodes
        }
        return {at[n]: kinds for n, kinds in ties(self._view, node, sorted(at)).items()}

    def _head(self, candidate: Candidate) -> KnowledgeAtom:
        """The atom a note is told by: its root, unless only other atoms are in scope."""
        head = self._root(candidate)
        node = self._nodes.get(candidate.document_id)
        if self._view is not None and node is not None:
            self._view.name(node, head)
        return head

    def _root(self, candidate: Candidate) -> KnowledgeAtom:
        roots = [atom for atom in candidate.atoms if atom.is_root]
        if roots:
            return roots[0]
        if self._view is not None and not self._view.is_in_scope(candidate.root_no):
            return candidate.atoms[0]
        return self._first_atom(candidate.document_id) or candidate.atoms[0]

    def _read_roots(self, shown: Sequence[Candidate]) -> None:
        """Read the first atoms of the notes shown together, which costs less than singly."""
        unread = [c for c in shown if not any(atom.is_root for atom in c.atoms)]
        found = self._library.atoms([candidate.root_no for candidate in unread])
        self._first.update(zip([c.document_id for c in unread], found, strict=True))

    def _first_atom(self, document_id: DocumentId) -> KnowledgeAtom | None:
        if document_id not in self._first:
            numbers = self._library.roots([document_id]).values()
            found = self._library.atoms(list(numbers))
            self._first[document_id] = found[0] if found else None
        return self._first[document_id]

    def _document(self, document_id: DocumentId) -> Document | None:
        if document_id not in self._documents:
            self._documents[document_id] = self._library.note(document_id)
        return self._documents[document_id]

    # The graph -------------------------------------------------------------------------

    def _around(self, chosen: _Chosen) -> _Around:
        view, node = self._view, self._nodes.get(chosen.anchor.document_id)
        if view is None or node is None:
            return _Around()
        intent, budget = self._plan.intent, self._budget
        shown = [candidate.document_id for candidate in chosen.shown]
        beside = [self._nodes[d] for d in shown[1:] if d in self._nodes]
        paths, missing = connections(view, node, beside, budget)
        compared = sides(self._plan, shown, chosen.joined)
        at = [self._nodes[d] for d in compared if d in self._nodes]
        made = _Around(
            profile=profile(view, node),
            relations=summaries(view, [node, *beside]),
            paths=paths,
            missing=tuple(view.atom(n).id for n in missing),
            predecessors=window(view, node, intent, budget, upstream=True),
            successors=window(view, node, intent, budget, upstream=False),
            learning=learning_order(view, node, intent, budget),
            comparison=compare(view, at, budget) if at else NO_COMPARISON,
        )
        steps = {step.atom_id for step in made.learning}
        return replace(
            made,
            broken=view.order_breaking(_edges_shown(made)),
            before=steps_before(view, node, steps, intent, budget),
        )

    # Time ------------------------------------------------------------------------------

    def _warnings(self, chosen: _Chosen, around: _Around) -> tuple[TemporalDetail, ...]:
        """One detail for each note shown that does not hold, is replaced or replaces."""
        told = {c.document_id: c.validity for c in chosen.shown}
        for node in (*around.learning, *around.predecessors, *around.successors):
            if self._timeline is not None and node.document_id not in told:
                validity = self._timeline.validity(node.atom_id, self._as_of)
                told[node.document_id] = self._discreet(validity)
        worst = (_worst(validity) for validity in told.values())
        return tuple(detail for detail in worst if detail is not None)

    # Names -----------------------------------------------------------------------------

    def _other_names(
        self, chosen: _Chosen, around: _Around
    ) -> tuple[tuple[DocumentId, tuple[str, ...]], ...]:
        """What else the notes are called that an answer may name."""
        shared = around.comparison
        atoms = [at for at, _ in shared.nearest_common_ancestors]
        atoms += [at for _, at, _, _ in shared.divergent]
        named = {*self._documents, *(DocumentId(at.rpartition("#")[0]) for at in atoms)}
        for candidate in chosen.shown:
            named.update((candidate.document_id, *replacing(candidate.validity)))
        notes = ((name, self._document(name)) for name in sorted(named))
        return tuple((name, note.aliases) for name, note in notes if note and note.aliases)

    # Source text -----------------------------------------------------------------------

    def _material(self, chosen: _Chosen, around: _Around) -> Material:
        in_time = replacing(chosen.anchor.validity)
        shown = {candidate.document_id for candidate in chosen.shown}
        support = []
        for one in chosen.kept:
            document = one.candidate.document_id
            kinds = chosen.joined.get(document, frozenset())
            opposes = document in in_time or RelationKind.CONTRAST in kinds
            support.append(self._to_quote(one.candidate, tied=bool(kinds), opposes=opposes))
        return Material(
            plan=self._plan,
            budget=self._budget,
            anchor=self._to_quote(chosen.anchor, tied=False, opposes=False),
            support=tuple(support),
            steps=tuple(self._steps(shown, around.learning)),
            before=tuple(self._steps(shown, around.predecessors)),
            after=tuple(self._steps(shown, around.successors)),
            outranked=tuple(c.atoms[0] for c in chosen.others if c.document_id not in shown),
            sayings=tuple(self._sayings(chosen, around)),
        )

    def _sayings(
        self, chosen: _Chosen, around: _Around
    ) -> Iterator[tuple[Saying, KnowledgeAtom, Document]]:
        """Where the edges are stated that an answer may speak of."""
        found: dict[tuple[EdgeId, int, int], Saying] = {}
        told = (
            *self._said_of_time(chosen),
            *self._said_by_relations(around),
            *self._said_of_anchor(chosen),
        )
        for saying in told:
            found.setdefault((saying.edge_id, saying.at.start, saying.at.end), saying)
        for saying in islice(found.values(), _MOST_SAYINGS):
            head, document = self._first_atom(saying.document_id), None
            if head is not None and self._may_show(head.id):
                is_front = saying.is_front
                read = self._document if is_front else self._library.document
                document = read(saying.document_id)
            if head is not None and document is not None:
                yield saying, head, document

    def _said_of_time(self, chosen: _Chosen) -> Iterator[Saying]:
        if self._timeline is None:
            return
        for candidate in chosen.shown:
            is_asked = self._plan.intent is Intent.STILL_VALID and candidate is chosen.anchor
            if candidate.validity.is_valid and not is_asked:
                continue
            details = [*candidate.validity.details]
            for detail in candidate.validity.details:
                if detail.reason == SUPERSEDED and detail.other_atom_id:
                    newer = self._timeline.validity(detail.other_atom_id, self._as_of)
                    details += [d for d in newer.details if d.reason == HOLDS]
            for detail in details:
                edge = self._timeline.edge(detail)
                if edge is not None and (owner := owner_of(edge)) is not None:
                    yield from said_of_time(detail, edge, self._document(owner))

    def _said_of_anchor(self, chosen: _Chosen) -> Iterator[Saying]:
        document = self._document(chosen.anchor.document_id) if self._asks_time else None
        if document is not None:
            yield from said_of_limits(document)
            yield from said_of_title(document)

    def _said_by_relations(self, around: _Around) -> Iterator[Saying]:
        if self._view is None:
            return
        for edge in self._view.known_edges(_told_edges(self._plan.intent, around)):
            if (owner := owner_of(edge)) is not None:
                yield from said_by_relation(edge, self._document(owner))

    def _to_quote(self, candidate: Candidate, *, tied: bool, opposes: bool) -> NoteToQuote:
        document = self._document(candidate.document_id)
        best = candidate.atoms[:MOST_ATOMS]
        whole = self._whole(candidate.document_id)
        return NoteToQuote(self._root(candidate), best, document, tied, opposes, whole)

    def _whole(self, document_id: DocumentId) -> tuple[KnowledgeAtom, ...]:
        """All atoms of a note, for a question whose answer may lie anywhere in it."""
        cautions = asks_for_cautions(self._plan.question)
        if self._plan.intent not in _LOOKS_THROUGH and not cautions:
            return ()
        document = self._library.document(document_id)
        atoms = () if document is None else document.atoms
        if self._view is None or not self._view.is_scoped:
            return atoms
        numbers = self._library.numbers([atom.id for atom in atoms])
        return tuple(
            a for a in atoms if a.id in numbers and self._view.is_in_scope(numbers[a.id])
        )

    def _steps(self, shown: set[DocumentId], nodes: Iterable[WindowNode]) -> list[NoteToQuote]:
        """Window nodes as notes to quote, each note once in the pack."""
        found = []
        for node in nodes:
            if node.document_id in shown or not self._may_show(node.atom_id):
                continue
            document = self._document(node.document_id)
            head = self._first_atom(node.document_id)
            if document is not None and head is not None:
                shown.add(node.document_id)
                found.append(NoteToQuote(head, (head,), document, tied=True, opposes=False))
        return found

    def _may_show(self, atom: AtomId) -> bool:
        if self._view is None or not self._view.is_scoped:
            return True
        number = self._library.numbers([atom]).get(atom)
        return number is not None and self._view.is_in_scope(number)

    # Diagnostics -----------------------------------------------------------------------

    def _diagnostics(
        self, chosen: _Chosen, anchor: AtomId, around: _Around, fault: str
    ) -> GraphDiagnostics:
        wanted = PRIORITY[self._plan.intent].keys()
        aligned = sum(bool(kinds & wanted) for kinds in chosen.joined.values())
        here = (anchor,)
        return replace(
            self._nothing(fault),
            selected_anchor_reason=chosen.reason,
            candidate_count=len(chosen.others) + 1,
            support_node_count=len(chosen.kept),
            missing_path_source_atom_ids=around.missing,
            missing_predecessor_atom_ids=() if around.predecessors else here,
            missing_successor_atom_ids=() if around.successors else here,
            intent_aligned_candidates=aligned,
            intent_misaligned_candidates=len(chosen.joined) - aligned,
            order_broken_by=around.broken,
        )

    def _nothing(self, fault: str) -> GraphDiagnostics:
        return GraphDiagnostics(
            graph_ops_available=self._view is not None,
            used_fallback=self._view is None,
            fallback_because=fault,
            selected_anchor_reason=None,
            candidate_count=0,
            support_node_count=0,
            support_node_limit=self._budget.support_nodes,
            path_depth_limit=self._budget.path_edges,
            missing_path_source_atom_ids=(),
            missing_predecessor_atom_ids=(),
            missing_successor_atom_ids=(),
            intent_aligned_candidates=0,
            intent_misaligned_candidates=0,
        )

    def _empty(self, fault: str) -> GraphContextPack:
        return GraphContextPack(
            intent=self._plan.intent,
            budget=self._budget,
            anchor=None,
            anchor_profile=NO_PROFILE,
            anchor_validity=always_valid(self._as_of),
            support=(),
            relations=(),
            paths=(),
            predecessors=(),
            successors=(),
            learning_order=(),
            comparison=NO_COMPARISON,
            temporal_warnings=(),
            fragments=(),
            context=pack([], budget_chars=0, overflow=Overflow.OMIT),
            decisions=(),
            evidence_refs=(),
            diagnostics=self._nothing(fault),
        )


def _told_edges(intent: Intent, around: _Around) -> tuple[EdgeId, ...]:
    """The relations that an answer may speak of, those nearest to the anchor first."""
    if intent is Intent.COMPARE:
        sides = set(around.comparison.sides)
        shared = {atom for atom, _ in around.comparison.nearest_common_ancestors}
        between = [r for r in around.relations if {r.source, r.target} <= sides | shared]
        return tuple(name for one in between for name in one.edge_ids)
    if intent is Intent.LEARN:
        nodes = (*reversed(around.learning), *around.successors[:2])
        stepped = [edge.edge_id for node in nodes for edge in reversed(node.via.edges)]
        return (*stepped, *around.broken)
    if intent is Intent.WHAT:
        nodes = tuple(n for n in around.predecessors if n.depth == 1)[:1]
    else:
        nodes = ()
    return tuple(edge.edge_id for node in nodes for edge in reversed(node.via.edges))


def _worst(validity: Validity) -> TemporalDetail | None:
    """The detail that matters most to a reader."""
    told = [detail for detail in validity.details if detail.reason in _GRADE]
    return min(told, key=lambda d: (_GRADE.index(d.reason), d.edge_id), default=None)


def _edges_shown(around: _Around) -> set[EdgeId]:
    windows = (*around.predecessors, *around.successors, *around.learning)
    paths = (*around.paths, *(node.via for node in windows))
    stepped = {edge.edge_id for path in paths for edge in path.edges}
    return stepped | {name for one in around.relations for name in one.edge_ids}
