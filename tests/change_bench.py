"""A confirmed package and the two desks of phase 5 on it, with an outbox in a dict."""

import asyncio

from diagnosis_bench import GOOD, Bench, Routes
from diagnosis_cases import CASE, PACKAGE

from witmark.diagnosis.change_request import output_gates
from witmark.diagnosis.change_request.building import ChangeDesk, ground_of, request_change
from witmark.diagnosis.change_request.delivering import DeliveryDesk, deliver
from witmark.diagnosis.change_request.document import FORMAT
from witmark.diagnosis.change_request.page import page_of
from witmark.diagnosis.change_request.policy import BugfixPolicy
from witmark.diagnosis.change_request.writing import write_request
from witmark.diagnosis.feedback import Verdict, give_feedback
from witmark.diagnosis.package import Package
from witmark.diagnosis.plain import artefact_bytes
from witmark.kernel.errors import IntegrityError
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import PlayedProvider, SteadyClock

READERS = {"played": PlayedProvider([])}
HERE = "analysis/change_request/0001/"


class DictOutbox:
    """An outbox in a dict, with the promises of the real one; counts what it put."""

    def __init__(self, name="out", held=None):
        self.name, self.held, self.puts, self.stands = (
            name,
            {} if held is None else held,
            0,
            True,
        )
        self.before_put = self.after_put = lambda: None

    def make(self):
        self.stands = True

    def holds(self, name, files):
        if name not in self.held:
            return False
        if self.held[name] != files:
            raise IntegrityError("other content", place=name)
        return True

    def put(self, name, files):
        self.before_put()
        if not self.holds(name, files):
            self.held[name] = dict(files)
            self.puts += 1
        self.after_put()


class Phase5:
    """A package, and phase 5 on it."""

    def __init__(self, package=None, *, disk=None):
        if package is None:
            bench = Bench(GOOD, package=None if disk is None else Package(disk))
            bench.build()
            package = bench.package
        self.package, self.router, self.clock = package, Routes(), SteadyClock()
        self.outboxes = {}

    def disk(self, *_):
        return self.package.disk

    @property
    def files(self):
        return self.package.disk.files

    @property
    def manifest(self):
        return self.package.manifest()

    def change(self, policy=None):
        desk = ChangeDesk(self, self.router, self.clock, READERS)
        return asyncio.run(request_change(CASE, PACKAGE, desk, policy))

    def deliver(self, to="out"):
        desk = DeliveryDesk(self, self.outbox, self.router, self.clock, READERS)
        return asyncio.run(deliver(CASE, PACKAGE, to, desk))

    def outbox(self, name):
        return self.outboxes.setdefault(name, DictOutbox(name))

    def say(self, verdict, reason="because it is so"):
        return give_feedback(CASE, PACKAGE, Verdict(verdict), reason, self, self.clock)

    def ground(self, policy=None, feedback=None):
        policy = policy or BugfixPolicy()
        return asyncio.run(ground_of(self.package, self.manifest, policy, feedback, READERS))


def copy_of(one):
    """The same package on another disk."""
    return Phase5(Package(MemoryDisk(dict(one.files))))


def output_of(ground, request=None, *, raw=None, page=None):
    """The output of a document, honestly rendered unless said otherwise."""
    request = request or write_request(ground, 1)
    raw = artefact_bytes(FORMAT, request) if raw is None else raw
    return output_gates.Output(
        request, raw, page_of(request).encode() if page is None else page
    )


def objections(output, ground):
    """The names of the gates that object."""
    return {one.name for one in output_gates.check(output, ground).objections}
