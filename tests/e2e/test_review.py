"""``witmark review``, as somebody with a STEP file meets it."""

import csv
import io
import json
import os
import shutil

import pytest
from support_cli import BRACKET, COVER, SAMPLES, listing, witmark

from witmark.review.use_cases import fails

ONE_CARD = SAMPLES.parent / "src/witmark/review/rulebooks/machined-parts/18.P29.md"


def test_a_part_with_findings_ends_with_one(bracket):
    assert bracket.ran.code == 1
    assert bracket.report["counts"]["violated"] == 6


def test_the_terminal_shows_coverage_findings_and_where_the_report_lies(bracket):
    said = bracket.ran.out.decode()

    assert "97 of 97 faces explained" in said
    assert "Deep hole" in said
    assert "bearing_bracket.witmark/report.html" in said
    assert "Reading STEP" in bracket.ran.err
    assert "Reading STEP" not in said


def test_the_folder_holds_what_it_promises(bracket):
    names = {path.name for path in bracket.folder.iterdir()}

    assert names == {
        "report.html",
        "report.json",
        "findings.sarif",
        "findings.csv",
        "pictures",
        "blobs",
        "manifest.json",
    }
    assert listing(bracket.home)[0][0] == b"bearing_bracket.step"
    assert not [name for name, _ in listing(bracket.home) if b"/." in b"/" + name]


def test_a_sound_part_ends_with_zero(tmp_path):
    ran = witmark("review", COVER, "--out", "report", "--no-pictures", cwd=tmp_path)

    assert ran.code == 0
    assert (tmp_path / "report" / "report.html").exists()


def test_json_is_the_report_byte_for_byte_and_nothing_else(tmp_path):
    asked = ("--json", "--no-pictures", "--fail-on", "never", "--out", "made/on the way")
    ran = witmark("review", BRACKET, *asked, cwd=tmp_path)

    assert ran.code == 0, "never fails, whatever was found"
    assert ran.out == (tmp_path / "made/on the way/report.json").read_bytes()
    assert json.loads(ran.out)["format"] == "witmark.review/1"


@pytest.mark.parametrize(("level", "code"), [("critical", 1), ("undetermined", 1)])
def test_the_level_decides_the_exit_code(bracket, level, code):
    """The bracket has one critical finding and one open question."""
    assert int(fails(bracket.report, level)) == code
    assert not fails(bracket.report, "never")


@pytest.mark.clause("REV-REP-05")
@pytest.mark.parametrize("kind", ["folder", "file", "link to nowhere"])
def test_a_place_that_is_taken_is_refused_before_anything_is_read(tmp_path, kind):
    target = tmp_path / "taken"
    if kind == "folder":
        target.mkdir()
    elif kind == "file":
        target.write_text("mine")
    else:
        target.symlink_to("nowhere")
    before = listing(tmp_path)

    ran = witmark("review", COVER, "--out", target, cwd=tmp_path)

    assert ran.code == 2
    assert ran.refusal.startswith("input.already-there: ")
    assert "Reading STEP" not in ran.err
    assert listing(tmp_path) == before


@pytest.mark.clause("REV-REP-05")
def test_the_second_report_of_a_file_gets_the_next_name(bracket, tmp_path):
    shutil.copy(COVER, tmp_path / "cover.step")
    first = shutil.copytree(bracket.folder, tmp_path / "cover.witmark")
    before = listing(first)

    ran = witmark("review", "cover.step", "--no-pictures", cwd=tmp_path)

    assert ran.code == 0
    assert (tmp_path / "cover.witmark-2" / "manifest.json").exists()
    assert listing(first) == before


@pytest.mark.parametrize("name", ["轴承 端盖.step", os.fsdecode(b"a 'caf\xe9' \xb2.STP")])
def test_a_file_may_be_called_anything(tmp_path, name):
    folder = tmp_path / os.fsdecode("文件夹 ".encode() + b"\xff")
    folder.mkdir()
    shutil.copy(COVER, folder / name)
    stem = os.fsencode(name).rsplit(b".", 1)[0]
    out = folder / os.fsdecode(stem + b".witmark")

    ran = witmark("review", name, "--no-pictures", cwd=folder)

    assert ran.code == 0, ran.err
    assert witmark("verify", out.name, cwd=folder).code == 0
    told = json.loads((out / "report.json").read_bytes())["source"]["path"]
    assert told == os.fsencode(name).decode("utf-8", "backslashreplace")


@pytest.fixture(scope="module")
def chinese(tmp_path_factory):
    """The same file again, in a Chinese locale."""
    home = tmp_path_factory.mktemp("chinese")
    shutil.copy(BRACKET, home)
    return home, witmark("review", BRACKET.name, cwd=home, env={"LANG": "zh_CN.UTF-8"})


def test_a_temporary_folder_with_a_long_name_is_no_obstacle(tmp_path):
    """The CAD worker's socket lives there, and a socket's name has 107 bytes."""
    far = tmp_path / ("long" * 20) / ("name" * 20)
    far.mkdir(parents=True)
    asked = ("--no-pictures", "--out", "r")
    ran = witmark("review", COVER, *asked, cwd=tmp_path, env={"TMPDIR": str(far)})

    assert ran.code == 0, ran.err
    assert list(far.iterdir()) == []


class TestLanguage:
    """The files hold both; --lang and the locale steer the terminal, the table and SARIF."""

    def test_a_chinese_locale_is_answered_in_chinese(self, chinese):
        _, ran = chinese

        assert "深孔" in ran.out.decode()
        assert "Deep hole" not in ran.out.decode()

    def test_report_and_page_do_not_depend_on_the_locale(self, bracket, chinese):
        home, _ = chinese
        for name in ("report.json", "report.html"):
            there = (home / "bearing_bracket.witmark" / name).read_bytes()
            assert there == (bracket.folder / name).read_bytes()

    def test_table_and_sarif_follow_the_language(self, bracket, chinese):
        home, _ = chinese
        for name in ("findings.csv", "findings.sarif"):
            zh = (home / "bearing_bracket.witmark" / name).read_text(encoding="utf-8-sig")
            en = (bracket.folder / name).read_text(encoding="utf-8-sig")
            assert "深孔" in zh
            assert "Deep hole" in en

    def test_the_table_has_a_row_for_every_verdict(self, bracket):
        text = (bracket.folder / "findings.csv").read_text(encoding="utf-8-sig")
        header, *rows = csv.reader(io.StringIO(text))

        assert len(rows) == len(bracket.report["verdicts"])
        assert {len(row) for row in rows} == {len(header)}

    def test_a_word_of_ours_beats_the_locale(self, tmp_path):
        asked = ("--lang", "en", "--no-pictures", "--out", "r")
        ran = witmark("review", COVER, *asked, cwd=tmp_path, env={"LANG": "zh_CN.UTF-8"})

        assert "faces explained" in ran.out.decode()

    def test_a_terminal_that_cannot_show_chinese_gets_escapes(self, tmp_path):
        asked = ("--lang", "zh", "--no-pictures", "--out", "r")
        env = {"PYTHONIOENCODING": "ascii"}
        ran = witmark("review", COVER, *asked, cwd=tmp_path, env=env)

        assert ran.code == 0, ran.err
        assert rb"\u8f74\u627f" in ran.out or b"bearing_cover.step" in ran.out


class TestOwnRulebook:
    """--rulebook takes a folder of cards and compiles it on the spot."""

    def test_a_book_of_one_card_judges_by_that_card_alone(self, tmp_path):
        book = tmp_path / "我的 规则"
        book.mkdir()
        shutil.copy(ONE_CARD, book)
        asked = ("--rulebook", book, "--no-pictures", "--json", "--out", "r")
        ran = witmark("review", BRACKET, *asked, cwd=tmp_path)
        report = json.loads(ran.out)

        assert ran.code == 1
        assert {verdict["rule_id"] for verdict in report["verdicts"]} == {"18.P29"}
        assert (report["rulebook"]["name"], report["rulebook"]["rules"]) == ("我的 规则", 1)
        assert witmark("verify", "r", cwd=tmp_path).code == 0

    def test_a_card_that_does_not_compile_is_told_with_its_line(self, tmp_path):
        text = ONE_CARD.read_text(encoding="utf-8")
        wrong = text.replace("good_if: hole.ld <= 4", "good_if: hole.ld <= 4 mm")
        line = wrong.splitlines().index("good_if: hole.ld <= 4 mm") + 1
        (tmp_path / "mine.md").write_text(wrong, encoding="utf-8")
        before = listing(tmp_path)

        ran = witmark("review", BRACKET, "--rulebook", ".", "--out", "r", cwd=tmp_path)

        assert ran.code == 2
        assert ran.refusal.startswith(f"input.card: mine.md:{line}: ")
        assert listing(tmp_path) == before

    @pytest.mark.parametrize("book", ["not-there", "empty"])
    def test_a_folder_without_a_card_is_refused(self, tmp_path, book):
        (tmp_path / "empty").mkdir()
        ran = witmark("review", BRACKET, "--rulebook", book, "--out", "r", cwd=tmp_path)

        assert ran.code == 2
        assert ran.refusal.startswith(f"input.rulebook: the rulebook cannot be used: {book}: ")
