"""A citation leads to its bytes; a report is what it was, or says what changed."""

import json
import shutil

import pytest
from support_cli import hidden, witmark

from witmark.bootstrap import trace


def deep_hole(report):
    return next(
        one
        for one in report["verdicts"]
        if (one["rule_id"], one["verdict"]) == ("18.P29", "violated")
    )


class TestTrace:
    """From the folder that holds the report, from elsewhere with --in or WITMARK_HOME."""

    @pytest.mark.clause("REV-REP-08")
    def test_a_measured_value_is_shown_with_the_hole_it_belongs_to(self, bracket):
        measured = deep_hole(bracket.report)["measured"][0]
        ran = witmark("trace", measured["ref"], cwd=bracket.home)
        said = ran.out.decode()

        assert ran.code == 0
        assert said.endswith(f"/facts/hole.ld = {measured['value']}\n")
        assert '"kind": "hole"' in said
        assert '"name": "底板"' in said

    @pytest.mark.clause("REV-REP-08")
    @pytest.mark.clause("REV-READ-04")
    def test_a_step_record_is_shown_with_its_neighbours_and_its_line(self, bracket):
        source = deep_hole(bracket.report)["source_refs"][0]
        ran = witmark("trace", source["ref"], "--in", bracket.folder, cwd=bracket.home)
        said = ran.out.decode()

        assert ran.code == 0
        assert f"line {source['line']}:" in said
        assert f">>>#{source['record']} = ADVANCED_FACE(" in said
        assert said.count("\n") > 3

    @pytest.mark.clause("REV-REP-08")
    def test_every_citation_of_the_report_points_at_something(self, bracket):
        """In process, or a hundred of them would take minutes."""
        refs = {r for v in bracket.report["verdicts"] for r in v["fact_refs"]}
        refs |= {s["ref"] for v in bracket.report["verdicts"] for s in v["source_refs"]}
        refs |= {q["ref"] for q in bracket.report["requests"]}
        refs |= set(bracket.report["facts"]) | {p["digest"] for p in bracket.report["pictures"]}

        assert len(refs) > 50
        for ref in refs - {None}:
            assert str(bracket.folder) in trace(ref, bracket.folder)

    @pytest.mark.clause("REV-REP-08")
    def test_a_picture_is_named_not_printed(self, bracket):
        picture = bracket.report["pictures"][0]
        ran = witmark("trace", picture["digest"], cwd=bracket.home)

        assert ran.code == 0
        assert f"{picture['file']}\nimage/png, " in ran.out.decode()

    def test_a_report_is_found_by_the_home_that_is_set(self, bracket, tmp_path):
        ref = bracket.report["rulebook"]["store"]
        lost = witmark("trace", ref, cwd=tmp_path)
        found = witmark("trace", ref, cwd=tmp_path, env={"WITMARK_HOME": str(bracket.home)})

        assert lost.code == 2
        assert lost.refusal.startswith("input.nothing-there: sha256:")
        assert found.code == 0

    def test_a_manifest_of_something_else_is_passed_over(self, bracket, tmp_path):
        (tmp_path / "manifest.json").write_text('{"name": "somebody else\'s"}')
        shutil.copytree(bracket.folder, tmp_path / "r.witmark")
        ref = bracket.report["rulebook"]["store"]

        assert witmark("trace", ref, cwd=tmp_path).code == 0

    def test_a_folder_that_is_named_must_be_a_report(self, bracket, tmp_path):
        (tmp_path / "manifest.json").write_text("{}")
        ref = bracket.report["rulebook"]["store"]

        ran = witmark("trace", ref, "--in", tmp_path, cwd=bracket.home)
        assert (ran.code, ran.refusal.split(":")[0]) == (3, "integrity.garbled-record")
        ran = witmark("trace", ref, "--in", tmp_path / "gone", cwd=bracket.home)
        assert (ran.code, ran.refusal.split(":")[0]) == (2, "input.no-such-folder")

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            (lambda ref: ref[7:], "input.ref"),
            (lambda ref: ref.upper(), "input.ref"),
            (lambda ref: ref + "/nothing/here", "input.nothing-there"),
        ],
    )
    def test_what_is_no_citation_is_refused(self, bracket, change, code):
        ref = deep_hole(bracket.report)["measured"][0]["ref"]
        ran = witmark("trace", change(ref), cwd=bracket.home)

        assert ran.code == 2
        assert ran.refusal.startswith(f"{code}: ")


class TestVerify:
    """Exit 0 and what was looked at, or 3 and what differs."""

    @pytest.mark.clause("REV-REP-07")
    def test_a_report_as_published(self, bracket):
        ran = witmark("verify", bracket.folder.name, cwd=bracket.home)

        assert ran.code == 0
        assert f"{len(bracket.report['verdicts'])} verdicts decided again" in ran.out.decode()

    @pytest.mark.clause("REV-REP-07")
    @pytest.mark.parametrize("name", ["report.html", "findings.csv", "manifest.json"])
    def test_a_changed_byte_is_noticed_and_its_file_is_named(self, copy, name):
        raw = bytearray((copy / name).read_bytes())
        raw[len(raw) // 2] ^= 1
        (copy / name).write_bytes(raw)

        ran = witmark("verify", copy, cwd=copy.parent)

        assert ran.code == 3
        assert name in ran.refusal

    def test_a_folder_that_is_not_there(self, tmp_path):
        ran = witmark("verify", "gone.witmark", cwd=tmp_path)

        assert ran.code == 2
        assert ran.refusal.startswith("input.no-such-folder: gone.witmark: ")


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """An environment without the CAD kernel."""
    return hidden(tmp_path_factory.mktemp("bare") / "site", "OCP")


class TestWithoutTheCadKernel:
    """What needs no kernel works without one; what needs one says how to get it."""

    @pytest.mark.clause("REV-REP-07")
    def test_verify_and_trace_work(self, bracket, bare):
        ref = deep_hole(bracket.report)["measured"][0]["ref"]

        assert witmark("verify", bracket.folder, cwd=bracket.home, env=bare).code == 0
        assert witmark("trace", ref, cwd=bracket.home, env=bare).code == 0

    def test_help_works(self, tmp_path, bare):
        for arguments in (["--help"], ["--version"], ["review", "--help"]):
            assert witmark(*arguments, cwd=tmp_path, env=bare).code == 0

    def test_doctor_says_what_is_missing_and_the_way_out(self, tmp_path, bare):
        ran = witmark("doctor", cwd=tmp_path, env=bare)
        [line] = [one for one in ran.out.decode().splitlines() if one.startswith("MISSING")]

        assert ran.code == 1
        assert "CAD kernel" in line
        assert "./do doctor" in line

    def test_review_says_where_to_ask(self, bracket, bare):
        ran = witmark("review", "bearing_bracket.step", cwd=bracket.home, env=bare)

        assert ran.code == 4
        assert ran.refusal.startswith("outside.cad-kernel-missing: ")
        assert "witmark doctor" in ran.refusal
        assert "Traceback" not in ran.err


def test_features_lists_every_face_with_its_record_and_feature(bracket):
    ran = witmark("features", "bearing_bracket.step", "--json", cwd=bracket.home)
    listed = json.loads(ran.out)

    assert ran.code == 0
    assert listed["format"] == "witmark.features/1"
    faces = [face for part in listed["parts"] for face in part["faces"]]
    assert len(faces) == 97
    assert all(face["kind"] and face["record"] > 0 and face["line"] > 0 for face in faces)
    assert all(face["feature_kind"] for face in faces)
    assert all(part["coverage"]["share"] == 1.0 for part in listed["parts"])


def test_features_for_people_names_them_with_their_sizes(bracket):
    ran = witmark("features", "bearing_bracket.step", cwd=bracket.home)

    assert ran.code == 0
    assert "底板: 53 faces, 100.0% explained" in ran.out.decode()
    assert "hole: bottom cone, bottom_angle 118°" in ran.out.decode()
    assert "depth 60 mm" in ran.out.decode()
    assert "through no" in ran.out.decode()
    assert "    counterbore 15 mm x 9 mm, then drill 9 mm x 11 mm\n" in ran.out.decode()
