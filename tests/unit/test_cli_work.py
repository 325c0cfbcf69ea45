"""What ``witmark work`` does with signals."""

import os
import signal

import pytest

from witmark.cli.work import Stop


@pytest.fixture(autouse=True)
def as_before():
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.clause("DIA-QUE-09")
def test_the_first_signal_is_a_wish_and_the_second_does_what_it_did_before():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Stop() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.number == signal.SIGINT
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.clause("DIA-QUE-09")
def test_a_signal_that_our_parent_has_us_ignore_stays_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Stop() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.number is None
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
