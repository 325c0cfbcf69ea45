"""Whatever a case says and calls its files, the views of its diagnosis stay whole."""

import json
import re
from dataclasses import replace

import pytest
from case_pages import Page
from diagnosis_cases import FINDINGS, INTERPRETED, INVESTIGATED, investigated_package
from diagnosis_reports import report
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from witmark.adapters.html.case import render_case_html
from witmark.adapters.sarif.case import render_case_sarif
from witmark.diagnosis.redacting import Redactor
from witmark.diagnosis.saying import UNSAFE

# Pieces that break out of something; beside them, anything else that UTF-8 can carry.
_SHARP = ("<", "</td>", '"', "'", "&", "&lt;", "-->", "]]>", "{{", "{0}", "[a](b)", "\r\n", "`")
_SHARP += ("\x00", "\x1b[2J", "\u202e", "\u200b", "</script>", "孔", "\U0001f600", "\u0430b")
_SHARP += ("<b onclick=x>", "javascript:", "F-0001", "H1", "\u2028", "#finding-F-0001", "\t")
KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc123\nxyz12345678\n-----END RSA PRIVATE KEY-----\n"
)
WORDS = ("hunter2abc", "a1B2a1B2", "MIIEabc123")
texts = (
    st.lists(
        st.one_of(
            st.sampled_from(_SHARP),
            st.text(max_size=5).filter(lambda t: not any("\ud800" <= c <= "\udfff" for c in t)),
        ),
        min_size=1,
        max_size=6,
    )
    .map("".join)
    .filter(str.strip)
)


def said_everywhere(text):
    """A report of a case that says this in every place where a case can say anything."""
    place = replace(INVESTIGATED.suspects[0].location, path=f"pkg/{text}", name=text)
    findings = tuple(replace(one, statement=text, location=place) for one in FINDINGS)
    suspect = replace(INVESTIGATED.suspects[0], location=place)
    said = replace(
        INTERPRETED,
        title=text,
        symptom=tuple(replace(one, text=text) for one in INTERPRETED.symptom),
        unread=((text, text),),
    )
    investigation = replace(
        INVESTIGATED, findings=findings, suspects=(suspect,), not_looked_at=(text,)
    )
    return report(
        package=investigated_package(investigation=investigation, interpretation=said)
    )


PLAIN = Page(render_case_html(said_everywhere("plain"))).bones


def without_marks(bones):
    """The page without the marks that tell what hides, and the small code points in them."""
    return [one for one in bones if one[0] not in {"mark", "small"}]


@pytest.mark.clause("DIA-VIEW-08")
@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(texts)
def test_no_words_change_the_shape_of_the_page(text):
    raw = render_case_html(said_everywhere(text))

    assert without_marks(Page(raw).bones) == PLAIN
    outside = re.sub(r"<(style|script)>.*?</\1>", "", raw.decode(), flags=re.DOTALL)
    assert UNSAFE.search(outside) is None


@pytest.mark.clause("DIA-VIEW-08")
@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(texts)
def test_no_words_hide_in_the_log(text):
    raw = render_case_sarif(said_everywhere(text), "en").decode()
    run = json.loads(raw)["runs"][0]
    uris = [
        where["physicalLocation"]["artifactLocation"]["uri"]
        for result in run["results"]
        for where in result["locations"]
    ]

    assert UNSAFE.search(json.dumps(run, ensure_ascii=False).replace("\\n", "")) is None
    assert uris
    assert all(re.fullmatch(r"[A-Za-z0-9_.~%/-]+", uri) for uri in uris)
    assert len(run["results"]) == 4


@pytest.mark.clause("DIA-VIEW-03")
@settings(max_examples=100, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    st.lists(
        st.sampled_from(
            (
                "a\n",
                "password = hunter2abc\n",
                "ghp_" + "a1B2" * 9,
                "\n",
                " x",
                KEY,
            )
        ),
        max_size=8,
    ).map("".join)
)
def test_line_by_line_as_much_is_hidden_as_in_one_piece(text):
    whole, lines = Redactor().text(text), Redactor().lines(text)

    assert len(lines) == len(text.split("\n"))
    shown = "\n".join(lines)
    assert [word in shown for word in WORDS] == [word in whole for word in WORDS]
