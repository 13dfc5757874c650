"""The recorded results, one line an item, by day and by night."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def _file(*, day: bool) -> Path:
    return _HERE / ("day.json" if day else "night.json")


def read_expected() -> dict[str, Any]:
    """Return the recorded result of each item."""
    expected: dict[str, Any] = {}
    for day in (True, False):
        path = _file(day=day)
        expected |= json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return expected


def write_expected(results: Mapping[str, Any], *, day: bool) -> None:
    """Write results, each on a line of its own."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(results[name], ensure_ascii=False)}"
        for name in sorted(results)
    ]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    _file(day=day).write_text(text, encoding="utf-8")
