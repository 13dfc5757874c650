"""What the player is given: small, with each place's position once, and nothing without a claim."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import accumulate

import pytest

import navviz
from navviz.analysis.what_if.cube import WhatIf
from navviz.analysis.what_if.document import MOST_BYTES, REFERENCE, UNSTABLE, what_if_document
from navviz.analysis.what_if.follower import follow_on
from navviz.analysis.what_if.kept import what_if_of
from tests.paths import SAMPLES

RUNS = SAMPLES / "harbour" / "runs"


@pytest.fixture(scope="module")
def local():
    return navviz.open_run(RUNS / "rules-local")


def _walks(entry):
    """The walks of a document as positions, as the player unpacks them."""
    axes = [accumulate(entry["at"][axis::2]) for axis in (0, 1)]
    places = [tuple(value / 10**6 for value in place) for place in zip(*axes, strict=True)]
    walks = []
    for _, fork, runs, _, _ in entry["cells"]:
        walk = []
        for first, count in zip(runs[::2], runs[1::2], strict=True):
            walk += places[first : first + count]
        assert walk[0] == places[fork]
        walks.append(walk)
    return walks


def test_walks_come_back_from_runs_of_places(local):
    one, trace, graph = what_if_of(local, "8"), local.trace("8"), local.graph("8")
    entry = what_if_document(one, trace, graph)
    assert len(json.dumps(entry, separators=(",", ":"))) < 5_000
    walks = [[graph.position(node) for node in cell.tail] for cell in one.others]
    assert len(walks) == 11
    for walk, expected in zip(_walks(entry), walks, strict=True):
        assert walk == [pytest.approx(place, abs=1e-6) for place in expected]
    flags = {(row[0], row[3]) for row in entry["cells"] if row[4] & REFERENCE}
    assert (2, 0.0) in flags
    assert entry["decisive"] == [2]
    assert (entry["who"], entry["follows"], entry["left_out"]) == ("rules-local", False, 0)


def test_an_episode_takes_16_kilobytes_at_most_and_says_what_it_leaves_out(local):
    one, trace, graph = what_if_of(local, "8"), local.trace("8"), local.graph("8")
    assert isinstance(one, WhatIf)
    far = [replace(cell, tail=(*cell.tail, *graph.ids[k::3])) for k, cell in enumerate(one.others)]
    many = replace(one, cells=tuple(replace(cell) for cell in far * 30))
    entry = what_if_document(many, trace, graph)
    assert len(json.dumps(entry, separators=(",", ":"))) <= MOST_BYTES <= 16_384
    assert entry["left_out"] == len(far) * 30 - len(entry["cells"]) > 0
    # what could prove something stays
    mended = [row for row in entry["cells"] if row[4] & REFERENCE and row[3] == 0.0]
    assert len(mended) == 30


def test_an_unstable_fork_is_marked(local):
    one = what_if_of(local, "8")
    assert isinstance(one, WhatIf)
    shaken = tuple(
        replace(cell, tail=cell.tail[:-1]) if cell.is_taken and cell.step == 2 else cell
        for cell in one.cells
    )
    entry = what_if_document(replace(one, cells=shaken), local.trace("8"), local.graph("8"))
    assert {row[0] for row in entry["cells"] if row[4] & UNSTABLE} == {2}
    assert entry["decisive"] == []


def test_a_follower_without_a_claim_gives_nothing():
    run = navviz.open_run(RUNS / "groke-by-hand")
    lost = follow_on(run.trace("9"), run.graph("9"))
    assert what_if_document(lost, run.trace("9"), run.graph("9")) is None
    kept = follow_on(run.trace("3"), run.graph("3"))
    entry = what_if_document(kept, run.trace("3"), run.graph("3"))
    assert entry["follows"]
    assert [row[0] for row in entry["cells"]] == [1, 2, 3, 4, 5]
    assert entry["sentence"] == kept.sentence
