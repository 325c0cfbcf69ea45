"""Whoever speaks OpenAI's chat completions: OpenAI, Ollama, vLLM, llama.cpp and many more."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from witmark.adapters.providers.remote import NO_KEY, UNBOUNDED_S, RemoteProvider

if TYPE_CHECKING:
    from pydantic_ai.models import Model

_HOSTED = (".openai.com", ".azure.com")
"""Who calls the limit of a reply ``max_completion_tokens``; all others read ``max_tokens``."""


class OpenAIProvider(RemoteProvider):
    """Sends chat completions. Keeps ``kernel.model.reply.Provider``."""

    default_url = "https://api.openai.com/v1"

    def auth_header(self, key: str) -> tuple[str, str]:
        """The key, as a bearer."""
        return "authorization", f"Bearer {key}"

    def model(self, name: str, url: str) -> "Model":
        """A model of pydantic-ai over the SDK, which tries nothing again."""
        from openai import AsyncOpenAI  # noqa: PLC0415 - takes seconds to load
        from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
        from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415
        from pydantic_ai.providers.openai import OpenAIProvider as Dialect  # noqa: PLC0415

        from witmark.adapters.providers.door import client, longer_than_any  # noqa: PLC0415

        sdk = AsyncOpenAI(
            api_key=NO_KEY,
            base_url=url,
            max_retries=0,
            timeout=UNBOUNDED_S,
            http_client=client(),
        )
        host = urlsplit(url).hostname or ""
        traits = OpenAIModelProfile(
            context_window=None,
            may_tokenize_special_tokens_in_content=False,  # what is said is not touched
            openai_chat_supports_max_completion_tokens=host.endswith(_HOSTED),
            supports_json_schema_output=True,  # the profile in the settings decides
            thinking_tags=(longer_than_any(), ">"),
        )
        return OpenAIChatModel(name, provider=Dialect(openai_client=sdk), profile=traits)
