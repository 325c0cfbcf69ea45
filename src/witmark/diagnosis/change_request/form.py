"""The JSON Schema of what phase 5 writes, read off the very types that are written.

Whoever takes a delivery can hold it against these without our code.
"""

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any

from witmark.diagnosis.change_request.delivering import FORMAT as HANDOVER
from witmark.diagnosis.change_request.delivering import Handover
from witmark.diagnosis.change_request.document import FORMAT, ChangeRequest
from witmark.diagnosis.change_request.output import VALIDATION, Validation
from witmark.diagnosis.change_request.policy import FORMAT as POLICY
from witmark.diagnosis.change_request.policy import BugfixPolicy
from witmark.kernel.evidence import EvidenceRef

_DIGEST = "^sha256:[0-9a-f]{64}$"
_REF = "^sha256:[0-9a-f]{64}(#.+)?$"
_PLAIN = {str: "string", int: "integer", bool: "boolean", float: "number"}

Schema = dict[str, Any]


def schemas() -> dict[str, Schema]:
    """The schema of each format, by the name of its file without the ending."""
    return {
        "change-request-1": _sealed(FORMAT, ChangeRequest),
        "handover-1": _sealed(HANDOVER, Handover),
        "bugfix-policy-1": _sealed(POLICY, BugfixPolicy),
        "output-validation-1": _sealed(VALIDATION, Validation),
    }


def _sealed(format_name: str, kind: type) -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind.__name__,
        "description": _first_line(kind),
        **_object({"format": {"const": format_name}, "seal": _DIGESTS, "value": _of(kind)}),
    }


_DIGESTS: Schema = {"type": "string", "pattern": _DIGEST}


def _object(properties: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": dict(properties),
        "required": list(properties),
    }


def _of(kind: Any) -> Schema:  # noqa: ANN401, PLR0911 - a table of types
    if isinstance(kind, typing.NewType):
        return _DIGESTS if kind.__name__ == "Digest" else _of(kind.__supertype__)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        return {"anyOf": [_of(one) for one in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _of(arguments[0])}
    if origin is not None:
        return {"type": "object", "additionalProperties": _of(arguments[1])}
    if kind is EvidenceRef:
        return {"type": "string", "pattern": _REF}
    if kind is type(None):
        return {"type": "null"}
    if issubclass(kind, Enum):
        return {"enum": [one.value for one in kind]}
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = typing.get_type_hints(kind)
        fields = {one.name: _of(hints[one.name]) for one in dataclasses.fields(kind)}
        return {"description": _first_line(kind), **_object(fields)}
    return {"type": _PLAIN[kind]}


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]
