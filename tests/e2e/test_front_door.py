"""What answers at once, what comes with the wheel, and what a pipe may do."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support_cli import BRACKET, ROOT, command, environment, witmark

from witmark.cli import COMMANDS

HEAVY = ("OCP", "numpy", "scipy", "pydantic", "rich", "yaml", "PIL", "shapely", "embreex")
PROBE = """
import sys
sys.argv = ["witmark", *sys.argv[1:]]
from witmark.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print([name for name in %r if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [[], *([name] for name in COMMANDS)])
def test_help_loads_nothing_heavy(arguments):
    done = subprocess.run(
        [sys.executable, "-c", PROBE % (HEAVY,), *arguments, "--help"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    assert done.stdout.startswith("Usage: ")
    assert done.stderr.strip() == "[]"


def test_a_reader_that_goes_away_is_no_fault_of_ours(bracket):
    ref = bracket.report["rulebook"]["store"]
    process = subprocess.Popen(
        command("trace", ref),
        cwd=bracket.home,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    said = process.stderr.read()

    assert process.wait(timeout=120) in (0, 141)
    assert said == b"", "`witmark trace REF | head` ends without a word"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from what is here, without a network."""
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=300,
    )
    [made] = out.glob("*.whl")
    return made


@pytest.mark.parametrize(
    "part",
    [
        "witmark/py.typed",
        "witmark/adapters/html/report.css",
        "witmark/adapters/html/report.js",
        "witmark/review/rulebooks/machined-parts/18.P29.md",
        "witmark/review/rulebooks/machined-parts/diagnostic_index/chapter18_rule_index_v1.json",
        "witmark/review/rulebooks/machined-parts/diagnostic_index/chapter18_rule_store_v1.json",
    ],
)
def test_the_wheel_holds_what_is_no_python(wheel, part):
    assert part in zipfile.ZipFile(wheel).namelist()


ENTRY = """
import sys
from importlib.metadata import entry_points
import witmark
print(witmark.__file__, file=sys.stderr)
[entry] = [e for e in entry_points(group="console_scripts") if e.name == "witmark"]
sys.argv = ["witmark", *sys.argv[1:]]
entry.load()()
"""


def test_the_installed_wheel_reviews(wheel, tmp_path):
    """Its rulebook, its style sheet and its entry point come from the wheel alone.

    A wheel of pure Python is installed by unpacking it, so this needs no pip.
    """
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    env = {"PYTHONPATH": str(site)}
    asked = ["review", str(BRACKET), "--no-pictures", "--out", "r"]
    done = subprocess.run(
        [sys.executable, "-c", ENTRY, *asked],
        env=environment(env),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )

    assert done.returncode == 1, done.stderr
    assert Path(done.stderr.splitlines()[0]).is_relative_to(site)
    assert "Deep hole" in done.stdout
    assert witmark("verify", "r", cwd=tmp_path, env=env).code == 0
