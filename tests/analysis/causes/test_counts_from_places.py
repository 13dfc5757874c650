"""Numbers that the text counts from a place that it passes contradict no route."""

from __future__ import annotations

import pytest

import navviz


@pytest.mark.nightly
def test_the_next_intersection_behind_a_shop_is_no_first_one(data_dir):
    run = navviz.open_run(
        data_dir / "groke" / "paper_results" / "main_test_seen.json",
        graphs=data_dir / "map2seq" / "osm" / "graph",
    )
    # "Keep going past Uncle Jack's on the left. At the next intersection, turn left."
    found = {cause.id for cause in navviz.why(run, "5613")}
    assert "instruction-contradicts-route" not in found
