"""Which encoding the raw bytes outside ASCII are in."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Encoding:
    """How to read raw bytes: Python's name, and the one OCCT's ``read.step.codepage`` takes."""

    python: str
    occt: str
    certain: bool = True  # False: nothing fits; names may read wrongly


def encoding_of(data: bytes) -> Encoding:
    """UTF-8 when the bytes are UTF-8, else GBK when they are, else Latin-1, and unsure."""
    if data.isascii() or _decodes(data, "utf-8"):
        return Encoding("utf-8", "UTF8")
    if _decodes(data, "gbk"):
        return Encoding("gbk", "GB")
    return Encoding("latin-1", "iso8859-1", certain=False)


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
