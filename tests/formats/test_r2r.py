"""Episodes of the R2R family."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes
from navviz.formats.matterport import find_scans, read_scan
from navviz.formats.r2r import R2REpisodes, check_episode, missing_scans
from navviz.systems.rules.indoors.navigator import RulesIndoorsMapSettings


def entry(**changes: object) -> dict:
    return {
        "scan": "house",
        "path_id": 7,
        "path": ["a", "b", "c"],
        "heading": math.pi / 2,
        "distance": 4.5,
        "instructions": ["Go on. ", "Walk ahead."],
    } | changes


def without(item: dict, *names: str) -> dict:
    return {key: value for key, value in item.items() if key not in names}


def write(folder: Path, content: object, name: str = "R2R_val_seen.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_one_episode_an_instruction_with_the_leaderboards_id(tmp_path: Path) -> None:
    found = open_episodes(write(tmp_path, [entry()]))
    assert found.name == "R2R val-seen"
    assert list(found.episodes) == ["7_0", "7_1"]
    episode = found.episodes["7_0"]
    assert episode.instruction == "Go on."
    assert episode.start_heading_deg == pytest.approx(90)
    assert episode.reference_path == ("a", "b", "c")
    assert (episode.start, episode.goal, episode.world) == ("a", "c", "house")
    assert episode.success_radius_m == 3.0
    assert episode.path_id == "7"
    assert episode.extra == {"distance": 4.5}
    assert found.problems.count == 0
    # a table that was written with empty cells has the key and no value
    empty = open_episodes(write(tmp_path, [entry(path_id=None, id=12)]))
    assert list(empty.episodes) == ["12_0", "12_1"]


def test_a_test_split_has_no_route_and_no_goal(tmp_path: Path) -> None:
    episode = open_episodes(write(tmp_path, [entry(path=["a"])], "R2R_test.json")).episodes["7_0"]
    assert episode.split == "test"
    assert episode.reference_path == ()
    assert episode.goal is None


def rxr(number: int, language: str) -> dict:
    return without(entry(), "instructions", "distance") | {
        "split": "val_seen",
        "instruction_id": number,
        "annotator_id": 3,
        "language": language,
        "instruction": f"words {number}",
        "timed_instruction": [{"word": "words", "start_time": 0.1}],
    }


def test_rxr_is_read_from_gzipped_lines_with_its_language(tmp_path: Path) -> None:
    path = tmp_path / "rxr_val_seen_guide.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(
            json.dumps(rxr(k, ["en-US", "hi-IN", "te-IN"][k % 3])) + "\n" for k in range(300)
        )
    found = open_episodes(path)
    assert len(found) == 300
    assert found.name == "RxR val-seen"
    episode = found.episodes["1"]
    assert (episode.dataset, episode.language, episode.instruction) == ("RxR", "hi-IN", "words 1")
    assert "timed_instruction" not in episode.extra


def test_reverie_ids_hold_the_object(tmp_path: Path) -> None:
    found = open_episodes(write(tmp_path, [entry(objId=33, id="7_33")], "REVERIE_val_unseen.json"))
    assert list(found.episodes) == ["7_33_0", "7_33_1"]
    assert found.episodes["7_33_1"].extra["objId"] == 33
    assert found.name == "REVERIE val-unseen"


def test_encoded_variants_keep_their_own_ids_and_lose_the_numbers(tmp_path: Path) -> None:
    item = without(entry(), "instructions") | {
        "instr_id": "7_2",
        "instruction": "Go on.",
        "instr_encoding": [1, 2],
    }
    found = open_episodes(write(tmp_path, [item], "R2R_val_seen_enc.json"))
    assert list(found.episodes) == ["7_2"]
    assert "instr_encoding" not in found.episodes["7_2"].extra
    lists = open_episodes(
        write(tmp_path, [entry(instr_encodings=[[1], [2]])], "R2R_train_enc.json")
    )
    assert list(lists.episodes) == ["7_0", "7_1"]


def test_headings_in_degrees_are_detected_and_said(tmp_path: Path) -> None:
    found = open_episodes(write(tmp_path, [entry(heading=90.0), entry(path_id=8, heading=3.0)]))
    assert found.episodes["7_0"].start_heading_deg == 90.0
    assert found.episodes["8_0"].start_heading_deg == 3.0
    assert "2 headings exceed 2 pi: they are in degrees where radians are due" in str(
        found.problems.kept[0]
    )


@pytest.mark.parametrize(
    ("item", "says"),
    [
        (entry(path=[]), "field path: is no list of viewpoint ids"),
        (entry(path="abc"), "field path: is no list of viewpoint ids"),
        (entry(scan=3), "field scan: names no scan"),
        (entry(heading="north"), "field heading: 'north' is no angle"),
        (entry(instructions=[]), "field instructions: holds no instruction"),
        (without(entry(), "instructions"), "field instructions: holds no instruction"),
    ],
)
def test_a_bad_entry_is_reported_and_the_rest_is_read(
    tmp_path: Path, item: dict, says: str
) -> None:
    found = R2REpisodes.read(write(tmp_path, [item, entry(path_id=9)]))
    assert list(found.episodes) == ["9_0", "9_1"]
    assert says in str(found.problems.kept[0])
    assert "\n" not in str(found.problems.kept[0])


@pytest.mark.parametrize(
    ("content", "says"),
    [("[]", "holds no episode of the R2R family"), ("", "is empty"), ("hello", "is no JSON")],
)
def test_a_file_without_episodes_gives_one_sentence(
    tmp_path: Path, content: str, says: str
) -> None:
    with pytest.raises(InputError) as caught:
        R2REpisodes.read(write(tmp_path, content))
    assert says in str(caught.value)


@pytest.mark.data
def test_val_seen_is_read_and_missing_scans_are_named_once(data_dir: Path) -> None:
    found = open_episodes(data_dir / "r2r" / "R2R_val_seen.json")
    scans = find_scans(data_dir / "mp3d")
    raw = json.loads((data_dir / "r2r" / "R2R_val_seen.json").read_text())
    assert len(found) == sum(len(item["instructions"]) for item in raw)
    assert found.problems.count == 0
    missing = missing_scans(found.episodes.values(), scans)
    assert len(missing) == len({item["scan"] for item in raw} - set(scans)) == 16
    assert all("scan " in str(problem) and " not found" in str(problem) for problem in missing)


@pytest.mark.data
def test_the_reference_paths_of_val_seen_lie_in_the_graphs(data_dir: Path) -> None:
    found = open_episodes(data_dir / "r2r" / "R2R_val_seen.json")
    scans = find_scans(data_dir / "mp3d")
    graphs = {scan: read_scan(path) for scan, path in scans.items()}
    for episode in found.episodes.values():
        if episode.world in graphs:
            graph = graphs[episode.world]
            assert check_episode(episode, graph) == []


@pytest.mark.data
def test_a_path_that_is_not_in_the_house_is_explained(data_dir: Path) -> None:
    graph = read_scan(find_scans(data_dir / "mp3d")["gZ6f7yhEvPG"])
    episode = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes["711_0"]
    problems = check_episode(episode, graph)
    assert len(problems) == len(episode.reference_path)
    assert "is not in scan gZ6f7yhEvPG" in str(problems[0])
    nodes = list(graph.ids)
    apart = next(node for node in nodes if node != nodes[0] and not graph.has_link(nodes[0], node))
    jump = episode.model_copy(update={"start": nodes[0], "reference_path": (nodes[0], apart)})
    assert "jumps 1 times" in str(check_episode(jump, graph)[0])


@pytest.mark.parametrize("name", ["R2R_val_unseen.json", "reverie-rxr-gsa-r4r.json"])
@pytest.mark.parametrize(
    ("fields", "dataset"),
    [
        ({"scan": "QUCTc6BB5sX"}, "R2R"),
        ({"scan": "QUCTc6BB5sX", "objId": 3}, "REVERIE"),
        ({"scan": "QUCTc6BB5sX", "instructions_l": ["Long."], "ix": 3}, "REVERIE"),
        ({"scan": "QUCTc6BB5sX", "instruction_id": 3}, "RxR"),
        ({"scan": "QUCTc6BB5sX", "first_path_id": 3, "second_path_id": 4}, "R4R"),
        ({"scan": "QUCTc6BB5sX", "dataset": "mine"}, "mine"),
    ],
)
def test_the_data_set_is_what_the_entries_are_and_not_how_the_file_is_called(
    fields: dict, dataset: str, name: str, tmp_path: Path
) -> None:
    episodes = open_episodes(write(tmp_path, [entry(**fields)], name)).episodes.values()
    assert {episode.dataset for episode in episodes} == {dataset}
    assert {RulesIndoorsMapSettings().knows_lengths(episode) for episode in episodes} == {
        dataset == "R2R"
    }


def test_entries_of_several_data_sets_keep_their_own(tmp_path: Path) -> None:
    path = write(tmp_path, [entry(), entry(path_id=8, objId=2), entry(path_id=9)])
    assert [episode.dataset for episode in open_episodes(path).episodes.values()] == ["R2R"] * 2 + [
        "REVERIE"
    ] * 2 + ["R2R"] * 2
