"""Equal values have equal bytes, and what has no canonical form is our own bug."""

from enum import StrEnum

import numpy as np
import pytest

from witmark.kernel.canon import (
    NotCanonicalError,
    canonical_json,
    digest_of,
    parse_digest,
    read_canonical,
    rounded,
)
from witmark.kernel.errors import GarbledRecordError, InputError


class Colour(StrEnum):
    RED = "red"


@pytest.mark.clause("KER-CAN-01")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([0.0, {"x": [0.0]}], [-0.0, {"x": [-0.0]}]),
        ((1, (2,)), [1, [2]]),
        ({Colour.RED: Colour.RED}, {"red": "red"}),
    ],
)
def test_equal_values_have_equal_bytes(one, other):
    assert canonical_json(one) == canonical_json(other)


@pytest.mark.clause("KER-CAN-01")
def test_a_small_negative_number_and_a_text_keep_their_minus():
    assert canonical_json([-0.05, "-0.0", -0.0]) == b'[-0.05,"-0.0",0.0]'


@pytest.mark.clause("KER-CAN-02")
@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        [float("inf")],
        {"a": {"b": [-float("inf")]}},
        {1: "a"},
        [{"a": ({None: 1},)}],
        {"a": 1, 2: 3},
        "\ud800",
        {1, 2},
        b"bytes",
    ],
)
def test_what_has_no_canonical_form_is_our_own_bug(value):
    with pytest.raises(NotCanonicalError, match="no canonical form"):
        canonical_json(value)
    assert issubclass(NotCanonicalError, AssertionError)


@pytest.mark.clause("KER-CAN-02")
def test_a_value_that_holds_itself_is_refused():
    ring = []
    ring.append(ring)
    with pytest.raises(NotCanonicalError):
        canonical_json(ring)


@pytest.mark.clause("KER-CAN-02")
def test_a_value_too_deep_to_write_is_refused():
    value = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(NotCanonicalError):
        canonical_json(value)


@pytest.mark.clause("KER-CAN-01", "KER-CAN-02")
def test_a_number_of_numpy_is_written_like_our_own_or_refused():
    assert canonical_json([np.float64(0.1), np.float64(-0.0)]) == b"[0.1,0.0]"
    for other in (np.float32(0.1), np.int64(1), np.bool_(1), np.array([1.0])):
        with pytest.raises(NotCanonicalError):
            canonical_json([other])


@pytest.mark.clause("KER-CAN-03")
@pytest.mark.parametrize(
    ("raw", "shown"),
    [(0.1 + 0.2, "0.3"), (-4e-7, "0.0"), (-0.0, "0.0"), (12.34567891, "12.345679"), (5, "5.0")],
)
def test_a_number_is_rounded_to_the_tolerance_without_a_minus_zero(raw, shown):
    assert repr(rounded(raw)) == shown


@pytest.mark.clause("KER-CAN-03")
def test_rounding_is_by_named_places():
    assert rounded(1.23456, 2) == 1.23


@pytest.mark.clause("KER-CAN-04")
def test_what_we_wrote_is_read_back():
    value = {"a": [1, 2.5, None, True, "孔"]}
    assert read_canonical(canonical_json(value), place="x.json") == value


@pytest.mark.clause("KER-CAN-04")
@pytest.mark.parametrize(
    "raw",
    [
        b'{"a": 1}',
        b'{"b":1,"a":2}',
        b'{"a":1,"a":1}',
        b'{"a":-0.0}',
        b'{"a":1.50}',
        b'{"a":1e999}',
        b"[NaN]",
        b"[1]\n",
        b'["\\u5b54"]',
        b'"\\ud800"',
        b"\xff",
        b"",
        b"[" * 100_000,
        b"1" * 5000,
    ],
)
def test_json_that_we_would_have_written_otherwise_is_refused(raw):
    with pytest.raises(GarbledRecordError, match=r"x\.json"):
        read_canonical(raw, place="x.json")


@pytest.mark.clause("KER-CAN-05")
def test_a_digest_is_the_sha256_of_the_bytes():
    empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest_of(b"") == empty
    assert parse_digest(empty) == empty


@pytest.mark.clause("KER-CAN-05")
@pytest.mark.parametrize(
    "text", ["", "sha256:", "sha256:" + 64 * "A", "sha256:" + 63 * "a", "md5:" + 64 * "a",
             "sha256:" + 64 * "a" + "\n", " sha256:" + 64 * "a"]
)  # fmt: skip
def test_what_is_nearly_a_digest_is_refused(text):
    with pytest.raises(InputError, match="not a digest"):
        parse_digest(text)
