"""Forms rival hypotheses from what a case says. There are always at least two.

Each comes from a class of causes, says what would be seen if it held and what if it did not,
and asks what is not known. Which classes are at hand follows from the interpretation by a
table, so equal cases get equal hypotheses.
"""

from collections.abc import Iterator

from witmark.diagnosis.hypotheses import CauseClass, Hypothesis, HypothesisId
from witmark.diagnosis.interpretation import Interpretation

FORMAT = "witmark.hypotheses/1"

_BY_EXCEPTION: tuple[tuple[tuple[str, ...], CauseClass], ...] = (
    (("index", "bounds", "range", "overflow", "stopiteration"), CauseClass.BOUNDARY),
    (
        ("type", "attribute", "null", "none", "nil", "undefined", "cast"),
        CauseClass.TYPE_OR_NONE,
    ),
    (("memory", "timeout", "resource", "toomany", "deadlock"), CauseClass.RESOURCE_OR_TIME),
    (
        ("key", "value", "argument", "parse", "format", "decode", "unicode"),
        CauseClass.UNCHECKED_INPUT,
    ),
)

_STATEMENTS = {
    CauseClass.BOUNDARY: (
        "A boundary is missed in the given source: it takes an index or a count that does not "
        "exist."
    ),
    CauseClass.TYPE_OR_NONE: (
        "The given source uses a value of another type, or no value at all, as if it fitted."
    ),
    CauseClass.RESOURCE_OR_TIME: "A resource or a time limit runs out in the given source.",
    CauseClass.UNCHECKED_INPUT: (
        "The given source uses an input without checking that it has the expected form."
    ),
    CauseClass.WRONG_LOGIC: (
        "The logic of the given source is wrong: fit input gives an unfit result."
    ),
}


def form_hypotheses(
    interpretation: Interpretation, *, has_good_source: bool, has_configuration: bool
) -> tuple[Hypothesis, ...]:
    """Form the hypotheses of a case, the likeliest class first."""
    drafts = list(_drafts(interpretation, has_good_source, has_configuration))
    return tuple(
        Hypothesis(HypothesisId(f"H{number}"), *draft) for number, draft in enumerate(drafts, 1)
    )


_Draft = tuple[CauseClass, str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _drafts(said: Interpretation, has_good: bool, has_configuration: bool) -> Iterator[_Draft]:
    cause = _class_of(said)
    yield (
        cause,
        _STATEMENTS[cause],
        (
            "a frame, a name or a message of the case leads to one definition",
            "what that definition does explains the symptom",
        ),
        (
            "the quoted lines are not those of the given source",
            "nothing in the case leads to a definition of the given source",
        ),
        ("which input makes it fail, and does a test with it fail every time?",),
    )
    if has_good or any(version.is_good for version in said.versions):
        yield (
            CauseClass.REGRESSION,
            "A change since the last good version introduced the fault.",
            ("a definition that the case leads to was changed since then",),
            ("every definition that the case leads to is as it was then",),
            ("does the last good version behave well with the very same input?",),
        )
    if has_configuration:
        yield (
            CauseClass.CONFIGURATION,
            "A setting that was handed in causes the behaviour.",
            ("a setting that the failing code reads is unusual",),
            ("no setting that was handed in is read on the way to the fault",),
            ("does it fail with the default settings as well?",),
        )
    yield (
        CauseClass.ENVIRONMENT,
        "The code that ran is not the given source, or its environment differs.",
        ("a quoted line or a line number does not fit the given source",),
        ("every quoted line stands in the given source where the trace says",),
        ("which versions were installed where it failed?",),
    )
    yield (
        CauseClass.EXTERNAL_BY_DESIGN,
        "The code behaves as intended; what was expected is something else.",
        ("a document or a test of the given source describes the behaviour",),
        ("the case says that it was otherwise before, or a document describes the opposite",),
        ("is the expected behaviour written down anywhere?",),
    )


def _class_of(said: Interpretation) -> CauseClass:
    for trace in reversed(said.traces):
        name = trace.exception.rsplit(".", 1)[-1].lower()
        for signs, cause in _BY_EXCEPTION:
            if any(sign in name for sign in signs):
                return cause
    return CauseClass.WRONG_LOGIC if not said.traces else CauseClass.UNCHECKED_INPUT
