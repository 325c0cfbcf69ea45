"""The answer of a provider that needs no network, as bytes: what is kept and read again."""

import json

from witmark.kernel.model.reply import Finish, Raw, Reply, Unreadable, Usage
from witmark.kernel.model.request import Request

FORMAT = "witmark.spoken/1"


def spoken(reply: Reply) -> Raw:
    """Write a reply down; ``read_spoken`` gives it back to the last sign."""
    body = {
        "finish": reply.finish.value,
        "format": FORMAT,
        "input_tokens": reply.usage.input_tokens,
        "model": reply.model,
        "output_tokens": reply.usage.output_tokens,
        "text": reply.text,
    }
    return Raw(json.dumps(body, sort_keys=True, separators=(",", ":")).encode())


def read_spoken(raw: Raw, _request: Request) -> Reply | Unreadable:
    """Read what ``spoken`` wrote; anything else is unreadable."""
    try:
        body = json.loads(raw.body)
    except (ValueError, RecursionError):
        return Unreadable("the answer is no JSON")
    match body:
        case {
            "finish": str(finish),
            "format": str(found),
            "input_tokens": (int() | None) as asked,
            "model": str(model),
            "output_tokens": (int() | None) as answered,
            "text": str(text),
        } if found == FORMAT and finish in set(Finish):
            return Reply(text, Finish(finish), model, Usage(asked, answered))
        case _:
            return Unreadable(f"the answer is no {FORMAT}")
