"""Uploads: an id of their own, so that none overwrites another and a link means one file for
ever.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.runs.opened import load
from navviz.runs.sources import catalogue, samples, workspace_dir
from navviz.runs.uploads import save_upload, upload_named
from tests.worlds import write_states, write_world


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write_world(tmp_path)


def _bytes(folder: Path, *waypoints: str) -> bytes:
    return write_states(folder / "states.json", {"1": {"json": list(waypoints)}}).read_bytes()


def test_two_uploads_of_one_name_are_two_runs(tmp_path: Path, graph: Path) -> None:
    (first,) = save_upload("walks.json", _bytes(tmp_path, "s1", "e1"), graph)
    (second,) = save_upload("walks.json", _bytes(tmp_path, "s1", "w1"), graph)
    assert first.name != second.name
    rates = [load(source).scores.means["SR"] for source in (first, second)]
    assert rates == [1.0, 0.0]


def test_an_upload_cannot_take_the_place_of_a_sample(tmp_path: Path, graph: Path) -> None:
    (upload,) = save_upload("harbour.json", _bytes(tmp_path, "s1", "e1"), graph)
    bundled = {source.name: source for source in samples()}
    listed = {source.name: source for source in catalogue([upload])}
    assert listed[upload.name].origin == "upload"
    assert bundled.items() <= listed.items()


def test_a_link_to_an_upload_means_it_for_ever(tmp_path: Path, graph: Path) -> None:
    (upload,) = save_upload("walks.v2.json", _bytes(tmp_path, "s1", "e1"), graph)
    assert upload.name.startswith("walks.v2~")
    assert upload_named(upload.name) == upload
    assert upload_named(f"other{upload.name[8:]}") is None  # the id alone is not the name
    assert upload_named("walks.v2") is None
    assert upload_named("walks~0123456789abcdef") is None


def test_several_methods_are_several_runs(tmp_path: Path, graph: Path) -> None:
    file = write_states(tmp_path / "m.json", {"1": {"json": ["s1"], "grid": ["s1", "e1"]}})
    json_run, grid_run = save_upload("m.json", file.read_bytes(), graph)
    assert (json_run.name.rpartition("/")[2], grid_run.name.rpartition("/")[2]) == ("json", "grid")
    assert upload_named(grid_run.name) == grid_run


@pytest.mark.parametrize("name", ["../../escaped.json", "/etc/escaped.json", "a" * 300 + ".json"])
def test_a_name_never_leads_out_of_the_uploads(name: str, tmp_path: Path, graph: Path) -> None:
    (upload,) = save_upload(name, _bytes(tmp_path, "s1"), graph)
    assert upload.results is not None
    assert (workspace_dir() / "uploads").resolve() in upload.results.resolve().parents


def test_an_upload_that_cannot_be_read_is_told(graph: Path) -> None:
    with pytest.raises(InputError):
        save_upload("empty.json", b"", graph)


def test_an_upload_without_a_map_does_not_take_another_visitors(
    tmp_path: Path, graph: Path
) -> None:
    save_upload("town.osm", b"<osm/>", None)
    (upload,) = save_upload("walks.json", _bytes(tmp_path, "s1"), None)
    assert upload.graphs == ()
    (town,) = save_upload("town.osm", b"<osm/>", None)
    assert [path.name for path in town.graphs] == ["town.osm"]
