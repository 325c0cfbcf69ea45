"""Makes a package of what was handed in, and a new revision when something is added.

Raw inputs are preserved byte for byte. Only files that a checkpoint declared are left out of
them; whatever else lies in the package is an input, listed by somebody or not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from witmark.diagnosis.auditing import RUN
from witmark.diagnosis.case import (
    CaseId,
    Checkpoint,
    Inventory,
    Manifest,
    PackageId,
    Phase,
    RawInput,
    Routing,
    State,
)
from witmark.diagnosis.naming import origin_of, stored_name, told_name
from witmark.diagnosis.package import Package, declare, with_checkpoint
from witmark.diagnosis.placing import MEMBER, UNPACKED
from witmark.diagnosis.ports import CaseStore, Clock
from witmark.diagnosis.records import inventory_bytes
from witmark.diagnosis.sorting import kinds_of
from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.errors import AlreadyThereError, BadNameError, InputError
from witmark.kernel.journal import place_of
from witmark.kernel.store import check_name

INPUTS = "inputs/"

Members = Mapping[str, Mapping[str, bytes]]
"""What was unpacked: by archive, then by member."""

Placed = Mapping[str, tuple[str, bytes]]
"""Origin and bytes by the path in the package."""

_NO_MEMBERS: Members = {}


class CaseTooLargeError(InputError):
    """More was handed in than a package may hold. Nothing was made."""

    code = "input.case-too-large"
    hint = "leave out what the analysis does not need, or raise the limits"


@dataclass(frozen=True, slots=True)
class PackageLimits:
    """How much a package may hold; safety defaults, no part of the format."""

    max_files: int = 50_000
    max_file_bytes: int = 64 * 1024 * 1024
    max_total_bytes: int = 1024 * 1024 * 1024


class CaseAssembler:
    """Assembles the packages of a store.

    Args:
        store: Where packages lie.
        clock: What time it is, for the record.
        limits: How much a package may hold.
    """

    def __init__(
        self, store: CaseStore, clock: Clock, limits: PackageLimits | None = None
    ) -> None:
        self._store, self._clock, self._limits = store, clock, limits or PackageLimits()

    def new(
        self, case_id: CaseId, files: Mapping[str, bytes], members: Members = _NO_MEMBERS
    ) -> PackageId:
        """Make a package of files, by the paths they had; return its name.

        The same case and files give the same name, and then the package that is there.

        Args:
            case_id: Whose package.
            files: What was handed in, archives among them as they are.
            members: What was unpacked of an archive, by its path among the files.

        Raises:
            CaseTooLargeError, BadNameError: nothing was made.
            AlreadyThereError: a package of this name holds something else.
        """
        placed = _placed(files, members)
        self._check_size(placed)
        listed = _listed(placed)
        package_id = package_id_of(case_id, listed)
        package = Package(self._store.disk(case_id, package_id))
        if package.disk.names("manifests/"):
            return self._same(package, listed, package_id)
        package.put_all({path: raw for path, (_, raw) in placed.items()})
        files_of_ours = {_inventory_path(1): inventory_bytes(Inventory(1, listed))}
        package.begin(self._first(case_id, package_id, files_of_ours), files_of_ours)
        return package_id

    def add(
        self,
        case_id: CaseId,
        package_id: PackageId,
        files: Mapping[str, bytes],
        members: Members = _NO_MEMBERS,
    ) -> Manifest:
        """Add files, and take everything undeclared in the package into a new revision.

        Raises:
            AlreadyThereError: another file of that name is an input already.
        """
        package = Package(self._store.disk(case_id, package_id))
        manifest = package.manifest()
        placed = _placed(files, members)
        self._check_size(placed)
        there = {path for path in package.disk.walk() if path in placed}
        for path in sorted(there):
            if package.disk.read(path) != placed[path][1]:
                raise AlreadyThereError(placed[path][0], hint="give it another name")
        package.put_all({path: raw for path, (_, raw) in placed.items()})
        return self.refresh(
            package, manifest, {path: origin for path, (origin, _) in placed.items()}
        )

    def refresh(
        self, package: Package, manifest: Manifest, origins: Mapping[str, str] | None = None
    ) -> Manifest:
        """Begin a new revision with the raw inputs as they are now.

        If they are those of the revision that stands, it stays.

        Args:
            package: Whose.
            manifest: Where it stands.
            origins: Where new files came from; the others were put there by hand.

        Raises:
            BadNameError: a file that was put there has a name that a package cannot hold.
        """
        paths = package.raw_paths(manifest)
        for path in paths:
            _refuse_hidden(path)
        known = {one.path: one.origin for one in package.inventory(manifest).inputs}
        known = {**(origins or {}), **known}
        listed = _listed(
            {
                path: (
                    known.get(path) or origin_of(path.removeprefix(INPUTS)),
                    package.read(path),
                )
                for path in paths
            }
        )
        if listed == package.inventory(manifest).inputs:
            return manifest
        return self._next_revision(package, manifest, listed)

    def reopen(self, package: Package, manifest: Manifest) -> Manifest:
        """Begin a new revision on the same inputs, because a person asked for it."""
        inventory = package.check_fresh(manifest)
        return self._next_revision(package, manifest, inventory.inputs)

    def _next_revision(
        self, package: Package, manifest: Manifest, listed: tuple[RawInput, ...]
    ) -> Manifest:
        revision = manifest.revision + 1
        place = _inventory_path(revision)
        files = {place: inventory_bytes(Inventory(revision, listed))}
        checkpoint = Checkpoint(
            Phase.ASSEMBLY, revision, declare(files), (), {}, self._clock.now_ms()
        )
        after = with_checkpoint(
            replace(manifest, revision=revision),
            checkpoint,
            state=State.ASSEMBLED,
            routing=Routing.ANALYSIS,
            inventory=place,
            pointers={},
        )
        return package.advance(manifest, after, files)

    def _first(
        self, case_id: CaseId, package_id: PackageId, files: Mapping[str, bytes]
    ) -> Manifest:
        audit = (place_of(RUN),)
        checkpoint = Checkpoint(
            Phase.ASSEMBLY, 1, declare(files), audit, {}, self._clock.now_ms()
        )
        return Manifest(
            case_id,
            package_id,
            1,
            1,
            State.ASSEMBLED,
            Routing.ANALYSIS,
            _inventory_path(1),
            {},
            (checkpoint,),
            None,
        )

    def _same(
        self, package: Package, listed: tuple[RawInput, ...], package_id: PackageId
    ) -> PackageId:
        manifest = package.manifest()
        if manifest.revision == 1 and package.inventory(manifest).inputs != listed:
            raise AlreadyThereError(package_id, hint="the name is taken by other inputs")
        return package_id

    def _check_size(self, placed: Placed) -> None:
        limits = self._limits
        files = {path: raw for path, (_, raw) in placed.items()}
        if not files:
            raise InputError("there is nothing in it", hint="a case needs at least a report")
        if len(files) > limits.max_files:
            raise CaseTooLargeError(f"{len(files)} files, {limits.max_files} are allowed")
        for path, raw in files.items():
            if len(raw) > limits.max_file_bytes:
                raise CaseTooLargeError(
                    f"{len(raw)} bytes, {limits.max_file_bytes} are allowed",
                    place=path.removeprefix(INPUTS),
                )
        if (total := sum(map(len, files.values()))) > limits.max_total_bytes:
            raise CaseTooLargeError(f"{total} bytes, {limits.max_total_bytes} are allowed")


def package_id_of(case_id: CaseId, listed: Iterable[RawInput]) -> PackageId:
    """Name a package by its case and its first inputs."""
    plain = [case_id, *([one.path, one.digest] for one in listed)]
    return PackageId(f"p-{digest_of(canonical_json(plain)).removeprefix('sha256:')[:16]}")


def _refuse_hidden(path: str) -> None:
    """Hold that a file which was put there by hand has a name that a package can hold.

    Raises:
        BadNameError: it has not.
    """
    try:
        check_name(path)
    except BadNameError as error:
        hint = "give it a name without a dot in front, or hand it in with `witmark case add`"
        raise BadNameError("a package cannot hold it", place=path, hint=hint) from error


def _placed(files: Mapping[str, bytes], members: Members) -> Placed:
    """Every file by its path in the package, with its origin."""
    found = {INPUTS + stored_name(origin): (origin, raw) for origin, raw in files.items()}
    for archive, inside in members.items():
        folder = INPUTS + stored_name(archive) + UNPACKED
        for member, raw in inside.items():
            path = folder + stored_name(member)
            found.setdefault(path, (f"{archive}{MEMBER}{member}", raw))
    return found


def _listed(placed: Placed) -> tuple[RawInput, ...]:
    told = {path: told_name(origin) for path, (origin, _) in placed.items()}
    kinds = kinds_of(told.values())
    return tuple(
        RawInput(path, digest_of(raw), len(raw), kinds[told[path]], told[path])
        for path, (_, raw) in sorted(placed.items())
    )


def _inventory_path(revision: int) -> str:
    return f"analysis/inventory/{revision:04d}.json"
