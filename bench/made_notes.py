"""A workspace that nobody wrote: notes made from a seed, the same ones every time.

Words of a Zipf vocabulary, English and Chinese notes in turn, links, front matter relations,
titles that are mentioned.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

ATOMS_PER_NOTE = 10
WORDS_PER_ATOM = 75
VOCABULARY = 20_000
SEED = 20260303


@dataclass(frozen=True, slots=True)
class Author:
    """Writes notes that look like notes: few words often, most words seldom."""

    dice: random.Random
    titles: tuple[str, ...]
    words: tuple[str, ...]
    reaches: tuple[float, ...]  # sums of the words' weights up to each
    han: tuple[str, ...]

    def note(self, number: int) -> str:
        """The text of a note; every other one is Chinese."""
        front = [f"title: {self.titles[number]}"]
        if number % 5 == 0 and number:
            front.append(f'prerequisites: ["[[{self.titles[self.dice.randrange(number)]}]]"]')
        if number % 9 == 0:
            front.append(f"aliases: [{self.titles[number]} note]")
        lines = ["---", *front, "---", f"# {self.titles[number]}", "", self._text(number)]
        for section in range(1, ATOMS_PER_NOTE):
            lines += ["", f"## {self._words(2, number)} {section}", "", self._text(number)]
        return "\n".join(lines) + "\n"

    def _text(self, number: int) -> str:
        said = self._words(WORDS_PER_ATOM, number)
        other = self.titles[self.dice.randrange(len(self.titles))]
        if self.dice.random() < 0.3:
            said += f" [[{other}]]"
        elif self.dice.random() < 0.4:
            said += f" {other}"
        return said + ("。" if number % 2 else ".")

    def _words(self, count: int, number: int) -> str:
        chosen = self.dice.choices(
            self.han if number % 2 else self.words, cum_weights=self.reaches, k=count
        )
        return ("" if number % 2 else " ").join(chosen)


def workspace(atoms: int) -> dict[str, bytes]:
    """The notes of a workspace of so many atoms; the same ones every time."""
    dice = random.Random(SEED)  # noqa: S311  # reproducible, not secret
    words = tuple(_distinct(_latin(dice) for _ in iter(int, 1)))
    han = tuple(_distinct(_han(dice) for _ in iter(int, 1)))
    reaches = tuple(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
    count = atoms // ATOMS_PER_NOTE
    rare = range(VOCABULARY // 10, VOCABULARY)
    titles = tuple(
        han[dice.choice(rare)] + han[dice.choice(rare)]
        if number % 2
        else f"{words[dice.choice(rare)]} {words[dice.choice(rare)]}"
        for number in range(count)
    )
    author = Author(dice, titles, words, reaches, han)
    return {f"c{n % 7}/{n:06}.md": author.note(n).encode() for n in range(count)}


def _distinct(made: Iterator[str]) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        found[next(made)] = None
    return list(found)


def _latin(dice: random.Random) -> str:
    parts = (
        dice.choice("bcdfghklmnprstvw") + dice.choice("aeiou")
        for _ in range(dice.randint(2, 4))
    )
    return "".join(parts)


def _han(dice: random.Random) -> str:
    return chr(dice.randrange(0x4E00, 0x5E00)) + chr(dice.randrange(0x4E00, 0x5E00))
