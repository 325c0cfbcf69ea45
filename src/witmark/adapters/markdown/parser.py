"""Markdown text in, blocks and links at their places out."""

from witmark.adapters.markdown.front_matter import FrontMatter, Scalar, read_front_matter
from witmark.adapters.markdown.links import WIKILINK, wikilink
from witmark.adapters.markdown.places import Places
from witmark.adapters.markdown.plain import PlainBuilder
from witmark.adapters.markdown.spelled import words_from
from witmark.adapters.markdown.tree import seen_by_comrak, tokens
from witmark.adapters.markdown.walk import Walk
from witmark.answers.notes import Block, BlockKind, Link, LinkKind, ParsedNote, Tag
from witmark.kernel.evidence import TextRange

_DESCRIPTIONS = frozenset({"description", "summary", "retrieval sentence", "摘要"})
_TAGS = frozenset({"tag", "tags"})


class ComrakParser:
    """A ``NoteParser``. It takes any text and finishes in time that grows with its length."""

    def parse(self, text: str) -> ParsedNote:
        """Parse any text whatever; there is no such thing as invalid Markdown."""
        front = read_front_matter(text)
        begin = front.end if front else int(text.startswith("\ufeff"))
        after = text[begin:]
        body, raw = seen_by_comrak(after)
        seen = text if body is after else text[:begin] + body
        scalars = front.scalars if front else ()
        first = [_description(text, s) for s in scalars if _is_description(s)]
        walk = Walk(text, seen, Places(raw, len(body), begin), len(first))
        walk.read(tokens(body))
        return ParsedNote(
            front.data if front else {},
            TextRange(0, front.end) if front else None,
            front.fault if front else "",
            (*first, *walk.blocks),
            (*(_front_links(text, front) if front else ()), *walk.inlines.links),
            (*(_front_tags(text, front) if front else ()), *walk.inlines.tags),
        )


def _is_description(scalar: Scalar) -> bool:
    return scalar.key.lower().replace("_", " ") in _DESCRIPTIONS and bool(scalar.text.strip())


def _description(text: str, scalar: Scalar) -> Block:
    plain = PlainBuilder(text)
    plain.take(words_from(scalar.text, text, scalar.start, scalar.end))
    end = scalar.start + len(text[scalar.start : scalar.end].rstrip())
    return Block(BlockKind.FRONT_MATTER, TextRange(scalar.start, end), plain.finish())


def _front_links(text: str, front: FrontMatter) -> list[Link]:
    links = []
    for found in WIKILINK.finditer(text, 0, front.end):
        if (spelled := wikilink(found[0])) is not None:
            kind = LinkKind.EMBED if found[0].startswith("!") else LinkKind.WIKILINK
            place = TextRange(found.start(), found.end())
            links.append(
                Link(
                    kind,
                    spelled.target,
                    spelled.heading,
                    spelled.block_id,
                    spelled.label,
                    place,
                    -1,
                )
            )
    return links


def _front_tags(text: str, front: FrontMatter) -> list[Tag]:
    tags = []
    for scalar in front.scalars:
        if scalar.key.lower() not in _TAGS:
            continue
        at = scalar.start
        for name in scalar.text.replace(",", " ").replace("，", " ").split():
            at = text.find(name, at, scalar.end)
            if at < 0:
                break
            if bare := name.lstrip("#"):
                tags.append(Tag(bare, TextRange(at, at + len(name))))
            at += len(name)
    return tags
