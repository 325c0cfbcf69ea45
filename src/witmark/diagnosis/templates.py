"""Message templates: does the text of a literal, its gaps filled, read like a message?"""

import re
from functools import lru_cache

LEAST = 8  # letters that a template has to hold itself; fewer fit everything
MOST_CHARS = 400  # of a template, and four times as much of a message

_GAP = re.compile(
    r"%(?:\(\w+\))?[-+#0 ]*(?:\d+|\*)?(?:\.\d+)?[a-zA-Z]"  # printf and its relatives
    r"|\$?\{[^{}]*\}"  # str.format, f-strings, template literals, loggers
)


def fits(template: str, message: str) -> bool:
    """Whether a message can be this template with its gaps filled, from its beginning on.

    A literal that goes on in the next one is a template whose message goes on as well.

    >>> fits("no field {name!r} in %s", "no field 'a' in row 3"), fits("no", "no field")
    (True, False)
    """
    if len(template) > MOST_CHARS:
        return False
    pattern = _pattern(template)
    return pattern is not None and pattern.match(message[: 4 * MOST_CHARS]) is not None


@lru_cache(maxsize=4096)
def _pattern(template: str) -> re.Pattern[str] | None:
    parts = _GAP.split(template)
    if sum(char.isalpha() for part in parts for char in part) < LEAST or len(parts) > 8:
        return None
    return re.compile(".{0,200}?".join(map(re.escape, parts)), re.DOTALL)
