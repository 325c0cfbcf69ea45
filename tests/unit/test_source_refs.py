"""A record is cited by the characters it stands on."""

import pytest

from witmark.kernel.evidence import parse_ref, resolve
from witmark.review.source import SourceText

TEXT = (
    "ISO-10303-21;\nDATA;\n"
    "#1 = CARTESIAN_POINT('',(0.,0.,0.));\n"
    "#10=ADVANCED_FACE('a;b''c',(#2),\n  #3,.T.); #11 = PLANE('',#4);\n"
    "ENDSEC;\n"
)


def cited(text, record, line):
    source = SourceText(text.encode() if isinstance(text, str) else text)
    ref = source.ref(record, line)
    return None if ref is None else resolve(source.raw, parse_ref(ref).at)


@pytest.mark.clause("REV-READ-04")
def test_a_record_is_cited_whole_over_lines_and_through_quoted_semicolons():
    assert cited(TEXT, 10, 4) == "#10=ADVANCED_FACE('a;b''c',(#2),\n  #3,.T.);"


def test_the_second_record_of_a_line_is_found():
    assert cited(TEXT, 11, 5) == "#11 = PLANE('',#4);"


def test_a_record_that_does_not_stand_on_its_line_is_not_cited():
    assert cited(TEXT, 10, 3) is None
    assert cited(TEXT, 1, 99) is None
    assert cited(TEXT, 0, 1) is None


def test_a_number_that_begins_alike_is_another_record():
    assert cited(TEXT, 1, 4) is None


def test_bytes_that_are_not_utf_8_are_cited_byte_by_byte():
    raw = TEXT.encode().replace(b"a;b", "板".encode("gbk") + b";")

    assert cited(raw, 11, 5) == "#11 = PLANE('',#4);"
