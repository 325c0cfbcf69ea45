"""The report as one HTML file that works offline."""

from witmark.adapters.html.page import render_html

__all__ = ["render_html"]
