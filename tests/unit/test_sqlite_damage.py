"""An index that another program has changed: said as it is, and no more lost than must be."""

import sqlite3
from contextlib import closing

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.adapters.sqlite import SqliteLibrary, opening
from witmark.answers.asking import ScopeRequest
from witmark.answers.composing import EmbeddedComposer
from witmark.answers.dag import Dag
from witmark.answers.desk import AnswersDesk, Question
from witmark.answers.ingesting import ingest
from witmark.answers.use_cases import answer_question
from witmark.answers.validity import Timeline
from witmark.kernel.errors import IntegrityError, one_line
from witmark.kernel.store import BlobStore
from witmark.testing.disks import MemoryDisk
from witmark.testing.shelves import MemoryShelf
from witmark.testing.vaults import MemoryVault

NOTES = {
    "glass.md": "---\nvalid_to: 2024-12-31\nprerequisites: [sand]\n---\n# Glass\n\n"
    "Glass is molten sand that has cooled.\n",
    "sand.md": "# Sand\n\nSand is ground stone.\n",
    "cup.md": "---\nsupersedes: glass\n---\n# Cup\n\nA cup is made of [[glass]].\n",
}
GRAPH = [
    "UPDATE relation SET edges = substr(edges, 1, length(edges) - 1)",
    "UPDATE relation SET edges = zeroblob(length(edges))",
    "UPDATE relation SET edges = 'text'",
    "UPDATE relation SET edges = x''",
]
TIME = [
    "UPDATE temporal SET kind = 'bogus'",
    "UPDATE temporal SET valid_to = 'soon'",
    "UPDATE temporal SET valid_from = zeroblob(4)",
]
WORDS = [
    "UPDATE segment SET alive = x'00'",
    "UPDATE segment SET columns = zeroblob(length(columns))",
    "UPDATE segment SET fences = zeroblob(length(fences))",
    "UPDATE block SET postings = zeroblob(length(postings))",
    "DELETE FROM block",
    "UPDATE atom SET runs = zeroblob(length(runs))",
    "UPDATE atom SET passages = x'00'",
    "UPDATE atom SET head = '[]'",
    "UPDATE note SET facts = '{'",
]


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "index.sqlite3"
    library = SqliteLibrary(made)
    vault = MemoryVault({name: text.encode() for name, text in NOTES.items()})
    ingest(vault, ComrakParser(), library)
    library.close()
    return made


def change(path, statement):
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)
        db.commit()


def ask(path, message):
    library = SqliteLibrary(path)
    desk = AnswersDesk(
        workspace="notes",
        library=library,
        dag=lambda: Dag(library.graph()),
        blobs=BlobStore(MemoryDisk({})),
        shelf=MemoryShelf(),
        composer=EmbeddedComposer(),
        timeline=lambda: Timeline.of(library),
    )
    try:
        return answer_question(Question(message, "2026-01-01"), desk)
    finally:
        library.close()


@pytest.mark.parametrize("statement", [*GRAPH, *TIME])
def test_without_its_graph_or_its_times_the_desk_answers_from_what_was_found(path, statement):
    change(path, statement)

    asked = ask(path, "What is glass?")

    told = asked.pane.pack.diagnostics
    assert asked.public.answered
    assert asked.pane.citations
    assert (told.graph_ops_available, told.used_fallback) == (False, True)
    assert told.fallback_because == "integrity.damaged-library"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Is glass still valid?", "cannot be read now"),
        ("玻璃 glass 还有效吗？", "读不出来"),
    ],
)
def test_a_limit_that_cannot_be_read_is_not_denied(path, message, said):
    change(path, TIME[0])

    text = ask(path, message).public.text

    assert said in text
    assert "no time limit" not in text


@pytest.mark.parametrize("statement", GRAPH)
def test_without_its_graph_the_desk_still_knows_what_has_expired(path, statement):
    change(path, statement)

    assert "2024-12-31" in ask(path, "Is glass still valid?").public.text


@pytest.mark.parametrize("statement", WORDS)
def test_without_its_words_or_its_notes_there_is_no_answer_and_the_way_out_is_named(
    path, statement
):
    change(path, statement)

    with pytest.raises(IntegrityError) as caught:
        ask(path, "What is glass?")

    assert caught.value.code == "integrity.damaged-library"
    assert f"delete {path}; the next ingest rebuilds it" in one_line(caught.value)


@pytest.mark.parametrize(
    "statement",
    [
        *GRAPH,
        "UPDATE relation SET digests = x'00'",
        "UPDATE relation SET spans = '[]'",
        "UPDATE relation SET spans = 'x'",
        "DELETE FROM name",
    ],
)
def test_edges_that_are_not_what_was_written_are_not_read(path, statement):
    change(path, statement)
    library = SqliteLibrary(path)

    with pytest.raises(IntegrityError, match="damaged"):
        library.edges_of("glass.md")


def test_an_index_from_before_the_seals_is_sealed_and_keeps_its_edges(tmp_path, monkeypatch):
    path = tmp_path / "index.sqlite3"
    with monkeypatch.context() as older:
        for module in ("edge_rows", "segments", "note_rows"):
            older.setattr(f"witmark.adapters.sqlite.{module}.seal", bytes)
            older.setattr(f"witmark.adapters.sqlite.{module}.unseal", bytes)
        older.setattr("witmark.adapters.sqlite.edge_writing.unseal", bytes)
        older.setattr(
            "witmark.adapters.sqlite.library.LIBRARY_STEPS", opening.LIBRARY_STEPS[:2]
        )
        library = SqliteLibrary(path)
        vault = MemoryVault({name: text.encode() for name, text in NOTES.items()})
        ingest(vault, ComrakParser(), library)
        before = library.edges_of("glass.md")
        library.close()

    library = SqliteLibrary(path)

    assert before
    assert library.edges_of("glass.md") == before
    assert library.document("glass.md").text == NOTES["glass.md"]
    assert ingest(vault, ComrakParser(), library).changed == tuple(sorted(NOTES))
    assert library.search(["glass"], ScopeRequest(), limit=5)
    assert library.edges_of("glass.md") == before
