"""Forgetting by entropy, against the worked example."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.systems.lhvln.mgdm.prompt import (
    JOINED_CHARACTERS,
    Slot,
    entropies_bits,
    entropy_bits,
    forget,
    forget_oldest,
    joined,
    pooled,
)

CONFIDENCES = (0.9, 0.2, 0.3, 0.8, 0.6)


def _slots(confidences: tuple[float, ...]) -> tuple[Slot, ...]:
    return tuple(Slot(f"memory {k}", value, k, k) for k, value in enumerate(confidences, start=1))


def test_the_worked_example():
    assert entropies_bits(CONFIDENCES) == pytest.approx(
        (1.9233, 1.8985, 1.8770, 1.8436, 1.7763), abs=5e-5
    )
    memory = forget(_slots(CONFIDENCES))
    assert memory.index == 4
    assert [slot.confidence for slot in memory.after] == pytest.approx([0.9, 0.2, 0.3, 0.7])


def test_pooling_at_the_edges_and_between():
    assert pooled((1.0, 3.0, 5.0), 0) == (2.0, 5.0)
    assert pooled((1.0, 3.0, 5.0), 2) == (1.0, 4.0)
    assert pooled((1.0, 3.0, 5.0), 1) == (2.0, 4.0)
    assert pooled((1.0, 3.0), 1) == (2.0,)
    assert pooled((1.0,), 0) == (1.0,)


def test_texts_ages_and_counts_go_with_the_confidences():
    memory = forget(_slots(CONFIDENCES))
    last = memory.after[-1]
    assert last.text == "memory 4; memory 5"
    assert last.age == "steps 4-5, pooled once"
    assert memory.blurred == _slots(CONFIDENCES)[3:]
    assert memory.results == (last,)
    again = forget((*memory.after, Slot("memory 6", 0.5, 6, 6)))
    assert {slot.pooled for slot in again.after} <= {0, 1, 2}


def test_the_first_of_equal_entropies_wins():
    assert forget(_slots((0.5, 0.5, 0.5))).index == 0


def test_the_oldest_is_dropped_without_entropies():
    memory = forget_oldest(_slots(CONFIDENCES))
    assert memory.after == _slots(CONFIDENCES)[1:]
    assert memory.entropies_bits == ()
    assert memory.blurred == _slots(CONFIDENCES)[:1]


def test_a_joined_text_is_cut():
    assert len(joined("a" * 150, "b" * 150)) == JOINED_CHARACTERS
    assert joined("One. ", "two.") == "One; two."


def test_entropy_of_nothing_is_zero():
    assert entropy_bits((0.0, 0.0)) == 0.0
    assert entropy_bits(()) == 0.0


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=30))
def test_forgetting_makes_one_slot_less_and_is_reproducible(confidences):
    slots = _slots(tuple(confidences))
    first, second = forget(slots), forget(slots)
    assert first == second
    assert len(first.after) == len(slots) - 1
    assert min(slot.first for slot in first.after) == 1
    assert max(slot.last for slot in first.after) == len(slots)
