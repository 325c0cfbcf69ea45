"""Relation edges as flat rows: one blob per owner, so that half a million load at once.

An edge's ends are numbers of names. A name may be that of an atom that does not exist
(yet, or any more): the edge is then kept and not seen, and nothing has to be rewritten
when the atom comes or goes.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from json.encoder import JSONEncoder
from struct import Struct

import numpy as np
import numpy.typing as npt

from witmark.adapters.sqlite.note_rows import pack_text, unpack_text
from witmark.adapters.sqlite.seals import DamagedRowsError, decoding, seal, unseal
from witmark.answers.arrays import EVER, KINDS, NEVER, GraphArrays
from witmark.answers.atoms import AtomId, EdgeId, SpanId
from witmark.answers.edges import Provenance, RelationEdge

EDGE = np.dtype(
    [
        ("row", "<i8"),
        ("edge_confidence", "<f8"),
        ("source", "<i4"),
        ("target", "<i4"),
        ("valid_from", "<i4"),
        ("valid_to", "<i4"),
        ("kind", "<i1"),
        ("flags", "<u1"),
    ]
)
"""Ends are numbers of names, days as in ``GraphArrays``, the row is the edge's number."""

DIGEST = np.dtype([("front", "<i8"), ("rest", "<i4")])
"""What an edge's id holds after its prefix."""

_ID_BYTES = np.dtype((np.void, DIGEST.itemsize))

_PACK = Struct("<qdiiiibB").pack  # the same layout; three times as fast for one row

INFERRED, BREAKS_ORDER = 1, 2

_ID = "edge:"
_ID_LENGTH = len(_ID) + 2 * DIGEST.itemsize
_KIND = {kind: place for place, kind in enumerate(KINDS)}

Edges = npt.NDArray[np.void]
Owned = list[tuple[int, RelationEdge]]
Packed = tuple[bytes, bytes, str | bytes]  # the rows, the digests of the ids, the spans


def pack(owner: str, edges: Owned, numbers: Mapping[AtomId, int]) -> Packed:
    """Lay out the edges of one owner, each with its row; every end has its number."""
    rows = b"".join(
        [
            _PACK(
                row,
                edge.edge_confidence,
                numbers[edge.source],
                numbers[edge.target],
                _day(edge.valid_from, NEVER),
                _day(edge.valid_to, EVER),
                _KIND[edge.kind],
                (edge.provenance is Provenance.INFERRED) * INFERRED
                + edge.breaks_order * BREAKS_ORDER,
            )
            for row, edge in edges
        ]
    )
    spans = [[_short(span, owner) for span in edge.span_ids] for _, edge in edges]
    return seal(rows), seal(id_bytes([edge.id for _, edge in edges])), pack_text(_json(spans))


def unpack(
    owner: str,
    packed: Packed,
    name: Callable[[int], AtomId],
    wanted: Collection[int] | None = None,
) -> Owned:
    """Return the edges of one owner, or those of some rows, as they were laid out."""
    rows, digests, spans = packed
    with decoding(f"the relations of {owner}"):
        edges = np.frombuffer(unseal(rows), EDGE)
        ids = np.frombuffer(unseal(digests), _ID_BYTES)
        said = json.loads(unpack_text(spans))
        if not len(edges) == len(ids) == len(said):
            raise DamagedRowsError(f"the relations of {owner} are not whole")
        numbers = edges["row"].tolist()
        return [
            (number, _edge(owner, edges[at].item(), ids[at].tobytes(), said[at], name))
            for at, number in enumerate(numbers)
            if wanted is None or number in wanted
        ]


def rows_by_id(rows: bytes, digests: bytes) -> dict[EdgeId, tuple[int, bool]]:
    """Return the row of every edge of an owner, and whether it is marked."""
    edges, digests = np.frombuffer(unseal(rows), EDGE), unseal(digests)
    marked = (edges["flags"] & BREAKS_ORDER) > 0
    places = range(0, len(digests), DIGEST.itemsize)
    ids = [EdgeId(_ID + digests[at : at + DIGEST.itemsize].hex()) for at in places]
    pairs = zip(edges["row"].tolist(), marked.tolist(), strict=True)
    return dict(zip(ids, pairs, strict=True))


def id_bytes(names: Sequence[EdgeId]) -> bytes:
    """Return the bytes that the ids of edges spell."""
    spelled = "".join([name[len(_ID) :] for name in names])
    found = bytes.fromhex(spelled)
    if not all(len(name) == _ID_LENGTH and name.startswith(_ID) for name in names):
        raise AssertionError(f"not all made by edge_id: {names!r}")
    return found


def graph_of(nodes: npt.NDArray[np.int64], edges: Edges) -> GraphArrays:
    """Lay out the edges whose ends are among the nodes, by row; nodes are ascending."""
    last = int(nodes[-1]) if len(nodes) else 0
    place = np.full(last + 2, -1, np.int32)  # of each number; the last stands for all others
    place[nodes] = np.arange(len(nodes), dtype=np.int32)
    source = place[np.minimum(edges["source"], last + 1)]
    target = place[np.minimum(edges["target"], last + 1)]
    live = np.flatnonzero((source >= 0) & (target >= 0))
    live = live[np.argsort(edges["row"][live], kind="stable")]
    flags = edges["flags"][live]
    return GraphArrays(
        nodes=nodes,
        source=source[live],
        target=target[live],
        kind=edges["kind"][live],
        edge_confidence=edges["edge_confidence"][live].astype(np.float32),
        inferred=(flags & INFERRED) > 0,
        breaks_order=(flags & BREAKS_ORDER) > 0,
        valid_from=edges["valid_from"][live],
        valid_to=edges["valid_to"][live],
        row=edges["row"][live],
    )


def _edge(
    owner: str,
    row: Sequence[float],
    digest: bytes,
    spans: list[str],
    name: Callable[[int], AtomId],
) -> RelationEdge:
    _, confidence, source, target, valid_from, valid_to, kind, flags = row
    return RelationEdge(
        id=EdgeId(_ID + digest.hex()),
        source=name(int(source)),
        target=name(int(target)),
        kind=KINDS[int(kind)],
        provenance=Provenance.INFERRED if int(flags) & INFERRED else Provenance.FACT,
        edge_confidence=confidence,
        span_ids=tuple(SpanId(owner + s if s.startswith("@") else s[1:]) for s in spans),
        valid_from=_iso(int(valid_from)),
        valid_to=_iso(int(valid_to)),
        owner=owner,
        breaks_order=bool(int(flags) & BREAKS_ORDER),
    )


_json = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _short(span: SpanId, owner: str) -> str:
    """Most spans lie in the owner's note, whose name need not be repeated."""
    document, at, place = span.rpartition("@")
    return at + place if document == owner else f"={span}"


def _day(iso: str, unbounded: int) -> int:
    return date.fromisoformat(iso).toordinal() if iso else unbounded


def _iso(day: int) -> str:
    return "" if day in (NEVER, EVER) else date.fromordinal(day).isoformat()
