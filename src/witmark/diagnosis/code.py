"""A source snapshot as an analyst sees it: definitions, what they call, and how it changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from witmark.diagnosis.findings import CodeLocation
from witmark.kernel.canon import Digest


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, method or class.

    Attributes:
        location: Where; ``location.name`` is the qualified name.
        kind: ``function``, ``method`` or ``class``.
        language: As the grammar is called.
        text: The very lines.
        body_digest: Of the text without docstring, comments and blanks: two versions with
            the same one do the same.
        calls: Names it calls, as spelled, each once, in order.
        raises: Exception names it raises, as spelled.
        strings: String literals in it, docstrings left out.
        docstring: Its documentation; empty if there is none.
        bases: Of a class: the names it derives from.
    """

    location: CodeLocation
    kind: str
    language: str
    text: str
    body_digest: Digest
    calls: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    docstring: str = ""
    bases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a snapshot.

    Attributes:
        path: In the snapshot's own terms (``requests/utils.py``), not the package's.
        digest: Of its bytes.
        text: Decoded; bytes that are no UTF-8 are replaced and ``is_exact`` is false.
        definitions: In the order of the file.
        imports: Local name to what it means: ``np`` to ``numpy``.
        is_exact: Whether the text is the bytes.
        is_whole: Whether the grammar read all of it.
    """

    path: str
    digest: Digest
    text: str
    language: str
    definitions: tuple[Definition, ...]
    imports: Mapping[str, str] = field(default_factory=dict)
    is_exact: bool = True
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All source of one version, sorted by path; ``unread`` says what could not be parsed."""

    files: tuple[SourceFile, ...]
    unread: tuple[tuple[str, str], ...] = ()

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """Every definition, in the order of files and lines."""
        return tuple(one for file in self.files for one in file.definitions)
