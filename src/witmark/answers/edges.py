"""How atoms hang together: typed, directed relations, and their place in time.

Direction is part of the claim. A relation runs from ``source`` to ``target``; for
``prerequisite`` and ``sequence`` the source comes first, for ``causal`` it is the cause, for
``reference`` it is the atom in which the link stands. So upstream of an atom (its
predecessors) is what must be known before it.
"""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from json.encoder import encode_basestring

from witmark.answers.atoms import AtomId, EdgeId, SpanId
from witmark.kernel.canon import Digest, canonical_json


class RelationKind(StrEnum):
    """What a relation says."""

    PREREQUISITE = "prerequisite"
    ANALOGY = "analogy"
    CONTRAST = "contrast"
    CAUSAL = "causal"
    APPLICATION = "application"
    REFERENCE = "reference"
    SEQUENCE = "sequence"


ORDERING = frozenset({RelationKind.PREREQUISITE, RelationKind.SEQUENCE, RelationKind.CAUSAL})
"""The kinds that put one atom before another; a cycle matters among these alone."""

SYMMETRIC = frozenset({RelationKind.CONTRAST, RelationKind.ANALOGY})
"""The kinds that hold both ways whichever note states them."""


class Provenance(StrEnum):
    """How a relation came to be known."""

    FACT = "fact"  # the author wrote it
    INFERRED = "inferred"  # found by a rule, e.g. a title that is mentioned


class TemporalKind(StrEnum):
    """What a temporal edge says (``edgeKind``)."""

    SUPERSEDES = "supersedes"  # the source replaces the target
    VALIDITY_WINDOW = "validity_window"  # the source (= target) holds from, to
    DERIVED_FROM = "derived_from"


OWNER_IMPORT = "import:"
"""Prefix of the owner of edges that came from outside; all others are document ids."""


@dataclass(frozen=True, slots=True)
class RelationEdge:
    """A directed relation between two atoms.

    Attributes:
        id: Equal for equal owner, ends and kind.
        source: Where it starts.
        target: Where it ends.
        kind: What it says (``relationKind``).
        provenance: How it is known.
        edge_confidence: From 0 to 1; 1 is what an author wrote as a relation.
        span_ids: The source text that says so, if any.
        valid_from: ISO date, inclusive, or empty.
        valid_to: ISO date, inclusive, or empty.
        owner: The document that created it, or ``import:NAME``; only its owner removes it.
        breaks_order: It closes a cycle among the ordering kinds and is left out of orders.
    """

    id: EdgeId
    source: AtomId
    target: AtomId
    kind: RelationKind
    provenance: Provenance
    edge_confidence: float
    span_ids: tuple[SpanId, ...]
    valid_from: str
    valid_to: str
    owner: str
    breaks_order: bool = False


@dataclass(frozen=True, slots=True)
class TemporalEdge:
    """A statement about time: a replacement, or a window in which an atom holds.

    Attributes:
        id: Equal for equal owner, ends and kind.
        source: The newer atom, or the atom the window is about.
        target: The older atom, or the same atom for a window.
        kind: What it says (``edgeKind``).
        valid_from: ISO date, inclusive, or empty.
        valid_to: ISO date, inclusive, or empty.
        source_document_hash: SHA-256 of the note that says so.
        owner: The document that created it, or ``import:NAME``.
        is_active: Both ends are in the workspace.
    """

    id: EdgeId
    source: AtomId
    target: AtomId
    kind: TemporalKind
    valid_from: str
    valid_to: str
    source_document_hash: Digest
    owner: str
    is_active: bool = True


def edge_id(owner: str, source: str, target: str, kind: str) -> EdgeId:
    """Name an edge by what it says and who says it."""
    text = encode_basestring
    try:
        whole = (
            f"[{text(owner)},{text(source)},{text(target)},{text(kind)}]".encode()
        )  # as canonical_json writes it, in a tenth of the time
    except UnicodeEncodeError:
        whole = canonical_json([owner, source, target, kind])  # says what is wrong
    return EdgeId("edge:" + sha256(whole).hexdigest()[:24])
