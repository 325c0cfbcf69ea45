"""Small cases as investigators see them: files by path, read as the desk reads them."""

from witmark.adapters.grammars import GrammarReader
from witmark.diagnosis.assembling import INPUTS
from witmark.diagnosis.case import InputKind, Inventory, RawInput
from witmark.diagnosis.codebase import CodeBase
from witmark.diagnosis.hypothesising import form_hypotheses
from witmark.diagnosis.interpreting import interpret
from witmark.diagnosis.naming import stored_name
from witmark.diagnosis.placing import source_paths
from witmark.diagnosis.ports import CaseView, Limits
from witmark.diagnosis.scoring import Scores
from witmark.diagnosis.sorting import kind_of
from witmark.kernel.canon import digest_of

LIMITS = Limits()


def view_of(files, *, earlier=()):
    """The view of a case made of files, ``{origin: text or bytes}``."""
    raws = {
        path: text.encode() if isinstance(text, str) else text for path, text in files.items()
    }
    listed = tuple(
        RawInput(
            INPUTS + stored_name(origin), digest_of(raw), len(raw), kind_of(origin), origin
        )
        for origin, raw in sorted(raws.items())
    )
    inventory = Inventory(1, listed)

    def read(one):
        return raws[one.origin]

    def snapshot(kind):
        found = {path: read(one) for path, one in source_paths(inventory.of(kind)).items()}
        return GrammarReader().snapshot(found, most=1000) if found else None

    source, good = snapshot(InputKind.SOURCE), snapshot(InputKind.GOOD_SOURCE)
    said = interpret(inventory, read)
    report = "\n".join(read(one).decode() for one in inventory.of(InputKind.REPORT))
    scores = Scores(said, report, CodeBase(source, good)) if source else None
    hypotheses = form_hypotheses(
        said,
        has_good_source=good is not None,
        has_configuration=bool(inventory.of(InputKind.CONFIG)),
    )
    return CaseView(inventory, read, said, hypotheses, source, good, scores, earlier)


def hypothesis(view, cause):
    """The id of the hypothesis of a class."""
    return next(one.id for one in view.hypotheses if one.cause_class is cause)


def check_quotes(view, look):
    """Every quote is what stands at its place, to the character."""
    texts = {one.digest: view.read(one) for one in view.inventory.inputs}
    for finding in look.findings:
        assert finding.quotes
        for quote in finding.quotes:
            assert quote.ref.at.cut(texts[quote.ref.blob].decode()) == quote.text
