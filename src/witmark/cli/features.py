"""``witmark features``: every face of every part, the feature it belongs to, and its sizes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from witmark.cli.options import length_unit_option

_UNITS = {"mm": " mm", "deg": "°"}


@click.command("features")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print witmark.features/1 as JSON.")
@length_unit_option
def command(*, file: Path, as_json: bool, length_unit: str | None) -> None:
    """List the features of a STEP FILE, part by part, and the share of faces explained.

    A face is explained when it belongs to a named feature, or is an outer plane, cylinder or
    cone of the part (base).
    """
    from witmark import bootstrap
    from witmark.review.use_cases import list_features

    bootstrap.refuse_early(file)
    with bootstrap.review_desk(None) as desk:
        listing = list_features(file, bootstrap.length_unit_mm(length_unit), desk)
    if as_json:
        click.echo(json.dumps(listing, ensure_ascii=False, sort_keys=True))
        return
    for part in listing["parts"]:
        _print_part(part)


def _print_part(part: Mapping[str, Any]) -> None:
    coverage = part["coverage"]
    share = "-" if coverage["share"] is None else f"{coverage['share']:.1%}"
    click.echo(
        f"{part['name'] or '(unnamed part)'}: {coverage['faces']} faces, {share} explained"
        + ("" if part["valid"] else "; fails the validity check")
    )
    for feature in part["features"]:
        known = {n: v for n, v in feature["facts"].items() if v is not None}
        sizes = ", ".join(f"{name.split('.')[-1]} {_said(name, known[name])}" for name in known)
        lines = sorted({part["faces"][face]["line"] or 0 for face in feature["faces"]} - {0})
        where = f"  [line {lines[0]}]" if lines else ""
        click.echo(f"  {feature['kind']}: {sizes or 'nothing measurable'}{where}")
        if len(feature["segments"]) > 1:
            click.echo("    " + ", then ".join(map(_segment, feature["segments"])))
    for face in part["faces"]:
        if face["feature"] is None and not face["base"]:
            click.echo(f"  unexplained: {face['kind']} face  [line {face['line'] or '?'}]")


def _segment(segment: Mapping[str, Any]) -> str:
    """One stretch of a stepped hole: ``counterbore 15 mm x 9 mm``, ``countersink 90°``."""
    sizes = [f"{segment[key]:g} mm" for key in ("d_mm", "depth_mm") if segment[key] is not None]
    angle = "" if segment["angle_deg"] is None else f" {segment['angle_deg']:g}°"
    return f"{segment['kind']} {' x '.join(sizes)}{angle}".rstrip()


def _said(fact: str, value: float | bool | str) -> str:
    """A value as people write it: ``5 mm``, ``118°``, ``yes``."""
    from witmark.review.vocabulary import FACTS

    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    unit = FACTS[fact].unit.value if fact in FACTS else ""
    return f"{value:g}{_UNITS.get(unit, '')}"
