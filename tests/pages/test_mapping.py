"""The mapping view: a log that no reader knows, its fields, its first episode; saved, it is a run."""

import json
import tomllib

import pytest

from navviz.runs.opened import OPEN_VARIABLE
from navviz.runs.source import Source
from navviz.runs.unknown_logs import GraphsByName, is_unknown_log
from navviz.ui.explore.page import _is_recorded
from tests.analysis.test_paired_runs import house
from tests.formats.vlnce import made
from tests.pages.conftest import WITHIN_APP
from tests.pages.listed import listed

ENTRIES = [
    {"ep": k, "house": made.SCAN, "said": "Walk to the <b>door</b> over there.", "ok": 1.0,
     "track": [[0.0, 0.5, 0.0], [0.0, 0.5, -1.5], [0.0, 0.5, -3.0]], "marks": [[1, 2, 3], [3, 4, 5]]}
    for k in (1, 2)
]  # fmt: skip


@pytest.fixture
def log(tmp_path, monkeypatch):
    """Write a log of nobody's format, with the house that it was walked in."""
    graphs = house(tmp_path)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"made by": "me", "runs": ENTRIES}))
    opened = {"results": str(path), "graphs": str(graphs)}
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps(opened))
    return path


def test_the_first_episode_is_drawn_and_save_opens_the_run(page, log):
    at = page("explore")
    labels = {box.label: box.value for box in at.selectbox}
    assert labels["Path"] == "track[*]"
    assert (labels["Episode id"], labels["World"], labels["Instruction"]) == ("ep", "house", "said")
    assert labels["Frame of positions"] == "habitat"
    assert any("Reads 2 episodes, 2 with a walk." in each.value for each in at.caption)
    assert not at.error
    at.button(key="mapping_save").click().run()
    assert not at.exception
    saved = tomllib.loads((log.parent / "mine.json.navviz.toml").read_text())
    assert saved["walk"]["positions"] == ["track[*]"]
    assert not [button for button in at.button if button.key == "mapping_save"]
    assert listed(at)["episode"].tolist() == ["1", "2"]


def test_a_field_is_corrected(page, log):
    at = page("explore")
    box = next(box for box in at.selectbox if box.label == "Path")
    box.set_value("marks[*]").run()
    assert not at.exception
    at.button(key="mapping_save").click().run()
    saved = tomllib.loads((log.parent / "mine.json.navviz.toml").read_text())
    assert saved["walk"]["positions"] == ["marks[*]"]


def test_what_reads_nothing_says_why_and_cannot_be_saved(page, log):
    at = page("explore")
    box = next(box for box in at.selectbox if box.label == "Episode id")
    box.set_value("track").run()
    assert not at.exception
    assert at.button(key="mapping_save").disabled
    assert any("holds no episode by the mapping" in each.value for each in at.error)
    assert any("The smallest log that opens" in each.value for each in at.caption)
    assert log.exists()


@WITHIN_APP
@pytest.mark.usefixtures("log")
def test_other_pages_lead_there(page):
    at = page("replay")
    assert any("which field is what" in each.value for each in at.info)


def test_other_pages_name_the_broken_line(page, log):
    log.write_text('[{"id": 1},\n{"id": 2}\n')
    at = page("replay")
    assert "mine.json: is no JSON (line 3" in at.error[0].value
    assert not at.info


def test_a_mapping_is_part_of_what_a_cache_keeps_a_run_by(log):
    source = Source("mine", "opened", (), None, log)
    before = source.stamp
    sidecar = log.with_name("mine.json.navviz.toml")
    sidecar.write_text('name = "a"')
    with_mapping = source.stamp
    sidecar.write_text('name = "another"')
    assert len({before, with_mapping, source.stamp}) == 3


def test_known_files_and_texts_are_no_unknown_logs(tmp_path, log):
    assert is_unknown_log(log)
    folder = tmp_path / "logs"
    folder.mkdir()
    log.rename(folder / log.name)
    assert is_unknown_log(folder)
    known = made.write(tmp_path / "val_seen.json", {"episodes": [made.episode(1)]})
    assert not is_unknown_log(known)
    text = tmp_path / "notes.txt"
    text.write_text("no data")
    assert not is_unknown_log(text)
    graphs = GraphsByName((tmp_path / "none", tmp_path / "connectivity"), lambda path, world: None)  # type: ignore[arg-type, return-value]
    assert graphs.folder_of(made.SCAN) == tmp_path / "connectivity"
    assert graphs.folder_of("elsewhere") is None


def test_recorded_success_is_marked_on_explore(page, log):
    at = page("explore")
    at.button(key="mapping_save").click().run()
    table = listed(at)
    assert _is_recorded(table.assign(SR=None, SR_rec=1.0))
    assert not _is_recorded(table.assign(SR=1.0, SR_rec=1.0))
    assert log.exists()
