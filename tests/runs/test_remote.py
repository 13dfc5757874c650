"""A run at another address is copied, and its copy takes what is new there."""

from __future__ import annotations

import time

import pytest

import navviz
from navviz.errors import InputError, SettingsError
from navviz.runs.growth import Growth
from navviz.runs.remote import local_path
from navviz.support.addresses import files_at, is_address
from tests.paths import SAMPLES

pytest.importorskip("fsspec")

RUN = SAMPLES / "harbour" / "runs" / "groke-by-hand"


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    """An address in memory, with one whole walk and the begin of another."""
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    address = f"memory://{tmp_path.name}/mine"
    files, place = files_at(address)
    files.pipe(f"{place}/1.trace.jsonl", (RUN / "1.trace.jsonl").read_bytes())
    lines = (RUN / "9.trace.jsonl").read_bytes().splitlines(keepends=True)
    files.pipe(f"{place}/9.trace.jsonl", b"".join(lines[:14]))
    return address, files, place, lines


def test_an_address_opens_and_is_followed_by_what_is_new_alone(bucket, tmp_path, monkeypatch):
    address, files, place, lines = bucket
    run = navviz.open_run(address, graphs=SAMPLES / "harbour")
    assert len(run) == 2
    assert list(run.known_scores().unfinished) == ["9"]
    assert run.known_table()["outcome"].tolist()[1] == "unfinished"
    fetched = []
    cat = files.cat_file
    monkeypatch.setattr(
        files,
        "cat_file",
        lambda name, start=0, **more: (
            fetched.append((name, start)) or cat(name, start=start, **more)
        ),
    )
    files.pipe(f"{place}/9.trace.jsonl", b"".join(lines))
    before = (local_copy := next(tmp_path.rglob("9.trace.jsonl"))).stat().st_ino
    path = local_path(address)
    assert local_copy.stat().st_ino == before, "what is new is added to the copy"
    ((name, start),) = fetched
    assert (name, start) == (f"{place}/9.trace.jsonl", len(b"".join(lines[:14])) - 256)
    assert (path / "9.trace.jsonl").read_bytes() == b"".join(lines)
    assert run.refresh()
    assert not run.scores.unfinished
    # written anew and longer: nothing of the old one stays
    files.pipe(f"{place}/9.trace.jsonl", (RUN / "1.trace.jsonl").read_bytes() + b"\n" * 9000)
    files.rm(f"{place}/1.trace.jsonl")
    files.pipe(f"{place}/2.trace.jsonl.part", b"".join(lines[:2]))
    local_path(address)
    assert {each.name for each in path.iterdir()} == {"9.trace.jsonl", "2.trace.jsonl"}
    assert (path / "9.trace.jsonl").read_bytes().startswith((RUN / "1.trace.jsonl").read_bytes())


def test_who_watches_a_copy_gets_what_is_new(bucket, monkeypatch):
    address, files, place, lines = bucket
    growth = Growth(local_path(address))
    monkeypatch.setattr("navviz.runs.remote._LOOK_S", 0.01)
    growth.look(0)
    files.pipe(f"{place}/9.trace.jsonl", b"".join(lines))
    for _ in range(1000):
        if growth.look(0):
            return
        time.sleep(0.01)
    pytest.fail("nothing came")


def test_what_is_wrong_with_an_address_is_one_sentence(bucket, monkeypatch):
    address, files, place, _ = bucket
    with pytest.raises(InputError, match="holds nothing; check the address"):
        local_path(f"{address}/other")
    with pytest.raises(SettingsError, match="s3fs"):
        local_path("s3://bucket/run")
    assert not is_address("C:/runs")
    assert not is_address("openai:model@here")
    monkeypatch.setattr(files, "find", lambda *_, **__: {f"{place}/../../x": {"size": 1}})
    with pytest.raises(InputError, match="leads elsewhere"):
        local_path(address)
