"""The whole page of a diagnosis: sections in the order in which a reader asks."""

from importlib.resources import files

from witmark.adapters.html.case import hypotheses, rest, spending, suspects, told, top
from witmark.adapters.html.case.evidence import evidence
from witmark.adapters.html.markup import Html, el, raw
from witmark.adapters.html.wrapping import head
from witmark.diagnosis.report import CaseReport
from witmark.diagnosis.saying import plainly

_TYPED = "; require-trusted-types-for 'script'; trusted-types 'none'"
_SECTIONS = (
    ("next", "next"),
    ("cause", "cause"),
    ("suspects", "suspects"),
    ("hypotheses", "hypotheses"),
    ("countercheck", "countercheck"),
    ("matrix", "matrix"),
    ("gaps", "gaps"),
    ("timeline", "timeline"),
    ("said", "said"),
    ("evidence", "evidence"),
    ("budget", "budget"),
    ("calls", "calls"),
    ("inputs", "inputs"),
    ("history", "history"),
)


def render_case_html(report: CaseReport) -> bytes:
    """One HTML file that shows a diagnosis, offline, in two languages.

    It can be read without its script, loads nothing, and links to nothing outside itself.

    Returns:
        The same bytes for the same report.
    """
    style = _asset("witmark.adapters.html", "report.css") + _asset(__package__, "case.css")
    script = _asset("witmark.adapters.html", "report.js") + _asset(__package__, "case.js")
    body = el(
        "body.diagnosis",
        top.masthead(report),
        el("main", *_sections(report)),
        rest.provenance(report),
        el("script", raw(script)),
    )
    title = plainly(" ".join(report.title.split()))
    page = el("html", head(title, style, script, more_policy=_TYPED), body, lang="zh-CN")
    return f"<!DOCTYPE html>\n{page}\n".encode()


def _sections(report: CaseReport) -> list[Html]:
    has_cause = report.diagnosis.root_cause is not None
    what_is_said = told.said(report)
    absent = {"" if has_cause else "cause", "" if what_is_said else "said"}
    listed = [one for one in _SECTIONS if one[0] not in absent]
    return [
        top.verdict(report),
        top.contents(listed),
        top.to_do(report),
        top.cause(report),
        suspects.suspects(report),
        hypotheses.hypotheses(report),
        top.countercheck(report),
        hypotheses.matrix(report),
        rest.gaps(report),
        told.timeline(report),
        what_is_said,
        evidence(report),
        spending.budget(report),
        spending.calls(report),
        rest.inputs(report),
        rest.history(report),
    ]


def _asset(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text("utf-8")
