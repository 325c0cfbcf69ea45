"""The final output validation: each gate refuses what it is there for, with its reason."""

from dataclasses import replace

import diagnosis_cases
import pytest
from change_bench import Phase5, objections, output_of
from diagnosis_bench import Bench
from diagnosis_cases import CONFIRMED, F5, H1, INTERPRETED, SOURCE, investigated_package

from witmark.diagnosis import wire
from witmark.diagnosis.case import InputKind
from witmark.diagnosis.change_request import output_gates
from witmark.diagnosis.change_request.document import Claim, Proof, Relation
from witmark.diagnosis.change_request.policy import (
    Acceptance,
    BugfixPolicy,
    OutputPolicy,
    PersonPolicy,
    Reach,
    ScopePolicy,
)
from witmark.diagnosis.change_request.writing import write_request
from witmark.diagnosis.feedback import Feedback, Verdict
from witmark.diagnosis.findings import Support
from witmark.kernel.canon import digest_of
from witmark.kernel.evidence import EvidenceRef, TextRange
from witmark.kernel.gate import Outcome

SECRET = "ghp_" + "a1B2" * 9
TEST = b"from pkg.load import load\n"


@pytest.fixture(scope="module")
def one():
    return Phase5()


@pytest.fixture(scope="module")
def ground(one):
    return one.ground()


@pytest.fixture(scope="module")
def good(ground):
    return write_request(ground, 1)


def bound(request, **changes):
    return replace(request, bound=replace(request.bound, **changes))


def scope(request, **changes):
    return replace(request, scope=replace(request.scope, **changes))


def place(request, **changes):
    [first] = request.scope.places
    return scope(request, places=(replace(first, **changes),))


def at(request, **changes):
    location = request.scope.places[0].location
    return place(request, location=replace(location, **changes))


def more_text(request, text):
    """One more sentence, honestly cited."""
    claim = Claim(text, request.title.evidence)
    return replace(request, acceptance_criteria=(*request.acceptance_criteria, claim))


def without(request, proof):
    return replace(request, tests=tuple(one for one in request.tests if one.proof is not proof))


def loose(request):
    """The test that fails before the change, bound to something else."""
    tests = tuple(
        replace(one, says=replace(one.says, evidence=request.title.evidence))
        for one in request.tests
    )
    return replace(request, tests=tests)


NOWHERE = EvidenceRef(digest_of(b"never kept"))
PAST_THE_END = EvidenceRef(digest_of(SOURCE), TextRange(10, 10_000))

ALONE = [
    ("bound-intact", "bound to another case", lambda r: bound(r, case_id="other")),
    ("bound-intact", "another package", lambda r: bound(r, package_id="other")),
    ("bound-intact", "another revision", lambda r: bound(r, revision=2)),
    ("bound-intact", "another diagnosis", lambda r: bound(r, diagnosis=digest_of(b"x"))),
    ("bound-intact", "another context", lambda r: bound(r, context=digest_of(b"x"))),
    ("bound-intact", "another inventory", lambda r: bound(r, inventory=digest_of(b"x"))),
    ("bound-intact", "another policy", lambda r: bound(r, policy=digest_of(b"x"))),
    ("bound-intact", "another policy version", lambda r: bound(r, policy_version="x")),
    ("bound-intact", "another feedback", lambda r: bound(r, feedback=digest_of(b"x"))),
    (
        "cause-told",
        "other findings",
        lambda r: replace(
            r, root_cause=replace(r.root_cause, findings=r.root_cause.findings[:1])
        ),
    ),
    (
        "cause-told",
        "another confidence",
        lambda r: replace(r, root_cause=replace(r.root_cause, confidence="certain")),
    ),
    (
        "claims-cited",
        "nothing supports",
        lambda r: replace(r, title=replace(r.title, evidence=())),
    ),
    ("claims-cited", "nothing leads to", lambda r: place(r, evidence=())),
    (
        "evidence-opens",
        "nothing at",
        lambda r: replace(r, title=replace(r.title, evidence=(NOWHERE,))),
    ),
    (
        "evidence-opens",
        "char=10,10000",
        lambda r: replace(r, title=replace(r.title, evidence=(PAST_THE_END,))),
    ),
    ("locations-exist", "other bytes", lambda r: place(r, file=digest_of(b"x"))),
    ("scope-said", "another scope", lambda r: scope(r, most_files=99)),
    ("scope-said", "another scope", lambda r: scope(r, forbidden=())),
    ("scope-said", "another scope", lambda r: scope(r, allowed=("**", "x"))),
    ("scope-said", "another scope", lambda r: scope(r, reach="suspects")),
    ("within-limits", "twice", lambda r: scope(r, places=r.scope.places * 2)),
    ("within-scope", "it is not suspect", lambda r: place(r, relation=Relation.SUSPECT)),
    ("tests-required", "fails before", lambda r: without(r, Proof.REGRESSION)),
    ("tests-required", "alternative", lambda r: without(r, Proof.COUNTERCHECK)),
    ("tests-required", "bound to nothing", loose),
    ("criteria-said", "how one will know", lambda r: replace(r, acceptance_criteria=())),
    ("criteria-said", "how one will know", lambda r: replace(r, after_release=())),
    ("criteria-said", "nobody", lambda r: replace(r, reviewers=())),
    ("risks-carried", "remaining uncertainty 1", lambda r: replace(r, risks=r.risks[1:])),
    ("risks-carried", "human assumptions", lambda r: replace(r, risks=r.risks[:-1])),
    ("risks-carried", "not looked at", lambda r: replace(r, risks=r.risks[:1] + r.risks[2:])),
    ("questions-carried", "H3", lambda r: replace(r, open_questions=r.open_questions[1:])),
    (
        "questions-carried",
        "not known of the cause",
        lambda r: replace(r, open_questions=r.open_questions[:1]),
    ),
    ("no-code", "code or a patch", lambda r: more_text(r, "--- a/pkg/load.py")),
    ("no-code", "code or a patch", lambda r: more_text(r, "DELETE FROM users WHERE x = 1")),
    ("no-secrets", "github-token", lambda r: more_text(r, f"log in with {SECRET}")),
    ("safe-text", "blank", lambda r: more_text(r, " ")),
    ("safe-text", "hide", lambda r: more_text(r, "two\nlines")),
]


def test_an_honest_request_passes_every_gate(ground, good):
    report = output_gates.check(output_of(ground, good), ground)
    assert report.admits
    assert [one.name for one in report.checks] == [name for name, _ in output_gates.GATES]


@pytest.mark.clause("DIA-CHG-20")
@pytest.mark.parametrize(
    ("gate", "because", "change"), ALONE, ids=[f"{a}: {b}" for a, b, _ in ALONE]
)
def test_a_gate_refuses_what_it_is_there_for_alone_and_with_its_reason(
    ground, good, gate, because, change
):
    changed = change(good)
    assert changed != good
    report = output_gates.check(output_of(ground, changed), ground)
    assert [one.name for one in report.objections] == [gate]
    assert because in report.objections[0].because


@pytest.mark.clause("DIA-CHG-20")
@pytest.mark.parametrize(
    ("because", "change"),
    [
        ("leads to no place", lambda r: scope(r, places=())),
        ("not in the given source", lambda r: at(r, path="pkg/gone.py")),
        ("has 2 lines", lambda r: at(r, end_line=3)),
        ("has 2 lines", lambda r: at(r, start_line=0)),
        ("does not name", lambda r: at(r, name="Loader.save")),
    ],
)
def test_a_place_that_is_not_there_is_refused(ground, good, because, change):
    """It is no place of the cause either, so the scope objects as well."""
    report = output_gates.check(output_of(ground, change(good)), ground)
    said = {one.name: one.because for one in report.objections}
    assert because in said["locations-exist"]
    assert set(said) <= {"locations-exist", "within-scope"}


@pytest.mark.clause("DIA-CHG-20")
def test_hidden_characters_are_refused_in_a_text_and_on_the_page(ground, good):
    turned = output_of(ground, more_text(good, "turns \u202e round"))
    assert objections(turned, ground) == {"safe-text"}
    page = output_of(ground, good, page=b"# Fix\n\xe2\x80\x8b\n")
    assert objections(page, ground) == {"safe-text"}


@pytest.mark.clause("DIA-CHG-20")
def test_a_secret_is_refused_in_the_files_as_well_as_in_the_texts(ground, good):
    for output in (
        output_of(ground, good, raw=f'"{SECRET}"'.encode()),
        output_of(ground, good, page=f"# {SECRET}\n".encode()),
    ):
        assert objections(output, ground) == {"no-secrets"}


@pytest.mark.clause("DIA-CHG-20")
def test_what_is_too_large_is_refused_and_not_cut(one, ground, good):
    size = len(output_of(ground, good).raw)
    for most, names in ((size, set()), (size - 1, {"sizes"})):
        policy = BugfixPolicy(output=OutputPolicy(max_bytes=most))
        held = one.ground(policy)
        request = bound(good, policy=policy.digest)
        assert objections(output_of(held, rebased(request, ground, held)), held) == names
    few = one.ground(BugfixPolicy(output=OutputPolicy(most_claims=3)))
    assert objections(output_of(few), few) == {"sizes"}


def rebased(request, before, after):
    """A request whose places in the policy are those of another one."""

    def moved(claim):
        refs = tuple(
            replace(ref, blob=after.policy.digest) if ref.blob == before.policy.digest else ref
            for ref in claim.evidence
        )
        return replace(claim, evidence=refs)

    return replace(
        request,
        acceptance_criteria=tuple(map(moved, request.acceptance_criteria)),
        reviewers=tuple(map(moved, request.reviewers)),
    )


# The policy's own ----------------------------------------------------------------------------


def held(one, **parts):
    ground = one.ground(BugfixPolicy(**parts))
    return objections(output_of(ground), ground)


@pytest.mark.clause("DIA-CHG-21")
def test_a_cause_that_the_policy_forbids_is_refused_and_not_left_out(one):
    assert held(one, scope=ScopePolicy(forbidden=("pkg/*.py",))) == {"none-forbidden"}
    assert held(one, scope=ScopePolicy(forbidden=("PKG/LOAD.PY",))) == {"none-forbidden"}
    assert held(one, scope=ScopePolicy(allowed=("src/**",))) == {"none-forbidden"}
    assert held(one, scope=ScopePolicy(allowed=("pkg/**",))) == set()


@pytest.mark.clause("DIA-CHG-21")
def test_a_generated_file_is_never_in_scope(monkeypatch):
    marked = SOURCE + b"\n# Code generated by a tool. DO NOT EDIT.\n"
    monkeypatch.setattr(diagnosis_cases, "SOURCE", marked)
    monkeypatch.setitem(
        diagnosis_cases.INPUTS, "inputs/source/pkg/load.py", (marked, InputKind.SOURCE)
    )
    findings = tuple(
        replace(f, quotes=tuple(replace(q, ref=moved(q.ref, marked)) for q in f.quotes))
        for f in diagnosis_cases.FINDINGS
    )
    case = replace(diagnosis_cases.INVESTIGATED, findings=findings)
    ground = confirmed(investigated_package(investigation=case)).ground()
    assert objections(output_of(ground), ground) == {"none-forbidden"}


def moved(ref, raw):
    return replace(ref, blob=digest_of(raw)) if ref.blob == digest_of(SOURCE) else ref


def confirmed(package, diagnosis=CONFIRMED):
    bench = Bench(wire.decision_json(diagnosis), package=package)
    bench.build()
    return Phase5(package)


def two_places():
    """A case whose root cause lies in two files."""
    second = replace(
        diagnosis_cases.F2,
        location=replace(diagnosis_cases.F2.location, path="pkg/more.py", name="more"),
    )
    findings = tuple(second if f.id == second.id else f for f in diagnosis_cases.FINDINGS)
    return replace(diagnosis_cases.INVESTIGATED, findings=findings)


@pytest.mark.clause("DIA-CHG-21")
def test_a_cause_in_more_files_than_the_policy_takes_needs_a_person(monkeypatch):
    more = b"def more():\n    return load\n"
    monkeypatch.setitem(
        diagnosis_cases.INPUTS, "inputs/source/pkg/more.py", (more, InputKind.SOURCE)
    )
    one = confirmed(investigated_package(investigation=two_places()))
    assert held(one, scope=ScopePolicy(most_files=2)) == set()
    assert held(one, scope=ScopePolicy(most_files=1)) == {"within-limits"}
    assert held(one, scope=ScopePolicy(most_definitions=1)) == {"within-limits"}


@pytest.mark.clause("DIA-CHG-21")
def test_a_place_beyond_the_reach_is_refused_whoever_wrote_it_down(one, ground, good):
    """The gate does not trust the decision on the scope."""
    [first] = good.scope.places
    second = replace(first, relation=Relation.SAME_FILE)
    third = replace(second, location=replace(first.location, name="name"))
    widened = scope(good, places=(first, third))
    assert objections(output_of(ground, widened), ground) == {"within-scope"}
    left_out = scope(good, places=(third,))
    assert objections(output_of(ground, left_out), ground) == {"within-scope"}
    narrow = one.ground(BugfixPolicy(scope=ScopePolicy(reach=Reach.DEFINITION)))
    assert objections(output_of(narrow), narrow) == set()


@pytest.mark.clause("DIA-CHG-21")
def test_a_cause_that_leads_to_no_place_in_the_source_needs_a_person():
    cases = diagnosis_cases
    findings = tuple(
        replace(f, location=None) if f.id in {cases.F1.id, cases.F2.id} else f
        for f in cases.FINDINGS
    )
    case = replace(cases.INVESTIGATED, findings=findings, suspects=())
    ground = confirmed(investigated_package(investigation=case)).ground()
    assert objections(output_of(ground), ground) == {"locations-exist"}


@pytest.mark.clause("DIA-CHG-21")
def test_an_existing_test_of_a_touched_file_may_not_be_forgotten(monkeypatch):
    path = "inputs/source/tests/test_load.py"
    monkeypatch.setitem(diagnosis_cases.INPUTS, path, (TEST, InputKind.SOURCE))
    ground = confirmed(investigated_package()).ground()
    good = write_request(ground, 1)
    assert objections(output_of(ground, good), ground) == set()
    forgotten = without(good, Proof.EXISTING)
    assert objections(output_of(ground, forgotten), ground) == {"tests-required"}


@pytest.mark.clause("DIA-CHG-21")
def test_what_speaks_against_the_cause_is_carried_along(monkeypatch):
    selected = replace(
        CONFIRMED.evaluations[0],
        contradicting_evidence_ids=(F5.id,),
        contradictions_answered="the logs of that day were cut, so this says nothing",
    )
    diagnosis = replace(
        CONFIRMED,
        confidence=Support.SUPPORTED,
        evaluations=(selected, *CONFIRMED.evaluations[1:]),
    )
    assert selected.hypothesis_id == H1
    ground = confirmed(investigated_package(), diagnosis).ground()
    good = write_request(ground, 1)
    assert objections(output_of(ground, good), ground) == set()
    [against] = good.contradictions
    assert "the logs of that day were cut" in against.text
    silent = replace(good, contradictions=())
    assert objections(output_of(ground, silent), ground) == {"risks-carried"}
    assert any("did not make the diagnosis" in one.text for one in good.reviewers)


@pytest.mark.clause("DIA-CHG-21")
def test_what_the_case_expects_is_a_criterion():
    wanted = replace(INTERPRETED.symptom[0], text="an empty name is refused with a word")
    said = replace(INTERPRETED, expected=(wanted,))
    ground = confirmed(investigated_package(interpretation=said)).ground()
    good = write_request(ground, 1)
    assert objections(output_of(ground, good), ground) == set()
    assert any(wanted.text in one.text for one in good.acceptance_criteria)
    criteria = tuple(one for one in good.acceptance_criteria if wanted.ref not in one.evidence)
    forgotten = replace(good, acceptance_criteria=criteria)
    assert objections(output_of(ground, forgotten), ground) == {"criteria-said"}


@pytest.mark.clause("DIA-CHG-10")
def test_the_word_of_a_person_counts_only_for_the_diagnosis_it_was_said_of(one):
    always = one.ground(BugfixPolicy(person=PersonPolicy(Acceptance.ALWAYS)))
    word = Feedback(Verdict.ACCEPTED, "yes", 1, "path", always.result)
    for feedback, names in (
        (None, {"person-agrees"}),
        (word, set()),
        (replace(word, digest=digest_of(b"an older one")), {"person-agrees"}),
        (replace(word, verdict=Verdict.REJECTED), {"person-agrees"}),
    ):
        said = replace(always, feedback=feedback)
        assert objections(output_of(said), said) == names


@pytest.mark.clause("DIA-CHG-10")
def test_a_strongly_supported_cause_needs_no_person_where_the_policy_says_so(one):
    unless = BugfixPolicy(person=PersonPolicy(Acceptance.UNLESS_STRONG))
    ground = one.ground(unless)
    assert objections(output_of(ground), ground) == set()
    weaker = replace(ground, diagnosis=replace(CONFIRMED, confidence=Support.SUPPORTED))
    assert "person-agrees" in objections(output_of(weaker), weaker)


@pytest.mark.clause("DIA-CHG-20")
def test_every_gate_has_a_case_that_it_refuses():
    shown = {name for name, _, _ in ALONE}
    elsewhere = {"none-forbidden", "person-agrees", "sizes"}
    assert shown | elsewhere == {name for name, _ in output_gates.GATES}


@pytest.mark.clause("DIA-CHG-20")
def test_a_gate_that_holds_gives_no_reason(ground, good):
    report = output_gates.check(output_of(ground, good), ground)
    assert {(one.outcome, one.because) for one in report.checks} == {(Outcome.HOLDS, "")}
