"""Names found in many texts at once are those found in one text after the other."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from witmark.adapters.markdown import ComrakParser
from witmark.answers import named_in
from witmark.answers.counting import Vocabulary
from witmark.answers.finding import Finder, is_read
from witmark.answers.names import NO_NAMES, Names, by_key
from witmark.answers.reading import read_note
from witmark.answers.terms import query_terms

WORDS = ("water", "glass", "Linked", "HashMap", "C++", "水杯", "玻璃", "玻", "Go", "the", "x1")
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)
spaced = st.tuples(phrases, st.sampled_from((" ", "", "-", "，", "\n"))).map(
    lambda pair: pair[1].join(pair[0])
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(phrases.map(" ".join), min_size=1, max_size=8),
    st.lists(spaced, min_size=1, max_size=8),
    st.sampled_from((1, 3, 1 << 20)),
)
@example(["water glass", "glass"], ["water glass", "glass water", "玻璃"], 1)
def test_names_found_at_once_are_those_found_one_by_one(titles, bodies, at_once):
    notes = [
        read_note(f"{number}.md", f"# {title}\n\n{body}\n".encode(), ComrakParser())
        for number, (title, body) in enumerate(zip(titles * 8, bodies, strict=False))
    ]
    names = Names(NO_NAMES, fresh=by_key((note.document.id, note.entries) for note in notes))
    atoms = [atom for note in notes for atom in note.document.atoms if is_read(atom)]
    tokens = [frozenset(query_terms(atom.content.text)) for atom in atoms]
    slow = Finder(names)
    slow.look_up(tokens)
    one_by_one = {
        atom.id: found
        for atom, its in zip(atoms, tokens, strict=True)
        if (found := slow.found(atom, its))
    }
    bodies_of_atoms = Vocabulary().read([atom.content.text for atom in atoms])
    old, named_in._AT_ONCE = named_in._AT_ONCE, at_once
    try:
        together = dict(Finder(names).found_in_all(atoms, bodies_of_atoms))
    finally:
        named_in._AT_ONCE = old
    assert together == one_by_one
