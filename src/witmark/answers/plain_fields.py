"""Plain data from outside, read field by field: what is absent has a default, what is
unknown is passed over, and what has the wrong kind is refused with its place.

Records grow: an old one lacks fields and a newer one has more. Neither is an error.
"""  # noqa: D205 - the rule takes a line and a half

from collections.abc import Iterator, Mapping
from typing import TypeVar, cast

from witmark.kernel.errors import GarbledRecordError

Fields = Mapping[str, object]
T = TypeVar("T", str, int, bool)


def fields_of(value: object, place: str) -> Fields:
    """Return a JSON object.

    Raises:
        GarbledRecordError: it is something else.
    """
    if not isinstance(value, dict):
        raise GarbledRecordError("a JSON object belongs here", place=place)
    return cast("Fields", value)


def part(whole: Fields, name: str, place: str = "") -> Fields:
    """Return a field that is an object; absent is empty."""
    value = whole.get(name)
    return {} if value is None else fields_of(value, f"{place}/{name}")


def parts(whole: Fields, name: str, place: str = "") -> Iterator[tuple[Fields, str]]:
    """Go through a field that is a list of objects, each with its place; absent is empty."""
    for at, one in enumerate(items(whole, name, place)):
        here = f"{place}/{name}/{at}"
        yield fields_of(one, here), here


def items(whole: Fields, name: str, place: str = "") -> list[object]:
    """Return a field that is a list; absent is empty."""
    value = whole.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise GarbledRecordError("a list belongs here", place=f"{place}/{name}")
    return value


def strings(whole: Fields, name: str, place: str = "") -> tuple[str, ...]:
    """Return a field that is a list of strings; absent is empty."""
    found = items(whole, name, place)
    if not all(isinstance(one, str) for one in found):
        raise GarbledRecordError("strings belong here", place=f"{place}/{name}")
    return tuple(cast("list[str]", found))


def text(whole: Fields, name: str, place: str = "") -> str:
    """Return a string; absent is empty."""
    return _one(whole, name, place, "")


def count(whole: Fields, name: str, place: str = "") -> int:
    """Return a whole number; absent is 0."""
    return _one(whole, name, place, 0)


def flag(whole: Fields, name: str, place: str = "") -> bool:
    """Return a yes or no; absent is no."""
    return _one(whole, name, place, False)


def number(whole: Fields, name: str, place: str = "") -> float:
    """Return a number; absent is 0."""
    value = whole.get(name)
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise GarbledRecordError("a number belongs here", place=f"{place}/{name}")
    return float(value)


def _one(whole: Fields, name: str, place: str, absent: T) -> T:
    value = whole.get(name)
    if value is None:
        return absent
    if type(value) is not type(absent):
        kind = type(absent).__name__
        raise GarbledRecordError(f"{kind} belongs here", place=f"{place}/{name}")
    return value
