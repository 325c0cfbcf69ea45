"""A question that goes on from the one before it: "and what are its roles?", 它的步骤是什么.

Within a session such a question means the thing that was asked about last. What it means is
written out as a question of its own; nothing else of the session enters the answer.
"""

import re
from collections.abc import Sequence

from witmark.answers import phrases
from witmark.answers import plain_fields as fields
from witmark.answers.intent import read_question
from witmark.answers.late import late
from witmark.answers.plain_fields import Fields
from witmark.answers.planning import NamedNotes, plan

_MOST_TURNS = 5
"""So many of the latest turns are looked at for a subject."""

_MINE = late(r"\b(?:its|their)\b", re.IGNORECASE)
_IT = late(r"\b(?:it|they|them)\b", re.IGNORECASE)
_HAN_IT = late("它们?|牠|这个(?:东西|方法)?(?=的)|[这那]种(?:东西|方法)?(?=的)")
_LINKED = late(r"^\s*(?:(?:and|so|but|also|then)\b|那么?|还有|另外)[\s,，]*", re.IGNORECASE)
_MORE = late(
    r"(?:please )?(?:tell me|say|explain)(?: me)? (?:some )?more|(?:more|go on|continue)"
    r"|(?:再)?(?:多|详细)?(?:说|讲)(?:一?些|一?点|下去)|继续|还有呢|详细(?:一?点|说说)",
    re.IGNORECASE,
)
_BARE = late("(?:有(?:什么|哪些)|(?:需要?|应该?|要)?(?:注意|小心)|怎么[做用办]|为什么呢?$)")
"""Beginnings of a Chinese question that has left its subject out."""

_PART = late(r"(?:what|which|where|how)\b[^A-Z\d\"'`]*\bthe [^A-Z\d\"'`]+")
"""An English question about "the" something with no name in it: something of the subject."""

_END = "?？。.!！ "


def last_subject(session: Fields, library: NamedNotes) -> str:
    """The name of the note that a session's latest questions were about; empty if none is."""
    conversation = fields.part(session, "conversation")
    turns = [one for one, _ in fields.parts(conversation, "turns", "conversation")]
    asked = [fields.text(turn, "question") for turn in turns[-_MOST_TURNS:]]
    subject = ""
    for question in asked:
        named = plan(meant(question, subject)[0] if subject else question, library).alias_hits
        subject = named[0].surface if named else subject
    return subject


def meant(question: str, subject: str) -> Sequence[str]:
    """What a question may mean after one about a subject, the likelier reading first.

    >>> meant("and what are its roles?", "Scrum")
    ("what are Scrum's roles?", 'and what are its roles?')
    >>> meant("它的步骤是什么", "手冲")
    ('手冲的步骤是什么', '它的步骤是什么')
    >>> meant("what are the roles?", "Scrum")
    ('what are the roles?', 'what are the roles of Scrum?')
    """
    if not subject:
        return (question,)
    bare = _LINKED.sub("", question)
    is_zh = read_question(question).language == phrases.ZH
    if _MORE.fullmatch(bare.strip(_END)):
        return (f"介绍{subject}" if is_zh else f"tell me about {subject}", question)
    said = _HAN_IT.sub(subject, bare)
    said = _MINE.sub(lambda _: f"{subject}'s", said)
    said = _IT.sub(lambda _: subject, said)
    if said != bare:
        return (said, question)
    if is_zh:
        return (f"{subject}{bare}", question) if _BARE.match(bare) else (question,)
    if _PART.fullmatch(bare.strip()) is None:  # it has a subject of its own, known or not
        return (question,)
    return question, f"{bare.rstrip(_END)} of {subject}?"
