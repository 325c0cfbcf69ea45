"""A parsed note as lines that a person can check against the note."""

from witmark.adapters.markdown import ComrakParser


def outline(text):
    """Front matter, blocks, links and tags of a text, each with what stands at its place."""
    note = ComrakParser().parse(text)
    lines = [f"front matter {note.front_matter!r} {note.front_matter_fault}".rstrip()]
    for number, block in enumerate(note.blocks):
        marks = [str(block.level)] if block.level else []
        marks += [repr(block.info)] if block.info else []
        marks += [f"^{block.block_id}"] if block.block_id else []
        marks += ["header"] if block.is_header else []
        lines.append(" ".join(["block", str(number), block.kind.value, *marks]))
        lines.append(f"  source {text[block.range.start : block.range.end]!r}")
        lines.append(f"  plain  {shown(text, block.plain)}")
    for link in note.links:
        parts = (link.target, link.heading, link.block_id, link.label)
        place = text[link.range.start : link.range.end]
        lines.append(f"link {link.kind.value} {parts} block {link.block} {place!r}")
    lines += [f"tag {t.name} {text[t.range.start : t.range.end]!r}" for t in note.tags]
    return "\n".join(lines) + "\n"


def shown(text, plain):
    """The plain text, with what is ours and not copied between ‹ and ›."""
    pieces, at = [], 0
    for run in plain.runs:
        if run.plain_start > at:
            pieces.append(f"‹{plain.text[at : run.plain_start]!r}›")
        copied = text[run.source_start : run.source_start + run.length]
        pieces.append(repr(copied)[1:-1])
        at = run.plain_start + run.length
    if at < len(plain.text):
        pieces.append(f"‹{plain.text[at:]!r}›")
    return "".join(pieces)
