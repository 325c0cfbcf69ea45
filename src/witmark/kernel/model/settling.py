"""Dispatch until nothing more can be done now. Nobody sleeps: what has to wait, waits."""

from witmark.kernel.errors import OutsideError
from witmark.kernel.model.attempt import Judge
from witmark.kernel.model.gateway import Gateway
from witmark.kernel.model.outcome import Because, Outcome, Rejected, Waiting
from witmark.kernel.model.request import Ask
from witmark.kernel.store import RecordDisk


async def settle(
    gateway: Gateway,
    ask: Ask,
    judge: Judge,
    disk: RecordDisk,
    *,
    retry_id: str | None = None,
) -> Outcome:
    """Dispatch as long as the next dispatch can do something at once; return the last outcome.

    It ends, because each dispatch uses up a try of a provider or an invalid answer.
    """
    while True:
        outcome = await gateway.dispatch(ask, judge, disk, retry_id=retry_id)
        match outcome:
            case Rejected(left=left) if left > 0:
                continue
            case Waiting(because=Because.NEXT_PROVIDER):
                continue
            case _:
                return outcome


def settle_now(
    gateway: Gateway,
    ask: Ask,
    judge: Judge,
    disk: RecordDisk,
    *,
    retry_id: str | None = None,
) -> Outcome:
    """The same, for a caller that is not in an event loop.

    Raises:
        OutsideError: the system has no loop for us, as when too many files are open.
    """
    import asyncio  # noqa: PLC0415 - whoever asks no model does not load it

    runner = asyncio.Runner()
    try:
        runner.get_loop()
    except OSError as error:
        raise OutsideError(f"no event loop: {error.strerror}", place=ask.question) from error
    with runner:
        return runner.run(settle(gateway, ask, judge, disk, retry_id=retry_id))
