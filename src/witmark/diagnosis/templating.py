"""Log lines grouped into templates: equal but for their values (after Drain, He et al. 2017).

Lines of one length in tokens, with an alike beginning, are compared with the templates found so
far; the first that is alike enough takes the line, and where the two differ it gets a gap. The
order of the lines decides, so equal logs give equal templates.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

GAP = "<*>"
ALIKE = 0.5  # the share of tokens that have to be equal
BEGINNING = 3  # words without which two lines are not compared
MOST_TOKENS = 60  # of one line; what comes after says little about its kind
MOST_TEMPLATES = 2_000
MOST_PER_LEAF = 64

_VALUE = re.compile(
    r"0x[0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|\d{4}-\d{2}-\d{2}[T ]?|\d+(?:[.:,]\d+)*|\"[^\"]*\"|'[^']*'"
)


@dataclass(slots=True)
class Template:
    """A kind of line.

    Attributes:
        tokens: What all its lines have; ``<*>`` where they differ.
        first: The number of the first line of it, from 0.
        times: How many lines it has.
    """

    tokens: list[str]
    first: int
    times: int = 1

    @property
    def text(self) -> str:
        """In one line."""
        return " ".join(self.tokens)


def templates_of(lines: Iterable[str]) -> tuple[tuple[Template, ...], int]:
    """Group lines into templates, in the order in which each first came.

    Returns:
        The templates, and how many lines found no place because there were too many.

    >>> [t.text for t in templates_of(["took 3 ms", "took 14 ms", "lost a row"])[0]]
    ['took <*> ms', 'lost a row']
    """
    leaves: dict[tuple[int, str], list[Template]] = {}
    found: list[Template] = []
    left = 0
    for number, line in enumerate(lines):
        tokens = masked(line)
        if not tokens:
            continue
        leaf = leaves.setdefault((len(tokens), _beginning(tokens)), [])
        known = next((one for one in leaf if _alike(one.tokens, tokens)), None)
        if known is not None:
            known.times += 1
            known.tokens = [
                a if a == b else GAP for a, b in zip(known.tokens, tokens, strict=True)
            ]
        elif len(leaf) >= MOST_PER_LEAF or len(found) >= MOST_TEMPLATES:
            left += 1
        else:
            leaf.append(Template(tokens, number))
            found.append(leaf[-1])
    return tuple(found), left


def masked(line: str) -> list[str]:
    """The tokens of a line, its numbers, times and quoted values taken out."""
    return _VALUE.sub(GAP, line[:2000]).split()[:MOST_TOKENS]


def _beginning(tokens: list[str]) -> str:
    """The first words that are no values: mostly a level, and what the line is about."""
    words = [one for one in tokens if GAP not in one and one[0].isalpha()]
    return " ".join(words[:BEGINNING])


def _alike(one: list[str], other: list[str]) -> bool:
    same = sum(a in (b, GAP) for a, b in zip(one, other, strict=True))
    return same >= max(1, ALIKE * len(one))
