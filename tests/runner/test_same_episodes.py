"""A run goes on only with episodes of the same content; changed ones are refused, or walked
again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from navviz.errors import SettingsError
from navviz.formats import open_episodes, open_worlds
from navviz.records import Episode, Task
from navviz.records.trace_files import read_trace
from navviz.runner import run_batch, trace_path
from navviz.runner.batch import changed_episodes, content_digest, episode_digest
from navviz.runner.batches import Batch
from navviz.runner.config import read_config
from navviz.runner.store import TraceStore
from tests.command import invoke
from tests.toys import ToySettings, Walker
from tests.worlds import ROUTE, write_world

OTHER = "Turn round, walk back to the light and turn left. Stop there."


@pytest.fixture
def world(tmp_path):
    """A tiny world with four episodes."""
    write_world(tmp_path / "world")
    write_split(tmp_path / "world" / "splits" / "tiny.json", entries(tmp_path / "world"))
    return tmp_path / "world"


def entries(world: Path) -> list[dict[str, Any]]:
    first = json.loads((world / "splits" / "tiny.json").read_text())[0]
    return [first | {"instructions_id": number} for number in range(1, 5)]


def write_split(path: Path, items: list[dict[str, Any]], **spelled: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(items, **spelled))
    return path


def walk(
    world: Path, episodes: Path, *more: str, navigator: str = "rules", out: str = ""
) -> Result:
    given = [
        "--navigator", navigator, "--episodes", str(episodes), "--graphs",
        str(world / "osm" / "graph"),
    ]  # fmt: skip
    return invoke("run", *given, "--out", out or str(world.parent / "out"), *more)


def last_line(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return found


def edited(world: Path, *numbers: int) -> list[dict[str, Any]]:
    return [
        entry | ({"instructions": OTHER} if entry["instructions_id"] in numbers else {})
        for entry in entries(world)
    ]


def instructions(folder: Path) -> dict[str, str]:
    traces = [read_trace(path) for path in folder.glob("*.trace.jsonl")]
    return {trace.episode.id: trace.episode.instruction for trace in traces}


# --- the hash


def episode(**changes: object) -> Episode:
    fields = {
        "id": "1", "dataset": "d", "instruction": "Go.", "world": "w", "start": "a", "start_heading_deg": 90.0,
        "reference_path": ("a", "b"), "goal": "b", "tasks": (Task(description="Go.", goals=("b",)),),
    }  # fmt: skip
    return Episode.model_validate(fields | changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"instruction": "Go on."},
        {"start": "c"},
        {"start_heading_deg": 91.0},
        {"start_heading_deg": None},
        {"reference_path": ("a", "c", "b")},
        {"goal": "c"},
        {"world": "v"},
        {"tasks": ()},
        {"tasks": (Task(description="Go.", goals=("c",)),)},
    ],
)
def test_content_that_is_another_has_another_hash(changes):
    assert episode_digest(episode(**changes)) != episode_digest(episode())


@pytest.mark.parametrize(
    "changes", [{"dataset": "e"}, {"split": "val"}, {"start_heading_deg": 90}, {"extra": {"k": 1}}]
)
def test_names_of_folders_and_spellings_play_no_part(changes):
    assert episode_digest(episode(**changes)) == episode_digest(episode())


def test_the_hash_of_a_file_counts_every_episode_in_any_order():
    one, two = episode(), episode(id="2")
    assert content_digest([one, two]) == content_digest([two, one])
    assert content_digest([one, two]) != content_digest([one])
    assert content_digest([one]) != content_digest([two])


# --- the command


def test_files_of_one_name_are_runs_of_their_own(world):
    first = write_split(world / "e1" / "edit.json", edited(world))
    second = write_split(world / "e2" / "edit.json", edited(world, 1, 2, 3, 4))
    one, two = (last_line(walk(world, path, "--format", "json")) for path in (first, second))
    assert one["traces"] != two["traces"]
    assert Path(one["traces"]).name.startswith("rules-edit-")
    assert set(instructions(Path(two["traces"])).values()) == {OTHER}
    alone = last_line(walk(world, second, "--format", "json", out=str(world / "alone")))
    assert {name: two[name] for name in ("NE", "SR", "TL", "SPL")} == {
        name: alone[name] for name in ("NE", "SR", "TL", "SPL")
    }
    other_ids = write_split(
        world / "e3" / "edit.json", [entry | {"instructions_id": 9} for entry in entries(world)[:1]]
    )
    assert last_line(walk(world, other_ids, "--format", "json"))["episodes"] == 1


def test_a_run_that_holds_episodes_of_another_file_says_so(world):
    split = world / "splits" / "tiny.json"
    assert "of another file" not in walk(world, split, "r", "--limit", "2").stderr
    assert "of another file" not in walk(world, split, "r", "--ids", "4").stderr
    other = write_split(world / "e3" / "tiny.json", [entries(world)[0] | {"instructions_id": 9}])
    result = walk(world, other, "r")
    assert "holds 3 episodes of another file too, which score and the app count" in result.stderr


def test_a_respelled_file_goes_on_with_its_run(world):
    split = world / "splits" / "tiny.json"
    first = last_line(walk(world, split, "--format", "json"))
    stamps = {path: path.stat().st_mtime_ns for path in Path(first["traces"]).glob("*.trace.jsonl")}
    respelled = [dict(sorted(entry.items())) for entry in entries(world)]
    for entry in respelled:
        entry["route"] = entry["route"] | {"initial_heading": 0.0}
    write_split(split, respelled, indent=3, ensure_ascii=False)
    again = last_line(walk(world, split, "--format", "json"))
    assert again["traces"] == first["traces"]
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


def test_a_changed_episode_is_refused_and_named_and_nothing_is_touched(world):
    split, run = world / "splits" / "tiny.json", world.parent / "out" / "r"
    assert walk(world, split, "r").exit_code == 0
    files = {
        path: path.read_bytes()
        for path in run.rglob("*")
        if path.is_file() and path.name not in {"lock", "holder"}
    }
    write_split(split, edited(world, 2, 3))
    refused = walk(world, split, "r")
    assert refused.exit_code == 2
    assert "2 episodes of" in refused.stderr
    assert (
        "changed since this run walked them: 2 (instruction), 3 (instruction); add --again changed"
        in refused.stderr
    )
    assert {
        path: path.read_bytes()
        for path in run.rglob("*")
        if path.is_file() and path.name not in {"lock", "holder"}
    } == files
    assert walk(world, split, "r", "--ids", "1,4").exit_code == 0, "the others go on"


def test_changed_episodes_are_walked_again_and_the_old_walks_kept(world):
    split, run = world / "splits" / "tiny.json", world.parent / "out" / "r"
    walk(world, split, "r")
    stamps = {path: path.stat().st_mtime_ns for path in run.glob("[14].trace.jsonl")}
    noted = read_config(run)
    write_split(split, edited(world, 2, 3))
    again = walk(world, split, "r", "--again", "changed", "--format", "json")
    assert again.exit_code == 0, again.output
    assert (
        "2 episodes changed since this run walked them, and were walked again: 2 (instruction), 3"
        in again.stderr
    )
    document = last_line(again)
    assert document["changed"] == ["2", "3"]
    assert {key for key, text in instructions(run).items() if text == OTHER} == {"2", "3"}
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps
    assert sorted(path.name for path in run.glob("*.before1")) == [
        "2.trace.jsonl.before1",
        "3.trace.jsonl.before1",
    ]
    fresh = last_line(walk(world, split, "--format", "json", out=str(world / "fresh")))
    assert {name: document[name] for name in ("NE", "SR", "TL", "SPL")} == {
        name: fresh[name] for name in ("NE", "SR", "TL", "SPL")
    }
    now = read_config(run)
    assert noted is not None
    assert now is not None
    assert now.data_sha256[str(split)] != noted.data_sha256[str(split)]
    assert walk(world, split, "r").exit_code == 0, "now it is the same"


def test_a_changed_route_is_refused_and_what_changed_is_named(world):
    split = world / "splits" / "tiny.json"
    walk(world, split, "r", "--limit", "1")
    route = {"osm_path": ROUTE[1:], "pano_path": [], "initial_heading": 90}
    write_split(split, [entries(world)[0] | {"route": route}])
    refused = walk(world, split, "r")
    assert refused.exit_code == 2
    for field in ("start", "reference_path", "start_heading_deg"):
        assert field in refused.stderr


def test_samples_and_rounds_are_walked_again_too(world):
    split, out = world / "splits" / "tiny.json", world.parent / "out"
    more = ["r", "--samples", "2", "--rerun-failures", "1"]
    assert walk(world, split, *more, navigator="random-walker").exit_code == 0
    failed = instructions(out / "r-again-1")
    write_split(split, edited(world, 1, 2, 3, 4))
    assert walk(world, split, *more, navigator="random-walker").exit_code == 2
    assert walk(world, split, *more, "--again", "changed", navigator="random-walker").exit_code == 0
    for run in ("r", "r-sample-2", "r-again-1"):
        assert set(instructions(out / run).values()) == {OTHER}, run
    assert instructions(out / "r-again-1").keys() == failed.keys()


def test_going_on_with_a_batch_looks_at_its_own_episodes(world):
    split, run = world / "splits" / "tiny.json", world.parent / "out" / "r"
    walk(world, split, "r")
    assert invoke("run", "--go-on", str(run)).exit_code == 0
    kept = run / ".batch" / "episodes.jsonl"
    kept.write_text(kept.read_text().replace("blue café", "red café"))
    refused = invoke("run", "--go-on", str(run))
    assert refused.exit_code == 2
    assert "4 episodes" in refused.stderr
    assert invoke("run", "--go-on", str(run), "--again", "changed").exit_code == 0
    assert all("red café" in text for text in instructions(run).values())
    assert len(Batch.at(run).episodes) == 4


def test_a_walk_that_was_cut_off_is_not_gone_on_with_on_another_text(world):
    split, run = world / "splits" / "tiny.json", world.parent / "out" / "r"
    walk(world, split, "r", "--limit", "1")
    file = run / "1.trace.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    write_split(split, edited(world, 1))
    assert walk(world, split, "r").exit_code == 2
    assert walk(world, split, "r", "--again", "changed").exit_code == 0
    assert instructions(run)["1"] == OTHER


def test_traces_at_an_address_are_compared_too(world):
    split, address = world / "splits" / "tiny.json", f"memory://{world.parent.name}/runs"
    for noted in (True, False):
        write_split(split, edited(world))
        more = [f"r-{noted}"]
        assert walk(world, split, *more, out=address).exit_code == 0
        write_split(split, edited(world, 2))
        [journal] = (Path("workspace") / "runs" / f"r-{noted}" / ".batch").glob("outcomes.jsonl")
        if not noted:
            journal.unlink()
        refused = walk(world, split, *more, out=address)
        assert refused.exit_code == 2, noted
        assert "1 episode of" in refused.stderr
        assert "changed since this run walked it: 2 (instruction)" in refused.stderr
        assert walk(world, split, *more, "--again", "changed", out=address).exit_code == 0
        header = TraceStore.at(address).header(f"r-{noted}", "2")
        assert header is not None
        assert header.episode.instruction == OTHER
        assert walk(world, split, *more, out=address).exit_code == 0


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NAVVIZ_WORKSPACE", raising=False)


# --- the library


def test_run_batch_refuses_changed_episodes(world):
    episodes = list(open_episodes(world / "splits" / "tiny.json").episodes.values())
    out, graph_of = world.parent / "out", open_worlds(world / "osm" / "graph")
    run_batch(Walker(), episodes, graph_of, ToySettings(), run="r", out=out)
    other = [each.model_copy(update={"instruction": OTHER}) for each in episodes]
    with pytest.raises(
        SettingsError, match=r"4 episodes of the episode list changed .*1 \(instruction\)"
    ):
        run_batch(Walker(), other, graph_of, ToySettings(), run="r", out=out)
    run_batch(Walker(), other, graph_of, ToySettings(), run="r", out=out, again="changed")
    assert set(instructions(out / "r").values()) == {OTHER}
    assert changed_episodes(TraceStore.at(out), "r", other) == []


def test_a_finished_trace_whose_header_cannot_be_read_is_named(world):
    episodes = list(open_episodes(world / "splits" / "tiny.json").episodes.values())
    out = world.parent / "out"
    run_batch(
        Walker(),
        episodes[:1],
        open_worlds(world / "osm" / "graph"),
        ToySettings(),
        run="r",
        out=out,
    )
    path = trace_path(out, "r", "1")
    path.write_text("{damaged\n" + "".join(path.read_text().splitlines(keepends=True)[1:]))
    [changed] = changed_episodes(TraceStore.at(out), "r", episodes)
    assert str(changed) == "1 (its trace cannot be read)"
