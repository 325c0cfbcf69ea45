"""Places of a diagnosis in the words of SARIF: definitions, quotes, frames, addresses."""

import hashlib
from typing import Any

from witmark.adapters.sarif.text import message, plain, relative_uri
from witmark.diagnosis.findings import CodeLocation, Quote
from witmark.diagnosis.report import FrameSeen, Place
from witmark.diagnosis.saying import plainly
from witmark.kernel.canon import canonical_json

ROOT = "%SRCROOT%"  # base of the source that was analysed, by the hosts' own convention
CASE = "CASE"  # base of everything else that was handed in

Json = dict[str, Any]


def fingerprint(rule: str, place: CodeLocation | None) -> str:
    """A name for a result that survives a shift of lines: rule, file, and qualified name."""
    key = [rule, place.path, place.name] if place is not None else [rule]
    return hashlib.sha256(canonical_json(key)).hexdigest()[:32]


def defined(place: CodeLocation) -> Json:
    """A definition of the source."""
    where: Json = {
        "physicalLocation": {
            "artifactLocation": {"uri": relative_uri(one_line(place.path)), "uriBaseId": ROOT},
            "region": {"startLine": place.start_line, "endLine": place.end_line},
        }
    }
    if place.name:
        name = one_line(place.name)
        where["logicalLocations"] = [
            {
                "name": name.rpartition(".")[2] or name,
                "fullyQualifiedName": f"{one_line(place.path)}::{name}",
            }
        ]
    return where


def physical(place: Place, quote: Quote) -> Json:
    """A quote in its file, with its very characters."""
    where: Json = {"artifactLocation": location_of(place.path, place.source_path)}
    if place.start_line:
        where["region"] = {
            "startLine": place.start_line,
            "startColumn": place.start_column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
            "snippet": plain(block(quote.text)),
        }
    return where


def framed(frame: FrameSeen) -> Json:
    """A frame: in the source where a finding places it there, else by its words alone."""
    line = f":{frame.line}" if frame.line is not None else ""
    words = one_line(f"{frame.function} {frame.path}{line}".strip())
    where: Json = {"message": message(words)}
    placed = frame.finding.location if frame.finding is not None else None
    if placed is None:
        if frame.function:
            where["logicalLocations"] = [{"name": one_line(frame.function)}]
        return where
    there = defined(placed)
    if frame.line is not None and placed.start_line <= frame.line <= placed.end_line:
        there["physicalLocation"]["region"] = {"startLine": frame.line}
    return {**where, **there}


def location_of(path: str, source_path: str) -> Json:
    """The address of a file: below the source if it is source, else below the case."""
    if source_path:
        return {"uri": relative_uri(one_line(source_path)), "uriBaseId": ROOT}
    return {"uri": relative_uri(one_line(path)), "uriBaseId": CASE}


def one_line(text: str) -> str:
    """Words in one line, with a mark for whatever hides or turns."""
    return plainly(" ".join(text.split()), len(text) + 1)


def block(text: str) -> str:
    """Lines of a case, with a mark for whatever hides or turns."""
    return plainly(text.replace("\r", ""), len(text) + 1)
