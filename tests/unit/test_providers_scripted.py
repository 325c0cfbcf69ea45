"""A script says the same over restarts: what is next follows from the request."""

import asyncio
import json

import pytest

from witmark.adapters.clock import SystemClock
from witmark.adapters.providers.embedded import EmbeddedProvider
from witmark.adapters.providers.scripted import ScriptedProvider, ScriptError, read_script
from witmark.bootstrap.models import gateway_of
from witmark.bootstrap.settings import load_settings
from witmark.kernel.canon import digest_of
from witmark.kernel.model.outcome import Accepted, Admitted, Because, Blocked, Refused, Rejected
from witmark.kernel.model.reply import Failure, FailureKind, Finish, Raw, Reply, Usage
from witmark.kernel.model.request import Ask, Message, OutputSchema, Profile, Request, Role
from witmark.testing.disks import MemoryDisk

SCHEMA = OutputSchema("test/1", {"type": "object"})
PROFILE = Profile("p", "scripted", "m", base_url="script.json")


def script(*rows):
    return json.dumps({"format": "witmark.script/1", "rows": rows}).encode()


def request(*said, purpose="answers.compose", question="why"):
    messages = [Message(role, text) for role, text in said] or [Message(Role.USER, "Why?")]
    return Request(question, purpose, tuple(messages), SCHEMA, digest_of(b"p"), PROFILE)


def told(rows, asked):
    provider = ScriptedProvider(read_script(rows))
    came = asyncio.run(provider.send(asked, lambda _digest: b""))
    return provider.read(came, asked) if isinstance(came, Raw) else came


def after(text):
    return request((Role.USER, "Why?"), (Role.ASSISTANT, text), (Role.USER, "refused"))


def test_the_reply_after_the_refused_one_is_next_and_the_last_stays():
    rows = script({"purpose": "*", "say": ["one", {"json": {"two": "二"}}, "three"]})
    assert told(rows, request()).text == "one"
    assert told(rows, after("one")).text == '{"two": "二"}'
    assert told(rows, after('{"two": "二"}')).text == "three"
    assert told(rows, after("three")).text == "three"
    assert told(rows, after("somebody else's")).text == "one"


def test_the_first_row_that_fits_is_taken():
    rows = script(
        {"purpose": "review.judge", "say": ["judge"]},
        {"purpose": "answers", "question": "how", "say": ["how"]},
        {"purpose": "answers", "contains": "M8", "say": ["bolt"]},
        {"purpose": "*", "say": ["rest"]},
    )
    assert told(rows, request(purpose="review.judge")).text == "judge"
    assert told(rows, request(question="how")).text == "how"
    assert told(rows, request((Role.SYSTEM, "M8"), (Role.USER, "an M8 x 20"))).text == "bolt"
    assert told(rows, request((Role.SYSTEM, "M8"), (Role.USER, "a nut"))).text == "rest"


def test_a_reply_may_say_how_it_ended_and_what_it_took():
    rows = script(
        {
            "purpose": "*",
            "say": [{"text": "cut", "finish": "length", "input_tokens": 5, "output_tokens": 2}],
        }
    )
    assert told(rows, request()) == Reply("cut", Finish.LENGTH, "m", Usage(5, 2))


def test_a_failure_is_one_of_the_providers():
    rows = script(
        {
            "purpose": "*",
            "say": [{"fail": "status-429", "detail": "busy", "retry_after_s": 3}],
        }
    )
    assert told(rows, request()) == Failure(FailureKind.TRANSPORT, "status-429", "busy", 3)


def test_rows_may_stand_one_to_a_line():
    rows = b'{"purpose": "review", "say": ["r"]}\n\n{"purpose": "*", "say": ["x"]}\n'
    assert told(rows, request()).text == "x"
    assert told(b'{"purpose": "*", "say": ["x"]}', request()).text == "x"


def test_what_no_row_is_for_is_misconfigured():
    came = told(script({"purpose": "review", "say": ["x"]}), request())
    assert (came.kind, came.code) == (FailureKind.CONFIGURATION, "unavailable")


@pytest.mark.parametrize(
    ("raw", "because"),
    [
        (b"\xff", "not UTF-8"),
        (b"{", "line 1 is no JSON"),
        (b"[]", "not a witmark.script/1"),
        (b'{"format": "witmark.script/2", "rows": []}', "not a witmark.script/1"),
        (script({"purpose": "*"}), "row 1 has no purpose or says nothing"),
        (script({"purpose": "*", "say": []}), "row 1 has no purpose or says nothing"),
        (script({"purpose": "*", "say": ["a", "b", "a"]}), "row 1 says the same twice"),
        (script({"purpose": "*", "say": [{"fail": "x"}, "a"]}), "goes on after a failure"),
        (script({"purpose": "*", "say": ["a"], "more": 1}), "more than purpose"),
        (script({"purpose": "*", "say": ["a"], "question": 1}), "more than purpose"),
        (script({"purpose": "*", "say": [3]}), "no text, json or fail"),
        (script({"purpose": "*", "say": [{"text": "a", "finish": "soon"}]}), "a text has"),
        (script({"purpose": "*", "say": [{"fail": "a", "kind": "bad"}]}), "a failure has"),
    ],
)
def test_a_script_that_says_two_things_is_no_script(raw, because):
    with pytest.raises(ScriptError, match=because):
        read_script(raw)


@pytest.mark.parametrize("content", [None, b"{", b""])
def test_a_script_that_cannot_be_read_is_misconfigured(tmp_path, content):
    if content is not None:
        (tmp_path / "script.json").write_bytes(content)
    provider = ScriptedProvider(folder=tmp_path)
    came = asyncio.run(provider.send(request(), lambda _digest: b""))
    assert came.kind is FailureKind.CONFIGURATION


SETTINGS = """
[models.profiles.dead]
provider = "scripted"
model = "m"
base_url = "dead.json"
retries = 0
[models.profiles.script]
provider = "scripted"
model = "m"
base_url = "script.json"
[models.profiles.rules]
provider = "embedded"
model = "rules"
[models.use]
answers = ["dead", "script"]
review = ["rules"]
"""


def judge(text):
    return Admitted() if text == "good" else Refused(f"{text} is not good")


@pytest.fixture
def asked(tmp_path):
    """Dispatch once, each time through a gateway of its own, as after a restart."""
    (tmp_path / "witmark.toml").write_text(SETTINGS)
    (tmp_path / "dead.json").write_bytes(script({"purpose": "*", "say": [{"fail": "gone"}]}))
    (tmp_path / "script.json").write_bytes(script({"purpose": "*", "say": ["bad", "good"]}))
    disk = MemoryDisk()

    def dispatch(purpose):
        analysts = {"review.judge": lambda asked: asked.messages[-1].text.lower()}
        gateway = gateway_of(load_settings(tmp_path / "witmark.toml"), embedded=analysts)
        said = (Message(Role.USER, "GOOD"),)
        ask = Ask("run", purpose, purpose, said, SCHEMA, digest_of(b"p"))
        return asyncio.run(gateway.dispatch(ask, judge, disk))

    return dispatch


def test_a_script_goes_on_where_it_was_after_every_restart(asked):
    first, second, third, fourth = (asked("answers.compose") for _ in range(4))
    assert first.because is Because.NEXT_PROVIDER
    assert (type(second), second.feedback) == (Rejected, "bad is not good")
    assert (type(third), third.attempt) == (Accepted, 3)
    assert third == fourth


def test_an_analyst_of_this_process_answers_like_any_other(asked):
    outcome = asked("review.judge")
    assert isinstance(outcome, Accepted)
    assert outcome.reply == Reply("good", Finish.STOP, "rules")
    blocked = asked("review.units")
    assert isinstance(blocked, Blocked)
    assert blocked.failures[0].detail == "no embedded analyst is for review.units"


def test_what_an_analyst_raises_is_not_hidden():
    def broken(_request):
        raise ZeroDivisionError

    provider = EmbeddedProvider({"*": broken})
    with pytest.raises(ZeroDivisionError):
        asyncio.run(provider.send(request(), lambda _digest: b""))


def test_the_clock_counts_milliseconds_since_1970():
    first, second = SystemClock().now_ms(), SystemClock().now_ms()
    assert 1_600_000_000_000 < first <= second
