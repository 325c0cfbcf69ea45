"""Whatever the text, cutting it loses nothing but white space."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from witmark.answers.sentences import clauses, sentences
from witmark.kernel.evidence import TextRange

text = st.text(
    alphabet=st.sampled_from(
        "水杯是。！？，；：“”「」（）()[]\"'…. ?!,;:abcA1\n\r\t-—😀é\u0301　"
    ),
    max_size=120,
)


def squeezed(whole: str) -> str:
    return "".join(whole.split())


@given(text)
@settings(max_examples=150)
def test_the_sentences_of_a_text_are_the_text_without_the_white_space_between(whole):
    found = sentences(whole)

    assert squeezed("".join(whole[s.start : s.end] for s in found)) == squeezed(whole)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(whole[s.start : s.end] == whole[s.start : s.end].strip() for s in found)


@given(text.filter(lambda t: t.strip() != ""))
@settings(max_examples=100)
def test_the_clauses_of_a_sentence_are_all_of_it(whole):
    found = clauses(whole, TextRange(0, len(whole)))

    assert squeezed("".join(whole[c.start : c.end] for c in found)) == squeezed(whole)


@given(text)
@settings(max_examples=60)
def test_a_sentence_never_crosses_a_line(whole):
    assert not any("\n" in whole[s.start : s.end] for s in sentences(whole))
