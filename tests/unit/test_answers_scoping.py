"""The scope is settled once, and left only where that is allowed."""

import pytest
from retrieval_samples import asked, library_of, note

from witmark.answers import scoping
from witmark.answers.asking import (
    MissReason,
    ReadinessStatus,
    ScopeRequest,
    ScopeSource,
)
from witmark.answers.ports import NoteFailure
from witmark.kernel.errors import UnknownScopeError

CUP = "waterglass/water glass.md"
NOTES = (
    note(CUP, ": a vessel for water", language="en"),
    note("waterglass/silica.md", ": an oxide"),
    note("financial/bond.md", ": a loan"),
    note("financial/deep/liquidity.md", ": fast cash", language="zh"),
    note("top.md", ": a note at the top"),
)
PLAN = asked("what is water glass", {"water glass": CUP})


@pytest.fixture(scope="module")
def library():
    return library_of(*NOTES)


def resolved(library, request=None, target="", plan=PLAN, **around):
    return scoping.resolve(
        request or ScopeRequest(), target, library, plan, scoping.Surroundings(**around)
    )


# Reading wishes ----------------------------------------------------------------------


def test_wishes_of_one_kind_add_up_and_kinds_narrow_each_other(library):
    wishes = ("corpus:financial", "corpus:waterglass", "lang:EN")

    asked_for = scoping.parse(wishes, library)

    assert asked_for == ScopeRequest(corpora=("financial", "waterglass"), languages=("en",))


@pytest.mark.parametrize(
    ("wish", "spelled"),
    [
        ("path:./financial//deep/", ScopeRequest(path_prefixes=("financial/deep",))),
        (r"path:financial\deep", ScopeRequest(path_prefixes=("financial/deep",))),
        ("doc:top.md", ScopeRequest(document_ids=("top.md",))),
        ("lang:zh-CN", ScopeRequest(languages=("zh",))),
        ("corpus: financial ", ScopeRequest(corpora=("financial",))),
    ],
)
def test_a_wish_has_one_spelling(library, wish, spelled):
    assert scoping.parse((wish,), library) == spelled


@pytest.mark.parametrize(
    ("wish", "near"),
    [
        ("corpus:finacial", ("financial",)),
        ("doc:waterglass/waterglass.md", (CUP,)),
        ("path:financial/deap", ("financial/deep",)),
        ("lang:fr", ("en", "zh")),
        ("corpus:qqqq", ("financial", "waterglass")),
        ("folder:financial", ("corpus:…", "path:…", "doc:…", "lang:…")),
        ("financial", ("corpus:…", "path:…", "doc:…", "lang:…")),
        ("corpus: ", ("corpus:…", "path:…", "doc:…", "lang:…")),
    ],
)
def test_an_unknown_scope_names_the_nearest_that_exist(library, wish, near):
    with pytest.raises(UnknownScopeError) as caught:
        scoping.parse((wish,), library)

    assert caught.value.known[: len(near)] == near


# Which scope -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "target", "stored", "source", "corpora"),
    [
        (("financial",), "waterglass", "waterglass", "explicit_request", ("financial",)),
        ((), "waterglass", "financial", "active_workspace_target", ("waterglass",)),
        ((), "", "financial", "workspace_hydration", ("financial",)),
        ((), "gone", "financial", "workspace_hydration", ("financial",)),
        ((), "gone", "", "planner_fallback", ()),
        ((), "", "gone", "planner_fallback", ()),
        ((), "", "", "global_default", ()),
    ],
)
@pytest.mark.clause("ANS-SCOPE-01")
def test_the_request_wins_then_what_is_open_then_what_was_open(  # noqa: PLR0913, PLR0917  # one row of a table
    library, request_, target, stored, source, corpora
):
    scope = resolved(library, ScopeRequest(corpora=request_), target, stored_target=stored)

    assert scope.scope_source is ScopeSource(source)
    assert scope.request.corpora == corpora
    assert scope.is_scoped is bool(corpora)


def test_a_folder_below_a_corpus_can_be_open(library):
    scope = resolved(library, target="financial/deep")

    assert scope.request == ScopeRequest(path_prefixes=("financial/deep",))
    assert scope.matched_atom_count == 1


def test_a_corpus_given_as_the_workspace_is_that_corpus(library):
    scope = resolved(library, ScopeRequest(workspace_id="waterglass"))

    assert scope.request.corpora == ("waterglass",)
    assert scope.scope_source is ScopeSource.EXPLICIT_REQUEST
    assert scope.readiness.status is ReadinessStatus.READY


@pytest.mark.clause("ANS-SCOPE-02")
def test_readiness_counts_the_workspace_the_scope_and_the_titles(library):
    ready = resolved(library, target="waterglass").readiness

    assert ready.status is ReadinessStatus.READY
    assert (ready.active_resource_count, ready.active_projection_count) == (5, 5)
    assert (ready.indexed_unit_count, ready.indexed_segment_count) == (2, 2)
    assert ready.matched_document_count == 1
    assert resolved(library, target="financial").readiness.matched_document_count == 0


@pytest.mark.parametrize(
    ("notes", "failures", "request_", "workspace", "status", "reason"),
    [
        ((), (), {}, "", "empty_store", "empty_store"),
        ((), ("a.md",), {}, "", "workspace_unindexed", "scope_has_no_indexed_segments"),
        (NOTES, (), {"corpora": ("no",)}, "", "workspace_not_found", "workspace_not_found"),
        (
            NOTES,
            (),
            {"workspace_id": "x"},
            "home",
            "workspace_not_found",
            "workspace_not_found",
        ),
        (NOTES, (), {"workspace_id": "x"}, "", "workspace_unbound", "workspace_unbound"),
        (NOTES, (), {"workspace_id": "home"}, "home", "ready", "none"),
        (
            NOTES,
            ("broken/a.md",),
            {"corpora": ("broken",)},
            "",
            "workspace_unindexed",
            "scope_has_no_indexed_segments",
        ),
        (
            NOTES,
            (),
            {"corpora": ("financial",), "languages": ("fr",)},
            "",
            "workspace_unindexed",
            "scope_has_no_indexed_segments",
        ),
    ],
)
def test_what_there_is_to_search_has_a_name(  # noqa: PLR0913, PLR0917  # one row of a table
    notes, failures, request_, workspace, status, reason
):
    library = library_of(*notes, failures=[NoteFailure(p, "binary", "") for p in failures])

    scope = resolved(library, ScopeRequest(**request_), workspace=workspace)

    assert scope.readiness.status is ReadinessStatus(status)
    assert scoping.miss_before_search(scope) is MissReason(reason)


def test_a_note_whose_front_matter_is_broken_still_counts_as_a_note():
    library = library_of(*NOTES, failures=[NoteFailure("top.md", "front-matter", "")])

    ready = resolved(library).readiness

    assert (ready.active_resource_count, ready.active_projection_count) == (5, 4)


# Leaving it --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "target", "may"),
    [
        ({"corpora": ("financial",)}, "", True),
        ({}, "financial", True),
        ({}, "financial/deep", True),
        ({}, "", False),
        ({"path_prefixes": ("financial",)}, "", False),
        ({"document_ids": ("financial/bond.md",)}, "", False),
        ({"languages": ("zh",)}, "", False),
        ({"corpora": ("financial",), "languages": ("zh",)}, "", False),
    ],
)
def test_only_a_whole_folder_may_be_left(library, request_, target, may):
    assert scoping.may_be_left(resolved(library, ScopeRequest(**request_), target)) is may


@pytest.mark.clause("ANS-SCOPE-03")
def test_a_recovered_scope_says_what_was_asked_and_where_the_name_is(library):
    scope = resolved(library, target="financial")

    wider = scoping.recovered(
        scope, MissReason.RETRIEVAL_CANDIDATES_BELOW_THRESHOLD, (CUP,), library
    )

    assert wider.scope_source is ScopeSource.PLANNER_SCOPE_RECOVERY
    assert wider.request == ScopeRequest(corpora=("waterglass",))
    assert wider.recovery.requested == scope.request
    assert wider.recovery.recovered_paths == (CUP,)
    assert wider.readiness.indexed_unit_count == 2


def test_a_note_at_the_top_is_recovered_without_the_folders(library):
    wider = scoping.recovered(
        resolved(library, target="financial"), MissReason.NONE, ("top.md",), library
    )

    assert wider.matched_atom_count == 1


def test_documents_inside_respects_every_field(library):
    every = [made.document.id for made in NOTES]

    def inside(**fields):
        return set(scoping.documents_inside(ScopeRequest(**fields), every, library))

    assert inside() == set(every)
    assert inside(corpora=("financial",), languages=("zh",)) == {"financial/deep/liquidity.md"}
    assert inside(document_ids=(CUP,), corpora=("financial",)) == set()
    assert scoping.documents_inside(ScopeRequest(), ["nowhere.md"], library) == ()


@pytest.mark.clause("ANS-SCOPE-02")
def test_a_miss_names_the_notes_that_bear_the_name(library):
    scope = resolved(library, ScopeRequest(languages=("zh",)))

    miss = scoping.diagnose(MissReason.RETRIEVAL_CANDIDATES_BELOW_THRESHOLD, scope, PLAN, [CUP])

    assert CUP in miss.message
    assert miss.title_hit_document_ids == (CUP,)
    assert miss.indexed_scope_atom_count == 1
