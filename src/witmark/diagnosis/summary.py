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
_MARKS = re.compile(r"([\\`*{}\[\]<>#|~&$@^!]|(?<!\w)_|_(?!\w))")  # a_b is no emphasis
_LEADS = re.compile(r"^([-+=:]|\d{1,9}(?=[.)]))")  # would begin a list, a line, a heading
_LINKS = re.compile(
    r"(?i)(?<=www)\.|:(?=//)|(?<=mailto):|(?<=xmpp):|=(?==)|%(?=%)"
)  # made of bare words or of pairs
_TICKS = re.compile(r"`+")
_QUOTE_CHARS = 400


def summary_of(result: Mapping[str, Any], context: Mapping[str, Any]) -> str:
    """Write the summary of a result on its context."""
    return "\n".join(_lines(result, context)) + "\n"


def _lines(result: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[str]:
    diagnosis, identity = result["diagnosis"], result["identity"]
    title = context["interpretation"]["title"] or identity["case_id"]
    refs = _first_refs(context["findings"])
    yield f"# {_safe(title)}"
    yield ""
    yield f"**{_headline(diagnosis)}**"
    yield ""
    yield from _next(result, refs)
    yield from _suspects(result["suspects"], refs)
    yield from _cause(diagnosis)
    yield from _hypotheses(diagnosis, result["hypotheses"])
    yield from _countercheck(diagnosis)
    yield from _list("What remains uncertain", _uncertain(result))
    yield from _list("What was not looked at", result["not_looked_at"])
    yield from _list("What people assume", diagnosis["human_assumptions"])
    yield from _intended(diagnosis)
    yield from _findings(diagnosis, context["findings"])
    yield from _redactions(context["redactions"])
    yield from _call(result)


def _next(result: Mapping[str, Any], refs: Mapping[str, str]) -> Iterator[str]:
    """What to do now: the recommendations first, then how to look and how to answer."""
    name = _name(result)
    yield from ("## What to do next", "")
    yield from (f"{n}. {_safe(one)}" for n, one in enumerate(_actions(result), 1))
    yield ""
    yield "Nothing of it was done. To look, and to answer:"
    yield ""
    first = next((refs[one] for one in _places(result) if one in refs), None)
    if first is not None:
        yield f"    ./do open '{first}'"
    yield f'    ./do case accept {name} --reason "…"'
    yield f'    ./do case reject {name} --reason "…"'


def _actions(result: Mapping[str, Any]) -> Sequence[str]:
    actions: Sequence[str] = result["diagnosis"]["review_actions"]
    return actions


def _places(result: Mapping[str, Any]) -> Iterator[str]:
    """Findings in the order in which a reader wants to see them."""
    cause = result["diagnosis"]["root_cause"]
    yield from cause["evidence_ids"] if cause else ()
    for one in result["suspects"]:
        yield from one["findings"]


def _first_refs(findings: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Where each finding opens: its last quote, which is the nearest to the code."""
    return {one["id"]: one["quotes"][-1]["ref"] for one in findings if one["quotes"]}


def _name(result: Mapping[str, Any]) -> str:
    identity = result["identity"]
    return f"{_plain(identity['case_id'])}/{_plain(identity['package_id'])}"


def _headline(diagnosis: Mapping[str, Any]) -> str:
    if diagnosis["status"] == "confirmed":
        level = diagnosis["confidence"].replace("_", " ")
        return f"Confirmed ({level}): {_safe(diagnosis['root_cause']['summary'])}"
    return f"Inconclusive, handed over to a person: {_safe(diagnosis['final_reason'])}"


def _uncertain(result: Mapping[str, Any]) -> list[str]:
    """Without what the next section says in full."""
    told = {f"not looked at: {one}" for one in result["not_looked_at"]}
    return [one for one in result["diagnosis"]["remaining_uncertainty"] if one not in told]


def _cause(diagnosis: Mapping[str, Any]) -> Iterator[str]:
    cause = diagnosis["root_cause"]
    if cause is None:
        return
    yield from ("", "## Root cause", "", _safe(cause["technical_description"]), "")
    yield f"It rests on {_cited(cause['evidence_ids'])}."
    yield from ("", _safe(diagnosis["final_reason"]))


def _suspects(suspects: Sequence[Mapping[str, Any]], refs: Mapping[str, str]) -> Iterator[str]:
    if not suspects:
        return
    yield from ("", "## Where to look first", "")
    yield from ("| # | place | lines | on its own | findings |", "|---|---|---|---|---|")
    for one in suspects[:10]:
        place = one["location"]
        name = " ".join(_code(part) for part in (place["path"], place["name"]) if part)
        lines = f"{place['start_line']}–{place['end_line']}"
        level = one["level"].replace("_", " ")
        yield f"| {one['rank']} | {name} | {lines} | {level} | {_cited(one['findings'])} |"
    if len(suspects) > 10:
        yield from ("", f"{len(suspects) - 10} more places stand in the result (`--json`).")
    opened = [(one, refs[first]) for one in suspects[:3] if (first := _opens(one, refs))]
    if opened:
        yield from ("", "The code itself:", "")
        yield from (f"    ./do open '{ref}'  # {one['rank']}" for one, ref in opened)


def _opens(suspect: Mapping[str, Any], refs: Mapping[str, str]) -> str:
    return next((one for one in suspect["findings"] if one in refs), "")


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
        yield f"- verdict: **{state}** (after the investigation: {end['state']})"
        yield from _evaluation(final, end["open_questions"])
        yield ""


def _evaluation(final: Mapping[str, Any] | None, questions: Sequence[str]) -> Iterator[str]:
    limits: Sequence[str] = ()
    if final is not None:
        limits = final["scope_limits"]
        yield f"- why: {_safe(final['reason'])}"
        yield f"- for it: {_cited(final['supporting_evidence_ids'])}"
        yield f"- against it: {_cited(final['contradicting_evidence_ids'])}"
        if final["contradictions_answered"]:
            yield f"- what is said to that: {_safe(final['contradictions_answered'])}"
    yield from (f"- left open by: {_safe(one)}" for one in limits)
    yield from (f"- open question: {_safe(one)}" for one in questions if one not in limits)


def _countercheck(diagnosis: Mapping[str, Any]) -> Iterator[str]:
    check = diagnosis["countercheck"]
    how = "Adequate" if check["adequate"] else "Not adequate"
    of = check["alternative_hypothesis_id"]
    yield from ("## Countercheck", "")
    yield f"{how}{f', of the rival {_safe(of)}' if of else ''}: {_safe(check['reason'])}"
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
            yield from ("", f"      ./do open '{quote['ref']}'", "")
            yield from (f"  {line}" for line in _block(_short(quote["text"])))
        yield ""


def _redactions(redactions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Which secrets were taken out of what was decided on, and how often."""
    if redactions:
        yield from ("", "## Secrets that were replaced by marks", "")
        for one in redactions:
            often = "once" if one["times"] == 1 else f"{one['times']} times"
            yield f"- {_safe(one['kind'])} {one['number']}: {often}"


def _call(result: Mapping[str, Any]) -> Iterator[str]:
    call, rejected = result["model_call"], result["rejected_calls"]
    revision = result["identity"]["revision"]
    yield from ("", "## Where this comes from", "", HONEST, "")
    yield f"- package: {_name(result)}, analysis revision {revision}"
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


def _block(text: str) -> Iterator[str]:
    """Lines as they stand, between fences that nothing in them can close."""
    longest = max(map(len, _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield fence
    yield from (_plain(line) for line in text.splitlines())
    yield fence


def _code(text: str) -> str:
    """A path or a name, readable also where Markdown is not rendered."""
    return f"`{_plain(' '.join(text.split())).replace('`', '´').replace('|', '¦')}`"


def _safe(text: str) -> str:
    """One line that Markdown reads as words and a terminal as nothing but words."""
    line = plainly(" ".join(text.split()), len(text))
    line = _LEADS.sub(_lead, _LINKS.sub(r"\\\g<0>", _MARKS.sub(r"\\\1", line)))
    return _plain(line)


def _lead(hit: re.Match[str]) -> str:
    return f"{hit[0]}\\" if hit[0].isdigit() else f"\\{hit[0]}"


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "�" for c in text.expandtabs(4))


markdown_words, markdown_code = _safe, _code  # for other pages of this desk
