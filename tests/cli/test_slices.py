"""``navviz diagnose slices`` on a sample run."""

import json
from functools import partial

from tests.command import invoke
from tests.paths import SAMPLES

call = partial(invoke, "diagnose", "slices")


def test_sentences_and_records():
    run = str(SAMPLES / "harbour" / "runs" / "rules-local")
    result = call(run, "--most", "3")
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == 3
    assert all(
        " times as often: " in line and "adjusted p" in line for line in result.stdout.splitlines()
    )
    (first,) = json.loads(call(run, "--most", "1", "--format", "json").stdout)
    assert first["n"] + first["others"] == 14
    assert first["share"] == first["failures"] / first["n"]
    assert first["runs"] is None
    assert first["low"] <= first["odds_ratio"]
    # without a success in the slice or a failure elsewhere nothing bounds the ratio
    has_end = first["failures"] < first["n"] and first["other_failures"] > 0
    assert (first["high"] is not None) == has_end


def test_by_junction():
    result = call(
        str(SAMPLES / "harbour" / "runs" / "rules-local"), "--by", "junction", "--most", "2"
    )
    assert result.exit_code == 0, result.output
    assert all(" agents leave the route " in line for line in result.stdout.splitlines())


def test_two_runs():
    runs = [str(SAMPLES / "harbour" / "runs" / name) for name in ("rules-local", "rules")]
    result = call(*runs)
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("Of 14 episodes that both walked, rules-local alone fails in ")
    assert call(*runs, "--by", "junction").exit_code == 2
    house = str(SAMPLES / "house" / "runs" / "rules-indoors")
    assert "share no episode" in call(runs[0], house).stderr
