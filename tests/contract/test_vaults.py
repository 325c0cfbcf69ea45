"""Every vault keeps the same promises."""

import pytest

from witmark.adapters.vault import FolderVault
from witmark.testing.vault_contract import VaultContract
from witmark.testing.vaults import MemoryVault


class TestMemoryVault(VaultContract):
    @pytest.fixture
    def filled(self):
        return MemoryVault


class TestFolderVault(VaultContract):
    @pytest.fixture
    def filled(self, tmp_path):
        def fill(notes):
            for path, raw in notes.items():
                (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / path).write_bytes(raw)
            return FolderVault(tmp_path)

        return fill
