"""``navviz compare`` on the sample runs and on the published ones."""

import csv
import json
import re
from functools import partial

import pytest

import navviz
from tests.command import invoke
from tests.paths import SAMPLES

RUNS = SAMPLES / "harbour" / "runs"


call = partial(invoke, "compare")


TWO = (str(RUNS / "rules"), str(RUNS / "rules-local"))


def test_a_table_with_intervals_and_tests():
    result = call(*TWO, "--metrics", "SR,NE")
    assert result.exit_code == 0, result.output
    head, first, second = result.stdout.splitlines()[:3]
    assert head.split()[:2] == ["run", "SR"]
    assert first.split()[0] == "rules"
    assert second.split()[0] == "rules-local"
    assert "shared episodes; p against rules, two-sided" in result.stdout


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("csv", "run,metric,unit,mean,low,high,n,baseline,difference"),
        ("md", "| run | SR | SR n |"),
        ("tex", "% 14 shared"),
    ],
)
def test_formats(form, begins):
    result = call(*TWO, "--metrics", "SR", "--format", form)
    assert result.stdout.startswith(begins)
    if form == "tex":
        assert r"SR 95 \%" in result.stdout
        assert result.stdout.rstrip().endswith(r"\end{tabular}")


def test_runs_say_whether_their_models_saw_pictures():
    house = SAMPLES / "house" / "runs"
    seeing = (str(house / "mapgpt-pictures-by-hand"), str(house / "msnav-by-hand"))
    lines = call(*seeing, "--metrics", "SR,NE", "--format", "csv").stdout.splitlines()
    saw = {row["run"]: row["model_saw"] for row in csv.DictReader(lines)}
    assert saw == {"mapgpt-pictures-by-hand": "pictures", "msnav-by-hand": "text variant"}
    lines = call(*seeing, "--metrics", "SR,NE").stdout.splitlines()
    assert re.search("run +model saw +SR", lines[0])
    # in a house with centimetres, as `navviz score` prints it
    assert all(re.search(r" \d+\.\d\d m", line) for line in lines[1:3])
    document = json.loads(call(*seeing, "--metrics", "SR", "--format", "json").stdout)
    assert document["eyes"] == {
        "mapgpt-pictures-by-hand": "pictures",
        "msnav-by-hand": "text variant",
    }


def test_json_comes_out_the_same_again():
    first, again = (
        call(*TWO, "--format", "json", "--baseline", "rules-local").stdout for _ in range(2)
    )
    assert first == again
    document = json.loads(first)
    assert document["baseline"] == "rules-local"
    assert {one["run"] for one in document["differences"]} == {"rules"}
    assert document["episodes"] == 14
    # the same p as in Python, whichever metrics are shown
    assert "p is adjusted over 6 tests" in document["family"]
    runs = [navviz.open_run(path) for path in TWO]
    table = navviz.compare({"rules-local": runs[1], "rules": runs[0]}).table()
    alone = json.loads(
        call(*TWO, "--format", "json", "--baseline", "rules-local", "--metrics", "NE").stdout
    )
    (shown,) = alone["differences"]
    for one in [*document["differences"], shown]:
        row = table.loc[(one["metric"], "rules")]
        assert (one["p"], one["p_holm"]) == (row["p"], row["p_holm"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((TWO[0],), "two to 8 runs"),
        ((*TWO, "--metrics", "XY"), "metric XY"),
        ((*TWO, "--baseline", "nobody"), "no run nobody"),
        ((TWO[0], "nowhere.json"), "nowhere.json"),
    ],
)
def test_what_is_wrong_is_one_sentence(given, message):
    result = call(*given)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
