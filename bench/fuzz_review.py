"""Do the review desk's gates agree with a second, independently written oracle?

Good replies are spoilt at random, as trees, as texts and as bytes, and put to the gates and to
the oracle of ``review_oracle``. Limit: no disagreement. ``--full`` puts 100,000 replies to each
of units and judgements, else 4,000.
"""

import copy
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bench import review_oracle as oracle
from bench.common import Stopwatch, finish, options
from witmark.adapters.cards.book import bundled, read_rulebook
from witmark.kernel.model.outcome import Refused
from witmark.review.asking import opinions, units
from witmark.review.asking.sheets import sheet_of
from witmark.review.asking.surroundings import Scene
from witmark.review.assembly import Assembly, ComponentInstance, LengthUnit, Part, Placement
from witmark.review.facts import facts_of
from witmark.review.features.recognise import recognise
from witmark.review.looking import second_look
from witmark.review.reviewing import judge_facts
from witmark.review.source import Sources, SourceText
from witmark.review.vocabulary import FACTS
from witmark.testing.breps import Turned, plate

Json = Any
N, N_FULL = 4_000, 100_000
PALETTE: tuple[str, ...] = (
    "5", "5 mm", "5mm", "6 mm", "30", "30 mm", "30°", "0°", "5 cm", "5 m", "5毫米", "5 厘米",
    "R5", "M5", "5e3", "5.0", "5.00049", "5.0006", "５", "٥", "½", "五毫米", "十二 mm", "五个",
    "six mm", "sixteen deg", "five holes", "1,000", "5.5.5", "5-6", "face_3", "sketch_edge_1",
    "surface_3", "#12", "a#12", "sha256:", "18.P29", "18.2.4", "18.25", "P1", "F3", "F3x",
    "K1", "wrong", "ｗｒｏｎｇ", "wrongly", "wr\u200bong", "must", "违反", "不应", "violates",
    "satisfied", "non-compliant", "unsatisfying", "complies", "符合",
    "bad",
    "badge", "default", "patch_r0_c1", "region_outside", "\n", "\u0000", "\ud800", "板",
    "hole", " ", "mm2", "5 mm2", "5 平方毫米", "²", "5²", "Ⅳ", "①", "%", "5%", "5 in",
    "5 inches",
    "6 D", "5 centimetres", "5 millimetres", "5 microns", "5 公分", "5 弧度", "5′", "5 mm5",
)  # fmt: skip
VALUES: tuple[Json, ...] = (
    None, True, False, 0, 1, 5, 6, -5, 0.5, 1.5, 1e308, 10**12, 10**400, "", "F3", "P1", "P2",
    "F16", "x" * 81, "x" * 401, [], {}, ["F3"], ["F3", "F3"], ["F99"], ["hole_feature"],
    "hole_feature", "tool_access", "undetermined", "violated", "satisfied", "not_applicable",
    ["hole.ld"], ["hole.bottom_angle"], "hole", "part",
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz, print disagreements and the last line."""
    asked = options(argv, __doc__)
    watch, n = Stopwatch(), N_FULL if asked.full else N
    figures: dict[str, int] = {}
    differing = 0
    for name, good, gate, second in _targets():
        chance = random.Random(20261130)  # noqa: S311 - repeatable, no secret
        admitted = 0
        for _ in range(n):
            text = _spoilt(good, chance)
            ours, theirs = gate(text), second(text)
            admitted += ours
            if ours is not theirs:
                differing += 1
                if differing <= 10:
                    print(f"{name}: the gates {ours}, the oracle {theirs}: {text!r}")
        figures[f"{name}_admitted"] = admitted
    figures["differing"] = differing
    return finish(
        "fuzz_review",
        watch,
        figures=figures,
        limits={"differing": 0},
        n=2 * n,
        ok=differing == 0,
    )


def _targets() -> list[tuple[str, list[Json], Callable[[str], bool], Callable[[str], bool]]]:
    sheet, case = _ground()
    asked = units.worded(sheet, [0])
    shown = oracle.Sheet(asked)
    measured = {*FACTS, *(name.rpartition(".")[2] for name in FACTS)}
    place = sheet.spots[0]
    handle = {fact.name: h for h, fact in place.facts}
    unit = {
        "place": "P1",
        "primary_view": "hole_feature",
        "secondary_views": ["tool_access"],
        "pattern_type": "hole",
        "retrieval_sentence": "板上直径 5 mm 的通孔，深 30 mm。",
        "retrieval_sentence_en": "A 5 mm through hole, 30 mm deep.",
        "facts": [handle["hole.d"], handle["hole.depth"], handle["hole.entry_angle"]],
        "inferred_functions": ["fastening"],
        "inferred_attributes": [
            {
                "name": "clearance",
                "value": 5,
                "inference_confidence": 0.5,
                "reason": "5 mm fits a screw",
                "facts": [handle["hole.d"]],
            }
        ],
        "retrieval_fact_tags": ["screw_hole"],
        "retrieval_relations": ["through the plate"],
        "image_facts": [{"picture": 1, "observation": "a rim", "inference_confidence": 1}],
    }
    judged = sheet_of([case.verdict.unit], case.answers.values())
    alone = Scene({case.verdict.unit.component_id: (case.verdict.unit,)}, {}, 1, 0)
    put = opinions.worded(case, judged, alone, [0])
    required = {fact.name: h for h, fact in judged.spots[0].facts}
    opinion = {
        "verdict": "violated",
        "facts": [required["hole.ld"], required["hole.d"]],
        "reason": "a ratio of 6 is more than 4, on 5 mm",
        "missing": [],
        "inference_confidence": 0.9,
    }
    seen = oracle.Sheet(put)
    reads = list(case.rule.required_facts)
    return [
        (
            "units",
            [
                {"units": [unit]},
                {"units": [{k: unit[k] for k in list(unit)[:7] if k != "secondary_views"}]},
            ],
            lambda text: not isinstance(units.read(text, sheet, "s", 1), Refused),
            lambda text: oracle.admits(oracle.units, text, shown, measured),
        ),
        (
            "judgements",
            [opinion, opinion | {"verdict": "not_applicable", "facts": []}],
            lambda text: not isinstance(opinions.read(text, case, judged, "s"), Refused),
            lambda text: oracle.admits(oracle.judgement, text, seen, put, reads),
        ),
    ]


def _ground() -> tuple[Json, opinions.Case]:
    """A plate with one deep hole: its sheet, and the rule that the hole breaks."""
    brep = plate([Turned(50, 30, ((2.5, 0), (2.5, -30)))], thickness_mm=30.0)
    here = Placement(np.eye(3), np.zeros(3))
    given = Assembly(
        "AP214",
        LengthUnit("millimetre", 1.0, None),
        (Part("plate 7", brep),),
        (ComponentInstance(("root", "plate 7"), "plate 7", 0, here, None, ()),),
        (),
    )
    found = [recognise(brep)]
    first = facts_of(given, found, Sources(SourceText(b""), {}))
    book = read_rulebook(bundled())
    judged = judge_facts(first, book, second_look(found))
    deep = next(v for v in judged.verdicts if v.catalogue_id == "P29")
    rule = book.store.open(deep.rule_id)
    return sheet_of(judged.units), opinions.Case(replace(deep), rule, {})


# Spoiling ----------------------------------------------------------------------------


def _spoilt(good: list[Json], chance: random.Random) -> str:
    tree = json.loads(json.dumps(chance.choice(good)))
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        _spoil(tree, chance)
    text = json.dumps(tree, ensure_ascii=chance.random() < 0.5)
    if chance.random() < 0.1:
        at = chance.randrange(len(text) + 1)
        cut = chance.choice(("", "{", "}", '"', ",", "\\", "NaN", "1", " "))
        text = text[:at] + cut + text[at + chance.choice((0, 0, 1, 5)) :]
    return text


def _spoil(tree: Json, chance: random.Random) -> None:
    if not (paths := _paths(tree)):
        return
    path = chance.choice(paths)
    holder = tree
    for step in path[:-1]:
        holder = holder[step]
    key = path[-1]
    was = holder[key]
    match chance.randrange(6):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[chance.choice(("rule_id", "verdict", "missing", "note"))] = copy.deepcopy(
                was
            )
        case 2 if isinstance(holder, list):
            holder.append(copy.deepcopy(was))
        case 3:
            holder[key] = copy.deepcopy(chance.choice(VALUES))
        case _ if isinstance(was, str):
            at = chance.randrange(len(was) + 1)
            holder[key] = (
                was[:at] + chance.choice(("", " ")) + chance.choice(PALETTE) + was[at:]
            )
        case _:
            holder[key] = copy.deepcopy(chance.choice(VALUES))


def _paths(tree: Json, above: tuple[Json, ...] = ()) -> list[tuple[Json, ...]]:
    inside = list(tree.items() if isinstance(tree, dict) else enumerate(tree))
    found = [(*above, key) for key, _ in inside]
    for key, value in inside:
        if isinstance(value, dict | list) and value:
            found += _paths(value, (*above, key))
    return found


if __name__ == "__main__":
    raise SystemExit(main())
