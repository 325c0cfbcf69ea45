"""Builds the desks from settings. The only place that knows every adapter.

Nothing heavy is imported until a desk is built: `witmark verify` and `witmark trace` never
load the CAD kernel.
"""

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
    "review_desk",
    "review_here",
    "trace",
    "verify",
]
