"""Pictures for a model's questions: drawn now, or taken as a report has them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from witmark.kernel.store import BlobStore
from witmark.review.asking.talking import Faces, Shown, Spot
from witmark.review.ports import NotShown, Picture, Pictures, Place
from witmark.review.units import LocalSemanticUnit
from witmark.review.wording import mouth_direction


class Album:
    """Draws each place once, whoever asks; the studio is opened with the first picture."""

    def __init__(self, studio: Callable[[], Pictures]) -> None:
        self._studio = studio
        self._pictures: Pictures | None = None
        self._drawn: dict[Place, Picture | NotShown] = {}

    def picture(self, place: Place) -> Picture | NotShown:
        """Draw a place so that a reader finds it, or say why that is not possible."""
        if self._pictures is None:
            self._pictures = self._studio()
        if place not in self._drawn:
            self._drawn[place] = self._pictures.picture(place)
        return self._drawn[place]


class LiveSight:
    """Draws places and keeps the pictures where the record of the calls lies.

    Args:
        album: Who draws.
        data: The facts.
        store: Where a request's pictures are looked for.
        most: How many different places may be drawn for questions.
    """

    def __init__(
        self, album: Album, data: Mapping[str, Any], store: BlobStore, *, most: int
    ) -> None:
        self._album, self._data, self._store, self._left = album, data, store, most
        self._ids = {one["component_id"]: k for k, one in enumerate(data["instances"])}
        self._shown: dict[Place, Shown | None] = {}

    def look(
        self, subject: str, spots: Sequence[Spot], most: int
    ) -> tuple[tuple[int, Shown], ...]:
        """Pictures of the first ``most`` of these places that can be shown."""
        del subject
        found: list[tuple[int, Shown]] = []
        for at, spot in enumerate(spots):
            if len(found) < most and (shown := self._see(self._place(spot))) is not None:
                found.append((at, shown))
        return tuple(found)

    def _see(self, place: Place) -> Shown | None:
        if place not in self._shown:
            if not self._left or not place.faces:
                return None
            self._left -= 1
            drawn = self._album.picture(place)
            self._shown[place] = (
                Shown(self._store.put(drawn.png), drawn.visible_pixels)
                if isinstance(drawn, Picture)
                else None
            )
        return self._shown[place]

    def _place(self, spot: Spot) -> Place:
        if isinstance(spot, Faces):
            return Place(self._ids[spot.component_id], spot.faces)
        return _place_of(spot, self._data, self._ids[spot.component_id])


class StoredSight:
    """The pictures of a published report, by question: position shown, and picture."""

    def __init__(self, images: Mapping[str, Sequence[tuple[int, Shown]]]) -> None:
        self._images = images

    def look(
        self,
        subject: str,
        spots: Sequence[Spot],
        most: int,
    ) -> tuple[tuple[int, Shown], ...]:
        """The pictures as they were attached."""
        del spots, most
        return tuple(self._images.get(subject, ()))


def _place_of(unit: LocalSemanticUnit, data: Mapping[str, Any], instance: int) -> Place:
    steps = unit.anchor.id.split("/")
    part = data["parts"][int(steps[1])]
    if len(steps) < 4:
        return Place(instance, tuple(range(len(part["faces"]))))
    places = (unit.anchor.id, *unit.fact_bundle.related_features)
    faces = {f for place in places for f in part["features"][int(place.split("/")[3])]["faces"]}
    direction = data["instances"][instance]["places"][int(steps[3])]["direction"]
    return Place(instance, tuple(sorted(faces)), mouth_direction(unit.anchor.kind, direction))
