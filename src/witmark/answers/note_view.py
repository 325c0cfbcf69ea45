"""The graph of whole notes as an answer sees it: in scope, on a day, with names and titles.

A relation that stands in a section is told of the section's note; its edge id leads to the
very place. Walks go over positions in flat arrays; only what is shown is looked up by name.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date

from witmark.answers.arrays import KINDS
from witmark.answers.atoms import AtomId, EdgeId, KnowledgeAtom
from witmark.answers.dag import Dag, Path, Scope, Walk
from witmark.answers.edges import Provenance, RelationEdge, RelationKind
from witmark.answers.pack import ConnectionPath, PathEdge
from witmark.answers.ports import AtomNo, Library

_NO_LIST = (
    "bibliography",
    "参考文献",
    "references",
    "reference list",
    "works cited",
    "參考文獻",
)


class NoteView:
    """Notes by position in the graph, with what a library knows of them.

    Attributes:
        dag: The relations between notes.
        walk: In scope, on the day asked about, every kind.
    """

    def __init__(self, library: Library, dag: Dag, as_of: str, scope: Scope | None) -> None:
        self._library, self._atoms_dag, self._scope = library, dag, scope
        self.dag = dag.notes
        day = date.fromisoformat(as_of).toordinal()
        self.walk = Walk(day=day, scope=None if scope is None else dag.note_scope(scope))
        self._known: dict[int, KnowledgeAtom] = {}
        self._edges: dict[int, RelationEdge] = {}

    @property
    def is_scoped(self) -> bool:
        """Whether anything is out of scope."""
        return self._scope is not None

    def is_in_scope(self, number: AtomNo) -> bool:
        """Whether an atom may be shown."""
        if self._scope is None:
            return True
        at = self.dag.positions([number])
        return number in at and bool(self._scope[at[number]])

    def order_breaking(self, shown: Collection[EdgeId]) -> tuple[EdgeId, ...]:
        """Those of the edges shown that orders leave out."""
        marked = [at for at in self._edges if self.dag.breaks_order[at]]
        return tuple(sorted({self._edges[at].id for at in marked} & set(shown)))

    def known_edges(self, names: Iterable[EdgeId]) -> list[RelationEdge]:
        """Those of the edges that were looked up, in the order of the names."""
        known = {edge.id: edge for edge in self._edges.values()}
        return [known[name] for name in dict.fromkeys(names) if name in known]

    def over(self, kinds: Iterable[RelationKind], *, ordered: bool = False) -> Walk:
        """The same walk, over some kinds alone."""
        return replace(self.walk, kinds=frozenset(kinds), ordered=ordered)

    def nodes(self, roots: Iterable[AtomNo]) -> dict[AtomNo, int]:
        """Positions of notes by the numbers of their root atoms."""
        found = self.dag.positions(list(roots))
        return {AtomNo(number): self.of(position) for number, position in found.items()}

    def of(self, position: int) -> int:
        """The note of an atom, both as positions."""
        return int(self._atoms_dag.note_of[position])

    def name(self, node: int, atom: KnowledgeAtom) -> None:
        """Let a note be told by this atom instead of its first one."""
        self._known[node] = atom

    def atom(self, node: int) -> KnowledgeAtom:
        """The atom a note is told by."""
        return self.atoms([node])[0]

    def atoms(self, nodes: Sequence[int]) -> list[KnowledgeAtom]:
        """The atoms that notes are told by, looked up together."""
        unknown = sorted(set(nodes) - self._known.keys())
        if unknown:
            numbers = [AtomNo(n) for n in self.dag.arrays.nodes[unknown].tolist()]
            self._known.update(zip(unknown, self._library.atoms(numbers), strict=True))
        return [self._known[node] for node in nodes]

    def edges(self, positions: Sequence[int]) -> list[RelationEdge]:
        """Edges as they were stated, looked up together."""
        unknown = sorted(set(positions) - self._edges.keys())
        if unknown:
            rows = self.dag.arrays.row[unknown].tolist()
            self._edges.update(zip(unknown, self._library.edges(rows), strict=True))
        return [self._edges[position] for position in positions]

    def fetch(self, paths: Iterable[Path]) -> None:
        """Look up everything on some paths at once, before they are told one by one."""
        walked = list(paths)
        self.atoms([node for path in walked for node in path.nodes])
        self.edges([edge for path in walked for edge in path.edges])

    def kind(self, edge: int) -> RelationKind:
        """What an edge says."""
        return KINDS[int(self.dag.arrays.kind[edge])]

    def path(self, path: Path) -> ConnectionPath:
        """A path with its names, each step in the direction in which it was stated."""
        atoms, edges = self.atoms(path.nodes), self.edges(path.edges)
        certainty = 1.0
        for edge in edges:
            certainty *= edge.edge_confidence
        return ConnectionPath(
            atom_ids=tuple(atom.id for atom in atoms),
            titles=tuple(atom.document_title for atom in atoms),
            edges=tuple(
                self._step(position, edge)
                for position, edge in zip(path.edges, edges, strict=True)
            ),
            path_confidence=certainty,
        )

    def ends(self, edge: int) -> tuple[AtomId, AtomId]:
        """Source and target of an edge, by the names of their notes."""
        arrays = self.dag.arrays
        source, target = self.atoms([int(arrays.source[edge]), int(arrays.target[edge])])
        return source.id, target.id

    def _step(self, position: int, edge: RelationEdge) -> PathEdge:
        source, target = self.ends(position)
        return PathEdge(
            edge.id, source, target, edge.kind, edge.provenance, edge.edge_confidence
        )

    def is_list_of_sources(self, node: int) -> bool:
        """Whether a note is a mere bibliography, which explains nothing."""
        return self.atom(node).document_title.strip().casefold() in _NO_LIST


def provenance_of(path: ConnectionPath) -> Provenance:
    """A path is inferred as soon as one of its steps is."""
    inferred = any(edge.provenance is Provenance.INFERRED for edge in path.edges)
    return Provenance.INFERRED if inferred else Provenance.FACT
