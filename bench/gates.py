"""Fuzzed decisions: nothing that breaks a promise is admitted, and a second oracle agrees.

Contexts are made at random; decisions are made to hold on them, then changed in none to three
places, or made at random. Each goes the whole way: its text is read, then every gate is asked.
``gate_oracle`` reads the same text beside the same context and has to name the same gates.
Every gate has to be the only one that stands in some decision's way: a gate that never decides
alone would not be missed. The form is held beside the exported schema in the same way.

100,000 decisions and 3,000 forms; ``--full``: 20,000 forms.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench import gate_oracle
from bench.common import Stopwatch, finish, options
from witmark.diagnosis import gates, support, wire
from witmark.diagnosis.context import FORMAT, Frozen, read_context
from witmark.kernel.canon import canonical_json, digest_of

SEED = 5
PER_CONTEXT = 12
KINDS = ("direct", "derived", "heuristic")
WHOLE = ("complete", "complete", "complete", "partial", "empty")
GROUPS = (
    *("text", "trace", "names", "diff", "logs", "lineage", "earlier", "knowledge"),
    *("history", "coverage", "design"),
)
WAYS = ("for", "against", "neutral")
STATES = ("supported", "not_supported", "factually_rejected", "unresolved")
ENDS = ("open", "supported", "weakened", "rejected")
LEVELS = ("insufficient", "weak", "supported", "strongly_supported")
REASON = "the findings cited tell the two apart"
NASTY = (
    *(
        "",
        " ",
        "\u00a0\u3000",
        "a\u202eb",
        "a\u200bb",
        "a\u061cb",
        "\u00ad",
        "x\U000e0041",
        "\x00",
    ),
    *("a\rb", "a\tb\nc", "\ufeffa", "\u3164", "孔", "e\u0301", "\ue000", "👍\ufe0f", "\u2028"),
)

Plain = dict[str, Any]


@dataclass
class Tally:
    """What the decisions came to."""

    admitted: int = 0
    confirmed: int = 0  # of those
    refused: int = 0
    escapes: int = 0  # admitted, and the oracle says that a promise is broken
    differing: int = 0
    unread: int = 0  # refused by the form, before any gate
    by_gate: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz; print what the two readings make of it."""
    chosen, watch = options(argv, __doc__), Stopwatch()
    decisions, forms = 100_000, 20_000 if chosen.full else 3_000
    tally = fuzzed(decisions, random.Random(SEED))  # noqa: S311  # not for secrets
    differing, valid = formed(forms, random.Random(SEED + 1))  # noqa: S311  # as above
    for line in tally.told:
        print(line)
    names = [name for name, _ in gates.GATES]
    never_alone = [name for name in names if not tally.alone[name]]
    figures = {
        "admitted": tally.admitted,
        "admitted_confirmed": tally.confirmed,
        "refused": tally.refused,
        "unread": tally.unread,
        "escapes": tally.escapes,
        "differing": tally.differing,
        "refused_by": {name: tally.by_gate[name] for name in names},
        "alone": {name: tally.alone[name] for name in names},
        "never_alone": never_alone,
        "forms": forms,
        "forms_valid": valid,
        "forms_differing": differing,
    }
    limits = {"escapes": 0, "differing": 0, "never_alone": [], "forms_differing": 0}
    ok = all(figures[name] == limit for name, limit in limits.items())
    ok = ok and tally.confirmed * 100 > decisions and tally.refused * 20 > decisions
    return finish("gates", watch, figures=figures, limits=limits, n=decisions, ok=ok)


def fuzzed(decisions: int, dice: random.Random) -> Tally:
    """Make decisions and hold the two readings against each other."""
    tally = Tally()
    for number in range(decisions):
        if number % PER_CONTEXT == 0:
            context = a_context(dice)
            frozen = as_frozen(context)
            ground = frozen.ground
        reply = a_reply(context, dice)
        text = json.dumps(reply)
        try:
            diagnosis = wire.read_decision(text)
        except wire.NotADecisionError:
            tally.unread += 1
            continue
        found = {one.name for one in gates.check(diagnosis, ground).objections}
        tally.confirmed += not found and reply["status"] == "confirmed"
        _compared(tally, found, gate_oracle.broken(reply, context), text)
    return tally


def _compared(tally: Tally, found: set[str], wanted: frozenset[str], text: str) -> None:
    tally.admitted += not found
    tally.refused += bool(found)
    tally.by_gate.update(found)
    if len(found) == 1:
        tally.alone.update(found)
    tally.escapes += not found and bool(wanted)
    if found != wanted:
        tally.differing += 1
        if len(tally.told) < 5:
            tally.told.append(f"gates {sorted(found)}, oracle {sorted(wanted)}: {text}")


# Contexts --------------------------------------------------------------------------------


def a_context(dice: random.Random) -> Plain:
    """A context with what a decision is held to, the rest empty."""
    names = [f"H{number}" for number in range(1, dice.randint(2, 4) + 1)]
    findings = [_finding(number, names, dice) for number in range(dice.randint(3, 11))]
    blob = digest_of(b"a report")
    assumed = {"basis": "assumed", "quote": "a", "ref": blob, "text": "it seems so"}
    return {
        "findings": findings,
        "format": FORMAT,
        "hypotheses": [
            {
                "hypothesis": {"id": name},
                "open_questions": ["when?"],
                "state": dice.choice(ENDS),
            }
            for name in names
        ],
        "interpretation": {"assumptions": [assumed] * dice.randint(0, 1)},
        "not_looked_at": ["the rest of the log"] * dice.randint(0, 1),
        "support_levels": {"digest": support.table_digest(dice.choice([*support.TABLES]))},
    }


def _finding(number: int, names: list[str], dice: random.Random) -> Plain:
    return {
        "action": "A1",
        "bears_on": {name: dice.choice(WAYS) for name in names if dice.random() < 0.7},
        "completeness": dice.choice(WHOLE),
        "group": dice.choice(GROUPS),
        "id": f"F-{number:04x}",
        "investigator": "made",
        "is_provocation": False,
        "kind": dice.choice(KINDS),
        "location": None,
        "quotes": [],
        "statement": f"finding {number}",
        "strength": 0.5,
    }


def as_frozen(context: Plain) -> Frozen:
    """The context in its bytes."""
    return read_context(canonical_json(context))


# Replies ---------------------------------------------------------------------------------


def a_reply(context: Plain, dice: random.Random) -> Plain:
    """A decision that holds, or nearly, or not at all."""
    if dice.random() < 0.1:
        return _random(context, dice)
    reply = _confirmed(context, dice) if dice.random() < 0.8 else None
    reply = reply or _open(context, dice)
    for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
        dice.choice(CHANGES)(reply, context, dice)
    return reply


def _pointing(context: Plain, name: str, way: str) -> list[Plain]:
    return [
        one
        for one in context["findings"]
        if one["bears_on"].get(name) == way and one["completeness"] == "complete"
    ]


def _evaluation(name: str, state: str, for_it: list[str], against: list[str]) -> Plain:
    return {
        "contradicting_evidence_ids": against,
        "contradictions_answered": REASON if state == "supported" and against else "",
        "hypothesis_id": name,
        "reason": REASON,
        "scope_limits": ["no test was run"] if state == "unresolved" else [],
        "state": state,
        "supporting_evidence_ids": for_it,
    }


def _page(context: Plain) -> Plain:
    return {
        "final_reason": REASON,
        "format": "diagnosis-output-v1",
        "human_assumptions": [one["text"] for one in context["interpretation"]["assumptions"]],
        "intended_external_behavior": "",
        "remaining_uncertainty": list(context["not_looked_at"]),
        "review_actions": ["read the place and write a test that fails"],
    }


def _confirmed(context: Plain, dice: random.Random) -> Plain | None:
    """The best case that the context has for some hypothesis, whatever its level is."""
    names = [one["hypothesis"]["id"] for one in context["hypotheses"]]
    dice.shuffle(names)
    for name in names:
        for_it = [one["id"] for one in _pointing(context, name, "for")]
        rivals = [r for r in names if r != name and _pointing(context, r, "against")]
        if for_it and rivals:
            return _case_for(context, name, rivals[0], for_it, dice)
    return None


def _case_for(
    context: Plain, name: str, rival: str, for_it: list[str], dice: random.Random
) -> Plain:
    stored = {one["id"]: one for one in context["findings"]}
    against = [
        one["id"]
        for one in stored.values()
        if one["bears_on"].get(name) == "against"
        and (one["kind"] == "direct")
        and one["completeness"] != "empty"
    ]
    beside = [one["id"] for one in _pointing(context, rival, "against")]
    told = [one for one in for_it if stored[one]["kind"] != "heuristic"] or for_it
    said = []
    for one in context["hypotheses"]:
        other = one["hypothesis"]["id"]
        if other == name:
            said.append(_evaluation(name, "supported", for_it, against))
        elif other == rival:
            said.append(_evaluation(rival, "factually_rejected", [], beside))
        else:
            said.append(_evaluation(other, "unresolved", [], []))
    return {
        **_page(context),
        "confidence": dice.choice(LEVELS[2:]),
        "countercheck": {
            "adequate": True,
            "alternative_hypothesis_id": rival,
            "evidence_ids": beside[:2],
            "reason": REASON,
        },
        "hypothesis_evaluations": said,
        "root_cause": {
            "evidence_ids": told,
            "summary": "an index is taken unchecked",
            "technical_description": "the first character of an empty name is taken",
        },
        "selected_hypothesis_id": name,
        "status": "confirmed",
    }


def _open(context: Plain, dice: random.Random) -> Plain:
    names = [one["hypothesis"]["id"] for one in context["hypotheses"]]
    return {
        **_page(context),
        "confidence": dice.choice(LEVELS[:2]),
        "countercheck": {
            "adequate": False,
            "alternative_hypothesis_id": None,
            "evidence_ids": [],
            "reason": "nothing tells them apart",
        },
        "hypothesis_evaluations": [_evaluation(name, "unresolved", [], []) for name in names],
        "root_cause": None,
        "selected_hypothesis_id": None,
        "status": "inconclusive",
    }


def _random(context: Plain, dice: random.Random) -> Plain:
    reply = _open(context, dice) if dice.random() < 0.5 else None
    reply = reply or _confirmed(context, dice) or _open(context, dice)
    for _ in range(12):
        dice.choice(CHANGES)(reply, context, dice)
    return reply


# Changes ---------------------------------------------------------------------------------

Change = Callable[[Plain, Plain, random.Random], None]


def _ids(context: Plain, dice: random.Random) -> list[str]:
    stored = [one["id"] for one in context["findings"]]
    strange = ["F-0000 ", "f-0000", "F-ffff", "F‐0000", "Ϝ-0000"]
    pool = stored if dice.random() < 0.8 else stored + strange
    return [dice.choice(pool) for _ in range(dice.randint(0, 3))]


def _name(context: Plain, dice: random.Random) -> str:
    names = [one["hypothesis"]["id"] for one in context["hypotheses"]]
    return dice.choice([*names, *names, "H9", "Н1", "h1"])


def _one(reply: Plain, dice: random.Random) -> Plain:
    said: list[Plain] = reply["hypothesis_evaluations"]
    return dice.choice(said) if said else _evaluation("H1", "unresolved", [], [])


def _text(dice: random.Random) -> str:
    return dice.choice((*NASTY, REASON, "short", "x" * 19, "x" * 20, f"{'x' * 19}  "))


def _change_state(reply: Plain, _: Plain, dice: random.Random) -> None:
    _one(reply, dice)["state"] = dice.choice(STATES)


def _change_support(reply: Plain, context: Plain, dice: random.Random) -> None:
    _one(reply, dice)["supporting_evidence_ids"] = _ids(context, dice)


def _change_against(reply: Plain, context: Plain, dice: random.Random) -> None:
    _one(reply, dice)["contradicting_evidence_ids"] = _ids(context, dice)


def _change_answer(reply: Plain, _: Plain, dice: random.Random) -> None:
    _one(reply, dice)["contradictions_answered"] = dice.choice(("", _text(dice)))


def _change_reason(reply: Plain, _: Plain, dice: random.Random) -> None:
    _one(reply, dice)["reason"] = _text(dice)


def _change_limits(reply: Plain, _: Plain, dice: random.Random) -> None:
    _one(reply, dice)["scope_limits"] = [_text(dice)] * dice.randint(0, 1)


def _change_name(reply: Plain, context: Plain, dice: random.Random) -> None:
    _one(reply, dice)["hypothesis_id"] = _name(context, dice)


def _drop(reply: Plain, _: Plain, dice: random.Random) -> None:
    if said := reply["hypothesis_evaluations"]:
        said.pop(dice.randrange(len(said)))


def _double(reply: Plain, _: Plain, dice: random.Random) -> None:
    if said := reply["hypothesis_evaluations"]:
        said.insert(dice.randrange(len(said)), dict(dice.choice(said)))


def _double_id(reply: Plain, _: Plain, dice: random.Random) -> None:
    one = _one(reply, dice)
    name = dice.choice(("supporting_evidence_ids", "contradicting_evidence_ids"))
    one[name] = one[name] * 2


def _change_confidence(reply: Plain, _: Plain, dice: random.Random) -> None:
    reply["confidence"] = dice.choice(LEVELS)


def _change_status(reply: Plain, _: Plain, dice: random.Random) -> None:
    reply["status"] = dice.choice(("confirmed", "inconclusive"))


def _change_selected(reply: Plain, context: Plain, dice: random.Random) -> None:
    reply["selected_hypothesis_id"] = dice.choice((None, _name(context, dice)))


def _change_cause(reply: Plain, context: Plain, dice: random.Random) -> None:
    ids = _ids(context, dice)
    if reply["root_cause"] is not None and dice.random() < 0.7:
        selected = reply["selected_hypothesis_id"]
        own = [e for e in reply["hypothesis_evaluations"] if e["hypothesis_id"] == selected]
        pool = own[0]["supporting_evidence_ids"] if own else []
        ids = [name for name in pool if dice.random() < 0.5]
    cause = {
        "evidence_ids": ids,
        "summary": _text(dice) or "s",
        "technical_description": REASON,
    }
    reply["root_cause"] = dice.choice((None, cause, cause, cause))


def _change_check(reply: Plain, context: Plain, dice: random.Random) -> None:
    check = reply["countercheck"]
    match dice.randrange(4):
        case 0:
            check["adequate"] = not check["adequate"]
        case 1:
            check["alternative_hypothesis_id"] = dice.choice((None, _name(context, dice)))
        case 2:
            check["reason"] = _text(dice)
        case _:
            check["evidence_ids"] = _ids(context, dice)


def _change_list(reply: Plain, _: Plain, dice: random.Random) -> None:
    name = dice.choice(("human_assumptions", "remaining_uncertainty", "review_actions"))
    reply[name] = [_text(dice)] * dice.randint(0, 2)


def _change_words(reply: Plain, _: Plain, dice: random.Random) -> None:
    reply[dice.choice(("final_reason", "intended_external_behavior"))] = _text(dice)


CHANGES: tuple[Change, ...] = (
    *(_change_state, _change_support, _change_against, _change_answer, _change_reason),
    *(_change_limits, _change_name, _drop, _double, _double_id, _change_confidence),
    *(_change_status, _change_selected, _change_cause, _change_check, _change_list),
    _change_words,
)


# Forms -----------------------------------------------------------------------------------

_VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1.5, "", "x", [], ["x"], {}, {"x": 1}, "x" * 101, "x" * 6_001),
    *("x" * 6_000, ["x"] * 201, "confirmed", "supported", "\ud800", 10**400, "孔" * 100),
)
_SPELLINGS = ("NaN", "1e999", "-0", "Infinity", '{"a":1,"a":2}', "[" * 40 + "]" * 40, "'x'", "")


def formed(forms: int, dice: random.Random) -> tuple[int, int]:
    """How many texts the reader and the schema take differently, and how many both take."""
    form = gate_oracle.Form(wire.schema().json)
    differing = valid = 0
    for _ in range(forms):
        context = a_context(dice)
        text = _misspelt(a_reply(context, dice), dice)
        try:
            wire.read_decision(text)
            is_read = True
        except wire.NotADecisionError:
            is_read = False
        is_formed = form.holds(text)
        valid += is_read and is_formed
        if is_read != is_formed:
            differing += 1
            print(f"read: {is_read}, schema: {is_formed}: {text[:400]!a}")
    return differing, valid


def _misspelt(reply: Plain, dice: random.Random) -> str:
    """The text of a reply, in half of the cases with something else in one of its places."""
    if dice.random() < 0.3:
        return json.dumps(reply)
    places = list(_places(reply))
    inside, key = dice.choice(places)
    match dice.randrange(5):
        case 0:
            inside[key] = dice.choice(_VALUES)
        case 1:
            inside[key] = "@@"
            return json.dumps(reply).replace('"@@"', dice.choice(_SPELLINGS), 1)
        case 2 if isinstance(inside, dict):
            del inside[key]
        case 3 if isinstance(inside, dict):
            inside[dice.choice(("extra", f"{key} ", "孔"))] = dice.choice(_VALUES)
        case _:
            return dice.choice(("", " ", "```json\n", "\ufeff", "[")) + json.dumps(reply)
    return json.dumps(reply, ensure_ascii=dice.random() < 0.5)


def _places(inside: Any) -> Any:  # noqa: ANN401  # plain data of any shape
    keys = inside if isinstance(inside, dict) else range(len(inside))
    for key in list(keys):
        yield inside, key
        if isinstance(inside[key], dict | list):
            yield from _places(inside[key])


if __name__ == "__main__":
    sys.exit(main())
