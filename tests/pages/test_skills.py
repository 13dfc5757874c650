"""SkillNav on the pages: skills and tags in Explore and Evaluate, the task of judging skills,
Compare's warning.
"""

from __future__ import annotations

import json

from navviz.annotation.records import Item, Queue, SkillLabel, Skills
from navviz.runs.opened import OPEN_VARIABLE, OpenRun, load, samples
from navviz.ui.annotate.sheets import sheet_of
from tests.pages.listed import listed
from tests.paths import SAMPLES

RUN = "house/skillnav-by-hand"
LOG = "house/skillnav-router-log"


def open_run_named(name: str) -> OpenRun:
    return load(next(source for source in samples() if source.name == name))


def headings(at: object) -> list[str]:
    return [element.value for element in at.subheader]


def test_explore_shows_usage_router_and_tags(page):
    at = page("explore", panel="skills", run=LOG)
    assert not at.exception, at.exception[0].message
    assert headings(at) == [
        "How much each skill is used", "The router", "Beside another run",
        "Success by tag of the instruction",
    ]  # fmt: skip
    values = {metric.label: metric.value for metric in at.metric}
    assert values["Routed steps"] == "25"
    assert values["Another agent acted"] == "3", "every direction step, by the published table"
    wrong = next(frame.value for frame in at.dataframe if "Acted" in frame.value.columns)
    assert set(wrong["Acted"]) == {"Vertical Movement"}
    assert set(wrong["Named"]) == {"Direction Adjustment"}
    cues = next(
        frame.value for frame in at.dataframe if "Temporal relation or cue" in frame.value.columns
    )
    assert not any(label.startswith("temporal:") for label in cues["Temporal relation or cue"])


def test_the_paper_s_figures_stand_apart_and_only_where_they_are_asked_for(page):
    at = page("explore", panel="skills", run=LOG)
    assert not any("R2R val-unseen" in frame.value.columns for frame in at.dataframe)
    at.toggle(key="evaluate_skill_published").set_value(True).run()
    assert not at.exception, at.exception[0].message
    systems, routers, relations = (frame.value for frame in at.dataframe[-3:])
    assert systems.set_index("System").loc["SkillNav", "R2R val-unseen"] == "1.97 / 89 / 83 / 77"
    assert next(iter(routers["Router"])) == "random"
    assert relations.set_index("Relation").loc["bounded duration", "Temporal DUET SR"] == 84.18


def test_a_run_without_skills_shows_its_tags_alone(page):
    at = page("explore", panel="instruction-tags", run="house/rules-indoors")
    assert headings(at) == ["Success by tag of the instruction"]
    assert at.toggle(key="explore_panel_instruction-tags").value is True
    assert "Skills" not in [one.label for one in at.toggle]


def test_explore_compares_two_runs_by_skill(page):
    at = page("explore", panel="skills", run=RUN)
    assert "llm (stand-in)" in at.warning[0].value
    at.selectbox(key="evaluate_skill_other").select(LOG).run()
    assert not at.exception, at.exception[0].message
    table = next(frame.value for frame in at.dataframe if "Share, other" in frame.value.columns)
    direction = table[table["Skill"] == "Direction Adjustment"].iloc[0]
    assert direction["Share"] > 0
    assert direction["Share, other"] == 0


def test_nuances_are_offered_where_a_run_has_them(page):
    at = page("explore", panel="navnuances", run=RUN)
    assert "NavNuances" not in [one.label for one in at.toggle]
    assert not at.exception


def test_nuances_are_scored_by_class(tmp_path, monkeypatch, page):
    sample = json.loads((SAMPLES / "house" / "R2R_sample.json").read_text())[0]
    ends = sample["path"][-1:]
    fields = sample | {
        "path_id": "h-1",
        "instructions": ["go into the kitchen"],
        "valid_ends": ends,
    }
    (tmp_path / "R2R_RR.json").write_text(json.dumps([fields]))
    walk = [{"instr_id": "h-1_0", "trajectory": [[node] for node in sample["path"]]}]
    (tmp_path / "submit_RR.json").write_text(json.dumps(walk))
    opened = {"graphs": str(SAMPLES / "house" / "connectivity"), "episodes": str(tmp_path / "R2R_RR.json"),
              "results": str(tmp_path / "submit_RR.json")}  # fmt: skip
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps(opened))
    at = page("explore", panel="navnuances", run="submit_RR")
    assert not at.exception, at.exception[0].message
    table = at.dataframe[0].value
    assert list(table["Class"]) == ["RR: region recognition"] * 2
    assert list(table["Group"]) == ["all", "into"]
    assert list(table["SR"]) == [1.0, 1.0]
    assert list(table["OSR"]) == [1.0, 1.0]
    at.toggle(key="evaluate_nuances_published").set_value(True).run()
    assert at.dataframe[-1].value.set_index("System").loc["Region agent", "RR SR"] == 85.09


def test_explore_filters_by_tag(page):
    table = listed(page("explore", run="house/rules-indoors"))
    assert "Vertical Movement" in table.set_index("episode").loc["102_0", "skills"]
    assert len(table) == 10
    shown = listed(page("explore", run="house/rules-indoors", skills="Vertical Movement"))
    assert 0 < len(shown) < 10
    assert all("Vertical Movement" in skills for skills in shown["skills"])


def test_compare_warns_of_a_stand_in_beside_an_imported_run(page):
    at = page("compare", run=RUN, episode="102_0", other=LOG)
    assert "stand-in" in at.warning[0].value
    other = page("compare", run="house/rules-indoors", episode="102_0", other=LOG)
    assert not other.warning


def test_each_step_s_skill_is_judged_and_counted(page, store):
    item = Item(dataset="R2R", episode="102_0", run=LOG)
    store.study().queues.create(Queue(name="skills", task="skill", items=(item,), source=LOG))
    labels = [("Area and Region Identification", 1), ("Landmark Detection", 3)]
    [sheet] = [sheet_of(open_run_named(LOG), "skill", "102_0", None)]
    steps = {step["index"]: step for step in sheet["steps"]}
    assert len(steps) == 11, "the step without a sub-goal is left out"
    assert steps[1]["named"] == "Area and Region Identification"
    value = Skills(
        labels=tuple(
            SkillLabel(step=step, named=steps[step]["named"], skill=skill) for skill, step in labels
        )
    )
    assert [(label.step, label.right) for label in value.labels] == [(1, True), (3, False)]
    store.sign_in("fox").save(item, value, seen=0)
    found = page("explore", panel="skills", run=LOG)
    values = {metric.label: metric.value for metric in found.metric}
    assert values["Right, of 2 judged steps"] == "50.0 %"


def test_live_asks_for_a_model_only_where_the_settings_need_one(page):
    at = page("live", run="house/rules-indoors", episode="102_0")
    at.selectbox(key="live_navigator_metric").select("skillnav").run()
    assert any(box.key == "live_vendor" for box in at.selectbox)
    for name, value in (
        ("reorder", "rules"),
        ("localiser", "rules"),
        ("router", "random"),
        ("agents", "rules (stand-in)"),
    ):
        at.selectbox(key=f"live_set_skillnav_{name}").select(value).run()
    assert not at.exception, at.exception[0].message
    assert not any(box.key == "live_vendor" for box in at.selectbox)
