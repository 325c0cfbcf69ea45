"""Answers of the whole desk read well, and do not answer another question."""

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.answers.composing import EmbeddedComposer
from witmark.answers.dag import Dag
from witmark.answers.desk import AnswersDesk, Question
from witmark.answers.ingesting import ingest
from witmark.answers.use_cases import answer_question
from witmark.kernel.store import BlobStore
from witmark.testing.disks import MemoryDisk
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.shelves import MemoryShelf
from witmark.testing.vaults import MemoryVault

DAY = "2026-06-01"
FIT = {
    "fit.md": "---\ntitle: 配合\ntitle_en: Fit\n---\n配合是孔与轴的松紧关系。\n\n"
    "A fit is how tight a hole and a shaft are once assembled.\n",
    "press.md": "---\ntitle: 过盈配合\naliases: [interference fit]\n"
    'prerequisites: ["[[fit]]"]\n---\n过盈配合是轴总大于孔的配合。\n\n'
    "An interference fit is a fit whose shaft is always larger than its hole.\n",
}
CUP = {
    "cup.md": "---\ntitle: 水杯\naliases: [water glass]\n"
    'contrasts: ["[[plastic]]"]\nprerequisites: ["[[silica]]"]\n---\n'
    "水杯是盛水的透明容器，多由玻璃制成。\n\n## 注意\n\n骤热会导致开裂。\n",
    "silica.md": "# Silica 二氧化硅\n\nSilica is the oxide of silicon.\n",
    "plastic.md": "# Plastic cup\n\nA plastic cup is a light vessel.\n",
}


def asked(notes: dict[str, str], question: str):
    library = MemoryLibrary()
    ingest(MemoryVault({p: t.encode() for p, t in notes.items()}), ComrakParser(), library)
    desk = AnswersDesk(
        workspace="test",
        library=library,
        dag=lambda: Dag(library.graph()),
        blobs=BlobStore(MemoryDisk({})),
        shelf=MemoryShelf(),
        composer=EmbeddedComposer(),
    )
    return answer_question(Question(question, DAY), desk)


def said(notes: dict[str, str], question: str) -> str:
    return asked(notes, question).public.text


# What is X? ---------------------------------------------------------------------------


def test_a_note_of_links_is_answered_by_the_note_that_defines_its_subject():
    notes = {
        "Kubernetes.md": "# Kubernetes\n\n- [[pod]]\n- [[volume]]\n\nkubernetes 核心组件\n",
        "volume.md": "# 持久卷\n\nKubernetes 是一个容器编排平台。"
        "在 Kubernetes 中，持久卷抽象底层存储。\n",
        "pod.md": "# pod\n\npod 运行在 Kubernetes 里。\n",
    }

    assert said(notes, "什么是 Kubernetes") == "Kubernetes 是一个容器编排平台。"


def test_what_no_note_defines_is_said_to_be_mentioned_only():
    notes = {
        "Redis.md": "# Redis\n\n- [[compose]]\n",
        "compose.md": "# compose\n\n下面例子中 redis 和 db 服务在 web 启动前启动。\n",
    }

    answer = asked(notes, "什么是 Redis")

    assert not answer.public.answered
    assert answer.public.text.startswith("你的笔记提到 Redis，但没有说它是什么。")


def test_a_blurb_is_no_definition_where_the_body_has_one():
    notes = {
        "aqs.md": "---\ntitle: AQS\n"
        "description: AQS抽象队列同步器深度解析：涵盖核心原理与线程唤醒机制。\n---\n"
        "AQS 就是一个抽象类，主要用来构建锁和同步器。\n"
    }

    assert said(notes, "什么是 AQS") == "AQS 就是一个抽象类，主要用来构建锁和同步器。"


def test_a_name_that_a_sentence_gives_in_passing_defines_it():
    notes = {
        "flow.md": "# 专注\n\n心理学家把完全投入时的心理状态，称为“心流”，并认为它使人幸福。"
        "\n\n心流让人忘记时间。\n"
    }

    assert said(notes, "什么是心流").startswith("心理学家把完全投入时的心理状态")


def test_of_notes_of_one_name_that_in_the_language_asked_in_is_told():
    notes = {
        "it/kubernetes.md": "---\ntitle: Kubernetes\nlang: it\n---\n"
        "Kubernetes è un orchestratore di container open source.\n",
        "en/kubernetes.md": "---\ntitle: Kubernetes\nlang: en\n---\n"
        "Kubernetes is an open source container orchestrator.\n",
    }

    answer = said(notes, "what is Kubernetes?")

    assert answer == "Kubernetes is an open source container orchestrator."


# How, why, what for --------------------------------------------------------------------


@pytest.mark.parametrize("question", ["怎么清洗水杯", "how do I clean a water glass?"])
def test_a_definition_is_no_way_to_do_something(question):
    answer = asked(CUP, question)

    assert not answer.public.answered
    assert "透明容器" not in answer.public.text


def test_a_reason_may_be_given_in_other_words():
    assert "骤热会导致开裂" in said(CUP, "水杯为什么会炸裂")


def test_what_a_thing_is_for_is_not_what_it_is():
    answer = asked(CUP, "what is silica used for?")

    assert not answer.public.answered


@pytest.mark.parametrize(
    ("question", "fact"),
    [("谁发明了水玻璃", "福克斯"), ("水玻璃是什么时候发明的", "1825年")],
)
def test_facts_are_still_told(question, fact):
    notes = {"glass.md": "# 水玻璃\n\n水玻璃由福克斯在1825年发明。\n", **CUP}

    assert fact in said(notes, question)


def test_reasons_of_two_cards_are_not_mixed():
    notes = {
        "deep.md": "# 深孔\n\n## 为什么\n\n孔一深，切屑排不出来，孔轴越钻越偏。\n",
        "corner.md": "# 内角\n\n## 为什么\n\n圆角越小，刀越细；孔深一大，刀就会弹。\n",
    }

    answer = asked(notes, "深孔为什么会钻偏")

    assert {c.source_path for c in answer.pane.citations} == {"deep.md"}
    assert answer.public.text.startswith("孔一深，切屑排不出来")


def test_what_stands_under_why_is_told_though_it_repeats_no_word():
    notes = {
        "slot.md": "---\ntitle: 窄槽\naliases: [深槽]\n---\n## 为什么\n\n"
        "细刀会弯，两壁铣成上宽下窄。\n\n## 说明\n\n深槽的图例另附。\n",
        **CUP,
    }

    assert "细刀会弯" in said(notes, "深槽为什么要避免")


def test_a_pointer_elsewhere_is_no_answer():
    notes = {
        "press.md": "# 压装\n\n见 press guide 2024。\n\n压装前先清洁孔和轴，然后涂装配膏。\n"
    }

    assert not said(notes, "怎么压装").startswith("见")


# Steps and lists -----------------------------------------------------------------------


def test_every_step_is_told():
    steps = "".join(f"{n}. 第{n}步做好。\n" for n in range(1, 6))
    notes = {
        "a.md": f"# 压装指南\n\n> [!warning] 手不要伸入\n> 先闭合防护门。\n\n{steps}",
    }

    answer = said(notes, "怎么压装")

    assert all(f"第{n}步" in answer for n in range(1, 6))


def test_steps_that_do_not_fit_are_counted():
    long = "把工件慢慢放进夹具并且仔细对正每一个基准面再拧紧所有螺钉确认没有松动然后再检查一遍"
    steps = "".join(f"{n}. 第{n}步：{long}。\n" for n in range(1, 15))

    answer = said({"a.md": f"# 装夹步骤\n\n{steps}"}, "怎么装夹")

    assert "等共 14 步" in answer


# Titles and time -----------------------------------------------------------------------


def test_titles_are_told_in_the_language_of_the_answer():
    assert said(FIT, "what is an interference fit?").endswith("know Fit first.")
    assert "配合" in said(FIT, "什么是过盈配合")
    assert "先学二氧化硅" in said(CUP, "怎么学水杯")
    assert "Start with Silica" in said(CUP, "how do I learn water glass?")


def test_what_contrasts_comes_neither_before_nor_after():
    pack = asked(CUP, "什么是水杯").pane.pack

    shown = {n.document_id for n in (*pack.predecessors, *pack.successors)}
    assert "plastic.md" not in shown


def test_a_sign_inside_a_sentence_does_not_end_it():
    notes = {
        "errors.md": "# Errors\n\nThis chapter calls panic! first and returns errors later.\n"
    }

    answer = said(notes, "what does the errors chapter call?")

    assert answer == "This chapter calls panic! first and returns errors later."


def test_a_short_name_does_not_stand_in_a_longer_one():
    notes = {
        "string.md": "# String\n\nA String is owned. Rather than a reference to the String, "
        "more than that.\n"
    }

    text = asked(notes, "difference between String and str").public.text

    assert "do not tell of str" in text
