"""What a provider's "no" on the wire means, and who has to act.

| what came | kind |
|---|---|
| 408, 409, 425, 429, 5xx | transport: it is tried again when it is eligible |
| every other status that is no success, a redirect among them | configuration |
"""

import json
import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from witmark.kernel.model.reply import Failure, FailureKind

_AGAIN = {408, 409, 425, 429}
_LONGEST_WAIT_S = 365 * 86_400.0  # more than this nobody means
_SHOWN_CHARS = 300
_SHORT_KEY_CHARS = 8  # one that short stands in any text by chance


def status_failure(status: int, headers: Mapping[str, str], body: bytes, key: str) -> Failure:
    """The failure that a status means, with the provider's own words; they hold no key."""
    is_transport = status in _AGAIN or status >= 500
    kind = FailureKind.TRANSPORT if is_transport else FailureKind.CONFIGURATION
    said = words_of(body, key)
    if 300 <= status < 400:
        said = "it sends us elsewhere, and no redirect is followed"
    detail = f"status {status}: {said}" if said else f"status {status}"
    wait_s = retry_after_s(headers) if is_transport else None
    return Failure(kind, f"status-{status}", detail, wait_s)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """How long the provider asks us to wait: seconds, or a date of HTTP.

    A date counts from the provider's own clock where it says what time it has there.

    >>> retry_after_s({"retry-after": "120"})
    120.0
    >>> retry_after_s({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT",
    ...                "date": "Wed, 21 Oct 2026 07:28:00 GMT"})
    30.0
    >>> retry_after_s({"retry-after": "soon"})
    """
    if (wait_ms := _seconds(headers.get("retry-after-ms", ""))) is not None:
        return wait_ms / 1000
    said = headers.get("retry-after", "")
    if (wait_s := _seconds(said)) is not None:
        return wait_s
    then_s, now_s = _date_s(said), _date_s(headers.get("date", ""))
    if then_s is None:
        return None
    return min(max(0.0, then_s - (time.time() if now_s is None else now_s)), _LONGEST_WAIT_S)


def words_of(body: bytes, key: str) -> str:
    """What the provider says is wrong, on one line, without the key it may repeat."""
    if 0 < len(key) < _SHORT_KEY_CHARS:
        return ""
    try:
        plain = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    said = _message(plain)
    if key:
        said = said.replace(key, "[key]")
    line = " ".join("".join(c if c.isprintable() else " " for c in said).split())
    return line if len(line) <= _SHOWN_CHARS else f"{line[:_SHOWN_CHARS]}…"


def _message(plain: object) -> str:
    match plain:
        case {"error": {"message": str(said)}} | {"error": str(said)} | {"message": str(said)}:
            return said
        case {"detail": str(said)}:
            return said
        case _:
            return ""


def _seconds(said: str) -> float | None:
    try:
        value = float(said)
    except ValueError:
        return None
    return min(value, _LONGEST_WAIT_S) if math.isfinite(value) and value >= 0 else None


def _date_s(said: str) -> float | None:
    try:
        return parsedate_to_datetime(said).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
