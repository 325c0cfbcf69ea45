"""The rulebook travels with the package, and its compiler tells drift from a wrong card."""

import runpy
import shutil
import tomllib
from pathlib import Path

import pytest

import witmark
from witmark.adapters.cards.book import bundled, read_rulebook
from witmark.review.rulebook.index import INDEX_FILE, RulebookError
from witmark.review.rulebook.rule import STORE_FILE

ROOT = Path(__file__).parents[2]
PACKAGE = Path(witmark.__file__).parent


@pytest.fixture
def compiler():
    return runpy.run_path(str(ROOT / "tools/compile_rules.py"))["main"]


@pytest.fixture
def copy(tmp_path):
    return Path(shutil.copytree(bundled(), tmp_path / "machined-parts"))


def test_the_committed_rulebook_is_up_to_date(compiler):
    assert compiler(["--check"]) == 0


def test_a_changed_card_is_drift_until_it_is_compiled(compiler, copy, capsys):
    card = copy / "18.P29.md"
    card.write_text(card.read_text(encoding="utf-8").replace("> 10", "> 12"), encoding="utf-8")

    assert compiler(["--check", str(copy)]) == 1
    assert "chapter18_rule_store_v1.json is not what the cards say" in capsys.readouterr().out
    assert compiler([str(copy)]) == 0
    assert compiler(["--check", str(copy)]) == 0
    assert b"hole.ld > 12" in (copy / STORE_FILE).read_bytes()


def test_a_wrong_card_stops_the_compiler_and_changes_nothing(compiler, copy, capsys):
    before = (copy / INDEX_FILE).read_bytes()
    (copy / "18.P99.md").write_text("no card", encoding="utf-8")

    assert compiler([str(copy)]) == 2
    assert "18.P99.md:1: a card begins with front matter" in capsys.readouterr().err
    assert (copy / INDEX_FILE).read_bytes() == before


def test_a_missing_half_is_named(copy):
    (copy / STORE_FILE).unlink()
    with pytest.raises(RulebookError, match=r"chapter18_rule_store_v1\.json"):
        read_rulebook(copy)


def test_halves_that_do_not_belong_together_are_refused(copy):
    store = copy / STORE_FILE
    store.write_bytes(store.read_bytes().replace(b'"18.P29"', b'"18.P92"'))
    with pytest.raises(RulebookError, match=r"names 18\.P29, the store does not"):
        read_rulebook(copy)


def test_cards_and_halves_lie_inside_the_package_that_the_wheel_takes_whole():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = told["tool"]["hatch"]["build"]["targets"]["wheel"]

    assert wheel["packages"] == ["src/witmark"]
    assert "exclude" not in wheel
    assert "only-include" not in wheel
    assert bundled().is_relative_to(PACKAGE)
    for part in ("18.P29.md", INDEX_FILE, STORE_FILE):
        assert (bundled() / part).is_file()
