"""A second reading of what a decision may claim, written from the contract and the documents.

It knows nothing of the product's gates, values or tables: a reply and a frozen context come in
as plain JSON, and the names of the promises that are broken come out. The form of a reply is
held by the exported JSON Schema and by what JSON Schema cannot say.
"""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import jsonschema

Plain = Mapping[str, Any]
ALONE = {"text", "earlier", "knowledge"}  # voices that are never more than weak by themselves
OBSERVED = {
    **dict.fromkeys(("trace", "lineage", "logs", "names"), "where it was seen"),
    **dict.fromkeys(("diff", "history"), "what changed"),
    "coverage": "what ran",
    "design": "what a review found",
}
FIRST_TABLE = "sha256:b95c71c44c2bbe7461a1aa1884f8a01ee76b48ff4169e1f2b28dd3a488b3a5dd"
LEVELS = ("insufficient", "weak", "supported", "strongly_supported")


def broken(reply: Plain, context: Plain) -> frozenset[str]:
    """Which promises a well-formed reply breaks on its context."""
    return frozenset(_Reading(reply, context).broken())


class _Reading:
    """One reply beside its context."""

    def __init__(self, reply: Plain, context: Plain) -> None:
        self.reply = reply
        self.stored = {one["id"]: one for one in context["findings"]}
        self.ends = {one["hypothesis"]["id"]: one["state"] for one in context["hypotheses"]}
        self.unseen = context["not_looked_at"]
        self.assumed = context["interpretation"]["assumptions"]
        self.is_first_table = context["support_levels"]["digest"] == FIRST_TABLE
        self.said = reply["hypothesis_evaluations"]
        self.check = reply["countercheck"]
        self.cause = reply["root_cause"]
        first: dict[str, Plain] = {}
        for one in self.said:
            first.setdefault(one["hypothesis_id"], one)
        self.selected = first.get(reply["selected_hypothesis_id"])
        self.rival = first.get(self.check["alternative_hypothesis_id"])

    def broken(self) -> Iterable[str]:
        yield from self._ids()
        yield from self._each()
        yield from self._page()
        if self.reply["status"] == "confirmed":
            yield from self._confirmed()
        else:
            yield from self._open()

    # every decision

    def _ids(self) -> Iterable[str]:
        evaluated = [one["hypothesis_id"] for one in self.said]
        named = {
            *evaluated,
            self.reply["selected_hypothesis_id"],
            self.check["alternative_hypothesis_id"],
        } - {None}
        if not named <= self.ends.keys():
            yield "hypotheses-known"
        if len(evaluated) != len(set(evaluated)) or not self.ends.keys() <= set(evaluated):
            yield "hypotheses-once"
        lists = [self.check["evidence_ids"]]
        lists += [] if self.cause is None else [self.cause["evidence_ids"]]
        for one in self.said:
            lists += [one["supporting_evidence_ids"], one["contradicting_evidence_ids"]]
        cited = {name for ids in lists for name in ids}
        if not cited <= self.stored.keys():
            yield "evidence-known"
        if any(len(ids) > len(set(ids)) for ids in lists) or any(
            {*one["supporting_evidence_ids"]} & {*one["contradicting_evidence_ids"]}
            for one in self.said
        ):
            yield "evidence-once"
        if any(self.stored[n]["completeness"] == "empty" for n in cited & self.stored.keys()):
            yield "nothing-is-no-proof"

    def _each(self) -> Iterable[str]:
        for one in self.said:
            for_it, against = one["supporting_evidence_ids"], one["contradicting_evidence_ids"]
            match one["state"]:
                case "supported":
                    if not for_it:
                        yield "states-supported"
                    known = {
                        name
                        for name, found in self.stored.items()
                        if found["kind"] == "direct"
                        and found["bears_on"].get(one["hypothesis_id"]) == "against"
                    }
                    if known - {*against} or (
                        against and not self._reason(one["contradictions_answered"])
                    ):
                        yield "contradictions-answered"
                case "factually_rejected":
                    if not against:
                        yield "states-supported"
                    there = [n for n in against if n in self.stored]
                    if there and not self._whole(there):
                        yield "nothing-is-no-proof"
                case "unresolved":
                    if not one["scope_limits"]:
                        yield "limits-said"

    def _page(self) -> Iterable[str]:
        if self.unseen and not self.reply["remaining_uncertainty"]:
            yield "limits-said"
        if self.assumed and not self.reply["human_assumptions"]:
            yield "people-apart"
        texts = [self.reply["final_reason"], self.check["reason"]]
        for name in ("human_assumptions", "remaining_uncertainty", "review_actions"):
            texts += self.reply[name]
        if self.cause is not None:
            texts += [self.cause["summary"], self.cause["technical_description"]]
        for one in self.said:
            texts += [one["reason"], *one["scope_limits"]]
        may_be_empty = [self.reply["intended_external_behavior"]]
        may_be_empty += [one["contradictions_answered"] for one in self.said]
        texts += [text for text in may_be_empty if text]
        if any(not text.strip() or any(map(_is_hidden, text)) for text in texts):
            yield "safe-text"

    # a confirmed one

    def _confirmed(self) -> Iterable[str]:
        if LEVELS.index(self.reply["confidence"]) < 2:
            yield "confirmed-confidence"
        chosen = self.selected
        is_chosen = chosen is not None and chosen["state"] == "supported"
        if not is_chosen or self.ends.get(chosen["hypothesis_id"]) == "rejected":
            yield "confirmed-selected"
        rests = {*(() if self.cause is None else self.cause["evidence_ids"])}
        own = {*(() if chosen is None else chosen["supporting_evidence_ids"])}
        if not rests or rests - own:
            yield "confirmed-cause"
        if not self._is_counterchecked():
            yield "confirmed-countercheck"
        kinds = {self.stored[name]["kind"] for name in rests & self.stored.keys()}
        if kinds == {"heuristic"}:
            yield "confirmed-not-by-rank"
        if chosen is not None:
            claimed = LEVELS.index(self.reply["confidence"])
            if claimed > LEVELS.index(self._level(chosen)):
                yield "confirmed-level"

    def _is_counterchecked(self) -> bool:
        if self.rival is None or not self.check["adequate"]:
            return False
        if self.rival["hypothesis_id"] == self.reply["selected_hypothesis_id"]:
            return False
        if self.rival["state"] == "supported" or not self._reason(self.check["reason"]):
            return False
        shared = {*self.check["evidence_ids"]} & {*self.rival["contradicting_evidence_ids"]}
        return bool(self._whole(shared))

    def _level(self, chosen: Plain) -> str:
        name = chosen["hypothesis_id"]
        other = None if self.rival is None else self.rival["hypothesis_id"]
        voices = [
            found
            for found in self._whole(chosen["supporting_evidence_ids"])
            if found["bears_on"].get(name) != "against"
        ]
        if not voices:
            return "insufficient"
        groups = {found["group"] for found in voices}
        is_told = any(self._tells(found, name, other) for found in voices)
        beside = (
            []
            if self.rival is None
            else [
                found
                for found in self._whole(self.rival["contradicting_evidence_ids"])
                if found["bears_on"].get(other) != "for"
            ]
        )
        if self.is_first_table:
            is_enough = len(groups) > 1 and groups - ALONE
        else:
            told_by = {OBSERVED.get(f["group"]) for f in voices if self._tells(f, name, other)}
            beside_by = {OBSERVED.get(found["group"]) for found in beside}
            is_apart = any(mine != theirs for mine in told_by - {None} for theirs in beside_by)
            is_enough = len({OBSERVED[g] for g in groups if g in OBSERVED}) > 1 and is_apart
        if not is_told or not is_enough or not beside:
            return "weak"
        stored_against = [n for n in chosen["contradicting_evidence_ids"] if n in self.stored]
        is_strong = not stored_against and any(f["kind"] == "direct" for f in beside)
        return "strongly_supported" if is_strong else "supported"

    @staticmethod
    def _tells(found: Plain, name: str, other: str | None) -> bool:
        way = found["bears_on"]
        is_for = found["kind"] == "direct" and way.get(name) == "for"
        return is_for and (other is None or way.get(other) != "for")

    # an inconclusive one

    def _open(self) -> Iterable[str]:
        alleges = self.reply["selected_hypothesis_id"] is not None or self.cause is not None
        if alleges or LEVELS.index(self.reply["confidence"]) > 1:
            yield "inconclusive-alleges-nothing"
        if not any(map(self._reason, self.reply["review_actions"])):
            yield "inconclusive-hands-over"

    # words

    def _whole(self, names: Iterable[str]) -> list[Plain]:
        found = [self.stored[name] for name in names if name in self.stored]
        return [one for one in found if one["completeness"] == "complete"]

    @staticmethod
    def _reason(text: str) -> bool:
        return len(text.strip()) >= 20


_FILLERS = {"\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u3164", "\uffa0"}


@cache
def _is_hidden(char: str) -> bool:
    """By the running Python's own tables; what hides in none of them is not asked for."""
    if char in "\t\n":
        return False
    is_selector = "\ufe00" <= char <= "\ufe0f" or "\u180b" <= char <= "\u180f"
    is_breaking = char in "\u2028\u2029" or char in _FILLERS
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co"} or is_selector or is_breaking


# The form --------------------------------------------------------------------------------


class Form:
    """What the exported schema says, and what JSON Schema cannot say."""

    def __init__(self, schema: Plain) -> None:
        self._validator = jsonschema.Draft202012Validator(schema)

    def holds(self, text: str) -> bool:
        """Whether a text is one reply in the form."""
        try:
            plain = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
            text.encode()
            json.dumps(plain, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            return False
        return self._validator.is_valid(plain)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("twice")
    return dict(pairs)


def _refuse(text: str) -> object:
    raise ValueError(text)
