"""The HTTP door: parse, call one use case, answer. Loopback only, behind ``guard.py``."""
