"""Parametric parts with known faults: what a review must find, and what it must leave alone."""
