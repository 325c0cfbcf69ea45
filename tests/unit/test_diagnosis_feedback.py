"""A person's word is kept beside the diagnosis, and changes nothing that was published."""

import pytest
from diagnosis_cases import CASE, PACKAGE, investigated_package

from witmark.diagnosis.case import Checkpoint, Phase, Routing, State
from witmark.diagnosis.feedback import FORMAT, Feedback, Verdict, give_feedback
from witmark.diagnosis.lifecycle import MissingStageError
from witmark.diagnosis.package import declare, with_checkpoint
from witmark.diagnosis.plain import read_artefact
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import FolderChangedError, InputError
from witmark.testing.models import SteadyClock

RESULT = "analysis/diagnosis/0001/diagnosis_result.json"

pytestmark = pytest.mark.clause("DIA-CASE-12")


class Store:
    def __init__(self, disk):
        self.kept = disk

    def disk(self, _case, _package):
        return self.kept


@pytest.fixture
def package():
    package = investigated_package()
    manifest = package.manifest()
    files = {RESULT: b"{}"}
    checkpoint = Checkpoint(Phase.DIAGNOSIS, 1, declare(files))
    after = with_checkpoint(
        manifest,
        checkpoint,
        state=State.BUILDING_DIAGNOSIS,
        pointers={**manifest.pointers, "diagnosis": RESULT},
    )
    package.advance(manifest, after, files)
    return package


def give(package, verdict, reason="as it is"):
    return give_feedback(CASE, PACKAGE, verdict, reason, Store(package.disk), SteadyClock())


def test_an_accepted_diagnosis_stays_where_it_is(package):
    before = package.manifest()
    kept = dict(package.disk.files)
    after = give(package, Verdict.ACCEPTED, "that was it")
    assert (after.state, after.routing) == (before.state, before.routing)
    path = after.pointers["feedback"]
    said = read_artefact(FORMAT, Feedback, package.artefact(after, path), place=path)
    assert said == Feedback(Verdict.ACCEPTED, "that was it", 1, RESULT, digest_of(b"{}"))
    assert kept.items() <= package.disk.files.items()
    package.check_fresh(after)


def test_a_rejected_diagnosis_goes_to_review_and_both_words_stay(package):
    give(package, Verdict.ACCEPTED)
    after = give(package, Verdict.REJECTED, "no")
    assert after.routing is Routing.REVIEW
    assert after.pointers["feedback"] == "analysis/feedback/0002/feedback.json"
    assert "analysis/feedback/0001/feedback.json" in after.declared
    package.check_whole(after)


def test_nothing_is_said_of_what_is_not_there_or_was_changed(package):
    with pytest.raises(MissingStageError):
        give(investigated_package(), Verdict.ACCEPTED)
    with pytest.raises(InputError):
        give(package, Verdict.ACCEPTED, " \n")
    package.disk.files[RESULT] = b"{ }"
    with pytest.raises(FolderChangedError):
        give(package, Verdict.ACCEPTED)
