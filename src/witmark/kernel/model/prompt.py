"""A prompt is a file with a version. A published one never changes: a new one is a new file.

The front matter says what it is for::

    ---
    purpose: answers.compose
    inputs: question, exhibits
    output: answers-draft/1
    ---
"""

import re
from dataclasses import dataclass

from witmark.kernel.canon import Digest, digest_of
from witmark.kernel.errors import GarbledRecordError

_NAME = re.compile(r"[a-z][a-z0-9-]*\.v[1-9][0-9]*\.md").fullmatch
_FILE = re.compile(
    r"---\n(?P<head>(?:[a-z]+: [^\n]+\n)+)---\n\n?(?P<text>.*\S.*)", re.DOTALL
).fullmatch


@dataclass(frozen=True, slots=True)
class Prompt:
    """The instructions for one purpose, and the digest of the file they stand in."""

    name: str
    purpose: str
    inputs: tuple[str, ...]
    output: str
    text: str
    digest: Digest


def read_prompt(raw: bytes, name: str) -> Prompt:
    """Read a prompt file.

    Raises:
        GarbledRecordError: it is not one of ours.
    """
    found = _FILE(raw.decode("utf-8", "replace"))
    if found is None or _NAME(name) is None:
        raise GarbledRecordError(
            "not a prompt file with purpose, inputs and output", place=name
        )
    head = dict(line.split(": ", 1) for line in found["head"].splitlines())
    if set(head) != {"purpose", "inputs", "output"}:
        raise GarbledRecordError("a prompt says purpose, inputs and output", place=name)
    inputs = tuple(part.strip() for part in head["inputs"].split(","))
    return Prompt(
        name, head["purpose"], inputs, head["output"], found["text"].strip(), digest_of(raw)
    )
