"""A published prompt never changes: a new wording is a new file, with a digest of its own."""

import json
from pathlib import Path

import pytest

from witmark.kernel.canon import digest_of
from witmark.kernel.model.prompt import read_prompt

SOURCE = Path(__file__).parents[2] / "src" / "witmark"
GOLDEN = Path(__file__).parents[1] / "golden" / "prompts.json"
FILES = sorted(SOURCE.glob("*/prompts/*.md"))


@pytest.mark.clause("ANS-MOD-01")
def test_every_prompt_is_the_one_that_was_published():
    pinned = json.loads(GOLDEN.read_text("utf-8"))
    assert list(pinned) == sorted(pinned)
    found = {str(file.relative_to(SOURCE)): digest_of(file.read_bytes()) for file in FILES}
    assert found.items() <= pinned.items()  # an earlier wording keeps its pin, not its file


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_prompt_reads_and_is_for_its_own_desk(file):
    prompt = read_prompt(file.read_bytes(), file.name)
    assert prompt.purpose.partition(".")[0] == file.parts[-3]
