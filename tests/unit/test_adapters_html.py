import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
import support_report

from witmark.adapters import html
from witmark.adapters.html import markup, top
from witmark.adapters.html.phrases import PHRASES
from witmark.review import words

PACKAGE = Path(html.__file__).parent
CSS = (PACKAGE / "report.css").read_text("utf-8")
VOID = {"br", "img", "input", "meta"}


class Page(HTMLParser):
    """Reads a page as a browser would: elements, their text, and what they stand in."""

    def __init__(self, data):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts = [], [], []
        self.feed(data.decode())

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        classes = tuple((found.get("class") or "").split())
        self.elements.append((tag, found, tuple(self.open)))
        if tag not in VOID:
            self.open.append((tag, classes))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag, f"</{tag}> closes something else"

    def handle_data(self, data):
        self.texts.append((data, tuple(self.open)))

    def text(self, *, without=()):
        """All text outside elements that have one of these tags or classes."""
        return " ".join(
            data
            for data, around in self.texts
            if not any(tag in without or set(classes) & set(without) for tag, classes in around)
        )

    def every(self, tag):
        return [attrs for name, attrs, _ in self.elements if name == tag]


def page_of(deep_holes=2, report=None, pictures=None):
    report = report or support_report.sample_report(deep_holes)
    pictures = support_report.sample_pictures() if pictures is None else pictures
    page = Page(html.render_html(report, pictures))
    assert page.open == []
    return page


def hostile_report():
    """Every text of the report that may come from a file, made hostile."""
    report = support_report.sample_report(3)
    first, second = support_report.HOSTILE_NAMES[0], support_report.HOSTILE_NAMES[2]
    report["source"]["path"] = f"in/{second}.step"
    report["coverage"]["parts"][0]["name"] = first
    for verdict in report["verdicts"]:
        for key in (
            "component_id",
            "component_name",
            "semantic_location",
            "retrieval_sentence",
        ):
            verdict[key] += second
    report["context"][0]["name"] = first + second
    report["notices"][0]["detail"] = "</li><script>alert(2)</script>"
    return report


def test_nothing_from_a_file_becomes_markup():
    page = page_of(report=hostile_report())

    assert len(page.every("script")) == 1
    assert not [a for _, attrs, _ in page.elements for a in attrs if a.startswith("on")]
    assert all(image["src"].startswith("data:image/png;base64,") for image in page.every("img"))
    assert "<script>alert(1)</script>" in page.text(without=("script",))


def test_the_page_asks_nothing_of_the_outside():
    page = page_of(120)
    addresses = [
        attrs[key]
        for _, attrs, _ in page.elements
        for key in ("src", "href", "action", "data", "srcset", "poster")
        if key in attrs
    ]

    assert addresses
    assert all(a.startswith(("#", "data:image/png;base64,")) for a in addresses)
    assert not {"link", "iframe", "object", "embed", "form", "base"} & {
        tag for tag, _, _ in page.elements
    }
    assert "url(" not in CSS
    assert "@import" not in CSS


def test_the_browser_may_run_our_own_style_and_script_and_nothing_else():
    page = page_of(1)
    policy = next(m["content"] for m in page.every("meta") if "http-equiv" in m)
    style = page.text(without=("body", "title"))
    hashed = b64encode(sha256(style.strip().encode() + b"\n").digest()).decode()

    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "unsafe" not in policy
    assert f"style-src 'sha256-{hashed}'" in policy
    assert not [a for _, attrs, _ in page.elements for a in attrs if a == "style"]


def test_an_address_that_leads_out_is_refused():
    with pytest.raises(ValueError, match="leads out"):
        markup.el("a", "x", href="https://example.org")
    with pytest.raises(ValueError, match="leads out"):
        markup.el("img", src="//example.org/x.png")


def test_coverage_stands_above_everything_that_was_found():
    text = page_of(2).text()

    assert (
        text.index("87.3 %")
        < text.index("Critical")
        < text.index("18.P14")
        < text.index("18.2.4")
        < text.index("18.P34")
        < text.index("witmark 0.1.0")
    )
    assert "412 of 472 faces" in text
    assert "score" in text  # only to say that there is none


def test_all_is_only_called_all_when_it_is_all():
    shares = [top.percent(share) for share in (1.0, 0.9999, 0.872881, 0.0001, 0.0)]

    assert shares == ["100.0 %", "> 99.9 %", "87.3 %", "< 0.1 %", "0.0 %"]


def test_raw_ids_and_digests_stay_in_the_evidence():
    page = page_of(5)
    shown = page.text(without=("evidence", "digest", "script", "style", "head"))

    for raw in ("sha256:", "/parts/", "part_0_feature_2", "#1532", "report.html", "in/arm"):
        assert raw not in shown
    assert "arm assembly 机械臂#1.step" in shown


def test_the_evidence_leads_to_the_line_the_record_and_the_fact():
    page = page_of(0)
    proof = page.text(without=("head", "masthead", "provenance"))

    assert "第 1541 行" in proof
    assert "line 1541" in proof
    assert "#1532" in proof
    ref = f"{support_report.FACTS}#/parts/1/features/0/facts/pocket.corner_r"
    assert f"witmark trace '{ref}'" in proof
    assert "pocket.corner_r == 0 mm" in proof
    assert f"witmark trace '{support_report.SECOND}#/answers/0'" in proof


@pytest.mark.parametrize("deep_holes", [1, 12, 13, 500])
def test_no_place_is_dropped_and_a_long_list_says_how_much_is_folded(deep_holes):
    page = page_of(deep_holes)
    everything, unfolded = page.text(), page.text(without=("more",))

    assert all(f"blind hole {i + 1} of 5 mm" in everything for i in range(deep_holes))
    assert unfolded.count("mm on the top face") == min(deep_holes, 12)
    assert (f"{deep_holes - 12} more places" in everything) is (deep_holes > 12)


def test_one_rule_at_one_severity_is_one_card():
    cards = [a for tag, a, _ in page_of(120).elements if tag == "article"]

    assert [card["class"] for card in cards] == [
        "card critical",
        "card major",
        "card undetermined",
    ]


def test_a_finding_shows_value_limit_source_grade_reason_and_remedy():
    text = page_of(0).text(without=("evidence",))

    for said in (
        "0 mm",
        "corner radius = 0 mm",
        "DM, PR",
        "the number was read in a public source",
        "An end mill is round",
        "add a relief hole",
        "pocket 18.5 mm deep, 24 mm wide",
    ):
        assert said in text


def test_what_is_undetermined_says_what_would_settle_it():
    text = page_of(0).text()

    assert "how the local face is made" in text
    assert "The rule matters when" in text
    assert "a finish mark, a colour, or a contact" in text


def test_a_location_that_begins_with_the_component_does_not_say_it_twice():
    places = [t for t, around in page_of(1).texts if any("location" in c for _, c in around)]

    assert "blind hole 1 of 5 mm on the top face" in places


def test_limits_that_differ_are_shown_place_by_place():
    report = support_report.sample_report(2)
    report["verdicts"][2]["limit"]["en"] = "at most 12 here"

    assert "at most 12 here" in page_of(report=report).text()


def test_a_picture_that_places_share_is_carried_once_and_described_from_the_facts():
    page = page_of(120)
    images = page.every("img")

    assert len(images) == len({image["src"] for image in images}) == 4
    assert "竖直内角最小半径 0 mm" in images[0]["data-zh"]
    assert "least vertical corner radius 0 mm" in images[0]["data-en"]
    assert images[0]["alt"] == f"{images[0]['data-zh']} / {images[0]['data-en']}"
    assert "see figure 2" in page.text()


def test_every_card_shows_a_picture_even_one_that_was_shown_before():
    pictures = dict.fromkeys(support_report.sample_pictures(), support_report.png((1, 2, 3)))

    page = page_of(3, pictures=pictures)

    assert len(page.every("img")) == len(page.every("figure")) == 2
    assert len([a for a in page.every("figure") if "id" in a]) == 1
    assert page.text().count("see figure 1") == 3


def test_an_open_question_with_many_places_folds_early_and_keeps_them_all():
    report = support_report.sample_report(0)
    flush = report["verdicts"][1]
    report["verdicts"] += [
        {**flush, "id": f"v1{i:03}", "measured": [], "semantic_location_en": f"pad {i:02}"}
        for i in range(20)
    ]

    page = page_of(report=report)

    assert all(f"pad {i:02}" in page.text() for i in range(20))
    assert page.text(without=("more",)).count("pad ") < 5


def test_many_open_questions_are_summed_by_what_is_missing():
    report = support_report.sample_report(1)
    again = {**report["verdicts"][2], "id": "v0901", "rule_id": "18.P29", "catalogue_id": "P29"}
    report["verdicts"].append(again)

    assert "Rules waiting" in page_of(report=report).text()
    assert "Rules waiting" not in page_of(1).text()


def test_a_finding_without_its_picture_is_still_a_finding():
    page = page_of(3, pictures={})

    assert page.every("img") == []
    assert "blind hole 3 of 5 mm" in page.text()


def test_a_clean_file_says_so_within_what_was_evaluated():
    report = support_report.sample_report(0)
    report["verdicts"] = []
    report["counts"].update(violated=0, undetermined=0, satisfied=0, not_applicable=0)
    report["counts"]["by_severity"]["critical"] = 0
    for key in ("context", "requests", "notices", "pictures", "gates"):
        report[key] = []

    text = page_of(report=report).text()

    assert "No rule is violated within what was evaluated." in text
    assert "Every rule that applies was decided." in text


def test_a_part_without_a_name_is_called_unnamed():
    report = support_report.sample_report(0)
    report["verdicts"][0]["component_name"] = " "

    page = page_of(report=report)

    assert "unnamed" in page.text()
    assert page.every("img")[0]["data-zh"].startswith("未命名，")


def test_long_lists_of_the_quiet_sections_fold_and_keep_everything():
    report = support_report.sample_report(0)
    report["requests"] = [
        {**report["requests"][0], "id": f"r{i}", "semantic_location_en": f"spot {i:02}"}
        for i in range(30)
    ]
    report["notices"] = [
        {"code": "odd", "subject": f"part {i:02}", "detail": ""} for i in range(30)
    ]

    page = page_of(report=report)

    for word in ("spot", "part"):
        assert all(f"{word} {i:02}" in page.text() for i in range(30))
        assert f"{word} 12" not in page.text(without=("more",))
    assert "18 more rows" in page.text()


def test_like_standard_parts_stand_in_one_line_with_their_number():
    report = support_report.sample_report(0)
    screw = report["context"][0]
    report["context"] = [{**screw, "component_id": f"arm/{i}"} for i in range(40)]

    text = page_of(report=report).text()

    assert text.count("内六角螺钉 M5x20") == 1
    assert " 40 " in text


def test_an_open_question_says_whether_it_was_asked_again():
    report = support_report.sample_report(0)
    assert "asked for, but it could not be had" in page_of(report=report).text()

    report["requests"] = []
    assert "geometry alone cannot tell" in page_of(report=report).text()


def test_each_language_is_whole_and_marked():
    page = page_of(3)
    zh = [a for _, a, _ in page.elements if "zh" in (a.get("class") or "").split()]
    en = [a for _, a, _ in page.elements if "en" in (a.get("class") or "").split()]

    assert len(zh) == len(en) > 100
    assert {a["lang"] for a in zh} == {"zh-CN"}
    assert {a["lang"] for a in en} == {"en"}
    english = page.text(without=("zh", "switch", "bdi", "head", "script"))
    assert not re.search("[\u4e00-\u9fff]", re.sub("减速器壳体|型|螺钉", "", english))


@pytest.mark.parametrize(
    "table",
    [
        PHRASES,
        words.VERDICTS,
        words.SEVERITIES,
        words.SEVERITY_MEANS,
        words.GRADES,
        words.FACTS,
        words.VALUES,
        words.NOTICES,
        words.SCOPE_REASONS,
        words.CLAUSES,
        words.LENGTH_UNITS,
    ],
)
def test_every_word_is_said_in_both_languages(table):
    for name, said in table.items():
        assert re.search("[\u4e00-\u9fff]", said.zh), name
        assert said.en, name
        assert not re.search("[\u4e00-\u9fff]", said.en), name


def test_every_notice_that_our_code_gives_has_its_words():
    source = PACKAGE.parents[1]
    text = "".join(p.read_text("utf-8") for p in sorted(source.rglob("*.py")))
    given = set(re.findall(r'(?:\bNotice\(\s*|"code": )"([a-z-]+)"', text))

    assert given
    assert given <= set(words.NOTICES)


def test_a_notice_about_the_file_names_it_without_the_way_to_it():
    report = support_report.sample_report(0)
    report["notices"] = [
        {"code": "implausible-size", "subject": report["source"]["path"], "detail": "x"}
    ]

    text = page_of(report=report).text(without=("head",))

    assert "in/arm" not in text
    assert "has an implausible size" in text


def test_no_phrase_lies_around_unused():
    source = "".join(p.read_text("utf-8") for p in PACKAGE.glob("*.py") if p.stem != "phrases")

    assert [key for key in PHRASES if f'"{key}"' not in source] == []


def test_headings_do_not_skip_and_every_link_lands():
    page = page_of(120)
    levels = [int(tag[1]) for tag, _, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    ids = [attrs["id"] for _, attrs, _ in page.elements if "id" in attrs]

    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert len(ids) == len(set(ids))
    assert {a["href"][1:] for a in page.every("a")} <= set(ids)
    assert {label["for"] for label in page.every("label")} <= set(ids)
    assert all(th.get("scope") for th in page.every("th"))


def test_print_has_a_page_size_and_hides_what_paper_cannot_press():
    printed = CSS[CSS.index("@media print") :]

    assert re.search(r"@page \{ size: A4; margin: ", CSS)
    assert re.search(r"\.switch[^{]*\{ display: none", printed)
    assert "break-inside: avoid" in printed
    assert "details.more::details-content" in printed


def test_every_colour_of_text_can_be_read():
    """WCAG 2.1 AA: 4.5 to 1, on both grounds that text stands on."""
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", CSS))
    inks = ("ink", "quiet", "steel", "critical", "major", "minor", "info", "undetermined")

    for ink in inks:
        for ground in ("paper", "faint"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_same_report_gives_the_same_bytes():
    report, pictures = support_report.sample_report(20), support_report.sample_pictures()
    backwards = dict(reversed(pictures.items()))

    assert html.render_html(report, pictures) == html.render_html(report, backwards)


def test_long_text_keeps_its_paragraphs_and_lists():
    made = markup.paragraphs("一。\n\n二。", "One\nline.\n\n- a <b>\n- c")

    assert '<div class="zh" lang="zh-CN"><p>一。</p><p>二。</p></div>' in made
    assert "<p>One line.</p><ul><li>a &lt;b&gt;</li><li>c</li></ul>" in made
