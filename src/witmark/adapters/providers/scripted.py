"""Replies written down beforehand: a peer of the real providers, for trying things out.

A script is a JSON file, or one line of JSON per row::

    {"format": "witmark.script/1", "rows": [
      {"purpose": "answers.compose", "say": ["not yet JSON", {"json": {"sentences": []}}]},
      {"purpose": "review", "contains": "M8", "say": [{"fail": "status-503"}]}
    ]}

The first row that fits is taken: its ``purpose`` (``review.judge``, ``review`` or ``*``), its
``question`` and a text that the last message ``contains``, where it names them. Nothing is
remembered: which reply of the row is next follows from the request. It is the first, unless
the request shows one of them as the answer that was refused; then it is the one after that,
or the last again. So a script gives the same over restarts, and the replies of a row differ.
A failure leaves no trace in the next request, so it stays: it stands last in its row.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from witmark.adapters.providers.embedded import load_all
from witmark.adapters.providers.spoken import read_spoken, spoken
from witmark.kernel.model.reply import (
    Failure,
    FailureKind,
    Finish,
    LoadImage,
    Raw,
    Reply,
    Unreadable,
    Usage,
)
from witmark.kernel.model.request import Request, Role

FORMAT = "witmark.script/1"


class ScriptError(ValueError):
    """A script that is not in the form above; says which row and why."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is said when something is asked. ``None`` fits whatever is asked."""

    purpose: str
    say: tuple[Reply | Failure, ...]
    question: str | None = None
    contains: str | None = None

    def fits(self, request: Request) -> bool:
        """Whether this row is for the request."""
        desk = request.purpose.partition(".")[0]
        last = request.messages[-1].text if request.messages else ""
        return (
            self.purpose in {request.purpose, desk, "*"}
            and self.question in {None, request.question}
            and (self.contains is None or self.contains in last)
        )

    def next_for(self, request: Request) -> Reply | Failure:
        """The reply that follows from what the request shows as refused."""
        texts = [one.text for one in self.say if isinstance(one, Reply)]
        for message in reversed(request.messages):
            if message.role is Role.ASSISTANT and message.text in texts:
                return self.say[min(texts.index(message.text) + 1, len(self.say) - 1)]
        return self.say[0]


class ScriptedProvider:
    """Answers from a script. Keeps ``kernel.model.reply.Provider``.

    Args:
        rows: The script; ``None`` reads the file that the profile's ``base_url`` names.
        folder: Where a relative name counts from.
    """

    def __init__(self, rows: tuple[Row, ...] | None = None, *, folder: Path = Path()) -> None:
        self._rows, self._folder = rows, folder

    async def ready(self, request: Request) -> Failure | None:
        """Whether the script can be read, and has a row for it."""
        found = self._row(request)
        return found if isinstance(found, Failure) else None

    async def send(self, request: Request, load: LoadImage) -> Raw | Failure:
        """Give the reply that is next for this request."""
        load_all(request, load)
        found = self._row(request)
        return (
            found if isinstance(found, Failure) else _spoken(found.next_for(request), request)
        )

    def read(self, raw: Raw, request: Request) -> Reply | Unreadable:
        """Read an answer that was kept."""
        return read_spoken(raw, request)

    def _row(self, request: Request) -> Row | Failure:
        try:
            rows = self._read_rows(request.profile.base_url)
        except (OSError, ScriptError) as error:
            because = error.strerror if isinstance(error, OSError) else str(error)
            return Failure(FailureKind.CONFIGURATION, "bad-script", f"the script: {because}")
        if (row := next((row for row in rows if row.fits(request)), None)) is not None:
            return row
        detail = f"no row of the script is for {request.purpose}"
        return Failure(FailureKind.CONFIGURATION, "unavailable", detail)

    def _read_rows(self, name: str) -> tuple[Row, ...]:
        if self._rows is not None:
            return self._rows
        if not name:
            raise ScriptError("the profile's base_url names no file")
        return read_script((self._folder / name).read_bytes())


def read_script(raw: bytes) -> tuple[Row, ...]:
    """Read a script.

    Raises:
        ScriptError: it is none.
    """
    return tuple(_row(plain, number) for number, plain in enumerate(_plain_rows(raw), start=1))


def _plain_rows(raw: bytes) -> Iterator[object]:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise ScriptError("not UTF-8") from error
    try:
        whole = json.loads(text)
    except ValueError:
        yield from _lines(text)
        return
    match whole:
        case {"format": str(found), "rows": list(rows), **rest} if found == FORMAT and not rest:
            yield from rows
        case {"purpose": _}:
            yield whole
        case _:
            raise ScriptError(f"not a {FORMAT} with its rows")


def _lines(text: str) -> Iterator[object]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                raise ScriptError(f"line {number} is no JSON") from error


def _row(plain: object, number: int) -> Row:
    match plain:
        case {"purpose": str(purpose), "say": list(say), **rest} if say:
            told = tuple(_told(one, f"row {number}") for one in say)
        case _:
            raise ScriptError(f"row {number} has no purpose or says nothing")
    texts = [one.text for one in told if isinstance(one, Reply)]
    if len(set(texts)) < len(texts):
        raise ScriptError(f"row {number} says the same twice; nobody could tell which was last")
    if any(isinstance(one, Failure) for one in told[:-1]):
        raise ScriptError(f"row {number} goes on after a failure; a failure stands last")
    question, contains = rest.pop("question", None), rest.pop("contains", None)
    if rest or not isinstance(question, str | None) or not isinstance(contains, str | None):
        raise ScriptError(f"row {number} has more than purpose, question, contains and say")
    return Row(purpose, told, question, contains)


def _told(plain: object, place: str) -> Reply | Failure:
    match plain:
        case str():
            return Reply(plain, Finish.STOP, "")
        case {"json": said, **rest} if not rest:
            return Reply(json.dumps(said, ensure_ascii=False), Finish.STOP, "")
        case {"fail": str(code), **rest}:
            return _failure(code, rest, place)
        case {"text": str(text), **rest}:
            return _reply(text, rest, place)
        case _:
            raise ScriptError(f"{place} says what is no text, json or fail")


def _failure(code: str, rest: dict[object, object], place: str) -> Failure:
    match {"kind": "transport", "detail": "the script says so", "retry_after_s": None, **rest}:
        case {
            "kind": ("transport" | "configuration") as kind,
            "detail": str(detail),
            "retry_after_s": (int() | float() | None) as wait_s,
            **more,
        } if not more:
            return Failure(FailureKind(kind), code, detail, wait_s)
        case _:
            raise ScriptError(f"{place}: a failure has kind, detail and retry_after_s")


def _reply(text: str, rest: dict[object, object], place: str) -> Reply:
    given = {"finish": "stop", "input_tokens": None, "output_tokens": None, **rest}
    match given:
        case {
            "finish": str(finish),
            "input_tokens": (int() | None) as asked,
            "output_tokens": (int() | None) as answered,
            **more,
        } if not more and finish in set(Finish):
            return Reply(text, Finish(finish), "", Usage(asked, answered))
        case _:
            raise ScriptError(f"{place}: a text has finish, input_tokens and output_tokens")


def _spoken(told: Reply | Failure, request: Request) -> Raw | Failure:
    if isinstance(told, Failure):
        return told
    return spoken(Reply(told.text, told.finish, request.profile.model, told.usage))
