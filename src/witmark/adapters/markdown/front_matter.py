"""Front matter: a YAML mapping between two lines of three dashes, read with distrust.

pyyaml only splits it into events. Scalars follow YAML 1.2, as Obsidian's do, because 1.1
turns the language ``no`` into a falsehood and ``12:30`` into 750. A date stays the text it
is. Anchors, aliases, tags of other types, repeats of a key and deep nesting are refused:
the note is then read without its front matter, and says why.
"""

import re
from dataclasses import dataclass, field

import yaml

_FENCED = re.compile(
    r"\ufeff?---[ \t]*(?:\r\n?+|\n)(?P<yaml>(?:[^\r\n]*+(?:\r\n?+|\n))*?)"
    r"---[ \t]*(?:\r\n?|\n|\Z)"
)
"""Takes a line end one way only: where a rule opens and nothing closes, taking each CR LF apart
as well would cost a power of two."""

_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n?|\n)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_KEY_LINE = re.compile(r"(?P<key>[^\W\d][\w-]*(?: [\w-]+){0,2}):(?:[ \t].*)?\Z")
_BELOW_A_KEY = re.compile(r"[ \t]+\S|-[ \t]")
_PLAIN_KEY = re.compile(r"[a-z_\u3400-\u9fff][\w-]*").fullmatch
_COMMON_KEYS = frozenset({"title", "aliases", "tags", "date", "updated", "valid", "expires"})
_UNCLOSED = "it is opened by --- and never closed: close it with --- on a line of its own"
_LARGEST = 64 * 1024
_DEEPEST = 16
_CORE = "tag:yaml.org,2002:"
_WORDS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})").fullmatch
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,17}").fullmatch
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _RefusedError(Exception):
    """The YAML is well formed, but is not what front matter may be."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text in the front matter: the key at the top it belongs to, and its place."""

    key: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands before the body.

    Attributes:
        end: Where the body begins, in code points of the whole text.
        data: The mapping; empty if there is a fault.
        fault: Why it could not be read, or empty.
        scalars: Every text in it, in order, with its place in the whole text.
    """

    end: int
    data: dict[str, object]
    fault: str = ""
    scalars: tuple[Scalar, ...] = ()


def read_front_matter(text: str) -> FrontMatter | None:
    """Read the front matter, or return ``None`` if the note has none."""
    found = _FENCED.match(text) if text.startswith(("---", "\ufeff---")) else None
    if found is None:
        return _unclosed(text)
    if len(found["yaml"]) > _LARGEST:
        return FrontMatter(found.end(), {}, f"longer than {_LARGEST // 1024} KiB")
    reading = _Reading(found.start("yaml"))
    try:
        data = reading.read(found["yaml"])
        if data is None:
            return None  # a text between two rules
    except _RefusedError as refused:
        return FrontMatter(found.end(), {}, str(refused))
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        return FrontMatter(found.end(), {}, _in_words(error))
    return FrontMatter(found.end(), data, scalars=tuple(reading.scalars))


def _unclosed(text: str) -> FrontMatter | None:
    """Keys that follow an opening line at once, though no line closes them.

    Read as prose they would be quoted, and the limits they set would be denied. A rule that
    prose follows is a rule: of lines like ``Alice: hello`` one must be spelled as keys are.
    """
    if (opening := _OPENING.match(text)) is None:
        return None
    at = end = opening.end()
    is_blank, looks_like_keys = False, False
    while at < len(text) and (line := _LINE.match(text, at)) is not None:
        at, said = line.end(), line[0].rstrip()
        key = _KEY_LINE.match(said)
        is_key = key is not None and _is_spelled_as_keys_are(key["key"])
        if is_key or (
            not is_blank and (key or (end > opening.end() and _BELOW_A_KEY.match(said)))
        ):
            end, is_blank, looks_like_keys = at, False, looks_like_keys or is_key
        elif said or is_blank or end == opening.end():
            break
        else:
            is_blank = True
    return FrontMatter(end, {}, _UNCLOSED) if looks_like_keys else None


def _is_spelled_as_keys_are(key: str) -> bool:
    first = re.split(r"[ _-]", key.lower())[0]
    return _PLAIN_KEY(key) is not None or first in _COMMON_KEYS


def _in_words(error: yaml.YAMLError | UnicodeEncodeError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    said = f"not valid YAML: {problem or 'unreadable characters'}"
    return f"{said} (line {mark.line + 2})" if mark is not None else said


_Container = dict[str, object] | list[object]


@dataclass(slots=True)
class _Reading:
    """Builds plain data from events, without recursion."""

    offset: int
    scalars: list[Scalar] = field(default_factory=list)
    root: object = None
    open: list[_Container] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)  # the key at hand in each
    top_key: str = ""

    def read(self, source: str) -> dict[str, object] | None:
        """Build the one mapping of a document, or ``None`` if it holds something else."""
        documents = 0
        for event in yaml.parse(source, Loader=_LOADER):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise _RefusedError("anchors and aliases (& and *) are not read")
            if isinstance(event, yaml.ScalarEvent):
                self._read_scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._begin(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self.open.pop()
                self.keys.pop()
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _RefusedError("more than one YAML document")
        if self.root is None:
            return {}
        return self.root if isinstance(self.root, dict) else None

    def _read_scalar(self, event: yaml.ScalarEvent) -> None:
        if self.open and isinstance(self.open[-1], dict) and self.keys[-1] is None:
            self._take_key(event.value, self.open[-1])
            return
        begun, ended = event.start_mark, event.end_mark
        assert begun is not None and ended is not None  # noqa: S101, PT018  # it was parsed
        start, end = begun.index, ended.index
        self.scalars.append(
            Scalar(self.top_key, event.value, self.offset + start, self.offset + end)
        )
        self._put(_value(event))

    def _take_key(self, key: str, mapping: dict[str, object]) -> None:
        if key in mapping:
            raise _RefusedError(f"the key {key!r} stands there twice")
        self.keys[-1] = key
        if len(self.open) == 1:
            self.top_key = key

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        if len(self.open) >= _DEEPEST:
            raise _RefusedError(f"nested deeper than {_DEEPEST}")
        if event.tag and event.tag not in (_CORE + "map", _CORE + "seq"):
            raise _RefusedError(f"the type {event.tag} is not read")
        begun: _Container = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._put(begun)
        self.open.append(begun)
        self.keys.append(None)

    def _put(self, value: object) -> None:
        if not self.open:
            self.root = value
        elif isinstance(into := self.open[-1], list):
            into.append(value)
        elif (key := self.keys[-1]) is None:
            raise _RefusedError("a key must be a plain text")
        else:
            into[key] = value
            self.keys[-1] = None


def _value(event: yaml.ScalarEvent) -> object:
    text: str = event.value
    if event.tag and event.tag not in ("!", _CORE + "str"):
        raise _RefusedError(f"the type {event.tag} is not read")
    if event.tag or not event.implicit[0]:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE(text):
        return int(text)
    return float(text) if _DECIMAL(text) else text
