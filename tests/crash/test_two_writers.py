"""Two writers begin at once; exactly one wins, and the other is told so."""

import pytest

from witmark.adapters.disk import PosixDisk, staging
from witmark.kernel.errors import EntryTakenError, GenerationTakenError
from witmark.kernel.journal import Journal, journal_bodies
from witmark.kernel.publish import (
    current_generation,
    publish,
    read_generation,
    seal_folder,
    verify_folder,
)
from witmark.testing.writers import race, race_processes

RACES = pytest.mark.parametrize("run", [race, race_processes], ids=["threads", "processes"])


@RACES
@pytest.mark.clause("KER-PUB-02")
@pytest.mark.parametrize("number", [0, 1])
def test_a_generation_goes_to_one_of_two_writers(tmp_path, run, number):
    for _ in range(number):
        publish(PosixDisk(tmp_path), {"a": b"old"})
    results = [{"a": b"one", "same": b"same"}, {"a": b"two", "same": b"same"}]
    ends = run(
        *[
            lambda made=made: publish(PosixDisk(tmp_path), made, after=number)
            for made in results
        ]
    )

    won = [made for made, end in zip(results, ends, strict=True) if end == number + 1]
    lost = [end for end in ends if isinstance(end, GenerationTakenError)]
    assert (len(won), len(lost)) == (1, 1)
    assert current_generation(PosixDisk(tmp_path)) == number + 1
    assert read_generation(PosixDisk(tmp_path), number + 1) == won[0]


@RACES
@pytest.mark.clause("KER-JRN-03")
def test_an_entry_goes_to_one_of_two_writers(tmp_path, run):
    disk = PosixDisk(tmp_path)
    Journal(disk, "r").append("begun", "")
    writers = [(Journal(disk, "r"), body) for body in ("one", "two")]
    ends = run(*[lambda j=j, body=body: j.append("did", body) for j, body in writers])

    assert sum(isinstance(end, EntryTakenError) for end in ends) == 1
    [won] = [body for (_, body), end in zip(writers, ends, strict=True) if isinstance(end, str)]
    assert journal_bodies(disk, "r") == ["", won]


@RACES
@pytest.mark.clause("KER-DSK-02")
def test_a_name_goes_to_one_of_many_writers(tmp_path, run):
    texts = [bytes([n]) * 20_000 for n in range(6)]
    ends = run(*[lambda t=t: PosixDisk(tmp_path / "new").write_new("a/b", t) for t in texts])

    won = [text for text, end in zip(texts, ends, strict=True) if end is None]
    assert won == [PosixDisk(tmp_path / "new").read("a/b")]
    assert all(end is None or isinstance(end, FileExistsError) for end in ends)
    assert PosixDisk(tmp_path / "new").walk() == ["a/b"]


@RACES
@pytest.mark.clause("KER-STO-01")
def test_many_writers_of_the_same_result_all_succeed(tmp_path, run):
    made = {"a": b"same", "b": b"also"}
    ends = run(*[lambda: publish(PosixDisk(tmp_path), made)] * 4)

    assert {end for end in ends if isinstance(end, int)} >= {1}
    assert all(isinstance(end, int | GenerationTakenError) for end in ends)
    newest = current_generation(PosixDisk(tmp_path))
    assert all(read_generation(PosixDisk(tmp_path), n) == made for n in range(1, newest + 1))


@RACES
@pytest.mark.clause("KER-SEA-05")
def test_a_seat_goes_to_one_of_many_folders(tmp_path, run):
    def review(text):
        with staging(tmp_path) as stage:
            seal_folder(stage.disk, {"report.json": text})
            stage.seat(tmp_path / "r")

    texts = [bytes([n]) for n in range(4)]
    ends = run(*[lambda text=text: review(text) for text in texts])

    won = [text for text, end in zip(texts, ends, strict=True) if end is None]
    assert won == [PosixDisk(tmp_path / "r").read("report.json")]
    assert sum(isinstance(end, FileExistsError) for end in ends) == 3
    assert verify_folder(PosixDisk(tmp_path / "r")) == []
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


@pytest.mark.clause("KER-TST-01")
@RACES
def test_a_race_says_how_each_writer_ended(run):
    def fails():
        raise GenerationTakenError(3)

    one, two = run(lambda: "done", fails)
    assert one == "done"
    assert isinstance(two, GenerationTakenError)
    assert two.number == 3
