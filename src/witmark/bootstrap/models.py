"""Wires the model gateway and fetches prompts; the desks get both as values."""

from collections.abc import Mapping
from importlib import resources

from witmark.adapters.clock import SystemClock
from witmark.adapters.providers.anthropic import AnthropicProvider
from witmark.adapters.providers.embedded import Analyst, EmbeddedProvider
from witmark.adapters.providers.openai import OpenAIProvider
from witmark.adapters.providers.scripted import ScriptedProvider
from witmark.bootstrap.settings import Settings
from witmark.kernel.errors import GarbledRecordError
from witmark.kernel.model.gateway import DurableGateway
from witmark.kernel.model.prompt import Prompt, read_prompt
from witmark.kernel.model.reply import Provider, Readers

__all__ = ["Analyst", "gateway_of", "prompt", "providers_of", "readers"]


def gateway_of(
    settings: Settings, *, embedded: Mapping[str, Analyst] | None = None
) -> DurableGateway | None:
    """The gateway that the settings ask for; ``None`` when they have no profile.

    Args:
        settings: As ``load_settings`` read them.
        embedded: The analysts of this process, by purpose, for profiles whose provider is
            ``embedded``.
    """
    if not settings.profiles:
        return None
    return DurableGateway(settings.models, providers_of(settings, embedded), SystemClock())


def providers_of(
    settings: Settings, embedded: Mapping[str, Analyst] | None = None
) -> dict[str, Provider]:
    """Every adapter by the name that a profile calls it. None loads its client yet."""
    return {
        "anthropic": AnthropicProvider(),
        "embedded": EmbeddedProvider(embedded or {}),
        "openai": OpenAIProvider(),
        "scripted": ScriptedProvider(folder=settings.folder),
    }


def readers() -> Readers:
    """Every adapter, to read what it answered once; no settings, network or key is needed."""
    return {
        "anthropic": AnthropicProvider(),
        "embedded": EmbeddedProvider({}),
        "openai": OpenAIProvider(),
        "scripted": ScriptedProvider(),
    }


def prompt(desk_package: str, name: str) -> Prompt:
    """A prompt of a desk, such as ``prompt("witmark.answers", "compose.v1.md")``.

    Raises:
        GarbledRecordError: the installation lacks it, or it is not one of ours.
    """
    file = resources.files(desk_package) / "prompts" / name
    try:
        return read_prompt(file.read_bytes(), name)
    except FileNotFoundError as error:
        hint = "install Witmark again"
        raise GarbledRecordError("no such prompt", place=name, hint=hint) from error
