"""Anthropic's messages."""

from typing import TYPE_CHECKING

from witmark.adapters.providers.remote import NO_KEY, UNBOUNDED_S, RemoteProvider

if TYPE_CHECKING:
    from pydantic_ai.models import Model


class AnthropicProvider(RemoteProvider):
    """Sends messages. Keeps ``kernel.model.reply.Provider``."""

    default_url = "https://api.anthropic.com"

    def auth_header(self, key: str) -> tuple[str, str]:
        """The key, as Anthropic wants it."""
        return "x-api-key", key

    def model(self, name: str, url: str) -> "Model":
        """A model of pydantic-ai over the SDK, which tries nothing again."""
        from anthropic import AsyncAnthropic  # noqa: PLC0415 - takes seconds to load
        from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
        from pydantic_ai.profiles.anthropic import AnthropicModelProfile  # noqa: PLC0415
        from pydantic_ai.providers.anthropic import AnthropicProvider as Dialect  # noqa: PLC0415

        from witmark.adapters.providers.door import client, longer_than_any  # noqa: PLC0415

        sdk = AsyncAnthropic(
            api_key=NO_KEY,
            base_url=url,
            max_retries=0,
            timeout=UNBOUNDED_S,
            open_telemetry=False,
            http_client=client(),
        )
        traits = AnthropicModelProfile(
            context_window=None,
            may_tokenize_special_tokens_in_content=False,  # what is said is not touched
            supports_json_schema_output=True,  # the profile in the settings decides
            thinking_tags=(longer_than_any(), ">"),
        )
        return AnthropicModel(name, provider=Dialect(anthropic_client=sdk), profile=traits)
