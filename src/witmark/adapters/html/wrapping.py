"""What is around a page: its head, and the policy that lets nothing in or out.

The content policy lets the browser run exactly the style and the script whose hashes it names,
show pictures that travel in the page, and load nothing at all.
"""

from base64 import b64encode
from hashlib import sha256

from witmark.adapters.html.markup import Html, el, raw


def head(title: str, style: str, script: str, *, more_policy: str = "") -> Html:
    """The head of a page with its own style and script.

    Args:
        title: Of the page, without our name.
        style: The whole style.
        script: The whole script.
        more_policy: Further directives of the policy, each with ``; `` in front.
    """
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
        f"script-src {_hash(script)}; base-uri 'none'; form-action 'none'{more_policy}"
    )
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", title, " – Witmark"),
        el("style", raw(style)),
    )


def _hash(asset: str) -> str:
    return f"'sha256-{b64encode(sha256(asset.encode()).digest()).decode()}'"
