"""A source snapshot made searchable: by words, by names, by who calls whom.

Built once per case and shared by the investigators. Resolution is by name, as far as a reader
without types can go; where several definitions bear a name, each is a candidate.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from witmark.diagnosis.code import Definition, Snapshot, SourceFile
from witmark.diagnosis.codesearch import WordIndex
from witmark.diagnosis.counting import Counts, counts_of

_COMMON = 12  # a name that more definitions bear says nothing about whom is meant


class CodeBase:
    """A snapshot with its indexes.

    Args:
        snapshot: The faulty source.
        good: The last good one, where one was given.
    """

    def __init__(self, snapshot: Snapshot, good: Snapshot | None = None) -> None:
        self.snapshot, self.good = snapshot, good
        self.definitions: tuple[Definition, ...] = snapshot.definitions
        self.files: Mapping[str, SourceFile] = {one.path: one for one in snapshot.files}

    @cached_property
    def by_words(self) -> WordIndex:
        """Definitions by the words of their name and text."""
        return WordIndex(self._counts[0])

    @cached_property
    def files_by_words(self) -> WordIndex:
        """Whole files by their words, in the order of the snapshot."""
        return WordIndex(self._counts[1])

    @cached_property
    def _counts(self) -> tuple[Counts, Counts]:
        return counts_of(self.snapshot)

    @cached_property
    def by_name(self) -> Mapping[str, tuple[int, ...]]:
        """Definitions by the last part of their name."""
        found: dict[str, list[int]] = {}
        for key, one in enumerate(self.definitions):
            found.setdefault(last_part(one.location.name), []).append(key)
        return {name: tuple(keys) for name, keys in found.items()}

    @cached_property
    def callees(self) -> Sequence[tuple[int, ...]]:
        """Whom each definition calls, as far as names tell."""
        return tuple(tuple(self._resolved(key)) for key in range(len(self.definitions)))

    @cached_property
    def callers(self) -> Sequence[tuple[int, ...]]:
        """Who calls each definition."""
        found: list[list[int]] = [[] for _ in self.definitions]
        for key, called in enumerate(self.callees):
            for one in called:
                found[one].append(key)
        return tuple(tuple(one) for one in found)

    @cached_property
    def members(self) -> Mapping[int, tuple[int, ...]]:
        """The methods of each class."""
        classes = {
            (d.location.path, d.location.name): key
            for key, d in enumerate(self.definitions)
            if d.kind == "class"
        }
        found: dict[int, list[int]] = {}
        for key, one in enumerate(self.definitions):
            owner = classes.get((one.location.path, above(one.location.name)))
            if owner is not None:
                found.setdefault(owner, []).append(key)
        return {key: tuple(members) for key, members in found.items()}

    @cached_property
    def bases(self) -> Mapping[int, tuple[int, ...]]:
        """The classes that each class derives from, those in the snapshot."""
        return {
            key: tuple(
                other
                for base in one.bases
                for other in self.by_name.get(last_part(base), ())
                if self.definitions[other].kind == "class" and other != key
            )
            for key, one in enumerate(self.definitions)
            if one.kind == "class"
        }

    @cached_property
    def changed(self) -> Mapping[int, str] | None:
        """Definitions that are not as in the good version: ``changed`` or ``new``.

        ``None`` where no good version was given.
        """
        if self.good is None:
            return None
        found: dict[int, str] = {}
        for key, one in enumerate(self.definitions):
            was = self._before.get((one.location.path, one.location.name))
            if was is None:
                found[key] = "new"
            elif was.body_digest != one.body_digest:
                found[key] = "changed"
        return found

    @cached_property
    def _before(self) -> Mapping[tuple[str, str], Definition]:
        definitions = self.good.definitions if self.good is not None else ()
        return {(one.location.path, one.location.name): one for one in definitions}

    def changed_lines(self, key: int) -> str:
        """The lines of a definition that the good version does not have, and those it lost."""
        if self.good is None:
            return ""
        one = self.definitions[key]
        was = self._before.get((one.location.path, one.location.name))
        old = set(was.text.splitlines()) if was else set()
        new = set(one.text.splitlines())
        return "\n".join(sorted(new ^ old))

    def at(self, path: str, line: int) -> int | None:
        """The innermost definition around a line of a file."""
        file = self.files.get(path)
        if file is None:
            return None
        around = [
            (d.location.end_line - d.location.start_line, key)
            for key, d in self._in_file(path)
            if d.location.start_line <= line <= d.location.end_line
        ]
        return min(around)[1] if around else None

    def file_like(self, path: str) -> str | None:
        """The one file of the snapshot that a path from elsewhere can mean.

        The longest common ending decides; at least the file's own name has to agree.
        """
        wanted = path.replace("\\", "/").split("/")
        best: list[tuple[int, str]] = []
        for own in self.files:
            parts = own.split("/")
            same = 0
            for one, other in zip(reversed(wanted), reversed(parts), strict=False):
                if one != other:
                    break
                same += 1
            if same and (same == len(parts) or same >= 2 or len(parts) == 1):
                best.append((same, own))
        best.sort(key=lambda one: (-one[0], one[1]))
        if not best or (len(best) > 1 and best[0][0] == best[1][0]):
            return None
        return best[0][1]

    def _in_file(self, path: str) -> Iterator[tuple[int, Definition]]:
        return ((key, self.definitions[key]) for key in self._by_path.get(path, ()))

    @cached_property
    def _by_path(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for key, one in enumerate(self.definitions):
            found.setdefault(one.location.path, []).append(key)
        return found

    def _resolved(self, key: int) -> Iterator[int]:
        one = self.definitions[key]
        own = above(one.location.name)
        seen: set[int] = set()
        for name in one.calls:
            candidates = [c for c in self.by_name.get(name, ()) if c != key]
            if len(candidates) > _COMMON:
                candidates = [
                    c for c in candidates if above(self.definitions[c].location.name) == own
                ]
            for other in _nearest(candidates, one, self.definitions):
                if other not in seen:
                    seen.add(other)
                    yield other


def _nearest(
    candidates: Iterable[int], one: Definition, definitions: Sequence[Definition]
) -> list[int]:
    """Of several that bear a name, those of the same class, else of the same file, else all."""
    found = list(candidates)
    own = above(one.location.name)
    same_file = [c for c in found if definitions[c].location.path == one.location.path]
    same_class = [c for c in same_file if own and above(definitions[c].location.name) == own]
    return same_class or same_file or found


def last_part(name: str) -> str:
    """The last part of a qualified name.

    >>> last_part("A.b"), last_part("a::b")
    ('b', 'b')
    """
    return name.replace("::", ".").rsplit(".", 1)[-1]


def above(name: str) -> str:
    """What a qualified name stands in; empty at the top.

    >>> above("A.b"), above("b")
    ('A', '')
    """
    return name.replace("::", ".").rpartition(".")[0]
