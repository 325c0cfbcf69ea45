"""A prompt file says what it is for, and its digest is that of every byte of it."""

import pytest

from witmark.kernel.canon import digest_of
from witmark.kernel.errors import GarbledRecordError
from witmark.kernel.model.prompt import read_prompt

FILE = b"---\npurpose: test.ask\ninputs: question, exhibits\noutput: test/1\n---\n\nAnswer.\n"


def test_a_prompt_is_read_with_what_it_is_for():
    prompt = read_prompt(FILE, "ask.v1.md")
    assert (prompt.purpose, prompt.inputs, prompt.output) == (
        "test.ask",
        ("question", "exhibits"),
        "test/1",
    )
    assert prompt.text == "Answer."
    assert prompt.digest == digest_of(FILE)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"Answer.", "ask.v1.md"),
        (FILE, "ask.md"),
        (FILE.replace(b"inputs", b"input"), "ask.v1.md"),
        (FILE.replace(b"Answer.\n", b""), "ask.v1.md"),
    ],
)
def test_what_is_no_prompt_file_is_refused(raw, name):
    with pytest.raises(GarbledRecordError, match=name.replace(".", r"\.")):
        read_prompt(raw, name)
