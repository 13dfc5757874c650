"""Indoors the figure has one panel a floor: nothing superposed, nothing cropped."""

import numpy as np
import pytest

from navviz.runs.opened import open_run
from navviz.views.figures.figure import FigureEpisode, episodes_figure
from navviz.views.figures.figure_panels import panels_of
from navviz.world.floors import find_floors
from tests.paths import SAMPLES


@pytest.fixture(scope="module")
def house():
    return open_run(SAMPLES / "house" / "runs" / "navgpt-by-hand")


def test_one_panel_for_each_floor_that_is_touched(house):
    counts = set()
    for episode, trace in house.traces.items():
        graph = house.graph(episode)
        floors = find_floors(graph)
        touched = {floors.of[node] for node in (*trace.path, *trace.episode.reference_path)}
        panels = panels_of(FigureEpisode(trace, graph))
        assert [panel.title for panel in panels] == [floors.names[k] for k in sorted(touched)]
        counts.add(len(panels))
    assert counts == {1, 2}


def test_streets_and_paths_of_a_panel_stand_on_its_floor(house):
    for episode, trace in house.traces.items():
        graph = house.graph(episode)
        floors = find_floors(graph)
        panels = panels_of(FigureEpisode(trace, graph))
        for panel in panels:
            own = {node for node in graph.ids if floors.names[floors.of[node]] == panel.title}
            places = {tuple(graph.position(node)[:2]) for node in own}
            stairs = {at for kind, at in panel.marks if kind == "stairs"}
            assert {tuple(at) for at in panel.streets.reshape(-1, 2).tolist()} <= places
            for line in (*panel.reference, *panel.walked):
                assert {tuple(at) for at in line.tolist()} <= places | stairs
        marked = [kind for panel in panels for kind, _ in panel.marks if kind != "stairs"]
        assert len(marked) == len(set(marked)), "start, stop and goal stand on one floor each"


def test_every_step_of_the_walk_is_drawn(house):
    for episode, trace in house.traces.items():
        graph = house.graph(episode)
        drawn = {
            tuple(at)
            for panel in panels_of(FigureEpisode(trace, graph))
            for line in panel.walked
            for at in line.tolist()
        }
        assert drawn == {tuple(graph.position(node)[:2]) for node in trace.path}


def test_nothing_is_cropped(house):
    for episode, trace in house.traces.items():
        graph = house.graph(episode)
        panels = panels_of(FigureEpisode(trace, graph))
        figure = episodes_figure([FigureEpisode(trace, graph)])
        assert len(figure.axes) == len(panels)
        for panel, axes in zip(panels, figure.axes, strict=True):
            shapes = [*panel.reference, *panel.walked, *(room.outline for room in panel.rooms)]
            every = np.vstack([shape for shape in shapes if shape is not None])
            (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
            assert ((every >= (left, bottom)) & (every <= (right, top))).all(), (
                episode,
                panel.title,
            )
            scale = (right - left) / axes.bbox.width, (top - bottom) / axes.bbox.height
            assert scale[0] == pytest.approx(scale[1]), "a metre is as long upwards as sideways"


def test_a_house_names_no_north(house):
    trace = next(iter(house.traces.values()))
    assert "N" not in {
        text.get_text()
        for text in episodes_figure([FigureEpisode(trace, house.graph(trace.episode.id))]).texts
    }
