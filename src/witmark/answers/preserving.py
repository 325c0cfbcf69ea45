"""The plan and the pack as plain data and back, so that an answer can be made again.

They are frozen values all the way down, so their own types say how each is written: one
field, one key. What reads back is equal to what was written, or it is refused.
"""

import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NewType, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from witmark.answers.asking import QueryPlan
from witmark.answers.pack import GraphContextPack
from witmark.kernel.canon import canonical_json, read_canonical
from witmark.kernel.errors import GarbledRecordError, InputError
from witmark.kernel.evidence import EvidenceRef, parse_ref

FORMAT = "witmark.ask-inputs/1"
T = TypeVar("T")
_SCALARS = frozenset({str, int, float, bool, type(None)})


def inputs_bytes(plan: QueryPlan, pack: GraphContextPack) -> bytes:
    """Everything that a composer sees, as canonical JSON."""
    return canonical_json({"format": FORMAT, "pack": to_plain(pack), "plan": to_plain(plan)})


def inputs_of(raw: bytes, *, place: str) -> tuple[QueryPlan, GraphContextPack]:
    """Read them back.

    Raises:
        GarbledRecordError: these are not the bytes we would have written.
    """
    match read_canonical(raw, place=place):
        case {"format": str(found), "pack": pack, "plan": plan, **rest} if (
            found == FORMAT and not rest
        ):
            try:
                return of_plain(QueryPlan, plan), of_plain(GraphContextPack, pack)
            except (KeyError, TypeError, ValueError, AssertionError, InputError) as error:
                raise GarbledRecordError(f"no plan and pack: {error}", place=place) from error
        case _:
            raise GarbledRecordError(f"not a {FORMAT}", place=place)


def to_plain(value: object) -> object:
    """A value of this desk as plain data."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if isinstance(value, tuple | list):
        return [to_plain(one) for one in value]
    if isinstance(value, EvidenceRef):
        return str(value)
    if isinstance(value, StrEnum):
        return value.value
    return {name: to_plain(getattr(value, name)) for name in _names(cast("Hashable", kind))}


@cache
def _names(kind: Any) -> tuple[str, ...]:  # noqa: ANN401 - a dataclass
    return tuple(one.name for one in fields(kind))


def of_plain(kind: type[T], plain: object) -> T:
    """Make a value of a kind again.

    Raises:
        KeyError, TypeError, ValueError, AssertionError, InputError: it was none.
    """
    read: Callable[[object], T] = _reader(cast("Hashable", kind))
    return read(plain)


_Read = Callable[[object], Any]


@cache
def _reader(kind: Any) -> _Read:  # noqa: ANN401, PLR0911 - a type hint, and a table of them
    if isinstance(kind, NewType):
        return _reader(kind.__supertype__)
    origin = get_origin(kind)
    if origin in {Union, types.UnionType}:
        return _either(get_args(kind))
    if origin is tuple:
        return _tuple(get_args(kind))
    if kind in _SCALARS:
        return _scalar(kind)
    if kind is EvidenceRef:
        return _ref
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _named_tuple(kind)
    if is_dataclass(kind):
        return _dataclass(kind)
    raise TypeError(f"no way to read a {kind}")


def _scalar(kind: type) -> _Read:
    def read(plain: object) -> object:
        if type(plain) is not kind:
            raise TypeError(f"{kind.__name__} belongs here")
        return plain

    return read


def _ref(plain: object) -> EvidenceRef:
    return parse_ref(_reader(str)(plain))


def _either(kinds: tuple[Any, ...]) -> _Read:
    """Of a type or nothing; a desk value knows no other choice."""
    (kind,) = (one for one in kinds if one is not type(None))
    return lambda plain: None if plain is None else _reader(kind)(plain)


def _tuple(kinds: tuple[Any, ...]) -> _Read:
    def read(plain: object) -> tuple[object, ...]:
        if not isinstance(plain, list):
            raise TypeError("a list belongs here")
        if kinds[-1] is Ellipsis:
            return tuple(map(_reader(kinds[0]), plain))
        return tuple(_reader(one)(item) for one, item in zip(kinds, plain, strict=True))

    return read


def _named_tuple(kind: Any) -> _Read:  # noqa: ANN401 - a NamedTuple's class
    hints = get_type_hints(kind)
    inner = _tuple(tuple(hints[name] for name in kind._fields))
    return lambda plain: kind(*inner(plain))


def _dataclass(kind: Any) -> _Read:  # noqa: ANN401 - a dataclass
    hints = get_type_hints(kind)
    names = [one.name for one in fields(kind)]

    def read(plain: object) -> object:
        if not isinstance(plain, Mapping) or set(plain) != set(names):
            raise TypeError(f"{kind.__name__} has other fields")
        return kind(**{name: _reader(hints[name])(plain[name]) for name in names})

    return read
