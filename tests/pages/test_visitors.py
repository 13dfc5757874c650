"""Visitors do not touch each other; the user of this machine keeps what was opened over a
restart.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from navviz.runs.opened import load
from navviz.support.installation.serving import Serving
from tests.observations.pictures.seen_runs import paint
from tests.pages.conftest import ran
from tests.paths import ROOT
from tests.worlds import write_states, write_world


def _explore(**query: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "pages" / "explore.py"), default_timeout=300)
    for key, value in query.items():
        at.query_params[key] = value
    return ran(at)


def _type_path(at: AppTest, path: Path) -> None:
    """Open the dialog and type; AppTest runs the whole page where a browser runs the dialog alone,
    so ask again.
    """
    at.button(key="pickers_open").click().run()
    at.text_input(key="pickers_path").set_value(str(path))
    at.session_state["navviz"].asks_to_open = True
    at.run()


def _press_open(at: AppTest) -> None:
    at.session_state["navviz"].asks_to_open = True
    ran(at.button(key="pickers_open_path").click())


def _open(at: AppTest, path: Path) -> None:
    _type_path(at, path)
    _press_open(at)


def _run(at: AppTest) -> str:
    named = at.query_params["run"]
    return named if isinstance(named, str) else named[0]


def _runs(at: AppTest) -> list[str]:
    return [name.rpartition("  (")[0] for name in at.selectbox(key="pickers_run_Run").options]


def _said(at: AppTest) -> str:
    return " ".join(each.value for each in (*at.error, *at.warning, *at.info))


@pytest.fixture
def walks(tmp_path):
    write_world(tmp_path)
    return write_states(tmp_path / "walks.json", {"1": {"json": ["s1", "e1"]}})


@pytest.fixture
def _on_a_server(monkeypatch):
    monkeypatch.setenv(
        "NAVVIZ_SERVER", Serving(door="open", allow=frozenset({"paths", "keep"})).model_dump_json()
    )


@pytest.mark.usefixtures("_on_a_server")
def test_what_one_opens_nobody_else_sees(walks):
    first, second = _explore(), _explore()
    _open(first, walks)
    assert _run(first) == "walks"
    assert "walks" in _runs(first)
    second.run()
    assert "walks" not in _runs(second)
    assert "no run named “walks”" in _said(_explore(run="walks"))


def test_what_the_machines_user_opened_is_there_after_a_restart(walks):
    _open(_explore(), walks)
    st.cache_resource.clear()
    st.cache_data.clear()
    later = _explore(run="walks")
    assert "walks" in _runs(later)
    assert later.metric[0].value == "100.0 %"
    walks.unlink()
    gone = _explore(run="walks")
    assert f"{walks}: is not there any more" in _said(gone)
    assert _runs(gone)[-1] == "walks"
    assert not _said(_explore())


def test_two_files_of_one_name_are_two_entries(walks, tmp_path):
    other = tmp_path / "later" / "walks.json"
    other.parent.mkdir()
    write_states(other, {"1": {"json": ["s1", "w1"]}})
    at = _explore()
    _open(at, walks)
    _open(at, other)
    name = _run(at)
    assert name.startswith("walks~")
    assert at.metric[0].value == "0.0 %"
    assert {"walks", name} <= set(_runs(at))
    assert _explore(run="walks").metric[0].value == "100.0 %"
    _open(at, other)
    assert _run(at) == name


def test_a_second_run_on_a_map_is_offered_the_map_that_is_open(walks, tmp_path):
    at = _explore()
    _open(at, walks)
    lonely = tmp_path / "a" / "b" / "c" / "d" / "later.json"
    lonely.parent.mkdir(parents=True)
    write_states(lonely, {"1": {"json": ["s1", "w1"]}})
    _type_path(at, lonely)
    assert any("its first episode starts on" in caption.value for caption in at.caption)
    _press_open(at)
    assert _run(at) == "later"
    assert at.metric[0].value == "0.0 %"


def _pictures(at: AppTest, folder: Path) -> AppTest:
    """Name a folder of pictures in the dialog, and open."""
    at.button(key="pickers_open").click().run()
    at.text_input(key="pickers_pictures").set_value(str(folder))
    at.session_state["navviz"].asks_to_open = True
    at.run()
    _press_open(at)
    return at


def _seen_at(at: AppTest, node: str) -> list[str]:
    run = load(at.session_state["navviz"].opened[0])
    found = run.pictures("1").at(node)
    return [file.path.name for seen in found for file in seen.files if file is not None]


@pytest.mark.usefixtures("_on_a_server")
def test_a_folder_of_pictures_is_opened_for_the_run_that_is_shown(walks, tmp_path):
    folder = paint(tmp_path / "elsewhere" / "s1.jpg", (320, 160)).parent
    at = _explore()
    _open(at, walks)
    assert _seen_at(at, "s1") == []
    _pictures(at, folder)
    assert (_run(at), _seen_at(at, "s1")) == ("walks", ["s1.jpg"])
    assert not _explore().session_state["navviz"].opened, "another visitor sees none of it"
    sample = _pictures(_explore(), folder)
    assert sample.session_state["navviz"].opened[0].pictures == (folder,)
    assert not _said(sample)


@pytest.mark.usefixtures("_on_a_server")
@pytest.mark.parametrize(
    ("name", "sentence"), [("empty", "holds no picture"), ("gone", "is no folder")]
)
def test_a_folder_without_pictures_is_one_sentence(walks, tmp_path, name, sentence):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("nothing")
    at = _explore()
    _open(at, walks)
    assert sentence in _said(_pictures(at, tmp_path / name))
    assert at.session_state["navviz"].opened[0].pictures == ()


def test_the_dialog_browses_folders_and_says_what_navviz_can_read(tmp_path, monkeypatch):
    write_world(tmp_path)
    results = write_states(tmp_path / "walks.json", {"1": {"json": ["s1", "x", "e1"]}})
    (tmp_path / "notes.md").write_text("nothing to open", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    at = _explore()
    _type_path(at, tmp_path)
    [drawn] = [
        part.proto
        for part in at.get("bidi_component")
        if part.proto.component_name == "navviz_folder"
    ]
    rows = re.findall(
        r'data-value="([^"]+)"><span class="name">[^<]*</span><span class="quiet">(\w*)',
        json.loads(drawn.json)["html"],
    )
    assert dict(rows)[str(results)] == "run"
    # what can be read stands before what cannot
    assert [kind for _, kind in rows[1:]] == sorted(
        (kind for _, kind in rows[1:]), key=lambda kind: not kind
    )
    assert (str(tmp_path / "notes.md"), "") in rows
    _open(at, results)
    assert _run(at) == "walks"


def test_logs_of_steps_beside_a_result_file_are_offered(tmp_path, monkeypatch):
    write_world(tmp_path)
    results = write_states(tmp_path / "walks_json.json", {"1": {"json": ["s1", "x", "e1"]}})
    logs = tmp_path / "steps_json"
    logs.mkdir()
    for file in (ROOT / "assets/samples/harbour/runs/groke-by-hand").glob("7.trace.jsonl"):
        shutil.copy(file, logs / file.name)
    at = _explore()
    _open(at, results)
    at.button(key="logs_beside_steps_json").click().run()
    assert _run(at) == "steps_json"
    assert not [button for button in at.button if str(button.key).startswith("logs_beside")]


def test_a_newcomer_reads_what_navviz_is_until_a_run_is_opened(tmp_path):
    at = AppTest.from_file(str(ROOT / "pages" / "replay.py"), default_timeout=300)
    ran(at)
    assert not [each for each in at.button if each.key == "introduction_open"]
    at.session_state["navviz"].is_introduced = True
    ran(at)
    assert any("shows why a navigation agent went wrong" in text.value for text in at.markdown)
    at.button(key="introduction_open").click().run()
    assert at.text_input(key="pickers_path") is not None
