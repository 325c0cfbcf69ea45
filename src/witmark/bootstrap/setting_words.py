"""What each setting of ``[models]`` must be, in the words of whoever has to mend the file.

The validator's own words name its types and sometimes its inner paths; these name what may
stand there. A value is never repeated: it may be a key in the wrong place.
"""

from collections.abc import Mapping, Sequence

_SECONDS = "a number of seconds from 0 to 86400"
_FLAG = "true or false"
_PRICE = "a number from 0 on: the price of a million tokens"

TOP = {"models": "a table: [models]"}
MODELS = {
    "max_request_bytes": "a whole number from 1 on, in bytes",
    "max_invalid_responses": "a whole number from 1 on",
    "profiles": "tables: [models.profiles.NAME]",
    "use": "a table: [models.use]",
}
PROFILE = {
    "provider": '"openai", "anthropic", "embedded" or "scripted"',
    "model": "a text that is not empty: the provider's name for the model",
    "base_url": "a text: an http or https address, or the file of a script",
    "key_env": "the name of an environment variable: letters, digits and _, no digit first",
    "max_output_tokens": "a whole number from 1 on, in tokens",
    "temperature": 'a number from 0 to 2, or "unset"',
    "seed": "a whole number",
    "timeout_s": "a number of seconds above 0, at most 86400",
    "retries": "a whole number from 0 on",
    "backoff_s": _SECONDS,
    "backoff_cap_s": _SECONDS,
    "sends_schema": _FLAG,
    "takes_images": _FLAG,
    "prices": "a table: { input_per_million, output_per_million, currency }",
}
PRICES = {
    "input_per_million": _PRICE,
    "output_per_million": _PRICE,
    "currency": 'three capital letters, such as "EUR"',
}
USE = "a list of one or more names of profiles"


def place_and_kin(loc: Sequence[object]) -> tuple[str, str, Mapping[str, str]]:
    """Where a setting stands, what it must be, and the settings that stand beside it.

    The validator's steps below a setting are left out: they are ours, and not in the file.

    >>> place_and_kin(("models", "profiles", "a", "temperature", "constrained-float"))[:2]
    ('models.profiles.a.temperature', 'a number from 0 to 2, or "unset"')
    >>> place_and_kin(("models", "use", "review", 0))[0]
    'models.use.review'
    """
    match [str(step) for step in loc]:
        case ["models", "use", purpose, *_]:
            return f"models.use.{purpose}", USE, {}
        case ["models", "profiles", name, "prices", key, *_]:
            return f"models.profiles.{name}.prices.{key}", PRICES.get(key, ""), PRICES
        case ["models", "profiles", name, key, *_]:
            return f"models.profiles.{name}.{key}", PROFILE.get(key, ""), PROFILE
        case ["models", "profiles", name]:
            return f"models.profiles.{name}", f"a table: [models.profiles.{name}]", {}
        case ["models", key, *_]:
            return f"models.{key}", MODELS.get(key, ""), MODELS
        case steps:
            return ".".join(steps), TOP.get(".".join(steps), ""), TOP
