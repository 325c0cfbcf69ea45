"""Which sentence answers: rare words, the note that is named, the sort of thing asked for."""

import pytest
from answer_packs import PackMaker, note, plan

from witmark.answers.asking import Intent
from witmark.answers.composing import EmbeddedComposer
from witmark.answers.expecting import Expected, announces, expected, look_of
from witmark.answers.notes import BlockKind
from witmark.answers.phrases import closed, in_turn, lowered, say
from witmark.answers.picking import Stock, block_kind, language_of, ranked, weigher
from witmark.kernel.evidence import TextRange

PRINCE = note("a.md", "硕塞", "硕塞是清朝宗室。他是清太宗皇太极第五子。顺治十二年去世。")
ACTOR = note("b.md", "乔许", "乔许饰演罗宾角色的儿子。电影于2006年上映。")


def test_a_sentence_of_the_named_note_beats_the_same_words_elsewhere():
    pack = PackMaker(Intent.GENERIC, PRINCE, [ACTOR]).make()
    asked = plan("硕塞是谁的儿子？", language="zh", about=[("硕塞", PRINCE)], bare="硕塞 儿子")

    draft = EmbeddedComposer().compose(asked, pack)

    assert draft.sentences[0].cuts[0].span.document_id == "a.md"


def test_a_word_that_every_sentence_holds_decides_nothing():
    one = note("c.md", "水杯", "水杯很轻。水杯是玻璃的。水杯高十厘米。")
    stock = Stock(PackMaker(Intent.GENERIC, one).make())

    best = ranked(plan("水杯有多高", language="zh"), stock.all)[0]

    assert best.sentence.text == "水杯高十厘米。"


def test_the_traditional_spelling_of_a_word_is_the_word():
    one = note("d.md", "國", "首都在北方。面積廣大。")
    stock = Stock(PackMaker(Intent.GENERIC, one).make())

    best = ranked(plan("面积是多少", language="zh"), stock.all)[0]

    assert best.sentence.text == "面積廣大。"


@pytest.mark.parametrize(
    ("question", "sort"),
    [
        ("什么时候建成的？", Expected.TIME),
        ("How many people live there?", Expected.NUMBER),
        ("谁发明了它", Expected.PERSON),
        ("Where is it?", Expected.PLACE),
        ("为什么会裂", Expected.REASON),
        ("how do I wash it", Expected.MANNER),
        ("水杯的材料", Expected.ANYTHING),
    ],
)
def test_a_question_tells_what_sort_of_thing_it_wants(question, sort):
    assert expected(question) is sort


def test_a_reason_looks_like_a_reason_and_a_heading_may_promise_one():
    assert look_of(Expected.REASON)("因地处中轴而得名。")
    assert not look_of(Expected.REASON)(
        "原因不明的话题之外，基因很多。".replace("原因", "缘由")
    )
    assert announces("Problem it addresses", Expected.REASON)
    assert not announces("Usage", Expected.REASON)


def test_a_sentence_has_the_language_of_its_letters():
    assert language_of("Kubernetes 是一个容器编排平台") == "zh"
    assert language_of("The oxide (二氧化硅) is the base of most glass.") == "en"
    assert language_of("1234 — 56") == "und"


def test_what_a_block_is_can_be_read_off_its_source():
    steps = note("e.md", "Steps", "1. Warm the glass.", "| a | b |", "> [!note] Mind")
    kinds = [block_kind(fragment, None) for fragment in steps.fragments]

    assert kinds == [
        BlockKind.HEADING, BlockKind.LIST_ITEM, BlockKind.TABLE_ROW, BlockKind.CALLOUT,
    ]  # fmt: skip


def test_the_clause_that_holds_the_answer_weighs_more():
    one = note("f.md", "Tower", "The tower is old, and its height is 55 m.")
    stock = Stock(PackMaker(Intent.GENERIC, one).make())
    weight = weigher(plan("how many metres is its height?"), stock, stock.all[0])

    assert weight(TextRange(18, 41)) > weight(TextRange(0, 17))


def test_words_of_ours_are_set_with_the_right_blanks_and_stops():
    assert say("zh", "order_two", first="Git", last="分支") == "先学 Git，再学分支。"
    assert closed("也有黑彩陶器．", "zh") == "也有黑彩陶器。"
    assert closed("Is it so?", "en") == "Is it so?"
    assert in_turn("en", ["wash.", "dry."]) == "wash, dry"


def test_a_name_keeps_its_capital_and_then_every_item_does():
    assert lowered("en", ["Wash it", "Dry it"], ()) == ["wash it", "dry it"]
    assert lowered("en", ["Wash it", "Kubernetes runs"], ()) == ["Wash it", "Kubernetes runs"]
