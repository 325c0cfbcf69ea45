"""The page of a diagnosis, as a reader and as a browser have it."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256

import pytest
from case_pages import Page
from diagnosis_cases import (
    CONFIRMED,
    ENDS,
    FINDINGS,
    H1,
    INTERPRETED,
    INVESTIGATED,
    investigated_package,
)
from diagnosis_reports import CASE, OPEN, PACKAGE, Bench, built, hostile, report

from witmark.adapters import case_words
from witmark.adapters.html.case import phrases, render_case_html
from witmark.adapters.html.case.pieces import shown
from witmark.diagnosis import wire
from witmark.diagnosis.case import InputKind, Phase, Routing, State
from witmark.diagnosis.decision import FinalState, Status
from witmark.diagnosis.feedback import Verdict, give_feedback
from witmark.diagnosis.findings import (
    Completeness,
    Direction,
    FindingKind,
    Group,
    Support,
)
from witmark.diagnosis.hypotheses import CauseClass, EndState
from witmark.diagnosis.interpretation import Frame, Trace
from witmark.diagnosis.telling import report_of
from witmark.kernel.model import ledger
from witmark.kernel.model.request import Prices, Profile
from witmark.testing.models import SteadyClock

_WORDS = {
    Status: case_words.STATUS,
    Support: case_words.LEVELS,
    FinalState: case_words.FINAL,
    EndState: case_words.END,
    CauseClass: case_words.CAUSES,
    Direction: case_words.DIRECTIONS,
    FindingKind: case_words.KINDS,
    Completeness: case_words.COMPLETENESS,
    Group: case_words.GROUPS,
    State: case_words.STATES,
    Routing: case_words.ROUTING,
    Phase: case_words.PHASES,
    InputKind: case_words.INPUTS,
    Verdict: case_words.FEEDBACK,
}
HIDDEN = "a\u202eb\x00c\u200bd\x1b[2J</script><b onclick=x>H1 \u0410-0001 F-\u043001"


def page(*answers, **more):
    return Page(render_case_html(report(*answers, **more)))


def text_of(said):
    return Page(f"<p>{shown(said)}</p>".encode()).text()


# The matrix ----------------------------------------------------------------------------


@pytest.mark.clause("DIA-VIEW-01")
def test_the_matrix_on_the_page_is_the_stored_findings():
    made = page()
    cells = {
        (around[-1][1]["data-finding"], attrs["data-hypothesis"]): attrs["data-way"]
        for tag, attrs, around in made.elements
        if tag == "td" and "data-way" in attrs
    }
    stored = {
        (one.id, end.hypothesis.id): str(one.bears_on.get(end.hypothesis.id, ""))
        for one in FINDINGS
        for end in ENDS
    }

    assert cells == stored


@pytest.mark.clause("DIA-VIEW-01")
def test_every_cell_opens_its_finding():
    made = page()
    ways = [
        (attrs["href"], around[-2][1]["data-finding"])
        for tag, attrs, around in made.elements
        if tag == "a" and around and "data-way" in around[-1][1]
    ]

    assert len(ways) == sum(len(one.bears_on) for one in FINDINGS)
    assert all(href == f"#finding-{finding}" for href, finding in ways)


@pytest.mark.clause("DIA-VIEW-01")
def test_every_link_leads_to_something_on_the_page_and_no_id_is_there_twice():
    for made in (page(), page(OPEN)):
        ids = [attrs["id"] for _, attrs, _ in made.elements if "id" in attrs]
        links = {a["href"].removeprefix("#") for a in made.every("a")}

        assert len(ids) == len(set(ids))
        assert links <= set(ids)


@pytest.mark.clause("DIA-VIEW-02")
def test_every_finding_shows_its_quote_and_the_command_that_opens_it():
    made = page()

    for one in FINDINGS:
        text = made.text(inside=f"finding-{one.id}")
        for quote in one.quotes:
            assert quote.text in text
            assert f"witmark open '{quote.ref}'" in text


# What it says --------------------------------------------------------------------------


@pytest.mark.clause("DIA-VIEW-11")
def test_a_confirmed_place_is_not_called_weak():
    weak = replace(INVESTIGATED.suspects[0], level=Support.WEAK)
    text = page_of(replace(INVESTIGATED, suspects=(weak,))).text(inside="suspects")

    assert "the confirmed cause is here (strongly supported)" in text
    assert "weak" not in text


@pytest.mark.clause("DIA-VIEW-11")
def test_a_rank_is_called_a_rank():
    assert "by rank alone: supported" in page(OPEN).text(inside="suspects")


def page_of(investigation):
    return page(package=investigated_package(investigation=investigation))


def test_the_page_says_what_came_out_before_anything_else():
    confirmed, handed_over = page().text(), page(OPEN).text()

    assert confirmed.index("Root cause confirmed") < confirmed.index("What to do next")
    assert "load takes name[0] unchecked." in confirmed
    assert "handed over to a person" in handed_over
    assert not page(OPEN).text(inside="cause")
    assert "add a test with an empty name" in page().text(inside="next")


def test_every_hypothesis_ends_on_the_page_with_its_questions():
    made = page()

    for end in ENDS:
        text = made.text(inside=f"hypothesis-{end.hypothesis.id}")
        assert end.hypothesis.statement in text
        assert end.open_questions[0] in text
    assert "factually rejected" in made.text(inside="hypothesis-H2")
    assert "settings not given" in made.text(inside="hypothesis-H3")


def test_what_was_not_looked_at_and_what_is_assumed_is_told_apart():
    text = page().text(inside="gaps")

    assert text.index("logs after the first megabyte") < text.index("the parser skips a check")


def test_the_budget_adds_up():
    text = " ".join(page().text(inside="budget").split())

    for cell in ("10", "4", "6", "0.50", "closed"):
        assert cell in text


def test_what_a_model_took_is_told_or_said_to_be_unknown():
    assert "unknown" in page().text(inside="calls")
    assert "m-1" in page().text(inside="calls")
    assert "no model was asked" not in page().text(inside="calls")


def test_a_price_makes_a_cost(monkeypatch):
    monkeypatch.setattr(ledger.Call, "cost", property(lambda _: 0.25))
    profile = Profile("one", "played", "m-1", prices=Prices(1.0, 2.0, "EUR"))

    assert "0.25 EUR" in page(profile=profile).text(inside="calls")


def test_a_person_s_word_stands_at_the_top_and_in_the_history():
    bench = built()
    give_feedback(CASE, PACKAGE, Verdict.REJECTED, "that line is dead", bench, SteadyClock())
    made = Page(render_case_html(report_of(bench.package, made_by="1")))

    assert "that line is dead" in made.text(inside="verdict")
    assert "that line is dead" in made.text(inside="history")


def test_a_case_that_no_valid_decision_came_for_says_so():
    bench = built("nonsense", "more nonsense", "still nonsense")
    bench.build()
    bench.build()
    made = Page(render_case_html(report_of(bench.package, made_by="1")))

    assert "3 proposed decisions were refused" in made.text(inside="calls")
    assert "no valid decision came" in made.text()
    assert "no valid decision evaluated this hypothesis" in made.text(inside="hypothesis-H1")


def test_a_frame_leads_to_the_finding_that_places_it():
    frame = Frame("/opt/pkg/load.py", 2, "load", "", FINDINGS[2].quotes[0].ref)
    said = replace(
        INTERPRETED, traces=(Trace("python", (frame,), "IndexError", "boom", frame.at),)
    )
    placing = replace(FINDINGS[0], investigator="traces", quotes=FINDINGS[2].quotes)
    package = investigated_package(
        investigation=replace(INVESTIGATED, findings=(placing, *FINDINGS[1:])),
        interpretation=said,
    )
    text = page(package=package).text(inside="said")

    assert "IndexError: boom" in text
    assert "/opt/pkg/load.py:2 load F-0001" in text


def test_a_finding_against_how_a_hypothesis_ended_is_told_with_the_answer():
    against = replace(FINDINGS[6], bears_on={H1: Direction.AGAINST})
    investigation = replace(INVESTIGATED, findings=(*FINDINGS[:6], against))
    first = replace(
        CONFIRMED.evaluations[0],
        contradicting_evidence_ids=(against.id,),
        contradictions_answered="that is another place",
    )
    answer = replace(CONFIRMED, evaluations=(first, *CONFIRMED.evaluations[1:]))
    answer = replace(answer, confidence=Support.SUPPORTED)
    package = investigated_package(investigation=investigation)
    text = page(wire.decision_json(answer), package=package).text(inside="gaps")

    assert "F-0007" in text
    assert "that is another place" in text
    assert "no finding speaks against" not in text.lower()


@pytest.mark.clause("DIA-VIEW-13")
@pytest.mark.parametrize("kind", _WORDS, ids=lambda kind: kind.__name__)
def test_every_name_of_ours_has_words_in_both_languages(kind):
    assert {one.value for one in kind} <= set(_WORDS[kind])
    assert all(words.zh and words.en for words in _WORDS[kind].values())


@pytest.mark.clause("DIA-VIEW-13")
def test_every_phrase_is_said_in_both_languages():
    for words in phrases.PHRASES.values():
        assert re.search("[\u4e00-\u9fff]", words.zh)
        assert words.en.isascii() or "×" in words.en


# The wall ------------------------------------------------------------------------------


@pytest.mark.clause("DIA-VIEW-07")
def test_the_page_loads_nothing_and_links_to_nothing_outside():
    made = page()
    tags = {tag for tag, _, _ in made.elements}
    addresses = [
        attrs[key]
        for _, attrs, _ in made.elements
        for key in ("src", "href", "action", "srcset", "poster", "data")
        if key in attrs
    ]

    assert not {"link", "iframe", "object", "embed", "form", "base", "img"} & tags
    assert addresses
    assert all(one.startswith("#") for one in addresses)
    assert not [a for _, attrs, _ in made.elements for a in attrs if a.startswith("on")]
    assert not [a for _, attrs, _ in made.elements for a in attrs if a == "style"]


@pytest.mark.clause("DIA-VIEW-07")
def test_the_browser_may_run_our_own_style_and_script_and_nothing_else():
    raw = render_case_html(report()).decode()
    policy = next(m["content"] for m in page().every("meta") if "http-equiv" in m)

    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        asset = raw.split(f"<{tag}>")[1].split(f"</{tag}>")[0]
        digest = b64encode(sha256(asset.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
        assert "url(" not in asset
        assert "@import" not in asset
        assert "innerHTML" not in asset
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "require-trusted-types-for 'script'" in policy


@pytest.mark.clause("DIA-VIEW-07")
def test_what_only_the_script_can_do_is_hidden_until_it_runs():
    made = page()
    around = [a for tag, _, around in made.elements if tag == "button" for _, a in around]

    assert made.every("button")
    assert any("hidden" in a for a in around)
    assert not [a for tag, a, _ in made.elements if tag == "tr" and "hidden" in a]


@pytest.mark.clause("DIA-VIEW-08")
def test_what_hides_or_turns_is_spelt_out():
    text = text_of(HIDDEN)

    for told in ("U+202E", "U+0000", "U+200B", "U+001B"):
        assert told in text
    assert not re.search("[\u202e\x00\u200b\x1b]", text)


@pytest.mark.clause("DIA-VIEW-08")
def test_a_letter_that_passes_for_another_is_told():
    assert "\u0410U+0410-0001" in text_of("\u0410-0001")
    assert "U+0430" in shown("F-\u043001a p\u0430ypal")


@pytest.mark.clause("DIA-VIEW-08")
@pytest.mark.parametrize(
    "text",
    ["Привет, мир", "Δt = 5 µs", "孔径 5 mm", "Shift：报告（第 3 行）", "naïve café", "π/2"],
)
def test_honest_words_of_other_scripts_stay_as_they_are(text):
    assert shown(text) == text


@pytest.mark.clause("DIA-VIEW-08")
def test_nothing_that_a_case_says_becomes_markup():
    made = Page(render_case_html(hostile(HIDDEN)))

    assert len(made.every("script")) == 1
    assert made.bones[:10] == page().bones[:10]
    assert "</script><b onclick=x>" in made.text(inside="matrix")


@pytest.mark.clause("DIA-VIEW-06")
def test_the_same_package_gives_the_same_bytes():
    bench = built()
    first, second = (render_case_html(report_of(bench.package, made_by="1")) for _ in range(2))

    assert first == second
    assert isinstance(bench, Bench)
