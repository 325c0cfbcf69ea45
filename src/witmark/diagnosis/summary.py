"""The diagnosis for people, as Markdown. It adds no conclusion of its own.

Everything in it stands in the result or the context; the same two give the same text. Words
from outside are put so that they can break neither the page nor its structure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from witmark.diagnosis.saying import plainly

HONEST = (
    "The checks behind this page hold that everything cited is stored, that every hypothesis "
    "has one ending, and that an alternative was examined. They cannot hold that the inference "
    "of the cause is right."
)
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~&$@^!])")
_LEADS = re.compile(r"^([-+=:]|\d{1,9}(?=[.)]))")  # would begin a list, a line, a heading
_LINKS = re.compile(r"(?i)(?<=www)\.|:(?=//)|(?<=mailto):|(?<=xmpp):")  # made of bare words
_QUOTE_CHARS = 400


def summary_of(result: Mapping[str, Any], context: Mapping[str, Any]) -> str:
    """Write the summary of a result on its context."""
    return "\n".join(_lines(result, context)) + "\n"


def _lines(result: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[str]:
    diagnosis, identity = result["diagnosis"], result["identity"]
    title = context["interpretation"]["title"] or identity["case_id"]
    yield f"# {_safe(title)}"
    yield ""
    yield f"**{_headline(diagnosis)}**"
    yield ""
    yield (
        f"Case {_safe(identity['case_id'])}, package {_safe(identity['package_id'])}, "
        f"analysis revision {identity['revision']}."
    )
    yield ""
    yield HONEST
    yield from _cause(diagnosis)
    yield from _suspects(result["suspects"])
    yield from _hypotheses(diagnosis, result["hypotheses"])
    yield from _countercheck(diagnosis)
    yield from _list("What remains uncertain", diagnosis["remaining_uncertainty"])
    yield from _list("What was not looked at", result["not_looked_at"])
    yield from _list("What people assume", diagnosis["human_assumptions"])
    yield from _intended(diagnosis)
    yield from _list(
        "Recommended for review (nothing of it was done)", diagnosis["review_actions"]
    )
    yield from _findings(diagnosis, context["findings"])
    yield from _call(result)


def _headline(diagnosis: Mapping[str, Any]) -> str:
    if diagnosis["status"] == "confirmed":
        level = diagnosis["confidence"].replace("_", " ")
        return f"Confirmed ({level}): {_safe(diagnosis['root_cause']['summary'])}"
    return f"Inconclusive: {_safe(diagnosis['final_reason'])}"


def _cause(diagnosis: Mapping[str, Any]) -> Iterator[str]:
    cause = diagnosis["root_cause"]
    if cause is None:
        return
    yield from ("", "## Root cause", "", _safe(cause["technical_description"]), "")
    yield f"It rests on {_cited(cause['evidence_ids'])}."
    yield from ("", _safe(diagnosis["final_reason"]))


def _suspects(suspects: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not suspects:
        return
    yield from ("", "## Where to look first", "")
    yield from ("| # | place | lines | level | findings |", "|---|---|---|---|---|")
    for one in suspects[:10]:
        place = one["location"]
        name = f"{_safe(place['path'])} {_safe(place['name'])}".strip()
        lines = f"{place['start_line']}–{place['end_line']}"
        level = one["level"].replace("_", " ")
        yield f"| {one['rank']} | {name} | {lines} | {level} | {_cited(one['findings'])} |"


def _hypotheses(
    diagnosis: Mapping[str, Any], ends: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    said = {one["hypothesis_id"]: one for one in diagnosis["hypothesis_evaluations"]}
    yield from ("", "## Hypotheses", "")
    for end in ends:
        hypothesis = end["hypothesis"]
        name = hypothesis["id"]
        final = said.get(name)
        state = final["state"].replace("_", " ") if final else "not evaluated"
        yield f"### {name}: {_safe(hypothesis['statement'])}"
        yield ""
        yield f"- {state}; the investigation left it {end['state']}"
        if final:
            yield f"- why: {_safe(final['reason'])}"
            yield f"- for it: {_cited(final['supporting_evidence_ids'])}"
            yield f"- against it: {_cited(final['contradicting_evidence_ids'])}"
            if final["contradictions_answered"]:
                yield f"- answered: {_safe(final['contradictions_answered'])}"
            yield from (f"- not decided by: {_safe(one)}" for one in final["scope_limits"])
        yield from (f"- open: {_safe(one)}" for one in end["open_questions"])
        yield ""


def _countercheck(diagnosis: Mapping[str, Any]) -> Iterator[str]:
    check = diagnosis["countercheck"]
    how = "adequate" if check["adequate"] else "not adequate"
    of = check["alternative_hypothesis_id"]
    yield from ("## Countercheck", "")
    yield f"{how}{f', of {_safe(of)}' if of else ''}: {_safe(check['reason'])}"
    yield ""
    yield f"It rests on {_cited(check['evidence_ids'])}."


def _intended(diagnosis: Mapping[str, Any]) -> Iterator[str]:
    if diagnosis["intended_external_behavior"]:
        yield from ("", "## Meant to be so", "", _safe(diagnosis["intended_external_behavior"]))


def _list(title: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield from ("", f"## {title}", "")
        yield from (f"- {_safe(one)}" for one in items)


def _findings(
    diagnosis: Mapping[str, Any], findings: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    cited = _all_cited(diagnosis)
    shown = [one for one in findings if one["id"] in cited]
    if not shown:
        return
    yield from ("", "## Findings that are cited", "")
    for one in shown:
        kind = f"{one['kind']}, {one['group']}, {one['completeness']} look"
        yield f"- **{one['id']}** ({kind}) {_safe(one['statement'])}"
        for quote in one["quotes"]:
            yield f"  - `{quote['ref']}`: {_safe(_short(quote['text']))}"


def _call(result: Mapping[str, Any]) -> Iterator[str]:
    call, rejected = result["model_call"], result["rejected_calls"]
    yield from ("", "## Where this comes from", "")
    if call is not None:
        yield f"- decided by: {_safe(call['model'])}, attempt {call['attempt']}"
        yield f"- request: `{call['request']}`"
        yield f"- recorded in: `{call['journal']}`"
    if rejected is not None:
        count, journal = rejected["invalid"], rejected["journal"]
        yield f"- {count} decisions were refused; they are kept in `{journal}`"
    yield f"- context: `{result['context']['path']}`, `{result['context']['digest']}`"


def _all_cited(diagnosis: Mapping[str, Any]) -> set[str]:
    cited = set(diagnosis["countercheck"]["evidence_ids"])
    if diagnosis["root_cause"] is not None:
        cited |= set(diagnosis["root_cause"]["evidence_ids"])
    for one in diagnosis["hypothesis_evaluations"]:
        cited |= set(one["supporting_evidence_ids"]) | set(one["contradicting_evidence_ids"])
    return cited


def _cited(ids: Sequence[str]) -> str:
    return ", ".join(ids) if ids else "nothing"


def _short(text: str) -> str:
    if len(text) <= _QUOTE_CHARS:
        return text
    return f"{text[:_QUOTE_CHARS]} … ({len(text) - _QUOTE_CHARS} characters more at the place)"


def _safe(text: str) -> str:
    """One line that Markdown reads as words and a terminal as nothing but words."""
    line = plainly(" ".join(text.split()), len(text))
    line = _LEADS.sub(_lead, _LINKS.sub(r"\\\g<0>", _MARKS.sub(r"\\\1", line)))
    return "".join(c if c.isprintable() else "�" for c in line)


def _lead(hit: re.Match[str]) -> str:
    return f"{hit[0]}\\" if hit[0].isdigit() else f"\\{hit[0]}"
