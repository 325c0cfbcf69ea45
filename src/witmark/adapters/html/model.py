"""What a model said: beside the verdict it is about, and a section that says who said what."""

from collections.abc import Mapping

from witmark.adapters.html.markup import Html, both, el, join, name
from witmark.adapters.html.phrases import phrase
from witmark.adapters.html.pieces import folded, heading, pairs
from witmark.review import wire
from witmark.review.remarking import Remark, ledger_words, remarks
from witmark.review.words import Words

Remarks = Mapping[str, Html]


def remarks_of(report: wire.ReviewV1) -> Remarks:
    """The remark under each verdict that has one."""
    return {verdict: join(*map(_remark, said)) for verdict, said in remarks(report).items()}


def model(report: wire.ReviewV1) -> Html:
    """Who was asked what, what came of it, what it took; nothing without a model."""
    part, took = report.model, ledger_words(report)
    if part is None or took is None:
        return join()
    return el(
        "section.model",
        heading(2, "model"),
        el("p.lead", both(phrase("model_lead"))),
        pairs([(both(phrase("model_ledger")), both(took))], "identity"),
        _roles(part),
        _units(part),
        _said(part),
    )


def _remark(remark: Remark) -> Html:
    said = el("b", both(remark.words)) if remark.contradicts else both(remark.words)
    source = el("code.digest", remark.request) if remark.request else join()
    return el("p.note", said, " ", source)


def _roles(part: wire.ModelPart) -> Html:
    if not part.roles:
        return join()
    rows = [
        el(
            "tr",
            el("th", name(one.component_name), scope="row"),
            el("td", both(Words(one.semantic_location, one.semantic_location_en))),
            el("td", one.inferred_role, f" ({one.confidence:.2f})"),
            el("td", one.reason),
        )
        for one in part.roles
    ]
    head = [both(phrase(k)) for k in ("part", "where", "model_role", "reason")]
    return folded(rows, head, phrase("model_role"), "plain")


def _units(part: wire.ModelPart) -> Html:
    if not part.units:
        return join()
    rows = [
        el(
            "tr",
            el("td", both(Words(one.retrieval_sentence, one.retrieval_sentence_en))),
            el("td", "; ".join(one.inferred_functions)),
            el("td", one.primary_view),
        )
        for one in part.units
    ]
    head = [both(phrase(k)) for k in ("model_unit", "model_functions", "model_view")]
    return folded(rows, head, phrase("model_unit"), "plain")


def _said(part: wire.ModelPart) -> Html:
    rows = [
        el(
            "tr",
            el("td", one.purpose),
            el("td", one.outcome, f" ({one.because})" if one.because else ""),
            el("td", name(one.model) if one.model else join()),
            el("td", el("code.digest", one.request) if one.request else join()),
        )
        for one in part.said
    ]
    head = [both(phrase(k)) for k in ("model_purpose", "answer", "model_name", "model_request")]
    return folded(rows, head, phrase("model"), "plain")
