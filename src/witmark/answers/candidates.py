"""What retrieval hands on: documents that may matter, each with its atoms and reasons."""

from dataclasses import dataclass

from witmark.answers.atoms import DocumentId, KnowledgeAtom
from witmark.answers.pack import Validity
from witmark.answers.ports import AtomNo


@dataclass(frozen=True, slots=True)
class Candidate:
    """A note that was found, its best atoms first.

    Attributes:
        document_id: The note.
        atom_nos: Numbers of its atoms that matter, best first.
        atoms: The same atoms, in the same order.
        root_no: The number of the note's root atom.
        score: Of the retrieval; orders, proves nothing.
        features: What the score is made of, sorted by name.
        validity: Whether the note holds on the day asked about.
    """

    document_id: DocumentId
    atom_nos: tuple[AtomNo, ...]
    atoms: tuple[KnowledgeAtom, ...]
    root_no: AtomNo
    score: float
    features: tuple[tuple[str, float], ...]
    validity: Validity
