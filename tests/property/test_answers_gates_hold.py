"""What no draft, no edit and no order of writes can bring about."""

from dataclasses import replace

from answer_samples import (
    ANSWER,
    CUP,
    NOTES,
    draft,
    library,
    names,
    packed,
    plan,
    quoted,
    terms,
    told,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.answers.claims import dates_in, is_read_from, letters, quantities_in
from witmark.answers.exporting import Workspace, export_bundle
from witmark.answers.focus import open_source
from witmark.answers.focus_targets import FocusTarget
from witmark.answers.importing import import_bundle, put_into
from witmark.answers.leaks import leaks_in
from witmark.answers.marking import InlineStrategy, MatchedSpan, mark
from witmark.answers.release import cite, public_answer, review
from witmark.answers.sessions import (
    focus_reports_of,
    new_session,
    with_focus_report,
    with_memories,
    with_panel_state,
    with_study_session,
    with_turn,
)
from witmark.answers.source_paths import candidate_paths, plain_path
from witmark.kernel.canon import canonical_json, digest_of
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.shelves import MemoryShelf

ALPHABET = st.sampled_from("ab cd.\n水杯。，\t\r🧊é1[*_")
TEXT = st.text(ALPHABET, min_size=1, max_size=120)
WORDS = """A water glass|holds|250 ml|350|of water|not|because|Fuchs|than|matchedAtomCount
glass/a.md|[1]|2024-01-01|no longer|.|。|水杯|是"""
SAID = st.lists(st.sampled_from(WORDS.replace("\n", "|").split("|")), max_size=8).map(" ".join)


# The review --------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(st.lists(SAID, max_size=5))
def test_whatever_a_model_says_only_what_the_pack_bears_out_is_published(texts):
    drafted = draft(*(told(text, CUP) for text in texts))
    outcome = review(plan(), packed(), drafted)
    citations = cite(outcome, drafted, titles={}, scores={})
    answer = public_answer(outcome, drafted, citations, language="en")

    assert list(leaks_in(answer.text)) == []
    assert len(answer.sentences) <= 3
    assert "350" not in answer.text
    assert "[1]" not in answer.text
    assert "2024" not in answer.text
    assert answer.answered == bool(citations)
    for sentence in answer.sentences:
        assert sentence.citation_ids or not answer.answered


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=60), st.integers(0, 200), st.integers(0, 60))
def test_a_review_ends_in_a_verdict_for_any_note_and_any_cut_of_it(body, start, length):
    body = f"{body}x"
    notes = {**NOTES, CUP: ("Water glass", body)}
    words = body[start % len(body) :][: length + 1]
    outcome = review(plan(), packed(notes=notes), draft(quoted(CUP, words, notes=notes)))

    assert len(outcome.report.checks) == 25
    assert outcome == review(
        plan(), packed(notes=notes), draft(quoted(CUP, words, notes=notes))
    )


@given(st.text(max_size=200))
def test_reading_a_claim_never_fails_and_a_text_reads_as_itself(text):
    assert is_read_from(text, text)
    assert all(quantity.number for quantity in quantities_in(text))
    assert all(len(day) == 10 for day in dates_in(text))


@given(st.lists(st.sampled_from([ANSWER.text, "x.", "It is 7 mm."]), min_size=1, max_size=6))
def test_what_stays_is_part_of_what_was_said_in_its_order(texts):
    sentences = [replace(ANSWER, text=text) for text in texts]
    outcome = review(plan(), packed(), draft(*sentences))
    answer = public_answer(outcome, draft(*sentences), (), language="en")

    if answer.answered:
        said = iter(texts)
        assert all(sentence.text in said for sentence in answer.sentences)


# Focus -------------------------------------------------------------------------------


def span(text, first, end, **changes):
    made = {
        "source_path": CUP, "snippet": text[first:end], "start": first, "start_line": 0,
        "end_line": 0, "source_hash": digest_of(text.encode()),
        "prefix": text[max(0, first - 32) : first], "suffix": text[end : end + 32],
    }  # fmt: skip
    return MatchedSpan(**{**made, **changes})


@given(TEXT, st.integers(0, 200), st.integers(1, 40))
def test_an_unedited_note_is_marked_at_exactly_the_span(text, start, length):
    start %= len(text)
    end = min(len(text), start + length)

    found = mark(span(text, start, end), text)

    assert (found.start, found.end) == (start, end)
    assert found.strategy is InlineStrategy.SOURCE_OFFSET_PROVENANCE


@given(TEXT, TEXT, st.integers(0, 200), st.integers(1, 40), st.booleans())
def test_in_any_other_text_what_is_marked_reads_as_what_was_cited(
    text, other, start, length, old
):
    """An old payload knows the snippet alone."""
    start %= len(text)
    end = min(len(text), start + length)
    unknown = {"start": None, "source_hash": "", "prefix": "", "suffix": ""} if old else {}
    cited = span(text, start, end, **unknown)

    found = mark(cited, other)

    if found.is_marked:
        read = other[found.start : found.end]
        assert read == cited.snippet or letters(read) in letters(cited.snippet)


@given(TEXT, st.lists(st.tuples(st.integers(0, 200), st.integers(1, 30)), max_size=5))
def test_marks_are_sorted_and_never_overlap(text, places):
    spans = tuple(
        span(text, at % len(text), min(len(text), at % len(text) + n)) for at, n in places
    )

    class One:
        def paths(self):
            return [CUP]

        def read(self, path):
            return text if path == CUP else None

        def with_hash(self, source_hash):
            return []

    found = open_source(FocusTarget("", CUP, spans), One())

    assert all(
        a[1] <= b[0] for a, b in zip(found.highlights, found.highlights[1:], strict=False)
    )
    assert all(start < end <= len(text) for start, end in found.highlights)


@given(st.text(max_size=60))
def test_no_path_leads_out_of_the_workspace(name):
    path = plain_path(name)

    assert not path.startswith(("/", "../"))
    assert plain_path(path) == path or "\\" in name

    class Nothing:
        def paths(self):
            return ["a/b.md"]

        def with_hash(self, source_hash):
            return []

        def read(self, path):
            return None

    assert len(candidate_paths([name], [], Nothing())) <= 24


# Export and sessions --------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=4))
def test_any_notes_export_and_import_to_equal_bytes(bodies):
    paths = sorted(NOTES)[: len(bodies)]
    notes = {
        path: (f"n{at}", f"{body}x")
        for at, (path, body) in enumerate(zip(paths, bodies, strict=True))
    }
    about = Workspace("w", "", {})
    raw = canonical_json(
        export_bundle(about, library(*paths, notes=notes), MemoryShelf(), generated_at="now")
    )
    kept, shelf = MemoryLibrary(), MemoryShelf()
    put_into(import_bundle(raw, terms=terms, names=names), kept, shelf)

    assert canonical_json(export_bundle(about, kept, shelf, generated_at="now")) == raw


WRITES = st.sampled_from(
    [
        lambda state: with_turn(state, {"question": "?"}),
        lambda state: with_study_session(state, {"step": 1}),
        lambda state: with_memories(state, ()),
        lambda state: with_panel_state(state, {"layout": 1}),
        lambda state: with_panel_state(state, {"graphFocus": {"reports": []}}),
        lambda state: with_focus_report(state, {"reportId": "late"}),
    ]
)


@given(st.lists(WRITES, max_size=12))
def test_no_order_of_writes_erases_a_focus(writes):
    state = with_focus_report(new_session("s"), {"reportId": "first"})
    for write in writes:
        state = write(state)

    assert focus_reports_of(state)[0] == {"reportId": "first"}
