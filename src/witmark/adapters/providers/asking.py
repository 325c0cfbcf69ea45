"""Our canonical request in the words of pydantic-ai, and its answers in ours.

Only its ``direct`` requests are used: it turns messages and schemas into a provider's dialect
and reads that dialect. It decides nothing: no agent, no fallback, no retry, no telemetry.
"""

import re
import warnings
from contextlib import suppress
from dataclasses import replace

import httpx2
from anthropic import AnthropicError
from openai import OpenAIError
from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from witmark.adapters.providers.door import KeptError
from witmark.kernel.canon import Digest
from witmark.kernel.model.reply import Finish, LoadImage, Reply, Usage
from witmark.kernel.model.request import Message, Profile, Request, Role

# what they tell a programmer is nothing for who reads our output, and it may quote a server
warnings.filterwarnings("ignore", module=r"(pydantic_ai|openai|anthropic)\b")

_LIBRARY_ERRORS = (RuntimeError, OpenAIError, AnthropicError, httpx2.InvalidURL)
"""Every error of pydantic-ai is a ``RuntimeError``."""

_STUMBLES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What the libraries raise over an answer of a form that they did not expect."""

_FINISHES = {"stop": Finish.STOP, "length": Finish.LENGTH, "content_filter": Finish.REFUSAL}


async def ask(model: Model, request: Request, load: LoadImage) -> str:
    """Put the request to a model whose transport is a door; say how the library ended.

    What came of it is the door's to say: it saw the wire, and the library only its shadow.
    """
    messages = [_said(message, load) for message in request.messages]
    try:
        await model_request(
            model,
            messages,
            model_settings=_settings(request.profile, request.digest),
            model_request_parameters=_parameters(request),
            instrument=False,
        )
    except (KeptError, *_LIBRARY_ERRORS) as error:
        return type(error).__name__
    return "nothing was sent"


async def rehearse(model: Model, request: Request) -> None:
    """Put the words of a request to a model whose transport gives back what was kept.

    Nothing comes of it but that the library has loaded whatever it loads when it is first used.
    """
    words = [replace(message, images=()) for message in request.messages]
    with suppress(*_STUMBLES):
        await ask(model, replace(request, messages=tuple(words)), _no_image)


def _no_image(digest: Digest) -> bytes:
    raise AssertionError(f"{digest} is shown in a rehearsal")


async def hear(model: Model) -> Reply | None:
    """Read the answer that the model's transport has kept; ``None`` if it has not its form.

    What is asked plays no part.
    """
    nothing = ModelRequest([UserPromptPart("")])
    try:
        return _reply(await model_request(model, [nothing], instrument=False))
    except (*_LIBRARY_ERRORS, *_STUMBLES):
        return None


def _said(message: Message, load: LoadImage) -> ModelMessage:
    match message.role:
        case Role.SYSTEM:
            return ModelRequest([SystemPromptPart(message.text)])
        case Role.ASSISTANT:
            return ModelResponse([TextPart(message.text)])
        case Role.USER:
            shown = [
                BinaryContent(load(image.digest), media_type=image.media_type)
                for image in message.images
            ]
            content: list[UserContent] = [message.text, *shown] if message.text else [*shown]
            return ModelRequest([UserPromptPart(content if shown else message.text)])


def _settings(profile: Profile, digest: str) -> ModelSettings:
    settings = ModelSettings(
        max_tokens=profile.max_output_tokens, extra_headers={"Idempotency-Key": digest}
    )
    if profile.temperature is not None:
        settings["temperature"] = profile.temperature
    if profile.seed is not None:
        settings["seed"] = profile.seed
    return settings


def _parameters(request: Request) -> ModelRequestParameters:
    if not request.profile.sends_schema:
        return ModelRequestParameters()
    name = re.sub(r"[^A-Za-z0-9_-]", "-", request.schema.id)[:64] or "reply"
    schema = OutputObjectDefinition(dict(request.schema.json), name=name, strict=True)
    return ModelRequestParameters(output_mode="native", output_object=schema)


def _reply(response: ModelResponse) -> Reply:
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    finish = _FINISHES.get(response.finish_reason or "", Finish.OTHER)
    if any(isinstance(part, ToolCallPart) for part in response.parts):
        finish = Finish.OTHER
    declined = (response.provider_details or {}).get("refusal")
    if isinstance(declined, str):
        texts, finish = [declined], Finish.REFUSAL
    model = response.model_name
    return Reply(
        "".join(texts), finish, model if isinstance(model, str) else "", _usage(response)
    )


def _usage(response: ModelResponse) -> Usage:
    asked, answered = response.usage.input_tokens, response.usage.output_tokens
    if not asked and not answered:  # no question has none: the provider does not say
        return Usage()
    return Usage(_count(asked), _count(answered))


def _count(said: object) -> int | None:
    """The libraries hand on what came, and a server may count in anything."""
    return said if type(said) is int and said >= 0 else None
