"""How much of the graph an answer may see: one object, read by the assembler and the gates.

Source: the third contract's defaults and clamps, by intent.
"""

from dataclasses import dataclass

from witmark.answers.asking import Intent

MAX_SUPPORT, MAX_WINDOW = 6, 6
PATH_EDGES, LEAST_PATH_EDGES, MOST_PATH_EDGES = 6, 2, 8
SNIPPET_CHARS, SUMMARY_CHARS = 280, 240
EVIDENCE_REFS = 6


@dataclass(frozen=True, slots=True)
class Budget:
    """Deterministic limits of one answer.

    Attributes:
        support_nodes: Support nodes, and connection paths.
        path_edges: Longest path, counted in edges.
        predecessors: Nodes in the window upstream.
        successors: Nodes in the window downstream.
        max_fragments: Source fragments handed to the composer.
        max_fragment_chars: Code points of one fragment; a longer one is not shown whole.
        max_total_chars: Code points of all fragments together.
        evidence_refs: ``path:line`` refs in the pack.
        sentences: Sentences of the public answer.
        graph_statements: Sentences of it that speak of order or relations.
    """

    support_nodes: int
    path_edges: int
    predecessors: int
    successors: int
    max_fragments: int = 12
    max_fragment_chars: int = 1_200
    max_total_chars: int = 6_000
    evidence_refs: int = EVIDENCE_REFS
    sentences: int = 3
    graph_statements: int = 2

    def __post_init__(self) -> None:
        within = (
            1 <= self.support_nodes <= MAX_SUPPORT
            and LEAST_PATH_EDGES <= self.path_edges <= MOST_PATH_EDGES
            and 0 <= self.predecessors <= MAX_WINDOW
            and 0 <= self.successors <= MAX_WINDOW
        )
        if not within:
            raise AssertionError(f"a budget beyond its clamps: {self}")

    @property
    def edge_fetch_limit(self) -> int:
        """How many edges of one node a window may look at."""
        return max(8 * max(self.predecessors, self.successors), 24)


_BY_INTENT = {
    Intent.WHAT: Budget(2, PATH_EDGES, 3, 1),
    Intent.WHY: Budget(2, PATH_EDGES, 3, 1),
    Intent.COMPARE: Budget(3, PATH_EDGES, 3, 2),
    Intent.LEARN: Budget(3, PATH_EDGES, 3, 3),
    Intent.HOW_TO: Budget(3, PATH_EDGES, 3, 3),
    Intent.STILL_VALID: Budget(2, PATH_EDGES, 3, 1),
    Intent.LIST: Budget(2, PATH_EDGES, 3, 1),
    Intent.GENERIC: Budget(2, PATH_EDGES, 3, 1),
}


def budget_for(intent: Intent) -> Budget:
    """Return the limits for an intent: explain, compare, how-to and generic of the contract."""
    return _BY_INTENT[intent]


def clamped(
    intent: Intent,
    *,
    support_nodes: int | None = None,
    path_edges: int | None = None,
    predecessors: int | None = None,
    successors: int | None = None,
) -> Budget:
    """Return the limits for an intent with wishes brought within the contract's clamps."""
    usual = _BY_INTENT[intent]
    return Budget(
        _within(support_nodes, usual.support_nodes, 1, MAX_SUPPORT),
        _within(path_edges, usual.path_edges, LEAST_PATH_EDGES, MOST_PATH_EDGES),
        _within(predecessors, usual.predecessors, 0, MAX_WINDOW),
        _within(successors, usual.successors, 0, MAX_WINDOW),
    )


def _within(wish: int | None, usual: int, least: int, most: int) -> int:
    return usual if wish is None else min(max(wish, least), most)
