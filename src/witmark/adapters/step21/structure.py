"""What kind of model a file holds, and whether its assembly tree is a tree."""

import re

from witmark.adapters.step21.errors import (
    CyclicAssemblyError,
    NoSolidError,
    WrongSchemaError,
)
from witmark.adapters.step21.exchange import Exchange
from witmark.adapters.step21.units import is_shape_representation
from witmark.adapters.step21.values import Ref, parse, readable

_PRODUCT_MODEL = re.compile(
    r"AP2(?:03|09|10|14|38|42)(?![0-9])|AUTOMOTIVE_DESIGN|CONFIG_CONTROL_(?:3D_)?DESIGN"
    r"|CONFIGURATION_CONTROL|INTEGRATED_CNC|STRUCTURAL_ANALYSIS_DESIGN|ELECTRONIC_ASSEMBLY_INTERCONNECT",
    re.IGNORECASE,
)
_REFERENCES = re.compile(rb"#(\d+)")
_OPERATORS = ("CARTESIAN_TRANSFORMATION_OPERATOR", "CARTESIAN_TRANSFORMATION_OPERATOR_3D")
_RELATED_WITH_TRANSFORMATION = "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION"
_NO_SCHEMA = "the file names no schema, so what its records mean is not known"


def refuse_other_models(exchange: Exchange) -> None:
    """A file must name a schema of product models, and hold a shape.

    Raises:
        NoSolidError: a product schema, but no shape in it.
        WrongSchemaError: another schema or none, whatever records the file holds.
    """
    refuse_other_schemas(exchange)
    if not any(is_shape_representation(k) for k in exchange.keywords):
        raise NoSolidError(exchange.source, "the file describes no shape")


def refuse_other_schemas(exchange: Exchange) -> None:
    """What a record means depends on the schema, so one that we do not know is not read.

    Raises:
        WrongSchemaError: no schema named is one of product models.
    """
    if any(_PRODUCT_MODEL.match(schema) for schema in exchange.schemas):
        return
    named = ", ".join(s for s in exchange.schemas if s)
    why = f"schema {named} is not a product model that we know" if named else _NO_SCHEMA
    raise WrongSchemaError(exchange.source, why, line=exchange.schema_line)


def refuse_cycles(exchange: Exchange, encoding: str) -> None:
    """No product may contain itself: the kernel would drop it without a word.

    Raises:
        CyclicAssemblyError: with the line of the occurrence that closes the circle.
    """
    children = _occurrences(exchange)
    done: set[int] = set()
    for root in children:
        _descend(exchange, encoding, children, root, done)


def unread_transformations(exchange: Exchange) -> list[int]:
    """Lines of operators that place a component and that the kernel passes over in silence.

    It reads an operator in a MAPPED_ITEM, and none in the relationship of an assembly.
    """
    operators = set(exchange.numbers[exchange.of(*_OPERATORS)].tolist())
    if not operators:
        return []
    users = list(exchange.records("ITEM_DEFINED_TRANSFORMATION"))
    users += [r for r, _ in exchange.complex_records(_RELATED_WITH_TRANSFORMATION)]
    named = {int(n) for r in users for n in _REFERENCES.findall(r.text)[1:]}
    found = (exchange.by_number(number) for number in sorted(operators & named))
    return sorted(record.line for record in found if record is not None)


def _occurrences(exchange: Exchange) -> dict[int, list[tuple[int, int]]]:
    """Per assembly: its children and the record index of each occurrence."""
    children: dict[int, list[tuple[int, int]]] = {}
    for index in exchange.of("NEXT_ASSEMBLY_USAGE_OCCURRENCE").tolist():
        parts = parse(exchange.record(index).text)
        ends = [v.number for v in (parts[0].values if parts else ()) if isinstance(v, Ref)]
        if len(ends) >= 2:
            children.setdefault(ends[0], []).append((ends[1], index))
    return children


def _descend(
    exchange: Exchange,
    encoding: str,
    children: dict[int, list[tuple[int, int]]],
    root: int,
    done: set[int],
) -> None:
    """Depth first, with a stack of our own: a long chain must not exhaust Python's."""
    path, stack = {root}, [(root, iter(children.get(root, ())))]
    while stack:
        node, rest = stack[-1]
        step = next(rest, None)
        if step is None:
            stack.pop()
            path.discard(node)
            done.add(node)
            continue
        child, index = step
        if child in path:
            line = exchange.line(int(exchange.begins[index]))
            name = _product_name(exchange, child, encoding)
            raise CyclicAssemblyError(exchange.source, f"{name} contains itself", line=line)
        if child not in done:
            path.add(child)
            stack.append((child, iter(children.get(child, ()))))


def _product_name(exchange: Exchange, definition: int, encoding: str) -> str:
    """The name of the product behind a definition: two references away."""
    number: int | None = definition
    for _ in range(3):
        record = exchange.by_number(number) if number is not None else None
        if record is None:
            break
        values = parse(record.text)[0].values if parse(record.text) else ()
        if record.keyword == "PRODUCT":
            name = values[1] if len(values) > 1 else b""
            return repr(readable(name, encoding)) if isinstance(name, bytes) else "a product"
        number = next((v.number for v in values if isinstance(v, Ref)), None)
    return "a product"
