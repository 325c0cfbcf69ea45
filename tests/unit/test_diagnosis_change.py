"""From a confirmed diagnosis to a validated change request, or a refusal with its reasons."""

import json
from dataclasses import replace
from pathlib import Path

import diagnosis_cases
import jsonschema
import pytest
from change_bench import HERE, Phase5, copy_of
from diagnosis_bench import DIR, GOOD, OPEN, Bench
from diagnosis_cases import INTERPRETED, LOG, SOURCE, investigated_package

from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.auditing import VALIDATED
from witmark.diagnosis.builder import Published
from witmark.diagnosis.case import InputKind, Routing, State
from witmark.diagnosis.change_request.building import FrozenPolicyError, Ready, Refused
from witmark.diagnosis.change_request.code_signs import looks_like_code
from witmark.diagnosis.change_request.document import (
    FORMAT,
    ChangeRequest,
    Proof,
    Relation,
)
from witmark.diagnosis.change_request.existing_tests import is_test
from witmark.diagnosis.change_request.form import schemas
from witmark.diagnosis.change_request.globs import matches
from witmark.diagnosis.change_request.output import VALIDATION, Validation
from witmark.diagnosis.change_request.policy import (
    Acceptance,
    BugfixPolicy,
    PersonPolicy,
    Reach,
    ScopePolicy,
)
from witmark.diagnosis.config import ConfigError
from witmark.diagnosis.lifecycle import MissingStageError
from witmark.diagnosis.package import Package, StaleCaseError
from witmark.diagnosis.plain import read_artefact, to_plain
from witmark.kernel.canon import digest_of
from witmark.kernel.errors import (
    BrokenChainError,
    DiskError,
    GarbledRecordError,
    IntegrityError,
)
from witmark.kernel.journal import read_journal
from witmark.testing.disks import FailingDisk, FullDisk, MemoryDisk, PowerCut

ROOT = Path(__file__).resolve().parent.parent.parent
NARROW = BugfixPolicy(version="narrow", scope=ScopePolicy(forbidden=("pkg/**",)))
ASKS_FIRST = BugfixPolicy(version="asks", person=PersonPolicy(Acceptance.ALWAYS))


def with_input(monkeypatch, path, raw, kind=InputKind.SOURCE):
    monkeypatch.setitem(diagnosis_cases.INPUTS, path, (raw, kind))


def document(one):
    path = f"{HERE}change_request.json"
    return read_artefact(FORMAT, ChangeRequest, one.files[path], place=path)


# The whole way -------------------------------------------------------------------------


@pytest.mark.clause("DIA-SEED-72", "DIA-CHG-01")
def test_a_confirmed_diagnosis_becomes_a_validated_change_request():
    one = Phase5()
    assert one.manifest.state is State.BUILDING_DIAGNOSIS
    made = one.change()
    assert isinstance(made, Ready)
    assert one.manifest.state is State.OUTPUT_READY
    assert one.manifest.routing is Routing.OUTPUT
    assert made.request == document(one)
    assert one.manifest.pointers["change_request"] == f"{HERE}change_request.json"
    assert one.router.told[-1][2:] == (State.OUTPUT_READY, Routing.OUTPUT)
    names = {n.removeprefix(HERE) for n in one.files if n.startswith(HERE)}
    assert names == {
        "change_request.json",
        "change_request.md",
        "policy.json",
        "validation.json",
    }


@pytest.mark.clause("DIA-CHG-02")
def test_the_document_says_what_where_which_tests_and_how_one_will_know():
    made = Phase5().change().request
    assert made.title.text == "Fix: Empty names crash"
    assert made.root_cause.summary.text == "load indexes an empty name"
    assert [one.id for one in made.root_cause.findings] == ["F-0001", "F-0002"]
    [place] = made.scope.places
    assert (place.location.path, place.location.name) == ("pkg/load.py", "load")
    assert (place.location.start_line, place.location.end_line) == (1, 2)
    assert place.relation is Relation.CAUSE
    assert place.file == digest_of(SOURCE)
    assert [one.text for one in made.observed] == ["load('') raises IndexError."]
    assert [one.proof for one in made.tests] == [Proof.REGRESSION, Proof.COUNTERCHECK]
    assert "load('') raises IndexError." in made.tests[0].says.text
    assert "H2 is the cause" in made.tests[1].says.text
    assert any("logs after the first megabyte" in one.text for one in made.risks)
    assert any("settings not given" in one.text for one in made.open_questions)
    assert any("since when?" in one.text for one in made.open_questions)
    assert any("does not say what should happen" in one.text for one in made.open_questions)
    assert made.acceptance_criteria
    assert made.after_release
    assert [one.text for one in made.reviewers] == ["a maintainer of the files in scope"]


@pytest.mark.clause("DIA-CHG-03")
def test_every_sentence_opens_at_a_place_that_is_there():
    one = Phase5()
    made = one.change().request
    assert all(claim.evidence for claim in made.claims)
    kept = {digest_of(raw) for raw in one.files.values()}
    assert {ref.blob for ref in made.refs} <= kept
    assert one.ground().opens(made.refs) is None


@pytest.mark.clause("DIA-CHG-04")
def test_the_same_package_and_policy_give_the_same_bytes_whatever_the_time():
    first, second = Phase5(), Phase5()
    second.clock.pass_s(1_000)
    first.change()
    second.change()
    names = [n for n in first.files if n.startswith(HERE)]
    assert {n: first.files[n] for n in names} == {n: second.files[n] for n in names}


@pytest.mark.clause("DIA-CHG-05")
def test_it_holds_no_code_and_no_line_of_the_source_and_changes_no_input():
    one = Phase5()
    before = dict(one.files)
    one.change()
    new = {n: raw for n, raw in one.files.items() if n not in before}
    assert {n: one.files[n] for n in before if n != "journals/audit.jsonl"} == {
        n: raw for n, raw in before.items() if n != "journals/audit.jsonl"
    }
    for name, raw in new.items():
        assert b"return name[0]" not in raw, name
        assert not name.endswith((".patch", ".diff", ".py", ".sql"))


@pytest.mark.clause("DIA-CHG-06")
def test_a_second_call_checks_everything_and_writes_nothing():
    one = Phase5()
    made = one.change()
    before = dict(one.files)
    assert one.change() == made
    assert one.files == before


# What it needs --------------------------------------------------------------------------


@pytest.mark.clause("DIA-CHG-07")
def test_without_a_confirmed_diagnosis_of_this_revision_nothing_is_made():
    fresh = Phase5(investigated_package())
    with pytest.raises(MissingStageError):
        fresh.change()
    blocked = Bench("no JSON")
    blocked.build()
    started = Phase5(blocked.package)
    with pytest.raises(MissingStageError):
        started.change()
    bench = Bench(OPEN)
    bench.build()
    inconclusive = Phase5(bench.package)
    before = dict(inconclusive.files)
    with pytest.raises(MissingStageError, match="FAILED_TO_ANALYZE"):
        inconclusive.change()
    assert inconclusive.files == before


@pytest.mark.clause("DIA-CHG-07")
def test_a_new_revision_needs_its_own_diagnosis():
    one = Phase5()
    one.change()
    CaseAssembler(one, one.clock).reopen(one.package, one.manifest)
    assert "change_request" not in one.manifest.pointers
    with pytest.raises(MissingStageError):
        one.change()
    with pytest.raises(MissingStageError):
        one.deliver()


@pytest.mark.clause("DIA-CHG-07")
@pytest.mark.parametrize("ready", [False, True])
def test_inputs_that_changed_stop_it(ready):
    one = Phase5()
    if ready:
        one.change()
    one.files["inputs/report.md"] += b"more"
    with pytest.raises(StaleCaseError):
        one.change()
    other = Phase5()
    other.files["inputs/extra.txt"] = b"?"
    with pytest.raises(StaleCaseError):
        other.change()


@pytest.mark.clause("DIA-CHG-08", "DIA-SEED-73")
def test_the_builder_of_diagnoses_makes_no_change_request_and_still_replays_one():
    one = Phase5()
    assert not [n for n in one.files if "change_request" in n]
    one.change()
    bench = Bench(package=one.package)
    before = dict(one.files)
    built = bench.build()
    assert isinstance(built, Published)
    assert built.manifest.state is State.OUTPUT_READY
    assert one.files == before
    assert bench.provider.asked == []


# Refusals ---------------------------------------------------------------------------------


@pytest.mark.clause("DIA-CHG-09")
def test_a_refusal_is_a_result_that_is_kept_and_goes_to_review():
    one = Phase5()
    made = one.change(NARROW)
    assert isinstance(made, Refused)
    assert [check.name for check in made.objections] == ["none-forbidden"]
    assert "forbidden by pkg/**" in made.objections[0].because
    assert one.manifest.state is State.BUILDING_DIAGNOSIS
    assert one.manifest.routing is Routing.REVIEW
    assert "change_request" not in one.manifest.pointers
    kept = {n.removeprefix(HERE) for n in one.files if n.startswith(HERE)}
    assert kept == {"policy.json", "validation.json"}
    found = read_artefact(VALIDATION, Validation, one.files[made.path], place="")
    assert found.outcome == "refused"
    with pytest.raises(MissingStageError):
        one.deliver()


@pytest.mark.clause("DIA-CHG-09")
def test_a_refusal_stands_until_the_policy_or_a_persons_word_is_another():
    one = Phase5()
    first = one.change(NARROW)
    before = dict(one.files)
    assert one.change(NARROW) == first
    assert one.change() == first  # what was frozen is adopted
    assert one.files == before
    second = one.change(BugfixPolicy())
    assert isinstance(second, Ready)
    assert second.request.bound.number == 2
    assert second.request.bound.policy_version == "default-1"


@pytest.mark.clause("DIA-CHG-10")
def test_where_the_policy_wants_it_a_person_accepts_first():
    one = Phase5()
    made = one.change(ASKS_FIRST)
    assert [check.name for check in made.objections] == ["person-agrees"]
    one.say("accepted")
    ready = one.change()
    assert isinstance(ready, Ready)
    assert ready.request.bound.feedback is not None
    assert ready.request.bound.policy_version == "asks"
    one.say("accepted", "said again")
    assert one.change().request == ready.request  # bound to the word that was said then


@pytest.mark.clause("DIA-CHG-10")
def test_a_diagnosis_that_a_person_rejected_becomes_no_change_request():
    one = Phase5()
    one.say("rejected")
    made = one.change()
    assert [check.name for check in made.objections] == ["person-agrees"]
    assert one.manifest.routing is Routing.REVIEW


@pytest.mark.clause("DIA-CHG-11")
def test_another_policy_than_the_one_that_stands_is_refused():
    one = Phase5()
    one.change()
    before = dict(one.files)
    with pytest.raises(FrozenPolicyError):
        one.change(NARROW)
    assert one.files == before
    assert isinstance(one.change(BugfixPolicy()), Ready)


# Scope and tests --------------------------------------------------------------------------


@pytest.mark.clause("DIA-CHG-12")
def test_tests_of_the_files_in_scope_are_found_in_the_package(monkeypatch):
    raw = b"from pkg.load import load\n\ndef test_a_name():\n    assert load('a') == 'a'\n"
    with_input(monkeypatch, "inputs/source/tests/test_names.py", raw)
    with_input(monkeypatch, "inputs/source/tests/test_load.py", b"# nothing yet\n")
    with_input(monkeypatch, "inputs/source/tests/test_other.py", b"import other\n")
    one = Phase5()
    made = one.change().request
    existing = [test.says for test in made.tests if test.proof is Proof.EXISTING]
    assert [said.text.partition(" ")[0] for said in existing] == [
        "tests/test_load.py",
        "tests/test_names.py",
    ]
    assert existing[1].evidence[0].blob == digest_of(raw)


@pytest.mark.clause("DIA-CHG-12")
@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("tests/test_a.py", True),
        ("pkg/a_test.go", True),
        ("src/AppTest.java", True),
        ("ui/app.spec.ts", True),
        ("ui/app.test.js", True),
        ("tests/conftest.py", True),
        ("tests/__init__.py", False),
        ("pkg/attest.py", False),
        ("pkg/latest.py", False),
        ("pkg/contest.java", False),
        ("tests/data.json", False),
        ("pkg/testing_tools.md", False),
    ],
)
def test_a_test_file_is_known_by_its_name_or_its_folder(path, is_one):
    assert is_test(path) is is_one


@pytest.mark.clause("DIA-CHG-13")
def test_the_policy_says_how_far_from_the_root_cause_and_the_rest_is_named_as_left_out(
    monkeypatch,
):
    with_input(monkeypatch, "inputs/source/pkg/far.py", b"def far():\n    return 1\n")
    near = replace(
        diagnosis_cases.INVESTIGATED.suspects[0],
        rank=2,
        location=replace(diagnosis_cases.F1.location, path="pkg/far.py", name="far"),
    )
    case = replace(
        diagnosis_cases.INVESTIGATED,
        suspects=(*diagnosis_cases.INVESTIGATED.suspects, near),
    )
    package = investigated_package(investigation=case)
    Bench(GOOD, package=package).build()
    files = dict(package.disk.files)
    for reach, places in ((Reach.FILE, 1), (Reach.DEFINITION, 1), (Reach.SUSPECTS, 2)):
        one = Phase5(Package(MemoryDisk(dict(files))))
        scope = one.change(BugfixPolicy(scope=ScopePolicy(reach=reach))).request.scope
        assert len(scope.places) == places
        assert len(scope.left_out) == 2 - places
        assert all("pkg/far.py" in claim.text for claim in scope.left_out)


@pytest.mark.clause("DIA-CHG-13")
@pytest.mark.parametrize(
    ("pattern", "path", "is_in"),
    [
        ("**", "a/b.py", True),
        ("**/*.lock", "Poetry.lock", True),
        ("**/*.lock", "a/b/c.lock", True),
        ("*.py", "a/b.py", False),
        ("src/**", "src/a/b.py", True),
        ("src/**", "src2/a.py", False),
        ("**/vendor/**", "vendor/a.py", True),
        ("**/vendor/**", "pkg/vendored.py", False),
        ("**/makefile", "a/Makefile", True),
        ("a?.py", "ab.py", True),
        ("a?.py", "a/.py", False),
        ("a+(b).py", "a+(b).py", True),
        ("a.py", "axpy", False),
    ],
)
def test_a_pattern_takes_in_whole_paths(pattern, path, is_in):
    assert matches(pattern, path) is is_in


# The policy -------------------------------------------------------------------------------


@pytest.mark.clause("DIA-CHG-14")
def test_the_example_of_a_policy_is_the_default():
    assert BugfixPolicy.load(ROOT / "config" / "bugfix-policy.example.toml") == BugfixPolicy()


@pytest.mark.clause("DIA-CHG-14")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "policy.toml"),
        ("[bugfix]\nversion = 1", "bugfix.version"),
        ("[bugfix]\nversion = ' '", "bugfix.version"),
        ("[bugfix]\nmodel = 'x'", "bugfix.model"),
        ("[bugfix.scope]\nreach = 'all'", "bugfix.scope.reach"),
        ("[bugfix.scope]\nmost_files = 0", "bugfix.scope.most_files"),
        ("[bugfix.scope]\nmost_files = true", "bugfix.scope.most_files"),
        ("[bugfix.scope]\nforbidden = 'a'", "bugfix.scope.forbidden"),
        ("[bugfix.scope]\nforbidden = ['']", "bugfix.scope.forbidden"),
        ('[bugfix.scope]\nforbidden = ["a\\u202eb"]', "bugfix.scope.forbidden"),
        ("[bugfix.tests]\nregression = 1", "bugfix.tests.regression"),
        ("[bugfix]\ntests = 1", "bugfix.tests"),
        ("[bugfix", "policy.toml"),
    ],
)
def test_a_policy_that_sets_what_cannot_be_set_is_refused_with_its_place(tmp_path, text, place):
    path = tmp_path / "policy.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        BugfixPolicy.load(path)
    assert caught.value.place.endswith(place)


@pytest.mark.clause("DIA-CHG-14")
def test_the_policy_is_frozen_with_its_digest_into_what_it_decided():
    one = Phase5()
    mine = BugfixPolicy(version="mine", scope=ScopePolicy(most_files=7))
    made = one.change(mine).request
    assert made.bound.policy == mine.digest == digest_of(one.files[f"{HERE}policy.json"])
    assert made.bound.policy != BugfixPolicy().digest
    assert made.scope.most_files == 7


# Words from outside -------------------------------------------------------------------------


@pytest.mark.clause("DIA-CHG-05")
@pytest.mark.parametrize(
    ("text", "is_code"),
    [
        ("load takes name[0] unchecked.", False),
        ("load('') raises IndexError.", False),
        ("If a name is empty, it fails:", False),
        ("- it fails", False),
        ("select a shift from the list", False),
        ("update the settings: set it to 3", False),
        ("--- a/pkg/load.py", True),
        ("x\n@@ -1,2 +1,2 @@ def load", True),
        ("diff --git a/x b/x", True),
        ("<<<<<<< HEAD", True),
        ("use ```python", True),
        ("def load(name):", True),
        ("    return name[0] if name else ''\n    x = f(1);", True),
        ("DELETE FROM users", True),
        ("ALTER TABLE users ADD x int", True),
        ("import os", True),
        ('it ends in File "a.py", line 3, in load name[0]', True),
        ("it ends in at app.Main.run(Main.java:12) and stops", True),
        ("it fails at noon (see line 12)", False),
        ("if (x) {", True),
    ],
)
def test_code_is_known_by_its_form(text, is_code):
    assert looks_like_code(text) is is_code


@pytest.mark.clause("DIA-CHG-05")
def test_words_of_the_case_that_are_code_are_pointed_to_and_not_repeated():
    patch = "--- a/pkg/load.py"
    symptom = replace(INTERPRETED.symptom[0], text=patch)
    package = investigated_package(interpretation=replace(INTERPRETED, symptom=(symptom,)))
    Bench(GOOD, package=package).build()
    one = Phase5(package)
    made = one.change()
    assert isinstance(made, Ready)
    assert patch not in one.files[f"{HERE}change_request.json"].decode()
    assert made.request.observed[0].evidence == (symptom.ref,)


@pytest.mark.clause("DIA-CHG-15")
def test_no_secret_and_nothing_hidden_gets_into_what_is_handed_over(monkeypatch):
    secret = "ghp_" + "a1B2" * 9
    hidden = "turns \u202e round | <b> `x` [a](http://b)"
    log = LOG + f"token {secret}\n".encode()
    with_input(monkeypatch, "inputs/logs/more.log", log, InputKind.LOG)
    said = (
        replace(INTERPRETED.symptom[0], text=f"it fails with {secret}"),
        replace(INTERPRETED.assumptions[0], text=hidden),
    )
    package = investigated_package(interpretation=replace(INTERPRETED, symptom=said))
    Bench(GOOD, package=package).build()
    one = Phase5(package)
    assert isinstance(one.change(), Ready)
    for name in (n for n in one.files if n.startswith(HERE)):
        assert secret.encode() not in one.files[name]
        assert "\u202e" not in one.files[name].decode()
    page = one.files[f"{HERE}change_request.md"].decode()
    assert "[redacted github-token 1]".replace("[", "\\[").replace("]", "\\]") in page
    assert "<b>" not in page.replace("\\<b\\>", "")


# Replay ----------------------------------------------------------------------------------


GOLDEN = sorted((ROOT / "tests" / "golden" / "change_request").glob("*.json"))


@pytest.mark.clause("DIA-CHG-16", "DIA-RPL-01")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_an_earlier_release_made_is_replayed_to_the_byte(path):
    """Other sentences, other gates or another form need a new version beside the old one."""
    files = {name: text.encode() for name, text in json.loads(path.read_text("utf-8")).items()}
    one = Phase5(Package(MemoryDisk(dict(files))))
    made = one.change()
    assert isinstance(made, Refused if "refused" in path.stem else Ready)
    if "delivered" in path.stem:
        assert one.deliver().was_there
        assert one.outboxes == {}
    assert one.files == files


@pytest.mark.clause("DIA-CHG-16")
def test_there_is_a_golden_package_of_every_kind_of_end():
    kinds = {path.stem.partition("-")[2] for path in GOLDEN}
    assert kinds == {"ready", "delivered", "refused"}


def forged(one, **changes):
    """The newest manifest, changed and sealed again."""
    manifest = one.manifest
    one.package.advance(manifest, replace(manifest, **changes), {})


@pytest.mark.clause("DIA-CHG-16")
@pytest.mark.parametrize("refused", [False, True])
def test_one_changed_bit_of_what_was_published_is_refused_and_nothing_is_mended(refused):
    one = Phase5()
    one.change(NARROW if refused else None)
    for name in sorted(n for n in one.files if n.startswith(HERE)):
        for place in (0, len(one.files[name]) // 2, -2):
            other = copy_of(one)
            raw = bytearray(other.files[name])
            raw[place] ^= 1
            other.files[name] = bytes(raw)
            before = dict(other.files)
            asks = [other.change, Bench(package=other.package).build]
            for ask in asks if refused else [*asks, other.deliver]:
                with pytest.raises(IntegrityError):
                    ask()
            assert other.files == before
        other = copy_of(one)
        del other.files[name]
        with pytest.raises(IntegrityError):
            other.change()


@pytest.mark.clause("DIA-CHG-16")
def test_a_document_that_was_swapped_and_sealed_again_is_refused():
    """Whoever can seal a manifest still cannot make the document follow from the diagnosis."""
    one = Phase5()
    one.change()
    path = f"{HERE}change_request.json"
    other = one.files[path].replace(b"Fix: Empty", b"Fix: Other")
    assert other != one.files[path]
    manifest = one.manifest
    last = manifest.checkpoints[-1]
    one.files[path] = other
    swapped = replace(last, files={**last.files, path: digest_of(other)})
    forged(one, checkpoints=(*manifest.checkpoints[:-1], swapped))
    with pytest.raises(IntegrityError):
        one.change()
    with pytest.raises(IntegrityError):
        one.deliver()


@pytest.mark.clause("DIA-CHG-16")
@pytest.mark.parametrize("change", ["state", "ready", "pointer", "diagnosis", "missing"])
def test_a_sealed_manifest_that_does_not_fit_is_refused_by_every_phase(change):
    one = Phase5()
    made = one.change()
    manifest, last = made.manifest, made.manifest.checkpoints[-1]
    steps = manifest.checkpoints[:-1]
    match change:
        case "state":
            forged(one, state=State.BUILDING_DIAGNOSIS)
        case "ready":
            bound = {**last.bindings, "outcome": "refused"}
            forged(one, checkpoints=(*steps, replace(last, bindings=bound)))
        case "pointer":
            elsewhere = {**manifest.pointers, "change_request": f"{HERE}policy.json"}
            forged(one, pointers={**elsewhere, "change_policy": f"{HERE}validation.json"})
        case "diagnosis":
            bound = {**last.bindings, "diagnosis": digest_of(b"another")}
            forged(one, checkpoints=(*steps, replace(last, bindings=bound)))
        case _:
            names = {k: v for k, v in manifest.pointers.items() if k != "change_request"}
            forged(one, pointers=names)
    with pytest.raises(IntegrityError):
        one.change()
    if change != "pointer":  # that it is another artefact of the same step, phase 5 knows
        with pytest.raises(IntegrityError):
            Bench(package=one.package).build()


@pytest.mark.clause("DIA-CHG-16")
def test_a_diagnosis_that_does_not_replay_gives_no_change_request():
    one = Phase5()
    manifest = one.manifest
    result = f"{DIR}diagnosis_result.json"
    plain = json.loads(one.files[result])
    plain["diagnosis"]["final_reason"] = "another reason altogether"
    raw = json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()
    one.files[result] = raw
    last = manifest.checkpoints[-1]
    swapped = replace(last, files={**last.files, result: digest_of(raw)})
    forged(one, checkpoints=(*manifest.checkpoints[:-1], swapped))
    with pytest.raises(IntegrityError):
        one.change()
    assert not [n for n in one.files if n.startswith(HERE)]


@pytest.mark.clause("DIA-CHG-16")
def test_a_manifest_that_went_missing_after_the_validation_is_noticed():
    one = Phase5()
    newest = one.change().manifest.generation
    for number in (newest, newest - 1):
        del one.files[f"manifests/{number:08d}.json"]
        other = copy_of(one)
        if number == newest - 1:  # without the start nobody declared what stands there
            for name in [n for n in other.files if n.startswith(HERE)]:
                del other.files[name]
        with pytest.raises(BrokenChainError, match="manifest is gone"):
            other.change()


@pytest.mark.clause("DIA-CHG-16")
def test_the_audit_says_what_the_validation_came_to_once():
    one = Phase5()
    for _ in range(3):
        one.change()
    said = [e.body for e in read_journal(one.package.disk, "audit") if e.kind == VALIDATED]
    assert said == [{"outcome": "ready", "subject": "change_request-0001"}]


# Crashes ----------------------------------------------------------------------------------


def visible(files):
    """Whether a reader sees nothing of the request, or all of it."""
    package = Package(MemoryDisk(dict(files)))
    manifest = package.manifest()
    package.check_whole(manifest)
    package.check_fresh(manifest)
    if manifest.state is State.OUTPUT_READY:
        for path in manifest.pointers.values():
            package.artefact(manifest, path)
    else:
        assert "change_request" not in manifest.pointers
    return manifest


@pytest.mark.clause("DIA-CHG-17")
@pytest.mark.parametrize("kind", [FailingDisk, FullDisk])
@pytest.mark.parametrize("policy", [None, NARROW])
def test_a_crash_before_any_write_leaves_nothing_partial_and_the_next_call_ends_it(
    kind, policy
):
    """Whatever write the power goes before, another process comes to the very same bytes."""
    start = Phase5()
    whole = copy_of(start)
    whole.change(policy)
    deaths = 0
    for left in range(20):
        one = copy_of(start)
        disk = kind(one.files, writes_left=left)
        try:
            Phase5(Package(disk)).change(policy)
            break
        except (PowerCut, DiskError):
            deaths += 1
        visible(one.files)
        again = Phase5(Package(MemoryDisk(one.files)))
        again.change(policy)
        assert one.files == whole.files
    assert deaths >= 5


@pytest.mark.clause("DIA-CHG-17")
def test_a_policy_that_was_changed_after_a_crash_takes_the_next_number():
    """What the dead one left is declared, so it makes no input stale."""
    start = Phase5()
    one = copy_of(start)
    with pytest.raises(PowerCut):
        Phase5(Package(FailingDisk(one.files, writes_left=2))).change(NARROW)
    assert [n for n in one.files if n.startswith(HERE)]
    again = Phase5(Package(MemoryDisk(one.files)))
    with pytest.raises(FrozenPolicyError):
        again.change()  # begun with one that is not at hand
    made = again.change(BugfixPolicy())
    assert isinstance(made, Ready)
    assert made.request.bound.number == 2


@pytest.mark.clause("DIA-CHG-17")
def test_a_strangers_file_where_an_artefact_belongs_is_left_alone():
    one = Phase5()
    one.files[f"{HERE}policy.json"] = b"mine"
    with pytest.raises(StaleCaseError):
        one.change()
    assert one.files[f"{HERE}policy.json"] == b"mine"


# The form ---------------------------------------------------------------------------------


@pytest.mark.clause("DIA-CHG-18")
def test_what_is_written_keeps_the_exported_schemas():
    one = Phase5()
    one.change()
    for name, schema in (
        ("change_request.json", "change-request-1"),
        ("policy.json", "bugfix-policy-1"),
        ("validation.json", "output-validation-1"),
    ):
        plain = json.loads(one.files[f"{HERE}{name}"])
        jsonschema.Draft202012Validator.check_schema(schemas()[schema])
        jsonschema.validate(plain, schemas()[schema])
        on_disk = json.loads((ROOT / "schemas" / f"{schema}.schema.json").read_text("utf-8"))
        assert on_disk == schemas()[schema]
        less = {k: v for k, v in plain["value"].items() if k != min(plain["value"])}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**plain, "value": less}, schemas()[schema])


@pytest.mark.clause("DIA-CHG-18")
def test_a_document_is_read_back_as_it_was_written_and_nothing_else_is():
    one = Phase5()
    made = one.change().request
    assert to_plain(document(one)) == to_plain(made)
    path = f"{HERE}change_request.json"
    with pytest.raises(GarbledRecordError):
        read_artefact(VALIDATION, Validation, one.files[path], place=path)
