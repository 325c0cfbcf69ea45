"""A file is reviewed, published whole, and verified from what was stored."""

import dataclasses
import json
from pathlib import Path

import pytest
from desk_samples import SOURCE, assembly, deep_plate, desk, reviewed

from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.errors import IntegrityError, ReplayDiffersError, UnreadableSourceError
from witmark.kernel.publish import seal_folder
from witmark.kernel.store import blob_path
from witmark.review.use_cases import (
    ReviewRequest,
    fails,
    list_features,
    review_file,
    verify_report,
)
from witmark.testing.disks import MemoryDisk

FILE = Path("plate.step")


def files(**request):
    return dict(reviewed(assembly(deep_plate()), FILE, **request).files)


def sealed(contents):
    disk = MemoryDisk()
    seal_folder(disk, contents)
    return disk


def report_of(contents):
    return json.loads(contents["report.json"])


@pytest.mark.clause("REV-REP-01")
def test_loud_verdicts_stand_one_by_one_and_quiet_ones_once_per_rule():
    report = report_of(files())
    quiet = [v for v in report["verdicts"] if v["verdict"] in ("satisfied", "not_applicable")]
    keys = [(v["rule_id"], v["component_id"], v["verdict"]) for v in quiet]

    assert len(keys) == len(set(keys))
    assert all(v["count"] >= 1 for v in quiet)
    assert all("count" not in v for v in report["verdicts"] if v not in quiet)


def test_counts_count_places():
    report = report_of(files())
    total = sum(v.get("count", 1) for v in report["verdicts"])
    kinds = ("violated", "undetermined", "satisfied", "not_applicable")

    assert sum(report["counts"][kind] for kind in kinds) == total


def test_every_citation_of_a_report_lies_in_its_folder():
    contents = files()
    for verdict in report_of(contents)["verdicts"]:
        for ref in verdict["fact_refs"]:
            assert blob_path(ref.split("#")[0]) in contents


@pytest.mark.clause("REV-REP-06")
def test_the_same_file_gives_the_same_report_apart_from_its_path():
    one = report_of(files())
    given = assembly(deep_plate())
    other = json.loads(reviewed(given, Path("elsewhere/copy.step")).files["report.json"])

    assert one.pop("source") | {"path": ""} == other.pop("source") | {"path": ""}
    assert one == other


@pytest.mark.clause("REV-REP-07")
def test_a_report_verifies():
    contents = files()
    checked = verify_report(sealed(contents))

    assert checked.files == len(contents)
    assert checked.verdicts == len(report_of(contents)["verdicts"])


@pytest.mark.clause("REV-REP-07")
def test_a_changed_file_is_named():
    disk = sealed(files())
    disk.files["report.json"] = disk.files["report.json"][:-1]

    with pytest.raises(IntegrityError, match=r"report\.json is changed"):
        verify_report(disk)


@pytest.mark.clause("REV-REP-07")
@pytest.mark.parametrize(
    ("key", "value"), [("verdict", "satisfied"), ("severity", "info"), ("component_id", "b")]
)
def test_a_verdict_that_the_facts_do_not_give_is_noticed_even_when_sealed_anew(key, value):
    contents = files()
    report = report_of(contents)
    deep = next(v for v in report["verdicts"] if v["catalogue_id"] == "P29")
    deep[key] = value
    if key == "verdict":
        deep["severity"] = None
    contents["report.json"] = canonical_json(report)

    with pytest.raises(ReplayDiffersError):
        verify_report(sealed(contents))


@pytest.mark.clause("REV-REP-07")
def test_other_facts_lead_to_another_report_and_are_noticed():
    contents = files()
    report = report_of(contents)
    name = blob_path(report["facts"][0])
    facts = json.loads(contents.pop(name))
    hole = next(f for f in facts["parts"][0]["features"] if f["kind"] == "hole")
    hole["facts"]["hole.ld"] = 3.0
    raw = canonical_json(facts)
    contents[blob_path(digest_of(raw))] = raw
    report["facts"][0] = digest_of(raw)
    contents["report.json"] = canonical_json(report)

    with pytest.raises(ReplayDiffersError):
        verify_report(sealed(contents))


def test_a_file_that_changes_while_it_is_read_is_refused():
    versions = iter([SOURCE, SOURCE + b"\n"])

    with pytest.raises(UnreadableSourceError, match="changed while it was read"):
        review_file(
            ReviewRequest(FILE),
            desk(assembly(deep_plate()), read_bytes=lambda path: next(versions)),
        )


@pytest.mark.parametrize(
    ("fail_on", "expected"),
    [
        ("critical", False),
        ("major", False),
        ("minor", True),
        ("info", True),
        ("undetermined", True),
        ("never", False),
    ],
)
def test_a_review_fails_from_the_level_the_caller_names(fail_on, expected):
    report = {
        "counts": {
            "violated": 1,
            "undetermined": 0,
            "by_severity": {"critical": 0, "major": 0, "minor": 1, "info": 0},
        }
    }
    assert fails(report, fail_on) is expected


def test_an_open_question_fails_only_who_asks_for_it():
    none = {"critical": 0, "major": 0, "minor": 0, "info": 0}
    report = {"counts": {"violated": 0, "undetermined": 2, "by_severity": none}}

    assert fails(report, "undetermined")
    assert not fails(report, "info")


@pytest.mark.clause("REV-FACT-03")
def test_a_listing_says_of_each_face_which_feature_it_belongs_to():
    listing = list_features(FILE, None, desk(assembly(deep_plate())))
    (part,) = listing["parts"]

    assert {face["feature_kind"] for face in part["faces"]} == {"hole", "base"}
    assert part["coverage"]["share"] == 1.0


REFERRED = b"ISO-10303-21;\n#7 = ADVANCED_FACE('',(#1),#2,.T.);\nEND-ISO-10303-21;\n"


def with_referred_part():
    """Like an assembly whose one part lies in a file of its own."""
    given = assembly(deep_plate())
    (part,) = given.parts
    brep = part.brep
    records = dataclasses.replace(
        brep,
        face_step_record=brep.face_step_record * 0 + 7,
        face_step_line=brep.face_step_line * 0 + 2,
    )
    return dataclasses.replace(
        given, parts=(dataclasses.replace(part, brep=records, source="sub/PLATE.stp"),)
    )


@pytest.mark.clause("REV-READ-04")
def test_a_record_of_a_referred_file_is_cited_in_that_file():
    read = {"plate.step": SOURCE, "PLATE.stp": REFERRED}
    found = review_file(
        ReviewRequest(FILE), desk(with_referred_part(), read_bytes=lambda path: read[path.name])
    )
    deep = next(v for v in found.report["verdicts"] if v["catalogue_id"] == "P29")

    assert found.report["source"]["referred"] == [
        {"path": "sub/PLATE.stp", "digest": digest_of(REFERRED)}
    ]
    assert [one["ref"].split("#")[0] for one in deep["source_refs"]] == [digest_of(REFERRED)]
    assert found.files[blob_path(digest_of(REFERRED))] == REFERRED
    assert verify_report(sealed(dict(found.files))).verdicts
