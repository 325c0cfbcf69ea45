"""Whatever somebody puts into a package is preserved, and part of the freshness check."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.diagnosis.assembling import CaseAssembler
from witmark.diagnosis.case import CaseId
from witmark.diagnosis.package import Package, StaleCaseError
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock

_PART = st.text("ab.包!%é", min_size=1, max_size=5).filter(lambda part: part[0] != ".")
_PATH = st.lists(_PART, min_size=1, max_size=3).map("/".join)
_ANYWHERE = st.sampled_from(["", "inputs/", "analysis/", "analysis/diagnosis/0001/", "blobs/"])


class Store:
    def __init__(self):
        self.kept = MemoryDisk()

    def disk(self, _case, _package):
        return self.kept


@pytest.mark.clause("DIA-CASE-11", "DIA-SEED-65")
@settings(max_examples=60, deadline=None)
@given(
    handed=st.dictionaries(_PATH.map(lambda p: f"h/{p}"), st.binary(max_size=9), max_size=4),
    where=_ANYWHERE,
    name=_PATH.map(lambda path: f"found/{path}"),
    raw=st.binary(max_size=9),
)
def test_an_unknown_file_is_seen_preserved_and_watched(handed, where, name, raw):
    store = Store()
    files = {"report.md": b"# x"} | _without_files_for_folders(handed)
    assembler = CaseAssembler(store, SteadyClock())
    assembler.new(CaseId("c"), files)
    package = Package(store.kept)
    manifest = package.manifest()
    before = package.check_fresh(manifest)

    path = where + name
    store.kept.files[path] = raw
    with pytest.raises(StaleCaseError):
        package.check_fresh(manifest)
    after = assembler.refresh(package, manifest)
    inventory = package.check_fresh(after)
    assert store.kept.files[path] == raw
    assert {one.path for one in inventory.inputs} == {one.path for one in before.inputs} | {
        path
    }

    store.kept.files[path] = raw + b"!"
    with pytest.raises(StaleCaseError):
        package.check_fresh(after)
    del store.kept.files[path]
    with pytest.raises(StaleCaseError):
        package.check_fresh(after)


def _without_files_for_folders(files):
    """A path cannot be a file and a folder at once."""
    return {
        path: raw
        for path, raw in files.items()
        if not any(o.startswith(f"{path}/") for o in files)
    }
