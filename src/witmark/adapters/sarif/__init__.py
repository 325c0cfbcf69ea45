"""Findings as SARIF 2.1.0."""

from witmark.adapters.sarif.log import MAX_RESULTS, render_sarif

__all__ = ["MAX_RESULTS", "render_sarif"]
