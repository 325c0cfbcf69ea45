"""What an interrupted step may have left: artefacts under the names that the step gives them.

A step that dies before its manifest leaves files that nobody declared. The same step writes the
same bytes again and takes them up; until then they are neither inputs nor published.
"""

from collections.abc import Iterator

from witmark.diagnosis.case import Inventory, Manifest, Phase
from witmark.diagnosis.package import Package, next_number, phase_path
from witmark.diagnosis.publication import FAILURE_NAME, RESULT_NAME, SUMMARY_NAME

_ONE_FILE = (Phase.INTERPRETATION, Phase.HYPOTHESES, Phase.INVESTIGATION, Phase.FEEDBACK)
_PUBLISHED = (RESULT_NAME, SUMMARY_NAME, FAILURE_NAME)


def left_over(package: Package, manifest: Manifest) -> tuple[str, ...]:
    """Files that nobody declared or handed in, where the next steps put theirs."""
    inventory = package.inventory(manifest)
    listed = {one.path for one in inventory.inputs}
    ahead = set(places_ahead(manifest, inventory))
    return tuple(
        path for path in package.raw_paths(manifest) if path in ahead and path not in listed
    )


def places_ahead(manifest: Manifest, inventory: Inventory) -> Iterator[str]:
    """Where steps that can come next put their artefacts."""
    for phase in _ONE_FILE:
        number = next_number(manifest, phase.value, inventory)
        yield phase_path(phase.value, number, f"{phase.value}.json")
    yield f"analysis/inventory/{manifest.revision + 1:04d}.json"
    started = manifest.last(Phase.DIAGNOSIS_STARTED)
    if started is None:
        number = next_number(manifest, Phase.DIAGNOSIS.value, inventory)
        yield phase_path(Phase.DIAGNOSIS.value, number, "context.json")
    elif manifest.last(Phase.DIAGNOSIS) is None:
        number = int(started.bindings["number"])
        for name in _PUBLISHED:
            yield phase_path(Phase.DIAGNOSIS.value, number, name)
