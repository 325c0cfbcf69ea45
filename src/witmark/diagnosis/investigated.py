"""What a completed investigation leaves: actions, accounts, findings, and every ending."""

from dataclasses import dataclass

from witmark.diagnosis.budget import Account
from witmark.diagnosis.findings import Completeness, Finding, Suspect
from witmark.diagnosis.hypotheses import HypothesisEnd

FORMAT = "witmark.investigation/1"


@dataclass(frozen=True, slots=True)
class Action:
    """One look that was paid for.

    Attributes:
        id: ``A1``, ``A2`` … in the order in which they were begun.
        investigator: Who looked.
        account: Out of which account.
        reserved: Credits set aside.
        cost: Credits it really took.
        expected_discrimination: Why it was chosen then: how much it was expected to tell
            rivals apart, 0 to 1.
        completeness: Of the look.
        findings: How many it brought.
    """

    id: str
    investigator: str
    account: str
    reserved: int
    cost: int
    expected_discrimination: float
    completeness: Completeness
    findings: int


@dataclass(frozen=True, slots=True)
class Investigation:
    """A whole investigation, as it is stored.

    Attributes:
        accounts: Each terminal.
        actions: In the order in which they were begun.
        findings: Everything that was found, in order.
        ends: One per hypothesis, in their order.
        suspects: Places in the source, the likeliest first.
        not_looked_at: What was left out, and why.
    """

    accounts: tuple[Account, ...]
    actions: tuple[Action, ...]
    findings: tuple[Finding, ...]
    ends: tuple[HypothesisEnd, ...]
    suspects: tuple[Suspect, ...]
    not_looked_at: tuple[str, ...]
