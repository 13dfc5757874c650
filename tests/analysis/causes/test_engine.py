"""The engine: order, the likely cause, what is not asked, and detectors of strangers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pandas as pd
import pytest

import navviz
from navviz.analysis.causes import counting, registry
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
from navviz.support.systems import System, unfit_system
from navviz.systems.causes import Need
from tests.replays import full_trace, tiny_graph


class Blames:
    """Blames the steps that it is made with."""

    name = "Blames steps"
    summary = "Blames steps."
    needs = frozenset({"steps"})
    grade = "cause"

    def __init__(self, *steps, cause_id="blames", grade="cause", needs=("steps",)):
        self.id, self.steps, self.grade, self.needs = cause_id, steps, grade, frozenset(needs)

    def find(self, context):
        for step in self.steps:
            yield Explanation(
                id=self.id,
                name=self.name,
                sentence=f"Step {step}.",
                step=step,
                quotes=(Quote(source="decision", text="x", step=step),),
                grade=self.grade,
            )


def _explained(*using, departure=3):
    left = Divergence("wrong turn", "It left.", step=departure, error_m=99.0)
    return explain_episode(full_trace(), tiny_graph(), left, using)


def test_the_first_cause_up_to_the_departure_is_the_likely_one():
    explained = _explained(Blames(4, 2), Blames(2, 1, grade="hint", cause_id="hints"))
    assert [(one.step, one.id) for one in explained.causes] == [
        (1, "hints"),
        (2, "blames"),
        (2, "hints"),
        (4, "blames"),
    ]
    assert explained.likely == explained.causes[1]


def test_without_a_likely_cause_the_first_hint_leads():
    hints = _explained(Blames(2, grade="hint", cause_id="hints"))
    assert hints.likely is None
    assert hints.leading == hints.causes[0]
    assert causes_document(hints)["likely"] is None
    assert causes_document(hints)["leading"] == 0
    both = _explained(Blames(3), Blames(1, grade="hint", cause_id="hints"))
    assert both.leading == both.likely == both.causes[1]
    assert _explained(Blames(4, grade="hint")).leading is None


def test_counts_keep_likely_causes_and_hints_apart(monkeypatch):
    grades = {"sure": "cause", "maybe": "hint"}

    def detector(name):
        return Blames(cause_id=name, grade=grades[name])

    monkeypatch.setattr(counting, "get_detector", detector)
    sure, maybe = Blames(2, cause_id="sure"), Blames(1, cause_id="maybe", grade="hint")
    explained = {"a": _explained(sure, maybe), "b": _explained(maybe), "c": _explained()}
    counts = counting.cause_counts(explained)
    assert [(one.id, one.likely, one.hinted) for one in counts] == [
        ("sure", 1, 0),
        ("maybe", 0, 1),
        (None, 1, 0),
    ]
    assert [one.failed.mean for one in counts] == pytest.approx([1 / 3, 2 / 3, 1 / 3])
    assert counting.leading_ids(explained) == {"a": "sure", "b": "maybe", "c": "none-found"}


def test_a_cause_at_the_departure_counts_and_a_later_one_does_not():
    assert _explained(Blames(3)).likely.step == 3
    assert _explained(Blames(4)).likely is None


def test_a_walk_that_went_right_has_no_likely_cause():
    good = Divergence("none", "It came to the goal.", error_m=1.0)
    explained = explain_episode(full_trace(), tiny_graph(), good, [Blames(1)])
    assert explained.likely is None
    assert explained.success


def test_a_detector_is_not_asked_where_something_that_it_needs_is_missing():
    bare = full_trace()
    silent = tuple(step.model_copy(update={"calls": ()}) for step in bare.steps)
    trace = bare.model_copy(update={"steps": silent, "plan_calls": ()})
    explained = explain_episode(trace, tiny_graph(), using=[Blames(1, needs=("thoughts",))])
    assert explained.causes == ()


def test_the_document_holds_positions_and_names_the_likely_one():
    document = causes_document(_explained(Blames(4, 2)))
    assert document["likely"] == 0
    assert document["causes"][0]["quotes"] == [{"source": "decision", "text": "x", "step": 2}]


def test_every_detector_has_what_the_contract_asks_for():
    for detector in detectors():
        assert registry.cause_parts()[detector.id]._unfit(detector) is None
        assert detector.summary.endswith(".")


def test_unknown_ids_are_refused_with_the_list():
    with pytest.raises(SettingsError, match=r"There is no cause 'nothing'; choose .*no-legal"):
        get_detector("nothing")


def _stranger(monkeypatch, target):
    system = System(name="far", title="Far", paper="none", causes={"blames": target})
    monkeypatch.setattr("navviz.support.systems.systems", lambda: (system,))
    return system


class Lost(Blames):
    """A detector of another package that fails."""

    id = "blames"

    def __init__(self):
        super().__init__(1)

    def find(self, context):
        raise KeyError("lost")


def test_a_stranger_s_detector_is_found_and_may_fail_alone(monkeypatch):
    system = _stranger(monkeypatch, f"{__name__}:Lost")
    assert unfit_system("far", system) is None
    assert "blames" in registry.cause_ids()
    explained = _explained(get_detector("blames"), Blames(2, cause_id="other"))
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
    run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "groke-by-hand")
    explained = explained_run(run)
    assert cause_features(explained)["7"] == {"cause: same-direction"}
    (kept,) = tmp_path.rglob("*.json")
    monkeypatch.setattr(kept_causes, "explain_run", lambda run, after: pytest.fail("found anew"))
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


def test_a_limit_is_not_told_as_standing_still():
    run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "groke-by-hand")
    # its last reply names the place where it stands, in progress, for the fourth time
    likely = explain_episode(run.trace("13"), run.graph("13")).likely
    assert likely is not None
    assert likely.id == "limit-reached"
    assert "Sub-goal 5 was not completed in 4 tries" in likely.sentence
