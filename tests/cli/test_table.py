"""``navviz table`` on the sample runs."""

import json
from functools import partial

import pytest

from tests.command import invoke
from tests.paths import SAMPLES

RUNS = SAMPLES / "harbour" / "runs"
TWO = (str(RUNS / "rules"), str(RUNS / "rules-local"))


call = partial(invoke, "table")


def test_runs_and_groups_are_rows():
    result = call(*TWO, "--by", "sub-goals", "--metrics", "SR,episodes")
    assert result.exit_code == 0, result.output
    head, first = result.stdout.splitlines()[:2]
    assert head.split()[:2] == ["Run", "Sub-goals"]
    assert first.split()[0] == "rules"
    assert [line.split()[0] for line in result.stdout.splitlines() if " all " in line] == [
        "rules",
        "rules-local",
    ]


def test_data_say_which_rows_are_of_models_that_saw_pictures():
    house = SAMPLES / "house" / "runs"
    three = [str(house / name) for name in ("mapgpt-pictures-by-hand", "rules-indoors")]
    three.append(str(house / "msnav-by-hand"))
    given = (*three, "--metrics", "SR", "--format")
    lines = call(*given, "csv").stdout.splitlines()
    assert lines[0].startswith("Run,model saw,SR")
    assert [line.split(",")[1] for line in lines[1:]] == ["pictures", "", "text variant"]
    rows = json.loads(call(*given, "json").stdout)["rows"]
    assert [row["model saw"] for row in rows] == ["pictures", "", "text variant"]
    unseen = call(*TWO, "--metrics", "SR", "--format", "csv").stdout
    assert "model saw" not in unseen, "nobody's model is shown anything there"


def test_one_run_has_the_groups_alone():
    result = call(TWO[0], "--by", "skill", "--metrics", "SR")
    assert result.stdout.startswith("Skill")


def test_rows_may_be_the_skill_that_acted_first_or_last():
    run = str(SAMPLES / "house" / "runs" / "skillnav-by-hand")
    last = json.loads(
        call(run, "--by", "last-skill", "--metrics", "SR,episodes", "--format", "json").stdout
    )
    assert {row["Last skill"] for row in last["rows"]} == {"Stop and Pause", "all"}
    first = json.loads(
        call(run, "--by", "first-skill", "--metrics", "SR", "--format", "json").stdout
    )
    assert {row["First skill"] for row in first["rows"]} == {
        "Area and Region Identification",
        "all",
    }


def test_a_preset_names_the_runs_as_told():
    result = call(*TWO, "--preset", "groke-2", "--names", "Global, Local", "--format", "json")
    document = json.loads(result.stdout)
    assert [row["Run"] for row in document["rows"]] == ["Global", "Local"]
    assert document["title"].startswith("GROKE, table 2")


@pytest.mark.parametrize("form", ["csv", "tex", "md", "svg", "pdf"])
def test_a_file_is_written(tmp_path, form):
    out = tmp_path / "new" / f"table.{form}"
    result = call(
        *TWO, "--by", "skill", "--metrics", "SR,NE", "--format", form, "--out", str(out), "--best"
    )
    assert result.exit_code == 0, result.output
    assert "columns of figures" in result.stdout
    assert len(out.read_bytes()) > 200


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--preset", "groke-1"), "no preset 'groke-1'"),
        (("--preset", "groke-2", "--by", "split"), "A preset has rows"),
        (
            ("--preset", "groke-5"),
            "no episode has a difficulty; give a file of ratings (--ratings)",
        ),
        (("--preset", "groke-figure-7"), "share no episode with counted thoughts"),
        (("--by", "colour"), "no grouping 'colour'"),
        (("--metrics", "nope"), "no metric 'nope'"),
        (("--names", "one"), "--names must name each of the 2 runs"),
        (("--format", "pdf"), "name a file with --out"),
        (("--ratings", "missing.json"), "missing.json"),
    ],
)
def test_what_is_wrong_is_one_sentence(given, message):
    result = call(*TWO, *given)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output
