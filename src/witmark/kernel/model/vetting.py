"""What adapters and desks hand in, made fit to be written down.

The record takes text without half characters, finite numbers and whole counts, and nothing
else; one entry that it could not read back would make the whole run unreadable. What a
provider says is not in our hands, so it is mended here before it reaches the record.
"""

from dataclasses import replace

from witmark.kernel.model.outcome import Admitted, Judgement, Refused
from witmark.kernel.model.reply import Failure, Raw, Reply, Unreadable, Usage

_COUNT_MOST = 2**53  # beyond it a number is not the same in every reader of JSON


def vetted_answer(answer: Raw | Failure) -> Raw | Failure:
    """An answer or a failure, with nothing in it that could not be recorded."""
    if isinstance(answer, Raw):
        return Raw(bytes(answer.body), int(answer.status), as_text(answer.media_type))
    return vetted_failure(answer)


def vetted_failure(failure: Failure) -> Failure:
    """A failure, with nothing in it that could not be recorded."""
    return replace(
        failure,
        code=as_text(failure.code),
        detail=as_text(failure.detail),
        retry_after_s=_seconds(failure.retry_after_s),
    )


def vetted_reply(reply: Reply | Unreadable) -> Reply | Unreadable:
    """A reply that is text; one that is not is unreadable. What is no count is not known."""
    if isinstance(reply, Unreadable):
        return Unreadable(as_text(reply.because))
    if not is_text(reply.text):
        return Unreadable("the reply holds half a character; answer in plain text")
    usage = Usage(_count(reply.usage.input_tokens), _count(reply.usage.output_tokens))
    return replace(reply, model=as_text(reply.model), usage=usage)


def vetted_judgement(found: Judgement) -> Judgement:
    """A judgement whose words are text, even where they quote what is none."""
    return found if isinstance(found, Admitted) else Refused(as_text(found.feedback))


def is_text(said: str) -> bool:
    r"""Whether it can be written in UTF-8.

    >>> is_text("孔"), is_text("\ud800")
    (True, False)
    """
    return as_text(said) == said


def as_text(said: str) -> str:
    r"""Put a question mark for each half of a character.

    >>> as_text("a\ud800")
    'a?'
    """
    return said.encode("utf-8", "replace").decode()


def _seconds(found: float | None) -> float | None:
    is_number = type(found) in {int, float}
    is_time = is_number and found is not None and 0 <= found < _COUNT_MOST
    return found if is_time else None


def _count(found: int | None) -> int | None:
    is_count = type(found) is int and 0 <= found < _COUNT_MOST
    return found if is_count else None
