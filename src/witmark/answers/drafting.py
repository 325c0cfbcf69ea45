"""The sheet on which an answer is drafted: the pack's sentences, and ways to say them."""

from collections.abc import Iterable, Sequence

from witmark.answers import phrases
from witmark.answers.aging import Ages
from witmark.answers.answer import Cut, DraftSentence, SentenceKind
from witmark.answers.asking import QueryPlan
from witmark.answers.atoms import DocumentId, EdgeId, KnowledgeAtom, SpanId
from witmark.answers.citing import Citer
from witmark.answers.notes import BlockKind
from witmark.answers.pack import FRONT_LINE, Fragment, GraphContextPack, Stated
from witmark.answers.picking import Sentence, Stock, language_of, weigher
from witmark.answers.titles import title_in
from witmark.kernel.evidence import Basis

_KNOWN = frozenset({phrases.ZH, phrases.EN, "und"})
MOST_LEADS = 3  # cuts of one sentence about several notes
_MOST_PLACES = 6  # cuts of one sentence about several relations


class Sheet:
    """One question, one pack, and the drafting of sentences from them.

    Attributes:
        plan: What is asked.
        pack: What may be used.
        language: Of the answer's own words.
        stock: The pack's sentences.
        ages: Which of its notes are stale.
        named: The notes that the question names.
    """

    def __init__(self, plan: QueryPlan, pack: GraphContextPack) -> None:
        self.plan = plan
        self.pack = pack
        self.language = phrases.ZH if plan.language == phrases.ZH else phrases.EN
        self.stock = Stock(pack)
        self._others = dict(pack.other_names)
        self.ages = Ages(pack, self.called)
        named = [hit.document_id for hit in plan.alias_hits]
        newer = (other for document in named for other in self.ages.successor_of(document))
        self.named = frozenset((*named, *newer))
        self._citer = Citer(pack)
        self._named: dict[str, tuple[DocumentId, ...]] = {}

    # What there is --------------------------------------------------------------------

    def of_document(self, document: DocumentId) -> tuple[Sentence, ...]:
        """The sentences of one note, in its own order."""
        mine = [s for s in self.stock.all if s.fragment.span.document_id == document]
        return tuple(sorted(mine, key=source_order))

    def in_one_language(self, pool: Sequence[Sentence]) -> tuple[Sentence, ...]:
        """The sentences in the answer's language, note by note; a note without any stays.

        A note written twice over, once in each language, speaks with one voice; one in a
        third language is not heard where another is.
        """
        pool = self.in_force(pool)
        fluent = {s.fragment.span.document_id for s in pool if s.language == self.language}
        known = (
            _KNOWN if any(s.language in _KNOWN for s in pool) else {s.language for s in pool}
        )
        return tuple(
            s
            for s in pool
            if s.language in known
            if s.language in {self.language, "und"} or s.fragment.span.document_id not in fluent
        )

    def in_force(self, pool: Sequence[Sentence]) -> tuple[Sentence, ...]:
        """The sentences without those of a stale note whose replacement the pack shows.

        Nor of one that does not hold yet, when a note that holds is shown beside it.
        """
        there = {s.fragment.span.document_id for s in self.stock.all}
        valid = {document for document in there if not self.ages.is_stale(document)}
        return tuple(
            s for s in pool if not self.ages.is_overtaken(s.fragment.span.document_id, valid)
        )

    def name_of(self, atom: KnowledgeAtom) -> str:
        """What to call an atom's note: its title, or the name the question used for it.

        The latter when the title is in another language than the answer's own words.
        """
        return self.called(atom.document_id, atom.document_title)

    def called(self, document: DocumentId, title: str) -> str:
        """The same for a note that is known by its title."""
        name = self._titles(document, title)
        if language_of(name) in {self.language, "und"}:
            return name
        hits = [h for h in self.plan.alias_hits if h.document_id == document]
        fluent = [h.surface for h in hits if language_of(h.surface) == self.language]
        return fluent[0] if fluent else name

    def _titles(self, document: DocumentId, title: str) -> str:
        return title_in(self.language, title, self._others.get(document, ()), document)

    # How to say it ---------------------------------------------------------------------

    def quote(
        self, sentence: Sentence, kind: SentenceKind = SentenceKind.DIRECT
    ) -> DraftSentence:
        """A sentence of the notes, whole, as it stands there."""
        cut = self._citer.cut(
            sentence.fragment, sentence.where, weigher(self.plan, self.stock, sentence)
        )
        text = phrases.closed(sentence.text, sentence.language)
        return DraftSentence(text, kind, Basis.OBSERVED, (cut,))

    def join(
        self, text: str, of: Sequence[Sentence], kind: SentenceKind = SentenceKind.DIRECT
    ) -> DraftSentence:
        """Words of ours around whole items of the notes."""
        cuts = tuple(self._citer.cut(one.fragment, one.where) for one in of)
        return DraftSentence(text, kind, Basis.DERIVED, cuts)

    def state(
        self,
        text: str,
        about: Iterable[DocumentId],
        kind: SentenceKind = SentenceKind.GRAPH,
        edges: Iterable[EdgeId] = (),
        at: tuple[Cut, ...] = (),
    ) -> DraftSentence | None:
        """A sentence about notes, resting on the text that states its edges.

        If the pack does not show that text, on what it shows of the notes. ``None`` when it
        shows nothing of any of them: what cannot be opened is not said.

        Args:
            text: The sentence.
            about: Its notes.
            kind: Of the sentence.
            edges: What it says.
            at: Where that is said, if no edge tells.
        """
        documents = tuple(about)
        cuts = self.places(edges) or at or self.leads(documents)
        if not cuts:
            return None
        self._named[text] = documents
        return DraftSentence(text, kind, Basis.DERIVED, cuts)

    def warn(self, document: DocumentId) -> DraftSentence:
        """A sentence on why a stale note does not hold."""
        text = self.ages.warning(document, self.language)
        anchor = self.pack.anchor
        cuts = self.places(self.ages.edges_about(document)) or self.leads([document])
        cuts = cuts or self.leads([anchor.document_id] if anchor else [])
        return DraftSentence(text, SentenceKind.TEMPORAL, Basis.DERIVED, cuts)

    def asked_and_overtaken(self) -> tuple[DocumentId, ...]:
        """The notes the question names whose replacement answers instead."""
        named = dict.fromkeys(hit.document_id for hit in self.plan.alias_hits[:1])
        known = {s.fragment.span.document_id for s in self.stock.all}
        valid = {document for document in known if not self.ages.is_stale(document)}
        return tuple(d for d in named if self.ages.is_overtaken(d, valid))

    def uses(self, sentence: DraftSentence) -> tuple[DocumentId, ...]:
        """The notes a drafted sentence quotes or names."""
        quoted = [cut.span.document_id for cut in sentence.cuts]
        return tuple(dict.fromkeys([*quoted, *self._named.get(sentence.text, ())]))

    def places(self, edges: Iterable[EdgeId]) -> tuple[Cut, ...]:
        """Where the pack shows that edges are stated."""
        cuts: dict[SpanId, Cut] = {}
        for name in dict.fromkeys(edges):
            for stated in self.pack.stated:
                if stated.edge_id == name and (cut := self._stating(stated)) is not None:
                    cuts.setdefault(cut.span.id, cut)
        return tuple(cuts.values())[:_MOST_PLACES]

    def _stating(self, stated: Stated) -> Cut | None:
        """A line of a front matter whole; of a passage the sentence in which a link stands."""
        for fragment in self.stock.fragments:
            if fragment.ref != stated.fragment_ref:
                continue
            if fragment.passage == FRONT_LINE:
                return self._citer.lead(fragment)
            for one in (s for s in self.stock.all if s.fragment is fragment):
                cut = self._citer.cut(fragment, one.where)
                if cut.span.span.end > stated.at.start:
                    return cut
        return None

    def heading_of(self, document: DocumentId) -> tuple[Cut, ...]:
        """The note's own heading, if the pack shows it."""
        for fragment, kind in zip(self.stock.fragments, self.stock.kinds, strict=True):
            if fragment.span.document_id == document and kind is BlockKind.HEADING:
                return (self._citer.lead(fragment),)
        return ()

    def leads(self, documents: Iterable[DocumentId]) -> tuple[Cut, ...]:
        """The first thing the pack shows of each note, as evidence."""
        cuts = []
        for document in dict.fromkeys(documents):
            if (fragment := self._first_of(document)) is not None:
                first = next(iter(s for s in self.stock.all if s.fragment is fragment), None)
                where = first.where if first is not None else None
                cuts.append(self._citer.lead(fragment, where))
        return tuple(cuts[:MOST_LEADS])

    def _first_of(self, document: DocumentId) -> Fragment | None:
        shown = [
            (_rank(fragment, kind), fragment.span.span.start, number)
            for number, (fragment, kind) in enumerate(
                zip(self.stock.fragments, self.stock.kinds, strict=True)
            )
            if fragment.span.document_id == document
        ]
        return self.stock.fragments[min(shown)[2]] if shown else None


def _rank(fragment: Fragment, kind: BlockKind) -> int:
    return 2 if fragment.passage == FRONT_LINE else int(kind is BlockKind.HEADING)


def source_order(sentence: Sentence) -> tuple[str, int, int]:
    """Sorts sentences by note, and as they stand in it."""
    span = sentence.fragment.span
    return span.document_id, span.span.start, sentence.where.start
