"""Which replies of a model a review may let in, written a second time and otherwise.

Nothing here is shared with the gates but the contract: no pydantic, no table of theirs, and
numbers are read character by character. What it knows of a sheet it reads off the request.
"""

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

Json = Any

VIEWS = ["surface_role_boundary", "hole_feature", "tool_access", "part_local_shape"]
JUDGING_ZH = [
    "错误",
    "违反",
    "违规",
    "应该",
    "不应",
    "应当",
    "必须",
    "禁止",
    "禁忌",
    "缺陷",
    "合格",
    "符合",
    "不合理",
    "不良",
]
JUDGING_STEMS = ("violat", "satisf", "unsatisf", "dissatisf", "complian", "noncomplian")
JUDGING_EN = {
    "complied",
    "complies",
    "comply",
    "fault",
    "faults",
    "faulty",
    "wrong",
    "error",
    "errors",
    "defect",
    "defects",
    "defective",
    "incorrect",
    "should",
    "must",
    "bad",
    "illegal",
    "forbidden",
    "improper",
}
PIECES = ["edge", "face", "vertex", "loop", "body", "shell", "wire", "solid"]
LENGTHS = {"mm", "毫米", "millimetre", "millimetres", "millimeter", "millimeters"}
ANGLES = {"deg", "degree", "degrees", "度", "°"}
AREAS = {"mm2", "平方毫米"}
FOREIGN = {
    "cm",
    "cms",
    "cm2",
    "m",
    "m2",
    "um",
    "μm",
    "km",
    "in",
    "inch",
    "inches",
    "ft",
    "foot",
    "feet",
    "yard",
    "yards",
    "rad",
    "kg",
    "g",
    "n",
    "mpa",
    "thou",
    "mil",
    "mils",
    "micron",
    "microns",
    "radian",
    "radians",
    "meter",
    "meters",
    "metre",
    "metres",
    "centimeter",
    "centimeters",
    "centimetre",
    "centimetres",
    "decimeter",
    "decimeters",
    "decimetre",
    "decimetres",
    "kilometer",
    "kilometers",
    "kilometre",
    "kilometres",
    "micrometer",
    "micrometers",
    "micrometre",
    "micrometres",
    "nanometer",
    "nanometers",
    "nanometre",
    "nanometres",
    "厘米",
    "微米",
    "公分",
    "公里",
    "弧度",
    "英寸",
    "英尺",
    "米",
    "寸",
    "尺",
    "丝",
    "%",
    "′",
}
WORD_NUMBERS = {
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "half",
}
ZH_NUMBERS = set("〇零一二三四五六七八九十百千万两半")
WORDS_OF_FACTS = {"mm": LENGTHS, "deg": ANGLES, "mm2": AREAS}


class No(Exception):  # noqa: N818 - it is an answer, and no error
    """The reply may not be let in."""


def need(holds: object) -> None:
    """Refuse unless this holds."""
    if not holds:
        raise No


def letters(text: str) -> str:
    """The text as a reader sees it."""
    return unicodedata.normalize("NFKC", text)


# Text --------------------------------------------------------------------------------


def visible(text: str) -> None:
    """No control, format, private, unassigned or half character."""
    need(all(unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Cn"} for c in text))


def is_word(char: str) -> bool:
    r"""What a word is made of, for ``\\b``."""
    return char.isalnum() or char == "_"


def words(text: str) -> list[str]:
    """Runs of word characters."""
    return "".join(c if is_word(c) else " " for c in text).split()


def no_raw_id(text: str) -> None:
    """No name of a piece of a B-rep or of evidence."""
    low = text.lower()
    for piece in PIECES:
        for at in range(len(low)):
            if low.startswith(piece + "_", at):
                after = low[at + len(piece) + 1 : at + len(piece) + 2]
                before = low[at - 1 : at] if at else ""
                if after.isdecimal() and not (before.isascii() and before.isalpha()):
                    raise No
                sketch = low[at - 7 : at] == "sketch_"
                ahead = low[at - 8 : at - 7] if at > 7 else ""
                if after.isdecimal() and sketch and not (ahead.isascii() and ahead.isalpha()):
                    raise No
    need(not re.search(r"patch_r\d+_c\d+|region_(inside|outside|\d+)|measurement_\d", low))
    need("sha256:" not in low)
    for at, char in enumerate(low):
        if char == "#" and low[at + 1 : at + 2].isdecimal():
            before = low[at - 1 : at] if at else ""
            need(before and (is_word(before) or before == "&"))


def neutral(text: str) -> None:
    """No judgement and no rule id beside."""
    seen = letters(text)
    need(not any(word in seen for word in JUDGING_ZH))
    for word in words(seen.lower()):
        need(word not in JUDGING_EN and not word.startswith(JUDGING_STEMS))
    need(not re.search(r"(?<![\d.])18\.(\d+\.\d+|[PA]\d\d(?!\d))", seen, re.IGNORECASE))


def no_handle(text: str) -> None:
    """No F1, P1, K1 standing alone."""
    for word in re.split(r"[^A-Za-z0-9]+", letters(text)):
        need(
            not (
                word[:1] in {"F", "P", "K"}
                and word[1:2] in set("123456789")
                and word[1:].isdigit()
            )
        )


def numbers(
    text: str, cited: list[tuple[str, float]], names: Iterable[str], also: Iterable[float] = ()
) -> None:
    """Every number is a cited value, in its unit."""
    seen = letters(text)
    for name in names:
        if any(c.isalpha() for c in name):
            seen = seen.replace(letters(name), " ")
    spelled(seen)
    at = 0
    while at < len(seen):
        if seen[at] not in "0123456789":
            at += 1
            continue
        begin = at
        while begin and (
            seen[begin - 1].isascii() and (seen[begin - 1].isalpha() or seen[begin - 1] == "_")
        ):
            begin -= 1
        before = seen[begin:at]
        end = at
        while end < len(seen) and seen[end] in "0123456789":
            end += 1
        dots = 0
        while seen[end : end + 1] == "." and seen[end + 1 : end + 2] in set("0123456789"):
            dots += 1
            end += 1
            while end < len(seen) and seen[end] in "0123456789":
                end += 1
        need(before in {"", "R"} and dots < 2)
        value = float(seen[at:end])
        at = number_unit(seen, end, value, cited, also)
    need(
        all(c.isascii() or not c.isnumeric() or "CJK" in unicodedata.name(c, "") for c in seen)
    )


def number_unit(
    seen: str, end: int, value: float, cited: list[tuple[str, float]], also: Iterable[float]
) -> int:
    """Check one number with what follows it; return where reading goes on."""
    glued = end
    while (
        glued < len(seen)
        and seen[glued].isascii()
        and (seen[glued].isalpha() or seen[glued] == "_")
    ):
        glued += 1
    tail = seen[end:glued]
    if seen[end : end + 3] == "mm2" and not (
        seen[end + 3 : end + 4].isascii() and seen[end + 3 : end + 4].isalnum()
    ):
        tail, glued = "mm2", end + 3
    rest = seen[glued:].lstrip()
    skipped = len(seen) - glued - len(rest)
    unit = ""
    if rest[:3] == "mm2" and not (rest[3:4].isascii() and rest[3:4].isalnum()):
        unit = "mm2"
    else:
        unit = next(
            (
                u
                for u in (
                    "平方毫米",
                    "毫米",
                    "厘米",
                    "微米",
                    "公分",
                    "公里",
                    "弧度",
                    "英寸",
                    "英尺",
                    "米",
                    "寸",
                    "尺",
                    "丝",
                    "度",
                    "°",
                    "%",
                    "′",
                )
                if rest.startswith(u)
            ),
            "",
        )
        if not unit:
            stop = 0
            while stop < len(rest) and (
                rest[stop] == "μ" or (rest[stop].isascii() and rest[stop].isalpha())
            ):
                stop += 1
            unit = rest[:stop]
    known = LENGTHS | ANGLES | AREAS
    need(not tail or tail in known)
    said = tail or unit
    need(said.lower() not in FOREIGN)
    near = [kind for kind, one in cited if abs(one - value) <= 0.0005]
    if any(abs(one - value) <= 0.0005 for one in also):
        near.append("also")
    if said in known:
        need(any(kind == "also" or said in WORDS_OF_FACTS.get(kind, ()) for kind in near))
    else:
        need(near)
    return max(end, glued + skipped + len(unit)) if "mm2" in {tail, unit} else end


def spelled(seen: str) -> None:
    """No number in words before a unit."""
    for unit in ("毫米", "厘米", "微米", "度", "mm", "°"):
        for at in range(len(seen)):
            if seen[at:].lower().startswith(unit):
                before = seen[:at].rstrip()
                need(not before or before[-1] not in ZH_NUMBERS)
    flat = seen.lower()
    for word in re.finditer(r"\w+", flat):
        is_number = word[0] in WORD_NUMBERS or (word[0].endswith("teen") and len(word[0]) > 4)
        if is_number:
            after = flat[word.end() :].lstrip(" \t-\u3000\xa0")
            need(not after.startswith(("millimet", "deg")))
            need(not (after.startswith("mm") and not is_word(after[2:3] or " ")))


# Forms -------------------------------------------------------------------------------


def each_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object in which no field is said twice."""
    need(len({name for name, _ in pairs}) == len(pairs))
    return dict(pairs)


def parsed(text: str) -> Json:
    """One JSON object."""

    def no_constant(_: str) -> None:
        raise No

    try:
        value = json.loads(text, parse_constant=no_constant, object_pairs_hook=each_once)
    except (ValueError, RecursionError) as error:
        raise No from error
    need(isinstance(value, dict))
    return value


def fields(value: Json, needed: str, more: str = "") -> None:
    """An object with these keys and no other."""
    need(isinstance(value, dict))
    need(set(needed.split()) <= set(value) <= set(needed.split()) | set(more.split()))


def said(value: Json, most: int) -> str:
    """A text of 1 to ``most`` characters."""
    need(isinstance(value, str) and 1 <= len(value) <= most)
    return value


def listed(value: Json, most: int) -> list[Json]:
    """A list of at most so many."""
    need(isinstance(value, list) and len(value) <= most)
    return value


def sure(value: Json) -> None:
    """A share."""
    need(type(value) in {int, float} and 0 <= value <= 1)


def handles(value: Json, known: Iterable[str], *, needed: bool = True) -> list[str]:
    """Handles of things that are there."""
    found = listed(value, 60)
    need(all(isinstance(one, str) for one in found))
    need(found or not needed)
    need(set(found) <= set(known))
    return found


def tag(value: Json) -> str:
    """A tag in snake case."""
    need(isinstance(value, str) and 1 <= len(value) <= 60)
    need(value[0] in "abcdefghijklmnopqrstuvwxyz")
    need(set(value) <= set("abcdefghijklmnopqrstuvwxyz0123456789_"))
    return value


class Sheet:
    """What a request shows: places with their facts, and the component's name."""

    def __init__(self, text: str) -> None:
        self.name = json.loads(re.search(r"^Component: (.*)$", text, re.MULTILINE)[1])  # type: ignore[index]
        self.places: dict[str, dict[str, tuple[str, str, float | None]]] = {}
        place = ""
        for line in text.splitlines():
            if found := re.match(r"Place (P\d+): ", line):
                place = found[1]
                self.places[place] = {}
            elif found := re.match(r"  (F\d+) (\S+) \(.*\) = (.*)$", line):
                unit = (
                    "mm"
                    if found[3].endswith(" mm")
                    else "deg"
                    if found[3].endswith(" deg")
                    else ""
                )
                plain = found[3].removesuffix(" mm").removesuffix(" deg")
                try:
                    number = abs(float(plain))
                except ValueError:
                    number = None
                self.places[place][found[1]] = (found[2], unit, number)
        self.pictures = len(re.findall(r"^Picture \d+ shows", text, re.MULTILINE))
        listed_ = re.search(r"^Pattern types: (.*)$", text, re.MULTILINE)
        self.patterns = listed_[1].split(", ") if listed_ else []

    @property
    def facts(self) -> dict[str, tuple[str, str, float | None]]:
        """All facts by handle."""
        return {h: f for facts in self.places.values() for h, f in facts.items()}


def values(
    sheet: dict[str, tuple[str, str, float | None]], cited: Iterable[str]
) -> list[tuple[str, float]]:
    """The numbers of cited facts."""
    return [(sheet[h][1], sheet[h][2]) for h in cited if sheet[h][2] is not None]  # type: ignore[misc]


def before(text: str, cited: list[tuple[str, float]], name: str) -> None:
    """A text before retrieval."""
    visible(text)
    no_raw_id(letters(text))
    neutral(text)
    no_handle(text)
    numbers(text, cited, [name])


def units(text: str, sheet: Sheet, measured: set[str]) -> None:
    """A reply of review.units."""
    reply = parsed(text)
    fields(reply, "units")
    seen = set()
    for unit in listed(reply["units"], 24):
        fields(
            unit,
            "place primary_view pattern_type retrieval_sentence retrieval_sentence_en facts",
            "secondary_views inferred_functions inferred_attributes retrieval_fact_tags "
            "retrieval_relations image_facts",
        )
        need(isinstance(unit["place"], str) and unit["place"] in sheet.places)
        facts = sheet.places[unit["place"]]
        second = listed(unit.get("secondary_views", []), 3)
        need(all(isinstance(v, str) and v in VIEWS for v in [unit["primary_view"], *second]))
        need(unit["primary_view"] not in second)
        need(isinstance(unit["pattern_type"], str) and unit["pattern_type"] in sheet.patterns)
        cited = values(facts, handles(unit["facts"], facts))
        texts = [
            said(unit["retrieval_sentence"], 400),
            said(unit["retrieval_sentence_en"], 400),
        ]
        texts += [said(t, 80) for t in listed(unit.get("inferred_functions", []), 6)]
        texts += [said(t, 80) for t in listed(unit.get("retrieval_relations", []), 6)]
        texts += [
            tag(t).replace("_", " ") for t in listed(unit.get("retrieval_fact_tags", []), 8)
        ]
        for sight in listed(unit.get("image_facts", []), 6):
            fields(sight, "picture observation inference_confidence")
            need(type(sight["picture"]) is int and 1 <= sight["picture"] <= sheet.pictures)
            sure(sight["inference_confidence"])
            texts.append(said(sight["observation"], 400))
        for one in texts:
            before(one, cited, sheet.name)
        for one in listed(unit.get("inferred_attributes", []), 6):
            attribute(one, facts, sheet.name, measured)
        key = (unit["place"], unit["primary_view"])
        need(key not in seen)
        seen.add(key)


def attribute(one: Json, facts: dict[str, Json], name: str, measured: set[str]) -> None:
    """An inferred attribute."""
    fields(one, "name value inference_confidence reason facts")
    tag(one["name"])
    need(one["name"] not in measured)
    sure(one["inference_confidence"])
    cited = values(facts, handles(one["facts"], facts))
    value = one["value"]
    need(isinstance(value, bool | int | float | str))
    if isinstance(value, str):
        before(said(value, 80), cited, name)
    elif not isinstance(value, bool):
        need(abs(value) <= 10**9)
        before(f"{value:.10g}", cited, name)
    before(one["name"].replace("_", " "), cited, name)
    before(said(one["reason"], 400), cited, name)


def judgement(text: str, sheet: Sheet, asked: str, reads: list[str]) -> None:
    """A reply of review.judge. ``reads`` are the facts that the rule requires."""
    reply = parsed(text)
    fields(reply, "verdict facts reason inference_confidence", "missing")
    need(reply["verdict"] in ["violated", "satisfied", "undetermined", "not_applicable"])
    decides = reply["verdict"] in ["violated", "satisfied"]
    facts = sheet.facts
    cited = handles(reply["facts"], facts, needed=decides)
    names = {facts[h][0] for h in cited}
    known = {fact[0] for fact in facts.values()}
    required = re.search(r"^required_model_facts: (.*)$", asked, re.MULTILINE)[1]  # type: ignore[index]
    if decides:
        need(set(filter(None, required.split(", "))) <= names)
    sure(reply["inference_confidence"])
    missing = listed(reply.get("missing", []), 12)
    need(all(isinstance(one, str) and one in reads and one not in known for one in missing))
    need(missing or reply["verdict"] != "undetermined")
    reason = said(reply["reason"], 400)
    visible(reason)
    no_raw_id(letters(reason))
    no_handle(reason)
    rule = "\n".join(
        re.findall(r"^(?:applies_if|bad_if|good_if|unknown_if): (.*)$", asked, re.MULTILINE)
    )
    limits = [float(one) for one in re.findall(r"\d+(?:\.\d+)?", rule)]
    numbers(reason, values(facts, cited), [sheet.name], limits)


def admits(check: Json, *given: Json) -> bool:
    """Whether a reply may be let in."""
    try:
        check(*given)
    except No:
        return False
    return True
