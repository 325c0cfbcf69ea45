"""Reports of diagnoses for tests: of the small case made by hand, and variations of it."""

from dataclasses import replace

from diagnosis_bench import GOOD, OPEN, Bench
from diagnosis_cases import (
    CASE,
    FINDINGS,
    INPUTS,
    INTERPRETED,
    INVESTIGATED,
    PACKAGE,
    investigated_package,
    quote,
)

from witmark.diagnosis.telling import report_of

__all__ = ["CASE", "GOOD", "OPEN", "PACKAGE", "Bench", "built", "hostile", "report"]


def built(*answers, **more):
    """A bench whose diagnosis is published."""
    bench = Bench(*(answers or (GOOD,)), **more)
    bench.build()
    return bench


def report(*answers, **more):
    return report_of(built(*answers, **more).package, made_by="1.2.3")


def hostile(text):
    """A report in which the case says this wherever a case can say anything."""
    findings = tuple(replace(one, statement=text or "x") for one in FINDINGS)
    said = replace(INTERPRETED, title=text)
    investigation = replace(INVESTIGATED, findings=findings, not_looked_at=(text or "x",))
    package = investigated_package(investigation=investigation, interpretation=said)
    return report(package=package)


def with_input(path, raw, kind, *, findings=()):
    """A package with one input more, and findings that quote it."""
    INPUTS[path] = (raw, kind)
    try:
        quoting = tuple(
            replace(FINDINGS[0], id=f"F-9{n:03}", quotes=(quote(raw, text),))
            for n, text in enumerate(findings)
        )
        investigation = replace(INVESTIGATED, findings=FINDINGS + quoting)
        return investigated_package(investigation=investigation)
    finally:
        del INPUTS[path]


SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
SOURCE_PATH = "inputs/source/pkg/load.py"
