"""What a model's words may hold: no raw id, no judgement, and no number but a cited one.

Each check gives the feedback for the next attempt, or ``None``. A check looks at the text as
a reader would see it: look-alike letters are folded first, and invisible ones are refused.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from witmark.review.neutrality import RAW_IDS, faults_in
from witmark.review.units import BrepFact, FactValue

SAME_WITHIN = 0.0005
"""A sheet shows three decimals; what is repeated from it is the measured value."""

_HANDLE = re.compile(r"(?<![A-Za-z0-9])[FPK][1-9][0-9]*(?![A-Za-z0-9])")
_SQUARE = re.compile(r"(?<=[0-9])(\s*)mm2(?![A-Za-z0-9])")  # its digit is no number
_NUMBER = re.compile(  # what follows is looked at, not eaten: it may lead the next number
    r"([A-Za-z_]*)([0-9]+(?:\.[0-9]+)*)(?=([A-Za-z_]*)\s*"
    r"(平方毫米|毫米|厘米|微米|公分|公里|弧度|英寸|英尺|米|寸|尺|丝|度|°|%|′|[A-Za-zμ]+)?)"
)
_UNITS = {
    "mm": "mm",
    "毫米": "mm",
    "millimetre": "mm",
    "millimetres": "mm",
    "millimeter": "mm",
    "millimeters": "mm",
    "平方毫米": "mm2",
    "deg": "deg",
    "degree": "deg",
    "degrees": "deg",
    "度": "deg",
    "°": "deg",
}
_OTHER_UNITS = re.compile(
    r"cms?|cm2|m2?|um|μm|km|in|ft|rad|kg|g|n|mpa|thou|mil|mils|inch(?:es)?|foot|feet|yards?|"
    r"(?:centi|deci|kilo|micro|nano)?met(?:er|re)s?|microns?|radians?|"
    r"厘米|微米|公分|公里|弧度|英寸|英尺|米|寸|尺|丝|%|′",
    re.IGNORECASE,
)
_SPELLED = re.compile(
    r"[〇零一二三四五六七八九十百千万两半]+\s*(?:毫米|厘米|微米|度|mm|°)|"
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half)\b"
    r"[\s-]*(?:mm\b|millimet|deg)",
    re.IGNORECASE,
)
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})


def folded(text: str) -> str:
    """The text with look-alike letters and digits as the plain ones."""
    return unicodedata.normalize("NFKC", text)


def not_neutral(place: str, text: str) -> str | None:
    """A text before retrieval: readable, no id of any kind, no judgement."""
    if (hidden := _hidden(place, text)) is not None:
        return hidden
    if found := faults_in(folded(text)):
        return f"{place}: {found[0].partition(':')[0]} is not for a neutral statement"
    return _with_handle(place, text)


def not_readable(place: str, text: str) -> str | None:
    """A text for people after retrieval: it may judge, but holds no raw id and no handle."""
    if (hidden := _hidden(place, text)) is not None:
        return hidden
    if RAW_IDS.search(folded(text)):
        return f"{place}: say the place in words, without a raw id"
    return _with_handle(place, text)


def not_measured(
    place: str,
    text: str,
    cited: Iterable[BrepFact],
    *,
    names: Sequence[str] = (),
    also: frozenset[float] = frozenset(),
) -> str | None:
    """Every number in a text is the value of a cited fact, in that fact's unit.

    Args:
        place: Where the text stands in the reply.
        text: What was said.
        cited: The facts it cites.
        names: Names whose digits are no measurements.
        also: Numbers that may stand beside the facts', whatever their unit.
    """
    plain = folded(text)
    for name in names:
        if any(char.isalpha() for char in name):
            plain = plain.replace(folded(name), " ")
    plain = _SQUARE.sub(r"\1平方毫米", plain)
    if _SPELLED.search(plain):
        return f"{place}: write a measured value in digits"
    known = [(fact.unit, abs(float(fact.value))) for fact in cited if _is_number(fact.value)]  # type: ignore[arg-type]  # _is_number says so
    for found in _NUMBER.finditer(plain):
        if not _stands(found, known, also):
            return f"{place}: {found.group(2)} is not the value of a fact that you cite"
    if any(char.isnumeric() and not char.isascii() and not _is_cjk(char) for char in plain):
        return f"{place}: write a measured value in plain digits"
    return None


def _stands(
    found: re.Match[str], known: Sequence[tuple[str, float]], also: frozenset[float]
) -> bool:
    before, digits, after, unit = found.groups()
    if before not in {"", "R"} or digits.count(".") > 1:
        return False
    said = after or unit or ""
    if after and after not in _UNITS:
        return False
    if _OTHER_UNITS.fullmatch(said):
        return False
    value = float(digits)
    if any(abs(value - one) <= SAME_WITHIN for one in also):
        return True
    wanted = _UNITS.get(said)
    return any(
        abs(value - one) <= SAME_WITHIN and wanted in {None, kind} for kind, one in known
    )


def _is_number(value: FactValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_cjk(char: str) -> bool:
    return unicodedata.name(char, "").startswith("CJK UNIFIED")


def _hidden(place: str, text: str) -> str | None:
    if any(unicodedata.category(char) in _HIDDEN for char in text):
        return f"{place}: use plain visible characters, in one line"
    return None


def _with_handle(place: str, text: str) -> str | None:
    if _HANDLE.search(folded(text)):
        return f"{place}: a handle is for the lists of handles; say it in words here"
    return None
