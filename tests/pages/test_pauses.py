"""Garbage collections of the server: what was loaded is left out of them, and looked through once
in a while.
"""

from __future__ import annotations

import gc

import pytest

from navviz.ui.server.serve import Pauses


@pytest.fixture(autouse=True)
def _nothing_frozen():
    gc.unfreeze()
    yield
    gc.unfreeze()


def collect(pauses: Pauses, clock: list[float], took_s: float, generation: int = 2) -> None:
    pauses.on_collection("start", {"generation": generation})
    clock[0] += took_s
    pauses.on_collection("stop", {"generation": generation})


def test_what_a_long_collection_has_left_is_not_looked_through_again():
    clock = [0.0]
    pauses = Pauses(lambda: clock[0])
    collect(pauses, clock, 0.01)
    collect(pauses, clock, 0.2, generation=1)
    assert gc.get_freeze_count() == 0
    collect(pauses, clock, 0.2)
    assert gc.get_freeze_count() > 0


def test_what_was_frozen_is_looked_through_again_after_a_while():
    clock = [0.0]
    pauses = Pauses(lambda: clock[0])
    collect(pauses, clock, 0.2)
    collect(pauses, clock, 0.01)
    assert gc.get_freeze_count() > 0
    clock[0] += 700.0
    collect(pauses, clock, 0.01)
    assert gc.get_freeze_count() == 0
