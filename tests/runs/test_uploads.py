"""Uploads: an id of their own, so that none overwrites another and a link means one file for
ever.
"""

from __future__ import annotations

import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from navviz.errors import InputError, StoreError
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.model import save_mapping
from navviz.runs import uploads
from navviz.runs.opened import load
from navviz.runs.sources import catalogue, samples, samples_dir, workspace_dir
from navviz.runs.uploads import save_folder, save_upload, upload_named
from navviz.ui.server.limits import TooLongError
from tests.worlds import write_states, write_world


@pytest.fixture
def graph(tmp_path):
    return write_world(tmp_path)


def _bytes(folder: Path, *waypoints: str) -> bytes:
    return write_states(folder / "states.json", {"1": {"json": list(waypoints)}}).read_bytes()


def test_two_uploads_of_one_name_are_two_runs(tmp_path, graph):
    (first,) = save_upload("walks.json", _bytes(tmp_path, "s1", "e1"), graph)
    (second,) = save_upload("walks.json", _bytes(tmp_path, "s1", "w1"), graph)
    assert first.name != second.name
    rates = [load(source).scores.means["SR"] for source in (first, second)]
    assert rates == [1.0, 0.0]


def test_an_upload_cannot_take_the_place_of_a_sample(tmp_path, graph):
    (upload,) = save_upload("harbour.json", _bytes(tmp_path, "s1", "e1"), graph)
    bundled = {source.name: source for source in samples()}
    listed = {source.name: source for source in catalogue([upload])}
    assert listed[upload.name].origin == "upload"
    assert bundled.items() <= listed.items()


def test_a_link_to_an_upload_means_it_for_ever(tmp_path, graph):
    (upload,) = save_upload("walks.v2.json", _bytes(tmp_path, "s1", "e1"), graph)
    assert upload.name.startswith("walks.v2~")
    assert upload_named(upload.name) == upload
    assert upload_named(f"other{upload.name[8:]}") is None  # the id alone is not the name
    assert upload_named("walks.v2") is None
    assert upload_named("walks~0123456789abcdef") is None


def test_several_methods_are_several_runs(tmp_path, graph):
    file = write_states(tmp_path / "m.json", {"1": {"json": ["s1"], "grid": ["s1", "e1"]}})
    json_run, grid_run = save_upload("m.json", file.read_bytes(), graph)
    assert (json_run.name.rpartition("/")[2], grid_run.name.rpartition("/")[2]) == ("json", "grid")
    assert upload_named(grid_run.name) == grid_run


@pytest.mark.parametrize("name", ["../../escaped.json", "/etc/escaped.json", "a" * 300 + ".json"])
def test_a_name_never_leads_out_of_the_uploads(name, tmp_path, graph):
    (upload,) = save_upload(name, _bytes(tmp_path, "s1"), graph)
    assert upload.results is not None
    assert (workspace_dir() / "uploads").resolve() in upload.results.resolve().parents


def test_an_upload_that_cannot_be_read_is_told(graph):
    with pytest.raises(InputError):
        save_upload("empty.json", b"", graph)


def test_an_upload_without_a_map_does_not_take_another_visitors(tmp_path, graph):
    save_upload("town.osm", b"<osm/>", None)
    (upload,) = save_upload("walks.json", _bytes(tmp_path, "s1"), None)
    assert upload.graphs == ()
    (town,) = save_upload("town.osm", b"<osm/>", None)
    assert [path.name for path in town.graphs] == ["town.osm"]


def _folder_of_a_log() -> dict[str, bytes]:
    """A log that no reader knows, with the pictures of its steps."""
    picture = io.BytesIO()
    Image.new("RGB", (4, 3), "teal").save(picture, "PNG")
    steps = [{"pos": [0.0, 0.5, -float(k)], "rgb": f"{k}.png"} for k in range(3)]
    log = json.dumps([{"id": "e1", "task": "Go to the lamp and wait.", "steps": steps}])
    files = {f"mine/seen/{k}.png": picture.getvalue() for k in range(3)}
    return {"mine/log.json": log.encode(), "mine/.DS_Store": b"x", **files}


@pytest.mark.parametrize("packed", [True, False])
def test_a_folder_opens_as_one_log_with_its_pictures(packed):
    files = _folder_of_a_log()
    if packed:
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            for name, content in files.items():
                file.writestr(name, content)
        (upload,) = save_upload("mine.zip", archive.getvalue(), None)
    else:
        (upload,) = save_folder(list(files.items()), None)
    folder = upload.results
    assert folder is not None
    assert (folder.name, upload.origin) == ("mine", "upload")
    assert upload.name.startswith("mine~")
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert names == {"log.json", "seen/0.png", "seen/1.png", "seen/2.png"}
    save_mapping(guess(folder), folder)
    assert upload_named(upload.name) == upload
    run = load(upload)
    step = run.traces["e1"].steps[0]
    (seen,) = run.pictures("e1").of_step(step, 0)
    assert [file.path.name for file in seen.files if file is not None] == ["0.png"]


def test_a_folder_of_known_files_opens_with_its_map(tmp_path, graph):
    whole = {}
    for path in graph.rglob("*"):
        if path.is_file():
            whole[f"town/{path.relative_to(graph.parent).as_posix()}"] = path.read_bytes()
    whole["town/walks.json"] = _bytes(tmp_path, "s1", "e1")
    (upload,) = save_folder(list(whole.items()), None)
    assert upload.graphs
    assert load(upload).scores.means["SR"] == 1.0


def test_notes_of_a_folder_lead_to_no_other_map(tmp_path, graph):
    trace = (samples_dir() / "harbour" / "runs" / "rules" / "1.trace.jsonl").read_bytes()
    note = json.dumps({"graphs": [str(graph)]}).encode()
    sources = save_folder([("r/1.trace.jsonl", trace), ("r/run.json", note)], None)
    assert all(source.graphs == () for source in sources)


def test_an_upload_may_have_the_name_of_its_note():
    (upload,) = save_upload("upload.json", _folder_of_a_log()["mine/log.json"], None)
    assert upload_named(upload.name) == upload


@pytest.mark.parametrize("end", [TooLongError, RerunException, KeyboardInterrupt, OSError])
def test_an_upload_that_is_broken_off_leaves_nothing(graph, monkeypatch, end):
    """The page took too long, its browser went or pressed on, the disk is full."""

    def broken_off(archive: Path, target: Path) -> None:
        target.mkdir()
        (target / "first.json").write_bytes(b"1" * 1000)
        raise end(RerunData()) if end is RerunException else end()

    monkeypatch.setattr(uploads, "unpack_zip", broken_off)
    with pytest.raises(BaseException) as caught:  # noqa: PT011 - Streamlit's are no `Exception`
        save_upload("mine.zip", b"", graph)
    assert isinstance(caught.value, StoreError if end is OSError else end)
    assert not list((workspace_dir() / "uploads").iterdir())


def test_what_nobody_can_read_takes_no_room(graph):
    with pytest.raises(InputError):
        save_upload("nothing.json", b"", graph)
    assert not list((workspace_dir() / "uploads").iterdir())


def test_two_visitors_who_upload_one_name_at_once_get_their_own(tmp_path, graph):
    contents = [_bytes(tmp_path, "s1", end) for end in ("e1", "w1")]
    with ThreadPoolExecutor(2) as pool:
        opened = list(pool.map(lambda content: save_upload("a.json", content, graph), contents))
    (one,), (other,) = opened
    assert one.name != other.name
    kept = [source.results.read_bytes() for source in (one, other) if source.results is not None]
    assert kept == contents
