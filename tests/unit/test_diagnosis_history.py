"""Commits of a Git folder that was handed in: made by dulwich, read from bytes."""

import pytest
from diagnosis_views import LIMITS, check_quotes, hypothesis, view_of
from dulwich import porcelain
from dulwich.repo import Repo

from witmark.adapters.history import GitHistory
from witmark.diagnosis.findings import Completeness, Direction
from witmark.diagnosis.hypotheses import CauseClass
from witmark.diagnosis.investigators.history import HistoryInvestigator
from witmark.diagnosis.ports import Limits, UnreadableHistoryError

WHO = b"A Person <a@example.test>"
REPORT = "# load is wrong\n\nWith 1.0 it worked, in 1.1 `load` fails.\n"


def commit(folder, path, text, message, at):
    file = folder / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    porcelain.add(str(folder), [str(file)])
    return (
        Repo(str(folder))
        .get_worktree()
        .commit(
            message=message.encode(),
            committer=WHO,
            author=WHO,
            commit_timestamp=at,
            author_timestamp=at,
            commit_timezone=0,
            author_timezone=0,
        )
    )


def git_files(folder):
    git = folder / ".git"
    return {
        p.relative_to(git).as_posix(): p.read_bytes() for p in git.rglob("*") if p.is_file()
    }


@pytest.fixture
def repository(tmp_path):
    porcelain.init(str(tmp_path))
    commit(tmp_path, "pkg/load.py", "def load(a):\n    return a\n", "first", 1000)
    first = commit(tmp_path, "pkg/keep.py", "def keep(a):\n    return a\n", "second", 2000)
    (tmp_path / ".git" / "refs" / "tags" / "v1.0").write_bytes(first + b"\n")
    commit(tmp_path, "pkg/load.py", "def load(a):\n    return a[0]\n", "take the head", 3000)
    return tmp_path


def look_at(files, report=REPORT, limits=LIMITS):
    named = {f"source/.git/{name}": raw for name, raw in files.items()}
    named |= {
        "report.md": report,
        "source/pkg/load.py": "def load(a):\n    return a[0]\n",
        "source/pkg/keep.py": "def keep(a):\n    return a\n",
    }
    view = view_of(named)
    return view, HistoryInvestigator(GitHistory()).look(view, "A1", limits)


@pytest.mark.clause("DIA-INV-07")
def test_commits_are_read_from_bytes_newest_first(repository):
    found = GitHistory().commits(git_files(repository), most=10)

    assert [(one.message, one.paths, one.at_s) for one in found] == [
        ("take the head", ("pkg/load.py",), 3000),
        ("second", ("pkg/keep.py",), 2000),
        ("first", ("pkg/load.py",), 1000),
    ]
    assert [one.tags for one in found] == [(), ("v1.0",), ()]


def test_packed_objects_are_read_as_well(repository):
    loose = GitHistory().commits(git_files(repository), most=10)
    Repo(str(repository)).object_store.pack_loose_objects()
    files = git_files(repository)

    assert any(name.endswith(".pack") for name in files)
    assert GitHistory().commits(files, most=10) == loose


def test_a_commit_since_the_good_tag_speaks_for_a_regression(repository):
    view, look = look_at(git_files(repository))

    (found,) = look.findings
    assert found.location.name == "load"
    assert "since v1.0" in found.statement
    assert "take the head" in found.statement
    assert found.bears_on == {hypothesis(view, CauseClass.REGRESSION): Direction.FOR}
    assert look.completeness is Completeness.COMPLETE
    check_quotes(view, look)


def test_no_commit_since_the_good_tag_speaks_against_a_regression(repository):
    files = git_files(repository)
    newest = GitHistory().commits(files, most=1)[0].id
    files["refs/tags/v1.0"] = newest.encode()
    view, look = look_at(files)

    (found,) = look.findings
    assert found.bears_on == {hypothesis(view, CauseClass.REGRESSION): Direction.AGAINST}
    check_quotes(view, look)


def test_without_a_good_tag_nothing_is_said_for_or_against(repository):
    files = git_files(repository)
    del files["refs/tags/v1.0"]
    _, look = look_at(files)

    assert {way for one in look.findings for way in one.bears_on.values()} == {
        Direction.NEUTRAL
    }
    assert look.completeness is Completeness.PARTIAL


@pytest.mark.clause("DIA-INV-01")
@pytest.mark.parametrize("broken", ["HEAD", "object"])
def test_a_broken_folder_is_not_looked_at_and_not_fatal(repository, broken):
    files = git_files(repository)
    name = broken if broken == "HEAD" else min(n for n in files if n.startswith("objects/"))
    files[name] = b"garbage"
    with pytest.raises(UnreadableHistoryError):
        GitHistory().commits(files, most=10)
    _, look = look_at(files)

    assert look.findings == ()
    assert look.completeness is Completeness.PARTIAL
    assert look.not_looked_at


def test_a_case_without_a_folder_holds_nothing_for_it():
    view = view_of({"report.md": REPORT, "source/a.py": "def a():\n    pass\n"})

    assert not HistoryInvestigator(GitHistory()).can_look(view)


def test_a_folder_that_is_too_large_is_not_read(repository):
    _, look = look_at(git_files(repository), limits=Limits(most_bytes=100))

    assert look.findings == ()
    assert look.completeness is Completeness.PARTIAL
    assert look.not_looked_at[0].endswith("100 are read")
