"""Of one note in many languages the one in the question's language is found."""

import pytest

from witmark.adapters.markdown import ComrakParser
from witmark.answers import retrieving, scoping
from witmark.answers.asking import ScopeRequest
from witmark.answers.dag import Dag
from witmark.answers.ingesting import ingest
from witmark.answers.planning import plan
from witmark.answers.tongues import translation_key, translations
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.vaults import MemoryVault

SAID = {
    "en": "A Service Mesh manages the traffic between services.",
    "es": "Una malla gestiona el tráfico. Service Mesh, service mesh.",
    "it": "Una rete gestisce il traffico. Service Mesh, service mesh.",
    "ko": "서비스 메시는 트래픽을 관리한다. Service Mesh, service mesh.",
    "zh-cn": "服务网格管理服务之间的流量。Service Mesh。",
}


def glossary(languages):
    return {
        f"content/{code}/service-mesh.md": f"---\ntitle: Service Mesh\n---\n{SAID[code]}\n"
        for code in languages
    }


ANYWHERE = ScopeRequest()


def found(notes, question, scope=ANYWHERE):
    return [candidate.document_id for candidate in candidates(notes, question, scope)]


def candidates(notes, question, scope=ANYWHERE):
    library = MemoryLibrary()
    ingest(MemoryVault({p: t.encode() for p, t in notes.items()}), ComrakParser(), library)
    asked = plan(question, library)
    where = scoping.resolve(scope, "", library, asked)
    dag = Dag(library.graph())
    return retrieving.retrieve(asked, where, library, dag, as_of="2026-01-01").candidates


@pytest.mark.parametrize(
    ("question", "language"),
    [("what is a service mesh?", "en"), ("什么是 Service Mesh？", "zh-cn")],
)
def test_of_translations_only_the_one_in_the_question_s_language_is_found(question, language):
    assert found(glossary(SAID), question) == [f"content/{language}/service-mesh.md"]


def test_chinese_and_english_stand_in_for_each_other_before_any_third_language():
    notes = glossary(["es", "it", "zh-cn"])

    assert found(notes, "what is a service mesh?") == ["content/zh-cn/service-mesh.md"]


def test_a_third_language_is_found_where_nothing_else_is():
    assert found(glossary(["es"]), "what is a service mesh?") == ["content/es/service-mesh.md"]


def test_a_scope_of_a_language_is_kept():
    only = ScopeRequest(languages=("it",))

    assert found(glossary(SAID), "what is a service mesh?", only) == [
        "content/it/service-mesh.md"
    ]


def test_a_foreign_name_yields_to_a_note_in_the_question_s_language():
    notes = {
        "content/it/microservices.md": "---\ntitle: Microservices\n---\nMicroservizi.\n",
        "content/en/microservices-architecture.md": "---\ntitle: Microservices Architecture\n"
        "---\nA microservices architecture breaks applications into services.\n",
    }

    assert found(notes, "what is a microservice?")[0].startswith("content/en/")


def test_a_foreign_name_does_not_yield_to_another_collection():
    notes = {
        "glossary/zh-cn/policy-as-code.md": "---\ntitle: 策略即代码\n---\n策略写成代码。\n",
        "web/security.md": "# Security\n\nA policy is code; code is policy, policy as code.\n",
    }

    assert found(notes, "policy_as_code")[0] == "glossary/zh-cn/policy-as-code.md"


def test_a_name_in_pinyin_alone_is_asked_in_chinese():
    notes = {"a.md": "# 容器编排\n\n管理容器。\n", "b.md": "# Rongqi\n\nrongqi rongqi\n"}

    assert found(notes, "rongqi bianpai")[0] == "a.md"


def test_a_folder_that_is_no_language_makes_no_translations():
    assert translation_key("docs/pod.md") == ""
    assert list(translations("docs/pod.md", "en")) == []


def test_a_stub_yields_to_a_note_of_the_same_name_that_says_something():
    told = "Ownership is a set of rules that govern memory. " * 8
    notes = {
        "a/ownership.md": "# Ownership\n\nOwnership has moved: see [ownership](new.md).\n",
        "z/ownership.md": f"# Ownership\n\n{told}\n",
    }

    assert found(notes, "what is ownership?")[0] == "z/ownership.md"


@pytest.mark.parametrize("question", ["什么是 Floyd", "what is Floyd?"])
def test_a_section_that_bears_the_asked_name_leads_its_note(question):
    notes = {
        "paths.md": "# 最短路\n\nFloyd, Dijkstra.\n\n## 比较\n\nFloyd floyd Floyd.\n\n"
        "## Floyd 算法\n\n用来求任意两个结点之间的最短路，复杂度比较高，但是常数小，"
        "容易实现，适用于任何图，不管有向无向。\n",
    }

    first = candidates(notes, question)[0]

    assert first.atoms[0].title == "Floyd 算法"


def test_a_short_definition_is_no_stub():
    long = "Ownership of shares, funds and houses is told here at some length. " * 8
    notes = {
        "a/ownership.md": "# Ownership\n\nOwnership is a set of rules. Ownership moves.\n",
        "z/ownership.md": f"# Ownership\n\n{long}\n",
    }

    assert found(notes, "what is ownership?")[0] == "a/ownership.md"


def test_a_name_of_two_syllables_is_found_in_a_question_in_pinyin():
    assert found({"a.md": "# 水杯\n\n盛水的容器。\n"}, "shui bei shi shenme") == ["a.md"]
