"""What a change request may rest on: one confirmed diagnosis, and what that was made of.

Everything is read from the package and checked against what was published; nothing is worked
out again from the sources, so that the same package gives the same request in years.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from witmark.diagnosis.case import InputKind, Inventory, Manifest, RawInput
from witmark.diagnosis.change_request.policy import BugfixPolicy
from witmark.diagnosis.context import Frozen
from witmark.diagnosis.decision import Diagnosis, Evaluation
from witmark.diagnosis.feedback import FORMAT as FEEDBACK
from witmark.diagnosis.feedback import Feedback, Verdict
from witmark.diagnosis.findings import Finding, FindingId, FindingKind
from witmark.diagnosis.interpretation import Interpretation, Statement
from witmark.diagnosis.package import Package
from witmark.diagnosis.placing import source_paths
from witmark.diagnosis.plain import from_plain, read_artefact
from witmark.diagnosis.redacting import InputSecrets
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import GarbledRecordError, NothingThereError
from witmark.kernel.evidence import EvidenceRef, Exhibit, JsonPointer, TextRange


@dataclass(frozen=True)
class Ground:
    """A confirmed diagnosis that replayed intact, and its package.

    Attributes:
        package: Where everything stands.
        manifest: As it stands.
        inventory: The raw inputs of the revision.
        diagnosis: What was confirmed.
        result: The digest of the published result.
        frozen: What it was decided on.
        policy: What a fix may touch and must bring.
        secrets: What the inputs hold of secrets.
        feedback: What a person said of the diagnosis last.
        feedback_digest: Of the artefact that keeps it.
    """

    package: Package
    manifest: Manifest
    inventory: Inventory
    diagnosis: Diagnosis
    result: Digest
    frozen: Frozen
    policy: BugfixPolicy
    secrets: InputSecrets
    feedback: Feedback | None = None
    feedback_digest: Digest | None = None

    @cached_property
    def said(self) -> Interpretation:
        """What the case says, secrets replaced."""
        return from_plain(Interpretation, self.frozen.plain["interpretation"], place="context")

    @cached_property
    def findings(self) -> Mapping[FindingId, Finding]:
        """Every stored finding, secrets replaced."""
        return self.frozen.ground.findings

    @cached_property
    def sources(self) -> Mapping[str, RawInput]:
        """The faulty snapshot's files, by their path in it."""
        return source_paths(self.inventory.of(InputKind.SOURCE))

    @cached_property
    def observed(self) -> tuple[Statement, ...]:
        """What went wrong and what was seen, each once; no headings but the title."""
        return self._told((*self.said.symptom, *self.said.observed))

    @cached_property
    def expected(self) -> tuple[Statement, ...]:
        """What was meant to happen, each once; no headings."""
        return self._told(self.said.expected)

    def _told(self, found: Iterable[Statement]) -> tuple[Statement, ...]:
        by_ref: dict[EvidenceRef, Statement] = {}
        for one in found:
            by_ref.setdefault(one.ref, one)
        return tuple(
            one
            for ref, one in by_ref.items()
            if one.text == self.said.title or not self._is_heading(ref)
        )

    def _is_heading(self, ref: EvidenceRef) -> bool:
        """Whether the line of a report that a statement stands in is a heading."""
        paths = [one.path for one in self.inventory.inputs if one.digest == ref.blob]
        if not paths or not isinstance(ref.at, TextRange):
            return False
        text = self._raw(paths[0]).decode("utf-8", "replace")
        return text[: ref.at.start].rpartition("\n")[2].lstrip().startswith("#")

    @property
    def selected(self) -> Evaluation:
        """The evaluation of the hypothesis that was confirmed."""
        name = self.diagnosis.selected_hypothesis_id
        return next(one for one in self.diagnosis.evaluations if one.hypothesis_id == name)

    @property
    def suspects(self) -> Sequence[Mapping[str, Any]]:
        """Ranked places, the likeliest first."""
        suspects: Sequence[Mapping[str, Any]] = self.frozen.plain["suspects"]
        return suspects

    @property
    def carrying(self) -> tuple[Finding, ...]:
        """The findings that the root cause rests on, in its order."""
        cause = self.diagnosis.root_cause
        return self.get(cause.evidence_ids) if cause else ()

    @property
    def leading(self) -> tuple[Finding, ...]:
        """Of those, the ones that lead to a place and are more than a likeness."""
        return tuple(
            one
            for one in self.carrying
            if one.location is not None and one.kind is not FindingKind.HEURISTIC
        )

    def get(self, ids: Sequence[FindingId]) -> tuple[Finding, ...]:
        """Stored findings, in the order of the ids."""
        return tuple(self.findings[one] for one in ids if one in self.findings)

    def in_result(self, *steps: str | int) -> EvidenceRef:
        """A place in the published result."""
        return EvidenceRef(self.result, JsonPointer.to(*steps))

    def in_context(self, *steps: str | int) -> EvidenceRef:
        """A place in the frozen context."""
        return EvidenceRef(self.frozen.digest, JsonPointer.to(*steps))

    def in_policy(self, *steps: str | int) -> EvidenceRef:
        """A place in the frozen policy."""
        return EvidenceRef(self.policy.digest, JsonPointer.to("value", *steps))

    def text_of(self, path: str) -> str | None:
        """The text of a file of the snapshot; ``None`` if there is no such file."""
        found = self.sources.get(path)
        return None if found is None else self._raw(found.path).decode("utf-8", "replace")

    @cached_property
    def _texts(self) -> dict[str, bytes]:
        return {}

    def _raw(self, path: str) -> bytes:
        if path not in self._texts:
            self._texts[path] = self.package.read(path)
        return self._texts[path]

    def opens(self, refs: Iterator[EvidenceRef]) -> EvidenceRef | None:
        """The first ref, in the order of their spelling, where there is nothing to see."""
        kept = {one.digest: one.path for one in self.inventory.inputs}
        kept |= {
            digest: path for path, digest in sorted(self.manifest.declared.items()) if digest
        }
        exhibits: dict[Digest, Exhibit] = {self.policy.digest: Exhibit(self.policy.to_bytes())}
        for ref in sorted(set(refs), key=str):
            if ref.blob not in exhibits:
                raw = self.package.disk.read(kept[ref.blob]) if ref.blob in kept else None
                if raw is None or digest_of(raw) != ref.blob:
                    return ref
                exhibits[ref.blob] = Exhibit(raw)
            try:
                exhibits[ref.blob].resolve(ref.at)
            except NothingThereError:
                return ref
        return None


def feedback_at(package: Package, manifest: Manifest, digest: Digest | None) -> Feedback | None:
    """What a person said of the diagnosis, by the digest of the artefact that keeps it."""
    if digest is None:
        return None
    paths = [path for path, found in manifest.declared.items() if found == digest]
    if not paths:
        raise GarbledRecordError("no word of a person has this digest", place=digest)
    return read_artefact(
        FEEDBACK, Feedback, package.artefact(manifest, paths[0]), place=paths[0]
    )


def is_rejected(feedback: Feedback | None) -> bool:
    """Whether a person said that the diagnosis is wrong."""
    return feedback is not None and feedback.verdict is Verdict.REJECTED
