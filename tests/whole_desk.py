"""The whole answers desk over a few notes given as text."""

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


def asked(notes: dict[str, str], question: str, **more):
    """What an ask leaves behind; ``more`` is anything else a question may say."""
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
    return answer_question(Question(question, DAY, **more), desk)


def cited(answer, sentence: str) -> list[str]:
    """The snippets that a sentence of an answer rests on."""
    snippets = {c.citation_id: c.snippet for c in answer.pane.citations}
    ids = next(s.citation_ids for s in answer.public.sentences if sentence in s.text)
    return [snippets[name] for name in ids]
