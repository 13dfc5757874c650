"""``navviz score`` and ``schema``, as a user runs them; in this process, since the start of one is
no part of it.
"""

import json

import pytest

from tests.command import invoke
from tests.grids import split_item, state_item, straight, write_grid, write_json
from tests.paths import SAMPLES

PATH = straight()


@pytest.fixture
def data(tmp_path):
    town = write_grid(tmp_path / "town")
    item = state_item(PATH, ["r0c0", "r0c4"])
    item["grid"] = {**item["json"], "predicated_path": ["r0c0", None]}
    write_json(town / "two.json", {"1": item, "2": state_item(PATH, ["r0c0", "nowhere"])})
    write_json(town / "one.json", {"1": state_item(PATH, ["r0c0", "r0c4"])})
    write_json(town / "splits" / "a.json", [split_item(PATH, 1), split_item(PATH, 2)])
    return town


def test_one_json_object(data):
    done = invoke(
        "score",
        "--episodes",
        data / "splits" / "a.json",
        "--graphs",
        data,
        data / "one.json",
        "--format",
        "json",
    )
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert (found["episodes"], found["method"], found["SR"], found["SPL"]) == (1, "json", 1.0, 1.0)
    assert {
        "NE",
        "SR",
        "OSR",
        "TL",
        "SPL",
        "nDTW",
        "SDTW",
        "nDTW_groke",
        "SDTW_groke",
        "CLS",
    } <= set(found)
    assert found["problems"] == 1
    assert "1 of 2 episodes of a.json have no result in json" in done.stderr


def test_several_methods_are_all_scored_or_one_is_chosen(data):
    arguments = ("score", "--graphs", data, data / "two.json")
    done = invoke(*arguments, "--format", "json")
    found = json.loads(done.stdout)
    assert {name: one["SR"] for name, one in found["methods"].items()} == {"json": 0.5, "grid": 0.0}
    assert "hold 2 methods (json, grid); all are scored, METHOD@FILE chooses one." in done.stderr
    assert "episode 2, field json.predicated_path: waypoint 2 is not in the graph" in done.stderr
    named = ("score", "--graphs", data, f"grid@{data / 'two.json'}", "--format", "json")
    chosen = json.loads(invoke(*named).stdout)
    assert (chosen["method"], chosen["SR"], chosen["episodes"]) == ("grid", 0.0, 1)


def test_the_table_has_a_column_for_each_method(data):
    done = invoke("score", "--graphs", data, data / "two.json")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["json", "n", "grid", "n"]
    assert lines[1].split() == ["episodes", "2", "1"]
    assert next(line for line in lines if line.startswith("SR ")).split()[1:7] == [
        "50.0",
        "%",
        "2",
        "0.0",
        "%",
        "1",
    ]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"results": "absent.json"}, "there is no such results file"),
        ({"graphs": "splits"}, "no graph that NavViz knows"),
        ({"results": "graph/nodes.txt"}, "no results that NavViz knows"),
        ({"episodes": "graph/links.txt"}, "no episodes that NavViz knows"),
        (
            {"method": "textual"},
            "textual: is no method of the results, which hold json; choose one of these.",
        ),
    ],
)
def test_bad_input_gives_one_sentence_and_code_2(data, changes, sentence):
    given = {"graphs": ".", "results": "one.json", **changes}
    run = data / given.pop("results")
    if "method" in given:
        run = f"{given.pop('method')}@{run}"
    options = []
    for key, value in given.items():
        options += [f"--{key}", data / value]
    done = invoke("score", run, *options, "--format", "json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_schema():
    done = invoke("data", "schema")
    assert done.exit_code == 0
    assert len(json.loads(done.stdout)["oneOf"]) == 12


def test_a_run_on_navnuances_is_told_by_class(tmp_path):
    sample = json.loads((SAMPLES / "house" / "R2R_sample.json").read_text())[0]
    fields = sample | {
        "path_id": "h-1",
        "instructions": ["go into the kitchen"],
        "valid_ends": sample["path"][-1:],
    }
    write_json(tmp_path / "R2R_RR.json", [fields])
    write_json(
        tmp_path / "run.json",
        [{"instr_id": "h-1_0", "trajectory": [[node] for node in sample["path"][:-1]]}],
    )
    arguments = ("score", "--episodes", tmp_path / "R2R_RR.json", "--graphs", SAMPLES / "house" / "connectivity",
             tmp_path / "run.json", "--format", "json")  # fmt: skip
    means = json.loads(invoke(*arguments).stdout)
    assert (means["SR_nuances"], means["OSR_nuances"]) == (0.0, 0.0)
    (rows,) = json.loads(invoke(*arguments, "--groups").stdout).values()
    assert [(row["Class"], row["Group"], row["SR"]) for row in rows] == [
        ("RR: region recognition", "all", 0.0), ("RR: region recognition", "into", 0.0),
    ]  # fmt: skip
