"""Notes in the language of the question come before the same said in another one.

A workspace may hold one note in many languages, told apart by a folder (``content/en/pod.md``,
``content/ko/pod.md``). Of those only the one in the question's language is of use; Chinese
and English stand in for each other, a third language is the last resort.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from witmark.answers.asking import ScopeRequest
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
    """How far the language of each note is from that of the question; looked up once."""

    def __init__(self, language: str, library: Library) -> None:
        self._language, self._library = language, library
        self._rank: dict[AtomNo, int] = {}
        self._known: set[DocumentId] = set()

    def learn(self, documents: Iterable[DocumentId]) -> None:
        """Look up the languages of these notes, all at once."""
        new = tuple(sorted(set(documents) - self._known))
        if not new:
            return
        self._known.update(new)
        scope = ScopeRequest(document_ids=new)
        second = _PAIR.get(self._language, "en")
        for codes, rank in (((second,), SECOND), ((self._language, UNDETERMINED), OWN)):
            inside = self._library.in_scope(replace(scope, languages=codes)) or ()
            self._rank |= dict.fromkeys(inside, rank)

    def rank(self, atoms: Iterable[AtomNo]) -> int:
        """How far the nearest of these atoms is; of atoms of notes that were learnt."""
        return min((self._rank.get(number, THIRD) for number in atoms), default=THIRD)


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
    return next(
        (at for at in range(len(parts) - 2, -1, -1) if is_language_tag(parts[at])), None
    )
