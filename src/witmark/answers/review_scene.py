"""What the release review looks at: a draft beside what was asked and what was shown."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from witmark.answers.answer import Cut, Draft, DraftSentence, SentenceKind
from witmark.answers.asking import QueryPlan
from witmark.answers.atoms import DocumentId
from witmark.answers.claims import Mention, mentions_in, spelled
from witmark.answers.pack import Fragment, GraphContextPack, TemporalDetail
from witmark.answers.pack_facts import PackFacts, facts_of, validities
from witmark.answers.picking import section_path


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a draft.

    Attributes:
        sentence: Index of the sentence to take out, or ``None``: the draft as a whole.
        because: In words for a developer; never shown to the reader.
    """

    sentence: int | None
    because: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A draft, the question, the pack, and what the pack knows.

    Which names stand in a sentence is worked out once, for a dozen probes ask for it.
    """

    plan: QueryPlan
    pack: GraphContextPack
    draft: Draft
    facts: PackFacts
    _known: dict[str, tuple[Mention, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def answering(self) -> Iterator[tuple[int, DraftSentence]]:
        """Every sentence that says something of the subject, with its index."""
        for at, sentence in enumerate(self.draft.sentences):
            if sentence.kind is not SentenceKind.ABSTENTION:
                yield at, sentence

    @property
    def abstains(self) -> bool:
        """Whether the draft only says that the notes do not say."""
        return not any(True for _ in self.answering)

    def fragments(self, sentence: DraftSentence) -> tuple[Fragment, ...]:
        """The shown fragments a sentence rests on."""
        refs = dict.fromkeys(cut.fragment_ref for cut in sentence.cuts)
        return tuple(self.facts.shown[ref] for ref in refs if ref in self.facts.shown)

    def evidence(self, sentence: DraftSentence) -> str:
        """Everything those fragments say."""
        return "\n".join(fragment.text for fragment in self.fragments(sentence))

    def headings(self, sentence: DraftSentence) -> tuple[str, ...]:
        """The headings those fragments stand under, their notes' titles aside."""
        keys = (f.atom_id.rpartition("#")[2] for f in self.fragments(sentence))
        return tuple(name for key in keys for name in section_path("", key)[1:])

    def named(self, sentence: DraftSentence) -> frozenset[DocumentId]:
        """The documents whose names stand in a sentence."""
        mentioned = self._mentions(sentence.text)
        return frozenset(one for m in mentioned for one in self.facts.all_named(m.key))

    def beside_names(self, sentence: DraftSentence) -> str:
        """What a sentence says beside the names in it, as ``spelled``."""
        text = spelled(sentence.text)
        for mention in reversed(self._mentions(sentence.text)):
            text = f"{text[: mention.start]}§{text[mention.end :]}"
        return text

    def _mentions(self, text: str) -> tuple[Mention, ...]:
        if text not in self._known:
            self._known[text] = mentions_in(text, self.facts.names)
        return self._known[text]

    def about(self, sentence: DraftSentence) -> frozenset[DocumentId]:
        """The documents a sentence names or is cut from."""
        return self.named(sentence) | {cut.span.document_id for cut in sentence.cuts}

    def cuts(self) -> Iterator[tuple[int, Cut]]:
        """Every cut with the index of its sentence."""
        for at, sentence in enumerate(self.draft.sentences):
            for cut in sentence.cuts:
                yield at, cut


NUMBERING = re.compile(r"[（(]\d{1,2}[）)]")
"""How a built sentence numbers its items."""

Probe = Callable[[Scene], Iterable[Fault]]
"""A named look at a scene; no fault means that the check holds."""


def scene_of(plan: QueryPlan, pack: GraphContextPack, draft: Draft) -> Scene:
    """Lay a draft beside what it must agree with."""
    return Scene(plan, pack, draft, facts_of(plan, pack))


def all_told(sentence: DraftSentence, scene: Scene) -> str:
    """Everything a sentence may take a name or a number from."""
    own = (
        scene.evidence(sentence),
        scene.plan.question,
        *sorted(scene.facts.titles),
        *sorted(counts_told(sentence, scene)),
    )
    return "\n".join((*own, *(f"{day} {day[:4]}" for day in sorted(days_told(scene)))))


def counts_told(sentence: DraftSentence, scene: Scene) -> frozenset[str]:
    """How long the lists are that a sentence is built from, and how many steps come before."""
    lengths = (fragment.list_length for fragment in scene.fragments(sentence))
    steps = len({node.document_id for node in scene.pack.learning_order})
    before = scene.pack.steps_before
    counts = {*lengths, *range(before, before + steps)}
    return frozenset(str(count) for count in counts if count)


def days_told(scene: Scene) -> frozenset[str]:
    """Every day that an edge, a window or a note's own date names."""
    days = {day for d in details_of(scene) for day in (d.valid_from, d.valid_to)}
    return frozenset(days | {atom.updated for atom, _ in validities(scene.pack)}) - {""}


def details_of(scene: Scene) -> Iterator[TemporalDetail]:
    """Everything the pack says about time: its warnings, and the reasons of its nodes."""
    yield from scene.pack.temporal_warnings
    for _, validity in validities(scene.pack):
        yield from validity.details
