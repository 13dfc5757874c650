"""``navviz diagnose controls`` on samples."""

from __future__ import annotations

import json
from functools import partial

from click.testing import Result

from tests.command import invoke
from tests.paths import SAMPLES

HARBOUR, HOUSE = SAMPLES / "harbour", SAMPLES / "house"


call = partial(invoke, "diagnose", "controls")


def outdoors(navigator: str, *more: str) -> Result:
    split = HARBOUR / "splits" / "sample.json"
    return call("--navigator", navigator, "--episodes", str(split), "--graphs", str(HARBOUR), *more)


def test_the_table_has_a_row_a_control_and_says_what_survives():
    result = outdoors("rules", "--limit", "6", "--seed", "1")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].split() == [
        "control",
        "n",
        "SR",
        "(%)",
        "Δ",
        "SR",
        "NE",
        "(m)",
        "Δ",
        "NE",
        "SPL",
        "(%)",
        "Δ",
        "SPL",
        "same",
        "walk",
    ]
    names = [
        "true text",
        "words shuffled",
        "left and right swapped",
        "another episode's instruction",
        "a false reference path",
    ]
    for line, name in zip(lines[1:6], names, strict=True):
        assert line.startswith(name)
        assert line.removeprefix(name).split()[0] == "6"
    assert lines[5].rstrip().endswith("6 of 6")
    assert "rules has learned priors (Map2Seq val, indoors R2R train)." in lines
    assert "is reached with another episode's instruction (" in result.stdout
    assert lines[-1] == "A false reference path changed none of 6 walks."


def test_a_leak_is_named_and_fails():
    split = HOUSE / "R2R_sample.json"
    result = call(
        "--navigator",
        "shortest-path-oracle",
        "--episodes",
        str(split),
        "--graphs",
        str(HOUSE),
        "--limit",
        "3",
    )
    assert result.exit_code == 1
    assert "LEAK: a false reference path changed" in result.stdout
    assert "shortest-path-oracle looks at the reference." in result.stdout
    assert "learned priors" not in result.stdout


def test_wrong_calls_get_a_sentence(tmp_path):
    assert "asks a language model; name one with --llm" in outdoors("groke").stderr
    assert "no navigator 'nobody'" in outdoors("nobody").stderr
    entry = json.loads((HOUSE / "R2R_sample.json").read_text())[0] | {
        "scan": "QUCTc6BB5sX",
        "path": ["a", "b"],
    }
    (tmp_path / "e.json").write_text(json.dumps([entry]))
    result = call(
        "--navigator",
        "rules-indoors",
        "--episodes",
        str(tmp_path / "e.json"),
        "--graphs",
        str(HOUSE),
    )
    assert result.exit_code == 2
    assert "scan QUCTc6BB5sX not found" in result.stderr
