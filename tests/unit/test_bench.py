"""The benches judge fairly: what they call right is right, and nothing measured is not fine."""

import importlib
import json
from pathlib import Path

import pytest

import bench
from bench import aliases, answers, common, determinism, fuzz_review, seeded, spans
from witmark.kernel.errors import InputError

MODULES = sorted(path.stem for path in Path(bench.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_every_bench_can_be_run_as_a_module(name):
    module = importlib.import_module(f"bench.{name}")

    assert module.__doc__


def verdict(rule, kind, severity=None):
    return {"catalogue_id": rule, "verdict": kind, "severity": severity}


def differences(wanted, verdicts):
    return dict(seeded._differences(wanted, verdicts))


def wanted(**owed):
    return seeded.Wanted(Path("a.step"), "a", owed.pop("violated", frozenset()), **owed)


def test_a_violation_that_nobody_expects_is_a_false_alarm():
    assert differences(wanted(), [verdict("P29", "violated", "minor")]) == {
        "false_alarm": "P29"
    }


def test_a_violation_that_follows_from_the_same_defect_is_neither_asked_nor_forbidden():
    owed = wanted(violated=frozenset({"P28"}), may=frozenset({"P38"}))
    broken = verdict("P28", "violated", "major")

    assert not differences(owed, [broken])
    assert not differences(owed, [broken, verdict("P38", "violated", "critical")])


def test_a_missed_violation_and_a_wrong_tier_are_told_apart():
    owed = wanted(violated=frozenset({"P29", "P30"}), severity={"P29": "major", "P30": "info"})

    assert differences(owed, [verdict("P29", "violated", "minor")]) == {
        "missed": "P30",
        "wrong_tier": "P29 minor instead of major",
    }


def test_the_worst_tier_of_several_places_counts():
    owed = wanted(violated=frozenset({"P14"}), severity={"P14": "critical"})
    places = [verdict("P14", "violated", "minor"), verdict("P14", "violated", "critical")]

    assert not differences(owed, places)


def test_a_sound_part_must_really_have_been_asked():
    owed = wanted(satisfied=frozenset({"P26"}))

    assert differences(owed, [verdict("P26", "not_applicable")]) == {"not_held": "P26"}


def test_a_question_that_cannot_be_decided_must_stay_open():
    owed = wanted(undetermined=frozenset({"P37"}))

    assert differences(owed, [verdict("P37", "satisfied")]) == {"not_left_open": "P37"}


def test_on_a_part_that_can_be_decided_only_the_role_rule_may_stay_open():
    owed = wanted(decided=True)

    assert not differences(owed, [verdict("P01", "undetermined")])
    assert differences(owed, [verdict("P35", "undetermined")]) == {"left_open": "P35"}


def test_a_file_that_is_refused_differs_and_the_bench_goes_on():
    def refuse(_):
        raise InputError("no such file", place="a.step")

    ((kind, words),) = seeded._told(wanted(), refuse)

    assert kind == "refused"
    assert "a.step" in words


def test_nothing_measured_is_not_fine(capsys):
    code = common.finish("x", common.Stopwatch(), figures={}, limits={}, n=0, ok=True)

    assert code == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False


def test_a_manifest_names_the_files_and_their_kind(tmp_path):
    (tmp_path / "step").mkdir()
    rows = "file,kind\nstep/a.stp,assembly\nstep/deep/b.stp,machined part\n"
    (tmp_path / "step" / "manifest.csv").write_text(rows, encoding="utf-8")

    folder = tmp_path / "step"
    assert common.step_files(folder) == [folder / "a.stp", folder / "deep" / "b.stp"]
    assert common.step_files(folder, kind="assembly") == [folder / "a.stp"]


def test_a_folder_without_a_manifest_gives_every_step_file_below_it(tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("b.STEP", "deep/a.stp", "notes.txt"):
        (tmp_path / name).write_bytes(b"")

    assert [p.name for p in common.step_files(tmp_path)] == ["b.STEP", "a.stp"]


def test_expected_json_is_read_with_or_without_our_own_keys(tmp_path):
    rows = [
        {"file": "a.step", "violated": ["P29"]},
        {"file": "b.step", "violated": [], "undetermined": ["P30"], "severity": {}},
    ]
    (tmp_path / "expected.json").write_text(json.dumps(rows), encoding="utf-8")

    first, second = seeded._read(tmp_path)
    assert (first.file, first.violated) == (tmp_path / "a.step", frozenset({"P29"}))
    assert second.undetermined == frozenset({"P30"})


def test_only_the_declared_path_is_taken_out_before_reports_are_compared(tmp_path):
    for name, path in (("a", "here.step"), ("b", "там.step")):
        (tmp_path / name).mkdir()
        report = {"source": {"path": path}, "x": 1}
        data = json.dumps(report, ensure_ascii=False, separators=(",", ":"))
        (tmp_path / name / "report.json").write_text(data, encoding="utf-8")

    assert determinism._without_path(tmp_path / "a") == determinism._without_path(
        tmp_path / "b"
    )
    assert determinism._without_path(tmp_path / "c") is None


# The answers desk ---------------------------------------------------------------------


def fact(title="Guide", since="2001-01-01", until="2003-12-31"):
    return answers._Fact("a.md", title, "who?", "she", "She.", since, until)


def test_a_warning_counts_only_for_the_note_and_the_day_it_names():
    assert answers.is_warned_of(fact(), "2005-01-01", ["Guide expired on 2003-12-31."])
    assert answers.is_warned_of(fact(), "2000-01-01", ["Guide not before 2001-01-01."])
    assert not answers.is_warned_of(fact(), "2005-01-01", ["Other expired on 2003-12-31."])
    assert not answers.is_warned_of(fact(), "2005-01-01", ["Guide expired on 1999-12-31."])
    assert not answers.is_warned_of(fact(), "2005-01-01", [])


def test_a_desk_that_never_answers_is_not_fine():
    assert answers._Aged(facts=200, asked=600, inside_right=160, warned=300).is_fine
    assert not answers._Aged(facts=200, asked=600, withheld=600).is_fine
    assert not answers._Aged(facts=200, asked=600, inside_right=160).is_fine
    assert not answers._Aged(
        facts=200, asked=600, inside_right=160, warned=300, unwarned=1
    ).is_fine


def test_a_search_that_finds_nothing_is_wrong_about_every_name():
    def nothing(_):
        return []

    alike, made = aliases.lookalikes(), aliases.lookalike_notes()
    question = aliases.Question("glass", "spaced", frozenset({"a.md"}))

    assert aliases.hits(nothing, [question])[:2] == (0, 0)
    assert len(aliases.not_found(nothing, made, alike)) == len({one.not_first for one in alike})


def test_places_are_read_back_from_an_index_in_a_file_too(tmp_path):
    tally = spans._Tally()
    files = {"a.md": "\ufeff# 水杯 🧊\r\n\r\nA **cup**.\r\n".encode(), "b.md": b"# B\n\nb"}

    spans._read_back_stored(files, tmp_path / "index.sqlite3", tally)

    assert (tally.stored_notes, tally.wrong) == (2, [])
    assert tally.stored_places >= 8


def test_a_note_that_the_index_moved_by_one_is_wrong(tmp_path, monkeypatch):
    def moved(document, raw, tally):
        return spans_read(document, b"x" + raw, tally)

    spans_read = spans._read_atoms_back
    monkeypatch.setattr(spans, "_read_atoms_back", moved)
    tally = spans._Tally()
    spans._read_back_stored({"a.md": b"# A\n\ntext"}, tmp_path / "index.sqlite3", tally)

    assert tally.wrong


def test_notes_that_are_left_out_are_counted():
    tally = spans._Tally()
    spans._look_at("a.md", b"\xff\xfe", tally)

    assert (tally.left_out, tally.notes) == (1, 0)


def test_the_gates_of_the_review_and_a_second_oracle_agree_on_spoilt_replies(
    monkeypatch, capsys
):
    monkeypatch.setattr(fuzz_review, "N", 400)

    assert fuzz_review.main([]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["figures"]["units_admitted"] > 20
    assert last["figures"]["judgements_admitted"] > 20


def test_a_gate_that_lets_a_strange_number_in_is_noticed(monkeypatch, capsys):
    monkeypatch.setattr(fuzz_review, "N", 400)
    monkeypatch.setattr("witmark.review.asking.units.not_measured", lambda *_, **__: None)

    assert fuzz_review.main([]) == 1
    assert "the gates True, the oracle False" in capsys.readouterr().out
