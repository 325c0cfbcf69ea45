"""From a plan to the notes that may answer it."""

import pytest
from retrieval_samples import asked, library_of, note

from witmark.answers import dense, retrieving, scoping
from witmark.answers.asking import (
    Backend,
    Intent,
    MissReason,
    ScopeRequest,
    ScopeSource,
)
from witmark.answers.dag import Dag
from witmark.answers.edges import RelationKind
from witmark.testing.noting import relation, window

CUP, PLASTIC, GLASS, SILICA = (
    "waterglass/water glass.md",
    "waterglass/plastic cup.md",
    "waterglass/glass material.md",
    "waterglass/silica.md",
)
CEILING, FUND = "financial/glass ceiling.md", "financial/fund.md"

NOTES = (
    note(
        CUP,
        ": a clear vessel that holds water",
        "use: it holds cold water",
        "why it cracks: sudden heat makes stress",
        edges=[
            relation(CUP, GLASS, CUP, RelationKind.PREREQUISITE, 1.0),
            relation(CUP, CUP, PLASTIC, RelationKind.CONTRAST, 1.0),
        ],
    ),
    note(PLASTIC, ": a light polymer vessel that does not shatter"),
    note(
        GLASS,
        ": an amorphous solid",
        edges=[relation(GLASS, SILICA, GLASS, RelationKind.PREREQUISITE, 1.0)],
    ),
    note(SILICA, ": the oxide of silicon"),
    note(CEILING, ": a barrier to promotion"),
    note(FUND, ": the water mark of a fund is a fee term"),
)


@pytest.fixture(scope="module")
def library():
    return library_of(*NOTES)


def found(library, plan, *, request=None, target="", **how):
    scope = scoping.resolve(request or ScopeRequest(), target, library, plan)
    return retrieving.retrieve(
        plan, scope, library, Dag(library.graph()), as_of="2026-01-01", **how
    )


def ids(retrieval):
    return [candidate.document_id for candidate in retrieval.candidates]


def features(retrieval, document):
    return next(dict(c.features) for c in retrieval.candidates if c.document_id == document)


WHAT = asked(
    "what is a water glass",
    {"water glass": CUP},
    intent=Intent.WHAT,
    content="water glass",
    variants=("waterglass", "water glass"),
)


# Words and names ---------------------------------------------------------------------


def test_the_note_that_is_named_comes_first(library):
    assert ids(found(library, WHAT))[0] == CUP


def test_a_name_written_in_one_word_finds_the_note_through_its_variants(library):
    plan = asked(
        "waterglass", {"waterglass": CUP}, intent=Intent.WHAT, variants=("water glass",)
    )

    assert ids(found(library, plan))[0] == CUP


@pytest.mark.parametrize("backend", list(Backend))
@pytest.mark.clause("ANS-RET-06")
def test_every_backend_uses_names_variants_and_anchors(library, backend):
    retrieval = found(library, WHAT, backend=backend, embedder=Letters())

    assert retrieval.candidates[0].document_id == CUP
    assert retrieval.anchors == (CUP,)
    assert features(retrieval, CUP)["alias"] > 0.0
    assert features(retrieval, CUP)["anchor_distance"] == 0.30


@pytest.mark.clause("ANS-RET-01")
def test_the_score_is_the_sum_of_named_reasons(library):
    for candidate in found(library, WHAT).candidates:
        names = [name for name, _ in candidate.features]
        assert names == sorted(names)
        assert candidate.score == pytest.approx(sum(value for _, value in candidate.features))


@pytest.mark.clause("ANS-RET-05")
def test_a_note_comes_once_with_all_its_atoms_that_were_found(library):
    retrieval = found(library, asked("cold water that holds stress"))

    cup = next(c for c in retrieval.candidates if c.document_id == CUP)
    assert ids(retrieval).count(CUP) == 1
    assert len(cup.atoms) == len(cup.atom_nos) == 3
    assert library.atoms(cup.atom_nos) == cup.atoms


def test_the_name_says_which_note_and_the_rest_of_the_question_where_in_it(library):
    plan = asked("cold water in a water glass", {"water glass": CUP})

    assert found(library, plan).candidates[0].atoms[0].title == "use"


def test_a_heading_that_fits_the_question_lifts_its_atom_within_the_note(library):
    plan = asked("why stress in a water glass", {"water glass": CUP}, intent=Intent.WHY)

    assert found(library, plan).candidates[0].atoms[0].title == "why it cracks"


def test_no_more_notes_than_wanted_are_handed_on(library):
    assert len(ids(found(library, WHAT, top_k=1))) == 1
    assert len(ids(found(library, WHAT, top_k=0))) == 1
    assert len(ids(found(library, WHAT, top_k=999))) <= retrieving.MOST_TOP_K


# The graph ---------------------------------------------------------------------------


def test_what_is_joined_to_the_best_note_is_found_without_a_word_in_common(library):
    plan = asked("amorphous glass material", intent=Intent.WHAT)

    assert SILICA in ids(found(library, plan))
    assert features(found(library, plan), SILICA)["expansion"] > 0.0


def test_a_name_is_an_anchor_to_step_outwards_from_whatever_the_title(library):
    plan = asked("amorphous vitreum", {"vitreum": GLASS}, intent=Intent.WHAT)

    assert SILICA in ids(found(library, plan))


def test_where_nothing_says_what_the_question_is_about_no_step_is_taken(library):
    plan = asked("amorphous", intent=Intent.WHAT)

    assert ids(found(library, plan)) == [GLASS]


def test_keyword_only_takes_no_step_outwards(library):
    plan = asked("amorphous glass material", intent=Intent.WHAT)

    assert SILICA not in ids(found(library, plan, backend=Backend.KEYWORD_ONLY))


@pytest.mark.clause("ANS-RET-02")
def test_without_an_anchor_no_graph_reason_counts(library):
    retrieval = found(library, asked("polymer vessel"))

    assert retrieval.anchors == ()
    for candidate in retrieval.candidates:
        assert (
            not {"anchor_distance", "path", "relation_intent"} & dict(candidate.features).keys()
        )


def test_a_comparison_is_anchored_on_both_sides(library):
    plan = asked(
        "compare water glass and plastic cup",
        {"water glass": CUP, "plastic cup": PLASTIC},
        intent=Intent.COMPARE,
        content="water glass plastic cup",
    )

    retrieval = found(library, plan)

    assert retrieval.anchors == (CUP, PLASTIC)
    assert ids(retrieval)[:2] == [CUP, PLASTIC]


def test_the_sides_of_a_comparison_stand_in_the_order_of_the_question(library):
    names = {"plastic cup": PLASTIC, "water glass": CUP}
    plan = asked("compare plastic cup and water glass", names, intent=Intent.COMPARE)

    assert ids(found(library, plan))[:2] == [PLASTIC, CUP]


@pytest.mark.clause("ANS-RET-04")
def test_a_contrast_beats_a_reference_when_things_are_compared():
    records = (
        note(
            "a.md",
            ": the anchor",
            edges=[
                relation("a.md", "a.md", "b.md", RelationKind.CONTRAST, 0.5),
                relation("a.md", "a.md", "c.md", RelationKind.REFERENCE, 0.9),
            ],
        ),
        note("b.md", ": other"),
        note("c.md", ": other"),
    )
    plan = asked("compare a anchor", {"anchor": "a.md"}, intent=Intent.COMPARE)

    assert ids(found(library_of(*records), plan)) == ["a.md", "b.md", "c.md"]


# Time --------------------------------------------------------------------------------


def guides():
    """Two washing guides; the newer replaces the older and shares no word with the question."""
    return library_of(
        note("new.md", ": warm first", temporal=[window("new.md", "new.md", "old.md")]),
        note("old.md", ": rinse glassware boiling"),
        *(note(f"other {n}.md", ": nothing here") for n in range(4)),
    )


@pytest.mark.clause("ANS-RET-03")
def test_what_was_replaced_steps_back_behind_what_replaced_it():
    retrieval = found(guides(), asked("rinse glassware"))

    assert ids(retrieval) == ["new.md", "old.md"]
    assert features(retrieval, "old.md")["temporal"] == pytest.approx(-0.20)
    assert features(retrieval, "new.md")["successor"] > 0.0
    assert [c.validity.is_valid for c in retrieval.candidates] == [True, False]


@pytest.mark.clause("ANS-RET-03")
def test_a_note_that_replaces_nothing_keeps_a_score_below_zero():
    library = library_of(
        note("cup.md", ": rinse a porcelain cup with vinegar"),
        note("zh.md", f": cup {'说明 ' * 40}", language="zh"),
        *(note(f"other {n}.md", ": a cup") for n in range(2)),
    )
    retrieval = found(library, asked("rinse porcelain vinegar cup", {"cup": "cup.md"}))

    assert sum(features(retrieval, "zh.md").values()) < 0
    assert "successor" not in features(retrieval, "zh.md")


def test_whoever_asks_whether_it_holds_gets_no_penalty_and_both_notes():
    retrieval = found(guides(), asked("rinse glassware", intent=Intent.STILL_VALID))

    assert set(ids(retrieval)) == {"new.md", "old.md"}
    assert "temporal" not in features(retrieval, "old.md")


def test_what_replaced_a_note_is_not_fetched_from_outside_the_scope():
    retrieval = found(
        guides(), asked("rinse glassware"), request=ScopeRequest(document_ids=("old.md",))
    )

    assert ids(retrieval) == ["old.md"]


# Scope -------------------------------------------------------------------------------


@pytest.mark.clause("ANS-SCOPE-01")
def test_nothing_outside_the_scope_is_handed_on_not_even_a_neighbour(library):
    retrieval = found(library, WHAT, request=ScopeRequest(document_ids=(CUP, GLASS)))

    assert set(ids(retrieval)) == {CUP, GLASS}


def test_a_scope_that_holds_nothing_is_left_for_the_note_that_bears_the_name(library):
    retrieval = found(library, WHAT, target="financial")

    assert retrieval.scope.scope_source is ScopeSource.PLANNER_SCOPE_RECOVERY
    assert retrieval.scope.recovery.recovered_paths == (CUP,)
    assert retrieval.scope.recovery.requested.corpora == ("financial",)
    assert "planner_scope_recovery" in retrieval.modes
    assert ids(retrieval)[0] == CUP
    assert {path.split("/")[0] for path in ids(retrieval)} == {"waterglass"}


def test_a_scope_is_left_on_a_soft_miss_too(library):
    """ "Glass ceiling" and "the water mark" hold a word each; the name says it all."""
    weak = found(library, asked("water glass"), target="financial")

    assert set(ids(weak)) == {CEILING, FUND}
    assert found(library, WHAT, target="financial").scope.recovery is not None


def test_a_scope_that_answers_is_not_left(library):
    plan = asked("what is a glass ceiling", {"glass ceiling": CEILING}, content="glass ceiling")

    retrieval = found(library, plan, target="financial")

    assert retrieval.scope.recovery is None
    assert ids(retrieval)[0] == CEILING


@pytest.mark.parametrize(
    "request_",
    [
        ScopeRequest(path_prefixes=("financial",)),
        ScopeRequest(document_ids=(FUND,)),
        ScopeRequest(corpora=("financial",), languages=("en",)),
    ],
)
@pytest.mark.clause("ANS-SCOPE-03")
def test_a_filter_is_never_left_and_the_diagnostics_say_where_the_name_is(library, request_):
    plan = asked("silica", {"silica": SILICA})

    retrieval = found(library, plan, request=request_)

    assert retrieval.candidates == ()
    assert retrieval.scope.recovery is None
    assert retrieval.miss.title_hit_document_ids == (SILICA,)
    assert SILICA in retrieval.miss.message


# Misses ------------------------------------------------------------------------------


def test_a_question_nobody_wrote_about_finds_nothing(library):
    retrieval = found(library, asked("quantum chromodynamics"))

    assert retrieval.candidates == ()
    assert retrieval.miss.reason is MissReason.QUERY_NO_TITLE_OR_ALIAS_HIT


@pytest.mark.clause("ANS-SCOPE-04")
def test_a_word_in_passing_is_no_evidence(library):
    plan = asked("quantum chromodynamics lattice gauge theory confinement hadron fee")

    retrieval = found(library, plan)

    assert retrieval.candidates == ()
    assert retrieval.miss.reason is MissReason.RETRIEVAL_CANDIDATES_BELOW_THRESHOLD


def test_a_note_that_is_named_is_evidence_though_all_else_is_in_other_words(library):
    plan = asked(
        "why does boiling tea poured quickly shatter a chilled water glass outdoors",
        {"water glass": CUP},
        intent=Intent.WHY,
    )

    assert ids(found(library, plan))[0] == CUP


@pytest.mark.parametrize("name", ["JDK 8", "jdk8", "JDK-8"])
def test_a_number_is_matched_whole(name):
    titles = {n: f"docs/Java {n} features.md" for n in (8, 16, 18, 19)}
    library = library_of(
        *(note(path, f": JDK features of JDK {n}, JDK features, up from 8, 8")
          for n, path in titles.items() if n != 8),
        note(titles[8], ": lambdas, streams and much else that everybody waited for in jdk8"),
    )  # fmt: skip

    assert ids(found(library, asked(f"{name} features")))[0] == titles[8]


def test_what_is_found_carries_no_miss(library):
    retrieval = found(library, WHAT)

    assert retrieval.miss.reason is MissReason.NONE
    assert 0.9 < retrieval.coverage <= 1.0


def test_an_empty_library_says_so():
    retrieval = found(library_of(), WHAT)

    assert retrieval.candidates == ()
    assert retrieval.miss.reason is MissReason.EMPTY_STORE


# Vectors -----------------------------------------------------------------------------


class Letters:
    """A toy: a text's vector counts its letters, so anagrams are alike."""

    name = "letters"

    def passages(self, texts):
        return [self.query(text) for text in texts]

    def query(self, text):
        counts = [float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]
        length = sum(value * value for value in counts) ** 0.5 or 1.0
        return [value / length for value in counts]


@pytest.mark.clause("ANS-RET-06")
def test_vectors_without_a_model_are_refused_with_a_way_out(library):
    with pytest.raises(dense.EmbedderUnavailableError, match="none is installed") as caught:
        found(library, WHAT, backend=Backend.LOCAL_VECTOR)

    assert "local_hybrid" in caught.value.hint


def test_vectors_find_what_words_do_not():
    records = (
        note("a.md", ": listen closely to it"),
        note("b.md", ": zzz closely xx"),
        *(note(f"{n}.md", ": qqq") for n in range(8)),
    )
    plan = asked("silent closely")

    library = library_of(*records)
    alike = found(library, plan, backend=Backend.LOCAL_VECTOR, embedder=Letters())
    mixed = found(library, plan, embedder=Letters())

    assert ids(alike)[0] == ids(mixed)[0] == "a.md"
    assert "vector" in alike.modes
    assert "keyword" not in alike.modes
    assert dict(mixed.mode_weights)["vector"] == 0.5


def test_vectors_stay_in_the_scope(library):
    retrieval = found(
        library,
        asked("polymer vessel"),
        request=ScopeRequest(corpora=("waterglass",)),
        backend=Backend.LOCAL_VECTOR,
        embedder=Letters(),
        top_k=20,
    )

    assert set(ids(retrieval)) <= {CUP, PLASTIC, GLASS, SILICA}


def test_vectors_do_not_make_evidence_of_nothing(library):
    plan = asked("quantum chromodynamics")

    retrieval = found(library, plan, backend=Backend.LOCAL_VECTOR, embedder=Letters())

    assert retrieval.candidates == ()


# Determinism -------------------------------------------------------------------------


def test_the_order_in_which_notes_came_does_not_show(library):
    other = library_of(*reversed(NOTES))

    for plan in (WHAT, asked("water"), asked("vessel that holds")):
        one, two = found(library, plan), found(other, plan)
        assert [(c.document_id, c.features) for c in one.candidates] == [
            (c.document_id, c.features) for c in two.candidates
        ]
        assert [[a.id for a in c.atoms] for c in one.candidates] == [
            [a.id for a in c.atoms] for c in two.candidates
        ]
