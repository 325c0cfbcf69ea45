"""What the final evaluation does not do: act, spend, patch, sleep, or know who feeds it."""

import ast
import json
from pathlib import Path

import pytest
from diagnosis_bench import DIR, GOOD, OPEN, Bench
from diagnosis_cases import CONFIRMED, investigated_package

from witmark.diagnosis import wire
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.request import Profile
from witmark.testing.models import PlayedProvider, unreachable

ROOT = Path(__file__).resolve().parent.parent.parent
DESK = ROOT / "src" / "witmark" / "diagnosis"


@pytest.mark.clause("DIA-SEED-04", "DIA-SEED-60")
@pytest.mark.parametrize("answer", [GOOD, OPEN])
def test_nothing_is_written_but_what_a_diagnosis_is_made_of(answer):
    bench = Bench(answer)
    before = set(bench.files)
    bench.build()
    schema = wire.schema().digest.removeprefix("sha256:")
    names = {"context.json", "diagnosis_result.json", "diagnosis_result.md"}
    if answer is OPEN:
        names.add("failure_report.json")
    assert set(bench.files) - before == {
        *(f"{DIR}{name}" for name in names),
        "manifests/00000005.json",
        "manifests/00000006.json",
        "journals/diagnosis-0001.jsonl",
        "journals/audit.jsonl",
        f"blobs/sha256/{schema[:2]}/{schema[2:]}",
    }


@pytest.mark.clause("DIA-SEED-16", "DIA-SEED-54")
def test_no_action_is_taken_no_credit_is_spent_and_no_review_action_is_carried_out():
    bench = Bench("no JSON", GOOD)
    kept = bench.files["analysis/investigation/0001/investigation.json"]
    bench.build()
    bench.build()
    assert bench.files["analysis/investigation/0001/investigation.json"] == kept
    assert not [path for path in bench.files if path.startswith("journals/investigation")]
    result = json.loads(bench.files[f"{DIR}diagnosis_result.json"])
    assert result["diagnosis"]["review_actions"] == list(CONFIRMED.review_actions)
    assert len(bench.router.told) == 1  # where the case stands, and nothing to do


@pytest.mark.clause("DIA-SEED-32")
def test_no_known_fix_is_in_a_package_of_these_tests():
    files = investigated_package().disk.files
    assert not [path for path in files if "truth" in path or "fix" in path]
    context = Bench(GOOD)
    context.build()
    said = context.files[f"{DIR}context.json"].decode()
    for text in (CONFIRMED.root_cause.summary, CONFIRMED.final_reason):
        assert text not in said


@pytest.mark.clause("DIA-SEED-40")
def test_providers_fail_over_in_their_order_one_build_each():
    bench = Bench()
    second = PlayedProvider([GOOD])
    first, other = Profile("one", "played", "m-1"), Profile("two", "other", "m-2")
    bench.gateway = DurableGateway(
        ModelRoutes({"diagnosis": (first, other)}),
        {"played": PlayedProvider([unreachable()]), "other": second},
        bench.clock,
    )
    bench.builder._gateway = bench.gateway
    assert bench.build().because.value == "next-provider"
    assert second.asked == []
    assert bench.build().diagnosis == CONFIRMED
    assert [request.profile.name for request in second.asked] == ["two"]


@pytest.mark.clause("DIA-SEED-73")
def test_the_builder_knows_neither_a_scheduler_nor_a_feedback_surface():
    """What ``builder`` imports, and what those modules import, inside the desk."""
    seen, waiting = set(), ["builder"]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        tree = ast.parse((DESK / f"{name}.py").read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not node.module.startswith(("witmark.adapters", "witmark.cli"))
                assert node.module.split(".")[0] not in {"sched", "threading", "sqlite3"}
                if node.module.startswith("witmark.diagnosis."):
                    waiting.append(node.module.split(".")[2])
                if node.module == "witmark.diagnosis":
                    waiting += [one.name for one in node.names]
    assert {"builder", "gates", "publication"} <= seen
    assert not seen & {"queueing", "working", "feedback", "html", "use_cases", "change_request"}


@pytest.mark.clause("DIA-SEED-31")
def test_the_reasoning_is_measured_beside_a_row_that_knows_nothing():
    bench = (ROOT / "bench" / "bugs.py").read_text("utf-8")
    assert "zero_" in bench
    assert "bm25_" in bench
    assert "confirmed_wrong" in bench
    figures = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    assert "`bugs`" in figures
