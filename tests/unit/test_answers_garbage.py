"""The search for garbage waits, and comes back as it was."""

import gc

import pytest

from witmark.answers.garbage import garbage_waits


def fail_while_it_waits() -> None:
    with garbage_waits():
        if not gc.isenabled():
            raise ZeroDivisionError


def test_the_search_comes_back_after_a_failure() -> None:
    with pytest.raises(ZeroDivisionError):
        fail_while_it_waits()
    assert gc.isenabled()


def test_a_search_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with garbage_waits(), garbage_waits():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
