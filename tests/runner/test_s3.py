"""A run whose traces go to ``s3://``, against an S3 server on this machine: walked, gone on with,
brought back, opened.

Needs ``pip install s3fs 'moto[server]'``, which the ordinary test does without: they hold their own
copy of botocore.
"""

from __future__ import annotations

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

import navviz
from navviz.cli import fetch as command
from navviz.errors import NavVizError
from navviz.runner.store import TraceStore
from navviz.runner.walking import walk_batch
from tests.runner.test_cluster import harbour, traces

_OTHERS = (
    "ignore::DeprecationWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
    "ignore::ResourceWarning",
)
"""Warnings of botocore, werkzeug and aiohttp, not ours."""


@pytest.fixture
def bucket(monkeypatch):
    """Start an S3 server and make an empty bucket in it; yields its address."""
    server = pytest.importorskip(
        "moto.server", reason="moto is not installed: pip install s3fs 'moto[server]'"
    )
    s3fs = pytest.importorskip(
        "s3fs", reason="s3fs is not installed: pip install s3fs 'moto[server]'"
    )
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    running.start()
    host, port = running.get_host_and_port()
    for name, value in {
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().mkdir(f"walks-{port}")  # servers of one process share what they hold
    yield f"s3://walks-{port}"
    s3fs.S3FileSystem.clear_instance_cache()
    running.stop()


def _fetch(address: str) -> Result:
    app = typer.Typer()
    command.register(app)
    return CliRunner().invoke(app, [address])


@pytest.mark.nightly
@pytest.mark.filterwarnings(*_OTHERS)
def test_a_run_goes_to_s3_and_comes_back(bucket, tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    local = harbour(tmp_path / "local", "r")
    here = walk_batch(local)
    batch = harbour(tmp_path / "control", "r", out=f"{bucket}/runs")
    there = walk_batch(batch)
    assert there.state.state == "done"
    assert there.scores["r"].means == pytest.approx(here.scores["r"].means)
    again = walk_batch(batch)
    assert (again.state.walked, again.state.tallies) == (0, there.state.tallies)
    result = _fetch(f"{bucket}/runs/r")
    assert result.exit_code == 0, result.output
    folder = tmp_path / "workspace" / "runs" / "r"
    assert {path.name for path in folder.iterdir()} == set(traces(local))
    run = navviz.open_run(folder, graphs=local.plan.graphs[0])
    assert run.scores.means == pytest.approx(here.scores["r"].means)
    assert ": 0 traces copied, 14 were there." in _fetch(f"{bucket}/runs/r").output


@pytest.mark.nightly
@pytest.mark.filterwarnings(*_OTHERS)
def test_a_bucket_that_is_not_there_is_told_in_a_sentence(bucket, tmp_path):
    del bucket
    with pytest.raises(
        NavVizError, match="there is no bucket nobodys; make it, or check the address"
    ):
        walk_batch(harbour(tmp_path, "r", out="s3://nobodys/runs"))
    assert _fetch("s3://nobodys/runs/r").exit_code == 2
    # nothing made it on the way
    with pytest.raises(NavVizError, match="there is no bucket nobodys"):
        TraceStore.at("s3://nobodys/runs").check()


def test_a_cut_trace_takes_the_place_of_no_finished_one(tmp_path):
    pytest.importorskip("fsspec")
    store = TraceStore.at(f"memory://{tmp_path.name}/runs")
    finished = next((navviz.samples_dir() / "harbour" / "runs" / "rules").glob("*.trace.jsonl"))
    store.put(finished, "r", finished=False)
    assert store.bring("r", tmp_path / "r") == (1, 0)
    whole = tmp_path / "r" / finished.name
    assert whole.read_bytes() == finished.read_bytes()
    whole.write_bytes(b"")
    assert store.bring("r", tmp_path / "r") == (1, 0)
    assert store.bring("r", tmp_path / "r") == (0, 1)
