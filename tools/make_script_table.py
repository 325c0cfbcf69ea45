"""Write the table that folds traditional characters to simplified; ``--check`` compares.

    python tools/make_script_table.py [--check]

OpenCC is asked for every Han character on its own, so the table keeps lengths and offsets.
What a phrase would need (乾坤 keeps its 乾) is lost on purpose: both sides of a search fold
alike. The table is committed, so that an index does not change with a library.
"""

import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from opencc import OpenCC

TABLE = Path(__file__).resolve().parent.parent / "src/witmark/answers/script_table.txt"
HAN = (
    (0x2E80, 0x2FDF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x323AF),
)
HEAD = """\
# Traditional to simplified, one character at a time: the first character of a line stands for
# all that follow it. Made by tools/make_script_table.py from the dictionaries of OpenCC
# (https://github.com/BYVoid/OpenCC), Copyright Carbo Kuo (BYVoid) and contributors,
# Apache License 2.0. Do not edit by hand.
"""


def table() -> str:
    """The text of the table, sorted by code point."""
    convert = OpenCC("t2s").convert
    folded = {}
    for low, high in HAN:
        for character in map(chr, range(low, high + 1)):
            plain = unicodedata.normalize("NFKC", character)
            simple = convert(plain)
            if simple != plain and len(simple) == len(plain) == 1:
                folded[plain] = simple
    groups = defaultdict(list)
    for character in sorted(folded):
        groups[_settled(character, folded)].append(character)
    return HEAD + "".join(f"{to}{''.join(groups[to])}\n" for to in sorted(groups))


def main(arguments: list[str]) -> int:
    """Write or compare; 0 when the table agrees with OpenCC afterwards."""
    made = table()
    stale = not TABLE.is_file() or TABLE.read_text(encoding="utf-8") != made
    if "--check" in arguments:
        if stale:
            print(
                f"{TABLE.name} is stale: run python tools/make_script_table.py", file=sys.stderr
            )
        return int(stale)
    TABLE.write_text(made, encoding="utf-8")
    return 0


def _settled(character: str, folded: dict[str, str]) -> str:
    """Follow the table to its end, so that folding twice is folding once."""
    seen = {character}
    while (character := folded.get(character, character)) in folded and character not in seen:
        seen.add(character)
    return character


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
