"""The report of a diagnosis as one HTML file that works offline."""

from witmark.adapters.html.case.page import render_case_html

__all__ = ["render_case_html"]
