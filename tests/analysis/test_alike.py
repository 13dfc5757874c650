"""Failures that are alike by words: parted once each, kept as found, and the nearest by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import navviz
from navviz.analysis.alike import LEAST, NEAREST, AlikeFailures, LikeTarget, alike_failures
from navviz.analysis.meaning import text_of_calls
from navviz.analysis.site.publish import grouped
from navviz.runs.opened import OpenRun
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour"


def _run(name: str) -> OpenRun:
    return navviz.open_run(HARBOUR / "runs" / name, graphs=HARBOUR / "osm" / "graph")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))


def test_each_failure_stands_in_one_group_and_comes_out_of_the_cache_the_same() -> None:
    run = _run("random-walker")
    read: list[int] = []
    first = alike_failures(run, read.append)
    failed = [key for key, row in run.scores.rows.items() if row["SR"] == 0]
    members = [key for cluster in first.clusters for key in cluster.episodes]
    assert sorted(members) == sorted(failed)
    assert len(failed) >= LEAST
    assert read == list(range(1, len(failed) + 1))
    assert first.basis == "instructions"  # a walker without a model says nothing
    again = alike_failures(_run("random-walker"), read.append)
    assert len(read) == len(failed)
    assert (again.clusters, again.ids) == (first.clusters, first.ids)
    for key in run.traces:
        assert again.near(run, LikeTarget(key)) == first.near(run, LikeTarget(key))


def test_a_file_of_the_cache_that_is_cut_off_is_made_anew(tmp_path: Path) -> None:
    first = alike_failures(_run("random-walker"))
    [file] = (tmp_path / "cache").rglob("alike-*")
    file.write_bytes(file.read_bytes()[:2000])
    assert alike_failures(_run("random-walker")).clusters == first.clusters


def test_few_failures_have_no_groups_and_are_still_searched() -> None:
    run = _run("groke-by-hand")
    alike = alike_failures(run)
    assert (alike.basis, alike.failures, alike.clusters) == ("said", 6, ())
    assert alike.meaning is not None
    compared = 0
    for passage in alike.meaning.passages:
        near = alike.near(run, LikeTarget(passage.episode, passage.step))
        if not near:
            continue  # none of its words stands in another one
        compared += 1
        assert next(iter(near)) == passage.episode
        assert near[passage.episode] == 1.0
        assert len(near) <= NEAREST + 1
        others = [near[key] for key in near if key != passage.episode]
        assert others == sorted(others, reverse=True)
        assert all(0 < likeness <= 1.00001 for likeness in others)
        [step] = [one for one in run.trace(passage.episode).steps if one.index == passage.step]
        said = f"{text_of_calls(step, 'thoughts')} {text_of_calls(step, 'replies')}"
        nearest = alike.near(run, LikeTarget(None, text=said))
        assert nearest[passage.episode] == pytest.approx(1.0)
    assert compared >= 4
    assert alike.near(run, LikeTarget("no such episode")) == {}
    assert alike.near(run, LikeTarget(None, text="zzz qqq")) == {}


def test_groups_by_thoughts_are_published_with_thoughts_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("navviz.analysis.alike.LEAST", 3)
    run = _run("groke-by-hand")
    alike = grouped(run, ())
    assert alike is not None
    assert alike.basis == "said"
    assert grouped(run, {"prompts"}) is not None
    assert grouped(run, {"thoughts"}) is None
    assert grouped(_run("random-walker"), {"thoughts"}) is not None


def test_without_failures_there_is_nothing_to_compare() -> None:
    none = alike_failures(_run("staged-rules"))
    assert none.clusters == ()
    assert isinstance(none, AlikeFailures)


@pytest.mark.parametrize(
    "target",
    [
        LikeTarget("a,b;c é/1", 4),
        LikeTarget("7"),
        LikeTarget(None, text="stopped; before, the 100% stop"),
    ],
)
def test_a_target_comes_through_an_address(target: LikeTarget) -> None:
    # a comma parts the values of a filter there
    assert "," not in target.value
    assert LikeTarget.of(target.value) == target
