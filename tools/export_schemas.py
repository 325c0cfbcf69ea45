"""Write the JSON Schemas of what Witmark puts on disk; with ``--check``, only compare them.

    python tools/export_schemas.py [--check]

The files in ``schemas/`` are committed, so that a change of a format is seen in review.
"""

import json
import sys
from pathlib import Path

from witmark.answers import wire as answers
from witmark.diagnosis import wire as diagnosis
from witmark.diagnosis.change_request.form import schemas as change_schemas
from witmark.review import wire

FOLDER = Path(__file__).resolve().parent.parent / "schemas"


def schemas() -> dict[str, str]:
    """File name → text, for every format that has a schema."""
    return {
        "review-1.schema.json": _text(wire.json_schema()),
        "conversation-1.schema.json": _text(answers.json_schema()),
        "answers-draft-1.schema.json": _text(dict(answers.draft_schema())),
        "diagnosis-output-v1.schema.json": _text(dict(diagnosis.schema().json)),
        **{f"{name}.schema.json": _text(schema) for name, schema in change_schemas().items()},
        "review-interfaces-1.schema.json": _text(wire.reply_schema(wire.InterfacesReply)),
        "review-judgement-1.schema.json": _text(wire.reply_schema(wire.JudgementReply)),
        "review-roles-1.schema.json": _text(wire.reply_schema(wire.RolesReply)),
        "review-units-1.schema.json": _text(wire.reply_schema(wire.UnitsReply)),
    }


def main(arguments: list[str]) -> int:
    """Export or compare; 0 when the folder agrees with the code afterwards."""
    stale = [name for name, text in schemas().items() if _on_disk(name) != text]
    if "--check" in arguments:
        for name in stale:
            print(
                f"schemas/{name} is stale: run python tools/export_schemas.py", file=sys.stderr
            )
        return 1 if stale else 0
    FOLDER.mkdir(exist_ok=True)
    for name in stale:
        (FOLDER / name).write_text(schemas()[name], encoding="utf-8")
        print(f"wrote schemas/{name}")
    return 0


def _text(schema: dict[str, object]) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _on_disk(name: str) -> str | None:
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
