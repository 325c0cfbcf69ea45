"""What a model is told: the question and numbered exhibits, in one message of canonical JSON.

Text of a note is a string in that JSON and nothing else: no mark in it can end the exhibit,
open another or become an instruction of ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from witmark.answers.asking import QueryPlan
from witmark.answers.atoms import DocumentId
from witmark.answers.pack import ConnectionPath, Fragment, GraphContextPack, TemporalDetail
from witmark.answers.pack_facts import document_of
from witmark.answers.plain import Plain
from witmark.kernel.canon import canonical_json, digest_of
from witmark.kernel.context import Item, Overflow, pack
from witmark.kernel.evidence import EvidenceRef
from witmark.kernel.model.prompt import Prompt
from witmark.kernel.model.request import Ask, Message, OutputSchema, Role

PURPOSE = "answers.compose"
QUESTION = "compose"


@dataclass(frozen=True, slots=True)
class Exhibits:
    """The fragments that a model is shown, by the ids it is told, and what did not fit.

    Attributes:
        shown: In the pack's order, ``E1`` first.
        not_shown: Fragments and whole sources that the budget left out.
        missing: The notes they stand in, once each.
    """

    shown: tuple[tuple[str, Fragment], ...]
    not_shown: tuple[EvidenceRef, ...]
    missing: tuple[str, ...]

    def get(self, name: str) -> Fragment | None:
        """The exhibit of an id; only the very spelling that was told is one."""
        return dict(self.shown).get(name)


def exhibits_of(whole: GraphContextPack, *, budget_chars: int) -> Exhibits:
    """Number the pack's fragments as far as they fit, each whole."""
    items = [Item(one.ref, one.text) for one in whole.fragments]
    fitted = pack(items, budget_chars=budget_chars, overflow=Overflow.OMIT)
    fragments = [one for one in whole.fragments if one.ref in fitted.refs]
    left = [one for one in whole.fragments if one.ref not in fitted.refs]
    titles = _titles(whole)
    return Exhibits(
        tuple((f"E{number}", one) for number, one in enumerate(fragments, start=1)),
        (*fitted.omitted, *whole.context.omitted),
        tuple(dict.fromkeys(_title(one, titles) for one in left)),
    )


def ask_of(
    plan: QueryPlan,
    whole: GraphContextPack,
    exhibits: Exhibits,
    prompt: Prompt,
    schema: OutputSchema,
) -> Ask:
    """Make the ask. The same question over the same pack is the same ask, on any day."""
    told = canonical_json(_message(plan, whole, exhibits)).decode()
    named = canonical_json([told, prompt.digest, schema.digest])
    return Ask(
        subject="ask-" + digest_of(named).removeprefix("sha256:")[:32],
        question=QUESTION,
        purpose=PURPOSE,
        messages=(Message(Role.SYSTEM, prompt.text), Message(Role.USER, told)),
        schema=schema,
        prompt=prompt.digest,
    )


def _message(plan: QueryPlan, whole: GraphContextPack, exhibits: Exhibits) -> Plain:
    titles = _titles(whole)
    order = whole.learning_order
    return {
        "question": plan.question,
        "intent": plan.intent.value,
        "language": plan.language,
        "named": _named(plan, titles),
        "exhibits": [
            {"id": name, "note": _title(one, titles), "text": one.text}
            for name, one in exhibits.shown
        ],
        "notShown": {"exhibits": len(exhibits.not_shown), "notes": list(exhibits.missing)},
        "relations": list(_relations(whole, titles)),
        "paths": list(_paths(whole.paths)),
        "order": [node.title for node in order] if len(order) > 1 else [],
        "warnings": list(_warnings(whole.temporal_warnings)),
    }


def _named(plan: QueryPlan, titles: dict[DocumentId, str]) -> list[Plain]:
    """What in the question is the name of a note that is shown."""
    hits = [hit for hit in plan.alias_hits if hit.document_id in titles]
    found = {(plan.question[h.start : h.end], titles[h.document_id]): None for h in hits}
    return [{"name": name, "note": note} for name, note in found]


def _relations(whole: GraphContextPack, titles: dict[DocumentId, str]) -> Iterator[Plain]:
    for number, one in enumerate(whole.relations, start=1):
        source, target = document_of(one.source), document_of(one.target)
        yield {
            "id": f"R{number}",
            "from": titles.get(source, _stem(source)),
            "to": titles.get(target, _stem(target)),
            "kind": one.kind.value,
            "provenance": one.provenance.value,
        }


def _paths(paths: tuple[ConnectionPath, ...]) -> Iterator[Plain]:
    for number, one in enumerate(paths, start=1):
        kinds = [edge.kind.value for edge in one.edges]
        yield {"id": f"P{number}", "titles": list(one.titles), "kinds": kinds}


def _warnings(details: tuple[TemporalDetail, ...]) -> Iterator[Plain]:
    for number, one in enumerate(details, start=1):
        yield {
            "id": f"W{number}",
            "note": one.title,
            "reason": one.reason,
            "validTo": one.valid_to or None,
            "other": one.other_title or None,
        }


def _titles(whole: GraphContextPack) -> dict[DocumentId, str]:
    """What the notes of the pack are called."""
    windows = (*whole.predecessors, *whole.successors, *whole.learning_order)
    found = {node.document_id: node.title for node in windows}
    found.update({node.atom.document_id: node.atom.document_title for node in whole.support})
    if whole.anchor is not None:
        found[whole.anchor.document_id] = whole.anchor.document_title
    return found


def _title(fragment: Fragment, titles: dict[DocumentId, str]) -> str:
    """A note's title; of one that the pack does not name its file's, and never its path."""
    return titles.get(fragment.span.document_id, _stem(fragment.span.document_id))


def _stem(document: str) -> str:
    return document.rpartition("/")[2].rpartition(".")[0]
