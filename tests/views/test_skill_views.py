"""Skills in the player's document, in thumbnails and in figures: one colour each, from one
place.
"""

from __future__ import annotations

from navviz.language.skills import SKILLS, Skill, skill_legs, skill_that_ran
from navviz.runs.opened import load
from navviz.runs.sources import samples
from navviz.views.figures.marked_text import skill_legend, usage_figure
from navviz.views.figures.overview import thumbnail_points
from navviz.views.palette import SKILL_COLOURS
from navviz.views.player.document import replay_document


def sample(name: str):
    return load(next(source for source in samples() if source.name == name))


def test_the_document_names_each_step_s_skill_and_the_walk_back():
    run = sample("house/skillnav-by-hand")
    trace = run.trace("108_0")
    document = replay_document(trace, run.graph("108_0"))
    assert [skill["name"] for skill in document["skills"]] == [skill.value for skill in SKILLS]
    assert [skill["colour"] for skill in document["skills"]] == list(SKILL_COLOURS.values())
    values = [document["skills"][step["skill"]]["name"] for step in document["steps"]]
    assert values == [skill_that_ran(step).value for step in trace.steps]
    assert [step.get("walk_back") for step in document["steps"]] == [None] * 7 + [True]


def test_a_run_without_skills_has_none_in_its_document():
    run = sample("house/rules-indoors")
    document = replay_document(run.trace("102_0"), run.graph("102_0"))
    assert "skills" not in document
    assert all("skill" not in step for step in document["steps"])


def test_thumbnails_take_the_colour_of_the_skill_that_acted():
    run = sample("house/skillnav-router-log")
    trace, graph = run.trace("102_0"), run.graph("102_0")
    legs = [(SKILL_COLOURS[skill] if skill else None, nodes) for skill, nodes in skill_legs(trace)]
    drawn = thumbnail_points(graph, trace.episode.reference_path, trace.path, legs)
    assert [colour for colour, _ in drawn["l"]] == [colour for colour, _ in legs]
    assert SKILL_COLOURS[Skill.VERTICAL] in {colour for colour, _ in drawn["l"]}
    plain = thumbnail_points(graph, trace.episode.reference_path, trace.path, [(None, trace.path)])
    assert plain == thumbnail_points(graph, trace.episode.reference_path, trace.path)


def test_colours_are_told_apart_and_named():
    assert len(set(SKILL_COLOURS.values())) == 5
    legend = skill_legend("<b>")
    assert "&lt;b&gt;" in legend
    assert all(skill.value in legend and SKILL_COLOURS[skill] in legend for skill in SKILLS)
    figure = usage_figure(
        [("all", dict.fromkeys(SKILLS, 0.2)), ("in failures", dict.fromkeys(SKILLS))], "#000"
    )
    assert [bar.marker.color for bar in figure.data] == list(SKILL_COLOURS.values())
    assert [tuple(bar.x) for bar in figure.data] == [(20.0, 0.0)] * 5


def test_the_sample_log_is_read_with_its_original_instructions():
    run = sample("house/skillnav-router-log")
    assert not run.problems.kept
    assert set(run.traces) == {"101_0", "102_0", "108_0"}
    assert run.scores.means["SR"] == 1.0
    trace = run.trace("101_0")
    assert (
        trace.plan_panels[0].data["original"].startswith("Come in through the front door and take")
    )


def test_the_sample_has_an_instruction_told_in_another_order_than_done():
    (order,) = sample("house/skillnav-by-hand").trace("104_1").plan_panels
    assert [part["moved"] for part in order.data["parts"]].count(True) == 3
    assert [tag["cue"] for tag in order.data["relations"]] == ["until", "once", "after"]
