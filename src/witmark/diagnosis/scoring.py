"""How suspicious each definition is: a few voices, added with fixed weights.

The voices are the words of the report, those of the neighbours in the call graph, those of the
whole file, the names that the report mentions, and the frames of call stacks. Where a last good
version is known, what changed since then counts more, what did not change counts less. The
number orders places; no gate reads it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from witmark.diagnosis.codebase import CodeBase
from witmark.diagnosis.interpretation import Frame, Interpretation, Trace
from witmark.diagnosis.naming_places import Named, named_places
from witmark.diagnosis.words import words

WORDS, NAMES, NEIGHBOURS, FILE, TRACE = 1.0, 0.8, 0.3, 0.3, 0.9
CHANGED, BY_WORDS, CHANGED_AT_ALL, UNCHANGED = 2.0, 1.0, 0.3, 0.5
CLASS = 0.3  # a class is where its methods are; the fault lies in one of them
DEPTH, STACK = 0.35, 0.5  # what each step away from the innermost frame, the last stack costs
K = TypeVar("K")

CALLER = 0.5  # how much of its words a caller passes on, against a callee
MANY = 8  # who calls more than this many passes less on to each


@dataclass(frozen=True, slots=True)
class Placed:
    """A frame that lies in the source."""

    key: int
    trace: Trace
    frame: Frame
    path: str
    depth: int  # 0: the innermost frame of the source
    stack: int  # 0: the last stack of the report


class Scores:
    """The voices of one case, each worked out once.

    Args:
        said: What the case says.
        report: What people wrote.
        code: The source.
    """

    def __init__(self, said: Interpretation, report: str, code: CodeBase) -> None:
        self.said, self.code = said, code
        self.query = f"{said.title}\n{report}"

    @cached_property
    def words(self) -> Mapping[int, float]:
        """Definitions by words, 1 for the best."""
        return _normal({one.key: one.score for one in self.code.by_words.find(self.query)})

    @cached_property
    def files(self) -> Mapping[str, float]:
        """Files by words, 1 for the best."""
        found = self.code.files_by_words.find(self.query)
        paths = [one.path for one in self.code.snapshot.files]
        return _normal({paths[one.key]: one.score for one in found})

    @cached_property
    def neighbours(self) -> Mapping[int, float]:
        """What the words of callers and callees pass on to a definition."""
        found: dict[int, float] = {}
        for key, own in self.words.items():
            if self.code.definitions[key].kind == "class":
                continue
            called = self.code.callees[key]
            share = own / max(1.0, len(called) / MANY) ** 0.5
            for other in called:
                found[other] = max(found.get(other, 0.0), share)
            for other in self.code.callers[key][:MANY]:
                found[other] = max(found.get(other, 0.0), CALLER * own)
        return found

    @cached_property
    def names(self) -> Mapping[int, Named]:
        """Definitions that the report's names lead to."""
        return named_places(self.said, self.query, self.code)

    @cached_property
    def frames(self) -> Mapping[int, Placed]:
        """Definitions by the frame that speaks most for them."""
        found: dict[int, Placed] = {}
        for stack, trace in enumerate(reversed(self.said.traces)):
            own = [
                (frame, path)
                for frame in trace.frames
                if frame.line is not None and (path := self.code.file_like(frame.path))
            ]
            for depth, (frame, path) in enumerate(reversed(own)):
                key = self.code.at(path, frame.line or 0)
                if key is not None and key not in found:
                    found[key] = Placed(key, trace, frame, path, depth, stack)
        return found

    @cached_property
    def changes(self) -> Mapping[int, float]:
        """Changed definitions, 1 for the one whose changed lines share most with the report."""
        code = self.code
        said = set(words(self.query))
        found = {
            key: sum(
                code.by_words.rarity(word)
                for word in sorted(said & set(words(code.changed_lines(key))))
            )
            for key in code.changed or {}
        }
        return _normal(found)

    @cached_property
    def total(self) -> Mapping[int, float]:
        """Everything together."""
        return {key: round(self._of(key), 9) for key in range(len(self.code.definitions))}

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Every definition that anything speaks for, the most suspicious first."""
        places = self.code.definitions
        held = [key for key, score in self.total.items() if score > 0]
        return tuple(
            sorted(
                held,
                key=lambda key: (
                    -self.total[key],
                    places[key].location.path,
                    places[key].location.start_line,
                    key,
                ),
            )
        )

    def features(self, key: int) -> dict[str, float]:
        """The voices of one definition, for the trace."""
        place = self.code.definitions[key].location
        found = {
            "words": self.words.get(key, 0.0),
            "neighbours": self.neighbours.get(key, 0.0),
            "file": self.files.get(place.path, 0.0),
            "names": self.names[key].weight if key in self.names else 0.0,
            "trace": self.trace_voice(key),
            "changed": self.changes.get(key, 0.0),
            "score": self.total[key],
        }
        return {name: round(value, 6) for name, value in found.items() if value}

    def trace_voice(self, key: int) -> float:
        """How much the frames speak for a definition, 1 at most."""
        placed = self.frames.get(key)
        if placed is None:
            return 0.0
        return 1.0 / (1.0 + DEPTH * placed.depth + STACK * placed.stack)

    def _of(self, key: int) -> float:
        one = self.code.definitions[key]
        named = self.names.get(key)
        score = (
            WORDS * self.words.get(key, 0.0)
            + NAMES * (named.weight if named else 0.0)
            + NEIGHBOURS * self.neighbours.get(key, 0.0)
            + FILE * self.files.get(one.location.path, 0.0)
            + TRACE * self.trace_voice(key)
        )
        changed = self.code.changed
        if changed is not None and key in changed:
            score = (
                score * CHANGED * (1 + BY_WORDS * self.changes.get(key, 0.0)) + CHANGED_AT_ALL
            )
        elif changed is not None:
            score *= UNCHANGED
        return score * CLASS if one.kind == "class" else score


def _normal(found: dict[K, float]) -> dict[K, float]:
    most = max(found.values(), default=0.0)
    return {key: value / most for key, value in found.items()} if most else dict(found)
