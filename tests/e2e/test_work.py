"""``witmark case enqueue`` and ``witmark work`` as a user meets them."""

import json
import os
import signal
import subprocess
from collections import Counter

import pytest
from support_cli import LONGEST_S, command, environment, witmark

from witmark.cli.work import Stop

pytestmark = pytest.mark.clause("DIA-QUE-10")


@pytest.fixture
def home(tmp_path):
    return {"WITMARK_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}


@pytest.fixture
def run(tmp_path, home):
    """Run a command with a data folder of its own."""

    def ran(*arguments):
        return witmark(*arguments, cwd=tmp_path, env=home)

    return ran


@pytest.fixture
def start(tmp_path, home):
    """Start a command and give its process; whatever lives at the end is killed."""
    begun = []

    def started(*arguments):
        process = subprocess.Popen(
            command(*arguments),
            cwd=tmp_path,
            env=environment(home),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        begun.append(process)
        return process

    yield started
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=LONGEST_S)


@pytest.fixture
def cases(tmp_path):
    """Folders with nothing but a report each."""

    def made(many):
        folders = []
        for n in range(many):
            folder = tmp_path / f"case {n}"
            folder.mkdir()
            (folder / "report.md").write_text(f"# Crash {n}\n\nload() raises KeyError.\n")
            folders.append(folder)
        return folders

    return made


def standings(run):
    listed = json.loads(run("work", "--list", "--json").out)
    assert listed["format"] == "witmark.queue/1"
    return Counter(job["standing"] for job in listed["jobs"])


def published(*outs):
    """The packages that were published, one for each time."""
    return [
        line.split()[0]
        for out in outs
        for line in out.decode().splitlines()
        if "  published: " in line
    ]


def test_what_is_queued_is_diagnosed_once_and_the_queue_is_empty_then(run, cases):
    folders = cases(3)
    queued = run("case", "enqueue", *folders)
    assert queued.out.count(b"  queued\n") == 3, queued.err
    again = run("case", "enqueue", folders[0])
    assert b"in the queue already" in again.out
    assert standings(run) == {"waiting": 3}
    done = run("work")
    assert done.code == 0, done.err
    assert len(set(published(done.out))) == len(done.out.splitlines()) == 3
    assert "3 published; nothing is left" in done.err
    assert standings(run) == {}
    assert run("case", "list").out.count(b"FAILED_TO_ANALYZE, review") == 3
    assert b"diagnosed already" in run("case", "enqueue", folders[0]).out
    empty = run("work")
    assert (empty.code, empty.out) == (0, b"")


def test_what_cannot_be_done_is_laid_aside_with_the_reason_until_it_is_queued_again(
    run, cases, tmp_path
):
    folders = cases(2)
    queued = run("case", "enqueue", *folders).out.decode()
    name = queued.split()[0]
    (tmp_path / "home" / "cases" / name / "inputs" / "more.log").write_bytes(b"new")
    done = run("work")
    assert done.code == 1
    assert len(published(done.out)) == 1
    assert f"{name}  parked: input.stale-case" in done.out.decode()
    assert "parked: input.stale-case" in run("work", "--list").out.decode()
    assert run("work").code == 0
    assert run("case", "add", name).code == 0
    assert b"  queued" in run("case", "enqueue", name).out
    assert published(run("work").out) == [name]


def test_a_queue_that_is_lost_or_broken_is_made_anew_from_the_cases(run, cases, tmp_path):
    folders = cases(3)
    run("diagnose", folders[0])
    run("case", "enqueue", *folders)
    place = tmp_path / "home" / "queue.sqlite3"
    for left in (*place.parent.glob("queue.sqlite3-*"),):
        left.unlink()
    place.write_bytes(b"junk" * 3000)
    broken = run("work")
    assert (broken.code, "integrity.damaged-queue" in broken.refusal) == (3, True)
    place.unlink()
    assert run("work").out == b""
    done = run("work", "--rebuild")
    assert len(set(published(done.out))) == 2
    assert run("work", "--rebuild").out == b""


@pytest.mark.clause("DIA-QUE-03", "DIA-QUE-09")
def test_two_workers_one_stopped_and_one_killed_and_the_next_one_finishes(run, start, cases):
    run("case", "enqueue", *cases(12))
    stopped, killed = start("work", "--wait"), start("work", "--wait")
    firsts = [process.stdout.readline() for process in (stopped, killed)]
    stopped.send_signal(signal.SIGINT)
    killed.kill()
    outs = [process.communicate(timeout=LONGEST_S)[0] for process in (stopped, killed)]
    assert stopped.returncode == 128 + signal.SIGINT
    rest = run("work")
    assert rest.code == 0, rest.err
    names = published(*firsts, *outs, rest.out)
    assert standings(run) == {}
    assert run("case", "list").out.count(b"FAILED_TO_ANALYZE, review") == 12
    # the killed one may have died between its publication and its word of it
    assert max(Counter(names).values()) == 1
    assert len(names) in {11, 12}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_waits_for_more_does_what_comes_and_stops_when_asked(run, start, cases, number):
    first, second = cases(2)
    run("case", "enqueue", first)
    worker = start("work", "--wait")
    assert b"published" in worker.stdout.readline()
    run("case", "enqueue", second)
    assert b"published" in worker.stdout.readline()
    worker.send_signal(number)
    _, err = worker.communicate(timeout=LONGEST_S)
    assert worker.returncode == 128 + number
    assert b"2 published; nothing is left" in err


def test_the_first_signal_is_a_wish_and_the_second_an_order(capfd):
    with Stop() as stop:
        assert stop.number is None
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.number == signal.SIGINT
        assert capfd.readouterr().err == "stopping after this step; once more stops at once\n"
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
