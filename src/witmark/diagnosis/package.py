"""A case package on disk: read whole or not at all, extended one generation at a time.

```
inputs/…                                     raw inputs, byte for byte
analysis/inventory/NNNN.json                 the raw inputs of a revision
analysis/<phase>/NNNN/…                      what a phase wrote
analysis/diagnosis/NNNN/context.json         the frozen context of a diagnosis
journals/…  blobs/…                          model calls, as declared beforehand
manifests/00000001.json …                    where it stands; the newest counts
```

Write order of a step (each is durable before the next begins): the artefacts, each under a
new name; then the manifest of the next generation, created exclusively: the commit point.
A crash before it leaves artefacts that no manifest declares; the same step writes the same
bytes again and finds them there, and to nobody else are they anything but strangers. A file is
never changed once it is published.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from witmark.diagnosis import records
from witmark.diagnosis.case import Checkpoint, Inventory, Manifest, Phase
from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import (
    BrokenChainError,
    FolderChangedError,
    GarbledRecordError,
    GenerationTakenError,
    InputError,
    NothingThereError,
)
from witmark.kernel.journal import place_of
from witmark.kernel.store import BatchDisk, is_side_name

_NUMBER = re.compile(r"manifests/([0-9]{8})\.json").fullmatch


class StaleCaseError(InputError):
    """The raw inputs are not those that were analysed. Nothing was done."""

    code = "input.stale-case"
    hint = "run `witmark case add` to take the inputs as they are now into a new revision"


class Package:
    """One package, as its newest manifest has it when asked.

    Args:
        disk: The package's folder.
    """

    def __init__(self, disk: BatchDisk) -> None:
        self.disk = disk

    def manifest(self) -> Manifest:
        """Read the newest manifest, the chain behind it checked.

        Raises:
            NothingThereError: there is no package here.
            GarbledRecordError, BrokenChainError: a manifest was changed or is missing.
        """
        names = [name for name in self.disk.names("manifests/") if _NUMBER(name)]
        if not names:
            raise NothingThereError(
                "no case package is here", hint="`witmark case new` makes one"
            )
        previous: Digest | None = None
        manifest: Manifest | None = None
        for number, name in enumerate(names, start=1):
            raw = self.read(name)
            manifest = records.manifest_of(raw, place=name)
            if name != manifest_path(number) or manifest.generation != number:
                raise BrokenChainError("a manifest is missing or doubled", place=name)
            if manifest.previous != previous:
                raise BrokenChainError("does not follow from the manifest before", place=name)
            previous = digest_of(raw)
        if manifest is None:
            raise AssertionError("names without manifests")
        return manifest

    def inventory(self, manifest: Manifest) -> Inventory:
        """Read the raw inputs of the manifest's revision."""
        return records.inventory_of(
            self.artefact(manifest, manifest.inventory), place=manifest.inventory
        )

    def inventory_at(self, manifest: Manifest, revision: int) -> Inventory:
        """Read the raw inputs of a revision, this one or an earlier one.

        Raises:
            GarbledRecordError: it has none.
        """
        began = [
            one
            for one in manifest.checkpoints
            if one.phase is Phase.ASSEMBLY and one.revision == revision
        ]
        path = next((path for one in began for path in sorted(one.files)), "")
        return records.inventory_of(self.artefact(manifest, path), place=path)

    def artefact(self, manifest: Manifest, path: str) -> bytes:
        """Read an artefact that a checkpoint declared, checked against its digest.

        Raises:
            GarbledRecordError: nobody declared it, or its bytes are not those declared.
        """
        wanted = manifest.declared.get(path)
        if wanted is None:
            raise GarbledRecordError("no checkpoint declares it", place=path)
        raw = self.read(path)
        if digest_of(raw) != wanted:
            raise GarbledRecordError("its bytes are not those that were published", place=path)
        return raw

    def read(self, path: str) -> bytes:
        """Read a file that has to be there.

        Raises:
            GarbledRecordError: it is not.
        """
        if (raw := self.disk.read(path)) is None:
            raise GarbledRecordError("it is not there", place=path)
        return raw

    def raw_paths(self, manifest: Manifest) -> list[str]:
        """Every file that is a raw input, listed or not: all that nobody declared.

        What a writer that died left by the side is nobody's file.
        """
        declared = manifest.declared
        return [
            path
            for path in self.disk.walk()
            if path not in declared and not _NUMBER(path) and not is_side_name(path)
        ]

    def check_fresh(self, manifest: Manifest, *, leftovers: Collection[str] = ()) -> Inventory:
        """Hold that the raw inputs are, to the byte, those of the inventory.

        Args:
            manifest: Whose inventory.
            leftovers: Where the step that asks is about to put artefacts. What stands there
                may be what a crash left of the same step: ``advance`` compares it.

        Raises:
            StaleCaseError: one was changed, is missing or is extra; names the first.
        """
        inventory = self.inventory(manifest)
        listed = {one.path: one.digest for one in inventory.inputs}
        there = {p for p in self.raw_paths(manifest) if p in listed or p not in leftovers}
        for path in sorted(there | set(listed)):
            if path not in there:
                raise StaleCaseError("it is missing", place=path)
            if path not in listed:
                raise StaleCaseError(
                    "it is not among the inputs that were analysed", place=path
                )
            if digest_of(self.read(path)) != listed[path]:
                raise StaleCaseError("it was changed", place=path)
        return inventory

    def check_whole(self, manifest: Manifest) -> None:
        """Hold that every declared artefact is there as it was published.

        Raises:
            FolderChangedError: one was changed or is missing; names the first.
        """
        for path, digest in sorted(manifest.declared.items()):
            if digest is None:
                continue
            raw = self.disk.read(path)
            if raw is None or digest_of(raw) != digest:
                how = "is missing" if raw is None else "was changed"
                raise FolderChangedError(f"it {how} since it was published", place=path)

    def advance(
        self, before: Manifest, after: Manifest, files: Mapping[str, bytes]
    ) -> Manifest:
        """Publish a step: its artefacts, then the manifest that declares them.

        Args:
            before: The manifest that the step was worked out from.
            after: What the step makes of it; its generation and ``previous`` are set here.
            files: The artefacts, which the new checkpoint declares.

        Raises:
            GenerationTakenError: another writer was first.
            StaleCaseError: other bytes stand where an artefact belongs; nobody listed them.
        """
        raw_before = self.read(manifest_path(before.generation))
        for path, raw in sorted(files.items()):
            try:
                self.put(path, raw)
            except FileExistsError as error:
                raise StaleCaseError(
                    "it is not among the inputs that were analysed", place=path
                ) from error
        number = before.generation + 1
        after = replace(after, generation=number, previous=digest_of(raw_before))
        self._commit(after)
        return after

    def put(self, path: str, raw: bytes) -> None:
        """Make an artefact durable; the same bytes again are no error.

        Raises:
            FileExistsError: other bytes stand there.
        """
        try:
            self.disk.write_new(path, raw)
        except FileExistsError:
            if self.disk.read(path) != raw:
                raise

    def put_all(self, files: Mapping[str, bytes]) -> None:
        """Make many artefacts durable; what stands there with the same bytes is no error.

        Raises:
            FileExistsError: other bytes stand where one belongs.
        """
        there = set(self.disk.walk())
        try:
            self.disk.write_all_new({p: raw for p, raw in files.items() if p not in there})
        except FileExistsError:  # another writer came in between
            there |= set(files)
        for path in sorted(there & set(files)):
            self.put(path, files[path])

    def begin(self, first: Manifest, files: Mapping[str, bytes]) -> Manifest:
        """Publish the first generation of a package."""
        for path, raw in sorted(files.items()):
            self.put(path, raw)
        self._commit(first)
        return first

    def _commit(self, manifest: Manifest) -> None:
        name = manifest_path(manifest.generation)
        try:
            self.disk.write_new(name, records.manifest_bytes(manifest))
        except FileExistsError as error:
            raise GenerationTakenError(manifest.generation) from error


def manifest_path(number: int) -> str:
    """Say where a generation's manifest lies.

    >>> manifest_path(7)
    'manifests/00000007.json'
    """
    return f"manifests/{number:08d}.json"


def phase_path(phase: str, number: int, name: str) -> str:
    """Say where a phase puts an artefact.

    >>> phase_path("diagnosis", 1, "context.json")
    'analysis/diagnosis/0001/context.json'
    """
    return f"analysis/{phase}/{number:04d}/{name}"


def next_number(manifest: Manifest, phase: str, inventory: Inventory) -> int:
    """The first number under which no checkpoint and no input has anything for a phase.

    An input may lie wherever its owner put it, even where a phase would put its own.
    """
    prefix = f"analysis/{phase}/"
    used = {path.split("/")[2] for path in manifest.declared if path.startswith(prefix)}
    number = max((int(one) for one in used if one.isdigit()), default=0) + 1
    inputs = {one.path for one in inventory.inputs}
    while any(one.startswith(_places_of(phase, number)) for one in inputs):
        number += 1
    return number


def _places_of(phase: str, number: int) -> tuple[str, ...]:
    run = place_of(f"{phase}-{number:04d}")
    return f"analysis/{phase}/{number:04d}/", run, run.removesuffix(".jsonl") + ".lock"


def declare(files: Mapping[str, bytes]) -> dict[str, Digest]:
    """The digests under which a checkpoint declares its artefacts."""
    return {path: digest_of(raw) for path, raw in sorted(files.items())}


def with_checkpoint(manifest: Manifest, checkpoint: Checkpoint, **changes: object) -> Manifest:
    """A manifest after one more step."""
    steps: Iterable[Checkpoint] = (*manifest.checkpoints, checkpoint)
    return replace(manifest, checkpoints=tuple(steps), **changes)  # type: ignore[arg-type]  # named fields of Manifest
