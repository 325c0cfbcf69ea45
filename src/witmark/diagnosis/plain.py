"""Values of this desk as plain data, and read back strictly, by their own types.

Every artefact of a phase is written with ``to_plain`` and read with ``from_plain``: what comes
back equals what went in, and a field too many, too few or of another type is refused.
"""

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from witmark.kernel.canon import canonical_json, digest_of, read_canonical
from witmark.kernel.errors import GarbledRecordError, InputError
from witmark.kernel.evidence import EvidenceRef, parse_ref

T = TypeVar("T")


def to_plain(value: object) -> Any:  # noqa: ANN401 - plain data of any shape
    """Encode a value made of dataclasses, enums, tuples, mappings, refs and plain data."""
    match value:
        case EvidenceRef():
            return str(value)
        case Enum():
            return value.value
        case tuple() | list():
            return [to_plain(one) for one in value]
        case Mapping():
            return {str(to_plain(name)): to_plain(one) for name, one in value.items()}
        case _ if dataclasses.is_dataclass(value):
            fields = dataclasses.fields(value)
            return {one.name: to_plain(getattr(value, one.name)) for one in fields}
        case _:
            return value


def from_plain(kind: type[T], plain: object, *, place: str) -> T:
    """Decode a value of a kind.

    Raises:
        GarbledRecordError: the data is not what ``to_plain`` makes of such a value.
    """
    try:
        found: T = _decode(kind, plain)
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise GarbledRecordError(f"not in the form we write: {error}", place=place) from error
    return found


def artefact_bytes(format_name: str, value: object) -> bytes:
    """Encode an artefact: its format, its value, and a seal over both."""
    plain = {"format": format_name, "value": to_plain(value)}
    return canonical_json({**plain, "seal": digest_of(canonical_json(plain))})


def read_artefact(format_name: str, kind: type[T], raw: bytes, *, place: str) -> T:
    """Decode an artefact.

    Raises:
        GarbledRecordError: it is of another format, was changed, or holds something else.
    """
    match read_canonical(raw, place=place):
        case {"format": str(found), "seal": str(seal), "value": value, **rest} if not rest:
            plain = {"format": found, "value": value}
        case _:
            raise GarbledRecordError(f"not a {format_name}", place=place)
    if found != format_name or digest_of(canonical_json(plain)) != seal:
        raise GarbledRecordError(f"not a whole {format_name}", place=place)
    return from_plain(kind, value, place=place)


def _decode(kind: Any, plain: Any) -> Any:  # noqa: ANN401, PLR0911 - a table of types
    if isinstance(kind, typing.NewType):
        kind = kind.__supertype__
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        return _decode_union(arguments, plain)
    if origin is tuple:
        return _decode_tuple(arguments, plain)
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(plain, dict):
            raise TypeError("no object")
        return {
            _decode(arguments[0], name): _decode(arguments[1], one)
            for name, one in plain.items()
        }
    if kind is EvidenceRef:
        return parse_ref(_exact(str, plain))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(plain)
    if dataclasses.is_dataclass(kind):
        return _decode_fields(kind, plain)
    return plain if kind is object else _exact(kind, plain)


def _decode_union(arguments: tuple[Any, ...], plain: Any) -> Any:  # noqa: ANN401 - see _decode
    if plain is None and type(None) in arguments:
        return None
    errors = []
    for one in arguments:
        if one is not type(None):
            try:
                return _decode(one, plain)
            except (KeyError, TypeError, ValueError) as error:
                errors.append(str(error))
    raise TypeError("; ".join(errors) or "null")


def _decode_tuple(arguments: tuple[Any, ...], plain: Any) -> Any:  # noqa: ANN401 - see _decode
    if not isinstance(plain, list):
        raise TypeError("no list")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_decode(arguments[0], one) for one in plain)
    return tuple(_decode(one, value) for one, value in zip(arguments, plain, strict=True))


def _decode_fields(kind: Any, plain: Any) -> Any:  # noqa: ANN401 - see _decode
    if not isinstance(plain, dict):
        raise TypeError("no object")
    hints = _hints(kind)
    names = [one.name for one in dataclasses.fields(kind)]
    if set(plain) != set(names):
        raise TypeError(f"fields {sorted(set(plain) ^ set(names))}")
    return kind(**{name: _decode(hints[name], plain[name]) for name in names})


@cache
def _hints(kind: Any) -> dict[str, Any]:  # noqa: ANN401 - see _decode
    return typing.get_type_hints(kind)


def _exact(kind: Any, plain: Any) -> Any:  # noqa: ANN401 - see _decode
    if kind is float and type(plain) is int:
        return float(plain)
    if type(plain) is not kind:
        raise TypeError(f"{plain!r} is no {kind.__name__}")
    return plain
