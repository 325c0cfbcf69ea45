"""What the model calls of a run took: requests, tokens, time, and money where prices are known.

The names are those of the OpenTelemetry semantic conventions for generative AI
(``gen_ai.*``, ``error.type``); what they do not name begins with ``witmark.``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from witmark.kernel.canon import rounded
from witmark.kernel.model.record import Event, Failed, Judged, Replied, Sent
from witmark.kernel.model.reply import Usage
from witmark.kernel.model.request import Plain, Prices

_UNCOUNTED = Usage()
ACCEPTED, REFUSED, UNJUDGED, LOST = "accepted", "refused", "unjudged", "lost"


@dataclass(frozen=True, slots=True)
class Call:
    """One request that was sent, and what it came to.

    Attributes:
        sent: The attempt.
        end: ``accepted``, ``refused``, ``unjudged``, ``lost``, or the code of a failure.
        took_ms: From sending to the answer or the failure; ``None`` when lost.
        response_model: What answered, as the provider names it; empty without an answer.
        finish: Why it stopped; empty without an answer.
        usage: Tokens, as far as the provider counts them.
    """

    sent: Sent
    end: str
    took_ms: int | None
    response_model: str = ""
    finish: str = ""
    usage: Usage = _UNCOUNTED

    @property
    def cost(self) -> float | None:
        """What it cost by its profile's prices; ``None`` if a price or a count is unknown."""
        prices, tokens = self.sent.prices, self.usage
        if prices is None or tokens.input_tokens is None or tokens.output_tokens is None:
            return None
        return rounded(_cost(prices, tokens.input_tokens, tokens.output_tokens))

    @property
    def is_counted(self) -> bool:
        """Whether the provider says how many tokens it read and how many it wrote."""
        return None not in (self.usage.input_tokens, self.usage.output_tokens)

    def to_plain(self) -> Plain:
        """The call as attributes of a span; what is not known is left out."""
        request, profile = self.sent.canonical, _part(self.sent.canonical, "profile")
        parameters = _part(profile, "parameters")
        known = {
            "error.type": None if self.end in {ACCEPTED, REFUSED, UNJUDGED} else self.end,
            "gen_ai.operation.name": "chat",
            "gen_ai.output.type": "json",
            "gen_ai.provider.name": profile["provider"],
            "gen_ai.request.max_tokens": parameters["max_output_tokens"],
            "gen_ai.request.model": profile["model"],
            "gen_ai.request.seed": parameters["seed"],
            "gen_ai.request.temperature": parameters["temperature"],
            "gen_ai.response.finish_reasons": [self.finish] if self.finish else None,
            "gen_ai.response.model": self.response_model or None,
            "gen_ai.usage.input_tokens": self.usage.input_tokens,
            "gen_ai.usage.output_tokens": self.usage.output_tokens,
            "witmark.attempt": self.sent.attempt,
            "witmark.cost": self.cost,
            "witmark.cost.currency": (
                None if self.cost is None else _currency(self.sent.prices)
            ),
            "witmark.duration_ms": self.took_ms,
            "witmark.end": self.end,
            "witmark.operation": self.sent.operation,
            "witmark.profile": profile["name"],
            "witmark.purpose": request["purpose"],
            "witmark.question": self.sent.question,
            "witmark.request": self.sent.request,
        }
        return {name: value for name, value in known.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Total:
    """Several calls together."""

    calls: int
    accepted: int
    refused: int
    failed: int
    input_tokens: int
    output_tokens: int
    took_ms: int
    costs: tuple[tuple[str, float], ...]
    """Currency and amount, sorted; only calls whose cost is known are in it."""
    without_cost: int
    """Answered calls whose cost is not known."""
    without_tokens: int
    """Answered calls whose tokens the provider did not count, or not all of them; what is
    known of them is in the sums."""

    def to_plain(self) -> Plain:
        """Plain data for a record or an export."""
        return {
            "accepted": self.accepted,
            "calls": self.calls,
            "costs": dict(self.costs),
            "durationMs": self.took_ms,
            "failed": self.failed,
            "inputTokens": self.input_tokens,
            "outputTokens": self.output_tokens,
            "refused": self.refused,
            "withoutCost": self.without_cost,
            "withoutTokens": self.without_tokens,
        }


def calls_of(events: Iterable[Event]) -> tuple[Call, ...]:
    """Every request that a run sent, in order."""
    sent: list[Sent] = []
    ends: dict[tuple[str, int], list[Event]] = {}
    for event in events:
        match event:
            case Sent():
                sent.append(event)
            case Failed() | Replied() | Judged():
                ends.setdefault((event.operation, event.attempt), []).append(event)
            case _:
                pass
    return tuple(_call(one, ends.get((one.operation, one.attempt), [])) for one in sent)


def total_of(calls: Sequence[Call]) -> Total:
    """Add calls up."""
    costs: dict[str, float] = {}
    for call in calls:
        if call.cost is not None:
            currency = _currency(call.sent.prices)
            costs[currency] = costs.get(currency, 0.0) + call.cost
    ends = [call.end for call in calls]
    answered = [call for call in calls if call.end in {ACCEPTED, REFUSED, UNJUDGED}]
    return Total(
        len(calls),
        ends.count(ACCEPTED),
        ends.count(REFUSED),
        len(calls) - len(answered),
        sum(call.usage.input_tokens or 0 for call in calls),
        sum(call.usage.output_tokens or 0 for call in calls),
        sum(call.took_ms or 0 for call in calls),
        tuple(sorted((currency, rounded(cost)) for currency, cost in costs.items())),
        sum(call.cost is None for call in answered),
        sum(not call.is_counted for call in answered),
    )


def _call(sent: Sent, ends: list[Event]) -> Call:
    call = Call(sent, LOST, None)
    for end in ends:
        match end:
            case Failed():
                took_ms = None if end.failure.code == LOST else end.at_ms - sent.at_ms
                call = Call(sent, end.failure.code, took_ms)
            case Replied():
                call = Call(sent, UNJUDGED, end.at_ms - sent.at_ms)
            case Judged(reply=reply, is_admitted=is_admitted):
                how = ACCEPTED if is_admitted else REFUSED
                if reply is None:
                    call = Call(sent, how, call.took_ms)
                else:
                    told = (reply.model, reply.finish.value, reply.usage)
                    call = Call(sent, how, call.took_ms, *told)
            case _:
                pass
    return call


def _cost(prices: Prices, input_tokens: int, output_tokens: int) -> float:
    spent = input_tokens * prices.input_per_million + output_tokens * prices.output_per_million
    return spent / 1e6


def _currency(prices: Prices | None) -> str:
    return "" if prices is None else prices.currency


def _part(plain: Plain, name: str) -> Plain:
    found = plain[name]
    return found if isinstance(found, dict) else {}
