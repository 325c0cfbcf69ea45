"""What the embedded composer says, intent by intent, and what it never says."""

import re

import pytest
from answer_packs import PackMaker, aged, before, note, plan, text_at

from witmark.answers.answer import Draft, SentenceKind
from witmark.answers.asking import Intent, MissReason
from witmark.answers.budget import budget_for
from witmark.answers.composing import EmbeddedComposer, abstention
from witmark.answers.edges import Provenance, RelationKind
from witmark.answers.pack import Comparison
from witmark.answers.phrases import paragraph

CUP = note(
    "water glass.md", "水杯", "水杯是用来盛水的透明容器，多由钠钙玻璃制成。",
    "## 用途", "水杯适合盛放冷水。水杯适合盛放冷水。第二次出现的同一句话用来检验高亮。",
    "## 注意", "骤热会导致开裂，原因见 thermal shock。", updated="2026-03-01",
)  # fmt: skip
GLASS = note("glass.md", "Glass material", "Glass is an amorphous solid made mostly of silica.")
SILICA = note(
    "silica.md", "Silica", "Silica is the oxide of silicon and the base of most glass."
)
PLASTIC = note(
    "plastic cup.md", "Plastic cup",
    "A plastic cup is a light polymer vessel. It scratches easily.",
)  # fmt: skip
OLD = note("washing 2019.md", "Washing guide 2019", "Rinse glassware with boiling water.")
NEW = note(
    "washing 2025.md", "Washing guide 2025",
    "> [!warning] Do not use boiling water\nWarm the glass first, then wash at 40 degrees.",
    "1. Warm the glass.", "2. Wash.", "3. Dry.",
)  # fmt: skip
TIME = [
    aged(OLD, "expired", "2019-01-01", "2024-12-31"),
    aged(OLD, "superseded", "2025-01-01", "", NEW),
    aged(NEW, "supersedes", "2025-01-01", "", OLD),
]


def compose(asked, made: PackMaker) -> Draft:
    return EmbeddedComposer().compose(asked, made.make())


def said(draft: Draft) -> str:
    return paragraph([sentence.text for sentence in draft.sentences])


# What is X? ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "name"),
    [("什么是waterglass?", "waterglass"), ("什么是water glass", "water glass")],
)
def test_what_is_x_is_answered_by_its_definition_and_one_prerequisite(question, name):
    made = PackMaker(Intent.WHAT, CUP, [GLASS], predecessors=[before(GLASS, CUP)])

    draft = compose(plan(question, Intent.WHAT, language="zh", about=[(name, CUP)]), made)

    assert (
        said(draft)
        == "水杯是用来盛水的透明容器，多由钠钙玻璃制成。水杯以 Glass material 为基础。"
    )


def test_an_english_question_calls_a_chinese_note_by_the_name_it_used():
    made = PackMaker(Intent.WHAT, CUP, [GLASS], predecessors=[before(GLASS, CUP)])

    draft = compose(
        plan("what is water glass?", Intent.WHAT, about=[("water glass", CUP)]), made
    )

    assert said(draft).endswith("To follow water glass, know Glass material first.")


def test_a_prerequisite_that_the_definition_names_is_not_said_again():
    made = PackMaker(Intent.WHAT, GLASS, [SILICA], predecessors=[before(SILICA, GLASS)])

    draft = compose(
        plan("what is glass material", Intent.WHAT, about=[("glass material", GLASS)]), made
    )

    assert said(draft) == "Glass is an amorphous solid made mostly of silica."


def test_an_inferred_prerequisite_is_not_worth_a_sentence():
    guess = before(GLASS, CUP, provenance=Provenance.INFERRED, path_confidence=0.3)
    made = PackMaker(Intent.WHAT, CUP, [GLASS], predecessors=[guess])

    draft = compose(plan("什么是水杯", Intent.WHAT, language="zh", about=[("水杯", CUP)]), made)

    assert len(draft.sentences) == 1


def test_a_sentence_about_the_note_itself_is_no_definition():
    git = note(
        "git.md",
        "Git",
        "本文将介绍 Git 的用法。",
        "参见 SVN。",
        "Git 是一个分布式版本控制系统。",
    )
    made = PackMaker(Intent.WHAT, git)

    draft = compose(plan("Git是什么", Intent.WHAT, language="zh", about=[("Git", git)]), made)

    assert said(draft) == "Git 是一个分布式版本控制系统。"


@pytest.mark.clause("ANS-PUB-01")
def test_a_note_in_two_languages_speaks_with_one_voice():
    both = note(
        "hole.md", "孔口 Entry face",
        "## 中文", "孔口是钻头切入的面。",
        "## English", "An entry face is where the drill cuts in.",
    )  # fmt: skip
    made = PackMaker(Intent.WHAT, both)

    english = compose(
        plan("what is an entry face", Intent.WHAT, about=[("entry face", both)]), made
    )
    chinese = compose(
        plan("什么是孔口", Intent.WHAT, language="zh", about=[("孔口", both)]), made
    )

    assert said(english) == "An entry face is where the drill cuts in."
    assert said(chinese) == "孔口是钻头切入的面。"


# Why, how, which -----------------------------------------------------------------------


def test_why_is_answered_by_the_sentence_that_gives_the_cause():
    made = PackMaker(Intent.WHY, CUP, shown=[CUP])

    draft = compose(
        plan(
            "水杯为什么会开裂",
            Intent.WHY,
            language="zh",
            about=[("水杯", CUP)],
            bare="水杯 会开裂",
        ),
        made,
    )

    assert said(draft) == "骤热会导致开裂，原因见 thermal shock。"


def test_how_to_gives_the_warning_and_then_the_steps_in_order():
    draft = compose(
        plan("How do I wash a glass?", Intent.HOW_TO, bare="wash a glass"),
        PackMaker(Intent.HOW_TO, NEW),
    )

    assert said(draft) == (
        "Do not use boiling water: warm the glass first, then wash at 40 degrees. "
        "In order: warm the glass, wash, dry."
    )


def test_long_steps_are_numbered_and_names_keep_their_capitals():
    how = note(
        "install.md", "安装", "1. Kubernetes 集群先准备好，至少三个节点。", "2. 安装 kubectl。"
    )
    draft = compose(
        plan("怎么安装", Intent.HOW_TO, language="zh", bare="安装"),
        PackMaker(Intent.HOW_TO, how),
    )

    assert (
        said(draft) == "依次是：（1）Kubernetes 集群先准备好，至少三个节点；（2）安装 kubectl。"
    )


def test_a_list_is_joined_behind_its_own_lead_in():
    kinds = note(
        "cups.md", "Cups", "There are these kinds of cup:", "- mugs", "- tumblers", "- steins"
    )

    draft = compose(
        plan("what kinds of cup are there", Intent.LIST, bare="kinds of cup"),
        PackMaker(Intent.LIST, kinds),
    )

    assert said(draft) == "There are these kinds of cup: mugs, tumblers, steins."


# Order ---------------------------------------------------------------------------------


def test_learning_gives_the_order_of_the_graph():
    order = [before(SILICA, CUP, depth=2), before(GLASS, CUP)]
    made = PackMaker(Intent.LEARN, CUP, [GLASS, SILICA], learning_order=order)

    english = compose(
        plan("how do I learn about water glass", Intent.LEARN, about=[("water glass", CUP)]),
        made,
    )
    chinese = compose(
        plan("怎样学习水杯", Intent.LEARN, language="zh", about=[("水杯", CUP)]), made
    )

    assert (
        said(english) == "Start with Silica, then Glass material; water glass comes after both."
    )
    assert said(chinese) == "先学 Silica，再学 Glass material，然后学水杯。"


@pytest.mark.clause("ANS-PUB-06")
def test_an_inferred_order_says_on_what_it_rests_and_how_surely():
    guess = before(
        SILICA, CUP, kind=RelationKind.REFERENCE, provenance=Provenance.INFERRED,
        path_confidence=0.3, depth=2,
    )  # fmt: skip
    made = PackMaker(
        Intent.LEARN, CUP, [GLASS, SILICA], learning_order=[guess, before(GLASS, CUP)]
    )

    draft = compose(
        plan("怎样学习水杯", Intent.LEARN, language="zh", about=[("水杯", CUP)]), made
    )

    assert said(draft) == (
        "先学 Silica，再学 Glass material，然后学水杯"
        "（Silica 的次序是推断的，依据是正文提及，把握较低）。"
    )


def test_without_prerequisites_it_is_said_that_there_are_none():
    draft = compose(
        plan("how do I learn silica", Intent.LEARN, about=[("Silica", SILICA)]),
        PackMaker(Intent.LEARN, SILICA),
    )

    assert said(draft) == "The notes name nothing to learn before Silica."


# Two sides -----------------------------------------------------------------------------


def test_a_comparison_names_both_sides_where_they_meet_and_how_they_are_related():
    shared = Comparison(
        (CUP.root.id, PLASTIC.root.id),
        ((GLASS.root.id, GLASS.title),),
        (RelationKind.CONTRAST,),
        (),
    )
    made = PackMaker(Intent.COMPARE, CUP, [PLASTIC, GLASS], comparison=shared)

    draft = compose(
        plan(
            "compare water glass and plastic cup",
            Intent.COMPARE,
            about=[("water glass", CUP), ("plastic cup", PLASTIC)],
        ),
        made,
    )

    assert said(draft) == (
        "水杯是用来盛水的透明容器，多由钠钙玻璃制成。 A plastic cup is a light polymer vessel. "
        "Both water glass and Plastic cup go back to Glass material, "
        "and the notes set them in contrast."
    )
    assert draft.sentences[-1].kind is SentenceKind.GRAPH


# Time ----------------------------------------------------------------------------------


def test_an_expired_note_is_said_to_be_replaced_and_since_when():
    made = PackMaker(Intent.STILL_VALID, OLD, [NEW], details=TIME)

    draft = compose(
        plan("washing guide 2019 还有效吗", Intent.STILL_VALID, language="zh"), made
    )

    assert said(draft) == (
        "Washing guide 2019 已于 2024-12-31 失效，"
        "由 Washing guide 2025（自 2025-01-01 起有效）取代。"
    )
    assert draft.sentences[0].kind is SentenceKind.TEMPORAL


def test_a_note_without_limits_says_so_and_when_it_was_last_changed():
    draft = compose(
        plan("水杯还有效吗", Intent.STILL_VALID, language="zh"),
        PackMaker(Intent.STILL_VALID, CUP),
    )

    assert said(draft) == "笔记没有给水杯设定期限，最后更新于 2026-03-01。"


@pytest.mark.parametrize("intent", list(Intent))
@pytest.mark.clause("ANS-PUB-05")
def test_a_stale_note_is_never_used_without_a_warning(intent):
    shared = Comparison((OLD.root.id, CUP.root.id), (), (), ())
    made = PackMaker(
        intent, OLD, [CUP], comparison=shared, details=TIME[:2],
        learning_order=[before(OLD, OLD)], predecessors=[before(OLD, CUP)],
    )  # fmt: skip

    draft = compose(
        plan("rinse glassware", intent, about=[("x", OLD)], bare="rinse glassware"), made
    )

    assert any(s.kind is SentenceKind.TEMPORAL for s in draft.sentences)
    assert "expired on 2024-12-31" in said(draft)


def test_a_stale_support_that_is_named_is_warned_of_even_if_nothing_of_it_is_shown():
    order = [before(OLD, CUP)]
    made = PackMaker(Intent.LEARN, CUP, learning_order=order, details=TIME[:2], shown=[CUP])

    draft = compose(plan("how do I learn 水杯", Intent.LEARN, about=[("水杯", CUP)]), made)

    assert [s.kind for s in draft.sentences] == [SentenceKind.GRAPH, SentenceKind.TEMPORAL]


# Limits --------------------------------------------------------------------------------


@pytest.mark.parametrize("intent", list(Intent))
@pytest.mark.parametrize(
    "question", ["水杯 冷水 开裂 玻璃", "glass silica wash water cup plastic"]
)
@pytest.mark.clause("ANS-PUB-01")
def test_no_draft_leaves_its_limits_or_cites_what_was_not_shown(intent, question):
    shared = Comparison(
        (CUP.root.id, PLASTIC.root.id), (), (RelationKind.CONTRAST,),
        ((CUP.root.id, NEW.root.id, NEW.title, RelationKind.APPLICATION),),
    )  # fmt: skip
    notes = [PLASTIC, GLASS, SILICA, OLD, NEW]
    made = PackMaker(
        intent, CUP, notes, comparison=shared, details=TIME,
        predecessors=[before(GLASS, CUP)], successors=[before(NEW, CUP)],
        learning_order=[before(SILICA, CUP), before(GLASS, CUP)],
    )  # fmt: skip
    pack = made.make()
    sources = {one.path: one.source for one in [CUP, *notes]}

    draft = EmbeddedComposer().compose(plan(question, intent), pack)

    budget = budget_for(intent)
    assert 0 < len(draft.sentences) <= budget.sentences
    graph = [s for s in draft.sentences if s.kind is SentenceKind.GRAPH]
    assert len(graph) <= budget.graph_statements
    for sentence in draft.sentences:
        assert sentence.cuts
        assert re.search(r"[。！？.!?…][”」』)）]*$", sentence.text)
        assert not re.search(r"\.md|#|\[\[|\*\*|\s\s|[。.]{2}|\n", sentence.text)
        for cut in sentence.cuts:
            assert cut.fragment_ref in pack.context.refs
            assert len(cut.span.span.quote) <= 280
            assert text_at(sources[cut.span.source_path], cut) == cut.span.span.quote


def test_the_same_sentence_is_not_said_twice():
    draft = compose(
        plan("水杯适合什么", Intent.GENERIC, language="zh", bare="水杯适合"),
        PackMaker(Intent.GENERIC, CUP, shown=[CUP]),
    )

    assert said(draft).count("水杯适合盛放冷水。") == 1


def test_a_long_fact_is_found_by_the_rare_words_of_the_question():
    tree = note(
        "tree.md", "鸡毛松",
        "鸡毛松是常绿乔木。它分布于新西兰。树高可达55米，寿命可达八百年。木材用于建筑。",
    )  # fmt: skip

    draft = compose(
        plan("鸡毛松有多高？", Intent.GENERIC, language="zh"), PackMaker(Intent.GENERIC, tree)
    )

    assert "树高可达55米" in said(draft)


def test_nothing_is_drafted_when_nothing_matches():
    draft = compose(
        plan("what is a quasar", Intent.WHAT, bare="quasar"), PackMaker(Intent.WHAT, SILICA)
    )

    assert draft.sentences == ()


def test_an_abstention_offers_the_nearest_titles_and_nothing_technical():
    miss = MissReason.RETRIEVAL_CANDIDATES_BELOW_THRESHOLD
    chinese = abstention(plan("量子是什么", language="zh"), ["水杯", "Glass material"], miss)
    english = abstention(plan("what is a quasar"), ["Silica"], miss)

    assert chinese.text == "你的笔记里没有这个问题的答案。最接近的笔记是水杯和 Glass material。"
    assert english.text == "Your notes do not answer this. The nearest note is Silica."
    assert miss.value not in chinese.text + english.text
    assert chinese.kind is SentenceKind.ABSTENTION


def test_a_sentence_that_points_back_brings_what_it_points_to():
    party = note(
        "p.md", "民主建国会", "民主建国会成立于重庆。同时，该党也是常委会内的第九大党。"
    )

    draft = compose(
        plan("哪一个党是常委会内的第九大党？", language="zh"), PackMaker(Intent.GENERIC, party)
    )

    assert said(draft) == "民主建国会成立于重庆。同时，该党也是常委会内的第九大党。"
