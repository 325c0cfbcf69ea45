"""Whatever is done to a library, the one on disk answers as the one in memory."""

from dataclasses import asdict, replace
from itertools import count

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from witmark.adapters.sqlite import SqliteLibrary
from witmark.answers.asking import ScopeRequest
from witmark.answers.atoms import AtomId, DocumentId
from witmark.answers.edges import Provenance, RelationKind, TemporalKind
from witmark.answers.ports import Change, NoteFailure, Stamp
from witmark.kernel.canon import digest_of
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.noting import note, relation, window

PATHS = ("a.md", "f/a.md", "f/g/b.md", "f/gg/c.md", "孔/a.md", "z.md")
KEYS = ("", "k", "k/l")
WORDS = ("water", "glass", "孔", "孔径", "a\u3000b", "Water", "x" * 300, "\0")
TOKENS = (*WORDS, "nowhere")
IMPORTS = ("import:one", "import:two")
ENDS = tuple(f"{path}#{key}" for path in PATHS for key in KEYS)

paths = st.sampled_from(PATHS)
ends = st.sampled_from(ENDS)
days = st.sampled_from(("", "2024-02-29", "0001-01-01", "9999-12-31"))


@st.composite
def relations(draw, owner):
    made = relation(
        owner,
        draw(ends),
        draw(ends),
        draw(st.sampled_from(list(RelationKind))),
        draw(st.floats(0, 1)),
    )
    return replace(
        made,
        provenance=draw(st.sampled_from(list(Provenance))),
        valid_from=draw(days),
        valid_to=draw(days),
        breaks_order=draw(st.booleans()),
        span_ids=tuple(
            draw(st.lists(st.sampled_from((f"{owner}@1-2", "a.md@3-4")), max_size=2))
        ),
    )


@st.composite
def temporals(draw, owner):
    kind = draw(st.sampled_from(list(TemporalKind)))
    return window(owner, draw(ends), draw(ends), kind, draw(days), draw(days))


@st.composite
def records(draw, path):
    bodies = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
    keys = draw(st.sampled_from((KEYS[:1], KEYS[:2], KEYS)))
    made = note(
        path,
        *(f"{key}: {draw(bodies)}" for key in keys),
        language=draw(st.sampled_from(("en", "zh"))),
        aliases=draw(
            st.lists(st.sampled_from(("Water Glass", "孔", "WG")), max_size=2, unique=True)
        ),
        edges=draw(st.lists(relations(path), max_size=4)),
        temporal=draw(st.lists(temporals(path), max_size=2)),
        updated=draw(days),
        keywords=("t",),
    )
    terms = tuple(
        replace(term, body=tuple(draw(st.lists(st.sampled_from(WORDS), max_size=8))))
        for term in made.terms
    )
    return replace(made, terms=terms)


@st.composite
def changes(draw):
    moves = draw(st.lists(st.tuples(paths, paths), max_size=2))
    moved = {old: new for new, old in {new: old for old, new in moves}.items()}
    upserted = draw(st.lists(paths, max_size=3, unique=True))
    relinked = draw(st.lists(paths, max_size=1))
    return Change(
        moved=tuple(moved.items()),
        removed=tuple(draw(st.lists(paths, max_size=1))),
        upserted=tuple(draw(records(path)) for path in upserted),
        touched=tuple(
            (path, Stamp(digest_of(b"x"), 3, 4)) for path in draw(st.lists(paths, max_size=1))
        ),
        failures=tuple(
            NoteFailure(path, "binary", "\udcff") for path in draw(st.lists(paths, max_size=2))
        ),
        relinked=tuple(
            (path, tuple(draw(st.lists(relations(path), max_size=2)))) for path in relinked
        ),
    )


imports = st.sampled_from(IMPORTS).flatmap(
    lambda owner: st.tuples(
        st.just(owner),
        st.lists(relations(owner), max_size=3),
        st.lists(temporals(owner), max_size=2),
    )
)
marks = st.lists(st.integers(0, 20), max_size=3)
steps = st.lists(st.one_of(changes(), changes(), imports, marks), min_size=1, max_size=4)

SCOPES = (
    ScopeRequest(),
    ScopeRequest(corpora=("f",)),
    ScopeRequest(corpora=("", "孔")),
    ScopeRequest(document_ids=(DocumentId("a.md"), DocumentId("f/g/b.md"))),
    ScopeRequest(atom_ids=tuple(AtomId(name) for name in ENDS[1::2])),
    ScopeRequest(path_prefixes=("f/g",)),
    ScopeRequest(path_prefixes=("f/g/", "z.md"), languages=("zh",)),
    ScopeRequest(path_prefixes=("",), corpora=("f",)),
    ScopeRequest(languages=("fr",)),
)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    folder, number = tmp_path_factory.mktemp("libraries"), count()
    return lambda: folder / f"{next(number)}.sqlite3"


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps)
@pytest.mark.clause("ANS-LIB-04")
def test_every_answer_is_the_same_after_any_changes(fresh, story):
    path = fresh()
    libraries = MemoryLibrary(), SqliteLibrary(path)
    for step in story:
        for library in libraries:
            do(library, step)
        one, two = (everything(library) for library in libraries)
        assert {key: one[key] for key in one if one[key] != two[key]} == {
            key: two[key] for key in one if one[key] != two[key]
        }
    libraries[1].close()
    reopened = SqliteLibrary(path)
    assert everything(reopened) == everything(libraries[0])
    reopened.close()


def do(library, step):
    match step:
        case Change():
            library.apply(step)
        case (owner, edges, windows) if isinstance(owner, str):
            library.put_edges(owner, edges, windows)
        case numbers:
            owned = sorted(
                edge.id for owner in (*PATHS, *IMPORTS) for edge in library.edges_of(owner)
            )
            chosen = frozenset(owned[n] for n in numbers if n < len(owned))
            library.apply(Change(order_breaking=chosen))


def everything(library):
    """Every answer the port can give, as plain data."""
    graph = library.graph()
    numbers = library.numbers([AtomId(name) for name in ENDS])
    return {
        "state": library.state(),
        "stamps": list(library.stamps().items()),
        "failures": library.failures(),
        "documents": [library.document(DocumentId(path)) for path in PATHS],
        "titles": list(library.titles()),
        "numbers": list(numbers.items()),
        "atoms": library.atoms(list(numbers.values())),
        "roots": list(library.roots([DocumentId(path) for path in PATHS]).items()),
        "scopes": [library.in_scope(scope) for scope in SCOPES],
        "held": [library.documents_in(scope) for scope in SCOPES],
        "found": [list(library.search(TOKENS, scope, limit=99)) for scope in SCOPES],
        "best": [list(library.search(TOKENS, scope, limit=2)) for scope in SCOPES],
        "frequencies": library.frequencies(TOKENS),
        "containing": [list(library.containing(pair)) for pair in ((), TOKENS[:1], TOKENS[:2])],
        "aliases": list(library.aliases(["孔", "waterglass", "wg", "b"]).items()),
        "latin": list(library.latin_keys(1, 9)),
        "graph": {name: plain(array) for name, array in asdict(graph).items()},
        "edges": library.edges(graph.row.tolist()),
        "owned": [library.edges_of(owner) for owner in (*PATHS, *IMPORTS)],
        "temporal": library.temporal(),
    }


def plain(array):
    assert isinstance(array, np.ndarray)
    return array.dtype, array.tolist()
