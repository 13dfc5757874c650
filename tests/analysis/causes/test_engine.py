"""The engine: which act, which order, which grade, what is not asked, and strangers' detectors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pandas as pd
import pytest

import navviz
from navviz.analysis import acts
from navviz.analysis.causes import counting, engine, registry
from navviz.analysis.causes import counting as kept_causes
from navviz.analysis.causes.counting import (
    COLUMNS,
    cause_features,
    causes_table,
    explain_one,
    explain_run,
    explained_run,
)
from navviz.analysis.causes.engine import causes_document, explain_episode, unchecked
from navviz.analysis.causes.registry import detectors, get_detector
from navviz.errors import PluginError, SettingsError
from navviz.metrics.divergence import Divergence
from navviz.records import Explanation, Quote
from navviz.records.act import Act, DecisiveAct
from navviz.support.systems import System, unfit_system
from navviz.systems.causes import Need
from tests.replays import full_trace, tiny_graph


class Blames:
    """Explains an act, the decisive one where none is given."""

    name = "Blames"
    summary = "Blames acts."
    needs = frozenset({"steps"})

    def __init__(self, *acts, cause_id="blames", needs=("steps",), quote="x"):
        self.id, self.acts, self.needs, self.quote = cause_id, acts or (0,), frozenset(needs), quote

    def find(self, context):
        for act in self.acts:
            yield Explanation(
                id=self.id,
                name=self.name,
                sentence=f"Act {act}.",
                step=context.act.step,
                act=act,
                quotes=(Quote(source="decision", text=self.quote, step=3),),
            )


ACT = DecisiveAct(
    act=Act(number=0, kind="turn", side="left", text="turn left"),
    how="repeated",
    sentence="It turned left again.",
    node="c",
    step=3,
    last_turn=Act(number=7, kind="turn", side="left", text="turn left"),
)


@pytest.fixture(autouse=True)
def _decided(monkeypatch, tmp_path):
    """Take the act as given: how it is found is a matter of `tests/analysis/test_acts.py`."""
    # what follows from it is kept, and must not be what other tests find
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))

    def decided(trace, graph, divergence):
        return None if divergence.kind == "none" else ACT

    monkeypatch.setattr(engine, "decisive_act", decided)


def _explained(*using):
    left = Divergence("wrong turn", "It left.", step=3, error_m=99.0)
    return explain_episode(full_trace(), tiny_graph(), left, using)


def test_what_explains_another_act_is_dropped():
    explained = _explained(Blames(0, 1), Blames(7, cause_id="repeated"), Blames(7))
    assert [(one.id, one.act) for one in explained.causes] == [("blames", 0), ("repeated", 7)]
    assert explained.act is ACT
    assert explained.departure == 3


def test_one_leads_by_the_order_of_the_registry_and_some_never_lead():
    never, late = Blames(cause_id="landmark-not-on-map"), Blames(cause_id="closed-late")
    explained = _explained(never, late, Blames(cause_id="illegal-reply"))
    ids = [one.id for one in explained.causes]
    assert ids == ["illegal-reply", "closed-late", "landmark-not-on-map"]
    assert explained.leading is explained.causes[0]
    alone = _explained(never)
    assert (alone.leading, len(alone.causes)) == (None, 1)
    document = causes_document(alone)
    assert (document["leading"], document["likely"]) == (None, None)
    assert document["act"]["how"] == "repeated"


def test_the_grade_is_that_of_the_file_whatever_a_detector_says(monkeypatch):
    monkeypatch.setattr(engine, "grade_of", {"illegal-reply": "likely", "blames": "hint"}.get)
    sure, maybe = _explained(Blames(cause_id="illegal-reply")), _explained(Blames())
    assert sure.likely is sure.leading
    assert (maybe.likely, maybe.leading.grade) == (None, "hint")


def test_counts_keep_likely_causes_and_hints_apart(monkeypatch):
    grades = {"illegal-reply": "likely", "closed-late": "hint"}
    monkeypatch.setattr(engine, "grade_of", grades.get)
    monkeypatch.setattr(counting, "grade_of", grades.get)
    sure, maybe = Blames(cause_id="illegal-reply"), Blames(cause_id="closed-late")
    explained = {"a": _explained(sure, maybe), "b": _explained(maybe), "c": _explained()}
    counts = counting.cause_counts(explained)
    assert [(one.id, one.likely, one.hinted) for one in counts] == [
        ("illegal-reply", 1, 0),
        ("closed-late", 0, 1),
        (None, 1, 0),
    ]
    assert [one.failed.mean for one in counts] == pytest.approx([1 / 3, 2 / 3, 1 / 3])
    assert counting.leading_ids(explained) == {
        "a": "illegal-reply",
        "b": "closed-late",
        "c": "none-found",
    }


def test_a_walk_that_went_right_has_no_act_and_no_explanation():
    good = Divergence("none", "It came to the goal.", error_m=1.0)
    explained = explain_episode(full_trace(), tiny_graph(), good, [Blames()])
    assert (explained.act, explained.causes, explained.success) == (None, (), True)


def test_a_detector_is_not_asked_where_something_that_it_needs_is_missing():
    bare = full_trace()
    silent = tuple(step.model_copy(update={"calls": ()}) for step in bare.steps)
    trace = bare.model_copy(update={"steps": silent, "plan_calls": ()})
    explained = explain_episode(trace, tiny_graph(), using=[Blames(needs=("thoughts",))])
    assert explained.causes == ()


def test_every_detector_has_what_the_contract_asks_for():
    for detector in detectors():
        assert registry.cause_parts()[detector.id]._unfit(detector) is None
        assert detector.summary.endswith(".")


def test_unknown_ids_are_refused_with_the_list():
    with pytest.raises(SettingsError, match=r"There is no cause 'nothing'; choose .*illegal"):
        get_detector("nothing")


def _stranger(monkeypatch, target):
    system = System(name="far", title="Far", paper="none", causes={"blames": target})
    monkeypatch.setattr("navviz.support.systems.systems", lambda: (system,))
    return system


class Lost(Blames):
    """A detector of another package that fails."""

    id = "blames"

    def __init__(self):
        super().__init__()

    def find(self, context):
        raise KeyError("lost")


def test_a_stranger_s_detector_is_found_and_may_fail_alone(monkeypatch):
    system = _stranger(monkeypatch, f"{__name__}:Lost")
    assert unfit_system("far", system) is None
    assert "blames" in registry.cause_ids()
    explained = _explained(get_detector("blames"), Blames(cause_id="other"))
    assert [one.id for one in explained.causes] == ["other"]


def test_a_stranger_s_unfit_detector_is_refused_with_a_sentence(monkeypatch):
    _stranger(monkeypatch, "pathlib:Path")
    with pytest.raises(PluginError, match="is no detector of causes: it lacks id"):
        get_detector("blames")
    assert "blames" not in {one.id for one in detectors()}


def test_a_system_names_its_causes_as_module_and_name():
    system = System(name="far", title="Far", paper="none", causes={"x": "no colon"})
    assert unfit_system("far", system) == "names 'no colon'; write module:name"


def test_why_gives_a_table_and_the_causes_of_one_episode():
    run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    table = navviz.why(run)
    assert tuple(table.columns) == COLUMNS
    missed = {key for key, one in run.divergences.items() if one.step is not None}
    assert missed <= set(table["episode"])
    assert isinstance(navviz.why(run, next(iter(run.traces))), tuple)


def test_causes_are_features_of_slices_and_kept_by_content(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path))
    monkeypatch.setattr(engine, "decisive_act", acts.decisive_act)
    run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "groke-by-hand")
    explained = explained_run(run)
    assert cause_features(explained)["7"] == {
        "act: two ways",
        "act kind: turn",
        "cause: label-contradicts",
    }
    (kept,) = tmp_path.rglob("*.json")
    monkeypatch.setattr(kept_causes, "explain_run", lambda *_: pytest.fail("found anew"))
    assert explained_run(run) == explained
    # the likely cause that comes back is a copy of the one in the list
    fresh, again = causes_table(explained), causes_table(explained_run(run))
    pd.testing.assert_frame_equal(again, fresh)
    assert set(again.loc[again["likely"], "episode"]) == {
        key for key, one in explained.items() if one.likely is not None
    }
    kept.write_text("{")
    with pytest.raises(pytest.fail.Exception):
        explained_run(run)


def test_what_the_log_is_too_poor_for_is_said_with_its_number() -> None:
    poor = explain_episode(full_trace(), tiny_graph())
    bare = replace(poor, has=frozenset({"route", "links", "streets", "places", "steps"}))
    rich = replace(poor, has=frozenset(get_args(Need)))
    every = detectors()
    without = [one for one in every if one.needs - bare.has]
    sentence = unchecked(bare)
    assert sentence is not None
    assert sentence.startswith(f"{len(without)} of {len(every)} kinds of cause cannot be checked")
    assert sentence.endswith("without a plan, prompts, thoughts and replies.")
    assert unchecked(rich) is None
    assert causes_document(bare)["unchecked"] == sentence


@pytest.mark.nightly
@pytest.mark.data
def test_causes_count_the_failures_that_the_list_counts(data_dir: Path) -> None:
    vlnce = data_dir / "vlnce"
    run = navviz.open_run(
        vlnce / "results" / "cma_stats_ep_ckpt_0_val_seen_r0_w1.json",
        episodes=vlnce / "val_seen" / "val_seen.json.gz",
        graphs=data_dir / "mp3d_all" / "connectivity",
    )
    listed = run.listing().set_index("episode")["outcome"]
    explained = explain_run(run)
    named = {True: "success", False: "failure", None: "unknown"}
    assert {key: named[one.success] for key, one in explained.items()} == listed.to_dict()
    assert (listed == "failure").sum() == 382
    # the table names each of them, and an episode alone is said to have ended as in the run
    assert len(causes_table(explained)) == 382
    for key in list(explained)[:4]:
        assert explain_one(run, key) == explained[key]
