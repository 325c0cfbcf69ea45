"""Whatever a STEP file calls its parts, the reports stay whole."""

import csv
import io
import json
from html.parser import HTMLParser

import support_report
from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.adapters.csv import render_csv
from witmark.adapters.html import render_html
from witmark.adapters.sarif import render_sarif
from witmark.review.spelling import number_text, printable

BASE = support_report.sample_report(1)

# Pieces that break out of something; beside them, anything else that UTF-8 can carry.
_SHARP = ("<", "</td>", '"', "'", "&", "&lt;", "-->", "]]>", "{{", "[a](b)", "=1", "\r\n", ",")
_SHARP += ("\x00", "\x1b[2J", "\u202e", "</script>", "孔", "\U0001f600", "‼")
names = (
    st.lists(
        st.one_of(
            st.sampled_from(_SHARP),
            st.text(max_size=5).filter(lambda t: not any("\ud800" <= c <= "\udfff" for c in t)),
        ),
        max_size=6,
    )
    .map("".join)
    .filter(str.strip)
)  # a name of blanks is a case of its own


def named(name):
    report = json.loads(json.dumps(BASE))
    report["source"]["path"] = name
    for verdict in report["verdicts"]:
        for key in ("component_id", "component_name", "semantic_location"):
            verdict[key] = name
    report["coverage"]["parts"][0]["name"] = name
    report["context"][0].update(name=name, scope_reasons=[f"name: {name}"])
    report["notices"][0]["subject"] = name
    return report


class Skeleton(HTMLParser):
    """The page's elements and the names of their attributes, without any text."""

    def __init__(self, page):
        super().__init__()
        self.bones = []
        self.feed(page.decode())

    def handle_starttag(self, tag, attrs):
        self.bones.append((tag, tuple(key for key, _ in attrs)))

    def handle_endtag(self, tag):
        self.bones.append(("/", tag))


# A name that is the same in both languages is written once, so places keep their own English.
PLAIN = Skeleton(render_html(named("x"), support_report.sample_pictures())).bones


@settings(max_examples=60, deadline=None)
@given(names)
def test_no_name_changes_the_bones_of_the_page(name):
    page = render_html(named(name), support_report.sample_pictures())

    assert Skeleton(page).bones == PLAIN


@settings(max_examples=60, deadline=None)
@given(names)
def test_no_name_moves_a_cell_of_the_table(name):
    rows = list(csv.reader(io.StringIO(render_csv(named(name), "en").decode("utf-8-sig"))))

    assert {len(row) for row in rows} == {23}
    assert len(rows) == 1 + len(BASE["verdicts"])
    assert rows[1][4].removeprefix("'") in {printable(name), printable(name).removeprefix("'")}


@settings(max_examples=60, deadline=None)
@given(names)
def test_no_name_spoils_the_sarif_log(name):
    run = json.loads(render_sarif(named(name), "zh"))["runs"][0]

    assert len(run["results"]) == len(BASE["verdicts"])
    assert "](" not in run["results"][0]["message"]["text"].replace(r"\](", "")


@given(st.floats(-1e6, 1e6).map(lambda x: round(x, 6)))
def test_a_number_is_never_shown_rounder_than_it_is(value):
    shown = float(number_text(value))

    assert abs(shown - value) <= 0.0005 + 1e-9
    assert shown == value or round(shown, 2) != shown
