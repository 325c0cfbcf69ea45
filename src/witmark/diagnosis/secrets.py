"""Secrets in what was handed in: found by their form, and replaced by a mark that says what.

The inputs stay as they are. What is sent to a model or shown in a report is redacted, and
every redaction is listed where it was made: its kind, how often, and the digest of what was
taken out, so that two places with the same secret can be told to be the same.
"""

import re
from functools import partial
from typing import Any

from witmark.kernel.canon import digest_of

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "private-key",
        re.compile(
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
            re.DOTALL,
        ),
    ),
    ("aws-key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("github-token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})\b")),
    ("model-key", re.compile(r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}")),
    ("slack-token", re.compile(r"\bxox[abposr]-[A-Za-z0-9-]{10,}")),
    ("google-key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}\b")),
    ("jwt", re.compile(r"\beyJ[\w-]{10,8000}\.eyJ[\w-]{10,8000}\.[\w-]{10,}")),
    ("url-password", re.compile(r"(?<=://)[^\s/:@'\"<>]{1,100}:[^\s/@'\"<>]{1,200}(?=@)")),
    (
        "bearer-token",
        re.compile(
            r"(?i)(?<=\bbearer )[A-Za-z0-9._~+/-]{16,}=*|(?<=\bbasic )[A-Za-z0-9+/]{16,}=*"
        ),
    ),
    (
        "assigned-secret",
        re.compile(
            r"(?i)(?<![\w.-])(?:[\w-]*(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key)"
            r"\s*[:=]\s*)(?P<quote>[\"']?)"
            r"(?P<value>(?=[^\s\"']*\d)[^\s\"'<>(){}\[\],;]{6,200})(?P=quote)"
        ),
    ),
)


class Redactor:
    """Replaces secrets in texts, and remembers what it replaced."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], int] = {}

    def redact(self, plain: dict[str, Any]) -> dict[str, Any]:
        """Redact every text in plain data, keys left as they are."""
        return {name: self._walk(value) for name, value in plain.items()}

    def text(self, text: str) -> str:
        """Redact one text."""
        for kind, pattern in _KINDS:
            text = pattern.sub(partial(self._mark, kind), text)
        return text

    def listed(self) -> list[dict[str, str | int]]:
        """What was replaced so far, sorted."""
        return [
            {"digest": digest, "kind": kind, "times": times}
            for (kind, digest), times in sorted(self._found.items())
        ]

    def _mark(self, kind: str, hit: re.Match[str]) -> str:
        groups = hit.groupdict()
        secret = groups.get("value") or hit[0]
        digest = digest_of(secret.encode("utf-8", "surrogatepass"))
        self._found[kind, digest] = self._found.get((kind, digest), 0) + 1
        mark = f"[redacted {kind}]"
        if groups.get("value"):
            start, end = hit.span("value")
            return hit[0][: start - hit.start()] + mark + hit[0][end - hit.start() :]
        return mark

    def _walk(self, value: Any) -> Any:  # noqa: ANN401 - plain data of any shape
        match value:
            case str():
                return self.text(value)
            case list():
                return [self._walk(one) for one in value]
            case dict():
                return {name: self._walk(one) for name, one in value.items()}
            case _:
                return value
