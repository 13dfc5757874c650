"""R2R beside VLN-CE: which episodes of both ask the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz.analysis.paired_runs import pair_episodes
from navviz.formats import open_episodes
from navviz.records import Episode


def _asked(name: str, text: str, path: str | None = "7", world: str = "a") -> Episode:
    return Episode(id=name, dataset="d", instruction=text, world=world, start="s", path_id=path)


def test_path_house_and_text_make_a_pair() -> None:
    first = [_asked("7_0", "Go  on."), _asked("7_1", "Stop."), _asked("8_0", "Go on.", "8")]
    second = [_asked("1", "go on. "), _asked("2", "Go on.", None), _asked("3", "Stop.", world="b")]
    found = pair_episodes({e.id: e for e in first}, {e.id: e for e in second})
    assert found.pairs == (("7_0", "1"),)
    assert (found.only_first, found.only_second) == (("7_1", "8_0"), ("2", "3"))
    assert found.sentence == (
        "1 episode paired by path and instruction; 2 of the first and 2 of the second run have no"
        " partner."
    )


def test_the_same_question_twice_has_two_partners() -> None:
    episodes = {name: _asked(name, "Go on.") for name in ("a", "b")}
    found = pair_episodes(episodes, {"1": _asked("1", "Go on.")})
    assert found.pairs == (("a", "1"),)
    assert found.only_first == ("b",)


@pytest.mark.data
def test_nearly_all_of_val_seen_has_its_partner(data_dir: Path) -> None:
    discrete = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes
    continuous = open_episodes(data_dir / "vlnce" / "val_seen" / "val_seen.json.gz").episodes
    found = pair_episodes(discrete, continuous)
    assert len(found.pairs) >= 775
    for a, b in found.pairs:
        assert discrete[a].world == continuous[b].world
