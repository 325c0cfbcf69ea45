"""What an investigation may spend, in credits: reserve, act, settle, close. Pure.

An account is a value; every change gives a new one. A reservation that was not settled keeps
its credits, so what was begun is never spent twice; an account is closed when nothing is
reserved, and a closed one changes no more.

>>> account = Account("look", 10).reserve("a1", 4).settle("a1", 3)
>>> account.free, account.close().is_closed
(7, True)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from witmark.kernel.errors import InputError


class BudgetError(InputError):
    """An account cannot do what is asked of it."""

    code = "input.budget"
    hint = "raise the budget in the settings, or settle what is reserved first"


@dataclass(frozen=True, slots=True)
class Account:
    """Credits for one purpose.

    Attributes:
        name: What they are for.
        granted: How many there are in all.
        reserved: Per action that was begun and not settled.
        settled: Per action that is over, what it really took; at most what was reserved.
        is_closed: Whether nothing more may happen.
    """

    name: str
    granted: int
    reserved: Mapping[str, int] = field(default_factory=dict)
    settled: Mapping[str, int] = field(default_factory=dict)
    is_closed: bool = False

    @property
    def free(self) -> int:
        """What can still be reserved."""
        return self.granted - sum(self.reserved.values()) - sum(self.settled.values())

    @property
    def is_terminal(self) -> bool:
        """Whether it is closed with everything settled, which a diagnosis demands."""
        return self.is_closed and not self.reserved

    def reserve(self, action: str, amount: int) -> "Account":
        """Set credits aside before an action begins.

        Raises:
            BudgetError: closed, not enough left, or the action was seen before.
        """
        self._check_open()
        if action in self.reserved or action in self.settled:
            raise BudgetError("this action was reserved before", place=action)
        if amount <= 0 or amount > self.free:
            raise BudgetError(
                f"{amount} credits are wanted, {self.free} are free", place=action
            )
        return replace(self, reserved={**self.reserved, action: amount})

    def settle(self, action: str, amount: int) -> "Account":
        """Say what an action really took; the rest is free again.

        Raises:
            BudgetError: it was not reserved, or took more than was reserved.
        """
        self._check_open()
        if not 0 <= amount <= self.reserved.get(action, -1):
            raise BudgetError("it cannot be settled so", place=action)
        rest = {name: kept for name, kept in self.reserved.items() if name != action}
        return replace(self, reserved=rest, settled={**self.settled, action: amount})

    def close(self) -> "Account":
        """End it.

        Raises:
            BudgetError: something is reserved and not settled.
        """
        if self.reserved:
            raise BudgetError(
                f"{', '.join(sorted(self.reserved))} not settled", place=self.name
            )
        return replace(self, is_closed=True)

    def _check_open(self) -> None:
        if self.is_closed:
            raise BudgetError("the account is closed", place=self.name)
