"""The six regression cases of the answers desk and the compact/spaced matrix, by both doors.

    ./do bench regression [--data WORKSPACE] [--full]
    ./do bench regression --case waterglass_explicit_scope_compact_zh
    ./do bench regression --target waterglass --query "什么是waterglass?"

Every case is asked in process and of a running server (the same bytes are wanted). A miss or
an answer without a citation fails. ``--data`` names a workspace of the same shape as
``vaults/waterglass-shape``: folders ``waterglass``, ``financial`` and ``contextbudget``.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.common import ROOT, Stopwatch, finish, shared_data

AS_OF = "2026-06-20"
LEAKS = (
    "matchedAtomCount",
    "titleLikeQueries",
    "workspaceReadiness",
    "retrieval_candidates_below_threshold",
    "query_no_title_or_alias_hit",
    "sha256:",
    ".md",
    "[c1]",
)
Response = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One question, where it is asked, and what must hold of the answer."""

    name: str
    target: str  # the explicit scope, or the open folder
    query: str
    primary: str
    source: str = "explicit_request"
    explicit: bool = True
    says_any: tuple[str, ...] = ()
    says_all: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()


_GLASS = "waterglass/water glass.md"
_ZH = ("水杯", "透明", "容器")
_ROLES = ("direct_support", "parent_context", "graph_neighbor_support")
_SPELT = ("waterglass", "water glass")
CASES = (
    Case(
        "waterglass_explicit_scope_compact_zh", "waterglass", "什么是waterglass?", _GLASS,
        says_any=_ZH, variants=_SPELT, roles=_ROLES,
    ),
    Case(
        "waterglass_explicit_scope_spaced_zh", "waterglass", "什么是water glass", _GLASS,
        says_any=_ZH, variants=_SPELT, roles=_ROLES,
    ),
    Case(
        "waterglass_compare_en", "waterglass", "compare water glass and plastic cup", _GLASS,
        says_all=("lastic cup",), says_any=("水杯", "water glass", "Water glass"),
    ),
    Case(
        "waterglass_scope_recovery_spaced_en", "financial", "what is water glass?", _GLASS,
        source="planner_scope_recovery", explicit=False, says_any=_ZH,
    ),
    Case(
        "waterglass_scope_recovery_compact_en", "financial", "what is waterglass?", _GLASS,
        source="planner_scope_recovery", explicit=False, says_any=_ZH,
    ),
    Case(
        "contextbudget_long_source", "contextbudget", "what is context budget probe?",
        "contextbudget/context budget probe.md", says_any=("long note",),
        statuses=("read", "fragment_truncated"),
    ),
)  # fmt: skip
"""Source: KNOWLEDGE.md 1.9."""


def matrix() -> Iterator[Case]:
    """Every spelling of the name in both languages, in its scope and from another."""
    spellings = (
        "waterglass", "water glass", "water-glass", "waterGlass", "water_glass",
        "ＷＡＴＥＲ　ＧＬＡＳＳ", "Water  Glass", "water\u200bglass", "水杯", "玻璃水杯",
    )  # fmt: skip
    frames = (("zh", "什么是{}?"), ("zh-tail", "{}是什么"), ("en", "what is {}?"))
    for frame, pattern in frames:
        for at, spelling in enumerate(spellings):
            query = pattern.format(spelling)
            yield Case(f"matrix_{frame}_{at}", "waterglass", query, _GLASS, says_any=_ZH)
            yield Case(
                f"matrix_recovery_{frame}_{at}", "financial", query, _GLASS,
                source="planner_scope_recovery", explicit=False, says_any=_ZH,
            )  # fmt: skip


def faults_of(case: Case, response: Response) -> Iterator[str]:
    """Everything that the case wants and the response does not hold."""
    answer, scope, trace = response["answer"], response["usedScope"], response["trace"]
    if not response["answered"]:
        yield f"a miss: {scope['missDiagnostics']['reason']}"
    if not response["citations"]:
        yield "no citation"
    points = response["knowledgePoints"]
    if not points or points[0]["documentId"] != case.primary:
        yield f"first is {points[0]['documentId'] if points else 'nothing'}"
    if scope["scopeSource"] != case.source:
        yield f"scope {scope['scopeSource']}"
    if case.source == "planner_scope_recovery":
        recovered = (trace["scopeRecovery"] or {}).get("recoveredSourcePaths", [])
        if case.primary not in recovered or case.source not in trace["retrievalModes"]:
            yield f"recovered {recovered}, modes {trace['retrievalModes']}"
    if scope["readiness"]["status"] != "ready":
        yield f"readiness {scope['readiness']['status']}"
    yield from (f"{leak!r} in the answer" for leak in LEAKS if leak in answer)
    yield from (f"{word!r} not in the answer" for word in case.says_all if word not in answer)
    if case.says_any and not any(word in answer for word in case.says_any):
        yield f"none of {case.says_any} in the answer"
    spelt = set(trace["planner"]["queryVariants"])
    yield from (f"no variant {one!r}" for one in case.variants if one not in spelt)
    yield from _faults_of_pack(case, response)


def _faults_of_pack(case: Case, response: Response) -> Iterator[str]:
    graph = response["trace"]["graphContext"]
    roles = {fragment["role"] for fragment in graph["fragments"]}
    yield from (f"no fragment is {role}" for role in case.roles if role not in roles)
    statuses = {decision["status"] for decision in graph["sourceDecisions"]}
    yield from (f"no source was {one}" for one in case.statuses if one not in statuses)
    if response["answerReleaseReview"]["decision"] not in {"release", "revise"}:
        yield f"review: {response['answerReleaseReview']['decision']}"
    if len(response["sentences"]) > 3:
        yield f"{len(response['sentences'])} sentences"


def body_of(case: Case) -> dict[str, object]:
    """The conversation request of a case."""
    where: dict[str, object] = (
        {"scope": {"corpusId": case.target}} if case.explicit else {"activeTarget": case.target}
    )
    return {"message": case.query, "asOf": AS_OF, **where}


Door = Callable[[dict[str, object]], bytes]


@contextmanager
def in_process(workspace: Path) -> Iterator[Door]:
    """The desk itself."""
    from witmark.answers import wire  # noqa: PLC0415  # imported when measured
    from witmark.bootstrap.answering import AnswersRoom  # noqa: PLC0415

    room = AnswersRoom(str(workspace))
    room.refresh()

    def ask(body: dict[str, object]) -> bytes:
        return room.conversation(wire.read_request(wire.ConversationIn, json.dumps(body)))

    yield ask
    room.close()


@contextmanager
def by_server(workspace: Path) -> Iterator[Door]:
    """A server of its own process."""
    command = [sys.executable, "-m", "witmark", "serve", "--workspace", str(workspace)]
    server = subprocess.Popen(
        [*command, "--port", "0", "--json"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        said = json.loads(server.stdout.readline()) if server.stdout else {}
        headers = {
            "authorization": f"Bearer {said['token']}",
            "content-type": "application/json",
        }

        def ask(body: dict[str, object]) -> bytes:
            request = urllib.request.Request(  # noqa: S310  # our own loopback address
                said["url"] + "/api/knowledge/conversation", json.dumps(body).encode(), headers
            )
            with urllib.request.urlopen(request, timeout=60) as answered:  # noqa: S310
                data: bytes = answered.read()
                return data

        yield ask
    finally:
        server.terminate()
        server.wait(timeout=30)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the cases; 0 when all hold by both doors."""
    given = _options(argv)
    cases = _chosen(given)
    workspace = given.data or shared_data() / "vaults" / "waterglass-shape"
    watch, failed, differ = Stopwatch(), [], 0
    with tempfile.TemporaryDirectory() as home:
        os.environ["WITMARK_HOME"] = home
        with in_process(workspace) as here, by_server(workspace) as there:
            for case in cases:
                mine, theirs = here(body_of(case)), there(body_of(case))
                differ += mine != theirs
                for door, data in (("in process", mine), ("server", theirs)):
                    for fault in faults_of(case, json.loads(data)):
                        failed.append(case.name)
                        print(f"{case.name} ({door}): {fault}")
    figures = {"failed": len(set(failed)), "doors_differ": differ}
    limits = {"failed": 0, "doors_differ": 0}
    ok = not failed and not differ
    return finish("regression", watch, figures=figures, limits=limits, n=len(cases), ok=ok)


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="a workspace of the same shape")
    parser.add_argument("--full", action="store_true", help="the same; all cases always run")
    parser.add_argument("--case", help="only the case of this name")
    parser.add_argument("--target", help="with --query: the folder it is asked in")
    parser.add_argument("--query", help="only this question; the note must be water glass.md")
    return parser.parse_args(argv)


def _chosen(given: argparse.Namespace) -> list[Case]:
    if given.query:
        return [Case("query", given.target or "waterglass", given.query, _GLASS)]
    every = [*CASES, *matrix()]
    if given.case:
        every = [case for case in every if case.name == given.case]
        if not every:
            known = ", ".join(case.name for case in CASES)
            raise SystemExit(f"no case is called {given.case}; there are {known}, …")
    return every


if __name__ == "__main__":
    sys.exit(main())
