"""Every provider keeps the same promises: those in this process and those over the network."""

import pytest

from witmark.adapters.providers.anthropic import AnthropicProvider
from witmark.adapters.providers.embedded import EmbeddedProvider
from witmark.adapters.providers.openai import OpenAIProvider
from witmark.adapters.providers.scripted import Row, ScriptedProvider
from witmark.kernel.model.reply import Finish, Reply
from witmark.kernel.model.request import Profile
from witmark.testing.provider_contract import (
    Arranged,
    ProviderContract,
    RemoteProviderContract,
)

pytestmark = pytest.mark.clause("KER-MOD-16", "KER-MOD-17", "KER-MOD-22", "KER-MOD-25")


class TestEmbedded(ProviderContract):
    @pytest.fixture
    def arrange(self):
        def said(text):
            provider = EmbeddedProvider({"test.ask": lambda _request: text})
            return Arranged(provider, Profile("p", "embedded", "rules"))

        return said


class TestScripted(ProviderContract):
    @pytest.fixture
    def arrange(self):
        def said(text):
            provider = ScriptedProvider((Row("test", (Reply(text, Finish.STOP, ""),)),))
            return Arranged(provider, Profile("p", "scripted", "script"))

        return said


class TestOpenAI(RemoteProviderContract):
    @pytest.fixture
    def dialect(self):
        return "openai"

    @pytest.fixture
    def provider(self):
        return OpenAIProvider


class TestAnthropic(RemoteProviderContract):
    @pytest.fixture
    def dialect(self):
        return "anthropic"

    @pytest.fixture
    def provider(self):
        return AnthropicProvider
