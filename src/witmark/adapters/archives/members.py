"""Which names a member may have: no way out, no second meaning, no name twice."""

import unicodedata

from witmark.diagnosis.naming import fits
from witmark.kernel.errors import BadNameError


class Names:
    """The names that were given out for one archive."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def refused(self, name: str) -> str:
        """Say why a member cannot have this name, or nothing and keep it.

        Two names that differ in case alone, or in how an accent is spelled, are one file on
        some systems; the first of them stands.
        """
        if because := _bad(name):
            return because
        key = unicodedata.normalize("NFC", name).casefold()
        parts = key.split("/")
        above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if key in self._files:
            return "another member has this name, or one that differs in case alone"
        if key in self._folders or above & self._files:
            return "a file and a folder have this name"
        self._files.add(key)
        self._folders |= above
        return ""


def _bad(name: str) -> str:
    if name.startswith("/") or (len(name) > 1 and name[1] == ":"):
        return "an absolute name"
    if ".." in name.replace("\\", "/").split("/"):
        return "a name that leads out of the archive"
    try:
        return "" if fits(name) else "its name is too long"
    except BadNameError:
        return "no name of a file"


def plain_name(name: str) -> str:
    """A name without ``./`` at its beginning, which many tools put there.

    >>> plain_name("././a/b")
    'a/b'
    """
    while name.startswith("./"):
        name = name[2:]
    return name
