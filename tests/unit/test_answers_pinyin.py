"""Names in pinyin are read as the package reads them whose files we read."""

import random
from itertools import pairwise

import pytest
from pypinyin import lazy_pinyin
from pypinyin.constants import PHRASES_DICT, PINYIN_DICT

from witmark.answers.pinyin import pinyin

PHRASES = sorted(PHRASES_DICT)
DICE = random.Random(20260303)  # noqa: S311  # reproducible, not secret
PARTS = [phrase[: DICE.randrange(1, 5)] for phrase in DICE.sample(PHRASES, 2000)]


def read_by_the_package(han):
    return "".join(lazy_pinyin(han, errors="ignore"))


@pytest.mark.parametrize(
    "names",
    [
        pytest.param([chr(code) for code in sorted(PINYIN_DICT)[::40]], id="characters"),
        pytest.param(PHRASES[::40], id="phrases"),
        pytest.param([a + b for a, b in pairwise(PARTS)], id="parts"),
        pytest.param(
            ["カメラ", "水カメラ杯", "〇", "々", "𠀀水", "𫝫冈", "水𪛠", "𠯟坱壳", "abc", ""],
            id="others",
        ),
    ],
)
def test_a_name_is_read_as_the_package_reads_it(names):
    assert [pinyin(name) for name in names] == [read_by_the_package(name) for name in names]


def test_of_several_readings_the_phrase_decides():
    assert (pinyin("银行"), pinyin("行走"), pinyin("了"), pinyin("了解")) == (
        "yinhang", "xingzou", "le", "liaojie",
    )  # fmt: skip
