"""Secrets are found by their form; what only looks like one stays."""

import signal

import pytest

from witmark.diagnosis.case import InputKind, RawInput
from witmark.diagnosis.redacting import Redactor, secrets_of
from witmark.diagnosis.secrets import sightings
from witmark.kernel.canon import digest_of

B64 = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY12"
# ruff: noqa: E501 - a table, read by line
# fmt: off
SECRETS = [
    ("aws", "key AKIAIOSFODNN7EXAMPLE in use", "AKIAIOSFODNN7EXAMPLE"),
    ("aws", f"aws_secret_access_key = {B64}", B64),
    ("aws", "AWS_SECRET_ACCESS_KEY=wJalr/UtnFEMI+K7MDENG", "wJalr/UtnFEMI+K7MDENG"),
    ("github", "remote: ghp_" + "a1B2" * 9, "ghp_" + "a1B2" * 9),
    ("github", "github_pat_" + "11ABCDEF0" * 4, "github_pat_" + "11ABCDEF0" * 4),
    ("gitlab", "glpat-abcdefghij1234567890", "glpat-abcdefghij1234567890"),
    ("model", "OPENAI sk-proj-abc123def456ghi789jkl0", "sk-proj-abc123def456ghi789jkl0"),
    ("pay", "sk_live_" + "4eC39HqLyjWD" * 2, "sk_live_" + "4eC39HqLyjWD" * 2),
    ("slack", "xoxb-123456789012-abcdefABCDEF", "xoxb-123456789012-abcdefABCDEF"),
    ("google", "AIza" + "Sy0123456789_abcdefghijklmnopqrstuv", "AIza" + "Sy0123456789_abcdefghijklmnopqrstuv"),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.abcdEFGH-_1234", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.abcdEFGH-_1234"),
    ("url", "postgres://app:s3cr3t@db:5432/x", "s3cr3t"),
    ("url", "redis://:hunter@cache/0", "hunter"),
    ("url", "https://me:p%40ss!w@host/path", "p%40ss!w"),
    ("bearer", "Authorization: Bearer abcdef123456.GHI-_", "abcdef123456.GHI-_"),
    ("basic", "authorization: Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="),
    ("basic", '"Authorization": "Token 0123456789abcdef"', "0123456789abcdef"),
    ("cookie", "Set-Cookie: sessionid=38afes7a8f12; Path=/", "sessionid=38afes7a8f12; Path=/"),
    ("env", "DB_PASSWORD=hunter", "hunter"),
    ("env", "export API_KEY=abcd-1234-efgh", "abcd-1234-efgh"),
    ("env", "SECRET=correct;horse", "correct"),
    ("yaml", "password: hunter2", "hunter2"),
    ("prose", "I log in with Password=hunter2secret9 and it hangs", "hunter2secret9"),
    ("prose", "The password: hunter2secret9\n", "hunter2secret9"),
    ("yaml", "  db_password: 'two words 1'", "two words 1"),
    ("yaml", "client_secret: Zm9v/YmFy+1", "Zm9v/YmFy+1"),
    ("ini", "[db]\npassword = hunter2\n", "hunter2"),
    ("json", '{"password": "hunter"}', "hunter"),
    ("json", '"apiKey":"0a1b2c3d4e"', "0a1b2c3d4e"),
    ("ado", "Server=db;User Id=sa;Password=tiger;Encrypt=yes", "tiger"),
    ("azure", "AccountName=x;AccountKey=Zm9vYmFyMTIzNDU2Nzg5MA==;Suffix=y", "Zm9vYmFyMTIzNDU2Nzg5MA=="),
    ("libpq", "host=db password=tiger dbname=x", "tiger"),
    ("query", "GET /x?access_token=abc123def&y=1", "abc123def"),
    ("code", 'PASSWORD = "hunter2"', "hunter2"),
    ("code", "token='9f8e7d6c'", "9f8e7d6c"),
    ("flag", "run --password hunter2 --host db", "hunter2"),
    ("ruby", ":secret => 'abc123'", "abc123"),
]
STAYS = [
    "token = get_token()", "password: str", "password: str = None", "secret: Optional[str]",
    "token = self.token", "token = tokens[0]", "f(password=password)", "f(token=token1, x=2)",
    "password=None,", "if token == expected_value1:", "max_tokens=4096", "token_count: 12345678",
    "api_key = os.environ['API_KEY']", "token = request.headers.get('x')", "token=next(tokens1)",
    "secret = secrets.token_hex(16)", "password: ${DB_PASSWORD}", "password = '{password}'",
    "token: <your token>", 'api_key="your-api-key"', "password: ********", "password=xxxx",
    "sha256:" + "ab" * 32, "token: sha256:" + "ab" * 32, "F-0001 and H1, A12",
    "3f786850e387550fdab836ed7e6dc881de23001b", "PWD=/home/me/work", "OLDPWD=/srv/x1",
    "http://localhost:8080/a@b", "http://user:password@example.com", "https://{user}:{pw}@x",
    "basic authentication is used", "Bearer tokens are checked", "the bearer authentication scheme",
    "tokenizer: bert2", "the token is invalid", "Token: expired", "password authentication failed",
    'if line.startswith("-----BEGIN RSA PRIVATE KEY-----"):', "import secrets", "task-skipped-because-of-x",
    'TOKEN_URL = "https://x/token"', 'grant_type="password"', 'token="access_token"',
    'raise ValueError("bad password: too short")', "token: tokenize.TokenInfo,", "key=lambda x: x1",
    "ASIAN markets", "sk-learn and scikit-learn are names", "def check(token: T1) -> None:",
    "Password: must be at least 8 characters", "the password reset of 2024", "token=token12",
    'kind = "token2"', "ssh://git@github.com:22/x", "token = tok1.value", "secret=cfg.secret_1",
]
# fmt: on


def found_in(text):
    return [text[one.start : one.end] for one in sightings(text)]


@pytest.mark.clause("DIA-CASE-06")
@pytest.mark.parametrize(("family", "text", "secret"), SECRETS)
def test_a_secret_is_found_to_the_letter(family, text, secret):
    assert found_in(text) == [secret], family


@pytest.mark.clause("DIA-CASE-06")
@pytest.mark.parametrize("text", STAYS)
def test_what_only_looks_like_a_secret_stays(text):
    assert found_in(text) == []


@pytest.mark.clause("DIA-CASE-06")
@pytest.mark.parametrize("newline", ["\n", "\\n"])
def test_a_private_key_is_found_whole_and_also_where_it_was_cut_off(newline):
    body = newline.join(["MIIEpAIBAAKCAQEA7" * 3] * 4)
    begin, end = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
    whole = f"{begin}{newline}{body}{newline}{end}"
    assert found_in(f"x {whole} y") == [whole]
    assert found_in(f"{begin}{newline}{body}") == [f"{begin}{newline}{body}"]


HOSTILE = [
    "password", "password=", "token: ", "a-", "eyJ", "eyJaaaaaaaaaa.", "://", "://a:", "a:b@",
    "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----(", "sk-", "Bearer ", "cookie:",
    "secret='", 'secret="a', "--password ", "ghp_", " ", "\n", "AKIA", "x=", "xoxb-a", "eyJ-",
]  # fmt: skip


@pytest.mark.clause("DIA-CASE-07")
@pytest.mark.parametrize("piece", HOSTILE)
def test_a_megabyte_of_beginnings_comes_to_an_end(piece):
    """Linear takes a second; a square takes hours, and is ended here."""

    def end(_number, _frame):
        raise AssertionError(f"{piece!r} takes more than linear time")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, 20)
    try:
        sightings(piece * (1_000_000 // len(piece)))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


TOKEN = "ghp_" + "a1B2" * 9
KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "MIIEpAIBAAKCAQEA7xyz\n" * 3
    + "-----END RSA PRIVATE KEY-----"
)


def an_input(path, raw, kind=InputKind.LOG):
    return RawInput(path, digest_of(raw), len(raw), kind, path)


@pytest.mark.clause("DIA-CASE-08")
def test_every_input_is_marked_with_what_it_holds():
    raws = {
        "a.log": f"password=hunter2 {TOKEN}".encode(),
        "b.log": b"fine",
        "c.pem": KEY.encode(),
    }
    inputs = [an_input(path, raw) for path, raw in raws.items()]
    found = secrets_of(inputs, lambda one: raws[one.path])
    assert found.counts == {
        "a.log": {"assigned-secret": 1, "github-token": 1},
        "c.pem": {"private-key": 1},
    }


@pytest.mark.clause("DIA-CASE-09")
def test_a_mark_says_the_kind_a_number_and_where_and_nothing_of_the_secret():
    redactor = Redactor()
    plain = {"b": [f"{TOKEN} again {TOKEN}", {"x/y": "password: hunter2"}], "a": 3}
    assert redactor.redact(plain) == {
        "a": 3,
        "b": [
            "[redacted github-token 1] again [redacted github-token 1]",
            {"x/y": "password: [redacted assigned-secret 2]"},
        ],
    }
    assert redactor.listed() == [
        {"kind": "github-token", "number": 1, "times": 2, "where": ["/b/0"]},
        {"kind": "assigned-secret", "number": 2, "times": 1, "where": ["/b/1/x~1y"]},
    ]


@pytest.mark.clause("DIA-CASE-09")
def test_a_secret_of_an_input_is_known_again_where_it_stands_alone():
    """A quote may begin in the middle of a key, or behind the name of a password."""
    raw = f"{KEY}\napi_key = x1y2z3w4\n".encode()
    known = secrets_of([an_input("a", raw)], lambda _: raw).known
    redactor = Redactor(known)
    assert redactor.text("MIIEpAIBAAKCAQEA7xyz") == "[redacted private-key 1]"
    assert redactor.text("sent x1y2z3w4!") == "sent [redacted assigned-secret 2]!"


@pytest.mark.clause("DIA-CASE-09")
def test_what_is_redacted_stays_as_it_is_when_redacted_again():
    once = Redactor().text(f"{TOKEN} password=hunter2 postgres://a:s3cr3t@b")
    assert Redactor().text(once) == once
