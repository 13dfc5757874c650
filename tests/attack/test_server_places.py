"""A visitor names files and addresses of the server in a navigator's settings: by form, link, batch
or plug-in.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import FilePath

from navviz.annotation.store import FILE_NAME
from navviz.annotation.tickets import KEY_FILE
from navviz.errors import SettingsError
from navviz.runs.owners import Viewer, may_open
from navviz.support.installation.serving import SERVER_VARIABLE, Serving
from navviz.systems.base import Navigator, ServerPath, Settings, check_places, place_kind
from navviz.systems.registry import get_navigator, navigator_names, settings_from
from navviz.ui.components.run_form import settings_form
from tests.paths import ROOT

SECRET = "/etc/passwd"
WORDS: set[str] = {"prompt"}
"""Settings of free text that name no place, of all navigators."""


def _fields(kind: str) -> list[tuple[str, str]]:
    fields = []
    for name in (*navigator_names(), "staged(groke)", "staged(msnav)"):
        for field, info in get_navigator(name).settings_type.model_fields.items():
            if place_kind(field, info) == kind:
                fields.append((name, field))
    return fields


PATHS = _fields("path")
ADDRESSES = _fields("address")


@pytest.fixture
def visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process serves visitors, who may do all but open files of the server."""
    rules = Serving(door="open", allow=frozenset({"models", "batches", "keep", "download"}))
    monkeypatch.setenv(SERVER_VARIABLE, rules.model_dump_json())


def test_the_settings_that_name_files_are_known() -> None:
    named = {f"{name}.{field}" for name, field in PATHS}
    assert {
        "groke.prompt_file",
        "msnav.spatial_file",
        "msnav.view_files",
        "skillnav.predictions",
    } <= named
    assert {"mgdm.training", "navgpt.observations", "staged(groke).prompt_file"} <= named
    assert {f"{name}.{field}" for name, field in ADDRESSES} >= {
        "msnav.view_url",
        "msnav.spatial_url",
        "skillnav.url",
    }


def test_no_other_setting_takes_free_text() -> None:
    """A new setting of free text is a place, or its author writes here that it names none."""
    free = set()
    for name in navigator_names():
        for field, info in get_navigator(name).settings_type.model_fields.items():
            if info.annotation is str and place_kind(field, info) is None:
                free.add(field)
    assert free <= WORDS


@pytest.mark.usefixtures("visitor")
@pytest.mark.parametrize(("name", "field"), PATHS)
def test_no_file_of_the_server_is_taken(name: str, field: str) -> None:
    with pytest.raises(SettingsError, match=rf"The setting {field} names a file of the server"):
        settings_from(get_navigator(name), {field: SECRET})


@pytest.mark.usefixtures("visitor")
@pytest.mark.parametrize(("name", "field"), ADDRESSES)
@pytest.mark.parametrize(
    "address", ["http://169.254.169.254/latest", "http://127.0.0.1:8080", "file:///etc/passwd"]
)
def test_no_address_is_asked_that_the_operator_does_not_list(
    name: str, field: str, address: str
) -> None:
    with pytest.raises(SettingsError):
        settings_from(get_navigator(name), {field: address})


@pytest.mark.usefixtures("visitor")
def test_a_listed_address_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", "http://127.0.0.1:9000")
    settings = settings_from(get_navigator("skillnav"), {"url": "http://127.0.0.1:9000/agents"})
    assert settings.url == "http://127.0.0.1:9000/agents"  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "field"), PATHS)
def test_who_sits_at_the_machine_names_any_file(
    name: str, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SERVER_VARIABLE, raising=False)
    assert getattr(settings_from(get_navigator(name), {field: SECRET}), field) == SECRET
    rules = Serving(door="open", allow=frozenset({"paths"}))
    monkeypatch.setenv(SERVER_VARIABLE, rules.model_dump_json())
    assert getattr(settings_from(get_navigator(name), {field: SECRET}), field) == SECRET


@pytest.mark.parametrize(
    "place", ["runs/secret", "prompts/groke/a.json", "annotate.key", ".", ".."]
)
def test_the_right_to_paths_reaches_nothing_that_others_keep(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another's prompt was read as one's own, and stood in the trace."""
    rules = Serving(door="open", allow=frozenset({"paths"}))
    monkeypatch.setenv(SERVER_VARIABLE, rules.model_dump_json())
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    named = tmp_path / "workspace" / place
    with pytest.raises(SettingsError, match="where others keep their runs"):
        settings_from(get_navigator("groke"), {"prompt_file": str(named)})
    bob = Viewer("annotator:bob", sees_recorded=True)
    assert not may_open(bob, named) or place == "runs/secret", "the operator's runs may be shown"
    data = str(tmp_path / "workspace" / "data" / "town" / "prompt.txt")
    assert settings_from(get_navigator("groke"), {"prompt_file": data})
    assert may_open(bob, Path(data))


def test_every_place_of_the_workspace_is_somebodys_or_for_all() -> None:
    """A new folder of the workspace is private until its author writes here that it is not."""
    written = set()
    for path in (ROOT / "navviz").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        written |= set(re.findall(r"workspace_dir\(\)\)? / \"([^\"]+)\"", text))
    assert {"runs", "audit", "ledger", "prompts"} <= written
    workspace = Path("/somewhere/workspace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NAVVIZ_WORKSPACE", str(workspace))
        open_to_all = {name for name in written if may_open(Viewer("bob"), workspace / name / "a")}
        shut = [KEY_FILE, FILE_NAME, f"{FILE_NAME}-wal", "annotate.0a1b"]
        assert not [name for name in shut if may_open(Viewer("bob"), workspace / name)]
    assert open_to_all == {"data", "uploads", "prices.json"}


class _Plugin(Settings):
    """Settings of somebody who does not know `ServerPath`."""

    words: str = ""
    weights: Path | None = None
    table: FilePath | None = None
    data_file: str = ""
    folders: tuple[Path, ...] = ()
    ours: ServerPath = ""
    endpoint: str = "http://127.0.0.1:1"


@pytest.mark.usefixtures("visitor")
@pytest.mark.parametrize("values", [
    {"weights": SECRET}, {"table": SECRET}, {"data_file": SECRET}, {"folders": (SECRET,)},
    {"ours": SECRET}, {"endpoint": "http://10.0.0.1/x"},
])  # fmt: skip
def test_a_plug_ins_settings_are_held_by_the_same_rule(values: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        _Plugin.model_validate(values)


@pytest.mark.usefixtures("visitor")
def test_defaults_and_words_stay_allowed() -> None:
    check_places(_Plugin(words="walk on"))


@pytest.mark.usefixtures("visitor")
def test_the_form_shows_no_such_field(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    def widget(name: str, *_rest: object) -> tuple[bool, object]:
        shown.append(name)
        return False, None

    monkeypatch.setattr("navviz.ui.components.run_form._widget", widget)
    navigator: Navigator = get_navigator("groke")
    settings_form(navigator.settings_type, "live_groke")
    assert "prompt_file" not in shown
    assert "step_limit" in shown


@pytest.mark.usefixtures("visitor")
def test_a_walk_that_is_forked_brings_no_file_along() -> None:
    """The settings of an opened trace become those of the fork; a visitor may have written that
    trace.
    """
    with pytest.raises(SettingsError, match="prompt_file"):
        settings_from(get_navigator("groke"), {"prompt_file": "~/.ssh/id_rsa", "step_limit": 3})
