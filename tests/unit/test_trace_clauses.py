"""A promise without a test is seen, and so is a test of a promise nobody made."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "trace_clauses.py"
CONTRACT = "# Contract\n\n- **KER-CAN-01** Equal values.\n- **KER-CAN-02** See KER-CAN-01.\n"
TESTS = """
import pytest

@pytest.mark.clause("KER-CAN-01")
def test_one(): ...

class TestTwo:
    @pytest.mark.clause("KER-CAN-02")
    def test_two(self): ...
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "docs" / "contracts").mkdir(parents=True)
    (tmp_path / "tests" / "unit").mkdir(parents=True)
    (tmp_path / "docs" / "contracts" / "kernel.md").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "tests" / "unit" / "test_a.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


def traced(project):
    command = [sys.executable, str(TOOL), "--root", str(project)]
    end = subprocess.run(command, capture_output=True, text=True, check=False)
    assert end.stderr == ""
    return end.returncode, end.stdout


def write(project, name, text):
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.clause("KER-TRC-01")
def test_each_clause_is_shown_with_its_tests(project):
    code, said = traced(project)
    assert code == 0
    assert said.splitlines()[:4] == [
        "KER-CAN-01  kernel.md",
        "    tests/unit/test_a.py::test_one",
        "KER-CAN-02  kernel.md",
        "    tests/unit/test_a.py::test_two",
    ]


@pytest.mark.clause("KER-TRC-01")
def test_a_clause_without_a_test_is_an_error(project):
    write(project, "docs/contracts/review.md", "| **REV-NEU-02** | neutral |\n")
    code, said = traced(project)
    assert code == 1
    assert "no test holds REV-NEU-02" in said


@pytest.mark.clause("KER-TRC-01")
def test_a_citation_of_an_unknown_clause_is_an_error(project):
    write(project, "tests/test_b.py", TESTS.replace("KER-CAN-02", "KER-CAN-09"))
    code, said = traced(project)
    assert code == 1
    assert "tests/test_b.py::test_two cites KER-CAN-09, which is not promised" in said


@pytest.mark.clause("KER-TRC-01")
def test_a_clause_promised_twice_is_an_error(project):
    write(project, "docs/contracts/other.md", "**KER-CAN-01** Again.\n")
    code, said = traced(project)
    assert code == 1
    assert "promised twice: KER-CAN-01" in said


@pytest.mark.clause("KER-TRC-01")
def test_no_promises_at_all_is_an_error(tmp_path):
    code, said = traced(tmp_path)
    assert code == 1
    assert "promises nothing" in said


@pytest.mark.clause("KER-TRC-01")
@pytest.mark.parametrize(
    "text",
    [
        'import pytest\npytestmark = pytest.mark.clause("REV-A-01", "REV-NEU-02")\n',
        'import pytest\npytestmark = [pytest.mark.clause("REV-NEU-02")]\n',
        'import pytest\nTestX = pytest.mark.clause("REV-NEU-02")(object)\n',
        'import pytest\n@pytest.mark.clause("REV-NEU-02")\nclass TestX: ...\n',
        'import pytest\npytest.param(1, marks=pytest.mark.clause("REV-NEU-02"))\n',
    ],
)
def test_a_citation_is_found_wherever_a_mark_may_stand(project, text):
    write(project, "docs/contracts/review.md", "**REV-NEU-02** Neutral.\n\n**REV-AA-01** A.\n")
    write(project, "tests/test_c.py", text.replace("REV-A-01", "REV-AA-01"))
    write(project, "src/witmark/testing/suite.py", TESTS.replace("KER-CAN-02", "REV-AA-01"))
    code, said = traced(project)
    assert code == 0, said
