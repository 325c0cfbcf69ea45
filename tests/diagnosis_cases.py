"""A small investigated case, made by hand: two hypotheses, findings for and against each."""

from dataclasses import replace

from witmark.diagnosis import plain
from witmark.diagnosis.budget import Account
from witmark.diagnosis.case import (
    CaseId,
    Checkpoint,
    InputKind,
    Inventory,
    Manifest,
    PackageId,
    Phase,
    RawInput,
    Routing,
    State,
)
from witmark.diagnosis.decision import (
    Countercheck,
    Diagnosis,
    Evaluation,
    FinalState,
    RootCause,
    Status,
)
from witmark.diagnosis.findings import (
    CodeLocation,
    Completeness,
    Direction,
    Finding,
    FindingId,
    FindingKind,
    Group,
    Quote,
    Support,
    Suspect,
)
from witmark.diagnosis.hypotheses import (
    CauseClass,
    EndState,
    Hypothesis,
    HypothesisEnd,
    HypothesisId,
)
from witmark.diagnosis.interpretation import FORMAT as INTERPRETATION
from witmark.diagnosis.interpretation import Interpretation, Statement, StatementBasis
from witmark.diagnosis.investigated import FORMAT as INVESTIGATION
from witmark.diagnosis.investigated import Action, Investigation
from witmark.diagnosis.package import Package, declare, phase_path
from witmark.diagnosis.records import inventory_bytes
from witmark.kernel.canon import digest_of
from witmark.kernel.evidence import parse_ref
from witmark.testing.disks import MemoryDisk

REPORT = (
    b"# Empty names crash\n\n"
    b"load('') raises IndexError. It looks as if the parser skips a check.\n"
)
SOURCE = b"def load(name):\n    return name[0]\n"
LOG = b"IndexError: string index out of range\n"
H1, H2, H3 = HypothesisId("H1"), HypothesisId("H2"), HypothesisId("H3")
CASE, PACKAGE = CaseId("case-1"), PackageId("package-1")


def quote(raw, text):
    start = raw.decode().index(text)
    ref = parse_ref(f"{digest_of(raw)}#char={start},{start + len(text)}")
    return Quote(ref, text)


def finding(  # noqa: PLR0913 - a test's way to say what differs
    number,
    group,
    *,
    kind=FindingKind.DIRECT,
    whole=Completeness.COMPLETE,
    bears_on=None,
    raw=SOURCE,
    text="name[0]",
):
    return Finding(
        FindingId(f"F-{number:04d}"),
        "test",
        "A1",
        group,
        kind,
        whole,
        f"finding {number}",
        (quote(raw, text),) if whole is not Completeness.EMPTY else (),
        CodeLocation("pkg/load.py", "load", 1, 2),
        bears_on or {},
    )


F1 = finding(1, Group.TRACE, bears_on={H1: Direction.FOR, H2: Direction.NEUTRAL})
F2 = finding(
    2, Group.HISTORY, kind=FindingKind.DERIVED, bears_on={H1: Direction.FOR}, text="load"
)
F3 = finding(3, Group.DIFF, bears_on={H2: Direction.AGAINST}, raw=LOG, text="IndexError")
F4 = finding(4, Group.TEXT, kind=FindingKind.HEURISTIC, bears_on={H1: Direction.FOR})
F5 = finding(5, Group.LOGS, whole=Completeness.PARTIAL, bears_on={H3: Direction.AGAINST})
F6 = finding(6, Group.HISTORY, whole=Completeness.EMPTY)
F7 = finding(7, Group.LINEAGE, bears_on={H3: Direction.AGAINST, H1: Direction.NEUTRAL})
FINDINGS = (F1, F2, F3, F4, F5, F6, F7)


def hypothesis(name, cause_class):
    return Hypothesis(
        name, cause_class, f"{name} is the cause", ("it is seen",), ("it is not",), ("when?",)
    )


ENDS = (
    HypothesisEnd(
        hypothesis(H1, CauseClass.BOUNDARY),
        EndState.SUPPORTED,
        (F1.id, F2.id),
        (),
        ("since when?",),
        0.9,
        True,
    ),
    HypothesisEnd(
        hypothesis(H2, CauseClass.REGRESSION),
        EndState.REJECTED,
        (),
        (F3.id,),
        ("which version?",),
        0.1,
        True,
    ),
    HypothesisEnd(
        hypothesis(H3, CauseClass.CONFIGURATION),
        EndState.OPEN,
        (),
        (F5.id,),
        ("which settings?",),
        0.2,
        False,
    ),
)

INTERPRETED = Interpretation(
    "Empty names crash",
    (
        Statement(
            "load('') raises IndexError.",
            StatementBasis.REPORTED,
            quote(REPORT, "load('') raises IndexError.").ref,
            "load('') raises IndexError.",
        ),
    ),
    (),
    (),
    (),
    (
        Statement(
            "the parser skips a check",
            StatementBasis.ASSUMED,
            quote(REPORT, "the parser skips a check").ref,
            "the parser skips a check",
        ),
    ),
    (),
    (),
    (),
    (),
    (),
)

INVESTIGATED = Investigation(
    (Account("look", 10).reserve("A1", 5).settle("A1", 4).close(),),
    (Action("A1", "test", "look", 5, 4, 0.5, Completeness.COMPLETE, len(FINDINGS)),),
    FINDINGS,
    ENDS,
    (
        Suspect(
            1,
            CodeLocation("pkg/load.py", "load", 1, 2),
            Support.SUPPORTED,
            (F1.id,),
            {"a": 1.0},
        ),
    ),
    ("logs after the first megabyte",),
)

CONFIRMED = Diagnosis(
    Status.CONFIRMED,
    H1,
    RootCause("load indexes an empty name", "load takes name[0] unchecked.", (F1.id, F2.id)),
    Support.STRONGLY_SUPPORTED,
    (
        Evaluation(H1, FinalState.SUPPORTED, "the frame is it", (F1.id, F2.id), (), "", ()),
        Evaluation(H2, FinalState.FACTUALLY_REJECTED, "unchanged", (), (F3.id,), "", ()),
        Evaluation(H3, FinalState.UNRESOLVED, "not told", (), (), "", ("settings not given",)),
    ),
    Countercheck(True, H2, "the definition did not change between the versions", (F3.id,)),
    "",
    ("the parser skips a check",),
    ("logs after the first megabyte were not read",),
    "the frame, the name and the unchanged rival agree",
    ("add a test with an empty name",),
)

INCONCLUSIVE = Diagnosis(
    Status.INCONCLUSIVE,
    None,
    None,
    Support.WEAK,
    tuple(
        Evaluation(one, FinalState.UNRESOLVED, "not told apart", (), (), "", ("no trace",))
        for one in (H1, H2, H3)
    ),
    Countercheck(False, None, "no finding tells them apart", ()),
    "",
    ("the parser skips a check",),
    ("logs after the first megabyte were not read",),
    "nothing tells the hypotheses apart",
    ("ask the reporter for the whole trace of one failing call",),
)


def raw_input(path, raw, kind):
    return RawInput(path, digest_of(raw), len(raw), kind, path.removeprefix("inputs/"))


INPUTS = {
    "inputs/report.md": (REPORT, InputKind.REPORT),
    "inputs/logs/run.log": (LOG, InputKind.LOG),
    "inputs/source/pkg/load.py": (SOURCE, InputKind.SOURCE),
}


def investigated_package(disk=None, *, investigation=INVESTIGATED, interpretation=INTERPRETED):
    """A package on a disk whose investigation is completed."""
    disk = MemoryDisk() if disk is None else disk
    package = Package(disk)
    for path, (raw, _) in INPUTS.items():
        package.put(path, raw)
    listed = tuple(raw_input(path, raw, kind) for path, (raw, kind) in sorted(INPUTS.items()))
    place = "analysis/inventory/0001.json"
    files = {place: inventory_bytes(Inventory(1, listed))}
    audit = ("journals/audit.jsonl",)
    first = Manifest(
        CASE,
        PACKAGE,
        1,
        1,
        State.ASSEMBLED,
        Routing.ANALYSIS,
        place,
        {},
        (Checkpoint(Phase.ASSEMBLY, 1, declare(files), audit),),
        None,
    )
    manifest = package.begin(first, files)
    steps = (
        (Phase.INTERPRETATION, State.INTERPRETED, INTERPRETATION, interpretation),
        (Phase.HYPOTHESES, State.HYPOTHESES_READY, "witmark.hypotheses/1", ()),
        (Phase.INVESTIGATION, State.INVESTIGATED, INVESTIGATION, investigation),
    )
    for phase, state, form, value in steps:
        path = phase_path(phase.value, 1, f"{phase.value}.json")
        files = {path: plain.artefact_bytes(form, value)}
        after = replace(
            manifest,
            state=state,
            pointers={**manifest.pointers, phase.value: path},
            checkpoints=(*manifest.checkpoints, Checkpoint(phase, 1, declare(files))),
        )
        manifest = package.advance(manifest, after, files)
    return package
