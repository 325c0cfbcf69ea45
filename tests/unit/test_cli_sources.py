"""A source and an answer as the terminal shows them."""

from witmark.bootstrap.opening import Opened
from witmark.cli.answer_view import answer_lines
from witmark.cli.source_view import source_lines

BOM = "\ufeff"


def opened(text, *highlights, path="a.md", cited="a.md", drift="current"):
    return Opened("A", path, text, highlights, None, drift, cited_path=cited)


def lines(source):
    return list(source_lines(source, around=0, colour=False))


def test_a_byte_order_mark_counts_in_offsets_and_is_not_shown():
    assert lines(opened(f"{BOM}# A\n", (3, 4))) == ["A  a.md:1", "    1  # ⟦A⟧"]
    assert lines(opened(f"{BOM}# A\n", (0, 4))) == ["A  a.md:1", "    1  ⟦# A⟧"]


def test_where_a_moved_note_lay_and_lies_is_told():
    [head, _] = lines(opened("# A\n", (2, 3), path="new/a.md", drift="moved"))
    assert head == "A  new/a.md:1  (moved since it was cited, from a.md to new/a.md)"


def response(language, requested, used, *, languages=False):
    def scope(*corpora):
        names = {"corpusIds": list(corpora), "sourcePathPrefixes": [], "documentIds": []}
        return names | {"languages": ["zh"] if languages else []}

    return {
        "language": language,
        "trace": {"scopeRecovery": {"requestedScope": scope(requested)}},
        "usedScope": scope(used),
        "sentences": [],
        "citations": [],
    }


def test_notes_that_lie_in_no_folder_are_at_the_top_of_the_workspace():
    first, _ = answer_lines(response("en", "b", ""), ".")
    assert first == "(Nothing in b; found in the top of the workspace.)"
    first, _ = answer_lines(response("zh", "", "b"), ".")
    assert first == "（在 工作区最上层 中没有；在 b 中找到）"


def test_a_scope_of_a_language_is_told():
    first, _ = answer_lines(response("en", "b", "a", languages=True), ".")

    assert first == "(Nothing in b, lang:zh; found in a, lang:zh.)"
