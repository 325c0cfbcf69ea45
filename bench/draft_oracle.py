"""A second reading of what a model's answer may say, written from the contract and the prompt.

It knows none of the product's gates or tables: what was shown is read off the request, the form
is held by the schema that was sent and by what JSON Schema cannot say, and sentences and words
are cut here once more and otherwise (ANS-MOD-02 to ANS-MOD-04).
"""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import jsonschema

MAIN = ("direct_support", "parent_context", "conflict")
"""Roles of passages that bear on the question by themselves, in the words of the pack."""

ENDS = ".!?。！？"
PAUSES = ",;:()，；：、（）"
JOINS = {"and", "but", "or", "because", "so", "while", "whereas", "which", "that"}
BARE = {"a", "an", "the", "is", "are", "it", "its", "this", "these"}
CONDITIONS = {"if", "unless", "except", "until", "provided", "only"}
HEDGES = {
    *("may", "might", "could", "rarely", "seldom", "sometimes", "often", "usually"),
    *("mostly", "partly", "nearly", "almost", "roughly", "approximately", "some", "few"),
    *("many", "most", "should"),
}
DENIALS = {"not", "no", "never", "none", "cannot", "without", "neither", "nor", "nobody"}
ORDERS = (
    *("ignore all previous instructions", "disregard the rules above", "system prompt"),
    *("you are now an assistant", "answer only with", "when asked", "not_answered"),
    *("the exhibits", "忽略以上指令"),
)
MARKS = ("://", "www.", "@", "<b>", "</", "&#", "{{", "}}", '{"')


@dataclass(frozen=True, slots=True)
class Shown:
    """What a request shows.

    Attributes:
        question: As it was put.
        language: Of the question.
        texts: Of the exhibits, by id.
        titles: Of the notes they stand in, by id.
        main: Which of them bear on the question by themselves.
    """

    question: str
    language: str
    texts: Mapping[str, str]
    titles: Mapping[str, str]
    main: frozenset[str]


def shown(message: str, main: Iterable[str]) -> Shown:
    """Read what a request shows; ``main`` are the texts that bear on the question."""
    told = json.loads(message)
    listed = told["exhibits"]
    return Shown(
        told["question"],
        told["language"],
        {one["id"]: one["text"] for one in listed},
        {one["id"]: one["note"] for one in listed},
        frozenset(one["id"] for one in listed if one["text"] in set(main)),
    )


def is_sound(text: str, *, exhibits: Shown, schema: Mapping[str, Any]) -> bool:
    """Whether a reply may be let in."""
    said = _formed(text, schema)
    if said is None:
        return False
    sentences = said.get("sentences", [])
    if said.get("not_answered", False):
        return not sentences
    if not sentences or any(
        name not in exhibits.texts for one in sentences for name in one["exhibits"]
    ):
        return False
    told = [_Sentence(one["text"].strip(" "), one["exhibits"], exhibits) for one in sentences]
    texts = [" ".join(_words(one.text)) for one in told]
    return (
        all(one.is_sound() for one in told)
        and len(set(texts)) == len(texts)
        and any(one.is_relevant() for one in told)
        and _bears(told, exhibits)
    )


def _bears(told: "list[_Sentence]", exhibits: Shown) -> bool:
    """Whether something cited bears on the question, or holds half of its words."""
    cited = {name for one in told for name in one.cited}
    asked = {*_words(exhibits.question)} - BARE - {"what"}
    held = {_stem(word) for name in cited for word in _words(exhibits.texts[name])}
    return bool(cited & exhibits.main) or 2 * len(asked & held) >= len(asked)


def _formed(text: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        text.encode()
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_never)
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    is_valid = jsonschema.Draft202012Validator(schema).is_valid(found)
    return found if is_valid and isinstance(found, dict) else None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("twice")
    return dict(pairs)


def _never(text: str) -> object:
    raise ValueError(text)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence, and what it may rest on."""

    text: str
    cited: list[str]
    exhibits: Shown

    def is_sound(self) -> bool:
        """Whether it keeps everything that one sentence has to keep."""
        own = [self.exhibits.texts[name] for name in self.cited]
        return (
            self._is_plain("\n".join(own))
            and not any(order in self.text.casefold() for order in ORDERS)
            and self._is_in_language()
            and (any(self._is_copied(text) for text in own) or self._is_shortened(own))
        )

    def is_relevant(self) -> bool:
        """Whether it names the note asked about, or says half of what is asked."""
        asked = {*_words(self.exhibits.question)}
        titles = {title.casefold() for title in self.exhibits.titles.values()}
        named = [t for t in titles if t in self.exhibits.question.casefold()]
        said, plain = _words(self.text), " ".join(self.text.casefold().split())
        if any(title in plain for title in named):
            return True
        rest = asked - {w for title in named for w in _words(title)} - BARE - {"what"}
        return bool(rest) and 2 * len(rest & {*said}) >= len(rest)

    def _is_plain(self, source: str) -> bool:
        hidden = any(
            unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
            or char in "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffc\ufffd"
            or "\ufe00" <= char <= "\ufe0f"
            for char in self.text
        )
        asks = self.text.rstrip(" \"'”’)）」").endswith(("?", "？"))
        marks = any(m in self.text and m not in source for m in (*MARKS, *"?!？！()（）[]“”"))
        ids = [w for w in _bare_words(self.text) if w[:1] in "ERPWЕＥ" and w[1:].isdecimal()]
        strays = any(1 < len(w) <= 4 and w not in source for w in ids)
        spelt = any(_is_odd(word) and word not in source for word in _bare_words(self.text))
        wide = any(
            "\uff10" <= c <= "\uff5a" and c.isalnum() and c not in source for c in self.text
        )
        names = any(
            len(run) > 1 and " ".join(run).casefold() not in self._names(source)
            for run in _named(self.text)
        )
        odd = hidden or asks or marks or strays or spelt or wide or names
        return not odd and self._ends_once()

    def _names(self, source: str) -> str:
        return "\n".join([source, *(self.exhibits.titles[n] for n in self.cited)]).casefold()

    def _ends_once(self) -> bool:
        if self.text[-1:] not in (*ENDS, *"\"”’'"):
            return False
        inner = self.text[:-1]
        return not any(
            char in ENDS and (char in "。！？" or inner[at + 1 : at + 2] == " ")
            for at, char in enumerate(inner)
        )

    def _is_in_language(self) -> bool:
        han = sum("\u3400" <= char <= "\u9fff" for char in self.text)
        latin = sum(char.isascii() and char.isalpha() for char in self.text)
        return (han > latin) == (self.exhibits.language == "zh")

    def _is_copied(self, source: str) -> bool:
        return self.text in _sentences(source)

    def _is_shortened(self, own: Iterable[str]) -> bool:
        sources = [(one, _words(one)) for text in own for one in _sentences(text)]
        clauses = [clause for clause in _clauses(self.text) if clause]
        terms = [word for clause in clauses for word in clause if word not in BARE]
        titles = [_words(self.exhibits.titles[name]) for name in self.cited]
        unnamed = [word for clause in clauses for word in _without(clause, titles)]
        if len(terms) < 3 or all(word in BARE for word in unnamed):
            return False
        return all(self._rests(clause, sources, titles) for clause in clauses)

    def _rests(
        self, clause: list[str], sources: list[tuple[str, list[str]]], titles: list[list[str]]
    ) -> bool:
        said = [word for word in clause if word not in BARE]
        unnamed = [word for word in _without(clause, titles) if word not in BARE]
        if not unnamed:
            return True
        whole = {*_words(self.text)}
        for _, words in sources:
            there = iter([_stem(word) for word in words if word not in BARE])
            names_it = any(_without(words, [title]) != words for title in titles)
            needed = said if names_it else unnamed
            if not all(_stem(word) in there for word in needed) or _halves_a_day(said, words):
                continue
            parts = [p for p in _clauses(" ".join(words)) if {*p} & {*said}] or [words]
            told = {w for p in parts for w in p}
            is_denied = bool({*clause} & DENIALS)
            if is_denied != bool(told & DENIALS) or is_denied != bool({*words} & DENIALS):
                continue  # nor is one half of a sentence taken whose other half denies
            if ({*words} & CONDITIONS) - whole or (told & HEDGES) - {*clause}:
                continue
            return True
        return False


def _sentences(text: str) -> list[str]:
    found, begun = [], 0
    for at, char in enumerate(text):
        if char == "\n" or (char in ENDS and text[at + 1 : at + 2] in ("", " ", "\n")):
            found.append(text[begun : at + 1].strip())
            begun = at + 1
    found.append(text[begun:].strip())
    return [one for one in found if one]


def _clauses(text: str) -> list[list[str]]:
    made: list[list[str]] = [[]]
    for raw in text.split():
        words = _words(raw)
        if raw[:1] in PAUSES or any(word in JOINS for word in words):
            made.append([])
        made[-1] += [word for word in words if word not in JOINS]
        if raw[-1:] in PAUSES:
            made.append([])
    return [one for one in made if one]


def _without(words: list[str], titles: Iterable[list[str]]) -> list[str]:
    """The words without the names of notes, each where it stands whole."""
    left = list(words)
    for title in titles:
        for at in range(len(left) - len(title), -1, -1):
            here = left[at : at + len(title)]
            if title in (here, [*here[:-1], _stem(here[-1])]):
                del left[at : at + len(title)]
    return left


def _bare_words(text: str) -> list[str]:
    return ["".join(c for c in raw if c.isalnum()) for raw in text.split()]


def _words(text: str) -> list[str]:
    """Words in small letters, without what stands around them."""
    made, word = [], ""
    for char in unicodedata.normalize("NFKC", text).casefold() + " ":
        if char.isalnum() or (word and char in ".'’-"):
            word += char
        elif word:
            made.append(word.strip(".'’-"))
            word = ""
    return [word for word in made if word]


def _halves_a_day(said: list[str], words: list[str]) -> bool:
    """Whether a year is taken without the day and the month that it stands with."""
    return any(
        word.isdecimal()
        and len(word) == 4
        and said[max(0, at - 2) : at] != _before(word, words)
        for at, word in enumerate(said)
    )


def _before(word: str, words: list[str]) -> list[str]:
    at = words.index(word) if word in words else 0
    return words[max(0, at - 2) : at]


def _named(text: str) -> list[list[str]]:
    """Runs of words with a capital: what a reader takes for names."""
    runs: list[list[str]] = [[]]
    for word in text.split():
        if word[:1].isupper():
            runs[-1].append(word.strip(".,;:"))
        elif runs[-1]:
            runs.append([])
    return runs


def _is_odd(word: str) -> bool:
    """A capital after a small letter: it has to be spelt so where it comes from."""
    return any(was.islower() and char.isupper() for was, char in pairwise(word))


def _stem(word: str) -> str:
    """A plural or a third person is the same word."""
    return word[:-2] if word.endswith("sses") else word[:-1] if _is_plural(word) else word


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith("ss")
