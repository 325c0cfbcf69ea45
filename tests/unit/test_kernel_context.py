"""A pack is bounded, honest about what it leaves out, and named by all of it."""

import pytest

from witmark.kernel.canon import digest_of
from witmark.kernel.context import ContextPack, Item, Overflow, pack
from witmark.kernel.errors import OversizedContextError
from witmark.kernel.evidence import EvidenceRef


def exhibit(text):
    return Item(EvidenceRef(digest_of(text.encode())), text)


LONG, SHORT = exhibit("a long exhibit"), exhibit("孔孔")


@pytest.mark.clause("KER-CTX-02")
def test_a_desk_that_may_leave_nothing_out_is_told_how_much_it_needs():
    with pytest.raises(OversizedContextError, match="need 16 chars, the budget is 15"):
        pack([LONG, SHORT], budget_chars=15, overflow=Overflow.REFUSE)


@pytest.mark.clause("KER-CTX-02")
def test_what_fits_is_shown_under_either_policy():
    made = {
        pack([LONG, SHORT], budget_chars=16, overflow=overflow).digest for overflow in Overflow
    }
    assert len(made) == 1


@pytest.mark.clause("KER-CTX-01")
def test_what_does_not_fit_is_passed_over_and_named():
    made = pack([LONG, SHORT], budget_chars=3, overflow=Overflow.OMIT)
    assert made == ContextPack((SHORT,), (LONG.ref,))


@pytest.mark.clause("KER-CTX-04")
def test_there_is_no_policy_that_nobody_chose():
    with pytest.raises(TypeError, match="overflow"):
        pack([SHORT], budget_chars=3)


@pytest.mark.clause("KER-CTX-03")
def test_leaving_something_out_makes_another_context():
    with_omission = pack([LONG, SHORT], budget_chars=3, overflow=Overflow.OMIT)
    without = pack([SHORT], budget_chars=3, overflow=Overflow.OMIT)
    assert with_omission.shown == without.shown
    assert with_omission.digest != without.digest


@pytest.mark.clause("KER-CTX-03")
def test_another_order_is_another_context():
    one, other = [LONG, SHORT], [SHORT, LONG]
    made = [pack(i, budget_chars=99, overflow=Overflow.REFUSE).digest for i in (one, other)]
    assert made[0] != made[1]


@pytest.mark.clause("KER-CTX-01")
def test_the_same_exhibit_twice_is_our_own_bug():
    with pytest.raises(AssertionError, match="twice"):
        pack([SHORT, SHORT], budget_chars=99, overflow=Overflow.OMIT)
