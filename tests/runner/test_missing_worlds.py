"""Episodes of a scan that is not there: named and counted before anything is walked; the others are
walked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from navviz.runner.batches import Batch
from tests.command import invoke
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house"


@pytest.fixture
def entries():
    found: list[dict[str, Any]] = json.loads((HOUSE / "R2R_sample.json").read_text())
    return found


def walk(tmp_path: Path, items: list[dict[str, Any]], *more: str, graphs: Path = HOUSE) -> Result:
    (tmp_path / "e.json").write_text(json.dumps(items))
    given = [
        "--navigator",
        "random-walker-indoors",
        "--episodes",
        str(tmp_path / "e.json"),
        "--graphs",
        str(graphs),
    ]
    return invoke("run", *given, "--out", str(tmp_path / "out"), "r", *more)


def moved(entry: dict[str, Any], scan: str) -> dict[str, Any]:
    """The entry in another house, with viewpoints of its own."""
    return entry | {"scan": scan, "path": [f"{scan}-{node}" for node in entry["path"]]}


def count_of(items: list[dict[str, Any]]) -> int:
    return sum(len(entry["instructions"]) for entry in items)


def test_nothing_is_walked_where_no_scan_is_there(entries, tmp_path):
    items = [moved(entry, "QUCTc6BB5sX") for entry in entries[:2]]
    result = walk(tmp_path, items, "--workers", "2")
    assert result.exit_code == 2
    assert result.stdout == ""
    count = count_of(items)
    assert (
        f"scan QUCTc6BB5sX not found ({count} episodes), so {count} of {count} episodes cannot be walked"
        in result.stderr
    )
    assert "put QUCTc6BB5sX_connectivity.json into the connectivity folder" in result.stderr
    assert "no results" not in result.stderr
    assert "━" not in result.output, "no bar is drawn"
    assert not (tmp_path / "out" / "r" / "run.json").exists()


def test_the_others_are_walked_and_the_missing_counted(entries, tmp_path):
    gone = [moved(entries[0], "QUCTc6BB5sX"), moved(entries[1], "TbHJrupSAjP")]
    result = walk(tmp_path, [*gone, *entries[2:4]], "--format", "json", "--samples", "2")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout.splitlines()[-1])
    missing, there = count_of(gone), count_of(entries[2:4])
    assert document["missing"] == {"episodes": missing, "worlds": ["QUCTc6BB5sX", "TbHJrupSAjP"]}
    assert (document["episodes"], document["walked"]) == (there, there)
    first, bar = result.stderr.index("scan QUCTc6BB5sX not found"), result.stderr.index("━")
    assert first < bar, "it is told before anything is walked"
    assert f"so {missing} of {missing + there} episodes cannot be walked" in result.stderr
    assert "SCAN_connectivity.json of each" in result.stderr
    state = Batch.at(tmp_path / "out" / "r").status()
    assert state.name == "done"
    assert "scan QUCTc6BB5sX not found" in (state.reason or "")
    assert [tally.total for tally in state.state.tallies] == [there, there]
    assert (
        f"{missing} more were not walked"
        in walk(tmp_path, [*gone, *entries[2:4]], "--samples", "2").stdout
    )


def test_many_missing_scans_are_counted(entries, tmp_path):
    result = walk(
        tmp_path, [moved(entries[0] | {"path_id": number}, f"scan{number}") for number in range(9)]
    )
    assert result.stderr.count("not found (") == 5
    assert "and 4 more scans, so" in result.stderr


def test_streets_need_no_name(tmp_path):
    given = [
        "--navigator",
        "random-walker",
        "--episodes",
        str(SAMPLES / "harbour/splits/sample.json"),
    ]
    given += [
        "--graphs",
        str(SAMPLES / "harbour"),
        "--out",
        str(tmp_path),
        "--limit",
        "1",
        "--format",
        "json",
    ]
    result = invoke("run", *given)
    assert result.exit_code == 0
    assert "missing" not in json.loads(result.stdout.splitlines()[-1])


def test_a_damaged_scan_is_told_and_the_run_ends_with_a_sentence(entries, tmp_path):
    (tmp_path / "connectivity").mkdir()
    (tmp_path / "connectivity" / "NavVizHouse_connectivity.json").write_text("[1, 2")
    (tmp_path / "connectivity" / "Other_connectivity.json").write_text("[]")
    result = walk(tmp_path, entries[:1], graphs=tmp_path)
    assert "NavVizHouse_connectivity.json" in result.stderr
    assert "no results" not in result.output
