"""A late pattern looks like one of ``re.compile``, and nothing is compiled before it looks."""

import importlib
import pkgutil
import re

import pytest

import witmark.answers
from witmark.answers.late import _Late, late


def test_it_finds_what_a_compiled_pattern_finds():
    text, pattern = "aB1 b2", r"b(\d)"
    made, compiled = late(pattern, re.IGNORECASE), re.compile(pattern, re.IGNORECASE)
    assert made.findall(text) == compiled.findall(text)
    assert made.sub("-", text) == compiled.sub("-", text)
    assert made.split(text) == compiled.split(text)
    assert [m.span() for m in made.finditer(text)] == [
        m.span() for m in compiled.finditer(text)
    ]
    assert made.pattern == pattern


def test_a_faulty_pattern_is_found_when_it_looks():
    made = late("(")
    with pytest.raises(re.error):
        made.search("")


def test_every_late_pattern_of_the_desk_compiles():
    """None of them waits for a reader's question to say that it is faulty."""
    found = 0
    for module in pkgutil.iter_modules(witmark.answers.__path__, "witmark.answers."):
        for value in vars(importlib.import_module(module.name)).values():
            for one in value.values() if isinstance(value, dict) else (value,):
                if isinstance(one, _Late):
                    assert re.compile(one.pattern)
                    found += 1
    assert found > 50
