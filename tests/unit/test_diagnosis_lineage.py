"""Raise sites, handlers, and frames that cannot have raised what came out of them."""

import pytest
from diagnosis_views import LIMITS, check_quotes, hypothesis, view_of

from witmark.diagnosis.findings import Completeness, Direction, FindingKind
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.investigators.lineage import LineageInvestigator
from witmark.diagnosis.ports import Limits
from witmark.diagnosis.templates import fits

LOAD = """class LoadError(Exception):
    pass


def check(name):
    if not name:
        raise LoadError(f"cannot load table {name!r} from disk")


def load(name):
    try:
        check(name)
    except LoadError:
        raise


def other(name):
    raise LoadError("something else is wrong entirely")


def quiet(name):
    return name
"""


def trace(line, function, message, *, code=""):
    quoted = f"    {code}\n" if code else ""
    return (
        "# It fails\n\nTraceback (most recent call last):\n"
        f'  File "/app/pkg/load.py", line 11, in load\n    check(name)\n'
        f'  File "/app/pkg/load.py", line {line}, in {function}\n{quoted}'
        f"pkg.load.LoadError: {message}\n"
    )


def look_at(report, source=LOAD, limits=LIMITS, **more):
    view = view_of({"report.md": report, "source/pkg/load.py": source, **more})
    return view, LineageInvestigator().look(view, "A1", limits)


@pytest.mark.clause("DIA-INV-02")
def test_the_site_that_raises_in_the_words_of_the_message_is_direct():
    view, look = look_at(trace(7, "check", "cannot load table '' from disk"))

    (site,) = [one for one in look.findings if one.kind is FindingKind.DIRECT]
    assert site.location.name == "check"
    assert site.quotes[0].text.startswith("raise LoadError(")
    assert look.completeness is Completeness.COMPLETE
    check_quotes(view, look)


def test_a_message_that_no_literal_fits_makes_no_direct_site():
    _, look = look_at(trace(7, "check", "nobody wrote this"))

    assert {one.location.name for one in look.findings} >= {"check", "other"}
    assert not [one for one in look.findings if one.kind is FindingKind.DIRECT]


def test_a_handler_in_the_stack_is_told_and_discriminates_nothing():
    view, look = look_at(trace(7, "check", "cannot load table '' from disk"))

    (handler,) = [one for one in look.findings if "handler" in one.statement]
    assert handler.location.name == "load"
    assert set(handler.bears_on.values()) == {Direction.NEUTRAL}
    check_quotes(view, look)


@pytest.mark.clause("DIA-INV-03")
def test_an_own_exception_from_code_that_raises_nothing_speaks_for_other_code():
    view, look = look_at(trace(22, "quiet", "cannot load table '' from disk"))

    (strange,) = [one for one in look.findings if "nothing there raises" in one.statement]
    environment = hypothesis(view, CauseClass.ENVIRONMENT)
    assert strange.bears_on[environment] is Direction.FOR
    assert strange.location.name == "quiet"


def test_source_that_cannot_be_read_whole_is_no_proof_that_nothing_raises():
    broken = LOAD + "\ndef unfinished(:\n    ((\n"
    _, look = look_at(trace(22, "quiet", "cannot load table '' from disk"), broken)

    assert not [one for one in look.findings if "nothing there raises" in one.statement]


def test_a_limit_makes_the_look_partial_and_says_so():
    _, look = look_at(trace(7, "check", "nobody wrote this"), limits=Limits(most_findings=1))

    assert look.completeness is Completeness.PARTIAL
    assert look.not_looked_at == ("1 further raise sites",)


def test_without_an_exception_there_is_nothing_to_look_at():
    view = view_of({"report.md": "# It fails\n", "source/pkg/load.py": LOAD})

    assert not LineageInvestigator().can_look(view)


@pytest.mark.parametrize(
    ("template", "message", "does_fit"),
    [
        ("%d of %d rows are bad", "3 of 9 rows are bad", True),
        ("value {} is not in {}", "value 3 is not in [1, 2]", True),
        ("value ${a.b} is missing", "value x is missing", True),
        ("a.b(c) [literal]", "aXb(c) [literal]", False),
        ("{}: {}", "anything: at all", False),
        ("a message that goes on, ", "a message that goes on, and on", True),
    ],
)
def test_a_template_fits_its_messages_only(template, message, does_fit):
    assert fits(template, message) is does_fit
