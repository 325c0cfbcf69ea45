"""A model's reply, read: sentences with what they cite, or that the exhibits do not tell.

``wire.read_draft`` makes these values; whether a sentence holds is not decided here.
"""

from dataclasses import dataclass

OUTPUT = "answers-draft/1"
"""The format of a reply."""

MOST_SENTENCES = 3
MOST_SENTENCE_CHARS = 600
MOST_CITED = 12
MOST_REASON_CHARS = 500


@dataclass(frozen=True, slots=True)
class ProposedSentence:
    """A sentence in the model's words, and the ids of the exhibits it says it rests on."""

    text: str
    exhibits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One to three sentences."""

    sentences: tuple[ProposedSentence, ...]


@dataclass(frozen=True, slots=True)
class NotTold:
    """The model says that the exhibits do not answer, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unfit:
    """It is not in the form asked; the feedback names the field and the way out."""

    feedback: str


ModelReply = Proposal | NotTold | Unfit
