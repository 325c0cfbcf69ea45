"""The exchange structure is read without a CAD kernel, and every refusal has a line."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from witmark.adapters.step21.encoding import encoding_of
from witmark.adapters.step21.errors import (
    BrokenStepError,
    CyclicAssemblyError,
    HugeCoordinatesError,
    MixedLengthUnitError,
    NoSolidError,
    NotStepError,
    StepInputError,
    TruncatedStepError,
    WrongSchemaError,
)
from witmark.adapters.step21.exchange import scan
from witmark.adapters.step21.numbers import refuse_huge_numbers
from witmark.adapters.step21.rewrite import edited, shortening_edits
from witmark.adapters.step21.structure import (
    refuse_cycles,
    refuse_other_models,
    unread_transformations,
)
from witmark.adapters.step21.units import length_units
from witmark.adapters.step21.values import parse, readable, written
from witmark.kernel.errors import InputError


def exchange(*records: str, schema: str = "AUTOMOTIVE_DESIGN", end: str = "\n"):
    lines = [
        "ISO-10303-21;",
        "HEADER;",
        f"FILE_SCHEMA(('{schema}'));",
        "ENDSEC;",
        "DATA;",
        *records,
        "ENDSEC;",
        "END-ISO-10303-21;",
        "",
    ]
    return scan(end.join(lines).encode(), "a.stp")


def test_every_record_has_its_number_type_and_line():
    read = exchange(
        "#10=A('x',1.);#11 = B(#10);", "/* a; comment */ #5=C('semi;colon',", "  2.);"
    )

    assert read.numbers.tolist() == [10, 11, 5]
    assert [read.record(i).keyword for i in range(3)] == ["A", "B", "C"]
    assert read.lines(np.arange(3)).tolist() == [6, 6, 7]
    assert read.record(2).text == b"#5=C('semi;colon',\n  2.);"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end):
    assert exchange("#1=A();", "#2=A();", end=end).lines(np.array([0, 1])).tolist() == [6, 7]


def test_text_that_looks_like_a_record_is_text():
    read = exchange("#1=A('it''s #2=B(); and /* no comment');", "#3=C();")

    assert read.numbers.tolist() == [1, 3]


def test_several_data_sections_count_as_one_run_of_records():
    read = exchange("#1=A();", "ENDSEC;", "DATA('second',('S'));", "#2=B();")

    assert [read.record(i).keyword for i in range(2)] == ["A", "B"]


def test_a_complex_record_is_found_by_its_parts():
    read = exchange("#1=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));")

    assert [r.number for r, _ in read.complex_records("LENGTH_UNIT")] == [1]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"  \n", "white space"),
        (b"%PDF-1.7 x", "PDF"),
        (b"PK\x03\x04zz", "ZIP"),
        (b"\x00\x01\x02\x03", "begins with"),
        (b"solid cube\n", "STL"),
    ],
)
def test_other_formats_are_named(data, words):
    with pytest.raises(NotStepError, match=words):
        scan(data, "a.stp")


@given(st.binary(max_size=400))
def test_no_bytes_make_the_scanner_fail_in_another_way(data):
    for candidate in (data, b"ISO-10303-21;HEADER;ENDSEC;DATA;" + data):
        with contextlib.suppress(StepInputError):
            assert len(scan(candidate, "a.stp")) >= 0


def test_a_file_cut_off_anywhere_is_truncated_or_broken():
    whole = exchange("#1=A('text',(1.,2.));", "#2=B(#1);").data

    for length in range(len(b"ISO-10303-21"), len(whole) - 2):
        with pytest.raises((TruncatedStepError, BrokenStepError)):
            scan(whole[:length], "a.stp")


def test_a_cut_names_the_line_it_happens_on():
    whole = exchange("#1=A();", "#2=B('text');").data

    with pytest.raises(TruncatedStepError) as caught:
        scan(whole[: whole.index(b"'text'") + 1], "a.stp")
    assert caught.value.line == 7
    assert str(caught.value).startswith("a.stp:7: ")


def test_two_records_with_one_number_are_refused():
    with pytest.raises(BrokenStepError, match="second record is called #1") as caught:
        exchange("#1=A();", "#1=B();")
    assert caught.value.line == 7


def test_another_schema_is_named_with_its_line():
    with pytest.raises(WrongSchemaError, match="IFC4") as caught:
        refuse_other_models(exchange("#1=IFCWALL();", schema="IFC4"))
    assert caught.value.line == 3


SHAPE = "#1=ADVANCED_BREP_SHAPE_REPRESENTATION('',(#2),#3);"


@pytest.mark.parametrize("schema", ["IFC4", "AP2420_SOMETHING", "", "  "])
def test_a_shape_under_a_schema_we_do_not_know_is_refused_with_a_way_out(schema):
    with pytest.raises(WrongSchemaError) as caught:
        refuse_other_models(exchange(SHAPE, schema=schema))
    assert caught.value.line == 3
    assert "AP242" in caught.value.hint


@pytest.mark.parametrize(
    "schema",
    [
        "CONFIG_CONTROL_DESIGN",
        "config_control_design",
        "AUTOMOTIVE_DESIGN { 1 0 10303 214 3 1 1 }",
        "AUTOMOTIVE_DESIGN_CC1 {1 2 10303 214 -1 1 3 2}",
        "AUTOMOTIVE_DESIGN_CC2",
        "AP203_CONFIGURATION_CONTROLLED_3D_DESIGN_OF_MECHANICAL_PARTS_AND_ASSEMBLIES_MIM_LF",
        "AP242_MANAGED_MODEL_BASED_3D_ENGINEERING_MIM_LF {1 0 10303 442 1 1 4 }",
        "GEOMETRIC_VALIDATION_PROPERTIES_MIM','CONFIG_CONTROL_DESIGN",
        "STRUCTURAL_ANALYSIS_DESIGN",
    ],
)
def test_every_schema_of_product_models_is_taken(schema):
    refuse_other_models(exchange(SHAPE, schema=schema))


@pytest.mark.parametrize(
    "number",
    [
        "1E300",
        "-1.e+10",
        "1E400",
        "2.5E0012",
        "123456789012.",
        "NAN",
        "-inf",
        "1.#QNAN",
        "1.#INF",
    ],
)
def test_a_coordinate_that_no_shape_can_have_is_refused_with_its_line(number):
    read = exchange("#1=A();", f"#2=CARTESIAN_POINT('',(0.,{number},1.));")

    with pytest.raises(HugeCoordinatesError) as caught:
        refuse_huge_numbers(read)
    assert caught.value.line == 7
    assert caught.value.code == "input.huge-coordinates"


def test_a_huge_radius_or_weight_is_refused_too():
    for record in ("CIRCLE('',#1,1E99)", "DIRECTION('',(1.E200,0.,0.))", "(A()B((1.,1E300)))"):
        with pytest.raises(HugeCoordinatesError):
            refuse_huge_numbers(exchange(f"#2={record};"))


def test_large_numbers_that_are_no_shape_are_none_of_our_business():
    refuse_huge_numbers(
        exchange(
            "#1=CARTESIAN_POINT('1E300 (NAN) 123456789012',(1.E-300,9.E9,0.123456789012));",
            "#2=MEASURE_REPRESENTATION_ITEM('E',PRESSURE_MEASURE(2.1E+11),#3);",
            "#4=PRODUCT('99999999999','(NAN,INF)','',(#123456789));",
            "#5=VECTOR('',#6,1.E12);",
        )
    )


def test_a_product_schema_without_shapes_has_no_solid():
    with pytest.raises(NoSolidError):
        refuse_other_models(exchange("#1=PRODUCT('a','a','',(#2));"))


MILLIMETRE = "#1=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));"
INCH = (
    "#2=(CONVERSION_BASED_UNIT('INCH',#3)LENGTH_UNIT()NAMED_UNIT(#9));",
    "#3=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#1);",
)


def context(number: int, unit: str) -> str:
    return (
        f"#{number}=(GEOMETRIC_REPRESENTATION_CONTEXT(3)"
        f"GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#8))"
        f"{unit}REPRESENTATION_CONTEXT('',''));"
    )


def shape(number: int, of: int) -> str:
    return f"#{number}=SHAPE_REPRESENTATION('',(#99),#{of});"


def test_an_inch_is_what_the_file_says_it_is():
    read = exchange(
        MILLIMETRE,
        *INCH,
        "#8=UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(0.001),#2,'','');",
        context(4, "GLOBAL_UNIT_ASSIGNED_CONTEXT((#2))"),
        shape(5, 4),
    )
    unit = length_units(read).settled("a.stp")

    assert (unit.name, unit.mm_per_unit) == ("inch", 25.4)
    assert unit.uncertainty_mm == pytest.approx(0.0254)


def test_a_bare_number_may_stand_where_a_measure_should():
    read = exchange(
        MILLIMETRE,
        INCH[0],
        "#3=LENGTH_MEASURE_WITH_UNIT(25.4,#1);",
        context(4, "GLOBAL_UNIT_ASSIGNED_CONTEXT((#2))"),
        shape(5, 4),
    )

    assert length_units(read).settled("a.stp").mm_per_unit == 25.4


def test_no_unit_is_no_unit():
    read = exchange(MILLIMETRE, context(4, ""), shape(5, 4))

    assert length_units(read).settled("a.stp") is None


def test_a_unit_for_some_shapes_only_is_refused():
    read = exchange(
        MILLIMETRE,
        context(4, "GLOBAL_UNIT_ASSIGNED_CONTEXT((#1))"),
        context(6, ""),
        shape(5, 4),
        shape(7, 6),
    )

    with pytest.raises(MixedLengthUnitError) as caught:
        length_units(read).settled("a.stp")
    assert caught.value.line == 8


def test_a_product_that_contains_itself_is_refused_with_the_line():
    read = exchange(
        "#1=PRODUCT('gear','gear','',(#9));",
        "#2=PRODUCT_DEFINITION_FORMATION('','',#1);",
        "#3=PRODUCT_DEFINITION('','',#2,#9);",
        "#4=PRODUCT_DEFINITION('','',#9,#9);",
        "#5=NEXT_ASSEMBLY_USAGE_OCCURRENCE('1','','',#3,#4,$);",
        "#6=NEXT_ASSEMBLY_USAGE_OCCURRENCE('2','','',#4,#3,$);",
    )

    with pytest.raises(CyclicAssemblyError, match="'gear' contains itself") as caught:
        refuse_cycles(read, "utf-8")
    assert caught.value.line == 11


def test_a_part_used_twice_is_no_cycle():
    read = exchange(
        "#5=NEXT_ASSEMBLY_USAGE_OCCURRENCE('1','','',#3,#4,$);",
        "#6=NEXT_ASSEMBLY_USAGE_OCCURRENCE('2','','',#3,#4,$);",
        "#7=NEXT_ASSEMBLY_USAGE_OCCURRENCE('3','','',#2,#3,$);",
    )

    refuse_cycles(read, "utf-8")
    assert len(read) == 3


def test_a_chain_of_ten_thousand_assemblies_is_followed():
    chain = [
        f"#{i}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',#{i + 20000},#{i + 20001},$);"
        for i in range(1, 10_000)
    ]
    chain.append("#10000=NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',#30000,#20001,$);")

    with pytest.raises(CyclicAssemblyError):
        refuse_cycles(exchange(*chain), "utf-8")


def test_a_text_too_long_for_the_kernel_is_shortened_and_the_rest_untouched():
    read = exchange("#1=A('" + "螺" * 9000 + "''');", "#2=B('short');")
    edits = shortening_edits(read, "utf-8")
    after = scan(edited(read.data, edits), "a.stp")

    assert [read.line(e.begin) for e in edits] == [6]
    assert len(after.record(0).text) < 2000
    assert readable(parse(after.record(0).text)[0].values[0], "utf-8") == "螺" * 120 + "…"
    assert after.record(1).text == b"#2=B('short');"


def test_an_ordinary_file_is_not_edited():
    assert shortening_edits(exchange("#1=A('" + "x" * 5000 + "');"), "utf-8") == []


@pytest.mark.parametrize(
    ("data", "python"),
    [(b"plain", "utf-8"), ("底板".encode(), "utf-8"), ("底板".encode("gbk"), "gbk")],
)
def test_the_encoding_is_the_one_that_fits(data, python):
    assert encoding_of(data).python == python


def test_bytes_that_fit_nothing_are_read_but_not_trusted():
    assert not encoding_of(b"caf\xe9 \xff\xff\x81").certain


@given(st.text(max_size=60))
def test_a_text_written_reads_the_same(text):
    clean = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    assert readable(written(clean), "ascii") == clean


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (rb"\X2\87BA9489\X0\ M5", "螺钉 M5"),
        (rb"\X\E9t\S\i", "été"),
        (b"\\X4\\0001F600\\X0\\\\\\", "😀\\"),
        (b"it''s", "it's"),
    ],
)
def test_every_escape_is_read(raw, text):
    assert readable(raw, "utf-8") == text


def test_lists_nested_beyond_reason_do_not_exhaust_the_stack():
    assert parse(b"#1=A(" + b"(" * 5000 + b")" * 5000 + b");")[0].name == "A"


def test_an_error_crosses_a_process_border_whole():
    import pickle  # noqa: PLC0415 - the border in question

    error = TruncatedStepError("a.stp", "the file stops", line=7)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301

    assert isinstance(again, InputError)
    assert (str(again), again.line, again.code) == (str(error), 7, "input.truncated-step")


OPERATOR = "CARTESIAN_TRANSFORMATION_OPERATOR_3D('','','',#1,#2,#3,2.,#4);"


def test_an_operator_that_places_a_component_is_found_with_its_line():
    by_item = exchange("#8=ITEM_DEFINED_TRANSFORMATION('','',#5,#9);", f"#9={OPERATOR}")
    relation = "REPRESENTATION_RELATIONSHIP('','',#5,#6)"
    direct = exchange(
        f"#9={OPERATOR}", f"#8=({relation}REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#9));"
    )

    assert unread_transformations(by_item) == [7]
    assert unread_transformations(direct) == [6]


def test_an_operator_that_the_kernel_reads_or_that_nothing_uses_is_no_matter():
    read = exchange(
        f"#9={OPERATOR}",
        "#7=MAPPED_ITEM('',#6,#9);",
        "#8=ITEM_DEFINED_TRANSFORMATION('','',#5,#4);",
    )

    assert unread_transformations(read) == []
