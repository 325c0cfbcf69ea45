"""A session's parts have different owners, and no write of one erases another's."""

import pytest
from answer_samples import ANSWER, plan, run

from witmark.answers.memory import remember
from witmark.answers.runs import run_to_plain
from witmark.answers.sessions import (
    MOST_FOCUSES,
    MOST_TURNS,
    focus_reports_of,
    memories_of,
    new_session,
    read_session,
    turn_of,
    update_session,
    with_focus_report,
    with_memories,
    with_panel_state,
    with_study_session,
    with_turn,
)
from witmark.kernel.errors import GarbledRecordError, OutsideError
from witmark.testing.shelves import MemoryShelf


def report(number):
    return {"reportId": f"focus-report-{number}", "title": f"note {number}"}


def seen():
    state = with_panel_state(new_session("s1"), {"layout": {"split": 3}, "plugin": [1, 2]})
    return with_focus_report(state, report(1))


def ids(state):
    return [one["reportId"] for one in focus_reports_of(state)]


def test_a_focus_report_keeps_every_other_domain():
    state = with_focus_report(seen(), report(2))

    assert state["panelState"]["layout"] == {"split": 3}
    assert state["panelState"]["plugin"] == [1, 2]
    assert ids(state) == ["focus-report-1", "focus-report-2"]


@pytest.mark.parametrize(
    "write",
    [
        lambda state: with_turn(state, turn_of(run_to_plain(run()))),
        lambda state: with_study_session(state, {"plan": ["silica"]}),
        lambda state: with_memories(state, ()),
        lambda state: with_panel_state(state, {"layout": {"split": 4}}),
        lambda state: with_panel_state(state, {"graphFocus": {}}),
        lambda state: with_panel_state(state, {"graphFocus": {"reports": []}}),
    ],
    ids=["turn", "study", "memory", "panel", "emptied focus", "stale focus"],
)
@pytest.mark.clause("ANS-FOCUS-04")
def test_no_write_erases_the_focus_history(write):
    after = write(seen())

    assert ids(after) == ["focus-report-1"]
    assert after["panelState"]["plugin"] == [1, 2]


def test_a_client_with_a_history_of_its_own_adds_to_ours():
    sent = {"graphFocus": {"reports": [report(1), report(9)], "open": True}}

    after = with_panel_state(with_focus_report(seen(), report(2)), sent)

    assert ids(after) == ["focus-report-1", "focus-report-2", "focus-report-9"]
    assert after["panelState"]["graphFocus"]["open"] is True


def test_the_same_report_twice_is_one():
    assert with_focus_report(seen(), report(1)) == seen()


def test_the_history_keeps_the_newest():
    state = new_session("s1")
    for number in range(MOST_FOCUSES + 3):
        state = with_focus_report(state, report(number))

    assert len(ids(state)) == MOST_FOCUSES
    assert ids(state)[-1] == f"focus-report-{MOST_FOCUSES + 2}"
    assert ids(state)[0] == "focus-report-3"


def test_turns_are_bounded_and_newest_last():
    state = new_session("s1")
    for number in range(MOST_TURNS + 1):
        state = with_turn(state, {"question": str(number)})

    turns = state["conversation"]["turns"]
    assert (turns[0]["question"], turns[-1]["question"]) == ("1", str(MOST_TURNS))


def test_fields_we_do_not_know_survive_every_write():
    state = with_turn({**seen(), "mood": "glad"}, {"question": "?"})

    assert state["mood"] == "glad"


def test_memories_read_back_as_they_were_written():
    known, _ = remember((), plan(), [ANSWER], namespace="me", asked_on="2026-01-01")

    assert memories_of(with_memories(new_session("s1"), known)) == known


def test_an_update_is_seen_by_the_next_reader():
    shelf = MemoryShelf()

    update_session(shelf, "s1", lambda state: with_focus_report(state, report(1)))
    update_session(shelf, "s1", lambda state: with_turn(state, {"question": "?"}))

    version, state = read_session(shelf, "s1")
    assert version == 2
    assert ids(state) == ["focus-report-1"]


def test_a_writer_that_was_overtaken_is_told():
    shelf = MemoryShelf()

    def overtaken(state):
        shelf.put_session("s1", 0, b"{}")
        return state

    with pytest.raises(OutsideError):
        update_session(shelf, "s1", overtaken)


def test_a_state_of_the_wrong_kind_is_refused_with_its_place():
    with pytest.raises(GarbledRecordError, match="panelState"):
        with_focus_report({"panelState": [1]}, report(1))
