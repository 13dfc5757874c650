"""Which likely causes vanished and came between two runs."""

from __future__ import annotations

import pytest

from navviz.analysis.causes.counting import NO_CAUSE_ID, cause_changes
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.errors import InputError
from navviz.records.finding import Explanation, Quote


def _episode(key: str, cause: str | None, *, success: bool | None) -> EpisodeCauses:
    found = ()
    if cause is not None:
        quote = Quote(source="reply", text="left", step=1)
        found = (Explanation(id=cause, name=cause, sentence="It.", step=1, quotes=(quote,)),)
    return EpisodeCauses(key, success, None if success else 1, found)


def _run(causes: str) -> dict[str, EpisodeCauses]:
    """Return a run by a letter an episode: s succeeded, c and p two causes, n none, u unknown."""
    ids = {"c": "miscounted", "p": "closed-late"}
    known = {"s": True, "u": None}
    run = {}
    for number, letter in enumerate(causes):
        key = str(number)
        run[key] = _episode(key, ids.get(letter), success=known.get(letter, False))
    return run


def test_changes_are_paired_and_adjusted_over_the_table() -> None:
    found = cause_changes(_run("ccccccpnsu"), _run("sssssscpns"))
    assert found.episodes == tuple("012345678")  # of the last nobody knows whether it succeeded
    count, passed, none = (
        next(change for change in found.changes if change.id == name)
        for name in ("miscounted", "closed-late", NO_CAUSE_ID)
    )
    assert (count.vanished, count.came, count.stayed) == (tuple("012345"), ("6",), ())
    assert (passed.vanished, passed.came) == (("6",), ("7",))
    assert (none.vanished, none.came, none.name) == (("7",), ("8",), "No explanation found")
    assert count.p == pytest.approx(2 * (1 + 7) / 2**7)  # 6 against 1 of 7
    assert count.p_holm == pytest.approx(3 * count.p)
    assert passed.p == none.p == 1.0
    assert found.changes[0] is count


def test_what_holds_in_both_stays() -> None:
    (change,) = cause_changes(_run("c"), _run("c")).changes
    assert (change.stayed, change.p) == (("0",), 1.0)


def test_runs_without_a_shared_episode_are_refused() -> None:
    with pytest.raises(InputError, match="share no episode"):
        cause_changes(_run("u"), _run("c"))
