"""Roles in place of facts, the analysts that live here, and what a talk leaves out."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from desk_samples import assembly, deep_plate
from model_samples import PROMPTS, READERS, reviewed_with, sealed, sensible
from rule_samples import book, fact, judged, unit

from witmark.kernel.canon import digest_of
from witmark.kernel.errors import DiskError
from witmark.kernel.model.prompt import read_prompt
from witmark.review.advising import worth_asking
from witmark.review.analysts import analysts
from witmark.review.asking.opinions import Case, with_roles
from witmark.review.asking.roles import InferredFact
from witmark.review.asking.talking import Purpose, subject_of
from witmark.review.judging import VerdictKind
from witmark.review.use_cases import verify_report
from witmark.testing.disks import MemoryDisk

GOLDEN = Path(__file__).parents[1] / "golden" / "prompts.json"
BOUNDARY = "surface_boundary"
RULE = book().store.open("18.2.4")


def case(**facts):
    given = {"surface.step_height": 0.2, "surface.role_a": None, "surface.role_b": None} | facts
    return Case(judged("18.2.4", BOUNDARY, given), RULE, {})


def role(surface, made, confidence=0.8):
    place = unit(BOUNDARY, {})
    name = f"surface.role_{surface}"
    return InferredFact(
        "s", place, name, made, confidence, "it looks so", (fact("part.valid", True),)
    )


BOTH = [role("a", "machined"), role("b", "unmachined")]


@pytest.mark.clause("REV-MOD-14")
def test_roles_say_what_the_rule_would_come_to_and_leave_the_verdict_open():
    open_ = case()

    assert open_.verdict.kind is VerdictKind.UNDETERMINED
    assert with_roles(open_, BOTH) is VerdictKind.VIOLATED
    assert open_.verdict.kind is VerdictKind.UNDETERMINED


@pytest.mark.clause("REV-MOD-14")
@pytest.mark.parametrize(
    ("roles", "facts"),
    [
        (BOTH[:1], {}),  # the other surface is not known
        ([role("a", "machined", 0.59), BOTH[1]], {}),  # nobody is sure enough
        (BOTH, {"surface.step_height": None}),  # a fact that can be measured is missing
        ([], {}),
    ],
)
def test_a_role_never_stands_in_for_what_is_missing_beside_it(roles, facts):
    came = with_roles(case(**facts), roles)

    assert came in {None, VerdictKind.UNDETERMINED}


@pytest.mark.clause("REV-MOD-14")
def test_a_role_says_nothing_about_what_the_facts_decide():
    decided = case(**{"surface.role_a": "machined", "surface.role_b": "machined"})

    assert decided.verdict.kind is VerdictKind.NOT_APPLICABLE
    assert with_roles(decided, BOTH) is None


# Analysts ----------------------------------------------------------------------------


def embedded(request):
    return analysts()[request.purpose](request)


@pytest.mark.clause("REV-MOD-15")
def test_the_embedded_analysts_go_the_whole_way_and_agree_with_the_facts():
    found, model = reviewed_with(embedded)
    part = found.report["model"]

    assert {r.purpose for r in model.asked} == {"review.roles", "review.units", "review.judge"}
    assert {one["outcome"] for one in part["said"]} == {"accepted"}
    assert part["opinions"]
    assert {one["agrees"] for one in part["opinions"]} == {True}
    assert verify_report(sealed(found.files), READERS).questions == len(model.asked)


def test_there_is_an_analyst_and_a_prompt_for_every_purpose():
    assert set(analysts()) == {purpose.value for purpose in Purpose}
    assert {read_prompt(raw, name).purpose for name, raw in PROMPTS.items()} == set(analysts())


def test_published_prompts_never_change():
    """A new wording is a new file: reports name the digest of the one they were made with."""
    pinned = json.loads(GOLDEN.read_bytes())
    ours = {f"review/prompts/{name}": digest_of(raw) for name, raw in PROMPTS.items()}

    assert ours.items() <= pinned.items()
    assert list(pinned) == sorted(pinned)


# What a talk leaves out ---------------------------------------------------------------


@pytest.mark.clause("REV-MOD-10")
def test_a_question_that_another_run_is_at_is_left_out_and_the_report_verifies():
    disk = MemoryDisk()
    with disk.held("journals/roles-unit_0_parts_0_features_0.lock") as ours:
        assert ours
        found, _ = reviewed_with(sensible, assembly(deep_plate()), disk=disk)

    endings = [one["outcome"] for one in found.report["model"]["said"]]
    assert endings[0] == "held"
    assert set(endings[1:]) == {"accepted"}
    assert verify_report(sealed(found.files), READERS).verdicts


def test_a_subject_is_a_plain_name_whatever_it_is_about():
    odd = subject_of(Purpose.JUDGE, "18.P1 / ä", "unit")

    assert odd.startswith("judge-")
    assert odd.replace("-", "").isalnum()
    assert odd != subject_of(Purpose.JUDGE, "18.P1 / ö", "unit")


@pytest.mark.clause("REV-MOD-10")
def test_a_disk_that_refuses_the_record_costs_the_questions_and_not_the_review():
    class Full(MemoryDisk):
        def add_line(self, name, line, *, at):
            raise DiskError("no room", place=name)

    found, model = reviewed_with(sensible, disk=Full())

    assert model.asked == []
    assert {one["outcome"] for one in found.report["model"]["said"]} == {"not-asked"}
    assert found.report["counts"]["violated"]
    assert verify_report(sealed(found.files), READERS).verdicts


# What is worth a question -------------------------------------------------------------


@pytest.mark.clause("REV-MOD-05")
def test_a_plainly_kept_rule_is_asked_about_once_and_after_everything_else():
    open_ = case().verdict
    kept = replace(open_, kind=VerdictKind.SATISFIED, grey=False, missing=())
    bad = replace(kept, kind=VerdictKind.VIOLATED)
    grey = replace(kept, grey=True)
    other = replace(kept, rule_id="other")
    off = replace(kept, kind=VerdictKind.NOT_APPLICABLE)

    assert worth_asking([kept, kept, off, other, grey, grey, open_, bad, bad]) == [
        7, 6, 4, 8, 5, 0, 3,
    ]  # fmt: skip


@pytest.mark.clause("REV-MOD-05")
def test_a_contradiction_of_a_plainly_kept_rule_is_shown_beside_the_verdict():
    found, _ = reviewed_with(sensible)
    verdicts = {one["id"]: one for one in found.report["verdicts"]}
    against = [
        one
        for one in found.report["model"]["opinions"]
        if verdicts[one["verdict"]]["verdict"] == "satisfied" and not one["agrees"]
    ]

    assert against
    assert {one["says"] for one in against} == {"violated"}
