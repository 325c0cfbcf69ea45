"""A citation opens its note at the very span, or says why it cannot; never the wrong place."""

import pytest
from answer_samples import ANSWER, CUP, NOTES, OLD, SILICA, draft, note, packed, plan

from witmark.answers.focus import FailureReason, NodeStrategy, open_source
from witmark.answers.focus_reports import diagnostics_to_plain, focus_report
from witmark.answers.focus_targets import FocusTarget, target_of_citation, target_of_payload
from witmark.answers.marking import Drift, InlineStrategy, MatchedSpan, mark, search_terms
from witmark.answers.release import cite, review
from witmark.answers.source_paths import candidate_paths, plain_path
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import GarbledRecordError

TWICE = "# 水杯\n\n水杯适合盛放冷水。水杯适合盛放冷水。第二次出现的同一句话。\n\n另一段文字。\n"
SENTENCE = "水杯适合盛放冷水。"


class Folder:
    """Notes in memory, and which digest each had when it was ingested."""

    def __init__(self, notes, hashes=None):
        self._notes = notes
        self._hashes = hashes or {
            path: digest_of(text.encode()) for path, text in notes.items()
        }

    def paths(self):
        return sorted(self._notes)

    def read(self, path):
        return self._notes.get(path)

    def with_hash(self, source_hash):
        return sorted(path for path, known in self._hashes.items() if known == source_hash)


def at(text, words, *, nth=0, path=CUP, **changes):
    """A span as a citation of today carries it."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    line = text.count("\n", 0, start) + 1
    made = {
        "source_path": path, "snippet": words, "start": start, "start_line": line,
        "end_line": line, "source_hash": digest_of(text.encode()),
        "prefix": text[max(0, start - 32) : start],
        "suffix": text[start + len(words) :][:32],
    }  # fmt: skip
    return MatchedSpan(**{**made, **changes})


def legacy(words, **changes):
    """A span as an old payload carries it: a snippet and nothing else."""
    return MatchedSpan(**{
        "source_path": "", "snippet": words, "start": None, "start_line": 0, "end_line": 0,
        "source_hash": "", "prefix": "", "suffix": "", **changes,
    })  # fmt: skip


def focus(text, *spans, path=CUP, **options):
    return open_source(FocusTarget("水杯", path, spans), Folder({CUP: text}), **options)


def shown(result):
    return [result.text[start:end] for start, end in result.highlights]


# The note as it was ------------------------------------------------------------------


def test_a_citation_opens_at_its_very_span():
    pack = packed()
    outcome = review(plan(), pack, draft(ANSWER))
    (citation,) = cite(outcome, draft(ANSWER), titles={}, scores={})
    text = note(CUP).text

    found = open_source(target_of_citation(citation), Folder({CUP: text}))

    assert shown(found) == [ANSWER.text]
    assert found.drift is Drift.CURRENT
    assert found.diagnostics.failure is FailureReason.NONE
    assert found.diagnostics.node_strategy is NodeStrategy.SOURCE_LINE_PROVENANCE
    assert found.diagnostics.inline_strategy is InlineStrategy.SOURCE_OFFSET_PROVENANCE
    assert not found.diagnostics.used_fallback


@pytest.mark.parametrize("nth", [0, 1])
@pytest.mark.clause("ANS-FOCUS-02")
def test_of_two_equal_fragments_the_offset_tells_which(nth):
    span = at(TWICE, SENTENCE, nth=nth)

    assert focus(TWICE, span).highlights == ((span.start, span.start + len(SENTENCE)),)


def test_without_an_offset_an_ambiguous_fragment_is_not_marked():
    found = focus(TWICE, legacy(SENTENCE))

    assert found.highlights == ()
    assert found.diagnostics.failure is FailureReason.AMBIGUOUS_FRAGMENT
    assert found.diagnostics.node_strategy is NodeStrategy.SNIPPET_FALLBACK


def test_an_old_payload_without_offsets_is_found_by_its_fragment():
    found = focus(TWICE, legacy("另一段文字。"))

    assert shown(found) == ["另一段文字。"]
    assert found.diagnostics.inline_strategy is InlineStrategy.SOURCE_FRAGMENT_PROVENANCE


def test_a_line_tells_equal_fragments_apart_when_there_is_no_offset():
    text = "eins eins eins\n\nzwei\n\neins eins eins\n"

    found = focus(text, legacy("eins eins eins", start_line=5))

    assert found.highlights == ((22, 36),)


def test_a_one_line_paragraph_marks_only_the_fragment():
    found = focus(TWICE, at(TWICE, "同一句话"))

    assert shown(found) == ["同一句话"]
    assert found.diagnostics.highlighted_nodes == 1


def test_a_snippet_as_the_reader_saw_it_is_found_through_the_markup():
    text = "# Glass\n\nGlass is **mostly** made of _silica_, see below.\n"

    found = focus(text, legacy("Glass is mostly made of silica"))

    assert shown(found) == ["Glass is **mostly** made of _silica"]
    assert found.diagnostics.inline_strategy is InlineStrategy.TEXT_SEARCH
    assert found.diagnostics.used_fallback


def test_a_snippet_in_another_script_and_width_is_found_too():
    found = focus("水杯是用来盛水的透明容器。\n", legacy("水杯是用來盛水的透明容器"))

    assert shown(found) == ["水杯是用来盛水的透明容器"]


def test_a_snippet_that_is_too_short_is_not_searched_for():
    found = focus("Glass is made of silica.\n", legacy("**of**"))

    assert found.diagnostics.failure is FailureReason.TERMS_TOO_NARROW
    assert found.highlights == ()


def test_terms_are_eight_to_240_characters():
    assert search_terms("short") == ()
    assert max(map(len, search_terms("a" * 400))) == 240


# The note was edited since -------------------------------------------------------------


@pytest.mark.clause("ANS-FOCUS-03")
def test_a_fragment_that_moved_is_marked_and_said_to_have_moved():
    span = at(TWICE, "第二次出现的同一句话。")
    edited = "# 水杯\n\n新的开头。\n\n" + TWICE.removeprefix("# 水杯\n\n")

    found = focus(edited, span)

    assert shown(found) == ["第二次出现的同一句话。"]
    assert found.drift is Drift.MOVED
    assert found.diagnostics.inline_strategy is InlineStrategy.SOURCE_FRAGMENT_PROVENANCE


def test_a_fragment_that_was_rewritten_is_shown_by_its_line_and_not_marked():
    edited = TWICE.replace("第二次出现的同一句话。", "完全不同的内容在这里。")

    found = focus(edited, at(TWICE, "第二次出现的同一句话。"))

    assert found.highlights == ()
    assert found.drift is Drift.CHANGED_SINCE
    assert found.diagnostics.failure is FailureReason.CHANGED_SINCE
    assert found.diagnostics.node_strategy is NodeStrategy.LINE_WINDOW


def test_of_two_equal_fragments_in_an_edited_note_the_surroundings_tell_or_nothing_does():
    text = "alpha: the same words here.\n\nbeta: the same words here.\n"
    second = at(text, "the same words here.", nth=1)

    told = focus("new\n\n" + text, second)
    lost = focus("x the same words here.\n\nx the same words here.\n", second)

    assert told.highlights == ((second.start + 5, second.start + 5 + len(second.snippet)),)
    assert lost.highlights == ()
    assert lost.diagnostics.failure is FailureReason.AMBIGUOUS_FRAGMENT


def test_lines_that_are_no_longer_there_fall_back_to_the_snippet():
    text = "# Other\n\nA water glass holds quite some water of any kind.\n"
    span = legacy("A water glass holds 250 ml of water.", start_line=400)

    found = focus(text, span)

    assert found.diagnostics.node_strategy is NodeStrategy.SNIPPET_FALLBACK
    assert found.highlights == ()
    assert found.text[slice(*found.window)].startswith("A water glass")


def test_offsets_that_never_fitted_do_not_mark_a_wrong_place():
    found = focus(TWICE, at(TWICE, "另一段文字。", start=0))

    assert shown(found) == ["另一段文字。"]
    assert found.diagnostics.inline_strategy is InlineStrategy.SOURCE_FRAGMENT_PROVENANCE


def test_an_emptied_note_marks_nothing():
    found = focus("", at(TWICE, SENTENCE))

    assert (found.text, found.highlights, found.window) == ("", (), None)
    assert found.diagnostics.read_succeeded
    assert found.diagnostics.failure is FailureReason.CHANGED_SINCE


# Where it lies -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked",
    [
        "glass/water glass.md", "glass\\water glass.md", "./glass/water glass.md",
        "C:\\Users\\me\\vault\\glass\\water glass.md", "/home/me/vault/glass/water glass.md",
        "vault/glass/water glass.md", "Glass/Water Glass.MD", "glass/water%20glass.md",
        "water glass.md", "glass/water glass.md#use", "ｇlass/water glass.md",
        "file:///home/me/glass/water glass.md",
    ],
)  # fmt: skip
@pytest.mark.clause("ANS-FOCUS-01")
def test_a_note_is_found_under_every_spelling_of_its_path(asked):
    text = note(CUP).text

    found = open_source(
        FocusTarget("", asked, (at(text, "250 ml", path=""),)), Folder({CUP: text, SILICA: "x"})
    )

    assert found.diagnostics.resolved_path == CUP
    assert shown(found) == ["250 ml"]
    assert found.diagnostics.path_fallback_used is (asked != CUP)
    assert found.diagnostics.candidate_paths[0] == asked


def test_composed_and_decomposed_names_are_one():
    folder = Folder({"cafe\u0301/a.md": "text"})

    assert "cafe\u0301/a.md" in candidate_paths(["caf\u00e9/a.md"], [], folder)


def test_a_span_names_the_note_when_the_payload_does_not():
    text = note(CUP).text
    found = open_source(FocusTarget("", "", (at(text, "250 ml"),)), Folder({CUP: text}))

    assert found.diagnostics.resolved_path == CUP
    assert found.diagnostics.failure is FailureReason.NONE


def test_a_note_that_moved_is_found_by_the_digest_of_its_source():
    text = note(CUP).text
    moved = "glass/cups/water glass (moved).md"
    found = open_source(
        FocusTarget("", CUP, (at(text, "250 ml"),)), Folder({moved: text, SILICA: "x"})
    )

    assert found.diagnostics.resolved_path == moved
    assert found.diagnostics.attempted_paths == (CUP, moved)
    assert found.diagnostics.path_fallback_used


def test_another_note_at_the_old_path_does_not_win_over_the_one_that_moved():
    text = note(CUP).text
    moved = "glass/cups/moved.md"
    found = open_source(
        FocusTarget("", CUP, (at(text, "250 ml"),)), Folder({CUP: "# Elsewhere\n", moved: text})
    )

    assert found.diagnostics.resolved_path == moved
    assert shown(found) == ["250 ml"]


def test_a_bare_name_that_two_notes_bear_opens_neither():
    folder = Folder({"a/note.md": "x", "b/note.md": "y"})

    found = open_source(FocusTarget("", "note.md", (legacy("x"),)), folder)

    assert found.diagnostics.resolved_path == ""
    assert found.diagnostics.failure is FailureReason.SOURCE_NOT_FOUND


def test_a_path_cannot_climb_out():
    assert plain_path("../../etc/passwd.md") == "etc/passwd.md"


@pytest.mark.parametrize(
    ("target", "sources", "failure"),
    [
        (FocusTarget("", CUP, (legacy("x"),)), None, FailureReason.STORAGE_UNAVAILABLE),
        (FocusTarget("", "", (legacy("x"),)), Folder({}), FailureReason.NO_SOURCE_PATH),
        (FocusTarget("", CUP, (legacy("x"),)), Folder({}), FailureReason.SOURCE_NOT_FOUND),
        (FocusTarget("", CUP, ()), Folder({CUP: "x"}), FailureReason.NO_MATCHED_SPAN),
    ],
)
def test_a_focus_that_fails_says_why(target, sources, failure):
    found = open_source(target, sources)

    assert found.diagnostics.failure is failure
    assert found.diagnostics.used_fallback
    assert found.highlights == ()


def test_without_a_renderer_the_source_is_shown_raw_and_marked():
    found = focus(TWICE, at(TWICE, SENTENCE), markdown_available=False)

    assert shown(found) == [SENTENCE]
    assert found.diagnostics.failure is FailureReason.RENDERER_UNAVAILABLE
    assert not found.diagnostics.render_succeeded


def test_several_spans_are_marked_in_order_and_overlaps_are_one():
    found = focus(
        TWICE, at(TWICE, "第二次出现"), at(TWICE, SENTENCE), at(TWICE, "出现的同一句")
    )

    assert shown(found) == [SENTENCE, "第二次出现的同一句"]
    assert found.diagnostics.matched_spans == 3


def test_the_weakest_strategy_is_the_one_that_is_told():
    found = focus(TWICE, at(TWICE, SENTENCE), legacy("另一段文字。"))

    assert found.diagnostics.inline_strategy is InlineStrategy.SOURCE_FRAGMENT_PROVENANCE


# Payloads and reports ------------------------------------------------------------------


def test_an_old_payload_is_read_whatever_it_lacks():
    full = target_of_payload(
        {"title": "t", "sourcePath": CUP, "matchedSpans": [{"snippet": "a", "startOffset": 3}]}
    )
    bare = target_of_payload({"snippet": "a", "unknown": 1})
    single = target_of_payload({"citation": {"text": "a", "sourcePath": CUP}})

    assert full.spans == (legacy("a", start=3),)
    assert bare == FocusTarget("", "", (legacy("a"),))
    assert single.spans == (legacy("a", source_path=CUP),)
    assert target_of_payload({}) == FocusTarget("", "", ())


def test_a_payload_of_the_wrong_kind_is_refused():
    with pytest.raises(GarbledRecordError, match="matchedSpans"):
        target_of_payload({"matchedSpans": "all of them"})


@pytest.mark.clause("ANS-FOCUS-04")
def test_every_diagnostic_field_of_the_contract_is_told():
    told = diagnostics_to_plain(focus(TWICE, at(TWICE, SENTENCE)).diagnostics)

    assert list(told) == [
        "renderToken", "title", "requestedSourcePath", "candidateSourcePaths",
        "attemptedSourcePaths", "resolvedSourcePath", "fallbackSourcePathUsed",
        "matchedSpanCount", "highlightTermCount", "markdownRuntimeAvailable",
        "storageProviderAvailable", "readSucceeded", "renderSucceeded",
        "sourceProvenanceBlockCount", "sourceProvenanceAttributedNodeCount",
        "highlightedNodeCount", "inlineHighlightCount", "highlightStrategy",
        "inlineHighlightStrategy", "usedFallback", "failureReason",
    ]  # fmt: skip
    assert told["sourceProvenanceBlockCount"] == 3
    assert told["sourceProvenanceAttributedNodeCount"] == 1


def test_a_report_is_the_same_for_the_same_focus_and_counts_the_paths():
    told = diagnostics_to_plain(focus(TWICE, at(TWICE, SENTENCE)).diagnostics)
    one = focus_report(told, session_id="s1", recorded_at="2026-06-17")
    other = focus_report(told, session_id="s1", recorded_at="2026-06-18")

    assert one == focus_report(told, session_id="s1", recorded_at="2026-06-17")
    assert one["reportId"] != other["reportId"]
    assert one["signal"]["attemptedSourcePathCount"] == 1
    assert one["signal"]["failureReason"] == "none"


def test_a_report_of_diagnostics_with_gaps_has_defaults():
    signal = focus_report({"title": "t"}, session_id="s1", recorded_at="x")["signal"]

    assert signal["readSucceeded"] is False
    assert signal["candidateSourcePathCount"] == 0


def test_an_expired_citation_of_another_note_is_not_found_in_this_one():
    other = NOTES[OLD][1]

    assert not mark(at(f"# x\n\n{other}\n", other), note(CUP).text).is_marked
