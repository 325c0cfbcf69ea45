"""What a model is asked, in one canonical form, before anything is sent.

The form is ours and no provider's: an adapter turns it into its own dialect, and what it
makes of it on the wire decides nothing. Equal requests have equal digests.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from witmark.kernel.canon import Digest, canonical_json, digest_of

FORMAT = "witmark.model-request/1"
_OPERATION = "witmark.model-operation/2"

Plain = dict[str, object]


class Role(StrEnum):
    """Who says a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class ImageRef:
    """An image that is attached, by the digest of its bytes; never by an address."""

    digest: Digest
    media_type: str  # image/png, image/jpeg


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Role
    text: str
    images: tuple[ImageRef, ...] = ()


@dataclass(frozen=True, slots=True)
class OutputSchema:
    """The JSON Schema that a reply has to keep, and its name.

    Attributes:
        id: The wire format it belongs to, such as ``diagnosis-output-v1``.
        json: The schema itself.
    """

    id: str
    json: Mapping[str, object] = field(hash=False)

    @property
    def digest(self) -> Digest:
        """The name of the schema's canonical bytes."""
        return digest_of(canonical_json(self.json))


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in the currency that the settings name."""

    input_per_million: float
    output_per_million: float
    currency: str


@dataclass(frozen=True, slots=True)
class Profile:
    """One way to reach one model.

    A key is never here: ``key_env`` names the environment variable that holds it.
    ``addressed`` is the part that makes it another question; the rest is how it is reached.

    Attributes:
        name: What the settings call it.
        provider: The adapter: ``openai``, ``anthropic``, ``embedded`` or ``scripted``.
        model: The provider's name for the model.
        base_url: Where it is served; empty for the provider's own address.
        key_env: Which environment variable holds the key; empty for none.
        max_output_tokens: Where a reply is cut.
        temperature: ``None`` leaves it to the provider.
        seed: ``None`` sends none.
        timeout_s: For the whole request.
        retries: How often a failed transport is tried again.
        backoff_s: How long after the first failure; each further one waits twice as long.
        backoff_cap_s: And never longer than this, unless the provider asks for it.
        sends_schema: Whether the provider is told the schema; it is checked here anyway.
        takes_images: Whether images are sent; without, the request says how many it lacks.
        prices: For the ledger.
    """

    name: str
    provider: str
    model: str
    base_url: str = ""
    key_env: str = ""
    max_output_tokens: int = 2048
    temperature: float | None = 0.0
    seed: int | None = None
    timeout_s: float = 120.0
    retries: int = 2
    backoff_s: float = 2.0
    backoff_cap_s: float = 300.0
    sends_schema: bool = True
    takes_images: bool = False
    prices: Prices | None = field(default=None, compare=False)

    def to_plain(self) -> Plain:
        """Everything that makes it another way to ask; in this form it is recorded."""
        return {
            "backoff_cap_s": self.backoff_cap_s,
            "backoff_s": self.backoff_s,
            "base_url": self.base_url,
            "key_env": self.key_env,
            "model": self.model,
            "name": self.name,
            "parameters": {
                "max_output_tokens": self.max_output_tokens,
                "seed": self.seed,
                "temperature": self.temperature,
            },
            "provider": self.provider,
            "retries": self.retries,
            "sends_schema": self.sends_schema,
            "takes_images": self.takes_images,
            "timeout_s": self.timeout_s,
        }

    def addressed(self) -> Plain:
        """What is sent, and to whom.

        How long we wait, how often we try, where the key lies, what it costs and what the
        settings call it change no answer.
        """
        return {
            name: value for name, value in self.to_plain().items() if name not in _HOW_REACHED
        }

    def way(self) -> Plain:
        """Everything but the name: what there is to correct when no answer comes."""
        return way_of(self.to_plain())


_HOW_REACHED = {"backoff_cap_s", "backoff_s", "key_env", "name", "retries", "timeout_s"}


def way_of(recorded: Plain) -> Plain:
    """The same of a profile in its recorded form."""
    return {name: value for name, value in recorded.items() if name != "name"}


def profile_of(plain: Plain) -> Profile:
    """Read a profile back from its recorded form; prices are not part of it.

    Raises:
        KeyError, TypeError: it is not the form we write.
    """
    rest = {name: value for name, value in plain.items() if name != "parameters"}
    parameters = plain["parameters"]
    if not isinstance(parameters, dict):
        raise TypeError("parameters")
    return Profile(**{**rest, **parameters})


@dataclass(frozen=True, slots=True)
class Ask:
    """What a desk wants to know of a model, whichever model that will be.

    Attributes:
        subject: The run it belongs to; its calls share one record, and one dispatcher.
        question: Names the question inside the run.
        purpose: Which profiles are for it, such as ``answers.compose``.
        messages: What is said, the instructions first.
        schema: What a reply has to look like.
        prompt: The digest of the prompt file that the instructions come from.
        max_invalid_responses: How many invalid answers end the question, whatever the
            configuration, where the desk has frozen it itself. ``None`` takes the number of
            the settings, frozen by each operation when it is first sent.
    """

    subject: str
    question: str
    purpose: str
    messages: tuple[Message, ...]
    schema: OutputSchema
    prompt: Digest
    max_invalid_responses: int | None = None

    @property
    def images(self) -> tuple[ImageRef, ...]:
        """Every image that is attached, in order."""
        return tuple(image for message in self.messages for image in message.images)


@dataclass(frozen=True, slots=True)
class Request:
    """One attempt: the canonical request that is made durable, then sent to one provider."""

    question: str
    purpose: str
    messages: tuple[Message, ...]
    schema: OutputSchema
    prompt: Digest
    profile: Profile

    @property
    def digest(self) -> Digest:
        """The name of this exact request."""
        return digest_of(canonical_json(self.to_plain()))

    def to_plain(self) -> Plain:
        """The canonical form."""
        return {
            "format": FORMAT,
            "messages": messages_plain(self.messages),
            "profile": self.profile.to_plain(),
            "prompt": self.prompt,
            "purpose": self.purpose,
            "question": self.question,
            "schema": {"digest": self.schema.digest, "id": self.schema.id},
        }


def operation_of(ask: Ask, profiles: tuple[Profile, ...]) -> Digest:
    """Name the durable operation: this question, put to these providers in this order.

    What is sent and to whom makes it another; ``Profile.addressed`` says what that is.
    """
    addressed = [profile.addressed() for profile in profiles]
    return _named({"format": _OPERATION, **_asked(ask, addressed)})


def earlier_operation_of(ask: Ask, profiles: tuple[Profile, ...]) -> Digest:
    """The name that it had in earlier records: every setting but the prices was part of it.

    What was recorded under it goes on under it.
    """
    return _named(_asked(ask, [profile.to_plain() for profile in profiles]))


def _named(plain: Plain) -> Digest:
    return digest_of(canonical_json(plain))


def _asked(ask: Ask, profiles: list[Plain]) -> Plain:
    return {
        "messages": messages_plain(ask.messages),
        "profiles": profiles,
        "prompt": ask.prompt,
        "purpose": ask.purpose,
        "question": ask.question,
        "schema": {"digest": ask.schema.digest, "id": ask.schema.id},
    }


def messages_plain(messages: tuple[Message, ...]) -> list[Plain]:
    """Messages in their canonical form; an image is its digest and kind."""
    return [
        {
            "images": [{"digest": i.digest, "media_type": i.media_type} for i in one.images],
            "role": one.role.value,
            "text": one.text,
        }
        for one in messages
    ]
