"""A key that a server sends back is noticed however JSON spells it."""

import json

import pytest

from witmark.adapters.providers.door import _repeats

KEY = "sk-aa/bb+cc\u00e91234567890"


def spellings():
    plain = json.dumps({"text": f"your key is {KEY}"}, ensure_ascii=False)
    return {
        "as it is": plain,
        "slashes escaped": plain.replace("/", "\\/"),
        "every character escaped": plain.replace(KEY, "".join(f"\\u{ord(c):04x}" for c in KEY)),
        "ascii": json.dumps({"text": f"your key is {KEY}"}),
        "json in json": json.dumps({"content": json.dumps({"text": KEY.replace("/", "\\/")})}),
        "in json in json in json": json.dumps(json.dumps(json.dumps({"text": KEY}))),
    }


@pytest.mark.clause("KER-MOD-16")
@pytest.mark.parametrize("name", sorted(spellings()))
def test_a_key_is_seen_however_it_is_escaped(name):
    assert _repeats(KEY, spellings()[name].encode(), "application/json")


@pytest.mark.clause("KER-MOD-16")
def test_another_text_is_no_key():
    assert not _repeats(KEY, json.dumps({"text": KEY[:-1]}).encode(), "application/json")
    assert not _repeats(KEY, b"\xff\xfe" + KEY[:12].encode(), "")
    assert _repeats(KEY, b"{}", f"text/{KEY}")
