"""Kill a dispatch at every system call that changes the disk; the next one brings it home."""

import os

import pytest

from witmark.adapters.disk import PosixDisk
from witmark.kernel.canon import digest_of
from witmark.kernel.journal import read_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.outcome import Accepted, Admitted, Blocked, Refused, Waiting
from witmark.kernel.model.request import Ask, ImageRef, Message, OutputSchema, Profile, Role
from witmark.kernel.model.settling import settle
from witmark.kernel.store import BlobStore
from witmark.testing.faults import End, every_death
from witmark.testing.models import PlayedProvider, SteadyClock, misconfigured, unreachable

PNG = b"\x89PNG" + bytes(3000)
PROFILE = Profile("one", "counted", "m", retries=5, takes_images=True)


class CountedProvider(PlayedProvider):
    """Answers by how often it was asked, over all processes; a file keeps the count."""

    def __init__(self, folder, answers):
        super().__init__([])
        self.count, self.script = folder / "count", answers

    def asked_so_far(self):
        return len(list(self.count.parent.glob("count-*")))

    async def send(self, request, load):
        number = self.asked_so_far()
        os.close(os.open(f"{self.count}-{number}", os.O_CREAT | os.O_EXCL))
        self._answers = [self.script[min(number, len(self.script) - 1)]]
        return await super().send(request, load)


def judge(text):
    return Admitted() if text == "good" else Refused("no")


class Call:
    """One call on a real disk, by as many processes as it takes."""

    def __init__(self, folder, answers):
        self.disk = PosixDisk(folder / "disk")
        self.provider = CountedProvider(folder, answers)

    def settle(self, *, after_s=0):
        clock = SteadyClock()
        clock.pass_s(after_s)
        gateway = DurableGateway(
            ModelRoutes({"*": (PROFILE,)}), {"counted": self.provider}, clock
        )
        image = ImageRef(BlobStore(self.disk).put(PNG), "image/png")
        ask = Ask(
            "r",
            "why",
            "test.ask",
            (Message(Role.USER, "Why?", (image,)),),
            OutputSchema("o/1", {}),
            digest_of(b""),
        )
        try:
            settle(gateway, ask, judge, self.disk).send(None)
        except StopIteration as done:  # nothing here waits, so no loop is needed
            return done.value

    def kinds(self):
        return [entry.kind.removeprefix("model.") for entry in read_journal(self.disk, "r")]

    def lines(self):
        return [entry.to_bytes() for entry in read_journal(self.disk, "r")]


@pytest.mark.clause("KER-MOD-01", "KER-MOD-11", "KER-DSK-10")
@pytest.mark.parametrize(
    ("answers", "end"),
    [
        (["bad", "good"], Accepted),
        ([unreachable(), "good"], Accepted),
        ([misconfigured()], Blocked),
    ],
)
def test_a_dispatch_that_dies_at_any_call_costs_no_reply_and_gets_nobody_stuck(
    tmp_path, monkeypatch, answers, end
):
    monkeypatch.setattr(os, "fsync", lambda _: None)  # a kill forgets nothing; it is counted
    for folder, death in every_death(
        lambda folder: lambda: Call(folder, answers).settle(), tmp_path
    ):
        assert death is not End.FAILED
        call = Call(folder, answers)
        kept, kinds, asked = call.lines(), call.kinds(), call.provider.asked_so_far()
        assert asked <= kinds.count("sent")  # no request that nobody knows of

        for after_s in (1e4, 2e4, 3e4):
            if not isinstance(outcome := call.settle(after_s=after_s), Waiting):
                break

        assert isinstance(outcome, end)
        assert call.lines()[: len(kept)] == kept
        then = call.kinds()[len(kept) :]
        assert call.provider.asked_so_far() - asked == then.count("sent")
        if kinds[-1:] == ["replied"]:
            assert then[0] == "judged"  # not asked again
