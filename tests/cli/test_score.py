"""``navviz score``, ``schema``, ``why`` and ``navfault``, in this process."""

from __future__ import annotations

import json
import shutil
from functools import partial

import pytest
from typer.testing import CliRunner

from navviz.cli import application
from navviz.support.installation.files import samples_dir
from tests.command import invoke
from tests.grids import split_item, state_item, straight, write_grid, write_json
from tests.paths import ROOT, SAMPLES

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


@pytest.mark.parametrize(("changes", "sentence"), [
    ({"results": "absent.json"}, "there is no such results file"),
    ({"graphs": "splits"}, "no graph that NavViz knows"),
    ({"results": "graph/nodes.txt"}, "no results that NavViz knows"),
    ({"episodes": "graph/links.txt"}, "no episodes that NavViz knows"),
    ({"method": "textual"}, "textual: is no method of the results, which hold json; choose one of these."),
])  # fmt: skip
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


RUN = ROOT / "assets" / "samples" / "house" / "runs" / "msnav-by-hand"


score = partial(invoke, "score")


def test_a_run_against_true_objects(tmp_path):
    episodes = json.loads((RUN.parents[1] / "R2R_sample.json").read_text())
    text = next(entry["instructions"][0] for entry in episodes if str(entry["path_id"]) == "108")
    true = [
        {
            "instructions": text,
            "direct_obj": ["leather armchair", "oak door", "grandfather clock"],
            "potential_obj": [],
        },
        {"instructions": "Never read.", "direct_obj": ["chair"], "potential_obj": []},
    ]
    (tmp_path / "true.json").write_text(json.dumps(true))
    document = json.loads(
        score(str(RUN), "--objects", str(tmp_path / "true.json"), "--format", "json").stdout
    )
    assert (document["samples"], document["unread"]) == (2, 1)
    assert document["F1_DO"] == 0.5, "one read whole, one not at all"
    assert document["F1_IO"] == 0


RUN_WHY = str(samples_dir() / "harbour" / "runs" / "groke-by-hand")


def _why(*arguments, code=0):
    done = CliRunner().invoke(application(("why", "diagnose")), ["why", *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.output


def test_an_episode_of_a_technical_error_is_said_to_count_here_alone(tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(RUN_WHY, folder)
    trace = folder / "7.trace.jsonl"
    *before, last = trace.read_text(encoding="utf-8").splitlines()
    ended = json.dumps(json.loads(last) | {"status": "error", "reason": "The server was away."})
    trace.write_text("\n".join([*before, ended, ""]), encoding="utf-8")
    about = "Here 1 episode of a technical error counts, too; means such as SR leave them out."
    assert about in _why(str(folder))
    assert "technical error" not in _why(RUN_WHY)


def call(*words):
    done = CliRunner().invoke(application(), ["navfault", *map(str, words), "--quiet"])
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with one log with a fault in one voice, and its twin."""
    folder = tmp_path_factory.mktemp("made") / "set"
    code, output = call("make", folder, "--logs", 1, "--voice", "telegram")
    assert (code, "1 logs with a fault, 1 without; sha256 " in output) == (0, True), output
    return folder


def test_our_own_explainer_is_scored(made):
    code, output = call("score", made, "--format", "json")
    assert code == 0, output
    whole = json.loads(output)[0]
    assert (whole["name"], whole["logs"], whole["step_0_n"]) == ("all", 2, 1)


def test_anybodys_answers_are_scored(made, tmp_path):
    truths = [json.loads(line) for line in (made / "truth.jsonl").read_text().splitlines()]
    lines = []
    for truth in truths:
        lines.append({key: truth.get(key) for key in ("episode", "step", "kind")})
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    code, output = call("score", made, "--answers", path, "--format", "csv")
    head, whole, *_ = (line.split(",") for line in output.splitlines())
    row = dict(zip(head, whole, strict=True))
    assert (code, row["step_0"], row["named_likely"], row["faultless_likely"]) == (
        0,
        "1.0",
        "1.0",
        "0.0",
    )
    code, output = call("score", made, "--answers", path)
    assert "100 % [3, 100] n 1" in output


def test_the_decisive_act_is_scored_against_proof(tmp_path):
    run, truth = SAMPLES / "harbour" / "runs" / "rules-local", tmp_path / "truth.jsonl"
    code, output = call("proof", run, "--out", truth)
    proven = [json.loads(line) for line in truth.read_text().splitlines()]
    assert (code, f"{len(proven)} failures with a proven" in output) == (0, True), output
    assert proven
    assert {one["kind"] for one in proven} == {"proven"}
    code, output = call("score", truth, run, "--format", "json")
    whole = json.loads(output)[0]
    # nobody knows the kind of a natural failure
    assert (code, whole["step_0_n"], whole["named_likely_n"]) == (0, len(proven), None)
