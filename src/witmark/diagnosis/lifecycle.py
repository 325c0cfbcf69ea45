"""Which step may follow which; no state is left or entered in any other way.

| from | step | to | who looks next |
|---|---|---|---|
| (nothing) | assembly | ASSEMBLED | analysis |
| ASSEMBLED | interpretation | INTERPRETED | analysis |
| INTERPRETED | hypotheses | HYPOTHESES_READY | analysis |
| HYPOTHESES_READY | investigation started | HYPOTHESES_READY | analysis |
| HYPOTHESES_READY | investigation | INVESTIGATED | analysis |
| INVESTIGATED | diagnosis started | BUILDING_DIAGNOSIS | analysis |
| BUILDING_DIAGNOSIS | diagnosis, confirmed | BUILDING_DIAGNOSIS | analysis |
| BUILDING_DIAGNOSIS | diagnosis, inconclusive | FAILED_TO_ANALYZE | review |
| BUILDING_DIAGNOSIS | change request started | BUILDING_DIAGNOSIS | analysis |
| BUILDING_DIAGNOSIS | change request, validated | OUTPUT_READY | output |
| BUILDING_DIAGNOSIS | change request, refused | BUILDING_DIAGNOSIS | review |
| OUTPUT_READY | delivery started, delivery | OUTPUT_READY | output |
| any | assembly with other inputs, or reopening | ASSEMBLED, next revision | analysis |
| any | accepted or rejected by a person | the same | review, where rejected |
"""

from witmark.diagnosis.case import Phase, State
from witmark.kernel.errors import InputError

_BEFORE = {
    Phase.INTERPRETATION: State.ASSEMBLED,
    Phase.HYPOTHESES: State.INTERPRETED,
    Phase.INVESTIGATION_STARTED: State.HYPOTHESES_READY,
    Phase.INVESTIGATION: State.HYPOTHESES_READY,
    Phase.DIAGNOSIS_STARTED: State.INVESTIGATED,
    Phase.DIAGNOSIS: State.BUILDING_DIAGNOSIS,
    Phase.CHANGE_REQUEST_STARTED: State.BUILDING_DIAGNOSIS,
    Phase.CHANGE_REQUEST: State.BUILDING_DIAGNOSIS,
    Phase.DELIVERY_STARTED: State.OUTPUT_READY,
    Phase.DELIVERY: State.OUTPUT_READY,
}


class MissingStageError(InputError):
    """A step was asked for whose earlier steps are not done. None is done in secret."""

    code = "input.missing-stage"
    hint = "run the earlier phases first; `witmark case status` says which"

    def __init__(self, phase: Phase, state: State) -> None:
        super().__init__(f"the case is {state.value}", place=phase.value)
        self.phase, self.state = phase, state


def check_may_begin(phase: Phase, state: State) -> None:
    """Hold that a step may begin now.

    Raises:
        MissingStageError: the step before it is not done, or it is past.
    """
    wanted = _BEFORE.get(phase)
    if wanted is not None and state is not wanted:
        raise MissingStageError(phase, state)
