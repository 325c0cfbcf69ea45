"""How links are spelled: wikilinks, embeds, and Markdown links that may lead to a note."""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

WIKILINK = re.compile(r"!?\[\[([^\[\]\n\r]+)\]\]")
TAG = re.compile(
    r"(?:(?<=\s)|(?<![\s\S]))#"
    r"([^\s\u2000-\u206f\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40"
    r"\uff5b-\uff65'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\]+)"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ATTACHMENT = re.compile(
    r"\.(?:avif|bmp|gif|jpe?g|png|svg|webp|tiff?|3gp|flac|m4a|mp3|ogg|wav|mkv|mov|mp4|ogv|webm"
    r"|pdf|canvas|base|excalidraw|zip|docx?|xlsx?|pptx?)$",
    re.IGNORECASE,
)
"""What Obsidian opens and is no note. Not ``.js`` and its like: ``[[Vue.js]]`` is a note."""

_NOTE = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spelled:
    """A link's parts; ``shown`` are the ranges, relative to the link, that a reader sees."""

    target: str
    heading: str
    block_id: str
    label: str
    shown: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 14)  # the same notes are linked over and over
def wikilink(spelled: str) -> Spelled | None:
    r"""Take apart ``[[note#heading|label]]`` or ``![[note]]``, or ``None`` if it is none.

    In a table the bar is written ``\|``; elsewhere that reads the same.
    """
    if (found := WIKILINK.fullmatch(spelled)) is None:
        return None
    at, inner = found.start(1), found[1]
    place, bar, label = inner.partition("|")
    if bar and place.endswith("\\"):
        place = place[:-1]
    target, _, fragment = place.partition("#")
    heading, block_id = _fragment(fragment)
    if not (target.strip() or heading or block_id):
        return None
    if label.strip():
        shown: tuple[tuple[int, int], ...] = ((at + len(inner) - len(label), at + len(inner)),)
    else:
        named = (at, at + len(target))
        headed = (at + len(target) + 1, at + len(target) + 1 + len(fragment))
        shown = tuple(r for r in (named, headed if heading else (0, 0)) if r[0] < r[1])
        shown = shown or ((at, at + len(inner)),)
    return Spelled(target.strip(), heading, block_id, label.strip(), shown)


def is_attachment(target: str) -> bool:
    """Whether a target is a picture, a sound or another file that is no note."""
    return "." in target and _ATTACHMENT.search(target) is not None


def is_note(target: str) -> bool:
    """Whether a target is spelled as a note's file."""
    return _NOTE.search(target) is not None


def markdown_target(destination: str) -> tuple[str, str, str] | None:
    """Target, heading and block id of a Markdown link, or ``None`` if it leaves the notes.

    A note is named by a relative ``.md`` path; a path without an extension is how many
    sites link their pages, so it is passed on and may lead nowhere.
    """
    if _SCHEME.match(destination):
        return None
    path, _, fragment = destination.partition("#")
    target = unquote(path.partition("?")[0])
    last = target.rstrip("/").rpartition("/")[2]
    if (path and not last.strip(".")) or ("." in last and not _NOTE.search(last)):
        return None
    heading, block_id = _fragment(unquote(fragment))
    return (target, heading, block_id) if target or heading or block_id else None


def _fragment(fragment: str) -> tuple[str, str]:
    if fragment.startswith("^"):
        return "", fragment[1:].strip()
    return fragment.strip(), ""
