"""What a neutral sentence may not hold: raw ids, rule ids, judgement.

One list for those who word units and for the gate that checks them. A part that is *named*
like a raw id or a verdict is still reviewed; its sentence then speaks of "the part".
"""

import re

RAW_IDS = re.compile(
    r"(?<![A-Za-z])(?:sketch_)?(?:edge|face|vertex|loop|body|shell|wire|solid)_\d+|"
    r"patch_r\d+_c\d+|region_(?:inside|outside|\d+)|measurement_\d+|(?<![\w&])#\d+|sha256:",
    re.IGNORECASE,
)
"""Names of pieces of a B-rep or of evidence. Source: contract 000, section 2, "Rules"."""

RULE_IDS = re.compile(r"(?<![\d.])18\.(?:\d+\.\d+|[PA]\d{2})(?!\d)")
"""Ids of rules: the contract's own (18.2.4) and ours (18.P13). A plain 18.25 is a number."""

JUDGEMENT = re.compile(
    r"错误|违反|违规|应该|不应|应当|必须|禁止|禁忌|缺陷|合格|不合理|不良|符合|"
    r"\b(?:faults?|faulty|violat\w*|wrong|errors?|defects?|defective|incorrect|should|must|"
    r"bad|illegal|forbidden|improper|(?:un|dis)?satisf\w*|(?:non-?)?complian\w*|complie[sd]|"
    r"comply)\b",
    re.IGNORECASE,
)
"""Words that pass sentence, for or against. Source: contract 000, section 2, and its plain
synonyms. An acquittal tells a model what to look for as much as a charge does."""

NAME_CHARS = 60
"""Longest name that stands in a sentence whole; longer ones end in an ellipsis there."""


def faults_in(sentence: str) -> tuple[str, ...]:
    """Everything in a sentence that is not neutral, in order of kind; empty when neutral.

    >>> faults_in("板上直径 5 mm 的通孔"), faults_in("face_3 is wrong")
    ((), ('raw id: face_3', 'judgement: wrong'))
    """
    kinds = (("raw id", RAW_IDS), ("rule id", RULE_IDS), ("judgement", JUDGEMENT))
    return tuple(
        f"{kind}: {found.group()}"
        for kind, pattern in kinds
        if (found := pattern.search(sentence))
    )


_PATH = re.compile(r"^(?:[A-Za-z]:)?[\\/].*|.*\\.*|^[A-Za-z]:.*", re.DOTALL)


def without_path(name: str) -> str:
    r"""A name that an exporter made from a file's path, by that file's own name.

    >>> without_path(r"C:\\Users\\b\\cover.SLDPRT"), without_path("GB/T 5783")
    ('cover.SLDPRT', 'GB/T 5783')
    """
    if not _PATH.match(name):
        return name
    return re.split(r"[\\/:]", name.rstrip("\\/"))[-1]


def spoken_name(name: str, otherwise: str) -> str:
    """A real name as a sentence may say it, or ``otherwise`` if it would not be neutral."""
    flat = " ".join(without_path(name).split())
    if not flat or faults_in(flat):
        return otherwise
    return flat if len(flat) <= NAME_CHARS else flat[: NAME_CHARS - 1] + "…"
