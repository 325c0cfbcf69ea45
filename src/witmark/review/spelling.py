"""How names, numbers and values from a report are spelt for people, in either language.

Text from a file is untrusted: whatever is shown passes ``printable`` on its way out.
"""

import re
from pathlib import PurePosixPath

from witmark.review import vocabulary, wire
from witmark.review.words import (
    FACTS,
    LENGTH_UNITS,
    SCOPE_REASONS,
    UNITS,
    UNNAMED,
    VALUES,
    Lang,
    Words,
    look_up,
)

# Controls, surrogates, and the marks that turn text around: harmless in a file name,
# treacherous in a terminal or on a page ("gpj.exe" shown as "exe.jpg").
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def file_name(report: wire.ReviewV1) -> str:
    """The reviewed file's own name, without the folders that lead to it."""
    return printable(PurePosixPath(report.source.path.replace("\\", "/")).name)


def subject_of(report: wire.ReviewV1, notice: wire.Notice) -> str:
    """What a notice is about; of the reviewed file only its name, never the way to it."""
    return file_name(report) if notice.subject == report.source.path else notice.subject


def printable(text: str) -> str:
    r"""The text with everything that could command a terminal or turn a line made visible.

    >>> printable("a\x1b[31mb")
    'a\ufffd[31mb'
    """
    return _UNPRINTABLE.sub("\ufffd", text)


def name_words(name: str) -> Words:
    """A name from the file, or the word for having none.

    >>> name_words(" ").en, name_words("housing").zh
    ('unnamed', 'housing')
    """
    return Words(name, name) if name.strip() else UNNAMED


def place_words(verdict: wire.Verdict) -> Words:
    """Where on its component a verdict applies.

    A location may begin with the component's name, as a sentence does; wherever a place is
    shown the name stands beside it already, so it is not said twice.
    """
    name = verdict.component_name
    return Words(
        verdict.semantic_location.removeprefix(f"{name}：") or verdict.semantic_location,
        verdict.semantic_location_en.removeprefix(f"{name}: ") or verdict.semantic_location_en,
    )


def fact_words(name: str) -> Words:
    """What people call a fact."""
    return look_up(FACTS, name)


def fact_unit(name: str) -> str:
    """The unit of a fact of the vocabulary, for places that carry a value without one.

    >>> fact_unit("hole.edge_dist"), fact_unit("hole.ld"), fact_unit("hole.entry_angle")
    ('mm', '1', 'deg')
    """
    word = vocabulary.FACTS.get(name)
    return str(word.unit) if word else ""


def scope_words(reason: str) -> Words:
    """Why an instance is only context: ``"name: nut"`` as people say it.

    >>> scope_words("shape: 87% about one axis").en
    'its shape turns about one axis (87%)'
    """
    key, _, detail = reason.partition(": ")
    words = look_up(SCOPE_REASONS, key)
    said = detail.removesuffix(" about one axis")
    return Words(f"{words.zh}（{said}）", f"{words.en} ({said})") if said else words


def unit_words(report: wire.ReviewV1) -> Words:
    """What people call the file's length unit."""
    return look_up(LENGTH_UNITS, report.source.length_unit)


def value_text(value: wire.Value, unit: str, lang: Lang) -> str:
    """A measured value with its unit, as people write it.

    >>> value_text(12.5, "mm", "en"), value_text(118, "deg", "en"), value_text(None, "mm", "zh")
    ('12.5 mm', '118°', '未知')
    """
    match value:
        case None:
            return VALUES["unknown"].of(lang)
        case bool():
            return VALUES[str(value).lower()].of(lang)
        case int() | float():
            return number_text(value) + UNITS.get(unit, f" {unit}".rstrip())
        case str():
            return look_up(VALUES, printable(value)).of(lang)


def number_text(value: float) -> str:
    """A number to three decimals, or as many more as keep it from looking rounder than it is.

    A radius of 2.9999 must not read "3" beside a limit of 3, so a number that only becomes
    tidy by rounding shows the first decimal that tells, of the six it was measured to. A very
    small one keeps all six.

    >>> [number_text(v) for v in (10.833333, 3.0, 2.9999, 25.75964, 0.0, 0.00042)]
    ['10.833', '3', '2.9999', '25.7596', '0', '0.00042']
    """
    exact = round(value, 6)
    texts = (f"{exact:.{decimals}f}" for decimals in range(3 if abs(exact) >= 0.01 else 6, 7))
    chosen = next(t for t in texts if not t.endswith("0") or float(t) == exact)
    return chosen.rstrip("0").rstrip(".") if chosen.endswith("0") else chosen
