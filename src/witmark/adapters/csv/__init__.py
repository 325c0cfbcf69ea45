"""Findings as a table."""
