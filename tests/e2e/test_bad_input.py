"""Whatever is handed in instead of a STEP file: one line, exit 2, and nothing left behind."""

import os
import re

import pytest
import support_occt as make
from support_cli import COVER, listing, witmark

IFC = b"""ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('','2026-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCORGANIZATION($,'',$,$,$);
ENDSEC;
END-ISO-10303-21;
"""
NO_UNIT = re.compile(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\([^)]*\)\)")


def missing(_path):
    pass


def empty(path):
    path.write_bytes(b"")


def binary(path):
    path.write_bytes(bytes(range(256)) * 40)


def truncated(path):
    path.write_bytes(COVER.read_bytes()[:20_000])


def a_renamed_pdf(path):
    path.write_bytes(b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n")


def another_schema(path):
    path.write_bytes(IFC)


def no_solid(path):
    make.write_part(path, make.sheet(3, 4))


def links_in_a_circle(path):
    path.symlink_to(path.name)


def a_folder(path):
    path.mkdir()


def a_pipe(path):
    os.mkfifo(path)


def no_length_unit(path):
    path.write_bytes(NO_UNIT.sub(b"", COVER.read_bytes()))


def a_reference_that_leads_nowhere(path):
    record = b"#900001=DOCUMENT_FILE('gone.stp','','',#900002,'',$);\nENDSEC;\nEND-ISO"
    path.write_bytes(COVER.read_bytes().replace(b"ENDSEC;\nEND-ISO", record))


def huge_coordinates(path):
    far = [make.moved(1e9, 0, 0)]
    make.write_assembly(path, [(make.box(1, 1, 1), "far", far)])


BAD = {
    missing: ("input.unreadable-source", "No such file"),
    empty: ("input.not-step", "empty"),
    binary: ("input.not-step", "not a STEP file"),
    truncated: ("input.truncated-step", "stops"),
    a_renamed_pdf: ("input.not-step", "PDF"),
    another_schema: ("input.wrong-schema", "IFC4"),
    no_solid: ("input.no-solid", "surface"),
    links_in_a_circle: ("input.unreadable-source", "symbolic links"),
    a_folder: ("input.unreadable-source", "folder"),
    a_pipe: ("input.unreadable-source", "not a regular file"),
    no_length_unit: ("input.unknown-length-unit", "--length-unit"),
    a_reference_that_leads_nowhere: ("input.external-reference", "gone.stp"),
    huge_coordinates: ("input.huge-coordinates", "far"),
}


@pytest.mark.clause("REV-READ-06")
@pytest.mark.clause("REV-REP-05")
@pytest.mark.parametrize("make_it", BAD, ids=lambda make_it: make_it.__name__)
def test_bad_input_is_one_line_and_leaves_nothing(tmp_path, make_it):
    code, words = BAD[make_it]
    make_it(tmp_path / "bad.step")
    before = listing(tmp_path)

    ran = witmark("review", "bad.step", cwd=tmp_path)

    assert ran.code == 2
    assert ran.out == b""
    assert ran.refusal.startswith(f"{code}: bad.step")
    assert words in ran.refusal
    assert listing(tmp_path) == before


@pytest.mark.clause("REV-READ-06")
def test_features_refuses_as_review_does(tmp_path):
    truncated(tmp_path / "bad.step")
    ran = witmark("features", "bad.step", "--json", cwd=tmp_path)

    assert (ran.code, ran.out) == (2, b"")
    assert ran.refusal.startswith("input.truncated-step: bad.step:")


@pytest.mark.clause("REV-READ-06")
def test_a_refusal_names_a_file_whose_name_is_no_text(tmp_path):
    (tmp_path / os.fsdecode(b"\xff\n.step")).write_bytes(b"")
    ran = witmark("review", os.fsdecode(b"\xff\n.step"), cwd=tmp_path)

    assert ran.code == 2
    assert ran.refusal.startswith(r"input.not-step: \xff\n.step: ")


@pytest.mark.clause("REV-READ-02")
def test_a_file_without_a_unit_is_read_in_the_unit_that_is_given(tmp_path):
    no_length_unit(tmp_path / "bare.step")
    ran = witmark("features", "bare.step", "--length-unit", "inch", "--json", cwd=tmp_path)

    assert ran.code == 0, ran.err
    assert b'"mm_per_unit": 25.4' in ran.out


def test_a_command_line_that_makes_no_sense_is_exit_two(tmp_path):
    for arguments in (["reviw"], ["review"], ["review", "x", "--lang", "fr"], ["trace"]):
        ran = witmark(*arguments, cwd=tmp_path)
        assert ran.code == 2, arguments
        assert "Usage:" in ran.err
