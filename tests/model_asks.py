"""Asks over notes in memory, with a model whose replies are written down beforehand."""

import dataclasses
import json
from pathlib import Path

from witmark.adapters.markdown import ComrakParser
from witmark.answers.composing import EmbeddedComposer
from witmark.answers.dag import Dag
from witmark.answers.desk import AnswersDesk, Question
from witmark.answers.ingesting import ingest
from witmark.answers.modelling import ModelComposer
from witmark.answers.use_cases import answer_question
from witmark.bootstrap.models import prompt
from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.request import Prices, Profile
from witmark.kernel.store import BlobStore
from witmark.testing.disks import MemoryDisk
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.models import PlayedProvider, SteadyClock
from witmark.testing.shelves import MemoryShelf
from witmark.testing.vaults import MemoryVault

AS_OF = "2026-06-20"
SAMPLE_NOTES = Path(__file__).parents[1] / "samples" / "notes"
PROFILE = Profile("one", "played", "m-1", prices=Prices(1.0, 2.0, "EUR"))
PROMPT = prompt("witmark.answers", "compose.v1.md")


def library_of(notes):
    """A library of notes, given as text by path."""
    made = MemoryLibrary()
    ingest(
        MemoryVault({path: notes[path].encode() for path in sorted(notes)}),
        ComrakParser(),
        made,
    )
    return made


def sample_library():
    """The sample workspace."""
    found = sorted(SAMPLE_NOTES.rglob("*.md"))
    return library_of({str(p.relative_to(SAMPLE_NOTES)): p.read_text("utf-8") for p in found})


class Asks:
    """A desk that asks a played model, and the same desk without one."""

    def __init__(self, library, *answers, profiles=(PROFILE,), most_bytes=4_000_000, disk=None):
        self.provider = PlayedProvider(answers)
        self.clock, self.disk = SteadyClock(), disk or MemoryDisk()
        routes = ModelRoutes({"answers": profiles}, most_bytes) if profiles else ModelRoutes({})
        self.gateway = DurableGateway(routes, {"played": self.provider}, self.clock)
        self.composer = ModelComposer(self.gateway, PROMPT, self.disk, EmbeddedComposer())
        dag = Dag(library.graph())
        self.desk = AnswersDesk(
            workspace="notes",
            library=library,
            dag=lambda: dag,
            blobs=BlobStore(MemoryDisk()),
            shelf=MemoryShelf(),
            composer=EmbeddedComposer(),
        )

    def ask(self, message, *, retry_id=None, **circumstances):
        composer = dataclasses.replace(self.composer, retry_id=retry_id)
        desk = dataclasses.replace(self.desk, composer=composer)
        return answer_question(Question(message, AS_OF, **circumstances), desk)

    def without(self, message):
        return answer_question(Question(message, AS_OF), self.desk)

    def shown(self, number=0):
        """What the model was told in its message, at one of the requests."""
        return json.loads(self.provider.asked[number].messages[1].text)


def reply(*sentences, **rest):
    """A reply: each sentence with the exhibit, or exhibits, it cites."""
    said = [
        {"text": text, "exhibits": [cited] if isinstance(cited, str) else list(cited)}
        for text, cited in sentences
    ]
    return json.dumps({"sentences": said, **rest}, ensure_ascii=False)
