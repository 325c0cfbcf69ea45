"""The guard lets nothing through but its own pages and programs that hold the secret."""

import asyncio
import json

import pytest

from witmark.server.guard import MAX_BODY_BYTES, Guard, Keys

HOST = "127.0.0.1:8765"
KEYS = {"token": "the-token", "link": "the-link", "session": "the-session"}
TOKEN = {"authorization": "Bearer the-token"}


class App:
    """Answers everything, and remembers that it was asked."""

    def __init__(self):
        self.bodies = []

    async def __call__(self, scope, receive, send):
        self.bodies.append((await receive())["body"])
        headers = [(b"content-type", b"text/plain"), (b"x-frame-options", b"ALLOWALL")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"hello"})


class Visit:
    """One server start, visited as often as a test likes."""

    def __init__(self):
        self.app = App()
        self.guard = Guard(self.app, Keys(**KEYS), [HOST, "localhost:8765"])

    def http(self, headers, *, path="/api/x", query="", method="POST", pieces=(b"",)):
        given = [(b"host", HOST.encode())] if "host" not in headers else []
        given += [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {
            "type": "http", "method": method, "path": path, "query_string": query.encode(),
            "headers": given,
        }  # fmt: skip
        return self._run(scope, pieces)

    def _run(self, scope, pieces):
        sent, left = [], list(pieces)

        async def receive():
            return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

        async def send(message):
            sent.append(message)

        asyncio.run(self.guard(scope, receive, send))
        return sent


def status(sent):
    return sent[0]["status"]


def code(sent):
    return json.loads(sent[1]["body"])["code"]


def headers(sent):
    return dict(sent[0]["headers"])


def test_a_program_with_the_token_is_let_through_and_its_body_arrives_whole():
    visit = Visit()
    assert status(visit.http(TOKEN, pieces=(b"ab", b"cd"))) == 200
    assert visit.app.bodies == [b"abcd"]


def test_a_browser_with_the_cookie_is_let_through():
    assert status(Visit().http({"cookie": "other=1; witmark=the-session"})) == 200


@pytest.mark.parametrize(
    ("given", "wanted", "why"),
    [
        ({"host": "evil.example:8765", **TOKEN}, 421, "guard.foreign-host"),
        ({"host": "127.0.0.1.evil.example:8765", **TOKEN}, 421, "guard.foreign-host"),
        ({"host": "127.0.0.1:9999", **TOKEN}, 421, "guard.foreign-host"),
        ({"host": "", **TOKEN}, 421, "guard.foreign-host"),
        ({"origin": "http://evil.example", **TOKEN}, 403, "guard.foreign-origin"),
        ({"origin": "null", **TOKEN}, 403, "guard.foreign-origin"),
        ({"origin": "https://127.0.0.1:8765", **TOKEN}, 403, "guard.foreign-origin"),
        ({"sec-fetch-site": "cross-site", **TOKEN}, 403, "guard.cross-site"),
        ({"sec-fetch-site": "same-site", **TOKEN}, 403, "guard.cross-site"),
        ({}, 401, "guard.no-token"),
        ({"authorization": "Bearer "}, 401, "guard.no-token"),
        ({"authorization": "Bearer the-link"}, 401, "guard.no-token"),
        ({"authorization": "Basic the-token"}, 401, "guard.no-token"),
        ({"cookie": "witmark=the-token"}, 401, "guard.no-token"),
    ],
)
def test_what_is_not_ours_is_refused_before_the_app_sees_it(given, wanted, why):
    visit = Visit()
    sent = visit.http(given)
    assert (status(sent), code(sent)) == (wanted, why)
    assert visit.app.bodies == []


def test_our_own_pages_may_call():
    ours = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin", **TOKEN}
    assert status(Visit().http(ours)) == 200


def test_a_body_that_grows_beyond_the_limit_is_cut_off():
    visit = Visit()
    half = b"x" * (MAX_BODY_BYTES // 2 + 1)
    assert status(visit.http(TOKEN, pieces=(half, half))) == 413
    assert visit.app.bodies == []


def test_a_body_without_end_is_given_up():
    visit = Visit()
    sent = visit.http(TOKEN, pieces=[b"x" * MAX_BODY_BYTES] * 40)
    assert (status(sent), code(sent)) == (413, "guard.body-too-large")


def test_a_body_of_exactly_the_limit_is_taken():
    assert status(Visit().http(TOKEN, pieces=(b"x" * MAX_BODY_BYTES,))) == 200


def test_the_link_gives_a_cookie_that_scripts_cannot_read_and_leads_away_from_the_secret():
    sent = Visit().http({}, path="/", query="token=the-link", method="GET")
    assert status(sent) == 303
    assert headers(sent)[b"location"] == b"/"
    assert headers(sent)[b"set-cookie"] == (
        b"witmark=the-session; HttpOnly; SameSite=Strict; Path=/"
    )


def test_the_link_is_good_once():
    visit = Visit()
    visit.http({}, path="/", query="token=the-link", method="GET")
    again = visit.http({}, path="/", query="token=the-link", method="GET")
    assert (status(again), code(again)) == (401, "guard.link-used-or-wrong")


@pytest.mark.parametrize("query", ["token=wrong", "token="])
def test_a_wrong_link_opens_nothing(query):
    sent = Visit().http({}, path="/", query=query, method="GET")
    assert status(sent) == 401
    assert b"set-cookie" not in headers(sent)


def test_the_link_works_nowhere_but_at_the_door():
    assert status(Visit().http({}, path="/api/x", query="token=the-link")) == 401


def test_a_websocket_is_closed():
    visit, sent = Visit(), []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    scope = {"type": "websocket", "path": "/", "headers": [(b"host", HOST.encode())]}
    asyncio.run(visit.guard(scope, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize("given", [TOKEN, {}, {"host": "evil"}])
def test_every_answer_carries_the_security_headers_and_none_for_other_sites(given):
    found = headers(Visit().http(given))
    assert found[b"content-security-policy"].startswith(b"default-src 'none'")
    assert found[b"x-frame-options"] == b"DENY"
    assert found[b"x-content-type-options"] == b"nosniff"
    assert found[b"referrer-policy"] == b"no-referrer"
    assert not [name for name in found if name.startswith(b"access-control")]


def test_two_host_headers_are_no_host():
    visit = Visit()
    scope = {
        "type": "http", "method": "GET", "path": "/", "query_string": b"",
        "headers": [(b"host", HOST.encode()), (b"host", HOST.encode())],
    }  # fmt: skip
    assert status(visit._run(scope, [b""])) == 421


def test_every_start_has_its_own_secrets():
    one, two = Keys(), Keys()
    assert len({one.token, one.link, one.session, two.token, two.link, two.session}) == 6
