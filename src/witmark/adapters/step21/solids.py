"""Which faces a file declares to bound a solid, whatever a kernel made of them."""

import re

from witmark.adapters.step21.exchange import Exchange

SOLIDS = ("MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP")
SHELLS = ("CLOSED_SHELL", "ORIENTED_CLOSED_SHELL")

_REFERENCE = re.compile(rb"#(\d+)")


def solid_faces(exchange: Exchange) -> frozenset[int]:
    """Record numbers of the faces in the shells of every declared solid.

    A kernel that cannot close a shell hands back loose faces; the file still meant a solid.
    """
    shells = {number: _references(text) for number, text in _texts(exchange, SHELLS)}
    faces: set[int] = set()
    waiting = [n for _, text in _texts(exchange, SOLIDS) for n in _references(text)]
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number in shells and number not in seen:
            seen.add(number)
            waiting.extend(n for n in shells[number] if n in shells)
            faces.update(n for n in shells[number] if n not in shells)
    return frozenset(faces)


def _texts(exchange: Exchange, keywords: tuple[str, ...]) -> list[tuple[int, bytes]]:
    return [(record.number, record.text) for record in exchange.records(*keywords)]


def _references(text: bytes) -> list[int]:
    """Numbers a record refers to; its own, which comes first, left out."""
    found = [int(number) for number in _REFERENCE.findall(text)]
    return found[1:] if text.lstrip().startswith(b"#") else found
