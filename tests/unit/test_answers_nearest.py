"""What is offered where the notes do not answer."""

from witmark.adapters.markdown import ComrakParser
from witmark.answers.asking import ScopeRequest
from witmark.answers.ingesting import ingest
from witmark.answers.nearest import nearest_titles
from witmark.answers.planning import plan
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.vaults import MemoryVault

NOTES = {
    "a.md": "# Ownership\n\nOwnership moves.\n",
    "b.md": "# ownership\n\nSee there for ownership.\n",
    "c.md": "# Borrowing\n\nBorrowing needs ownership.\n",
    "content/es/pod.md": "---\ntitle: Pod pequeño\n---\nPod pod pod pod.\n",
    "content/en/pod.md": "---\ntitle: Pod\n---\nA pod runs containers.\n",
    "d.md": "# Kubernetes Operator\n\nRuns things.\n",
}


ANYWHERE = ScopeRequest()


def offered(question, scope=ANYWHERE):
    library = MemoryLibrary()
    ingest(MemoryVault({p: t.encode() for p, t in NOTES.items()}), ComrakParser(), library)
    return nearest_titles(plan(question, library), scope, library, most=3)


def test_titles_that_differ_by_case_are_offered_once():
    assert sorted(offered("does ownership have a colour?")) == ["Borrowing", "Ownership"]


def test_of_translations_the_one_in_the_question_s_language_is_offered():
    assert offered("is a pod green?") == ("Pod",)


def test_a_title_spelled_much_alike_is_offered_where_no_word_is_known():
    assert offered("cubernets operater") == ("Kubernetes Operator",)


def test_a_title_out_of_scope_is_not_offered():
    only = ScopeRequest(document_ids=("a.md",))

    assert offered("cubernets operater", only) == ()


def test_nothing_is_offered_where_nothing_is_near():
    assert offered("zyxwv qponm") == ()
