"""What a unit must be before it may search, and a report before anyone sees it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from witmark.kernel.gate import Check, GateReport, Outcome
from witmark.review.neutrality import faults_in
from witmark.review.units import LocalSemanticUnit
from witmark.review.vocabulary import FACTS

Plain = Mapping[str, object]


def neutral(units: Iterable[LocalSemanticUnit]) -> Check:
    """Every sentence states facts: no raw id, no rule id, no judgement, in either language."""
    for unit in units:
        for sentence in (unit.retrieval_sentence, unit.retrieval_sentence_en):
            if found := faults_in(sentence):
                return Check("neutrality", Outcome.FAILS, f"{unit.local_id}: {found[0]}")
    return Check("neutrality", Outcome.HOLDS)


def within_scope(units: Iterable[LocalSemanticUnit], context: frozenset[str]) -> Check:
    """No unit speaks of an instance that is context only."""
    for unit in units:
        if unit.component_id in context:
            return Check("scope", Outcome.FAILS, f"{unit.local_id} is about a context part")
    return Check("scope", Outcome.HOLDS)


def admits_units(units: Sequence[LocalSemanticUnit], context: frozenset[str]) -> GateReport:
    """Everything that stands between proposed units and retrieval."""
    return GateReport((neutral(units), within_scope(units, context)))


def cites_its_facts(verdicts: Iterable[Plain], blobs: Mapping[str, object]) -> Check:
    """Every verdict that decides something cites facts, and every cited fact is there.

    Args:
        verdicts: The report's verdicts.
        blobs: Parsed facts blobs by digest.
    """
    for verdict in verdicts:
        refs = cast("Sequence[str]", verdict["fact_refs"])
        if verdict["verdict"] in ("violated", "satisfied") and not refs:
            return Check("citations", Outcome.FAILS, f"{verdict['rule_id']} cites nothing")
        for ref in refs:
            if not _stands(ref, blobs):
                return Check(
                    "citations", Outcome.FAILS, f"{verdict['rule_id']}: {ref} is not there"
                )
    return Check("citations", Outcome.HOLDS)


def _stands(ref: str, blobs: Mapping[str, object]) -> bool:
    digest, _, pointer = ref.partition("#")
    here = blobs.get(digest)
    for step in pointer.split("/")[1:]:
        if isinstance(here, Mapping) and step in here:
            here = here[step]
        elif isinstance(here, Sequence) and step.isdigit() and int(step) < len(here):
            here = here[int(step)]
        else:
            return False
    return digest in blobs


def measured_where_violated(verdicts: Iterable[Plain]) -> Check:
    """A violation shows at least one measured value and the limit it broke."""
    for verdict in verdicts:
        if verdict["verdict"] != "violated":
            continue
        measured = cast("Sequence[Plain]", verdict["measured"])
        if not any(one["value"] is not None for one in measured) or not verdict["limit"]:
            return Check("measured", Outcome.FAILS, f"{verdict['rule_id']} shows no number")
    return Check("measured", Outcome.HOLDS)


def names_what_is_missing(verdicts: Iterable[Plain]) -> Check:
    """An undetermined verdict says which fact is missing, by a name of the vocabulary."""
    for verdict in verdicts:
        if verdict["verdict"] != "undetermined":
            continue
        missing = cast("Sequence[Plain]", verdict["missing"])
        if not missing or any(one["fact"] not in FACTS for one in missing):
            return Check("missing facts", Outcome.FAILS, f"{verdict['rule_id']} names no fact")
    return Check("missing facts", Outcome.HOLDS)


def speaks_readably(verdicts: Iterable[Plain]) -> Check:
    """What people read of a place holds no raw id, no rule id and no judgement."""
    for verdict in verdicts:
        for key in ("retrieval_sentence", "retrieval_sentence_en"):
            if found := faults_in(cast("str", verdict[key])):
                return Check("readable", Outcome.FAILS, f"{verdict['rule_id']}: {found[0]}")
    return Check("readable", Outcome.HOLDS)


LEAST_VISIBLE_PIXELS = 150
"""A place on fewer pixels than about 12 x 12 is overlooked on a page."""


def pictures_show(verdicts: Iterable[Plain], visible: Mapping[str, int]) -> Check:
    """Every picture that a verdict names was drawn, and shows its place on enough pixels."""
    for verdict in verdicts:
        name = verdict["picture"]
        if name is not None and visible.get(cast("str", name), 0) < LEAST_VISIBLE_PIXELS:
            return Check(
                "pictures", Outcome.FAILS, f"{verdict['semantic_location']} is not visible"
            )
    return Check("pictures", Outcome.HOLDS)
