"""``navviz score --objects`` on files and on traces."""

import json
from functools import partial

from tests.command import invoke
from tests.paths import ROOT

RUN = ROOT / "assets" / "samples" / "house" / "runs" / "msnav-by-hand"


score = partial(invoke, "score")


def test_a_run_against_true_objects(tmp_path):
    episodes = json.loads((RUN.parents[1] / "R2R_sample.json").read_text())
    text = next(entry["instructions"][0] for entry in episodes if str(entry["path_id"]) == "108")
    true = [
        {
            "instructions": text,
            "direct_obj": ["leather armchair", "oak door", "grandfather clock"],
            "potential_obj": [],
        },
        {"instructions": "Never read.", "direct_obj": ["chair"], "potential_obj": []},
    ]
    (tmp_path / "true.json").write_text(json.dumps(true))
    document = json.loads(
        score(str(RUN), "--objects", str(tmp_path / "true.json"), "--format", "json").stdout
    )
    assert (document["samples"], document["unread"]) == (2, 1)
    assert document["F1_DO"] == 0.5, "one read whole, one not at all"
    assert document["F1_IO"] == 0
