"""What a text may hold that a person is to read: words, and nothing that hides or turns them.

Refused are control characters, halves of characters, whatever turns the direction of writing,
and whatever shows nothing and so can make two texts look alike. The list is written out and
is no property of the running Python's tables: a decision that was admitted stays admitted.
"""

import re
from dataclasses import replace

from witmark.diagnosis.decision import Diagnosis, Evaluation

MOST_CHARS = 6_000
MOST_ITEMS = 200

_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls; a tab and a line break are none of them
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff"
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
UNSAFE = re.compile(f"[{_HIDDEN}]")
"""A character that hides, turns the direction of writing, or shows nothing."""


def is_safe(text: str) -> bool:
    r"""Whether nothing in it is hidden.

    >>> is_safe("x\ty\n孔"), is_safe("a\u202eb"), is_safe("a\U000e0041")
    (True, False, False)
    """
    return UNSAFE.search(text) is None


def plainly(text: str, most: int = MOST_CHARS) -> str:
    r"""The text with a mark for everything hidden, and said to be longer where it is cut.

    >>> plainly("a\u202eb"), plainly("aaaa", 3)
    ('a\ufffdb', 'aa…')
    """
    shown = UNSAFE.sub("\ufffd", text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def said_plainly(diagnosis: Diagnosis) -> Diagnosis:
    """A decision whose every text keeps the form; what quotes a case is not in our hands."""
    cause, check = diagnosis.root_cause, diagnosis.countercheck
    if cause is not None:
        cause = replace(
            cause,
            summary=_words(cause.summary),
            technical_description=_words(cause.technical_description),
        )
    return replace(
        diagnosis,
        root_cause=cause,
        evaluations=tuple(_evaluation(one) for one in diagnosis.evaluations),
        countercheck=replace(check, reason=_words(check.reason)),
        intended_external_behaviour=plainly(diagnosis.intended_external_behaviour).strip(),
        human_assumptions=_lines(diagnosis.human_assumptions),
        remaining_uncertainty=_lines(diagnosis.remaining_uncertainty),
        final_reason=_words(diagnosis.final_reason),
        review_actions=_lines(diagnosis.review_actions),
    )


def _evaluation(one: Evaluation) -> Evaluation:
    return replace(
        one,
        reason=_words(one.reason),
        contradictions_answered=plainly(one.contradictions_answered).strip(),
        scope_limits=_lines(one.scope_limits),
    )


def _words(text: str) -> str:
    return plainly(text) if text.strip() else "(nothing is said)"


def _lines(texts: tuple[str, ...]) -> tuple[str, ...]:
    if len(texts) <= MOST_ITEMS:
        return tuple(map(_words, texts))
    left = len(texts) - MOST_ITEMS + 1
    return (*map(_words, texts[: MOST_ITEMS - 1]), f"and {left} more, which the context holds")
