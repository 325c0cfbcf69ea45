"""From the bytes of source files to definitions, at C speed, by one query per file."""

import gc
import importlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from itertools import accumulate, count
from operator import add

import tree_sitter

from witmark.adapters.grammars.imports import imports_of
from witmark.adapters.grammars.languages import Tongue, tongue_of
from witmark.diagnosis.code import Definition, Snapshot, SourceFile
from witmark.diagnosis.findings import CodeLocation
from witmark.kernel.canon import digest_of

_PREFIX = frozenset("rbufRBUF")
_QUOTES = ('"""', "'''", '"', "'", "`")


class GrammarReader:
    """Parses files whose language it knows. Keeps the promises of ``SourceReader``."""

    version = f"tree-sitter {metadata.version('tree-sitter')}"

    def snapshot(
        self, files: Mapping[str, bytes], *, most: int, like: Snapshot | None = None
    ) -> Snapshot:
        """Parse files by path, at most ``most`` of them; the rest is listed as unread."""
        with _uncollected():
            return self._snapshot(files, most, like)

    @staticmethod
    def _snapshot(files: Mapping[str, bytes], most: int, like: Snapshot | None) -> Snapshot:
        known = {(one.path, one.digest): one for one in like.files} if like else {}
        read: list[SourceFile] = []
        unread: list[tuple[str, str]] = []
        for path in sorted(files):
            tongue = tongue_of(path)
            if tongue is None:
                unread.append((path, "no grammar knows this kind of file"))
            elif len(read) >= most:
                unread.append((path, f"more than {most} files"))
            else:
                same = known.get((path, digest_of(files[path]))) if known else None
                read.append(same or _read(path, files[path], tongue))
        return Snapshot(tuple(read), tuple(unread))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the cycle collector: reading makes many values and no cycle among them.

    It would walk all of them again whenever a few more were made, a tenth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(slots=True)
class _Open:
    """A definition while its contents are being sorted into it."""

    start: int
    end: int
    kind: str
    name: str
    first_line: int
    last_line: int
    above: "_Open | None" = None
    calls: dict[str, None] = field(default_factory=dict)
    raises: dict[str, None] = field(default_factory=dict)
    strings: list[tuple[int, int]] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    bases: dict[str, None] = field(default_factory=dict)

    def qualified(self, joint: str) -> str:
        above = self.above.qualified(joint) + joint if self.above else ""
        return above + self.name


@cache
def _grammar(tongue: Tongue) -> tuple[tree_sitter.Parser, tree_sitter.Query, tree_sitter.Query]:
    """The parser, what asks for definitions, and what asks for everything else.

    A definition and its name have to come as one match; the rest, which is most of a file,
    comes faster as plain captures.
    """
    module = importlib.import_module(tongue.module)
    language = tree_sitter.Language(getattr(module, tongue.function)())
    whole = tree_sitter.Query(language, tongue.query)
    raw, parts = tongue.query.encode(), range(whole.pattern_count)
    patterns = [
        raw[whole.start_byte_for_pattern(n) : whole.end_byte_for_pattern(n)] for n in parts
    ]
    outer = [one for one in patterns if b"@name" in one]
    inner = [one for one in patterns if b"@name" not in one]
    asks = [tree_sitter.Query(language, b"\n".join(one).decode()) for one in (outer, inner)]
    return tree_sitter.Parser(language), asks[0], asks[1]


def _read(path: str, raw: bytes, tongue: Tongue) -> SourceFile:
    text, is_exact = _decoded(raw)
    source = text.encode()
    parser, outer, inner = _grammar(tongue)
    root = parser.parse(source).root_node
    opened = _opened(tree_sitter.QueryCursor(outer).matches(root), source)
    rest = _rest(tree_sitter.QueryCursor(inner).captures(root))
    _nest(opened)
    _sort_in(opened, rest, source)
    lines = _line_starts(source)
    definitions = tuple(_definition(one, path, tongue, source, lines) for one in opened)
    return SourceFile(
        path,
        digest_of(raw),
        text,
        tongue.name,
        definitions,
        imports_of(text, tongue.name),
        is_exact,
        not root.has_error,
    )


def _decoded(raw: bytes) -> tuple[str, bool]:
    try:
        return raw.decode("utf-8"), True
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace"), False


Match = tuple[int, dict[str, list[tree_sitter.Node]]]
_Rest = list[tuple[int, int, str]]


def _opened(matches: Iterable[Match], source: bytes) -> list[_Open]:
    opened: dict[tuple[int, int], _Open] = {}
    for _, captures in matches:
        for what in ("def", "class"):
            for node in captures.get(what, ()):
                name = _text(source, captures["name"][0])
                place = (node.start_byte, node.end_byte)
                lines = (node.start_point[0] + 1, node.end_point[0] + 1)
                opened.setdefault(place, _Open(*place, what, name, *lines))
    return sorted(opened.values(), key=lambda one: (one.start, -one.end))


def _rest(captures: Mapping[str, list[tree_sitter.Node]]) -> _Rest:
    found = [
        (node.start_byte, node.end_byte, what)
        for what, nodes in captures.items()
        for node in nodes
    ]
    found.sort()
    return found


def _nest(opened: list[_Open]) -> None:
    stack: list[_Open] = []
    for one in opened:
        while stack and stack[-1].end <= one.start:
            stack.pop()
        one.above = stack[-1] if stack else None
        stack.append(one)


def _sort_in(opened: list[_Open], rest: _Rest, source: bytes) -> None:
    """Give each capture to the innermost definition around it."""
    starts = [one.start for one in opened]
    for start, end, what in rest:
        home = _home(opened, starts, start)
        if home is None:
            continue
        match what:
            case "string":
                home.strings.append((start, end))
            case "comment":
                home.comments.append((start, end))
            case "call":
                home.calls[source[start:end].decode("utf-8", "replace")] = None
            case _:
                kept = home.raises if what == "raise" else home.bases
                kept[source[start:end].decode("utf-8", "replace")] = None


def _home(opened: list[_Open], starts: list[int], at: int) -> _Open | None:
    number = bisect_right(starts, at) - 1
    home = opened[number] if number >= 0 else None
    while home is not None and home.end <= at:
        home = home.above
    return home


def _definition(
    one: _Open, path: str, tongue: Tongue, source: bytes, lines: list[int]
) -> Definition:
    start = lines[one.first_line - 1]
    text = source[start : one.end].decode("utf-8", "replace")
    docstring, strings = _documented(one, tongue, source)
    kind = "class" if one.kind == "class" else _kind(one)
    return Definition(
        CodeLocation(path, one.qualified(tongue.joint), one.first_line, one.last_line),
        kind,
        tongue.name,
        text,
        digest_of(_bare(one, source, docstring)),
        tuple(one.calls),
        tuple(one.raises),
        tuple(strings),
        docstring[2] if docstring else "",
        tuple(one.bases),
    )


def _kind(one: _Open) -> str:
    return "method" if one.above is not None and one.above.kind == "class" else "function"


_Doc = tuple[int, int, str]


def _documented(one: _Open, tongue: Tongue, source: bytes) -> tuple[_Doc | None, list[str]]:
    """The docstring, and the other strings; only Python documents inside the body."""
    texts = [
        (s, e, _bare_string(source[s:e].decode("utf-8", "replace"))) for s, e in one.strings
    ]
    if tongue.name == "python" and texts:
        start = texts[0][0]
        before = source[one.start : start].rstrip()
        if before.endswith(b":"):
            return texts[0], [text for _, _, text in texts[1:]]
    return None, [text for _, _, text in texts]


def _bare(one: _Open, source: bytes, docstring: _Doc | None) -> bytes:
    """The text without what does nothing: docstring, comments, blanks."""
    gaps = sorted([*one.comments, *([docstring[:2]] if docstring else [])])
    return b" ".join(b"".join(_between(one.start, one.end, gaps, source)).split())


def _between(
    start: int, end: int, gaps: list[tuple[int, int]], source: bytes
) -> Iterator[bytes]:
    for gap_start, gap_end in gaps:
        yield source[start:gap_start]
        start = max(start, gap_end)
    yield source[start:end]


def _bare_string(text: str) -> str:
    """A string literal without its prefix and quotes; what has none stays as it is."""
    at = 0
    while at < min(3, len(text)) and text[at] in _PREFIX:
        at += 1
    opening = next((quote for quote in _QUOTES if text.startswith(quote, at)), "")
    bare = text[at + len(opening) :] if opening else text
    closing = next((quote for quote in _QUOTES if bare.endswith(quote)), "")
    return bare[: len(bare) - len(closing)]


def _line_starts(source: bytes) -> list[int]:
    ends = accumulate(map(len, source.split(b"\n")))
    return [0, *map(add, ends, count(1))]


def _text(source: bytes, node: tree_sitter.Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
