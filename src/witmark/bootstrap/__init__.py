"""Builds the desks from settings. The only place that knows every adapter.

Nothing heavy is imported until it is asked for: `witmark verify` never loads the CAD kernel,
and `witmark ask` nothing of the review desk.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from witmark.bootstrap.advising import review_adviser
    from witmark.bootstrap.reviewing import (
        length_unit_mm,
        refuse_early,
        report_folder,
        review_desk,
        review_here,
        verify,
    )
    from witmark.bootstrap.tracing import trace

__all__ = [
    "length_unit_mm",
    "refuse_early",
    "report_folder",
    "review_adviser",
    "review_desk",
    "review_here",
    "trace",
    "verify",
]


_ELSEWHERE = {"review_adviser": "advising", "trace": "tracing"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _ELSEWHERE.get(name, "reviewing")
    return getattr(importlib.import_module(f"witmark.bootstrap.{module}"), name)
