"""Manifests and inventories as sealed bytes, and read back strictly."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

from witmark.diagnosis.case import (
    CaseId,
    Checkpoint,
    InputKind,
    Inventory,
    Manifest,
    PackageId,
    Phase,
    RawInput,
    Routing,
    State,
)
from witmark.kernel.canon import (
    Digest,
    canonical_json,
    digest_of,
    parse_digest,
    read_canonical,
)
from witmark.kernel.errors import GarbledRecordError, InputError

MANIFEST = "witmark.case-manifest/1"
INVENTORY = "witmark.case-inventory/1"

Plain = dict[str, object]
T = TypeVar("T")


def manifest_bytes(manifest: Manifest) -> bytes:
    """Encode a manifest; the same manifest gives the same bytes."""
    return _sealed(
        {
            "case_id": manifest.case_id,
            "checkpoints": [_checkpoint_plain(one) for one in manifest.checkpoints],
            "format": MANIFEST,
            "generation": manifest.generation,
            "inventory": manifest.inventory,
            "package_id": manifest.package_id,
            "pointers": dict(manifest.pointers),
            "previous": manifest.previous,
            "revision": manifest.revision,
            "routing": manifest.routing.value,
            "state": manifest.state.value,
        }
    )


def manifest_of(raw: bytes, *, place: str) -> Manifest:
    """Read a manifest back.

    Raises:
        GarbledRecordError: these are not bytes that we would have written.
    """
    body = _unsealed(raw, MANIFEST, place)
    found = _read(place, lambda: _manifest(body))
    if manifest_bytes(found) != raw:
        raise GarbledRecordError("not in the form we write", place=place)
    return found


def inventory_bytes(inventory: Inventory) -> bytes:
    """Encode an inventory."""
    return _sealed(
        {
            "format": INVENTORY,
            "inputs": [
                {
                    "digest": one.digest,
                    "kind": one.kind.value,
                    "origin": one.origin,
                    "path": one.path,
                    "size": one.size,
                }
                for one in inventory.inputs
            ],
            "revision": inventory.revision,
        }
    )


@lru_cache(maxsize=2)
def inventory_of(raw: bytes, *, place: str) -> Inventory:
    """Read an inventory back.

    Every step of an analysis reads the same bytes again; what they say is worked out once.

    Raises:
        GarbledRecordError: these are not bytes that we would have written.
    """
    body = _unsealed(raw, INVENTORY, place)
    found = _read(place, lambda: _inventory(body))
    if inventory_bytes(found) != raw:
        raise GarbledRecordError("not in the form we write", place=place)
    return found


def _manifest(body: Plain) -> Manifest:
    previous = body["previous"]
    return Manifest(
        CaseId(_text(body, "case_id")),
        PackageId(_text(body, "package_id")),
        _number(body, "revision"),
        _number(body, "generation"),
        State(_text(body, "state")),
        Routing(_text(body, "routing")),
        _text(body, "inventory"),
        {name: str(path) for name, path in _part(body, "pointers").items()},
        tuple(_checkpoint(one) for one in _parts(body, "checkpoints")),
        None if previous is None else parse_digest(str(previous)),
    )


def _checkpoint_plain(checkpoint: Checkpoint) -> Plain:
    return {
        "at_ms": checkpoint.at_ms,
        "bindings": dict(checkpoint.bindings),
        "files": dict(checkpoint.files),
        "phase": checkpoint.phase.value,
        "records": list(checkpoint.records),
        "revision": checkpoint.revision,
    }


def _checkpoint(body: Plain) -> Checkpoint:
    bindings: dict[str, str | int] = {}
    for name, value in _part(body, "bindings").items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise TypeError(name)
        bindings[name] = value
    return Checkpoint(
        Phase(_text(body, "phase")),
        _number(body, "revision"),
        {path: parse_digest(str(d)) for path, d in _part(body, "files").items()},
        tuple(str(one) for one in _list(body, "records")),
        bindings,
        _number(body, "at_ms"),
    )


def _inventory(body: Plain) -> Inventory:
    inputs = (
        RawInput(
            _text(one, "path"),
            parse_digest(_text(one, "digest")),
            _number(one, "size"),
            InputKind(_text(one, "kind")),
            _text(one, "origin"),
        )
        for one in _parts(body, "inputs")
    )
    return Inventory(_number(body, "revision"), tuple(inputs))


# Sealed plain data --------------------------------------------------------------------


def _sealed(plain: Mapping[str, object]) -> bytes:
    return canonical_json({**plain, "seal": digest_of(canonical_json(plain))})


def _unsealed(raw: bytes, wanted: str, place: str) -> Plain:
    match read_canonical(raw, place=place):
        case {"format": str(found), "seal": str(seal), **rest} if found == wanted:
            plain: Plain = {"format": found, **{str(k): v for k, v in rest.items()}}
        case _:
            raise GarbledRecordError(f"not a {wanted}", place=place)
    if digest_of(canonical_json(plain)) != seal:
        raise GarbledRecordError("the seal does not match the rest", place=place)
    return plain


def _read(place: str, read: Callable[[], T]) -> T:
    try:
        return read()
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise GarbledRecordError(f"not in the form we write: {error}", place=place) from error


def _text(body: Plain, name: str) -> str:
    if not isinstance(found := body[name], str):
        raise TypeError(name)
    return found


def _number(body: Plain, name: str) -> int:
    if isinstance(found := body[name], bool) or not isinstance(found, int):
        raise TypeError(name)
    return found


def _list(body: Plain, name: str) -> list[object]:
    if not isinstance(found := body[name], list):
        raise TypeError(name)
    return found


def _part(body: Plain, name: str) -> Plain:
    if not isinstance(found := body[name], dict):
        raise TypeError(name)
    return found


def _parts(body: Plain, name: str) -> list[Plain]:
    found = _list(body, name)
    parts = [one for one in found if isinstance(one, dict)]
    if len(parts) != len(found):
        raise TypeError(name)
    return parts


__all__ = ["Digest", "inventory_bytes", "inventory_of", "manifest_bytes", "manifest_of"]
