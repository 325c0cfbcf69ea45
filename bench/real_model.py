"""A small real model at each desk: what it replies is let in only if it breaks no gate.

SmolLM2 (135M) is served on loopback by llama.cpp, and asked each desk's own question through
the OpenAI adapter and the durable gateway, under another seed each time. The desk's judge lets
its replies in or refuses them; whatever it lets in is held to a second, independently written
oracle. Beforehand each desk is given a good reply by a model that is played, and has to
publish it.

Two replies to each question; ``--full``: twenty, an hour or more of wall time. Limits:
0 let in that break a gate, 0 unanswered, every good reply published, prompts of at most 1,500
tokens, and room in a reply for the longest good one. How many are refused tells how much of an
adversary so small a model is; it has no limit.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bench import small_model
from bench.common import Stopwatch, finish, options
from bench.model_grounds import Ground, grounds
from witmark.adapters.providers.openai import OpenAIProvider
from witmark.kernel.journal import read_journal
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.record import Judged, events_of
from witmark.kernel.model.reply import Reply
from witmark.kernel.model.request import Profile
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import SteadyClock

REPLIES, REPLIES_FULL = 2, 20
MOST_PROMPT_TOKENS = 1_500
MOST_REPLY_TOKENS, MOST_REPLY_TOKENS_FULL = 448, 1_024


@dataclass
class Tally:
    """What the replies to one question came to."""

    accepted: int = 0
    refused: int = 0
    cut: int = 0  # of the refused: the reply ended at the limit, in the middle of its JSON
    unanswered: int = 0
    broken: int = 0  # let in, and the oracle says that a gate is broken
    strict: int = 0  # refused, and the oracle would let it in
    prompt_tokens: int = 0  # of the longest
    reply_tokens: int = 0


def main(argv: Sequence[str] | None = None) -> int:
    """Serve, ask, judge; print what came of it."""
    chosen, watch = options(argv, __doc__), Stopwatch()
    replies = REPLIES_FULL if chosen.full else REPLIES
    tokens = MOST_REPLY_TOKENS_FULL if chosen.full else MOST_REPLY_TOKENS
    asked = grounds()
    unpublished = [
        one.purpose
        for one in asked
        if not (one.is_published and all(one.admits(g) and one.is_sound(g) for g in one.good))
    ]
    with small_model.serving() as url:
        longest = max(small_model.tokens_of(url, good) for one in asked for good in one.good)
        tallies = {one.purpose: _asked(one, url, replies, tokens) for one in asked}
    for purpose, tally in tallies.items():
        print(f"{purpose}: {tally.accepted} accepted, {tally.refused} refused, {tally}")
    figures = {
        "accepted": {name: one.accepted for name, one in tallies.items()},
        "refused": {name: one.refused for name, one in tallies.items()},
        "cut": {name: one.cut for name, one in tallies.items()},
        "prompt_tokens": {name: one.prompt_tokens for name, one in tallies.items()},
        "reply_tokens": {name: one.reply_tokens for name, one in tallies.items()},
        "stricter_than_oracle": sum(one.strict for one in tallies.values()),
        "broken": sum(one.broken for one in tallies.values()),
        "unanswered": sum(one.unanswered for one in tallies.values()),
        "good_unpublished": unpublished,
        "longest_prompt": max(one.prompt_tokens for one in tallies.values()),
        "longest_good_reply": longest,
    }
    exact = {"broken": 0, "unanswered": 0, "good_unpublished": []}
    most = {"longest_prompt": MOST_PROMPT_TOKENS, "longest_good_reply": tokens}
    ok = all(figures[name] == limit for name, limit in exact.items())
    ok = ok and figures["longest_prompt"] <= MOST_PROMPT_TOKENS and longest <= tokens
    limits = {**exact, **most}
    n = replies * len(asked)
    return finish("real_model", watch, figures=figures, limits=limits, n=n, ok=ok)


def _asked(ground: Ground, url: str, replies: int, tokens: int) -> Tally:
    tally = Tally()
    provider = OpenAIProvider()
    for seed in range(replies):
        judged = _once(ground, _profile(url, seed, tokens), provider)
        if judged is None or judged.reply is None:
            tally.unanswered += 1
        else:
            _count(tally, ground, judged.reply, is_admitted=judged.is_admitted)
            print(
                f"{ground.purpose}, seed {seed}: {judged.feedback or 'accepted'}"[:200],
                flush=True,
            )
    return tally


def _profile(url: str, seed: int, tokens: int) -> Profile:
    return Profile(
        "small",
        "openai",
        small_model.ALIAS,
        base_url=url,
        max_output_tokens=tokens,
        temperature=0.8,
        seed=seed,
        retries=0,
        timeout_s=600.0,  # a busy machine is slow, and not wrong
    )


def _once(ground: Ground, profile: Profile, provider: OpenAIProvider) -> Judged | None:
    """One reply through the whole gateway; ``None`` if nothing was judged."""
    gateway = DurableGateway(
        ModelRoutes({"*": (profile,)}), {"openai": provider}, SteadyClock()
    )
    disk = MemoryDisk()
    ask = replace(ground.ask, max_invalid_responses=1)
    outcome = asyncio.run(gateway.dispatch(ask, ground.judge, disk))
    events = events_of(read_journal(disk, ask.subject), place=ask.subject)
    found = next((one for one in events if isinstance(one, Judged)), None)
    if found is None:
        print(f"{ground.purpose}: nothing was judged: {outcome}")
    return found


def _count(tally: Tally, ground: Ground, reply: Reply, *, is_admitted: bool) -> None:
    is_sound = ground.is_sound(reply.text)
    tally.accepted += is_admitted
    tally.refused += not is_admitted
    tally.cut += reply.finish.value == "length"
    tally.prompt_tokens = max(tally.prompt_tokens, reply.usage.input_tokens or 0)
    tally.reply_tokens += reply.usage.output_tokens or 0
    if is_admitted and not is_sound:
        tally.broken += 1
        print(f"{ground.purpose}: let in, and it breaks a gate: {reply.text!a}")
    tally.strict += is_sound and not is_admitted


if __name__ == "__main__":
    sys.exit(main())
