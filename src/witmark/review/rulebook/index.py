"""The half that retrieval may see: ids, titles, views and retrieval texts.

Nothing here says what a rule checks. Whoever reads an index learns where to look, never what
would be found; that is what keeps a retrieved rule from being mistaken for a finding.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from witmark.kernel.errors import InputError

INDEX_FORMAT = "chapter18_rule_index_v1"
INDEX_FILE = "diagnostic_index/chapter18_rule_index_v1.json"
CHAPTER = "18."
"""Only rules whose id starts so take part (contract 000, section 4, current scope)."""


class RulebookError(InputError):
    """A compiled rulebook that is not one, or not of this version."""

    code = "input.rulebook"
    hint = "compile the cards again with tools/compile_rules.py"

    def __init__(self, because: str, *, hint: str | None = None) -> None:
        super().__init__(f"the rulebook cannot be used: {because}", hint=hint)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One rule as retrieval sees it."""

    rule_id: str
    title: str
    title_en: str
    catalogue_id: str
    primary_view: str
    secondary_views: tuple[str, ...]
    knowledge_category: str
    retrieval_sentence: str
    aliases: tuple[str, ...]
    keywords: tuple[str, ...]

    def to_plain(self) -> dict[str, object]:
        """The contract's index item; ``title_en`` and ``catalogue_id`` are ours."""
        return {
            "rule_id": self.rule_id,
            "title": self.title,
            "primary_view": self.primary_view,
            "secondary_views": list(self.secondary_views),
            "knowledge_category": self.knowledge_category,
            "retrieval_unit": {
                "retrieval_sentence": self.retrieval_sentence,
                "aliases": list(self.aliases),
                "keywords": list(self.keywords),
            },
            "title_en": self.title_en,
            "catalogue_id": self.catalogue_id,
        }


@dataclass(frozen=True, slots=True)
class RuleIndex:
    """Every rule of one book, as retrieval sees it, in the order of the book."""

    name: str
    entries: tuple[IndexEntry, ...]

    @property
    def eligible(self) -> tuple[IndexEntry, ...]:
        """The entries of the chapter in scope; others are there and never returned."""
        return tuple(entry for entry in self.entries if entry.rule_id.startswith(CHAPTER))


def load_index(data: bytes) -> RuleIndex:
    """Read a compiled index.

    Raises:
        RulebookError: the bytes are not JSON, or not an index of this version.
    """
    book = read_book(data, INDEX_FORMAT)
    try:
        entries = tuple(_entry(item) for item in book["rules"])
    except (KeyError, TypeError, ValueError) as wrong:
        raise RulebookError(f"an index item is incomplete ({wrong})") from wrong
    return RuleIndex(str(book["rulebook"]), entries)


def read_book(data: bytes, wanted_format: str) -> Mapping[str, list[Mapping[str, object]]]:
    """Read the outer frame that index and store share.

    Raises:
        RulebookError: not JSON, another format, or no list of rules.
    """
    try:
        book = json.loads(data)
    except ValueError as wrong:
        raise RulebookError(f"not JSON ({wrong})") from wrong
    if not isinstance(book, dict) or book.get("format") != wanted_format:
        raise RulebookError(f"not of format {wanted_format}")
    if not isinstance(book.get("rules"), list) or "rulebook" not in book:
        raise RulebookError("it has no list of rules")
    return book


def _entry(item: Mapping[str, object]) -> IndexEntry:
    unit = item["retrieval_unit"]
    if not isinstance(unit, Mapping):
        raise TypeError("retrieval_unit is not an object")
    return IndexEntry(
        rule_id=str(item["rule_id"]),
        title=str(item["title"]),
        title_en=str(item.get("title_en", "")),
        catalogue_id=str(item.get("catalogue_id", "")),
        primary_view=str(item["primary_view"]),
        secondary_views=strings(item["secondary_views"]),
        knowledge_category=str(item["knowledge_category"]),
        retrieval_sentence=str(unit["retrieval_sentence"]),
        aliases=strings(unit["aliases"]),
        keywords=strings(unit["keywords"]),
    )


def strings(value: object) -> tuple[str, ...]:
    """A JSON list of strings as a tuple.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError(f"not a list of strings: {value!r}")
    return tuple(value)
