"""Texts come back as they were, kept as they are or packed."""

import pytest

from witmark.adapters.sqlite.note_rows import WORTH_PACKING, pack_text, unpack_text


@pytest.mark.parametrize("text", ["", "x", "x\x00y", "\ufeffa\r\n", "孔" * 3000, "x" * 5000])
def test_a_text_comes_back(text: str) -> None:
    assert unpack_text(pack_text(text)) == text


def test_only_long_texts_are_packed() -> None:
    assert pack_text("a" * (WORTH_PACKING - 1)) == "a" * (WORTH_PACKING - 1)
    assert len(pack_text("a" * WORTH_PACKING)) < WORTH_PACKING // 2
