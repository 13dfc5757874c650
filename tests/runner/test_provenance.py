"""What a run was made of is noted when it begins, and compared when it is asked for."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import navviz
from navviz.runner import RunConfig, read_config, write_config
from navviz.runner import config as hashes
from navviz.runner.config import MOST_BYTES, file_hash, file_hashes
from navviz.runner.provenance import provenance_of
from navviz.runs.opened import open_run
from tests.command import invoke
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def copied(tmp_path: Path) -> tuple[Path, Path]:
    """A run with its graph, begun here."""
    graph, run = tmp_path / "graph", tmp_path / "mine"
    shutil.copytree(HARBOUR / "osm" / "graph", graph)
    shutil.copytree(HARBOUR / "runs" / "rules", run)
    (run / "run.json").unlink(missing_ok=True)
    write_config(run, RunConfig(run="mine", navigator="rules", graphs=(str(graph),)))
    return graph, run


def test_versions_and_hashes_are_noted_when_a_run_begins(tmp_path):
    graph, run = copied(tmp_path)
    config = read_config(run)
    assert config is not None
    assert config.package_version == navviz.__version__
    assert config.data_sha256 == {str(path): sha256(path) for path in sorted(graph.iterdir())}


def test_a_file_that_changed_since_is_named(tmp_path):
    graph, run = copied(tmp_path)
    provenance = provenance_of(open_run(run, graphs=graph))
    assert provenance.changed == ()
    assert {file.role for file in provenance.files} == {"graph", "results"}
    assert provenance.navigators == {"rules": provenance.episodes}
    changed = graph / "pois.txt"
    changed.write_text(changed.read_text() + "\n")
    assert [file.path for file in provenance_of(open_run(run, graphs=graph)).changed] == [
        str(changed)
    ]


def test_a_file_is_read_again_when_it_changes(tmp_path):
    path = tmp_path / "x"
    path.write_text("one")
    assert file_hash(path) == sha256(path)
    path.write_text("two")
    os.utime(path, ns=(1, 1))
    assert file_hash(path) == sha256(path)


def test_what_is_gone_or_very_large_has_no_hash(tmp_path):
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert file_hashes([large, tmp_path / "gone"]) == {str(large): None}
    assert file_hash(tmp_path / "gone") is None


def test_a_data_set_named_by_its_folder_has_its_graph_hashed():
    """Map2Seq keeps its graph three levels deep: ``osm/graph/nodes.txt``."""
    nodes = HARBOUR / "osm" / "graph" / "nodes.txt"
    assert file_hashes([HARBOUR])[str(nodes)] == sha256(nodes)


def test_no_more_is_read_than_is_cheap(tmp_path, monkeypatch):
    for name in "abc":
        (tmp_path / name).write_text("four")
    monkeypatch.setattr(hashes, "MOST_TOGETHER", 9)
    result = file_hashes([tmp_path])
    assert [Path(path).name for path, digest in result.items() if digest is not None] == ["a", "b"]
    assert len(result) == 3


def test_the_command_tells_it(tmp_path):
    graph, run = copied(tmp_path)
    requests = ["data", "check", "--provenance", str(run), "--graphs", str(graph)]
    called = invoke(*requests, "--format", "json")
    assert called.exit_code == 0, (called.output, called.exception)
    document = json.loads(called.stdout)
    assert document["figures"] == dict(open_run(run, graphs=graph).scores.means)
    nodes = graph / "nodes.txt"
    assert {
        "role": "graph",
        "path": str(nodes),
        "sha256": sha256(nodes),
        "noted": sha256(nodes),
    } in document["files"]
    nodes.write_text(nodes.read_text() + "\n")
    lines = invoke(*requests).stdout.splitlines()
    assert [line for line in lines if "CHANGED" in line] == [
        f"graph       {sha256(nodes)}  {nodes}  CHANGED since the run began"
    ]
    assert "navigator   rules" in lines
