"""How a report says what a model said: marked as a model's, beside the facts, never as one."""

from collections.abc import Iterator
from dataclasses import dataclass

from witmark.review import wire
from witmark.review.asking.talking import Took
from witmark.review.words import VERDICTS, Words

MARKED = Words("模型", "model")


@dataclass(frozen=True, slots=True)
class Remark:
    """What a model says of one verdict, in both languages; ``request`` is its source."""

    words: Words
    contradicts: bool
    request: str | None


def remarks(report: wire.ReviewV1) -> dict[str, tuple[Remark, ...]]:
    """What a model says, by the verdict it is about; empty without a model."""
    if report.model is None:
        return {}
    by = {one.subject: one for one in report.model.said}
    found: dict[str, tuple[Remark, ...]] = {}
    for opinion in report.model.opinions:
        said = by.get(opinion.subject) if opinion.subject else None
        found[opinion.verdict] = (*found.get(opinion.verdict, ()), *_remarks(opinion, said))
    return found


def _remarks(opinion: wire.ModelOpinion, said: wire.Said | None) -> Iterator[Remark]:
    if opinion.says is not None and said is not None:
        yield Remark(_said(opinion, said), opinion.agrees is False, said.request)
    if opinion.with_roles is not None:
        came = VERDICTS[opinion.with_roles]
        words = Words(
            f"若以模型推断的表面角色代替所缺事实：{came.zh}（推断，不计入结果）",
            f"With the roles that a model inferred in place of what is missing: {came.en} "
            "(inferred, not counted)",
        )
        yield Remark(words, contradicts=False, request=None)


def _said(opinion: wire.ModelOpinion, said: wire.Said) -> Words:
    verdict = VERDICTS[opinion.says or "undetermined"]
    tail = f"{opinion.reason} ({said.model}, {opinion.confidence:.2f})"
    match opinion.agrees:
        case True:
            lead = Words("模型同样认为", "The model agrees")
        case False:
            lead = Words(
                "模型另有看法（以事实为准）", "The model says otherwise (the facts decide)"
            )
        case None:
            lead = Words(
                "事实不足；模型的看法（推断，不计入结果）",
                "The facts leave it open; the model's opinion (inferred, not counted)",
            )
    return Words(f"{lead.zh}：{verdict.zh}。{tail}", f"{lead.en}: {verdict.en}. {tail}")


def ledger_words(report: wire.ReviewV1) -> Words | None:
    """What the calls took that the answers rest on, in one line; ``None`` without a model.

    Whoever reads a report cannot know in which run they were sent.
    """
    if report.model is None:
        return None
    put, calls = _put(report.model), _calls(report.model.ledger)
    return Words(f"{put.zh}；依据 {calls.zh}", f"{put.en}; they rest on {calls.en}")


def took_words(report: wire.ReviewV1, took: Took) -> Words | None:
    """What one run sent itself, and what it took from the record; ``None`` without a model."""
    if report.model is None:
        return None
    now = wire.ModelLedger.model_validate(took.now.to_plain())
    put, calls = _put(report.model), _calls(now)
    replies = "reply" if took.kept == 1 else "replies"
    return Words(
        f"{put.zh}；本次 {calls.zh}；沿用已存回答 {took.kept} 个",
        f"{put.en}; now {calls.en}; {took.kept} kept {replies} used",
    )


def _put(part: wire.ModelPart) -> Words:
    accepted = sum(one.outcome == "accepted" for one in part.said)
    asked = len(part.said)
    return Words(f"{asked} 个问题，采纳 {accepted}", f"{asked} questions, {accepted} accepted")


def _calls(led: wire.ModelLedger) -> Words:
    zh, en = f"{led.calls} 次调用", "1 call" if led.calls == 1 else f"{led.calls} calls"
    if not led.calls:
        return Words(zh, en)
    uncounted = led.withoutTokens
    is_counted = not uncounted or uncounted + led.failed < led.calls
    tokens_in, tokens_out = (
        str(count) if is_counted else "?" for count in (led.inputTokens, led.outputTokens)
    )
    zh += (
        f"（{led.refused} 次被拒，{led.failed} 次失败），"
        f"输入 {tokens_in} / 输出 {tokens_out} 词元，{led.durationMs} 毫秒"
    )
    en += (
        f" ({led.refused} refused, {led.failed} failed), "
        f"{tokens_in} tokens in, {tokens_out} out, {led.durationMs} ms"
    )
    costs = ", ".join(f"{amount:.6g} {currency}" for currency, amount in led.costs.items())
    if costs:
        zh, en = f"{zh}，费用 {costs}", f"{en}, cost {costs}"
    if unpriced := led.withoutCost:
        zh, en = f"{zh}，{unpriced} 次无价格", f"{en}, {unpriced} without a price"
    if uncounted and is_counted:
        zh, en = f"{zh}，{uncounted} 次未计词元", f"{en}, {uncounted} not counted"
    return Words(zh, en)


def contradictions(report: wire.ReviewV1) -> int:
    """How many verdicts a model contradicts."""
    return sum(one.agrees is False for one in report.model.opinions) if report.model else 0
