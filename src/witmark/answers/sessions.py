"""The state of a session: panels, turns, study, memories. Pure functions over plain data.

A write touches its own part and keeps every other, known to us or not: the panel state has
domains of several owners, and the history of graph focuses must survive a conversation, a
study session, and a client that never heard of it.
"""

from collections.abc import Callable, Iterable, Mapping

from witmark.answers import plain_fields as fields
from witmark.answers.atoms import AtomId
from witmark.answers.context_records import memory_to_plain
from witmark.answers.memory import Memory
from witmark.answers.plain import Plain
from witmark.answers.plain_fields import Fields
from witmark.answers.ports import RunShelf
from witmark.kernel.canon import canonical_json, read_canonical

SCHEMA = "session_state/1"
MOST_FOCUSES, MOST_TURNS, MOST_MEMORIES = 100, 200, 200
"""The newest that a session keeps of each."""

FOCUS_DOMAIN = "graphFocus"


def new_session(session_id: str) -> Plain:
    """An empty state: ``schema, sessionId, panelState, conversation{turns}, studySession,
    memory{entries}``.
    """  # noqa: D205 - a list of fields, not a summary
    return {
        "schema": SCHEMA,
        "sessionId": session_id,
        "panelState": {},
        "conversation": {"turns": []},
        "studySession": {},
        "memory": {"entries": []},
    }


# Panels ------------------------------------------------------------------------------


def with_panel_state(state: Fields, domains: Fields) -> Plain:
    """Replace the domains that are given and keep all others.

    The focus history is merged, never replaced: a client may send an old one, or none.
    """
    panel = dict(fields.part(state, "panelState"))
    kept = focus_reports_of(state)
    panel.update(domains)
    if FOCUS_DOMAIN in domains:
        sent = fields.fields_of(domains[FOCUS_DOMAIN], f"panelState/{FOCUS_DOMAIN}")
        panel[FOCUS_DOMAIN] = {**sent, "reports": _joined(kept, _reports(sent))}
    return {**state, "panelState": panel}


def with_focus_report(state: Fields, report: Fields) -> Plain:
    """Add a graph-focus report as the newest; the same report again is the same history."""
    domain = fields.part(fields.part(state, "panelState"), FOCUS_DOMAIN)
    reports = _joined(focus_reports_of(state), [report])
    panel = {**fields.part(state, "panelState"), FOCUS_DOMAIN: {**domain, "reports": reports}}
    return {**state, "panelState": panel}


def focus_reports_of(state: Fields) -> list[Fields]:
    """The focus history, oldest first."""
    return _reports(fields.part(fields.part(state, "panelState"), FOCUS_DOMAIN))


def _reports(domain: Fields) -> list[Fields]:
    return [one for one, _ in fields.parts(domain, "reports", FOCUS_DOMAIN)]


def _joined(old: Iterable[Fields], new: Iterable[Fields]) -> list[Fields]:
    """Both histories, each report once at its first place, the newest last, bounded."""
    found: dict[str, Fields] = {}
    for report in (*old, *new):
        found.setdefault(_report_key(report), report)
    return list(found.values())[-MOST_FOCUSES:]


def _report_key(report: Fields) -> str:
    name = report.get("reportId")
    return name if isinstance(name, str) and name else canonical_json(dict(report)).decode()


# Conversation, study, memory ------------------------------------------------------------


def with_turn(state: Fields, turn: Fields) -> Plain:
    """Add a turn (``runId, question, answer, recordedAt``) as the newest."""
    conversation = fields.part(state, "conversation")
    turns = [one for one, _ in fields.parts(conversation, "turns", "conversation")]
    kept = [*turns, dict(turn)][-MOST_TURNS:]
    return {**state, "conversation": {**conversation, "turns": kept}}


def turn_of(record: Fields) -> Plain:
    """The turn that a run's record stands for."""
    return {
        "runId": fields.text(record, "runId"),
        "question": fields.text(record, "question"),
        "answer": fields.text(fields.part(record, "answer"), "text"),
        "recordedAt": fields.text(record, "generatedAt"),
    }


def with_study_session(state: Fields, study: Fields) -> Plain:
    """Replace the study session; everything else stays as it is."""
    return {**state, "studySession": dict(study)}


def memories_of(state: Fields) -> tuple[Memory, ...]:
    """What the session remembers, oldest first."""
    return tuple(
        Memory(
            fields.text(one, "memoryId", place),
            fields.text(one, "namespace", place),
            fields.text(one, "question", place),
            tuple(AtomId(name) for name in fields.strings(one, "atomIds", place)),
            fields.text(one, "recordedAt", place),
        )
        for one, place in fields.parts(fields.part(state, "memory"), "entries", "memory")
    )


def with_memories(state: Fields, memories: Iterable[Memory]) -> Plain:
    """Replace what the session remembers, the newest last, bounded."""
    entries = [memory_to_plain(one) for one in memories][-MOST_MEMORIES:]
    return {**state, "memory": {**fields.part(state, "memory"), "entries": entries}}


# The shelf ---------------------------------------------------------------------------


def read_session(shelf: RunShelf, session_id: str) -> tuple[int, Fields]:
    """Return a session's version and state; version 0 and an empty state for a new one.

    Raises:
        GarbledRecordError: the kept state is not what we would have written.
    """
    if (kept := shelf.session(session_id)) is None:
        return 0, new_session(session_id)
    version, raw = kept
    return version, fields.fields_of(read_canonical(raw, place=session_id), session_id)


def update_session(
    shelf: RunShelf, session_id: str, change: Callable[[Fields], Mapping[str, object]]
) -> Fields:
    """Read a session, change it, write it back; return the new state.

    Raises:
        OutsideError: another writer was first; read again and repeat the change.
    """
    version, state = read_session(shelf, session_id)
    changed = dict(change(state))
    shelf.put_session(session_id, version, canonical_json(changed))
    return changed
