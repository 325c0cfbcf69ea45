r"""Signs that a text is code, a patch or a query, and not a sentence about one.

A change request says what is to hold; whoever changes the code writes it. Words of a case or of
a model that look like code are not repeated in it, only where they stand.

>>> looks_like_code("load takes name[0] unchecked"), looks_like_code("@@ -1,2 +1,2 @@")
(False, True)
"""

import re

_PATCH = re.compile(
    r"^(?:diff --git |index [0-9a-f]{7,}\.\.|@@ -\d|\+\+\+ \S|--- \S|Index: \S"
    r"|\*\*\* (?:Begin|End|Update|Add|Delete) |<<<<<<< |>>>>>>> |=======$)"
    r"|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@",
    re.MULTILINE,
)
_QUERY = re.compile(
    r"\b(?:insert\s+into\s+\S+|delete\s+from\s+\S+|update\s+\S+\s+set\s+\S+\s*=|"
    r"(?:alter|drop|create|truncate)\s+(?:table|index|database|view|schema)\b|"
    r"select\s+\S.{0,200}?\sfrom\s+\S+\s+where\b)",
    re.IGNORECASE | re.DOTALL,
)
_CODE = re.compile(
    r"^[ \t]*(?:"
    r"(?:async\s+)?def\s+\w+\s*\(.*|class\s+\w+\s*(?:\(.*\))?\s*[:{]|"
    r"(?:from\s+[\w.]+\s+)?import\s+[\w.*{}, ]+;?$|#include\s*[<\"]|package\s+[\w.]+;|"
    r"(?:public|private|protected|static|export|const|let|var|func|fn|function)\s+\w.*[;{(=]|"
    r"(?:if|for|while|with|elif|switch|else\s+if)\b.*[:{]$|(?:else|try|finally|do)\s*[:{]$|"
    r"(?:return|raise|throw|yield|await|del|assert)\s+\S.*[\])};]$|"
    r"[\w.\[\]\"']+\s*(?:[-+*/|&]|:)?=\s*\S.*[\])};]$|"
    r"[+-][ \t]{2,}\S|[})\];]+$|#!/"
    r")",
    re.MULTILINE,
)
_STACK = re.compile(
    r"\bFile \"[^\"\n]{1,500}\", line \d+|\bat [\w.$<>/]{1,200}\([\w.$-]{1,100}:\d+(?::\d+)?\)"
)
_FENCE = re.compile(r"```|~~~")


def looks_like_code(text: str) -> bool:
    """Whether a text holds code, a patch, a query or the frames of a stack, by their form."""
    return any(one.search(text) for one in (_FENCE, _PATCH, _QUERY, _STACK, _CODE))
