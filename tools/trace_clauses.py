"""Print which tests hold each numbered clause of docs/contracts, and say what is missing.

A clause is promised where its id stands in bold at the head of a paragraph, list entry or
table row: ``**KER-CAN-01**``. A test cites it with ``@pytest.mark.clause("KER-CAN-01")``,
on a function, on a class, in a module's ``pytestmark``, or as
``pytest.mark.clause("...")(SomeClass)``. Exit 1 when a clause has no test, a test cites a
clause that nobody promised, or a clause is promised twice.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_PROMISE = re.compile(
    r"^\s*(?:[-*]\s+|\|\s*)?\*\*([A-Z]{3}-[A-Z]{2,5}-\d{2})\*\*", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Citation:
    """One test, or one class of tests, and the clause it says it holds."""

    clause: str
    test: str


@dataclass(frozen=True, slots=True)
class Trace:
    """What is promised, who holds it, and what does not meet."""

    promised: dict[str, str]
    """Each clause with the document that promises it, in the order of the documents."""
    twice: tuple[str, ...]
    cited: tuple[Citation, ...]

    @property
    def untested(self) -> list[str]:
        """Clauses that no test cites."""
        held = {citation.clause for citation in self.cited}
        return [clause for clause in self.promised if clause not in held]

    @property
    def unknown(self) -> list[Citation]:
        """Citations of clauses that no document promises."""
        return [citation for citation in self.cited if citation.clause not in self.promised]

    @property
    def holds(self) -> bool:
        """Whether every clause has a test, and every test a clause."""
        return bool(self.promised) and not (self.untested or self.unknown or self.twice)


def trace(root: Path) -> Trace:
    """Read the contracts and the tests, shipped suites included, below a project root."""
    promised: dict[str, str] = {}
    twice = []
    for document in sorted((root / "docs" / "contracts").glob("*.md")):
        for found in _PROMISE.finditer(document.read_text(encoding="utf-8")):
            if found[1] in promised:
                twice.append(found[1])
            promised[found[1]] = document.name
    sources = sorted([*root.glob("tests/**/*.py"), *root.glob("src/witmark/testing/**/*.py")])
    cited = [citation for source in sources for citation in citations(source, root)]
    return Trace(promised, tuple(twice), tuple(cited))


def citations(source: Path, root: Path) -> Iterator[Citation]:
    """Find every ``pytest.mark.clause(...)`` in a file, with the name it is put on."""
    tree = ast.parse(source.read_text(encoding="utf-8"), filename=str(source))
    where = source.relative_to(root).as_posix()
    owners = {call: name for name, node in _named(tree) for call in _marks_on(node)}
    for node in ast.walk(tree):
        if _is_mark(node):
            name = owners.get(node, "(module)")
            for argument in node.args:
                yield Citation(str(ast.literal_eval(argument)), f"{where}::{name}")


def _named(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node


def _marks_on(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Assign):
        return [inner for inner in ast.walk(node.value) if _is_mark(inner)]
    return [mark for mark in getattr(node, "decorator_list", []) if _is_mark(mark)]


def _is_mark(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause"


def table(found: Trace) -> Iterator[str]:
    """Render clause → tests, then what is wrong, one line each."""
    for clause, document in found.promised.items():
        tests = [citation.test for citation in found.cited if citation.clause == clause]
        yield f"{clause}  {document}"
        yield from (f"    {test}" for test in tests)
    yield from (f"promised twice: {clause}" for clause in found.twice)
    yield from (f"no test holds {clause}" for clause in found.untested)
    yield from (f"{c.test} cites {c.clause}, which is not promised" for c in found.unknown)
    if not found.promised:
        yield "docs/contracts promises nothing"


def main(arguments: list[str]) -> int:
    """Print the trace of a project; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="project to look at")
    parser.add_argument("--quiet", action="store_true", help="print only what is wrong")
    chosen = parser.parse_args(arguments)
    found = trace(chosen.root)
    for line in table(found):
        if not chosen.quiet or "  " not in line:
            print(line)
    print(
        f"{len(found.promised)} clauses, {len({c.test for c in found.cited})} tests cite them"
    )
    return 0 if found.holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
