"""What one attempt asks, and how its reply is judged. Pure: a replay does the same again."""

from collections.abc import Callable
from dataclasses import replace

from witmark.kernel.model.outcome import Judgement, Refused
from witmark.kernel.model.record import Judged
from witmark.kernel.model.reply import Finish, Raw, Reader, Reply, Unreadable
from witmark.kernel.model.request import Ask, Message, Profile, Request, Role
from witmark.kernel.model.vetting import vetted_judgement, vetted_reply

# A model must not be able to make its own next request too large to be sent. The record
# keeps both whole. Part of what is replayed: another number is another request.
_SHOWN_AGAIN_CHARS = 32_768
_TOLD_CHARS = 4_096
MOST_TOLD_BYTES = 6 * (_TOLD_CHARS + 400)
"""What telling why an answer was refused adds to a request at most, every letter escaped."""

Judge = Callable[[str], Judgement]
"""Says whether a reply's words keep the schema and every gate. Pure: it is asked again when
a crash came between the answer and the judgement, and when the run is replayed."""


def read_and_judged(
    reader: Reader, raw: Raw, request: Request, judge: Judge
) -> tuple[Reply | None, Judgement]:
    """Read a raw answer, and judge what it says; no reply where it cannot be read."""
    reply = vetted_reply(reader.read(raw, request))
    if isinstance(reply, Unreadable):
        return None, Refused(reply.because)
    return reply, judgement_of(reply, judge)


def judgement_of(reply: Reply, judge: Judge) -> Judgement:
    """Judge a reply: one that is not whole, or declines, is refused before the desk sees it."""
    if reply.finish is Finish.LENGTH:
        return Refused("the reply was cut at the limit of tokens; answer in fewer words")
    if reply.finish is Finish.REFUSAL:
        return Refused("the reply declines to answer; answer in the form of the schema")
    if reply.finish is Finish.OTHER:
        return Refused("the reply is no final answer; answer in the form of the schema")
    return vetted_judgement(judge(reply.text))


def forms_of(ask: Ask, profile: Profile, refused: list[Judged]) -> tuple[Request, ...]:
    """The requests that the next attempt may send, the best first.

    The first shows the last invalid answer, if it is not too long. The last only says that it
    is not shown, for where the first would be larger than may be sent.
    """
    best = request_of(ask, profile, refused)
    least = request_of(ask, profile, refused, shows=False)
    return (best,) if best == least else (best, least)


def request_of(
    ask: Ask, profile: Profile, refused: list[Judged], *, shows: bool = True
) -> Request:
    """Make the canonical request of the next attempt; it shows the last invalid answer."""
    messages = ask.messages
    if not profile.takes_images and ask.images:
        messages = tuple(_without_images(message) for message in messages)
    if refused:
        messages += _feedback(refused[-1], len(refused), shows=shows)
    return Request(ask.question, ask.purpose, messages, ask.schema, ask.prompt, profile)


def _feedback(judged: Judged, number: int, *, shows: bool) -> tuple[Message, ...]:
    """What an attempt is told of the last one; no two attempts are told quite the same.

    Equal requests would bear one idempotency key, and the provider might give the answer that
    was refused once more.
    """
    said = judged.reply.text if judged.reply is not None else ""
    is_shown = shows and 0 < len(said) <= _SHOWN_AGAIN_CHARS
    shown = (Message(Role.ASSISTANT, said),) if is_shown else ()
    told = (
        f"That answer{f' (number {number})' if number > 1 else ''} was refused: "
        f"{_shortened(judged.feedback)}\n"
        "Answer again, whole, in the form asked."
    )
    if said and not is_shown:
        told += f"\n[The answer had {len(said)} characters and is not shown again.]"
    return (*shown, Message(Role.USER, told))


def _shortened(feedback: str) -> str:
    if (left := len(feedback) - _TOLD_CHARS) <= 0:
        return feedback
    return f"{feedback[:_TOLD_CHARS]} [{left} more characters]"


def _without_images(message: Message) -> Message:
    """Say that images are missing; what a model is not shown is never left out in silence."""
    if not message.images:
        return message
    said = f"{message.text}\n\n[{len(message.images)} image(s) are not shown to this model.]"
    return replace(message, text=said, images=())
