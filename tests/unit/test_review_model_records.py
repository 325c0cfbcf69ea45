"""What a report keeps of the calls it rests on: its own, all of them, and told as they were."""

from dataclasses import replace

import pytest
from desk_samples import assembly, deep_plate, desk
from model_samples import FILE, PROMPTS, gateway, sealed, sensible

from witmark.kernel.model.request import Profile
from witmark.review.use_cases import Adviser, ReviewRequest, review_file, verify_report
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import misconfigured, unreachable

OTHER = Profile("two", "played", "m-2")


def outcomes(found):
    return {one["outcome"] for one in found.report["model"]["said"]}


def another_run(says, disk):
    """A review of the same file with another model, on the same records."""
    model, talks = gateway(says, profile=OTHER)
    review_file(
        ReviewRequest(FILE),
        desk(assembly(deep_plate()), adviser=Adviser(talks, PROMPTS, lambda key: disk)),
    )
    return model


def overtaken(says, disk):
    """A review whose records another run goes on with before it is published."""
    model, talks = gateway(says)
    others = []

    def progress(step):
        if step.name == "gates":
            others.append(another_run(sensible, disk))

    given = desk(assembly(deep_plate()), adviser=Adviser(talks, PROMPTS, lambda key: disk))
    found = review_file(ReviewRequest(FILE), replace(given, progress=progress))
    assert others[0].asked
    return found, model


@pytest.mark.clause("REV-MOD-10", "REV-MOD-11")
@pytest.mark.parametrize(
    ("says", "ending"),
    [
        (lambda _: misconfigured(), "blocked"),
        (lambda _: unreachable(), "waiting"),
    ],
)
def test_what_another_run_adds_to_the_record_afterwards_is_not_in_the_report(says, ending):
    found, model = overtaken(says, MemoryDisk())

    assert ending in outcomes(found)
    assert found.report["model"]["ledger"]["calls"] == len(model.asked)
    assert not any(b"m-2" in raw for name, raw in found.files.items() if "journals" in name)
    assert verify_report(sealed(found.files)).verdicts
