"""Anthropic's messages."""

from typing import TYPE_CHECKING

from witmark.adapters.providers.remote import NO_KEY, RemoteProvider
from witmark.kernel.model.request import Profile

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport
    from pydantic_ai.models import Model


class AnthropicProvider(RemoteProvider):
    """Sends messages. Keeps ``kernel.model.reply.Provider``."""

    default_url = "https://api.anthropic.com"

    def auth_header(self, key: str) -> tuple[str, str]:
        """The key, as Anthropic wants it."""
        return "x-api-key", key

    def model(
        self, profile: Profile, url: str, transport: "AsyncBaseTransport", longest: int
    ) -> "Model":
        """A model of pydantic-ai over the SDK, which tries nothing again."""
        from anthropic import AsyncAnthropic  # noqa: PLC0415 - takes seconds to load
        from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
        from pydantic_ai.profiles.anthropic import AnthropicModelProfile  # noqa: PLC0415
        from pydantic_ai.providers.anthropic import AnthropicProvider as Dialect  # noqa: PLC0415

        from witmark.adapters.providers.door import client_of  # noqa: PLC0415

        client = AsyncAnthropic(
            api_key=NO_KEY,
            base_url=url,
            max_retries=0,
            timeout=profile.timeout_s,
            open_telemetry=False,
            http_client=client_of(transport),
        )
        traits = AnthropicModelProfile(
            context_window=None,
            may_tokenize_special_tokens_in_content=False,  # what is said is not touched
            supports_json_schema_output=True,  # the profile in the settings decides
            thinking_tags=("<" * (longest + 1), ">"),
        )
        return AnthropicModel(
            profile.model, provider=Dialect(anthropic_client=client), profile=traits
        )
