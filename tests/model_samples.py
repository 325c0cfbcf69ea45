"""A review desk with a model that says what a test wrote down, by what it is asked for."""

import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
from desk_samples import assembly, deep_plate, desk

from witmark.kernel.model.gateway import DurableGateway, ModelRoutes
from witmark.kernel.model.reply import Failure
from witmark.kernel.model.request import Prices, Profile
from witmark.kernel.publish import seal_folder
from witmark.review.assembly import Placement
from witmark.review.use_cases import Adviser, ReviewRequest, review_file
from witmark.testing.breps import Turned, plate
from witmark.testing.disks import MemoryDisk
from witmark.testing.models import PlayedProvider, SteadyClock

FILE = Path("plate.step")
PROFILE = Profile(
    "one", "played", "m-1", takes_images=True, retries=1, prices=Prices(1.0, 2.0, "EUR")
)
PROMPTS = {
    one.name: one.read_bytes()
    for one in files("witmark.review").joinpath("prompts").iterdir()
    if one.name.endswith(".md")
}
READERS = {"played": PlayedProvider([])}
"""Who reads again what a ``Model`` said."""

NOBODY = {"units": {"units": []}, "roles": {"roles": []}}


class Model(PlayedProvider):
    """Says what ``says`` gives for a request: plain data, a text, or a failure."""

    def __init__(self, says):
        super().__init__([])
        self.says = says

    async def send(self, request, load):
        answer = self.says(request)
        if not isinstance(answer, str | Failure):
            answer = json.dumps(answer, ensure_ascii=False)
        self._answers = [answer]
        return await super().send(request, load)


def asked_of(request):
    """The words of the question, without the feedback of an earlier attempt."""
    return request.messages[1].text


def handle(text, fact):
    """The handle under which a request shows a fact."""
    return re.search(rf"(F\d+) {re.escape(fact)} ", text)[1]


def sensible(request):
    """What a well-behaved model says."""
    text = asked_of(request)
    match request.purpose:
        case "review.roles":
            role = {
                "place": None,
                "inferred_role": "base plate",
                "inference_confidence": 0.7,
                "reason": "a flat body",
                "facts": ["F1"],
            }
            return {"roles": [role]}
        case "review.units":
            if "hole.d (" not in text:
                return {"units": []}
            unit = {
                "place": "P1",
                "primary_view": "hole_feature",
                "pattern_type": "hole",
                "retrieval_sentence": "板上的直径 5 mm 通孔，可能用于紧固。",
                "retrieval_sentence_en": "A 5 mm through hole in a plate, perhaps for a screw.",
                "facts": [handle(text, "hole.d")],
                "inferred_functions": ["fastening"],
                "retrieval_fact_tags": ["screw_clearance"],
            }
            return {"units": [unit]}
        case "review.interfaces":
            return {
                "function": "support",
                "description": "The plate rests on the other one.",
                "components": [],
                "inference_confidence": 0.6,
                "contacts": ["K1"],
            }
        case _:
            return opinion(request, "violated")


def opinion(request, verdict):
    """A judgement that cites every fact it is shown."""
    facts = re.findall(r"^  (F\d+) ", asked_of(request), re.MULTILINE)
    required = re.search(r"required_model_facts: (.*)", asked_of(request))[1].split(", ")
    listed = asked_of(request)
    missing = [name for name in required if f" {name} (" not in listed]
    return {
        "verdict": "undetermined" if missing else verdict,
        "facts": facts,
        "reason": "compared with the rule",
        "missing": missing,
        "inference_confidence": 0.9,
    }


def touching_plates(names=None):
    holes = [Turned(20.0 * k, 30, ((2.5, 0), (2.5, -30))) for k in range(1, 5)]
    above = Placement(np.eye(3), np.array([0.0, 0.0, 30.0]))
    here = Placement(np.eye(3), np.zeros(3))
    return assembly(
        plate(holes, thickness_mm=30.0),
        plate(thickness_mm=30.0),
        names=names,
        places=[here, above],
    )


def gateway(says, *, profile=PROFILE, clock=None, purposes="review", most=None):
    model = says if isinstance(says, Model) else Model(says)
    routes = ModelRoutes({purposes: (profile,)}, max_invalid_responses=most)
    return model, DurableGateway(routes, {"played": model}, clock or SteadyClock())


def reviewed_with(says, given=None, *, disk=None, clock=None, purposes="review", **more):
    """A review with this model, and the model."""
    most = more.pop("most", None)
    model, talks = gateway(says, clock=clock, purposes=purposes, most=most)
    record = disk or MemoryDisk()
    renderers = more.pop("renderers", {})
    found = review_file(
        ReviewRequest(FILE, **more),
        desk(
            given or assembly(deep_plate()),
            adviser=Adviser(talks, PROMPTS, lambda key: record),
            renderers=renderers,
        ),
    )
    return found, model


def sealed(contents):
    disk = MemoryDisk()
    seal_folder(disk, dict(contents))
    return disk
