"""``witmark case report`` and the views of ``witmark diagnose``, as a user meets them."""

import json
import re

import pytest
from case_pages import Page
from support_cli import SAMPLES, listing, witmark

SAMPLE = SAMPLES / "case"


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """A folder in which the sample was diagnosed with both views."""
    place = tmp_path_factory.mktemp("room")
    done = run(place, "diagnose", SAMPLE, "--html", "a.html", "--sarif", "a.sarif")
    assert done.code == 0, done.err
    return place


def run(place, *arguments):
    home = {"WITMARK_HOME": str(place / "home"), "HOME": str(place), "LANG": "C.UTF-8"}
    return witmark(*arguments, cwd=place, env=home)


def name_of(place):
    return run(place, "case", "list").out.decode().split()[0]


@pytest.mark.clause("DIA-VIEW-10")
def test_a_diagnosis_writes_its_views_beside_and_says_where(room):
    page = Page((room / "a.html").read_bytes())
    log = json.loads((room / "a.sarif").read_text("utf-8"))

    assert "the confirmed cause is here (strongly supported)" in page.text()
    assert log["runs"][0]["results"][0]["kind"] == "fail"


@pytest.mark.clause("DIA-VIEW-02")
def test_every_ref_of_the_page_opens(room):
    text = Page((room / "a.html").read_bytes()).text()
    refs = sorted(set(re.findall(r"witmark open '(sha256:[0-9a-f]{64}#char=\d+,\d+)'", text)))

    assert len(refs) > 10
    for ref in (refs[0], refs[-1]):
        assert run(room, "open", ref).code == 0


@pytest.mark.clause("DIA-VIEW-06")
def test_the_report_of_the_same_diagnosis_has_the_same_bytes(room):
    done = run(room, "case", "report", name_of(room), "--html", "b.html", "--sarif", "b.sarif")

    assert done.code == 0, done.err
    assert (room / "b.html").read_bytes() == (room / "a.html").read_bytes()
    assert (room / "b.sarif").read_bytes() == (room / "a.sarif").read_bytes()
    again = run(room, "case", "report", name_of(room), "--html", "b.html")
    assert again.code == 0


@pytest.mark.clause("DIA-VIEW-10")
def test_the_embedded_analyst_costs_nothing_and_is_named(room):
    text = Page((room / "a.html").read_bytes()).text(inside="calls")

    assert "no model was asked" in text


def test_without_a_file_the_summary_is_printed_as_it_was_published(room):
    done = run(room, "case", "report", name_of(room))
    diagnosed = run(room, "diagnose", SAMPLE)

    assert (done.code, done.out) == (0, diagnosed.out)


@pytest.mark.clause("DIA-VIEW-11")
def test_what_on_its_own_means_is_said(room):
    assert "by its rank alone" in run(room, "diagnose", SAMPLE).err


@pytest.mark.clause("DIA-VIEW-10")
def test_somebody_else_s_file_is_left_alone(room):
    (room / "mine.html").write_text("mine")
    done = run(
        room, "case", "report", name_of(room), "--html", "mine.html", "--sarif", "c.sarif"
    )

    assert (done.code, (room / "mine.html").read_text()) == (2, "mine")
    assert "already-there" in done.refusal
    assert not (room / "c.sarif").exists()


@pytest.mark.clause("DIA-VIEW-10")
def test_a_link_is_somebody_else_s_file(room):
    (room / "target").write_text("theirs")
    (room / "link.html").symlink_to("target")
    done = run(room, "case", "report", name_of(room), "--html", "link.html")

    assert (done.code, (room / "target").read_text()) == (2, "theirs")


@pytest.mark.clause("DIA-VIEW-10")
def test_no_view_is_put_into_a_package_or_a_case(room, tmp_path):
    name = name_of(room)
    before = listing(room / "home")
    inside = room / "home" / "cases" / name / "x.html"
    case = tmp_path / "case"
    case.mkdir()
    (case / "report.md").write_text("# It fails\n\nf() fails.\n")

    assert run(room, "case", "report", name, "--html", inside).code == 2
    assert run(room, "diagnose", case, "--html", case / "x.html").code == 2
    assert listing(room / "home") == before
    assert sorted(one.name for one in case.iterdir()) == ["report.md"]


@pytest.mark.clause("DIA-VIEW-13")
def test_the_language_is_chosen_for_sarif_and_the_page_has_both(room):
    name = name_of(room)
    done = run(room, "case", "report", name, "--sarif", "zh.sarif", "--lang", "zh")
    text = Page((room / "a.html").read_bytes()).text()

    assert done.code == 0
    assert "边界错误" in (room / "zh.sarif").read_text("utf-8")
    assert "Missed boundary" in text
    assert "边界错误" in text


@pytest.mark.clause("DIA-VIEW-06")
def test_another_hash_seed_gives_the_same_page(room):
    for seed in ("1", "2"):
        home = {"WITMARK_HOME": str(room / "home"), "HOME": str(room), "PYTHONHASHSEED": seed}
        done = witmark(
            *("case", "report", name_of(room), "--html", f"{seed}.html"), cwd=room, env=home
        )
        assert done.code == 0

    assert (room / "1.html").read_bytes() == (room / "2.html").read_bytes()


@pytest.mark.clause("DIA-VIEW-10")
def test_a_case_that_is_handed_over_has_its_views_too(room, tmp_path):
    (tmp_path / "report.md").write_text("# It fails\n\nf() fails.\n")
    done = run(room, "diagnose", tmp_path, "--html", "open.html", "--sarif", "open.sarif")
    results = json.loads((room / "open.sarif").read_text("utf-8"))["runs"][0]["results"]

    assert done.code == 1
    assert "handed over to a person" in Page((room / "open.html").read_bytes()).text()
    assert {one["kind"] for one in results} == {"open"}


@pytest.mark.clause("DIA-VIEW-10")
def test_two_views_are_two_files(room):
    done = run(room, "case", "report", name_of(room), "--html", "x", "--sarif", "./x")

    assert (done.code, (room / "x").exists()) == (2, False)


@pytest.mark.clause("DIA-VIEW-05")
def test_what_is_not_published_is_not_reported(room, tmp_path):
    (tmp_path / "report.md").write_text("# It fails\n\nf() fails.\n")
    made = run(room, "case", "new", "fresh", tmp_path)
    assert made.code == 0
    done = run(room, "case", "report", "fresh", "--html", "d.html")

    assert (done.code, (room / "d.html").exists()) == (2, False)


@pytest.mark.clause("DIA-VIEW-12")
def test_status_tells_a_left_over_from_a_change(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "report.md").write_text("# It fails\n\nf() fails.\n")
    made = run(tmp_path, "case", "new", "crashed", folder)
    package = tmp_path / "home" / "cases" / made.out.decode().strip()
    (package / "analysis" / "interpretation" / "0001").mkdir(parents=True)
    left = package / "analysis" / "interpretation" / "0001" / "interpretation.json"
    left.write_bytes(b"{}")
    told = run(tmp_path, "case", "status", "crashed").out.decode()

    assert "left over  analysis/interpretation/0001/interpretation.json" in told
    assert "as they were" in told
    (package / "inputs" / "more.txt").write_text("by hand")
    assert "inputs     changed" in run(tmp_path, "case", "status", "crashed").out.decode()
