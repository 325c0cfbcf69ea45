"""The desk's own sentences are there in Chinese; nobody else's words are touched."""

import pytest
from diagnosis_cases import CONFIRMED

from witmark.adapters.case_sentences import in_chinese
from witmark.diagnosis.hypothesising import _BY_EXCEPTION, form_hypotheses
from witmark.diagnosis.interpretation import Interpretation, Trace
from witmark.kernel.canon import digest_of
from witmark.kernel.evidence import EvidenceRef

AT = EvidenceRef(digest_of(b""))
EMPTY = Interpretation("", (), (), (), (), (), (), (), (), (), ())


def formed():
    names = ["", *(signs[0] for signs, _ in _BY_EXCEPTION)]
    for name in names:
        traces = (Trace("python", (), name, "", AT),) if name else ()
        said = Interpretation("", (), (), (), (), (), (), (), (), (), traces)
        yield from form_hypotheses(said, has_good_source=True, has_configuration=True)


@pytest.mark.clause("DIA-VIEW-13")
def test_every_sentence_of_a_hypothesis_is_there_in_chinese():
    for one in formed():
        for text in (one.statement, *one.predicts, *one.refuted_by, *one.questions):
            assert in_chinese(text), text


@pytest.mark.clause("DIA-VIEW-13")
@pytest.mark.parametrize(
    "text",
    [
        "The fault lies in a/b.py, f (lines 1–9).",
        "One place stands out by findings of independent kinds, and H4 is contradicted.",
        "find out for H1: which versions were installed where it failed?",
        "read a/b.py f, lines 3 to 9",
        "coverage: the case holds nothing for it",
        "logs: it needs logs of a good and of a bad run, and source",
        "traces: python stack: no frame of it lies in the given source",
        "f is changed since the last good version",
        "against H4: f is changed since the last good version; g: the report names it",
        (
            "A change since the last good version introduced the fault. The place: a.py, f "
            "(lines 1–9). What leads there: number 1 of 3 by words shared with the report."
        ),
    ],
)
def test_names_and_numbers_stay_and_the_words_change(text):
    said = in_chinese(text)

    assert said
    assert not any(word in said for word in ("the ", "lines", "which", "since"))
    assert all(number in said for number in "139" if number in text)


@pytest.mark.clause("DIA-VIEW-13")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "it is broken",
        "note: it is broken",
        "number three of 8 by words shared with the report",
        CONFIRMED.root_cause.summary,
        CONFIRMED.final_reason,
    ],
)
def test_words_of_others_stay_their_own(text):
    assert in_chinese(text) is None


def test_braces_in_a_name_do_no_harm():
    assert in_chinese("{0}{x} is changed since the last good version").startswith("{0}{x} ")
