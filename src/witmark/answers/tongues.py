"""Notes in the language of the question come before the same said in another one.

A workspace may hold one note in many languages, told apart by a folder (``content/en/pod.md``,
``content/ko/pod.md``). Of those only the one in the question's language is of use; Chinese
and English stand in for each other, a third language is the last resort.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from witmark.answers.atoms import DocumentId
from witmark.answers.languages import UNDETERMINED, is_language_tag, language_of_path
from witmark.answers.ports import AtomNo, Library

OWN, SECOND, THIRD = 0, 1, 2
"""In the question's language (or in none), in the other of Chinese and English, in a third."""

_PAIR: Final = {"zh": "en", "en": "zh"}
_TAGS: Final = {
    "en": ("en", "en-us", "en-US", "en-gb"),
    "zh": ("zh", "zh-cn", "zh-CN", "zh_CN", "zh-hans", "zh-Hans", "zh-tw", "zh-TW", "zh-hant"),
}
"""How folders of a language are called, the likeliest first."""


class Tongues:
    """How far the language of each atom is from that of the question; looked up once."""

    def __init__(self, language: str, library: Library) -> None:
        self._library = library
        self._second = _PAIR.get(language, "en")
        self._own = frozenset({language, UNDETERMINED})
        self._rank: dict[AtomNo, int] = {}

    def learn(self, atoms: Iterable[AtomNo]) -> None:
        """Look up the languages of these atoms, all at once."""
        new = set(atoms) - self._rank.keys()
        if new:
            for number, code in self._library.languages(sorted(new)).items():
                self._rank[number] = self._far(code)

    def _far(self, code: str) -> int:
        if code in self._own:
            return OWN
        return SECOND if code == self._second else THIRD

    def rank(self, atoms: Iterable[AtomNo]) -> int:
        """How far the nearest of these atoms is; they are among those that were learnt."""
        return min([self._rank[number] for number in atoms], default=THIRD)


@lru_cache(4096)
def translation_key(document: str) -> str:
    """Return what the translations of one note have in common; empty for a note without any.

    >>> translation_key("content/zh-cn/pod.md") == translation_key("content/en/pod.md")
    True
    >>> translation_key("docs/pod.md")
    ''
    """
    parts = document.split("/")
    at = _language_at(parts)
    return "" if at is None else "/".join([*parts[:at], "*", *parts[at + 1 :]])


def translations(document: DocumentId, language: str) -> Sequence[DocumentId]:
    """Return where the same note would lie in a language, the likeliest first."""
    if not translation_key(document):  # which is remembered
        return ()
    parts = document.split("/")
    at = _language_at(parts)
    if at is None or language_of_path(document) == language:
        return ()
    return [
        DocumentId("/".join([*parts[:at], tag, *parts[at + 1 :]]))
        for tag in _TAGS.get(language, (language,))
    ]


def _language_at(parts: Sequence[str]) -> int | None:
    """Which folder of a path names a language, the innermost first."""
    return next((at for at in range(len(parts) - 2, -1, -1) if _is_tag(parts[at])), None)


_is_tag = lru_cache(4096)(is_language_tag)  # a workspace has few folders and many notes
