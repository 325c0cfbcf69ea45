"""Secrets in texts, found by their form: where each stands and of which kind it is.

Two sorts of form. Some secrets carry their own mark (``AKIA…``, ``ghp_…``, a PEM block). Others
are what stands behind a name such as ``password``; there the value has to look like a value,
for most lines with such a name are code: ``token = get_token()``, ``password: str``.

Every pattern is bounded, and none begins with a repetition: the time is linear in the text.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Sighting:
    """One secret in a text, as a half-open range of its characters."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class _Form:
    """One form of secret.

    Attributes:
        kind: What it is.
        signs: Lower-case; a text with none of them is not searched.
        pattern: The group ``value`` is the secret, or the whole hit.
        holds: Whether a value is one, where its form alone does not say.
    """

    kind: str
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    holds: Callable[[re.Match[str]], bool] = lambda _: True


def sightings(text: str) -> list[Sighting]:
    """Every secret of a text, in order; where two overlap the one that begins first stands."""
    lowered = text.lower()
    windows = _windows(text, lowered)
    found = sorted(
        sighting
        for form in _FORMS
        if (windows or form.signs is not _NAME_SIGNS)
        and any(sign in lowered for sign in form.signs)
        for sighting in _of_form(form, text, windows)
    )
    found += _private_keys(text) if _BEGIN_SIGN in text else []
    kept: list[Sighting] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end, one.kind)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _of_form(form: _Form, text: str, windows: Sequence[tuple[int, int]]) -> Iterator[Sighting]:
    for start, end in windows if form.signs is _NAME_SIGNS else ((0, len(text)),):
        for hit in form.pattern.finditer(text, start, end):
            if form.holds(hit):
                group = "value" if "value" in hit.re.groupindex else 0
                yield Sighting(*hit.span(group), form.kind)


def _windows(text: str, lowered: str) -> list[tuple[int, int]]:
    """Where a name with something behind it stands, with room around, none overlapping.

    Finding plain words is a hundred times as fast as a pattern that begins with any of them.
    """
    if len(lowered) != len(text):
        return [(0, len(text))]
    found: list[tuple[int, int]] = []
    for hit in sorted(hit for word in _WORDS for hit in _places(lowered, word)):
        start, end = max(0, hit - _BEFORE), hit + _BEHIND
        if found and start <= found[-1][1]:
            start = found.pop()[0]
        found.append((start, end))
    return found


def _places(lowered: str, word: str) -> Iterator[int]:
    at = lowered.find(word)
    while at >= 0:
        if _FOLLOWED(lowered, at + len(word)):
            yield at
        at = lowered.find(word, at + 1)


# What a value may look like ----------------------------------------------------------

_NAMES = (
    r"(?:password|passwd|passphrase|pwd|secret|token|credential|"
    r"(?:api|access|account|private|secret|auth|encryption|signing)[_-]?key)"
)
_WORDS = (
    *("passw", "passphrase", "pwd", "secret", "token", "credential"),
    *("_key", "-key", "ikey", "skey", "tkey", "ekey", "hkey", "nkey", "gkey"),  # ends of names
)
_FOLLOWED = re.compile(r"(?:d|ord)?[\"']?[ \t]{0,8}[:=\w-]").match
_BEFORE, _BEHIND = 60, 440  # characters: the longest name and flag; the longest value
_NAME_SIGNS = (
    *("password", "passwd", "passphrase", "pwd", "secret", "token", "credential"),
    *("apikey", "accesskey", "accountkey", "privatekey", "secretkey", "authkey"),
    *("api_key", "access_key", "account_key", "private_key", "secret_key", "auth_key"),
    *("api-key", "access-key", "account-key", "private-key", "secret-key", "auth-key"),
    *("encryption", "signing"),
)
_SAYS_NOTHING = re.compile(
    r"(?i)(?:x+|\*+|\.+|-+|_+|none|null|nil|true|false|undefined|string|str|bytes|bool|int|"
    r"text|value|values|optional|required|example|sample|test|dummy|empty|unset|default|hidden|"
    r"masked|redacted|removed|secret|token|pass|passwd|password|pwd|key|user|username|abc|"
    r"foo|bar|baz|self|cls|this|todo|changed|invalid|missing|expired|wrong|incorrect|failed|"
    r"your[\w-]{0,60}|my[_-][\w-]{0,60}|<.{0,60}|\[redacted.{0,60})[.,;:!]?"
).fullmatch
_TEMPLATE = re.compile(r"[$%{<\[(^\\]").match  # filled in later, or a pattern
_DIGEST = re.compile(r"(?i)(?:sha\d{1,3}|md5|blake2\w?)[:-]").match
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*").fullmatch
_ABOUT = re.compile(r"(?i)passw(?:or)?d?|token|secret|key|pwd|cred|auth")
_SPEAKS_OF_ITSELF = _ABOUT.search


def _is_literal(hit: re.Match[str]) -> bool:
    """What stands in quotes behind a name is a secret, unless it only stands for one."""
    value = hit["value"]
    if _says_nothing(value):
        return False
    is_word = re.fullmatch(r"[A-Za-z_.:/ -]+", value) is not None
    return not (is_word and _SPEAKS_OF_ITSELF(value))


def _is_value(hit: re.Match[str]) -> bool:
    """What stands bare behind a name is a secret if it is neither code nor prose."""
    value, between, after = hit["value"], hit["between"], hit["after"]
    if _says_nothing(value) or after in {"(", "["}:
        return False
    if hit["name"].lower() == "pwd" and value[0] in "/~.":  # the working directory
        return False
    has_digit = any(c.isdigit() for c in value)
    if _DOTTED(value) is None:
        return has_digit or _is_mixed(value)
    if _is_long(value):
        return True
    if between == "=":
        ends = after in {"", " ", "\t", "\n", "\r", ";", "&", '"', "'"}
        is_set = has_digit or (ends and "." not in value)
        return is_set and not _is_about_itself(value)
    ends_line = after in {"", "\n", "\r"} and "." not in value
    is_code = after in {",", ")", "="} or ("=" in between and not ends_line)
    return has_digit and not is_code and not _is_about_itself(value)


def _is_about_itself(value: str) -> bool:
    """``token2`` and ``next_password1`` are names in code; ``hunter2secret9`` is a secret."""
    if not _SPEAKS_OF_ITSELF(value):
        return False
    rest = _ABOUT.sub("", value)
    is_name = "_" in value or "." in value or not any(c.isdigit() for c in rest)
    return is_name or sum(map(str.isalpha, rest)) < 4


def _says_nothing(value: str) -> bool:
    return bool(_SAYS_NOTHING(value) or _TEMPLATE(value) or _DIGEST(value))


def _is_mixed(value: str) -> bool:
    """Letters and signs, as people make passwords; a path or a hyphened word is none."""
    return any(c in "!@#$^&*+=?~" for c in value) and any(c.isalpha() for c in value)


def _is_long(value: str) -> bool:
    has_digit = any(c.isdigit() for c in value)
    return len(value) >= 20 and has_digit and "." not in value and "__" not in value


def _is_password_of_url(hit: re.Match[str]) -> bool:
    return not _says_nothing(hit["value"])


def _is_credential(hit: re.Match[str]) -> bool:
    value = hit["value"]
    return any(c.isdigit() or c == "=" for c in value) and not _DIGEST(value)


def _is_flag_value(hit: re.Match[str]) -> bool:
    return any(c.isdigit() for c in hit["value"]) and not _says_nothing(hit["value"])


_VALUE = r"(?P<value>[^\s\"'`<>(){}\[\],;|&]{4,400})"
_FORMS = (
    _Form("aws-key", ("akia", "asia"), re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    _Form(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255})"),
    ),
    _Form("gitlab-token", ("glpat-",), re.compile(r"\bglpat-[\w-]{20,200}")),
    _Form(
        "model-key",
        ("sk-",),
        re.compile(r"\bsk-(?:ant-|proj-)?(?=[A-Za-z_-]{0,40}\d)[\w-]{20,300}"),
    ),
    _Form("payment-key", ("_live_", "_test_"), re.compile(r"\b[sr]k_(?:live|test)_\w{16,200}")),
    _Form("slack-token", ("xox",), re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}")),
    _Form("google-key", ("aiza",), re.compile(r"\bAIza[\w-]{35}(?![\w-])")),
    _Form(
        "package-token",
        ("pypi-", "npm_"),
        re.compile(r"\b(?:pypi-[\w-]{50,400}|npm_\w{36,100})"),
    ),
    _Form(
        "jwt",
        ("eyj",),
        re.compile(r"(?<![\w-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,8000}\.[\w-]{10,2000}"),
    ),
    _Form(
        "url-password",
        ("://",),
        re.compile(r"://[^\s/:@'\"<>]{0,100}:(?P<value>[^\s/@'\"<>]{1,200})@"),
        _is_password_of_url,
    ),
    _Form(
        "credential",
        ("bearer", "basic ", "authorization"),
        re.compile(
            r"(?i)(?:\bbearer|\bbasic|authorization[\"']?[:=] ?[\"']?(?:token|apikey|digest))"
            r"[ \t]{1,4}(?P<value>[\w.~+/-]{12,4000}={0,2})"
        ),
        _is_credential,
    ),
    _Form(
        "cookie",
        ("cookie:",),
        re.compile(r"(?i)\bcookie:[ \t]{0,4}(?P<value>[\w.-]{1,100}=[^\r\n\"']{8,4000})"),
        _is_credential,
    ),
    _Form(
        "assigned-secret",
        _NAME_SIGNS,
        re.compile(
            rf"(?i)(?P<name>{_NAMES})[\"']?[ \t]{{0,8}}(?:=>|:=|[:=](?!=))[ \t]{{0,8}}"
            r"(?:[rbuf]{0,2})(?P<quote>[\"'])(?P<value>[^\"'\r\n]{4,400})(?P=quote)"
        ),
        _is_literal,
    ),
    _Form(
        "assigned-secret",
        _NAME_SIGNS,
        re.compile(
            rf"(?i)(?P<name>{_NAMES})[\"']?"
            r"(?P<between>[ \t]{0,8}(?:=>|:=|[:=](?!=))[ \t]{0,8})"
            rf"{_VALUE}(?P<after>.?)",
            re.DOTALL,
        ),
        _is_value,
    ),
    _Form(
        "assigned-secret",
        _NAME_SIGNS,
        re.compile(rf"(?i)--?[a-z-]{{0,30}}{_NAMES}[ \t]{{1,4}}(?!-){_VALUE}"),
        _is_flag_value,
    ),
)

# Private keys ------------------------------------------------------------------------

_BEGIN_SIGN = "PRIVATE KEY"
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s]|\\[nr])*")
_LONGEST = 20_000


def _private_keys(text: str) -> list[Sighting]:
    """PEM blocks to their end, or as far as it looks like one where the end was cut off."""
    ends = [hit.end() for hit in _END.finditer(text)]
    found: list[Sighting] = []
    for hit in _BEGIN.finditer(text):
        if found and hit.start() < found[-1].end:
            continue
        at = bisect_left(ends, hit.end())
        if at < len(ends) and ends[at] - hit.start() <= _LONGEST:
            found.append(Sighting(hit.start(), ends[at], "private-key"))
        elif (body := _BODY.match(text, hit.end())) and body.end() - body.start() >= 16:
            found.append(Sighting(hit.start(), body.end(), "private-key"))
    return found
