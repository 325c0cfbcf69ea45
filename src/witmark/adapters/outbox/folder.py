"""An outbox that is a folder: each delivery is a folder in it that appears whole.

A delivery is written into a hidden folder beside it, synced file by file, renamed to its name
with a rename that refuses to overwrite, and the outbox is synced. Whoever reads the outbox and
passes over names that begin with a dot sees whole deliveries only.
"""

import time
from collections.abc import Mapping
from pathlib import Path

from witmark.adapters.disk import PosixDisk
from witmark.adapters.disk.inside import make_folder, sync_folder
from witmark.adapters.disk.refusals import disk_error
from witmark.adapters.disk.whole_folders import staging, sweep_staging
from witmark.kernel.errors import InputError, IntegrityError
from witmark.kernel.store import check_name

STALE_S = 24 * 3600  # a hidden folder of that age is no run's that is still at work


class OtherDeliveryError(IntegrityError):
    """Something else has the name of a delivery. It was left as it is."""

    code = "integrity.other-delivery"
    hint = "move it away and hand over again; nothing is ever overwritten"


class NoOutboxError(InputError):
    """What was named as an outbox is no folder and cannot become one."""

    code = "input.no-outbox"
    hint = "name a folder outside of our own data, or one that can be made"


class FolderOutbox:
    """A folder of deliveries. Keeps the promises of ``Outbox``.

    Args:
        folder: It need not be there yet.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self.name = str(self._folder)

    @property
    def stands(self) -> bool:
        """Whether the folder is there, so that what is in it can be told."""
        return self._folder.is_dir()

    def make(self) -> None:
        """Make the folder, durably, where it is not there."""
        try:
            make_folder(self._folder)
        except OSError as error:
            raise disk_error(error, self.name) from error
        if not self.stands:
            raise NoOutboxError("no folder can be made there", place=self.name)

    def holds(self, name: str, files: Mapping[str, bytes]) -> bool:
        """Whether it has this very delivery, and durably."""
        target = self._folder / check_name(name)
        try:
            if not target.is_symlink() and not target.exists():
                return False
            self._check_same(target, files)
            sync_folder(self._folder)  # who put it may have died before that
        except OSError as error:
            raise disk_error(error, str(target)) from error
        return True

    def put(self, name: str, files: Mapping[str, bytes]) -> None:
        """Make a delivery visible and durable, whole or not at all."""
        if self.holds(name, files):
            return
        target = self._folder / name
        self._sweep()
        with staging(self._folder) as stage:
            stage.disk.write_all_new(files)
            try:
                stage.seat(target)
            except FileExistsError:  # another one was first, this very moment
                if not self.holds(name, files):
                    raise

    def _check_same(self, target: Path, files: Mapping[str, bytes]) -> None:
        if target.is_symlink() or not target.is_dir():
            raise OtherDeliveryError("it is no folder of ours", place=str(target))
        disk = PosixDisk(target)
        if (found := disk.walk()) != sorted(files):
            strays = sorted(set(found) ^ set(files))
            raise OtherDeliveryError(f"it differs in {strays[0]}", place=str(target))
        for one, raw in sorted(files.items()):
            if disk.read(one) != raw:
                raise OtherDeliveryError(f"{one} holds other bytes", place=str(target))

    def _sweep(self) -> None:
        try:
            sweep_staging(self._folder, before_s=time.time() - STALE_S)
        except OSError as error:
            raise disk_error(error, str(self._folder)) from error
