"""What the pages say is what the product does; nothing that a user meets is left out."""

import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from support_cli import BRACKET, ROOT, witmark

from tools import export_docs
from witmark import bootstrap
from witmark.adapters.cards.book import bundled
from witmark.adapters.cards.reader import read_cards
from witmark.cli import COMMANDS, main
from witmark.kernel.errors import one_line
from witmark.review.use_cases import FolderChangedError

DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("samples/*.md")])
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE = re.compile(r'^    code = "((?:input|integrity|outside)[a-z.-]*)"', re.MULTILINE)
NOTICE = re.compile(r'(?:Notice\(\s*|"code": )"([a-z-]+)"')
DIGEST = re.compile(r"sha256:(?:[0-9a-f]{64}|…)")
BLOB = re.compile(r"^\S*blobs/sha256/\S+$", re.MULTILINE)


def text_of(name):
    return (DOCS / name).read_text(encoding="utf-8")


def sources():
    return [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]


def test_generated_pages_are_what_the_code_says():
    assert export_docs.run(["--check"]) == 0


def test_a_stale_page_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(export_docs, "DOCS", tmp_path)
    assert export_docs.run(["--check"]) == 1
    assert "docs/errors.md is stale" in capsys.readouterr().err
    assert export_docs.run([]) == 0
    assert export_docs.run(["--check"]) == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name):
    page = text_of("cli.md")
    command = main.get_command(click.Context(main), name)
    options = [o for p in command.params for o in p.opts if o.startswith("--")]

    assert f"## witmark {name}" in page
    for option in options:
        assert option in page


@pytest.mark.clause("KER-ERR-01")
def test_every_error_code_in_the_source_is_documented():
    codes = {code for source in sources() for code in CODE.findall(source)}
    page = text_of("errors.md")

    assert len(codes) > 40
    assert {code for code in codes if f"| `{code}` |" not in page} == set()


def test_no_two_errors_of_the_package_share_a_code():
    codes = [kind.code for kind in export_docs.error_kinds()]
    assert len(codes) == len(set(codes))


def test_every_notice_is_documented():
    codes = {code for source in sources() for code in NOTICE.findall(source)}
    page = text_of("formats/report.md")

    assert len(codes) > 10
    assert {code for code in codes if f"| `{code}` |" not in page} == set()


def test_every_key_of_the_report_is_documented():
    page = text_of("formats/report.md")
    schema = json.loads((ROOT / "schemas/review-1.schema.json").read_text(encoding="utf-8"))
    verdict = schema["$defs"]["Verdict"]["properties"]

    assert {key for key in schema["properties"] if f"`{key}`" not in page} == set()
    assert {k for k in verdict if f"`{k}`" not in page and not k.endswith("_en")} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        path, _, fragment = target.partition("#")
        if path.startswith("https://"):
            continue
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        assert there.is_relative_to(ROOT), target
        if fragment:
            assert fragment in anchors(there), target


def anchors(page: Path) -> set[str]:
    titles = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_in_the_index():
    index = text_of("README.md")
    for page in DOCS.glob("**/*.md"):
        name = str(page.relative_to(DOCS))
        assert name == "README.md" or name.startswith("decisions/") or f"({name})" in index


def test_every_rule_card_speaks_both_languages():
    for card in read_cards(bundled()):
        titles = {"title", "title_en"} & set(card.fields)
        bodies = {place for place, text in card.sections.items() if text.strip()}

        assert titles == {"title", "title_en"}, card.path
        assert bodies >= {(lang, topic) for lang in ("zh", "en") for topic in ("why", "mend")}


def test_every_rule_card_is_tried_in_docs_or_tests_by_its_catalogue_id():
    tried = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "bench").rglob("*.py"))
    for card in read_cards(bundled()):
        assert f'"{card.fields["catalogue_id"].value}"' in tried, card.path


class TestReadme:
    """True word by word, as far as a machine can tell."""

    def test_it_says_what_it_is_in_three_sentences(self):
        first = README.split("\n\n")[1]
        assert len(re.findall(r"[.!?](?:\s|$)", first)) == 3

    def test_its_commands_are_commands_and_its_options_options(self):
        front = text_of("cli.md")
        for line in re.findall(r"\./do ([a-z]+)[^`\n]*", README):
            assert f"./do {line}" in front
        for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)):
            assert option in front

    def test_its_exit_codes_are_those_of_help(self):
        told = main.help
        for code in ("0", "1", "2", "3", "4", "130", "143"):
            assert re.search(rf"\b{code}\b", told)
            assert re.search(rf"^\| [0-9, ]*\b{code}\b", README, re.MULTILINE)

    def test_its_files_are_the_files_of_a_report(self, bracket):
        [table] = re.findall(r"\| file \| for \|\n(?:\|.*\n)+", README)
        named = set(re.findall(r"`([\w./]+)`", table.split("\n", 2)[2]))
        there = {p.name + ("/" if p.is_dir() else "") for p in bracket.folder.iterdir()}

        assert named == there

    def test_it_says_what_is_not_judged_as_a_report_does(self, bracket):
        for family in bracket.report["coverage"]["families_not_evaluated"]:
            words = [w for w in re.findall(r"[a-z]{4,}", family["en"]) if w != "between"]
            assert all(word in README.lower() for word in words), family

    def test_it_counts_the_rules_right(self):
        assert len(list(read_cards(bundled()))) == 17
        assert "Seventeen rules" in README

    def test_its_requirements_are_those_of_the_package(self):
        project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        assert 'requires-python = ">=3.11"' in project
        assert "libgl1 libx11-6" in README


class TestTour:
    """Each console block is run, and its output compared; digests are cut on both sides."""

    @pytest.fixture
    def finding(self, bracket):
        return next(
            v
            for v in bracket.report["verdicts"]
            if (v["rule_id"], v["verdict"]) == ("18.P29", "violated")
        )

    @pytest.fixture
    def blocks(self):
        """Command → what it prints, per ``console`` block of the page."""
        found = re.findall(r"```console\n\$ \./do (.*)\n((?:.*\n)*?)```", text_of("tour.md"))
        return [SimpleNamespace(command=command, out=out) for command, out in found]

    def test_there_is_something_to_run(self, blocks):
        assert [shlex.split(b.command)[0] for b in blocks] == [
            "review",
            "trace",
            "trace",
            "verify",
            "verify",
        ]

    def test_the_review_says_what_the_tour_says(self, bracket, finding):
        page = " ".join(text_of("tour.md").split())

        assert f"{finding['semantic_location_en']}, hole depth-to-diameter ratio 12" in page
        assert "Deep hole" in bracket.ran.out.decode()
        assert bracket.report["counts"]["undetermined"] == 1

    def test_the_citations_lead_where_the_tour_says(self, bracket, finding, blocks):
        refs = [finding["measured"][0]["ref"], finding["source_refs"][0]["ref"]]
        for ref, block in zip(refs, blocks[1:3], strict=True):
            assert block.command == f"trace {cut(ref)}"
            told = cut(bootstrap.trace(ref, bracket.folder)).splitlines()
            expected = block.out.splitlines()
            assert len(told) == len(expected)
            for line, wanted in zip(told, expected, strict=True):
                assert line.startswith(wanted.removesuffix("…")), (line, wanted)

    def test_the_trace_is_that_of_the_report(self, finding):
        [shown] = re.findall(r"```json\n(.*)\n```", text_of("tour.md"))
        assert json.loads(shown) in finding["trace"]

    def test_verification_says_what_the_tour_says(self, bracket, copy, blocks):
        told = witmark("verify", bracket.folder.name, cwd=bracket.home).out.decode()
        assert told == blocks[3].out.replace("samples/", "", 1)

        table = copy / "findings.csv"
        table.write_bytes(table.read_bytes().replace(b"Deep hole", b"Deep hulk"))
        with pytest.raises(FolderChangedError) as caught:
            bootstrap.verify(copy)
        assert one_line(caught.value) == blocks[4].out.strip()


def cut(text):
    return BLOB.sub("blobs/sha256/…", DIGEST.sub("sha256:…", text))


def test_the_sample_of_the_readme_is_the_one_these_tests_review():
    assert f"./do review {BRACKET.relative_to(ROOT)}" in README
