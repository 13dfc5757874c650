"""Write the player's document types from the JSON Schema of the replay document.

    python assets/player/build/document_types.py            writes assets/player/src/document.d.ts
    python assets/player/build/document_types.py --check    says whether it is fresh

It needs Node and ``npm ci``; users of NavViz need neither.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
TARGET = ROOT / "assets" / "player" / "src" / "document.d.ts"
COMPILER = ROOT / "node_modules" / "json-schema-to-typescript" / "dist" / "src" / "cli.js"
BANNER = (
    "// Written by assets/player/build/document_types.py from navviz/views/player/schema.py; do not"
    " edit."
)


def schema() -> dict[str, Any]:
    """Return the document's JSON Schema as it is written: what is missing is left out, what has a
    default is there.
    """
    from navviz.views.player.schema import ReplayDocument

    whole = ReplayDocument.model_json_schema(mode="serialization")
    for part in (whole, *whole["$defs"].values()):
        required = set(part.get("required", ()))
        for name, field in part["properties"].items():
            field.pop("title", None)
            if "default" not in field:
                required.add(name)
            elif field.pop("default") is None:
                _drop_null(field)
            else:
                required.add(name)
        part["required"] = sorted(required)
    return _tuples(whole)


def _tuples(value: Any) -> Any:  # noqa: ANN401
    """Return the schema with tuples as the compiler knows them: draft 4's list of items, not
    2020-12's prefixItems.
    """
    if isinstance(value, list):
        return [_tuples(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        ("items" if key == "prefixItems" else key): _tuples(item) for key, item in value.items()
    }


def _drop_null(field: dict[str, Any]) -> None:
    kept = [option for option in field.pop("anyOf", []) if option != {"type": "null"}]
    if len(kept) == 1:
        field.update(kept[0])
    elif kept:
        field["anyOf"] = kept


def types() -> str:
    """Return the TypeScript declarations."""
    command = ["node", str(COMPILER), "--bannerComment", BANNER, "--unreachableDefinitions=false"]
    made = subprocess.run(  # noqa: S603
        command, input=json.dumps(schema()), capture_output=True, text=True, check=True
    )
    return made.stdout


def main() -> int:
    """Write or check the file."""
    text = types()
    if "--check" in sys.argv:
        fresh = TARGET.read_text(encoding="utf-8") == text
        print(
            "fresh" if fresh else f"{TARGET} is stale: python assets/player/build/document_types.py"
        )
        return 0 if fresh else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
