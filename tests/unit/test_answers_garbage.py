"""The search for garbage waits, and comes back as it was."""

import gc

import pytest

from witmark.answers import garbage
from witmark.answers.garbage import garbage_waits, keep_what_is_loaded


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


def test_what_is_loaded_is_kept_out_of_the_search_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "_kept", [])
    gc.unfreeze()
    try:
        keep_what_is_loaded()
        kept = gc.get_freeze_count()
        later = [[number] for number in range(1000)]
        keep_what_is_loaded()
        assert kept > 0
        assert gc.get_freeze_count() <= kept < kept + len(later)
    finally:
        gc.unfreeze()
