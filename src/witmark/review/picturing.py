"""Which places get a picture, and in which order they are drawn.

Every card (one rule at one severity) gets its first picture before any card gets a second;
then the worst go first. What is not drawn is said in a notice, never passed over.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from witmark.review.judging import Verdict, VerdictKind
from witmark.review.ports import NotShown, Picture, Pictures, Place
from witmark.review.reporting import Drawn, Plain, faces_of
from witmark.review.wording import mouth_direction

SEVERITY_RANK = {"critical": 0, "major": 1, "minor": 2, "info": 3}
UNDETERMINED_RANK = 4


def draw(
    verdicts: Sequence[Verdict],
    data: Mapping[str, Any],
    studio: Callable[[], Pictures],
    *,
    most: int,
) -> tuple[dict[int, Drawn], list[Plain]]:
    """Draw the places of violations, and the first open place of every undecided rule.

    Returns:
        Pictures by position in ``verdicts``, numbered in that order and shared by verdicts
        about one place, and the notices that say what was not drawn and why.
    """
    wanted = _wanted(verdicts)
    if not wanted or not most:
        return {}, []
    chosen = sorted(wanted[:most])
    notices = [_left_out(len(wanted) - most)] if len(wanted) > most else []
    instances = {one["component_id"]: k for k, one in enumerate(data["instances"])}
    places = {k: place_of(verdicts[k], data, instances) for k in chosen}
    shown = _shown(places, studio())
    names: dict[Place, Drawn] = {}
    drawn = {}
    for k in chosen:
        match shown[places[k]]:
            case Picture() as picture:
                drawn[k] = names.setdefault(places[k], _drawn(len(names) + 1, picture))
            case NotShown(because):
                notices.append(_not_shown(verdicts[k], because))
    return drawn, notices


def _shown(places: Mapping[int, Place], pictures: Pictures) -> dict[Place, Picture | NotShown]:
    """Draw each place once, however many rules speak of it; by instance, then verdict."""
    shown: dict[Place, Picture | NotShown] = {}
    for k in sorted(places, key=lambda k: (places[k].instance, k)):
        if places[k] not in shown:
            shown[places[k]] = pictures.picture(places[k])
    return shown


def place_of(verdict: Verdict, data: Mapping[str, Any], instances: Mapping[str, int]) -> Place:
    """The faces a verdict is about, on its instance, looked at from outside its mouth."""
    instance = instances[verdict.unit.component_id]
    part, faces = faces_of(verdict, data)
    steps = verdict.unit.anchor.id.split("/")
    if len(steps) < 4 or not data["parts"][part]["features"]:
        return Place(instance, faces)
    direction = data["instances"][instance]["places"][int(steps[3])]["direction"]
    return Place(instance, faces, mouth_direction(verdict.unit.anchor.kind, direction))


def _wanted(verdicts: Sequence[Verdict]) -> list[int]:
    """Positions worth a picture, most wanted first."""
    seen: dict[tuple[str, int], int] = {}
    ranked = []
    for k, verdict in enumerate(verdicts):
        rank = _rank(verdict)
        if rank is None:
            continue
        turn = seen.get((verdict.rule_id, rank), 0)
        seen[verdict.rule_id, rank] = turn + 1
        if rank == UNDETERMINED_RANK and turn:
            continue
        ranked.append((turn > 0, rank, turn, k))
    return [k for *_, k in sorted(ranked)]


def _rank(verdict: Verdict) -> int | None:
    if verdict.kind is VerdictKind.UNDETERMINED:
        return UNDETERMINED_RANK
    if verdict.kind is VerdictKind.VIOLATED and verdict.severity is not None:
        return SEVERITY_RANK[verdict.severity.value]
    return None


def _drawn(number: int, picture: Picture) -> Drawn:
    name = f"p{number:04d}"
    return Drawn(
        id=name,
        file=f"pictures/{name}.png",
        png=picture.png,
        visible_pixels=picture.visible_pixels,
        width_px=picture.width_px,
        height_px=picture.height_px,
    )


def _left_out(count: int) -> Plain:
    return {"code": "pictures-left-out", "subject": "", "detail": str(count)}


def _not_shown(verdict: Verdict, because: str) -> Plain:
    return {
        "code": "place-not-shown",
        "subject": verdict.unit.semantic_location,
        "detail": because,
    }
