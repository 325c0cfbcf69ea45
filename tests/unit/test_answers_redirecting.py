"""A moved note is answered from where it stands now, both are cited (ANS-PUB-10)."""

import pytest
from whole_desk import asked, cited

pytestmark = pytest.mark.clause("ANS-PUB-10")

NOTES = {
    "Unsafe Rust.md": "# Unsafe Rust\n\nThis page has moved to [[Raw access]].\n",
    "Raw access.md": "# Raw access\n\nRaw access is the part that skips the memory checks.\n\n"
    "## How to use it\n\n1. Open a block.\n2. Call the function.\n",
}
HAN_NOTES = {
    "旧水杯.md": "# 旧水杯\n\n本页已移至 [[水杯]]。\n",
    "水杯.md": "# 水杯\n\n水杯是盛水的容器。\n\n## 怎么清洗\n\n用温水清洗。\n",
}


@pytest.mark.parametrize(
    ("notes", "question", "told", "moved"),
    [
        (NOTES, "what is Unsafe Rust", "skips the memory checks", "has moved to"),
        (NOTES, "how to use unsafe rust", "open a block, call the function", "has moved to"),
        (HAN_NOTES, "什么是旧水杯", "水杯是盛水的容器。", "本页已移至"),
        (HAN_NOTES, "旧水杯怎么清洗", "用温水清洗。", "本页已移至"),
    ],
)
def test_a_moved_note_is_answered_from_where_it_stands_now(notes, question, told, moved):
    answer = asked(notes, question)

    assert told in answer.public.text
    assert answer.public.text.index(told) < answer.public.text.index(moved)
    assert "[[" in cited(answer, moved)[0]


def test_a_link_by_path_is_followed_too():
    notes = {
        "old/Cups.md": "# Cups\n\nThis page was moved [over there](../new/vessel.md#top).\n",
        "new/vessel.md": "# Vessels\n\nVessels are containers for liquids.\n",
    }

    assert "containers for liquids" in asked(notes, "what are Cups?").public.text


@pytest.mark.parametrize(
    "text",
    [
        "See also [[Raw access]].",
        "[[Raw access]]",
        "It was moved to [[Raw access]] or to [[Cups]].",  # where to?
        "It has moved to [another site](https://example.org/raw-access).",
    ],
)
def test_a_note_that_only_links_is_not_followed(text):
    notes = {
        "Alpha.md": f"# Alpha\n\n{text}\n",
        "Raw access.md": "# Raw access\n\nRaw access is the part that skips the checks.\n",
        "Cups.md": "# Cups\n\nCups are vessels.\n",
    }

    assert "skips the checks" not in asked(notes, "what is Alpha?").public.text


def test_a_whole_note_that_speaks_of_moving_is_no_redirect():
    body = "The office moved to a new place, for which everybody packed boxes. " * 6
    notes = {
        "Move.md": f"# Move\n\nMove is the day we changed offices. {body}See [[Office]].\n",
        "Office.md": "# Office\n\nOffice is where we work.\n",
    }

    assert asked(notes, "what is Move?").public.text.startswith("Move is the day")


def test_two_redirects_to_each_other_end():
    notes = {
        "One.md": "# One\n\nThis page has moved to [[Two]].\n",
        "Two.md": "# Two\n\nThis page has moved to [[One]].\n",
    }

    assert not asked(notes, "what is One?").public.answered
