"""How a file that was handed in is called inside a package: reversible, and safe everywhere.

A name inside a package may not begin with a dot, leave its folder or hold what some system
forbids; a user's file may. So what would be refused is written as ``%`` and two hex digits
per byte, the percent sign itself included, and nothing else is changed.

>>> stored_name("src/.env"), origin_of("src/%2Eenv")
('src/%2Eenv', 'src/.env')
"""

import os
import re

from witmark.kernel.errors import BadNameError

_UNSAFE = re.compile(r'[%\\:*?"<>|\x00-\x1f\x7f\ud800-\udfff]')
_LONGEST = 240  # bytes of one part; 255 is what file systems take, and we add to some
_ESCAPED = re.compile(r"(?:%[0-9A-F]{2})+")


def stored_name(origin: str) -> str:
    """Spell a relative path with ``/`` so that it can be a name in a package.

    Raises:
        BadNameError: it is empty, absolute, or leads out of its folder.
    """
    parts = origin.split("/")
    if not origin or any(part in {"", "..", "."} for part in parts):
        raise BadNameError("a file handed in cannot be called so", place=repr(origin))
    return "/".join(_stored(part) for part in parts)


def told_name(origin: str) -> str:
    r"""The name as text that can be written anywhere; bytes that are none stand as ``\xff``."""
    return os.fsencode(origin).decode("utf-8", "backslashreplace")


def fits(origin: str) -> bool:
    """Whether each part of the path, as it is spelled in a package, is a name on any system."""
    return all(len(os.fsencode(part)) <= _LONGEST for part in stored_name(origin).split("/"))


def origin_of(name: str) -> str:
    """Undo ``stored_name``."""
    return _ESCAPED.sub(lambda hit: os.fsdecode(bytes.fromhex(hit[0].replace("%", ""))), name)


def spelled(origin: str) -> str:
    r"""The path as it can be written down: as it is, or as it is stored if it is no text.

    >>> spelled("a/孔%.log"), spelled("a/\udcff.log")
    ('a/孔%.log', 'a/%FF.log')
    """
    try:
        origin.encode()
    except UnicodeEncodeError:
        return stored_name(origin)
    return origin


def _stored(part: str) -> str:
    safe = _UNSAFE.sub(lambda hit: _hex(hit[0]), part)
    return _hex(".") + safe[1:] if safe.startswith(".") else safe


def _hex(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in os.fsencode(char))
