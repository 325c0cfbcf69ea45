"""A package keeps what was handed in, byte for byte, and knows what nobody listed."""

import pytest

from witmark.diagnosis.assembling import CaseAssembler, CaseTooLargeError, PackageLimits
from witmark.diagnosis.case import CaseId, InputKind, State
from witmark.diagnosis.naming import origin_of, stored_name
from witmark.diagnosis.package import Package, StaleCaseError
from witmark.diagnosis.sorting import kind_of
from witmark.kernel.errors import AlreadyThereError, BadNameError, InputError
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock

CASE = CaseId("case-1")
FILES = {
    "report.md": b"# It crashes\n",
    "source/.env": b"A=1\n",
    "source/包/a%b.py": b"\xff\xfe",
    ".git/HEAD": b"ref: main\n",
    "logs/run.log": b"",
}


class Store:
    def __init__(self):
        self.disks = {}

    def disk(self, case_id, package_id):
        return self.disks.setdefault((case_id, package_id), MemoryDisk())


@pytest.fixture
def store():
    return Store()


@pytest.fixture
def assembler(store):
    return CaseAssembler(store, SteadyClock())


def test_every_byte_and_name_is_preserved(store, assembler):
    package_id = assembler.new(CASE, FILES)
    package = Package(store.disk(CASE, package_id))
    manifest = package.manifest()
    inventory = package.check_fresh(manifest)
    assert {one.origin: package.read(one.path) for one in inventory.inputs} == FILES
    assert {origin_of(one.path.removeprefix("inputs/")) for one in inventory.inputs} == set(
        FILES
    )
    assert (manifest.state, manifest.revision, manifest.generation) == (State.ASSEMBLED, 1, 1)


def test_the_same_files_are_the_same_package(store, assembler):
    first = assembler.new(CASE, FILES)
    before = dict(store.disk(CASE, first).files)
    assert assembler.new(CASE, dict(reversed(FILES.items()))) == first
    assert store.disk(CASE, first).files == before
    assert assembler.new(CASE, {**FILES, "x.txt": b""}) != first


def test_a_package_that_a_crash_left_unfinished_is_finished(store, assembler):
    first = assembler.new(CASE, FILES)
    disk = store.disk(CASE, first)
    whole = dict(disk.files)
    del disk.files["manifests/00000001.json"]
    assert assembler.new(CASE, FILES) == first
    assert disk.files == whole


def test_what_is_added_makes_a_new_revision_of_the_same_package(store, assembler):
    package_id = assembler.new(CASE, FILES)
    manifest = assembler.add(CASE, package_id, {"logs/more.log": b"!"})
    assert (manifest.revision, manifest.generation, manifest.package_id) == (2, 2, package_id)
    package = Package(store.disk(CASE, package_id))
    assert "inputs/logs/more.log" in {i.path for i in package.check_fresh(manifest).inputs}
    assert assembler.add(CASE, package_id, {"logs/more.log": b"!"}) == manifest
    with pytest.raises(AlreadyThereError):
        assembler.add(CASE, package_id, {"logs/more.log": b"?"})


def test_a_file_that_somebody_put_there_is_seen_and_taken_in_on_request(store, assembler):
    package_id = assembler.new(CASE, FILES)
    package = Package(store.disk(CASE, package_id))
    package.disk.files["found.txt"] = b"?"
    with pytest.raises(StaleCaseError, match=r"found\.txt"):
        package.check_fresh(package.manifest())
    manifest = assembler.refresh(package, package.manifest())
    assert manifest.revision == 2
    assert package.check_fresh(manifest).inputs[0].path == "found.txt"


def test_reopening_is_a_new_revision_on_the_same_inputs(store, assembler):
    package_id = assembler.new(CASE, FILES)
    package = Package(store.disk(CASE, package_id))
    manifest = assembler.reopen(package, package.manifest())
    assert manifest.revision == 2
    assert package.inventory(manifest).revision == 2


@pytest.mark.parametrize(
    "limits",
    [
        PackageLimits(max_files=4),
        PackageLimits(max_file_bytes=12),
        PackageLimits(max_total_bytes=9),
    ],
)
def test_what_is_too_much_is_refused_and_nothing_is_made(store, limits):
    with pytest.raises(CaseTooLargeError):
        CaseAssembler(store, SteadyClock(), limits).new(CASE, FILES)
    assert store.disks == {}


def test_an_empty_case_is_refused(assembler):
    with pytest.raises(InputError, match="nothing in it"):
        assembler.new(CASE, {})


@pytest.mark.parametrize("name", ["", "/a", "a//b", "../a", "a/./b"])
def test_a_name_that_leads_out_is_refused(name):
    with pytest.raises(BadNameError):
        stored_name(name)


@pytest.mark.parametrize("name", ["a\\b", "c:x", ".a/..b", "a%41", "%2E", "a\udcffb", "a\nb"])
def test_any_other_name_comes_back(name):
    assert origin_of(stored_name(name)) == name


@pytest.mark.parametrize(
    ("origin", "kind"),
    [
        ("report.md", InputKind.REPORT),
        ("src/report.md", InputKind.SOURCE),
        ("good/pkg/a.py", InputKind.GOOD_SOURCE),
        ("app.log.1", InputKind.LOG),
        ("traceback.txt", InputKind.TRACE),
        ("requirements-dev.txt", InputKind.LOCK),
        ("package-lock.json", InputKind.LOCK),
        ("settings.toml", InputKind.CONFIG),
        ("coverage.xml", InputKind.COVERAGE),
        ("shot.PNG", InputKind.SCREENSHOT),
        ("part.stp", InputKind.STEP),
        ("source/.git/config", InputKind.REPOSITORY),
        ("core.1234", InputKind.UNKNOWN),
    ],
)
def test_a_file_is_sorted_by_its_place_and_name(origin, kind):
    assert kind_of(origin) is kind


@pytest.mark.clause("DIA-CASE-11")
def test_what_a_crash_of_ours_left_by_the_side_is_no_input(store, assembler):
    """Or a package would be stale for ever after a power cut."""
    package_id = assembler.new(CASE, FILES)
    package = Package(store.disk(CASE, package_id))
    package.disk.files["analysis/diagnosis/.0123456789abcdef.side"] = b"half"
    assert len(package.check_fresh(package.manifest()).inputs) == len(FILES)


@pytest.mark.clause("DIA-CASE-11")
def test_a_hidden_file_makes_a_case_stale_and_is_refused_with_a_way_out(store, assembler):
    package_id = assembler.new(CASE, FILES)
    package = Package(store.disk(CASE, package_id))
    package.disk.files["inputs/.DS_Store"] = b"?"
    with pytest.raises(StaleCaseError):
        package.check_fresh(package.manifest())
    with pytest.raises(BadNameError) as refused:
        assembler.refresh(package, package.manifest())
    assert "case add" in refused.value.hint
