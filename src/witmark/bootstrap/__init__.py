"""Builds the desks from settings. The only place that knows every adapter."""
