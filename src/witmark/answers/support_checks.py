"""Does the draft rest on enough, and on what was shown: sufficiency and citation checks."""

from collections.abc import Iterator

from witmark.answers.answer import Cut, SentenceKind
from witmark.answers.asking import Intent
from witmark.answers.claims import denials_in, words_of
from witmark.answers.evidence_claims import stands_in
from witmark.answers.pack import FragmentRole
from witmark.answers.review_scene import Fault, Scene
from witmark.kernel.evidence import Basis, EvidenceRef

_SUPPORTING = frozenset(
    {FragmentRole.DIRECT_SUPPORT, FragmentRole.PARENT_CONTEXT, FragmentRole.CONFLICT}
)
_STRUCTURAL = frozenset({Intent.LEARN, Intent.COMPARE, Intent.STILL_VALID, Intent.LIST})


def evidence_sufficiency(scene: Scene) -> Iterator[Fault]:
    """An answer rests on a fragment that bears on the question, not on neighbours alone.

    A neighbour or a background note is enough when it holds half of the question's words.
    An answer about structure (an order, a comparison, a list, a validity) may rest on the
    graph, so for it any shown fragment or relation will do.
    """
    if scene.abstains:
        return
    used = [f for _, sentence in scene.answering for f in scene.fragments(sentence)]
    if not used and not (scene.plan.intent in _STRUCTURAL and scene.facts.edges):
        yield Fault(None, "nothing that was shown supports it")
    elif scene.plan.intent in _STRUCTURAL or any(f.role in _SUPPORTING for f in used):
        return
    elif not _bears_on(scene, "\n".join(fragment.text for fragment in used)):
        yield Fault(None, "it rests on neighbours and background alone")


def _bears_on(scene: Scene, text: str) -> bool:
    wanted = words_of(scene.plan.planner_query) or words_of(scene.plan.question)
    return 2 * len(wanted & words_of(text)) >= len(wanted) > 0


def graph_sufficiency(scene: Scene) -> Iterator[Fault]:
    """A statement about order or relations needs a graph that was asked and has an edge."""
    told = scene.pack.diagnostics
    for at, sentence in scene.answering:
        if sentence.kind is not SentenceKind.GRAPH or sentence.basis is Basis.OBSERVED:
            continue  # what an author wrote about an order is text, not graph
        if sentence.basis is Basis.DERIVED and denials_in(sentence.text):
            continue  # "the notes name nothing before it" needs no edge
        if told.used_fallback or not told.graph_ops_available:
            yield Fault(at, "it speaks of the graph, which was not asked")
        elif not (scene.facts.edges or scene.pack.comparison.nearest_common_ancestors):
            yield Fault(at, "it speaks of relations, and the pack holds none")


def rag_completeness(scene: Scene) -> Iterator[Fault]:
    """What may be cited is exactly what was shown, and every cut was cut from that."""
    shown = {item.ref: item.text for item in scene.pack.context.shown}
    for fragment in scene.pack.fragments:
        if shown.get(fragment.ref) != fragment.text:
            yield Fault(None, f"the fragment {fragment.ref} was not shown as it stands here")
    for at, cut in scene.cuts():
        if cut.fragment_ref not in shown:
            yield Fault(at, f"it rests on {cut.fragment_ref}, which was never shown")
    for at, sentence in scene.answering:
        items = [f for f in scene.fragments(sentence) if f.list_length]
        there = max((f.list_length for f in items), default=0)
        if len(items) > 1 and len(items) < there and str(there) not in sentence.text:
            yield Fault(at, f"it tells {len(items)} of {there} items as if they were all")


def rag_citation(scene: Scene) -> Iterator[Fault]:
    """Every sentence has a place to open, and every place reads as the sentence was told.

    A sentence that states a relation of the graph may rest on the pack's edges instead of
    a text, if it names a note at the end of one.
    """
    ends = {end for edge in scene.facts.edges for end in edge[:2]} | set(scene.facts.stale)
    for at, sentence in scene.answering:
        derived = sentence.basis is Basis.DERIVED and scene.named(sentence) & ends
        if not sentence.cuts and not derived:
            yield Fault(at, "nothing supports it")
    for at, cut in scene.cuts():
        fragment = scene.facts.shown.get(cut.fragment_ref)
        if fragment is not None and not (stands_in(cut, fragment) and _named_rightly(cut)):
            yield Fault(at, f"{cut.span.id} does not read so in what was shown")


def _named_rightly(cut: Cut) -> bool:
    return cut.ref == EvidenceRef(cut.ref.blob, cut.span.span.range)


def rag_coverage(scene: Scene) -> Iterator[Fault]:
    """What is cited has to do with the question: a note it names, or a word it uses."""
    cited = {cut.span.document_id for _, cut in scene.cuts()}
    if scene.abstains or cited & scene.facts.asked:
        return
    wanted = words_of(scene.plan.planner_query) | words_of(scene.plan.question)
    said = [scene.evidence(sentence) for _, sentence in scene.answering]
    said += [sentence.text for _, sentence in scene.answering]
    said += [name for _, sentence in scene.answering for name in scene.headings(sentence)]
    if wanted and not any(wanted & words_of(text) for text in said):
        yield Fault(None, "nothing it cites shares a word with the question")
