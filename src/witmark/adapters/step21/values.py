"""The values inside a record: lists, references, numbers and text, as Python has them."""

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    rb"(?:\s+|/\*.*?\*/)*+(?:"
    rb"#(?P<ref>\d+)|'(?P<text>(?:[^']|'')*)'|(?P<number>[+-]?\d+\.?\d*(?:[Ee][+-]?\d+)?)"
    rb"|\.(?P<enum>[A-Za-z0-9_]+)\.|(?P<word>[A-Za-z][A-Za-z0-9_]*)|(?P<bits>\"[0-9A-Fa-f]*\")"
    rb"|(?P<mark>[(),;$*=]))",
    re.DOTALL,
)
_ESCAPE = re.compile(
    r"\\X2\\((?:[0-9A-Fa-f]{4})*)\\X0\\|\\X4\\((?:[0-9A-Fa-f]{8})*)\\X0\\"
    r"|\\X\\([0-9A-Fa-f]{2})|\\S\\(.)|\\P[A-I]\\|\\(\\)|''",
    re.DOTALL,
)


_DEEPEST = 50
"""Lists nested deeper than this are not read: no schema has them."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to record ``#number``."""

    number: int


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed value, ``LENGTH_MEASURE(25.4)``, or one part of a complex record."""

    name: str
    values: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """An enumeration (``.MILLI.``), ``$`` (not given) or ``*`` (derived)."""

    name: str


Value = Ref | Typed | Mark | bytes | float | tuple["Value", ...]


def parse(text: bytes) -> tuple[Typed, ...]:
    """The parts of a record: one for a simple record, several for a complex one.

    >>> parse(b"#7=SI_UNIT(.MILLI.,.METRE.);")
    (Typed(name='SI_UNIT', values=(Mark(name='MILLI'), Mark(name='METRE'))),)
    """
    body = text[text.index(b"=") + 1 :]
    reader = _Reader(body)
    return tuple(v for v in reader.sequence() if isinstance(v, Typed))


def part(text: bytes, name: str) -> Typed | None:
    """One part of a record by its type name; None when the record lacks it."""
    return next((p for p in parse(text) if p.name == name), None)


class _Reader:
    """Recursive descent over tokens; malformed input ends the sequence early."""

    def __init__(self, body: bytes) -> None:
        self._next = _TOKEN.scanner(body).match  # type: ignore[attr-defined] # typeshed does not know it

    def sequence(self, depth: int = 0) -> tuple[Value, ...]:
        values: list[Value] = []
        word: str | None = None
        while (token := self._next()) is not None:
            kind = token.lastgroup
            if kind == "mark" and token["mark"] in {b")", b";"}:
                break
            if kind == "mark" and token["mark"] == b"(":
                inner = self.sequence(depth + 1) if depth < _DEEPEST else ()
                if word is None:
                    values.extend(inner if depth == 0 and _is_complex(inner) else (inner,))
                else:
                    values.append(Typed(word, inner))
                word = None
            elif kind == "word":
                word = token["word"].decode("ascii").upper()
            elif (value := _scalar(token)) is not None:
                values.append(value)
        return tuple(values)


def _is_complex(inner: tuple[Value, ...]) -> bool:
    return bool(inner) and all(isinstance(v, Typed) for v in inner)


def _scalar(token: re.Match[bytes]) -> Value | None:
    match token.lastgroup:
        case "ref":
            return Ref(int(token["ref"]))
        case "text":
            return bytes(token["text"])
        case "number":
            return float(token["number"])
        case "enum":
            return Mark(token["enum"].decode("ascii").upper())
        case "mark" if token["mark"] in {b"$", b"*"}:
            return Mark(token["mark"].decode("ascii"))
        case _:
            return None


def readable(text: bytes, encoding: str) -> str:
    r"""The text of a string: raw bytes in the file's encoding, escapes resolved.

    >>> readable(rb"\X2\87BA9489\X0\ M5", "utf-8")
    '螺钉 M5'
    """
    return _ESCAPE.sub(_resolved, text.decode(encoding, errors="replace"))


def _resolved(match: re.Match[str]) -> str:
    two, four, one, shifted, slash = match.groups()
    if two is not None:
        return bytes.fromhex(two).decode("utf-16-be", errors="replace")
    if four is not None:
        return bytes.fromhex(four).decode("utf-32-be", errors="replace")
    if one is not None:
        return chr(int(one, 16))
    if shifted is not None:
        return chr(ord(shifted) + 128)
    if slash is not None:
        return "\\"
    return "'" if match[0] == "''" else ""


def written(text: str) -> bytes:
    r"""Text as a string may hold it in any encoding: ASCII, the rest as ``\X2\``.

    >>> written("é'")
    b"\\X2\\00E9\\X0\\''"
    """
    out = []
    for run in re.findall(r"[ -~]+|[^ -~]+", text):
        if " " <= run[0] <= "~":
            out.append(run.replace("\\", "\\\\").replace("'", "''"))
        else:
            out.append("\\X2\\" + run.encode("utf-16-be").hex().upper() + "\\X0\\")
    return "".join(out).encode("ascii")
