import io
from pathlib import Path

import pytest
import support_report
from rich.cells import cell_len

from witmark.cli.render import Terminal


class Tty(io.StringIO):
    def isatty(self):
        return True


def shown(report, lang="en", *, out=None, width=100):
    out = out or io.StringIO()
    Terminal(lang, out, io.StringIO(), width=width).findings(report, Path("x/arm.witmark"))
    return out.getvalue()


def test_coverage_comes_first_and_the_report_s_place_last():
    lines = shown(support_report.sample_report(3)).strip().splitlines()

    assert "412 of 472 faces explained (87.3 %)" in lines[0]
    assert lines[-1] == f"Report: {Path('x/arm.witmark/report.html')}"


def test_one_rule_on_many_places_is_one_row():
    text = shown(support_report.sample_report(120), width=240)

    assert text.count("Avoid deep holes") == 1
    assert " 120 " in text
    assert "10.4 – 14.367" in text


def test_what_stayed_open_is_summed_by_what_is_missing():
    report = support_report.sample_report(1)
    again = {**report["verdicts"][2], "id": "v0901", "rule_id": "18.P29", "catalogue_id": "P29"}
    report["verdicts"].append(again)

    text = shown(report, width=160)

    assert "Undetermined: 2 places (2 rules), missing: how the local face is made" in text
    assert text.count("how the local face is made") == 1


def test_a_row_names_the_place_when_there_is_one_and_the_parts_when_there_are_many():
    report = support_report.sample_report(4)
    for i, verdict in enumerate(report["verdicts"][1:5]):
        verdict["component_name"] = f"arm {i}"

    text = shown(report, width=240)

    assert "vertical internal corner of the open pocket at the front" in text
    assert "arm 0, arm 1 +2" in text


@pytest.mark.parametrize("width", [60, 80, 100, 160])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_line_is_wider_than_the_terminal(width, lang):
    lines = shown(support_report.sample_report(120), lang, width=width).splitlines()[:-1]

    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("width", [60, 80])
def test_a_long_chinese_title_keeps_its_end(width):
    text = shown(support_report.sample_report(1), "zh", width=width)

    assert "…" not in text
    assert all(letter in text for letter in "内角半径应与深度匹配")


def test_a_name_can_neither_command_the_terminal_nor_be_markup():
    report = support_report.sample_report(0)
    report["verdicts"][0]["component_name"] = "\x1b[2J[red]x[/red]:bomb:"

    text = shown(report, width=200)

    assert "\x1b" not in text
    assert "[2J[red]x[/red]:bomb:" in text


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colour_is_for_terminals_and_only_when_wanted(monkeypatch, no_color, coloured):
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    if no_color:
        monkeypatch.setenv("NO_COLOR", no_color)

    on_tty = shown(support_report.sample_report(1), out=Tty())
    in_file = shown(support_report.sample_report(1))

    assert ("\x1b[1;31m" in on_tty) is coloured
    assert "\x1b" not in in_file


def test_progress_is_one_short_line_per_stage_beside_the_output():
    out, err = io.StringIO(), io.StringIO()
    terminal = Terminal("zh", out, err, width=40)

    terminal.stage("read", "a" * 100)
    terminal.stage("something-new")

    assert out.getvalue() == ""
    assert [line.split()[0] for line in err.getvalue().splitlines()] == [
        "读取",
        "something-new",
    ]
