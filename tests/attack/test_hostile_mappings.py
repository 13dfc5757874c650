"""Mappings of strangers do no harm: they lead nowhere else, and never run for long."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError, Problems
from navviz.formats.mapping.documents import files_of
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.model import mapping_of, read_mapping, sidecar_of
from navviz.runs.opened import open_run


@pytest.mark.parametrize(
    "files", ["../*.json", "/etc/*", "a/../../b", "~/x", "C:/x", "**/*", "*/*/*/*/*", "[a-z]*"]
)
def test_files_outside_of_the_folder_are_refused(files: str) -> None:
    for fields in ({"files": files}, {"join": {"files": files, "episode": {"id": "a"}}}):
        with pytest.raises(InputError, match="files"):
            mapping_of({"name": "m"} | fields, "m.toml")


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text("{}", encoding="utf-8")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.json").symlink_to(secret)
    (folder / "b.json").write_text("{}", encoding="utf-8")
    assert [file.name for file in files_of(folder, "*.json")] == ["b.json"]


@pytest.mark.parametrize("path", ["a." * 200 + "b", "[*]" * 90, "__class__[", "a[(.*)+]"])
def test_paths_that_are_none_are_refused(path: str) -> None:
    with pytest.raises(InputError):
        mapping_of({"name": "m", "episode": {"id": path}}, "m.toml")


def test_paths_reach_data_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps([{"id": "a", "p": [[0, 0, 0], [1, 0, 0]]}]), encoding="utf-8")
    fields = {"id": "id", "instruction": "__class__.__mro__", "world": "__dict__"}
    mapping = mapping_of(
        {"name": "m", "episodes": "[*]", "episode": fields, "walk": {"positions": "p"}}, "m.toml"
    )
    episode = read_log(mapping, path, None, None, Problems())["a"].episode
    assert (episode.instruction, episode.world) == ("", "")


@pytest.mark.parametrize(
    "text", ["name = ", "\x00", "a = " + "[" * 5000, 'name = "m"\nevil = 1', "x" * 200_000]
)
def test_damaged_mappings_are_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.json"
    path.write_text("[]", encoding="utf-8")
    sidecar_of(path).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"log\.json\.navviz\.toml"):
        read_mapping(sidecar_of(path))
    with pytest.raises(InputError, match=r"log\.json\.navviz\.toml"):
        open_run(path)
