"""What is spelled is read back, and what is read back was spelled so."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from witmark.kernel.canon import NotCanonicalError, canonical_json, digest_of, read_canonical
from witmark.kernel.errors import NothingThereError, RefError
from witmark.kernel.evidence import (
    EvidenceRef,
    Exhibit,
    JsonPointer,
    TextRange,
    parse_ref,
    resolve,
    text_of,
)

characters = st.characters(exclude_categories=["Cs"])
words = st.text(characters, max_size=8)
ranges = st.tuples(st.integers(0, 2**53 - 2), st.integers(1, 2**30)).map(
    lambda pair: TextRange(pair[0], min(sum(pair), 2**53 - 1))
)
pointers = st.lists(words, min_size=1, max_size=5).map(lambda steps: JsonPointer.to(*steps))
refs = st.builds(
    EvidenceRef,
    st.binary(max_size=4).map(digest_of),
    st.none() | ranges | pointers,
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.clause("KER-REF-01")
@given(refs)
def test_every_ref_is_read_back_from_its_spelling(ref):
    assert parse_ref(str(ref)) == ref


@pytest.mark.clause("KER-REF-01")
@given(refs, refs)
def test_two_refs_are_equal_when_their_spellings_are(one, other):
    assert (one == other) == (str(one) == str(other))


@pytest.mark.clause("KER-REF-02")
@given(refs, st.data())
def test_a_text_with_one_sign_changed_is_another_ref_or_none(ref, data):
    text = str(ref)
    at = data.draw(st.integers(0, len(text)))
    sign = data.draw(st.sampled_from("0a#/~, \n-,=") | characters)
    changed = text[:at] + sign + text[at + data.draw(st.integers(0, 1)) :]
    try:
        found = parse_ref(changed)
    except RefError:
        return
    assert str(found) == changed


@pytest.mark.clause("KER-REF-04")
@given(plain)
def test_every_value_in_a_document_has_a_pointer_that_leads_to_it(value):
    exhibit = Exhibit(canonical_json(value))
    for steps, here in every_place(json.loads(canonical_json(value))):
        if steps:
            ref = parse_ref(str(EvidenceRef(digest_of(b""), JsonPointer.to(*steps))))
            assert exhibit.resolve(ref.at) == here


def every_place(value, steps=()):
    yield steps, value
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    for step, item in inner:
        yield from every_place(item, (*steps, step))


@pytest.mark.clause("KER-REF-04")
@given(plain, pointers)
def test_a_pointer_leads_to_a_value_or_says_that_nothing_is_there(value, pointer):
    places = {JsonPointer.to(*steps) for steps, _ in every_place(value) if steps}
    try:
        resolve(canonical_json(value), pointer)
    except NothingThereError:
        assert pointer not in places
    else:
        assert pointer in places


@pytest.mark.clause("KER-REF-03")
@given(st.binary(max_size=40), st.integers(0, 40), st.integers(1, 40))
def test_a_range_shows_a_part_of_the_text_or_nothing(blob, start, length):
    at, text = TextRange(start, start + length), text_of(blob)
    try:
        hit = resolve(blob, at)
    except NothingThereError:
        assert start + length > len(text)
    else:
        assert len(hit) == length
        assert text[start:].startswith(hit)


@pytest.mark.clause("KER-REF-05")
@given(
    st.text(st.sampled_from("ab\n孔"), min_size=1, max_size=60), st.integers(0, 3), st.data()
)
def test_context_is_the_text_around_the_hit_in_whole_lines(text, lines, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    seen = Exhibit(text.encode()).in_context(TextRange(start, end), lines=lines)
    before, after = text[:start], text[end:]
    assert seen.hit == text[start:end]
    assert seen.before == "\n".join(before.split("\n")[-lines - 1 :])
    assert seen.after == "\n".join(after.split("\n")[: lines + 1])


@pytest.mark.clause("KER-CAN-01")
@given(plain)
@example([-0.0, {"a": -0.0}])
def test_a_value_survives_its_canonical_form(value):
    raw = canonical_json(value)
    assert read_canonical(raw, place="x") == json.loads(raw) == value
    assert canonical_json(json.loads(raw)) == raw


@pytest.mark.clause("KER-CAN-01")
@given(st.dictionaries(words, plain, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(value, random):
    keys = list(value)
    random.shuffle(keys)
    assert canonical_json({key: value[key] for key in keys}) == canonical_json(value)


@pytest.mark.clause("KER-CAN-02")
@given(plain, st.sampled_from([float("nan"), float("inf"), {1: 2}, "\udfff", object()]))
def test_what_has_no_form_is_refused_however_deep_it_lies(value, bad):
    for holder in ([value, bad], {"a": {"b": (value, [bad])}}):
        with pytest.raises(NotCanonicalError):
            canonical_json(holder)
