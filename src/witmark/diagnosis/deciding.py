"""What a started diagnosis asks a model, and how its answer is judged; live and replayed."""

from dataclasses import dataclass
from importlib import resources

from witmark.diagnosis import gates, wire
from witmark.diagnosis.case import Manifest, Phase
from witmark.diagnosis.context import Frozen
from witmark.diagnosis.publication import Identity
from witmark.kernel.canon import Digest, parse_digest
from witmark.kernel.errors import GarbledRecordError, InputError, ReplayDiffersError
from witmark.kernel.model.outcome import Admitted, Judgement, Refused
from witmark.kernel.model.prompt import Prompt, read_prompt
from witmark.kernel.model.request import Ask, Message, Role

PURPOSE = "diagnosis.decide"
PROMPT = "decide.v1.md"
# What is accepted has to be publishable; a longer one would be accepted and then never fit.
# Part of what is replayed: another number is another judgement.
MOST_REPLY_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Started:
    """What the start checkpoint settled."""

    identity: Identity
    context: Digest
    max_invalid_responses: int
    prompt: Digest

    @property
    def subject(self) -> str:
        """The run under which the model's calls are recorded."""
        return self.identity.subject


def started_of(manifest: Manifest) -> Started:
    """Read the start checkpoint of this revision.

    Raises:
        GarbledRecordError: there is none, or it does not bind a context.
    """
    found = manifest.last(Phase.DIAGNOSIS_STARTED)
    if found is None:
        raise GarbledRecordError("no diagnosis was started", place="manifest")
    try:
        number = int(found.bindings["number"])
        most = int(found.bindings["max_invalid_responses"])
        context = parse_digest(str(found.bindings["context"]))
        prompt = parse_digest(str(found.bindings["prompt"]))
    except (KeyError, ValueError, InputError) as error:
        raise GarbledRecordError(
            f"the start checkpoint does not bind {error}", place="manifest"
        ) from error
    identity = Identity(manifest.case_id, manifest.package_id, manifest.revision, number)
    started = Started(identity, context, most, prompt)
    if found.files.get(identity.path("context.json")) != started.context:
        raise GarbledRecordError("the start checkpoint binds another context", place="manifest")
    return started


def decide_prompt() -> Prompt:
    """The newest instructions for a decision."""
    raw = resources.files("witmark.diagnosis").joinpath("prompts", PROMPT).read_bytes()
    return read_prompt(raw, PROMPT)


def prompt_of(started: Started, own: Prompt) -> Prompt:
    """The instructions that a diagnosis was started with, however old; never newer ones.

    Args:
        started: What was started.
        own: Whose digest is looked at first.

    Raises:
        ReplayDiffersError: we have no instructions of that digest.
    """
    folder = resources.files("witmark.diagnosis").joinpath("prompts")
    names = sorted(one.name for one in folder.iterdir() if one.name.startswith("decide."))
    shipped = (read_prompt(folder.joinpath(name).read_bytes(), name) for name in names)
    for prompt in (own, *shipped):
        if prompt.digest == started.prompt:
            return prompt
    raise ReplayDiffersError("prompt", started.prompt[:19], own.digest[:19])


def ask_of(started: Started, frozen: Frozen, prompt: Prompt) -> Ask:
    """What is asked: the instructions, and the frozen context byte for byte."""
    return Ask(
        subject=started.subject,
        question="decide",
        purpose=PURPOSE,
        messages=(
            Message(Role.SYSTEM, prompt.text),
            Message(Role.USER, frozen.raw.decode()),
        ),
        schema=wire.schema(),
        prompt=prompt.digest,
        max_invalid_responses=started.max_invalid_responses,
    )


def judge_decision(text: str, *, ground: gates.Ground) -> Judgement:
    """Judge a reply: its size and the schema first, then every gate."""
    if (size := len(text.encode("utf-8", "surrogatepass"))) > MOST_REPLY_BYTES:
        return Refused(f"schema: the reply has {size} bytes, at most {MOST_REPLY_BYTES}")
    try:
        diagnosis = wire.read_decision(text)
    except wire.NotADecisionError as error:
        return Refused(f"schema: {error}")
    report = gates.check(diagnosis, ground)
    return Admitted() if report.admits else Refused(gates.feedback(report))
