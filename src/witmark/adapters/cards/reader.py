"""Markdown to raw cards: YAML front matter with its lines, and a body in two languages."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from witmark.kernel.canon import digest_of
from witmark.review.rulebook.cards import CardError, Field, RawCard

LARGEST_CARD_BYTES = 64 * 1024
_FENCE = "---"
_LANGUAGES = {"中文": "zh", "English": "en"}
_TOPICS = {
    "为什么": "why",
    "怎样改": "mend",
    "说明": "note",
    "Why": "why",
    "How to put it right": "mend",
    "Note": "note",
}


def read_cards(folder: Path) -> Iterator[RawCard]:
    """Every ``*.md`` of a rulebook folder, by name.

    Raises:
        CardError: a card cannot be read, with its line.
    """
    for path in sorted(folder.glob("*.md")):
        yield read_card(path.name, path.read_bytes())


def read_card(name: str, data: bytes) -> RawCard:
    """Split a card into front matter and body; nothing is checked but the form.

    Raises:
        CardError: not UTF-8, too large, no front matter, not YAML, or an unknown heading.
    """
    lines = _decoded(name, data).splitlines()
    end = _front_matter_end(name, lines)
    return RawCard(
        path=name,
        digest=digest_of(data),
        fields=_fields(name, "\n".join(lines[1:end])),
        sections=_sections(name, lines, end + 1),
        last_line=len(lines),
    )


def _decoded(name: str, data: bytes) -> str:
    if len(data) > LARGEST_CARD_BYTES:
        raise CardError(name, 1, f"larger than {LARGEST_CARD_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise CardError(name, data[: wrong.start].count(b"\n") + 1, "not UTF-8") from wrong


def _front_matter_end(name: str, lines: list[str]) -> int:
    if not lines or lines[0].rstrip() != _FENCE:
        raise CardError(name, 1, "a card begins with front matter between two lines of ---")
    for at, line in enumerate(lines[1:], start=1):
        if line.rstrip() == _FENCE:
            return at
    raise CardError(name, len(lines), "the front matter has no end")


def _fields(name: str, source: str) -> Mapping[str, Field]:
    try:
        _refuse_aliases(name, source)
        root = yaml.compose(source, Loader=yaml.SafeLoader)
        values = yaml.safe_load(source)
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        problem = getattr(wrong, "problem", None) or "cannot be read"
        raise CardError(name, line, f"not YAML: {problem}") from wrong
    if not isinstance(root, yaml.MappingNode) or not isinstance(values, dict):
        raise CardError(name, 2, "the front matter is not a list of fields")
    return _with_lines(name, root, values)


def _refuse_aliases(name: str, source: str) -> None:
    """Aliases can blow a small card up to any size, and no card needs them."""
    for event in yaml.parse(source, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            line = event.start_mark.line + 2 if event.start_mark else 1
            raise CardError(name, line, "aliases are not allowed")


def _with_lines(
    name: str, root: yaml.MappingNode, values: Mapping[object, object]
) -> Mapping[str, Field]:
    fields: dict[str, Field] = {}
    for key, node in root.value:
        line = key.start_mark.line + 2  # one for the fence, one because marks count from 0
        if key.value in fields:
            raise CardError(name, line, f"the field {key.value!r} stands there twice")
        if key.value not in values:
            raise CardError(name, line, f"the name of the field {key.value!r} is not a text")
        items = node.value if isinstance(node, yaml.SequenceNode) else []
        item_lines = tuple(item.start_mark.line + 2 for item in items)
        fields[key.value] = Field(values[key.value], line, item_lines)
    return fields


def _sections(name: str, lines: list[str], start: int) -> Mapping[tuple[str, str], str]:
    found: dict[tuple[str, str], list[str]] = {}
    language, topic = "", ""
    for number, line in enumerate(lines[start:], start=start + 1):
        if line.startswith("## "):
            language, topic = _heading(name, number, line[3:], _LANGUAGES), ""
        elif line.startswith("### "):
            topic = _heading(name, number, line[4:], _TOPICS)
        elif topic:
            found.setdefault((language, topic), []).append(line.strip())
        elif line.strip():
            raise CardError(name, number, "text outside a section")
    return {place: _joined(texts, place[0]) for place, texts in found.items()}


def _heading(name: str, number: int, title: str, known: Mapping[str, str]) -> str:
    if title.strip() not in known:
        allowed = ", ".join(known)
        raise CardError(name, number, f"the heading {title.strip()!r} is not one of {allowed}")
    return known[title.strip()]


def _joined(texts: list[str], language: str) -> str:
    """Lines of a paragraph become one line; Chinese needs no blank between them."""
    return ("" if language == "zh" else " ").join(text for text in texts if text)
