"""What GROKE's authors published about failures: a list of episodes, and labels of another
taxonomy.
"""

import json

import pytest

from navviz.annotation.exchange import parse, read_episode_list
from navviz.annotation.records import Item
from navviz.annotation.taxonomy import bundled_taxonomy, read_taxonomy
from navviz.errors import InputError
from navviz.systems.groke.ratings import CROSSWALK
from tests.paths import ROOT

TAXONOMY = ROOT / "assets" / "taxonomy_v1.json"
LABELLED = [
    {
        "id": "3688",
        "responses": {
            "agent": [{"value": ["Planning and reasoning"], "user_id": "5e34a015-9f24"}],
            "execution": [{"value": ["Timing and temporal"], "user_id": "5e34a015-9f24"}],
            "Confidence": [{"value": 8, "user_id": "5e34a015-9f24"}],
        },
    },
    {"id": "10056", "responses": {"execution": [{"value": ["Correct execution"], "user_id": "b"}]}},
]
KNOWN = [Item(dataset="Map2Seq", episode=key, run="main") for key in ("3688", "10056")]


@pytest.mark.data
def test_the_authors_error_analysis_is_a_list_of_episodes(data_dir):
    path = data_dir / "groke" / "annotations" / "error_analysis.json"
    found = read_episode_list(path.read_text(encoding="utf-8"), path.name)
    assert len(found) == 37
    assert found[:2] == ("11476", "4077")
    run = json.loads(
        (data_dir / "groke" / "paper_results" / "test_seen_json.json").read_text(encoding="utf-8")
    )
    assert set(found) <= set(run), "all of them are episodes of the paper's ablation"


@pytest.mark.parametrize(
    "text",
    ['{"7": {}, "8": {}}', '["7", 8, "7"]', '[{"key": "7"}, {"id": 8}]', "7\n8\n\n7\n", " 7 \r\n8"],
)
def test_a_list_of_episodes_may_be_json_or_lines(text):
    assert read_episode_list(text, "x") == ("7", "8")


@pytest.mark.parametrize("text", ["", "[]", "{", "[{}]", "\n\n"])
def test_a_file_that_names_no_episode_is_told(text):
    with pytest.raises(InputError, match=r"list\.txt: names no episode"):
        read_episode_list(text, "list.txt")


def test_their_labels_become_ours_with_their_names_as_notes():
    found, problems = parse(
        json.dumps(LABELLED), "groke_failures", KNOWN, bundled_taxonomy(), "labels.json"
    )
    assert problems.count == 0
    first, second = found
    assert (first.annotator, first.item.run, first.item.dataset) == (
        "GROKE 5e34a015",
        "main",
        "Map2Seq",
    )
    assert first.value.codes == {"A1", "E1.2", "E1.3"}
    assert {label.note for label in first.value.labels} == {
        "agent: Planning and reasoning",
        "execution: Timing and temporal",
    }
    assert second.value.labels == (), "correct execution is no failure"


def test_every_label_that_they_published_has_a_place_in_our_taxonomy():
    taxonomy = bundled_taxonomy()
    codes = {label.code for label in taxonomy.labels()}
    walk = taxonomy.foreign[CROSSWALK]
    by_axis = {
        axis: [name for name in walk if name.startswith(axis)]
        for axis in ("lingu", "topo", "agent", "exec")
    }
    assert {axis: len(names) for axis, names in by_axis.items()} == {
        "lingu": 9,
        "topo": 6,
        "agent": 9,
        "exec": 6,
    }
    assert all(set(targets) <= codes for targets in walk.values())
    assert [name for name, targets in walk.items() if not targets] == [
        "execution: Correct execution"
    ]


def test_a_label_without_a_place_is_told():
    odd = [{"id": "3688", "responses": {"agent": [{"value": ["Bad luck"], "user_id": "u"}]}}]
    with pytest.raises(
        InputError, match=r"episode 3688: the label 'agent: Bad luck' is not in the crosswalk"
    ):
        parse(json.dumps(odd), "groke_failures", KNOWN, bundled_taxonomy(), "labels.json")


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '[{"id": 1}]'])
def test_another_file_is_refused(text):
    with pytest.raises(InputError, match=r"choose explorer_annotations\.json"):
        parse(text, "groke_failures", KNOWN, bundled_taxonomy(), "x.json")


def test_a_taxonomy_that_does_not_know_them_says_what_to_add(tmp_path):
    document = json.loads(TAXONOMY.read_text(encoding="utf-8"))
    path = tmp_path / "taxonomy.json"
    path.write_text(json.dumps(document | {"foreign": {}}))
    with pytest.raises(InputError, match="add them to its file under foreign, groke"):
        parse(json.dumps(LABELLED), "groke_failures", KNOWN, read_taxonomy(path), "x.json")
    path.write_text(json.dumps(document | {"foreign": {"mine": {"bad": ["X9"]}}}))
    with pytest.raises(InputError, match="foreign labels mine name code X9"):
        read_taxonomy(path)
