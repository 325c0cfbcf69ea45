"""What every library promises. Subclass, give a fixture named ``library``, and run."""

from dataclasses import replace

import numpy as np
import pytest

from witmark.answers.arrays import EVER, KINDS, NEVER
from witmark.answers.asking import ScopeRequest
from witmark.answers.atoms import AtomId, DocumentId
from witmark.answers.edges import RelationKind, TemporalKind
from witmark.answers.ports import AtomNo, Change, Library, NoteFailure, Record, Stamp
from witmark.kernel.canon import digest_of
from witmark.testing.noting import note, relation, window

EVERYWHERE = ScopeRequest()


def put(library: Library, *records: Record) -> None:
    """One ingest of some notes."""
    library.apply(Change(upserted=records))


def found(library: Library, *tokens: str, scope: ScopeRequest = EVERYWHERE) -> list[str]:
    """The ids of the atoms that hold a token."""
    hits = library.search(tokens, scope, limit=100)
    return [str(atom.id) for atom in library.atoms([hit.atom_no for hit in hits])]


def ends(library: Library) -> list[tuple[str, str]]:
    """Source and target of every edge that the graph shows, by row."""
    return [(e.source, e.target) for e in library.edges(library.graph().row.tolist())]


class LibraryContract:
    """Shared by the library in memory and the one on disk."""

    # Notes ---------------------------------------------------------------------------

    def test_an_empty_library_answers_everything_with_nothing(self, library: Library) -> None:
        """No ingest has been here yet; that is no error."""
        assert library.state().documents == library.state().generation == 0
        assert library.document(DocumentId("a.md")) is None
        assert (library.stamps(), list(library.titles()), library.failures()) == ({}, [], ())
        assert found(library, "water") == []
        assert library.frequencies(["water"]) == {"water": 0}
        assert len(library.graph().nodes) == len(library.graph().row) == 0

    def test_a_reading_within_a_reading_reads_the_same(self, library: Library) -> None:
        """An answer is one reading, and every question to the library is one within it."""
        put(library, note("a.md", ": water"))
        with library.reading(), library.reading():
            assert found(library, "water") == ["a.md#"]
        put(library, note("b.md", ": water"))
        with library.reading():
            assert found(library, "water") == ["a.md#", "b.md#"]

    def test_a_note_reads_back_as_it_was_put(self, library: Library) -> None:
        """Text, atoms, runs and passages, down to the last field."""
        record = note(
            "f/孔.md", ": 孔 water 🙂", "k: more", language="zh", aliases=("Bore",),
            keywords=("tag",), updated="2024-02-29", valid_from="2024-01-01",
        )  # fmt: skip
        put(library, record)
        assert library.document(DocumentId("f/孔.md")) == record.document
        assert library.note(DocumentId("f/孔.md")) == replace(record.document, atoms=())
        assert library.note(DocumentId("a.md")) is None
        numbers = library.numbers([atom.id for atom in record.document.atoms])
        assert set(library.atoms(list(numbers.values()))) == set(record.document.atoms)

    def test_every_atom_has_the_language_that_its_note_gives_it(self, library: Library) -> None:
        """Asked by number, of as many atoms as one likes."""
        put(library, note("a.md", ": water", "k: more"), note("b.md", ": 水", language="zh"))
        wanted = {"a.md#": "en", "a.md#k": "en", "b.md#": "zh"}
        numbers = library.numbers([AtomId(name) for name in wanted])
        told = library.languages([*numbers.values(), *numbers.values()])
        assert {name: told[number] for name, number in numbers.items()} == wanted
        assert list(told) == sorted(numbers.values())
        assert library.languages([]) == {}

    def test_a_note_put_again_is_replaced_whole(self, library: Library) -> None:
        """Nothing of the old one is found, and what stays keeps its number."""
        put(library, note("a.md", ": water", "k: glass"))
        before = library.numbers([AtomId("a.md#"), AtomId("a.md#k")])
        put(library, note("a.md", ": stone", "l: sand"))
        after = library.numbers([AtomId("a.md#"), AtomId("a.md#k"), AtomId("a.md#l")])
        assert after[AtomId("a.md#")] == before[AtomId("a.md#")]
        assert AtomId("a.md#k") not in after
        assert after[AtomId("a.md#l")] not in before.values()
        assert found(library, "water", "glass") == []
        assert found(library, "stone", "sand") == ["a.md#", "a.md#l"]

    def test_a_removed_note_leaves_nothing(self, library: Library) -> None:
        """And removing what is not there changes nothing but the generation."""
        put(library, note("a.md", ": water", aliases=("Aqua",)), note("b.md", ": glass"))
        library.apply(Change(removed=(DocumentId("a.md"), DocumentId("nowhere.md"))))
        assert [key for key, _ in library.titles()] == ["b.md"]
        assert found(library, "water") == []
        assert library.aliases(["aqua"]) == {}
        assert library.roots([DocumentId("a.md"), DocumentId("b.md")]).keys() == {"b.md"}
        assert library.state().generation == 2

    def test_a_touched_note_has_another_stamp_and_nothing_else(self, library: Library) -> None:
        """The bytes are the same; only the file's time is another."""
        record = note("a.md", ": water")
        put(library, record)
        stamp = Stamp(digest_of(b"other"), 5, 7)
        library.apply(Change(touched=((DocumentId("a.md"), stamp),)))
        assert library.stamps() == {"a.md": stamp}
        assert library.document(DocumentId("a.md")) == record.document

    def test_stamps_of_some_notes_are_read_without_the_others(self, library: Library) -> None:
        """Those asked for, those with the time, and a count of what is left."""
        names = ("a.md", "b.md", "c.md", "d.md")
        put(library, *(note(name, ": water") for name in names))
        waiting = (DocumentId("c.md"), Stamp(digest_of(b"other"), 5, -1))
        library.apply(Change(touched=(waiting,)))
        asked = [DocumentId(name) for name in ("nowhere.md", "c.md", "b.md", "\ud800.md")]
        found, others = library.stamps_of(asked, or_at=-1)
        every = library.stamps()
        b, c = DocumentId("b.md"), DocumentId("c.md")
        assert list(found.items()) == [(b, every[b]), (c, every[c])]
        assert others == 2
        assert library.stamps_of([], or_at=-1) == ({c: every[c]}, 3)

    def test_failures_are_replaced_as_a_whole(self, library: Library) -> None:
        """Sorted by path; a path may be half a character."""
        bad, worse = NoteFailure("b\udcff.md", "bad-name", "x"), NoteFailure("a", "binary", "y")
        library.apply(Change(failures=(bad, worse)))
        assert library.failures() == (worse, bad)
        library.apply(Change())
        assert library.failures() == ()

    def test_every_atom_has_a_home(self, library: Library) -> None:
        """The document of an atom is told without reading the atom."""
        first, second = note("a.md", ": one", "two: three"), note("b/c.md")
        library.apply(Change(upserted=(first, second)))
        ids = [atom.id for made in (first, second) for atom in made.document.atoms]
        numbers = library.numbers(ids)

        homes = library.homes([numbers[name] for name in reversed(ids)])

        assert homes == {numbers[name]: name.partition("#")[0] for name in ids}
        assert list(homes) == sorted(homes)

    def test_the_headings_over_every_atom_are_told(self, library: Library) -> None:
        """The same as the atoms tell, whether those were read before or not."""
        put(library, note("a.md", ": one", "two: three"))
        numbers = [*library.numbers([AtomId("a.md#"), AtomId("a.md#two")]).values()]

        told = library.headings(list(reversed(numbers)))

        read = zip(numbers, library.atoms(numbers), strict=True)
        assert told == {number: atom.section_path for number, atom in read}
        assert list(told) == sorted(told)
        assert library.headings(numbers) == told

    def test_an_unknown_number_is_our_own_bug(self, library: Library) -> None:
        """A number that was never given cannot have come from a library."""
        with pytest.raises(AssertionError):
            library.atoms([AtomNo(99)])
        with pytest.raises(AssertionError):
            library.headings([AtomNo(99)])
        with pytest.raises(AssertionError):
            library.edges([99])

    def test_a_note_stands_in_a_change_once(self, library: Library) -> None:
        """Which of two would hold? Nothing is changed."""
        with pytest.raises(AssertionError):
            put(library, note("a.md"), note("a.md"))
        assert library.state().generation == 0

    # Moves ---------------------------------------------------------------------------

    def test_a_moved_note_keeps_its_atoms_and_all_that_points_at_it(
        self, library: Library
    ) -> None:
        """Authored and imported edges follow it, under the ids of their new names."""
        put(
            library,
            note("a.md", ": water", edges=[relation("a.md", "a.md", "b.md#k")]),
            note("b.md", ": glass", "k: b", edges=[relation("b.md", "b.md#k", "a.md")]),
        )
        library.put_edges("import:x", [relation("import:x", "b.md", "a.md")], ())
        numbers = library.numbers([AtomId("b.md#"), AtomId("b.md#k")])
        library.apply(Change(moved=((DocumentId("b.md"), DocumentId("f/c.md")),)))

        moved = library.numbers([AtomId("f/c.md#"), AtomId("f/c.md#k")])
        assert list(moved.values()) == list(numbers.values())
        assert ends(library) == [
            ("a.md#", "f/c.md#k"), ("f/c.md#k", "a.md#"), ("f/c.md#", "a.md#"),
        ]  # fmt: skip
        assert library.edges_of("f/c.md") == (relation("f/c.md", "f/c.md#k", "a.md"),)
        assert library.edges_of("b.md") == ()
        assert found(library, "glass", scope=ScopeRequest(corpora=("f",))) == ["f/c.md#"]

    def test_two_notes_may_change_places(self, library: Library) -> None:
        """A swap is two moves at once."""
        put(library, note("a.md", ": water"), note("b.md", ": glass"))
        a, b = DocumentId("a.md"), DocumentId("b.md")
        library.apply(Change(moved=((a, b), (b, a))))
        assert (found(library, "water"), found(library, "glass")) == (["b.md#"], ["a.md#"])

    def test_a_note_that_moves_onto_another_replaces_it(self, library: Library) -> None:
        """As a file does."""
        put(library, note("a.md", ": water"), note("b.md", ": glass", "k: b"))
        library.apply(Change(moved=((DocumentId("a.md"), DocumentId("b.md")),)))
        assert found(library, "water", "glass", "b") == ["b.md#"]
        assert library.state().documents == 1

    def test_an_edge_that_waited_at_the_new_place_finds_the_note(
        self, library: Library
    ) -> None:
        """Its end was a name and nothing else; now there is an atom of that name."""
        put(library, note("a.md", edges=[relation("a.md", "a.md", "new.md")]), note("old.md"))
        assert ends(library) == []
        library.apply(Change(moved=((DocumentId("old.md"), DocumentId("new.md")),)))
        assert ends(library) == [("a.md#", "new.md#")]

    # Edges ---------------------------------------------------------------------------

    def test_an_edge_to_a_missing_end_waits_for_it(self, library: Library) -> None:
        """It is its owner's, and it is not in the graph."""
        edge = relation("a.md", "a.md", "b.md#k")
        put(library, note("a.md", edges=[edge]))
        assert library.edges_of("a.md") == (edge,)
        assert (ends(library), library.state().relation_edges) == ([], 0)
        put(library, note("b.md", ": b", "k: k"))
        assert ends(library) == [("a.md#", "b.md#k")]
        library.apply(Change(removed=(DocumentId("b.md"),)))
        assert (ends(library), library.edges_of("a.md")) == ([], (edge,))

    def test_an_edge_reads_back_as_it_was_put(self, library: Library) -> None:
        """With its dates, spans, provenance and mark."""
        edge = replace(
            relation("a.md", "a.md", "a.md#k", RelationKind.PREREQUISITE, 0.1),
            valid_from="0001-01-01", valid_to="9999-12-31", breaks_order=True,
        )  # fmt: skip
        put(library, note("a.md", ": a", "k: k", edges=[edge]))
        assert library.edges(library.graph().row.tolist()) == (edge,)

    def test_imported_edges_outlive_every_ingest(self, library: Library) -> None:
        """Re-ingested, removed and put back: they are seen when both ends are there."""
        edge = relation("import:x", "a.md", "b.md", RelationKind.PREREQUISITE)
        put(library, note("a.md"), note("b.md"))
        library.put_edges("import:x", [edge], [window("import:x", "a.md", "b.md")])
        put(library, note("a.md", ": again"))
        assert ends(library) == [("a.md#", "b.md#")]
        library.apply(Change(removed=(DocumentId("b.md"),)))
        assert (ends(library), library.temporal()) == ([], ())
        put(library, note("b.md"))
        assert ends(library) == [("a.md#", "b.md#")]
        assert len(library.temporal()) == 1
        library.put_edges("import:x", (), ())
        assert (ends(library), library.temporal()) == ([], ())

    def test_only_its_owner_removes_an_edge(self, library: Library) -> None:
        """Two notes say the same of the same ends; one of them goes."""
        said = [("a.md", "c.md", "d.md"), ("b.md", "c.md", "d.md")]
        records = [note(owner, edges=[relation(owner, s, t)]) for owner, s, t in said]
        put(library, *records, note("c.md"), note("d.md"))
        library.apply(Change(removed=(DocumentId("a.md"),)))
        assert [e.owner for e in library.edges(library.graph().row.tolist())] == ["b.md"]

    def test_a_relinked_note_has_the_new_edges_only(self, library: Library) -> None:
        """The others' stay, and a note that is not there gets none."""
        put(library, note("a.md", edges=[relation("a.md", "a.md", "b.md")]), note("b.md"))
        new = relation("a.md", "b.md", "a.md")
        lost = relation("no.md", "a.md", "b.md")
        library.apply(Change(relinked=(("a.md", (new,)), ("no.md", (lost,)))))
        assert ends(library) == [("b.md#", "a.md#")]
        assert library.edges_of("no.md") == ()

    def test_an_edge_that_stays_keeps_its_row_and_its_mark(self, library: Library) -> None:
        """A row names one edge for good; marks change only as a whole."""
        edges = [relation("a.md", "a.md", end) for end in ("b.md", "a.md#k")]
        put(library, note("a.md", ": a", "k: k", edges=edges), note("b.md"))
        rows = library.graph().row.tolist()
        library.apply(Change(order_breaking=frozenset({edges[0].id})))
        assert list(library.order_breaking()) == [edges[0].id]
        new = relation("a.md", "b.md", "a.md#k")
        put(library, note("a.md", ": b", "k: k", edges=[new, *edges]))
        assert library.graph().row.tolist() == [*rows, rows[-1] + 1]
        assert library.graph().breaks_order.tolist() == [True, False, False]
        library.apply(Change(order_breaking=frozenset({edges[1].id})))
        assert list(library.order_breaking()) == [edges[1].id]
        assert library.graph().breaks_order.tolist() == [False, True, False]
        assert [edge.breaks_order for edge in library.edges(rows)] == [False, True]

    def test_the_graph_is_the_edges_as_arrays(self, library: Library) -> None:
        """Places of nodes, days as numbers, kinds by their place in the list."""
        edge = replace(relation("a.md", "b.md", "a.md", RelationKind.CAUSAL, 0.5),
                       valid_from="2024-02-29")  # fmt: skip
        put(library, note("a.md", edges=[edge]), note("b.md"))
        graph = library.graph()
        numbers = library.numbers([AtomId("a.md#"), AtomId("b.md#")])
        assert graph.nodes.tolist() == sorted(numbers.values())
        assert graph.nodes[graph.source].tolist() == [numbers[AtomId("b.md#")]]
        assert graph.nodes[graph.target].tolist() == [numbers[AtomId("a.md#")]]
        assert [KINDS[kind] for kind in graph.kind] == [RelationKind.CAUSAL]
        assert (graph.valid_from.tolist(), graph.valid_to.tolist()) == ([738945], [EVER])
        assert graph.edge_confidence.dtype == np.float32
        assert library.graph() is graph
        assert NEVER < 0

    def test_the_graph_is_another_after_a_change(self, library: Library) -> None:
        """Whoever holds the old one still has it whole."""
        put(library, note("a.md"))
        old = library.graph()
        put(library, note("b.md"))
        assert (len(old.nodes), len(library.graph().nodes)) == (1, 2)

    def test_temporal_edges_are_active_while_both_ends_are_there(
        self, library: Library
    ) -> None:
        """Sorted by id."""
        edges = [
            window("a.md", "a.md", "b.md", TemporalKind.SUPERSEDES, "2024-01-01"),
            window("a.md", "a.md", "a.md", TemporalKind.VALIDITY_WINDOW, "", "2024-12-31"),
        ]
        put(library, note("a.md", temporal=edges))
        assert library.temporal() == (edges[1],)
        put(library, note("b.md"))
        assert library.temporal() == tuple(sorted(edges, key=lambda edge: edge.id))

    # Words ---------------------------------------------------------------------------

    def test_a_hit_says_how_often_and_how_long(self, library: Library) -> None:
        """What BM25 needs, exactly."""
        put(library, note("water.md", ": water glass water", "k: glass"))
        [hit] = library.search(["water", "water", "stone"], EVERYWHERE, limit=9)
        assert hit.counts == {"water": (1, 2)}
        assert (hit.title_length, hit.body_length) == (1, 3)
        state = library.state()
        assert (state.atoms, state.title_tokens, state.body_tokens) == (2, 2, 4)

    @pytest.mark.parametrize(
        "token", ["Water", "wäter", "waﬁer", "孔", "a-b", "c++", '"', "x" * 9_999, "\0", "🙂"]
    )
    def test_a_token_is_itself_and_no_other(self, library: Library, token: str) -> None:
        """Nothing is folded, cut or split that the tokeniser left as it is."""
        put(library, note("a.md", f": {token}"), note("b.md", ": water wafier c b a xx"))
        assert found(library, token) == ["a.md#"]
        assert library.frequencies([token, "nowhere"]) == {token: 1, "nowhere": 0}

    def test_the_best_fall_to_the_limit(self, library: Library) -> None:
        """A rare token and a title say more; below the limit everything is there."""
        common = [note(f"{n}.md", ": water" + " stone" * n) for n in range(5)]
        put(library, *common, note("rare.md", ": glass water"), note("water.md", ": x"))
        assert len(library.search(["water", "glass"], EVERYWHERE, limit=7)) == 7
        two = library.search(["water", "glass"], EVERYWHERE, limit=2)
        best = [atom.id for atom in library.atoms([hit.atom_no for hit in two])]
        assert best == ["rare.md#", "water.md#"]
        assert library.search(["water"], EVERYWHERE, limit=0) == []

    def test_hundreds_of_atoms_are_counted_exactly(self, library: Library) -> None:
        """Ingested in pieces, edited and removed, as a year of work would do it."""
        for batch in range(12):
            put(library, *(note(f"{batch}/{n}.md", f": t{n} both") for n in range(30)))
        library.apply(Change(removed=tuple(DocumentId(f"3/{n}.md") for n in range(30))))
        put(library, *(note(f"5/{n}.md", ": edited") for n in range(20)))
        assert library.frequencies(["both", "t7", "t25", "edited"]) == {
            "both": 310, "t7": 10, "t25": 11, "edited": 20,
        }  # fmt: skip
        assert len(library.search(["both", "t7"], EVERYWHERE, limit=1000)) == 310
        assert found(library, "t7", scope=ScopeRequest(corpora=("3", "5", "7"))) == ["7/7.md#"]

    def test_atoms_that_hold_every_token_are_found(self, library: Library) -> None:
        """In the body, in any order; no tokens are in nothing."""
        put(library, note("water.md", ": glass"), note("b.md", ": glass of water"))
        both = library.containing(["water", "glass"])
        assert [atom.id for atom in library.atoms(both)] == ["b.md#"]
        assert list(library.containing([])) == list(library.containing(["nowhere"])) == []

    # Scopes --------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("scope", "expected"),
        [
            (ScopeRequest(), ["f/a.md", "f/g/b.md", "fg/c.md", "top.md"]),
            (ScopeRequest(workspace_id="w"), ["f/a.md", "f/g/b.md", "fg/c.md", "top.md"]),
            (ScopeRequest(corpora=("f",)), ["f/a.md", "f/g/b.md"]),
            (ScopeRequest(corpora=("",)), ["top.md"]),
            (ScopeRequest(path_prefixes=("f/g",)), ["f/g/b.md"]),
            (ScopeRequest(path_prefixes=("f/",)), ["f/a.md", "f/g/b.md"]),
            (ScopeRequest(path_prefixes=("f/a.md", "top")), ["f/a.md"]),
            (ScopeRequest(languages=("zh",)), ["f/g/b.md"]),
            (ScopeRequest(document_ids=(DocumentId("top.md"),)), ["top.md"]),
            (ScopeRequest(atom_ids=(AtomId("fg/c.md#"),)), ["fg/c.md"]),
            (ScopeRequest(corpora=("f",), languages=("en",)), ["f/a.md"]),
            (ScopeRequest(corpora=("nowhere",)), []),
        ],
    )
    def test_a_scope_allows_what_it_names(
        self, library: Library, scope: ScopeRequest, expected: list[str]
    ) -> None:
        """Within one field any may match, all fields must; a prefix ends on a border."""
        put(
            library,
            note("f/a.md", ": water"), note("f/g/b.md", ": water", language="zh"),
            note("fg/c.md", ": water"), note("top.md", ": water"),
        )  # fmt: skip
        assert found(library, "water", scope=scope) == [f"{path}#" for path in expected]
        assert library.documents_in(scope) == len(expected)
        allowed = library.in_scope(scope)
        numbers = library.numbers([AtomId(f"{path}#") for path in expected])
        assert (
            allowed is None if scope.is_everything else allowed == frozenset(numbers.values())
        )

    def test_a_scope_follows_the_library(self, library: Library) -> None:
        """Nothing that is remembered of it outlives a change."""
        scope = ScopeRequest(corpora=("f",))
        put(library, note("f/a.md", ": water"))
        assert found(library, "water", scope=scope) == ["f/a.md#"]
        put(library, note("f/b.md", ": water"))
        assert found(library, "water", scope=scope) == ["f/a.md#", "f/b.md#"]

    # Names ---------------------------------------------------------------------------

    def test_a_key_leads_to_every_document_of_that_name(self, library: Library) -> None:
        """Sorted by document."""
        put(library, note("b.md", aliases=("Water Glass",)), note("water glass.md"))
        named = library.aliases(["waterglass", "nowhere"])
        assert {key: [d for d, _ in held] for key, held in named.items()} == {
            "waterglass": ["b.md", "water glass.md"]
        }
        assert named["waterglass"][0][1].surface == "Water Glass"

    def test_latin_keys_are_listed_by_length(self, library: Library) -> None:
        """Each once, sorted, and only those in ASCII."""
        put(library, note("water.md"), note("f/water.md"), note("孔孔孔.md"), note("ab.md"))
        assert list(library.latin_keys(3, 5)) == ["water"]
        assert list(library.latin_keys(1, 9)) == ["ab", "water"]
        assert list(library.latin_keys(1, 9, initial="w")) == ["water"]
        assert list(library.latin_keys(3, 9, initial="a")) == []
