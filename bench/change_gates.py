"""Fuzzed change requests: nothing that breaks a promise goes out, and a second oracle agrees.

Packages with a confirmed diagnosis and policies are made at random. On each a request is
written, then changed in none to three places, and held by every output gate. ``change_oracle``
reads the same document beside the same files and has to name the same gates. Every gate has to
be the only one that stands in some request's way.

``--full``: 30,000 requests instead of 3,000.
"""

import copy
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bench import change_oracle
from bench.change_oracle import CODE, FINE, HIDDEN, SECRETS
from bench.common import ROOT, Stopwatch, finish, options
from witmark.diagnosis import wire
from witmark.diagnosis.case import InputKind
from witmark.diagnosis.change_request import output_gates
from witmark.diagnosis.change_request.document import FORMAT, ChangeRequest
from witmark.diagnosis.change_request.ground import Ground
from witmark.diagnosis.change_request.page import page_of
from witmark.diagnosis.change_request.policy import (
    Acceptance,
    BugfixPolicy,
    OutputPolicy,
    PersonPolicy,
    Reach,
    RequiredTests,
    ScopePolicy,
)
from witmark.diagnosis.change_request.writing import write_request
from witmark.diagnosis.findings import CodeLocation, Support
from witmark.diagnosis.plain import artefact_bytes, from_plain, to_plain
from witmark.kernel.canon import digest_of

sys.path.append(str(ROOT / "tests"))  # the made case is the tests' own

import diagnosis_cases as cases  # as above
from change_bench import Phase5  # as above
from diagnosis_bench import Bench  # as above

SEED = 72
PER_GROUND = 25
Plain = dict[str, Any]

SOURCES = {
    "pkg/more.py": b"def more():\n    return 1\n\n\ndef less():\n    return 2\n",
    "pkg/made.py": b"# Made by a tool. Do not edit.\ndef made():\n    return 0\n",
    "vendor/far.py": b"def far():\n    return 3\n",
    "tests/test_load.py": b"# nothing yet\n",
    "tests/test_all.py": b"from pkg import more\n\ndef test_it():\n    more.less()\n",
}
PLACES = (
    *(("pkg/load.py", "load", 1, 2), ("pkg/more.py", "more", 1, 2)),
    *(("pkg/more.py", "less", 5, 6), ("pkg/made.py", "made", 2, 3)),
    *(("vendor/far.py", "far", 1, 2), ("pkg/gone.py", "gone", 1, 2)),
)
PATTERNS = (
    "**",
    "pkg/**",
    "**/vendor/**",
    "PKG/made.py",
    "*.py",
    "**/*.py",
    "pkg/m*.py",
    "v?n*/**",
)


@dataclass
class Tally:
    """What the requests came to."""

    admitted: int = 0
    refused: int = 0
    escapes: int = 0  # admitted, and the oracle says that a promise is broken
    differing: int = 0
    grounds: int = 0
    by_gate: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz; print what the two readings make of it."""
    chosen, watch = options(argv, __doc__), Stopwatch()
    requests = 30_000 if chosen.full else 3_000
    tally = fuzzed(requests, random.Random(SEED))  # noqa: S311  # dice, not secrets
    for line in tally.told:
        print(line)
    names = [name for name, _ in output_gates.GATES]
    figures = {
        "admitted": tally.admitted,
        "refused": tally.refused,
        "grounds": tally.grounds,
        "escapes": tally.escapes,
        "differing": tally.differing,
        "refused_by": {name: tally.by_gate[name] for name in names},
        "alone": {name: tally.alone[name] for name in names},
        "never_alone": [name for name in names if not tally.alone[name]],
    }
    limits = {"escapes": 0, "differing": 0, "never_alone": []}
    ok = all(figures[name] == limit for name, limit in limits.items())
    ok = ok and tally.admitted * 50 > requests and tally.refused * 5 > requests
    return finish("change_gates", watch, figures=figures, limits=limits, n=requests, ok=ok)


def fuzzed(requests: int, dice: random.Random) -> Tally:
    """Make requests and hold the two readings against each other."""
    tally = Tally()
    for number in range(requests):
        if number % PER_GROUND == 0:
            phase5, ground = a_ground(dice)
            honest = to_plain(write_request(ground, 1))
            policy = to_plain(ground.policy)
            word = phase5.manifest.pointers.get("feedback", "")
            tally.grounds += 1
        plain = changed(honest, dice)
        request = from_plain(ChangeRequest, plain, place="bench")
        raw, page = artefact_bytes(FORMAT, request), page_of(request).encode()
        output = output_gates.Output(request, raw, page)
        report = output_gates.check(output, ground)
        found = {one.name for one in report.objections}
        wanted = change_oracle.broken(plain, raw, page, phase5.files, policy, word)
        _compared(tally, found, wanted, report)
    return tally


def _compared(
    tally: Tally, found: set[str], wanted: frozenset[str], report: output_gates.GateReport
) -> None:
    tally.admitted += not found
    tally.refused += bool(found)
    tally.by_gate.update(found)
    if len(found) == 1:
        tally.alone.update(found)
    tally.escapes += not found and bool(wanted)
    if found != wanted:
        tally.differing += 1
        if len(tally.told) < 8:
            said = [f"{one.name}: {one.because}" for one in report.objections]
            tally.told.append(f"gates {said}, oracle {sorted(wanted)}")


# Grounds ---------------------------------------------------------------------------------


def a_ground(dice: random.Random) -> tuple[Phase5, Ground]:
    """A confirmed package, made at random, and a policy on it."""
    kept = dict(cases.INPUTS)
    try:
        for path, raw in SOURCES.items():
            if dice.random() < 0.8:
                cases.INPUTS[f"inputs/source/{path}"] = (raw, InputKind.SOURCE)
        package = cases.investigated_package(
            investigation=_investigation(dice), interpretation=_interpretation(dice)
        )
    finally:
        cases.INPUTS.clear()
        cases.INPUTS.update(kept)
    Bench(wire.decision_json(_decision(dice)), package=package).build()
    phase5 = Phase5(package)
    if dice.random() < 0.4:
        phase5.say(dice.choice(("accepted", "accepted", "rejected")))
    path = phase5.manifest.pointers.get("feedback")
    word = None if path is None else phase5.manifest.declared[path]
    return phase5, phase5.ground(_policy(dice), word)


def _location(dice: random.Random) -> CodeLocation:
    return CodeLocation(*dice.choice((*PLACES, *PLACES[:3], *PLACES[:1])))


def _investigation(dice: random.Random) -> Any:  # noqa: ANN401  # the tests' own value
    second = replace(cases.F2, location=dice.choice((None, _location(dice), cases.F1.location)))
    findings = tuple(second if one.id == second.id else one for one in cases.FINDINGS)
    [first] = cases.INVESTIGATED.suspects
    locations = dict.fromkeys(_location(dice) for _ in range(dice.randint(0, 5)))
    suspects = tuple(
        replace(first, rank=n, location=one, findings=(dice.choice(findings[:4]).id,))
        for n, one in enumerate(locations, 1)
    )
    left = tuple(dice.choice(FINE) for _ in range(dice.randint(1, 3)))
    return replace(cases.INVESTIGATED, findings=findings, suspects=suspects, not_looked_at=left)


def _interpretation(dice: random.Random) -> Any:  # noqa: ANN401  # the tests' own value
    said, [symptom] = cases.INTERPRETED, cases.INTERPRETED.symptom
    wanted = replace(symptom, ref=cases.quote(cases.REPORT, "raises IndexError").ref)
    return replace(
        said,
        symptom=(symptom,) if dice.random() < 0.9 else (),
        expected=(wanted,) if dice.random() < 0.4 else (),
        intended=(wanted,) if dice.random() < 0.2 else (),
    )


def _decision(dice: random.Random) -> Any:  # noqa: ANN401  # the tests' own value
    if dice.random() < 0.6:
        return cases.CONFIRMED
    first, *others = cases.CONFIRMED.evaluations
    against = replace(
        first,
        contradicting_evidence_ids=(cases.F5.id,),
        contradictions_answered="the logs of that day were cut, so this says nothing",
    )
    return replace(
        cases.CONFIRMED, confidence=Support.SUPPORTED, evaluations=(against, *others)
    )


def _policy(dice: random.Random) -> BugfixPolicy:
    def some(most: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(dice.choice(PATTERNS[1:]) for _ in range(most)))

    scope = ScopePolicy(
        allowed=("**",) if dice.random() < 0.8 else some(2),
        forbidden=("**/vendor/**",) if dice.random() < 0.7 else some(dice.randint(0, 1)),
        reach=dice.choice(tuple(Reach)),
        most_rank=dice.randint(1, 5),
        most_files=dice.choice((1, 2, 3)),
        most_definitions=dice.choice((1, 2, 5)),
    )
    tests = RequiredTests(*(dice.random() < 0.9 for _ in range(3)))
    accept = Acceptance.NEVER if dice.random() < 0.7 else dice.choice(tuple(Acceptance))
    output = OutputPolicy(most_claims=dice.choice((500, 500, 500, 20)))
    return BugfixPolicy("bench", scope, tests, PersonPolicy(accept), output)


# Changes ---------------------------------------------------------------------------------

Change = Callable[[Plain, random.Random], None]
LISTS = (
    *("observed", "acceptance_criteria", "contradictions", "risks", "after_release"),
    *("open_questions", "reviewers", "tests"),
)


def changed(honest: Plain, dice: random.Random) -> Plain:
    """A copy of a request, changed in none to three places."""
    plain = copy.deepcopy(honest)
    for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
        dice.choice(CHANGES)(plain, dice)
    return plain


def _bound(plain: Plain, dice: random.Random) -> None:
    bound = plain["bound"]
    name = dice.choice(("diagnosis", "context", "inventory", "policy", "feedback"))
    other = {"case_id": "other", "package_id": "other", "revision": 2, "policy_version": "x"}
    if dice.random() < 0.5:
        bound[name] = digest_of(b"other")
    else:
        key = dice.choice(tuple(other))
        bound[key] = other[key]


def _cause(plain: Plain, dice: random.Random) -> None:
    cause = plain["root_cause"]
    if dice.random() < 0.5:
        cause["confidence"] = dice.choice(("supported", "certain"))
    else:
        cause["findings"] = cause["findings"][: dice.randint(0, 1)]


def _drop(plain: Plain, dice: random.Random) -> None:
    if found := plain[dice.choice(LISTS)]:
        found.pop(dice.randrange(len(found)))


def _empty(plain: Plain, dice: random.Random) -> None:
    plain[dice.choice(LISTS)] = []


def _a_claim(plain: Plain, dice: random.Random) -> Plain:
    found = [plain["title"], *(one for name in LISTS[:-1] for one in plain[name])]
    return dice.choice([*found, *(one["says"] for one in plain["tests"])])


def _uncite(plain: Plain, dice: random.Random) -> None:
    claim = _a_claim(plain, dice)
    claim["evidence"] = claim["evidence"][: dice.randint(0, 1)]


def _miscite(plain: Plain, dice: random.Random) -> None:
    source = digest_of(cases.SOURCE)
    nowhere = (f"{digest_of(b'never')}", f"{source}#char=1,9999", f"{source}#/a")
    fine = (source, f"{source}#char=1,9")
    _a_claim(plain, dice)["evidence"].append(dice.choice((*nowhere, *fine)))


def _say(plain: Plain, dice: random.Random) -> None:
    text = dice.choice((*CODE, *HIDDEN, *SECRETS, *FINE))
    claim = copy.deepcopy(plain["title"])
    claim["text"] = text
    plain["risks"].append(claim)


def _a_place(plain: Plain, dice: random.Random) -> Plain | None:
    places = plain["scope"]["places"]
    return dice.choice(places) if places else None


def _move(plain: Plain, dice: random.Random) -> None:
    if (place := _a_place(plain, dice)) is None:
        return
    at = place["location"]
    match dice.randrange(6):
        case 0:
            at["end_line"] += dice.choice((1, 50))
        case 1:
            at["start_line"] -= 1
        case 2:
            at["name"] = dice.choice(("", "gone", "Loader.load", "load"))
        case 3:
            place["file"] = digest_of(b"other")
        case 4:
            place["relation"] = dice.choice(("cause", "same-file", "suspect"))
        case _:
            place["evidence"] = []


def _widen(plain: Plain, dice: random.Random) -> None:
    places = plain["scope"]["places"]
    path, name, start, end = dice.choice(PLACES)
    raw = SOURCES.get(path, cases.SOURCE)
    places.append(
        {
            "evidence": [digest_of(cases.SOURCE)],
            "file": digest_of(raw),
            "location": {"path": path, "name": name, "start_line": start, "end_line": end},
            "relation": dice.choice(("cause", "same-file", "suspect")),
        }
    )


def _narrow(plain: Plain, dice: random.Random) -> None:
    if places := plain["scope"]["places"]:
        places.pop(dice.randrange(len(places)))


def _double(plain: Plain, dice: random.Random) -> None:
    if (place := _a_place(plain, dice)) is not None:
        plain["scope"]["places"].append(copy.deepcopy(place))


def _misstate(plain: Plain, dice: random.Random) -> None:
    scope = plain["scope"]
    match dice.randrange(3):
        case 0:
            scope["most_files"] += 1
        case 1:
            scope["forbidden"] = []
        case _:
            scope["reach"] = dice.choice([one.value for one in Reach])


CHANGES: tuple[Change, ...] = (
    *(_bound, _cause, _drop, _drop, _empty, _uncite, _miscite, _say, _say, _move, _move),
    *(_widen, _widen, _narrow, _double, _misstate),
)


if __name__ == "__main__":
    sys.exit(main())
