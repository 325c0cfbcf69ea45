"""Words of a whole snapshot, counted in one pass: per definition and per file.

A method is text of its class as well, and both are text of their file. So each file is cut
where definitions begin and end, every piece is read once, and what spans several pieces adds
them up.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, count, pairwise
from operator import add

from witmark.diagnosis.code import Snapshot, SourceFile
from witmark.diagnosis.words import words

Counts = Sequence[Mapping[str, int]]


def counts_of(snapshot: Snapshot) -> tuple[Counts, Counts]:
    """How often each word stands in each definition, and in each file, in their order.

    A definition counts with its qualified name, a file with its path.
    """
    definitions: list[Mapping[str, int]] = []
    files: list[Mapping[str, int]] = []
    for file in snapshot.files:
        spans = list(_spans(file))
        cuts = sorted({0, len(file.text), *(at for span in spans for at in span)})
        pieces = [words(file.text[a:b]) for a, b in pairwise(cuts)]
        for one, (start, end) in zip(file.definitions, spans, strict=True):
            own = pieces[bisect_left(cuts, start) : bisect_left(cuts, end)]
            definitions.append(_count(one.location.name, own))
        files.append(_count(file.path, pieces))
    return definitions, files


def _spans(file: SourceFile) -> Sequence[tuple[int, int]]:
    lines = [0, *map(add, accumulate(map(len, file.text.split("\n"))), count(1))]
    starts = [lines[one.location.start_line - 1] for one in file.definitions]
    most = len(file.text)
    return [
        (start, min(most, start + len(one.text)))
        for start, one in zip(starts, file.definitions, strict=True)
    ]


def _count(name: str, pieces: Sequence[Sequence[str]]) -> Counter[str]:
    return Counter(chain(words(name), *pieces))
