"""What the navigator took wrongly for a landmark: by hand, in the samples, and in their figures."""

from __future__ import annotations

import pytest

from navviz.analysis.paper_figure import figure_of, guesses_of_landmarks, parsed_steps
from navviz.errors import SettingsError
from navviz.records import Landmark, Observation, SeenPoi
from navviz.runs.opened import open_run
from navviz.views import palette
from navviz.views.figures.figure_panels import panels_of
from navviz.world.graph import Poi
from tests.paths import SAMPLES
from tests.replays import full_trace, tiny_graph


def _trace(name: str, *seen: SeenPoi, logged: bool = True):
    made = full_trace()
    shown = {2: seen}
    steps = tuple(
        step.model_copy(
            update={
                "observation": Observation(format="json", pois=shown.get(step.index, ()))
                if logged
                else None
            }
        )
        for step in made.steps
    )
    return made.model_copy(update={"landmarks": (Landmark(name=name),), "steps": steps})


def _cafe() -> Poi:
    return next(poi for poi in tiny_graph().pois.values() if poi.name == "Blue Door Café")


def _other() -> Poi:
    return next(poi for poi in tiny_graph().pois.values() if poi.name != "Blue Door Café")


def test_the_place_of_that_name_is_right_and_another_is_wrong() -> None:
    right = SeenPoi(name="Blue Door Café", poi_id=_cafe().id)
    wrong = SeenPoi(name="Blue Door Café", poi_id=_other().id)
    assert guesses_of_landmarks(_trace("Blue Door Café", right), tiny_graph()) == {}
    assert guesses_of_landmarks(_trace("Blue Door Café", wrong), tiny_graph()) == {
        "Blue Door Café": wrong
    }
    assert guesses_of_landmarks(_trace("Blue Door Café", wrong, right), tiny_graph()) == {}, (
        "it found it in the end"
    )


def test_nothing_taken_is_told_and_only_where_the_log_knows() -> None:
    assert guesses_of_landmarks(_trace("Blue Door Café"), tiny_graph()) == {"Blue Door Café": None}
    assert guesses_of_landmarks(_trace("Blue Door Café", logged=False), tiny_graph()) == {}
    assert guesses_of_landmarks(_trace("Rosemary's"), tiny_graph()) == {}, "it is not on the map"
    under_its_own_name = SeenPoi(name="Blue Door Café")
    assert guesses_of_landmarks(_trace("the Blue Door", under_its_own_name), tiny_graph()) == {}


def test_of_a_kind_any_near_the_route_is_right_and_one_far_away_is_wrong() -> None:
    run = open_run(SAMPLES / "harbour" / "runs" / "rules")
    guesses = guesses_of_landmarks(run.trace("10"), run.graph("10"))
    assert guesses["doctor"] is not None
    assert guesses["Tugboat Inn"] is None
    assert guesses_of_landmarks(run.trace("2"), run.graph("2")) == {}, (
        "three parks stand near that route"
    )


def test_the_figure_marks_them() -> None:
    pytest.importorskip("matplotlib")
    from navviz.views.figures.figure import episodes_figure

    run = open_run(SAMPLES / "harbour" / "runs" / "rules-local")
    shown = figure_of(run.trace("13"), run.graph("13"), steps=[1, 3])
    (panel,) = panels_of(shown)
    kinds = {place.name: place.kind for place in panel.places}
    assert kinds["Green Parrot nightclub"] == "landmark"
    assert kinds["Green Parrot nightclub?"] == "guess"
    assert [step.name for step in panel.steps] == ["1", "3"]
    figure = episodes_figure([shown])
    written = {
        text.get_text().replace("\n", " "): text.get_color() for text in figure.axes[0].texts
    }
    assert written["Green Parrot nightclub?"] == palette.BAD
    assert {"1", "3"} <= set(written)
    assert {"wrong guess of a landmark", "step"} <= {
        text.get_text() for text in figure.legends[0].get_texts()
    }


@pytest.mark.parametrize(
    ("text", "steps"), [("", []), ("1,5, 9", [1, 5, 9]), ("2-4;7", [2, 3, 4, 7]), (" 3–4 ", [3, 4])]
)
def test_steps_are_read_as_one_writes_them(text: str, steps: list[int]) -> None:
    assert parsed_steps(text) == steps


@pytest.mark.parametrize("text", ["x", "0", "4-2", "1,,b", "1-99999"])
def test_what_is_no_step_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match=r"1,5,9|the few that matter"):
        parsed_steps(text)
