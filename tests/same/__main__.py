"""Record results, or say what changed: ``python -m tests.same --record|--diff [--day] [NAME ...]``.

A name may be the beginning of several: ``score/``.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.paths import ROOT
from tests.same.expected import read_expected, write_expected
from tests.same.items import Item, Place, items
from tests.same.normal import changes


def main() -> int:
    """Return 1 where something changed."""
    parser = argparse.ArgumentParser(prog="python -m tests.same", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write the results anew")
    parser.add_argument("--diff", action="store_true", help="say what changed, in words")
    parser.add_argument("--day", action="store_true", help="those of samples alone")
    parser.add_argument("names", nargs="*", help="items, or how their names begin")
    chosen = parser.parse_args()
    if chosen.record == chosen.diff:
        parser.error("choose --record or --diff")
    data = Path(os.environ.get("NAVVIZ_TEST_DATA", ROOT.parent / "shared" / "data"))
    expected, results = read_expected(), dict[str, Any]()
    every, changed = items(), False
    for item in every:
        if not _is_chosen(item, chosen.names, day=chosen.day):
            continue
        if not item.day and not data.is_dir():
            print(f"{item.name}: no public data at {data}", file=sys.stderr)
            continue
        begun = time.process_time()
        results[item.name] = _result(item, data)
        print(f"{item.name} {time.process_time() - begun:.1f} s", file=sys.stderr)
        for sentence in changes(expected.get(item.name), results[item.name]):
            changed = True
            print(f"{item.name} {sentence}")
    if chosen.record:
        kept = {**expected, **results}
        for day in (True, False):
            own = [item.name for item in every if item.day is day and item.name in kept]
            write_expected({name: kept[name] for name in own}, day=day)
    return 1 if changed and chosen.diff else 0


def _is_chosen(item: Item, names: list[str], *, day: bool) -> bool:
    return (item.day or not day) and (not names or item.name.startswith(tuple(names)))


def _result(item: Item, data: Path) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        workspace, cache = Path(folder) / "workspace", Path(folder) / "cache"
        workspace.mkdir()
        os.environ |= {"NAVVIZ_WORKSPACE": str(workspace), "NAVVIZ_CACHE": str(cache)}
        return item.result(Place(data, Path(folder) / "out"))


if __name__ == "__main__":
    sys.exit(main())
