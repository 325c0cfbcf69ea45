"""The shape of `witmark.review/1`, and of what a model may reply, key by key.

Nothing here decides anything. ``encode`` refuses a report with a key too many, a key too few
or a word outside its list, *before* it is written; ``decode`` does the same for one that
comes back. The bytes written are those of the value that was checked, never of a copy that
validation may have tidied.

The JSON Schema of ``ReviewV1`` is exported to ``schemas/``; drift fails the lint stage.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from witmark.kernel.canon import canonical_json
from witmark.kernel.errors import IntegrityError

FORMAT: Literal["witmark.review/1"] = "witmark.review/1"

Sha256 = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Ref = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}(#.*)?$")]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Severity = Literal["critical", "major", "minor", "info"]
VerdictWord = Literal["violated", "satisfied", "undetermined", "not_applicable"]
Grade = Literal["a", "b", "c"]
Value = bool | int | float | str | None
"""A measured value; ``None`` is "could not be measured", never zero."""


class MalformedReportError(IntegrityError):
    """A report does not have the shape its format promises."""

    code = "integrity.report-shape"
    hint = "make the report again with `witmark review`; it was changed or cut short"

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"report.json: {place or 'the whole file'}: {problem}")
        self.place, self.problem = place, problem


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Bilingual(_Wire):
    """One text in two languages."""

    zh: str
    en: str


class Tool(_Wire):
    """The program that made the report."""

    name: str
    version: str


class Referred(_Wire):
    """A STEP file that the opened one refers to, by its name from there."""

    path: str
    digest: Sha256


class Source(_Wire):
    """The STEP file that was read."""

    path: str  # as the caller declared it; the one key that differs between two folders
    digest: Sha256
    bytes: Count
    schema_: str = Field(alias="schema")  # pydantic keeps `schema` for itself
    length_unit: str
    referred: tuple[Referred, ...]  # files beside it that it refers to, in order of name


class Rulebook(_Wire):
    """The rules the report was made with, by name and by content."""

    name: str
    index: Sha256
    store: Sha256
    rules: Count


class PartCoverage(_Wire):
    """How much of one part was understood."""

    name: str
    faces: Count
    explained: Count
    share: Share


class Coverage(_Wire):
    """How much of the file was understood: faces in a named feature or a named base surface."""

    faces: Count
    explained: Count
    share: Share
    parts: tuple[PartCoverage, ...]
    families_not_evaluated: tuple[Bilingual, ...]


class BySeverity(_Wire):
    """Violations per severity; a severity without one says 0."""

    critical: Count = 0
    major: Count = 0
    minor: Count = 0
    info: Count = 0


class Counts(_Wire):
    """How many places got which verdict."""

    violated: Count
    undetermined: Count
    satisfied: Count
    not_applicable: Count
    by_severity: BySeverity


class Rule(_Wire):
    """What a reader needs to know about one rule."""

    rule_id: Annotated[str, Field(pattern=r"^18\.")]
    catalogue_id: str
    title: str  # Chinese, as in the contract's index
    title_en: str
    knowledge_category: str
    primary_view: str
    severity: tuple[Severity, ...]
    source: str
    grade: Grade
    why_zh: str
    why_en: str
    mend_zh: str
    mend_en: str
    card: str


class Anchor(_Wire):
    """What a verdict is pinned to. ``id`` is evidence, never a place to show."""

    kind: str
    id: str
    solidworks_name: str
    component_file_name: str
    inferred_role: str | None


class Measured(_Wire):
    """One fact as it was measured, and where it stands."""

    fact: str
    value: Value
    unit: str
    ref: Ref


class Limit(_Wire):
    """What the value was held against."""

    expression: str
    zh: str
    en: str
    source: str
    grade: Grade


class SourceRef(_Wire):
    """A record of the STEP file."""

    record: Annotated[int, Field(ge=1)]
    line: Annotated[int, Field(ge=1)]
    ref: Ref | None  # None: the record could not be cited in the file's text


class Missing(_Wire):
    """A fact without which the rule cannot be decided."""

    fact: str
    why_needed: str
    why_needed_en: str
    suggested_extraction: str
    suggested_extraction_en: str


class Clause(_Wire):
    """One step of the predicate: what was asked, and how it came out."""

    clause: Literal["bad_if", "good_if", "unknown_if", "applies_if"]
    expression: str
    outcome: Literal["true", "false", "unknown"]
    severity: Severity | None
    values: dict[str, Value]  # the facts that were compared, as the predicate saw them


class Verdict(_Wire):
    """One rule at one place; for satisfied and not_applicable, one rule on one instance."""

    id: str
    rule_id: str
    catalogue_id: str
    verdict: VerdictWord
    severity: Severity | None
    grey: bool  # satisfied, but between the good and the bad limit
    component_id: str
    component_name: str
    semantic_location: str
    semantic_location_en: str
    anchor: Anchor
    retrieval_sentence: str
    retrieval_sentence_en: str
    measured: tuple[Measured, ...]
    limit: Limit | None
    fact_refs: tuple[Ref, ...]
    source_refs: tuple[SourceRef, ...]
    missing: tuple[Missing, ...]
    trace: tuple[Clause, ...]
    picture: str | None
    count: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _says_what_its_word_owes(self) -> Self:
        """A violation has a severity and a limit; an open question says what is missing."""
        if self.verdict == "violated" and (self.severity is None or self.limit is None):
            raise ValueError(f"violation {self.id} has no severity or no limit")
        if self.verdict == "undetermined" and not self.missing:
            raise ValueError(f"undetermined {self.id} does not say what is missing")
        if self.grey and self.verdict != "satisfied":
            raise ValueError(f"{self.id}: only a satisfied rule can be grey")
        return self


class Context(_Wire):
    """An instance that is shown but not reviewed, and why."""

    component_id: str
    name: str
    scope_reasons: tuple[str, ...]


class Request(_Wire):
    """A second look that the judge asked for."""

    id: str
    fact: str
    component_id: str
    semantic_location: str
    semantic_location_en: str
    suggested_extraction: str
    answered: bool
    value: Value
    ref: Ref | None


class Notice(_Wire):
    """Something to know about a file that was read all the same."""

    code: str
    subject: str
    detail: str


class Picture(_Wire):
    """One evidence picture beside the report."""

    id: str
    file: str
    digest: Sha256
    visible_pixels: Count
    width: Annotated[int, Field(ge=1)]
    height: Annotated[int, Field(ge=1)]


class Gate(_Wire):
    """One check the report passed before it was published."""

    name: str
    outcome: str
    because: str


ModelPurpose = Literal["review.interfaces", "review.judge", "review.roles", "review.units"]


class Said(_Wire):
    """One question that was put to a model, and what came of it.

    ``request`` and ``model`` are empty unless the reply was accepted; they say who said what
    stands under this subject elsewhere in the report.
    """

    subject: str
    purpose: ModelPurpose
    outcome: Literal[
        "accepted",
        "rejected",
        "refused-now",
        "waiting",
        "blocked",
        "held",
        "too-large",
        "not-asked",
        "not-recorded",
    ]
    because: str
    request: Sha256 | None
    model: str


class ModelPrompt(_Wire):
    """The instructions that were given for one purpose; the file is among the blobs."""

    purpose: ModelPurpose
    name: str
    digest: Sha256


class ModelRecord(_Wire):
    """The record of one question, beside the report."""

    subject: str
    file: str
    digest: Sha256
    head: Sha256


class ModelImage(_Wire):
    """A picture that a question carried; its bytes are among the blobs."""

    subject: str
    shows: Count  # which of the question's places, counted from 0
    digest: Sha256
    visible_pixels: Count


class ModelUnit(_Wire):
    """A unit that a model proposed and the gates let in, beside the measured ones."""

    subject: str
    local_id: str
    component_id: str
    primary_view: str
    pattern_type: str
    retrieval_sentence: str
    retrieval_sentence_en: str
    inferred_functions: tuple[str, ...]
    fact_refs: tuple[Ref, ...]


class ModelRole(_Wire):
    """A role that a model inferred. The real name stands before it, always."""

    subject: str
    component_id: str
    component_name: str
    anchor: str | None  # None: the component as a whole
    semantic_location: str
    semantic_location_en: str
    inferred_role: str
    confidence: Share
    reason: str
    fact_refs: tuple[Ref, ...]


class ModelOpinion(_Wire):
    """What a model says of a verdict. It is shown beside the verdict and never counted.

    ``agrees`` is false when it contradicts what the facts decide. ``with_roles`` is what the
    rule's own predicates come to if the roles that a model inferred are taken as facts; it is
    only there for a rule that asks for such a role.
    """

    verdict: str
    rule_id: str
    component_id: str
    subject: str | None  # None: only ``with_roles`` is known
    says: VerdictWord | None
    agrees: bool | None  # None: the facts leave the rule open
    basis: Literal["inferred"]
    confidence: Share
    reason: str
    fact_refs: tuple[Ref, ...]
    missing: tuple[str, ...]
    with_roles: VerdictWord | None


class ModelLimits(_Wire):
    """How many questions of each kind were put at most, and pictures to a question."""

    interfaces: Count
    judge: Count
    pictures: Count
    roles: Count
    units: Count


class ModelLedger(_Wire):
    """The calls these answers rest on, whenever they were sent, and what they took.

    Costs are by currency, as far as prices are known.
    """

    accepted: Count
    calls: Count
    costs: dict[str, float]
    durationMs: Count  # noqa: N815 - the kernel's own key
    failed: Count
    inputTokens: Count  # noqa: N815
    outputTokens: Count  # noqa: N815
    refused: Count
    withoutCost: Count  # noqa: N815
    withoutTokens: Count = 0  # noqa: N815 - older reports do not say


class ModelPart(_Wire):
    """Everything that a model had a part in. Nothing else in the report depends on it."""

    purposes: tuple[ModelPurpose, ...]
    limits: ModelLimits
    prompts: tuple[ModelPrompt, ...]
    said: tuple[Said, ...]
    records: tuple[ModelRecord, ...]
    images: tuple[ModelImage, ...]
    inferred: Sha256  # the blob that holds what was inferred, witmark.facts-inferred/1
    units: tuple[ModelUnit, ...]
    roles: tuple[ModelRole, ...]
    opinions: tuple[ModelOpinion, ...]
    interfaces: Count
    contacts: Sha256
    ledger: ModelLedger

    @model_validator(mode="after")
    def _has_what_was_said_to_the_model(self) -> Self:
        """Every purpose has its prompt; without it nothing could be asked again."""
        if not set(self.purposes) <= {prompt.purpose for prompt in self.prompts}:
            raise ValueError("a purpose has no prompt")
        return self


class ReviewV1(_Wire):
    """A whole report."""

    format: Literal["witmark.review/1"]
    tool: Tool
    source: Source
    rulebook: Rulebook
    facts: tuple[Sha256, ...]
    graph: Sha256  # the semantic graph, mechanical_semantic_graph_v1
    coverage: Coverage
    counts: Counts
    rules: tuple[Rule, ...]
    verdicts: tuple[Verdict, ...]
    context: tuple[Context, ...]
    requests: tuple[Request, ...]
    notices: tuple[Notice, ...]
    pictures: tuple[Picture, ...]
    gates: tuple[Gate, ...]
    model: ModelPart | None = None  # not there at all when no model was asked

    @model_validator(mode="after")
    def _names_what_it_holds(self) -> Self:
        """A verdict names a rule and a picture that the report has; readers rely on it."""
        rules = {rule.rule_id for rule in self.rules}
        pictures = {picture.id for picture in self.pictures}
        for verdict in self.verdicts:
            if verdict.rule_id not in rules:
                raise ValueError(f"verdict {verdict.id} names a rule that is not in rules")
            if verdict.picture is not None and verdict.picture not in pictures:
                raise ValueError(f"verdict {verdict.id} names a picture that is not there")
        known = {verdict.id for verdict in self.verdicts}
        for opinion in self.model.opinions if self.model else ():
            if opinion.verdict not in known:
                raise ValueError(f"an opinion is about {opinion.verdict}, which is not there")
        return self


def decode(data: bytes) -> ReviewV1:
    """Read the bytes of a ``report.json``.

    Raises:
        MalformedReportError: with the first place that is wrong.
    """
    try:
        return ReviewV1.model_validate_json(data)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        raise MalformedReportError("/".join(map(str, first["loc"])), first["msg"]) from problem


def review_of(report: Mapping[str, Any] | ReviewV1) -> ReviewV1:
    """Read a report that is still plain data; one that was read already is given back.

    Raises:
        MalformedReportError: with the first place that is wrong.
        NotCanonicalError: a number is NaN or infinite; unknown has to be ``None``.
    """
    return report if isinstance(report, ReviewV1) else decode(canonical_json(report))


def encode(report: Mapping[str, Any]) -> bytes:
    """Canonical bytes of a report that has the promised shape.

    Raises: as ``review_of``.
    """
    return checked(report)[0]


def checked(report: Mapping[str, Any]) -> tuple[bytes, ReviewV1]:
    """A report's canonical bytes, and what they say; every renderer takes the latter as it is.

    Raises: as ``review_of``.
    """
    data = canonical_json(report)
    return data, decode(data)


# What a model may reply --------------------------------------------------------------

UNITS_REPLY, ROLES_REPLY = "review-units/1", "review-roles/1"
INTERFACES_REPLY, JUDGEMENT_REPLY = "review-interfaces/1", "review-judgement/1"

Handle = Annotated[str, Field(pattern=r"^[FPK][1-9][0-9]{0,3}$")]
Handles = Annotated[tuple[Handle, ...], Field(max_length=60)]
Phrase = Annotated[str, Field(min_length=1, max_length=80)]
Sentence = Annotated[str, Field(min_length=1, max_length=400)]
Tag = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


_BIG = 10**9
ReplyNumber = (
    Annotated[int, Field(ge=-_BIG, le=_BIG)] | Annotated[float, Field(ge=-_BIG, le=_BIG)]
)


class ReplyAttribute(_Reply):
    """Something inferred about a place, how surely, and from which facts."""

    name: Tag
    value: bool | ReplyNumber | Phrase
    inference_confidence: Share
    reason: Sentence
    facts: Handles


class ReplySight(_Reply):
    """Something seen in one of the pictures, counted from 1."""

    picture: Annotated[int, Field(ge=1, le=64)]
    observation: Sentence
    inference_confidence: Share


class ReplyUnit(_Reply):
    """One place, stated."""

    place: Handle
    primary_view: str
    secondary_views: Annotated[tuple[str, ...], Field(max_length=3)] = ()
    pattern_type: str
    retrieval_sentence: Sentence
    retrieval_sentence_en: Sentence
    facts: Handles
    inferred_functions: Annotated[tuple[Phrase, ...], Field(max_length=6)] = ()
    inferred_attributes: Annotated[tuple[ReplyAttribute, ...], Field(max_length=6)] = ()
    retrieval_fact_tags: Annotated[tuple[Tag, ...], Field(max_length=8)] = ()
    retrieval_relations: Annotated[tuple[Phrase, ...], Field(max_length=6)] = ()
    image_facts: Annotated[tuple[ReplySight, ...], Field(max_length=6)] = ()


class UnitsReply(_Reply):
    """What is there, place by place."""

    units: Annotated[tuple[ReplyUnit, ...], Field(max_length=24)]


class ReplyRole(_Reply):
    """What a component, or a place on it, seems to be for."""

    place: Handle | None
    inferred_role: Phrase
    inference_confidence: Share
    reason: Sentence
    facts: Handles


class ReplySurface(_Reply):
    """How one of two neighbouring faces seems to be made."""

    place: Handle
    surface: Literal["a", "b"]
    made: Literal["machined", "unmachined"]
    inference_confidence: Share
    reason: Sentence
    facts: Handles


class RolesReply(_Reply):
    """Roles of one component and of its places."""

    roles: Annotated[tuple[ReplyRole, ...], Field(max_length=24)]
    surfaces: Annotated[tuple[ReplySurface, ...], Field(max_length=24)] = ()


class InterfacesReply(_Reply):
    """What one contact between two components seems to be for."""

    function: Phrase
    description: Sentence
    components: Annotated[tuple[str, ...], Field(max_length=2)]
    inference_confidence: Share
    contacts: Handles


class JudgementReply(_Reply):
    """An opinion on one rule at one place."""

    verdict: VerdictWord
    facts: Handles
    reason: Sentence
    missing: Annotated[tuple[str, ...], Field(max_length=12)] = ()
    inference_confidence: Share


_R = TypeVar("_R", bound=_Reply)
_SAID_OF_FAULTS = {
    "extra_forbidden": "one of its fields is no field of the schema; leave it out",
    "json_invalid": "reply with one JSON object and nothing else",
    "missing": "is not there; give it",
    "string_too_long": "is too long; say it in fewer characters",
    "too_long": "has too many items; give fewer",
}


def read_reply(form: type[_R], text: str) -> _R | str:
    """A reply's value, or what to do about the first field that is not in the form.

    The words of the latter pass no sentence: they go into the next request, which is as
    neutral as the first.
    """
    try:
        value = form.model_validate_json(text)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        loc = first["loc"][:-1] if first["type"] == "extra_forbidden" else first["loc"]
        place = "/".join(map(str, loc)) or "the reply"  # names of the schema, none of theirs
        expected = str(first.get("ctx", {}).get("expected", ""))
        otherwise = f"give one of {expected}" if expected else "is not as the schema has it"
        return f"{place}: {_SAID_OF_FAULTS.get(first['type'], otherwise)}"
    return value if _is_said_once(text) else "the reply: give each field once"


def _is_said_once(text: str) -> bool:
    """Whether no object has a field twice: the last would count, and hide the first."""
    twice: list[str] = []

    def seen(pairs: list[tuple[str, Any]]) -> None:
        names = [name for name, _ in pairs]
        twice.extend(name for name in set(names) if names.count(name) > 1)

    json.loads(text, object_pairs_hook=seen)
    return not twice


def reply_schema(form: type[_Reply]) -> dict[str, Any]:
    """The JSON Schema that a reply has to keep, as it is sent."""
    return form.model_json_schema()


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a report."""
    schema = ReviewV1.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": FORMAT, **schema}
