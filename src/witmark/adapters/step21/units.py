"""The length unit a file declares for its shapes. Never guessed: absent is absent."""

import re
from dataclasses import dataclass

from witmark.adapters.step21.errors import MixedLengthUnitError
from witmark.adapters.step21.exchange import Exchange, Record
from witmark.adapters.step21.values import Mark, Ref, Typed, parse, part, readable

_LAST_REFERENCE = re.compile(rb"#(\d+)\s*\)\s*;\Z")
_PREFIX = {
    "EXA": 1e18, "PETA": 1e15, "TERA": 1e12, "GIGA": 1e9, "MEGA": 1e6, "KILO": 1e3,
    "HECTO": 1e2, "DECA": 1e1, "$": 1.0, "DECI": 1e-1, "CENTI": 1e-2, "MILLI": 1e-3,
    "MICRO": 1e-6, "NANO": 1e-9, "PICO": 1e-12, "FEMTO": 1e-15, "ATTO": 1e-18,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DeclaredUnit:
    """A length unit as one shape context states it."""

    name: str  # 'millimetre', 'inch', ...
    mm_per_unit: float
    uncertainty_mm: float | None
    line: int  # of the context


@dataclass(frozen=True, slots=True)
class UnitFindings:
    """What the shape contexts of one file say, in file order."""

    declared: tuple[DeclaredUnit, ...]
    silent_lines: tuple[int, ...]  # contexts of shapes that state no length unit

    def settled(self, source: str) -> DeclaredUnit | None:
        """The first declared unit; None when no shape has one.

        Raises:
            MixedLengthUnitError: some shapes have a unit, some have none.
        """
        if self.declared and self.silent_lines:
            why = "the shapes of this context state no length unit, others do"
            raise MixedLengthUnitError(source, why, line=self.silent_lines[0])
        return self.declared[0] if self.declared else None


def length_units(exchange: Exchange) -> UnitFindings:
    """Look up the unit of every context that a shape representation uses."""
    declared, silent = [], []
    for context in _shape_contexts(exchange):
        unit = _unit_of(exchange, context)
        if unit is None:
            silent.append(context.line)
        else:
            declared.append(unit)
    return UnitFindings(tuple(declared), tuple(silent))


def is_shape_representation(keyword: str) -> bool:
    """Whether records of this type hold shape and name the context of its numbers."""
    return keyword.endswith("SHAPE_REPRESENTATION") and not keyword.startswith("CONTEXT_")


def _shape_contexts(exchange: Exchange) -> list[Record]:
    kinds = [k for k in exchange.keywords if is_shape_representation(k)]
    numbers: dict[int, None] = {}
    for record in exchange.records(*kinds):
        if found := _LAST_REFERENCE.search(record.text):
            numbers.setdefault(int(found[1]))
    records = (exchange.by_number(n) for n in numbers)
    return [r for r in records if r is not None]


def _unit_of(exchange: Exchange, context: Record) -> DeclaredUnit | None:
    assigned = part(context.text, "GLOBAL_UNIT_ASSIGNED_CONTEXT")
    for number in _references(assigned):
        record = exchange.by_number(number)
        measured = _length(exchange, record) if record else None
        if measured is not None:
            name, millimetres = measured
            uncertain = _uncertainty(exchange, context)
            return DeclaredUnit(name, millimetres, uncertain, context.line)
    return None


def _references(typed: Typed | None) -> tuple[int, ...]:
    if typed is None or not typed.values or not isinstance(typed.values[0], tuple):
        return ()
    return tuple(v.number for v in typed.values[0] if isinstance(v, Ref))


def _length(exchange: Exchange, record: Record, depth: int = 0) -> tuple[str, float] | None:
    """Name and millimetres of a unit record; None when it is no length or tells no size."""
    parts = {p.name: p for p in parse(record.text)}
    if "LENGTH_UNIT" not in parts or depth > 5:
        return None
    if metric := parts.get("SI_UNIT"):
        marks = [v.name for v in metric.values if isinstance(v, Mark)]
        if marks[-1:] != ["METRE"] or (marks[-2:-1] and marks[-2] not in _PREFIX):
            return None
        prefix = marks[-2] if len(marks) > 1 else "$"
        name = ("" if prefix == "$" else prefix.lower()) + "metre"
        return name, _PREFIX[prefix] * 1000.0
    if based := parts.get("CONVERSION_BASED_UNIT"):
        return _converted(exchange, based, depth)
    return None


def _converted(exchange: Exchange, based: Typed, depth: int) -> tuple[str, float] | None:
    if len(based.values) < 2 or not isinstance(based.values[1], Ref):
        return None
    measured = _measure(exchange, based.values[1].number, depth)
    name = based.values[0]
    if measured is None or measured <= 0 or not isinstance(name, bytes):
        return None
    return readable(name, "utf-8").strip().lower(), measured


def _measure(exchange: Exchange, number: int, depth: int = 0) -> float | None:
    """A measure with its unit, in mm."""
    record = exchange.by_number(number)
    for typed in parse(record.text) if record else ():
        bare = [v.values[0] if isinstance(v, Typed) and v.values else v for v in typed.values]
        numbers = [v for v in bare if isinstance(v, float)]
        units = [v.number for v in typed.values if isinstance(v, Ref)]
        if numbers and units:
            unit = exchange.by_number(units[0])
            size = _length(exchange, unit, depth + 1) if unit else None
            return numbers[0] * size[1] if size else None
    return None


def _uncertainty(exchange: Exchange, context: Record) -> float | None:
    stated = part(context.text, "GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT")
    measures = (_measure(exchange, number) for number in _references(stated))
    return next((m for m in measures if m is not None), None)
