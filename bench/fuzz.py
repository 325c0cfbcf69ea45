"""Spoilt replies at every desk: the judge and a second, independently written oracle agree.

Good replies are spoilt as trees (fields dropped, added, doubled, of another type; ids swapped,
altered, look-alike; numbers and words changed), as texts (cut, a key twice, NaN, deep nesting)
and put to each desk's own judge, as the desk asks its question on a small input, and to that
desk's oracle. Limit: 0 verdicts that differ.

4,000 replies to each question; ``--full``: 100,000. `fuzz_review` and `gates` go deeper at
their desks, with other places and other cases.
"""

import copy
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bench.common import Stopwatch, finish, options
from bench.model_grounds import Ground, grounds

Json = Any
SEED = 4
N, N_FULL = 4_000, 100_000
MOST_TOLD = 5

VALUES: tuple[Json, ...] = (
    *(None, True, False, 0, 1, -1, 0.5, 1e308, 10**400, "", " ", "x", "x" * 601, "x" * 6_001),
    *([], {}, ["x"], [[]], {"x": 1}, ["x"] * 201, "\ud800", "E1", "F1", "H1", "F-0001"),
)
PIECES = (
    *("not ", "no ", " only", " if ", "may ", "never ", "5", "250", " mm", "٥", "½", "1871"),
    *("Zorro ", "lethal ", "wrong ", "must ", "?", ".", ". ", ",", "\n", "\t", "\x00", "\x1b"),
    *("\u202e", "\u200b", "\u2060", "\u00ad", "\ufeff", "\u3164", "\U000e0041", "\u2028"),
    *("\ufe0f", "<b>", "https://x.example ", "www.x.example ", "a@b.example", "{{x}}"),
    *("ignore all previous instructions ", "system prompt ", "when asked ", "E1 ", "E9 "),
    *("\u0430", "ｅ", "水", "该杯致命。", "“", "(", ")", " and ", " but ", " by "),
)
LOOKS = {"E": "Е", "1": "１", "F": "Ｆ", "H": "Н", "P": "Р", "0": "O", "a": "а", "-": "‐"}
TEXTS = ("NaN", "Infinity", "-0", "1e999", '{"a":1,"a":2}', "[" * 400 + "]" * 400, "'x'", "")


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz; print what differs and the last line."""
    chosen, watch = options(argv, __doc__), Stopwatch()
    n = N_FULL if chosen.full else N
    admitted, escapes, strict = {}, {}, {}
    asked = grounds()
    for ground in asked:
        dice = random.Random(SEED)  # noqa: S311  # repeatable, no secret
        found = fuzzed(ground, n, dice)
        admitted[ground.purpose], escapes[ground.purpose], strict[ground.purpose] = found
    differing = sum(escapes.values()) + sum(strict.values())
    figures = {
        "admitted": admitted,
        "let_in_by_the_judge_alone": escapes,
        "let_in_by_the_oracle_alone": strict,
        "differing": differing,
    }
    ok = differing == 0 and all(100 * one >= n for one in admitted.values())
    limits = {"differing": 0, "admitted": f">= {n // 100} each"}
    return finish("fuzz", watch, figures=figures, limits=limits, n=n * len(asked), ok=ok)


def fuzzed(ground: Ground, n: int, dice: random.Random) -> tuple[int, int, int]:
    """How many were let in by both, by the judge alone, and by the oracle alone."""
    both = judge_alone = oracle_alone = 0
    for _ in range(n):
        text = spoilt(ground.good, dice)
        ours, theirs = ground.admits(text), ground.is_sound(text)
        both += ours and theirs
        judge_alone += ours and not theirs
        oracle_alone += theirs and not ours
        if ours != theirs and judge_alone + oracle_alone <= MOST_TOLD:
            print(
                f"{ground.purpose}: {ground.judge(text)}, the oracle {theirs}: {text[:600]!a}"
            )
    return both, judge_alone, oracle_alone


def spoilt(good: Sequence[str], dice: random.Random) -> str:
    """A reply with none to three things changed."""
    tree = json.loads(dice.choice(good))
    for _ in range(dice.choice((0, 1, 1, 1, 1, 2, 3))):
        if places := list(_places(tree)):
            dice.choice(CHANGES)(tree, *dice.choice(places), dice)
    text = json.dumps(tree, ensure_ascii=dice.random() < 0.5)
    return _misspelt(text, dice) if dice.random() < 0.08 else text


def _misspelt(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    match dice.randrange(5):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + dice.choice(TEXTS) + text[at:]
        case 2:
            return text.replace("[", f"[{dice.choice(TEXTS)},", 1)
        case 3 if ":" in text:
            key = text[1 : text.index(":")]
            return f"{text[:-1]}, {key}: {dice.choice(('null', '[]', '1'))}}}"
        case _:
            return dice.choice(("```json\n", "\ufeff", " ", "Sure! ", "\n")) + text


# Changes of a tree -----------------------------------------------------------------------

Change = Callable[[Json, Json, Json, random.Random], None]


def _places(inside: Json) -> Iterator[tuple[Json, Json]]:
    keys = list(inside) if isinstance(inside, dict) else range(len(inside))
    for key in keys:
        yield inside, key
        if isinstance(inside[key], dict | list):
            yield from _places(inside[key])


def _drop(_: Json, inside: Json, key: Json, dice: random.Random) -> None:
    del inside[key]
    if isinstance(inside, list) and dice.random() < 0.1:
        inside.clear()


def _add(tree: Json, inside: Json, key: Json, dice: random.Random) -> None:
    value = copy.deepcopy(dice.choice((dice.choice(VALUES), inside[key])))
    if isinstance(inside, list):
        inside.insert(dice.randrange(len(inside) + 1), value)
    else:
        names = [k for one, k in _places(tree) if isinstance(one, dict)]
        inside[dice.choice((*names, "note", f"{key} ", "admitted"))] = value


def _retype(_: Json, inside: Json, key: Json, dice: random.Random) -> None:
    inside[key] = copy.deepcopy(dice.choice(VALUES))


def _swap(tree: Json, inside: Json, key: Json, dice: random.Random) -> None:
    """Put what stands elsewhere, of the same kind: an id for another id."""
    like = [one[k] for one, k in _places(tree) if type(one[k]) is type(inside[key])]
    inside[key] = copy.deepcopy(dice.choice(like))


def _alter(_: Json, inside: Json, key: Json, dice: random.Random) -> None:
    """Change a text by one piece, one letter's look, or one word; a number by one."""
    was = inside[key]
    if isinstance(was, str) and was:
        inside[key] = dice.choice(ALTERED)(was, dice)
    elif isinstance(was, bool):
        inside[key] = not was
    elif isinstance(was, int | float):
        inside[key] = was + dice.choice((-1, 1, 0.25 if abs(was) < 2**53 else 0))


def _with_piece(was: str, dice: random.Random) -> str:
    at = dice.randrange(len(was) + 1)
    return was[:at] + dice.choice(PIECES) + was[at:]


def _looking_alike(was: str, dice: random.Random) -> str:
    at = dice.randrange(len(was))
    return was[:at] + LOOKS.get(was[at], was[at].swapcase()) + was[at + 1 :]


def _without_word(was: str, dice: random.Random) -> str:
    words = was.split(" ")
    del words[dice.randrange(len(words))]
    return " ".join(words)


def _reordered(was: str, dice: random.Random) -> str:
    words = was.split(" ")
    dice.shuffle(words)
    return " ".join(words)


def _cut(was: str, dice: random.Random) -> str:
    return was[: dice.randrange(len(was))]


ALTERED = (_with_piece, _with_piece, _looking_alike, _without_word, _reordered, _cut)
CHANGES: tuple[Change, ...] = (_drop, _add, _retype, _swap, _alter, _alter, _alter)


if __name__ == "__main__":
    sys.exit(main())
