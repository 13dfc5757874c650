"""Labels of the figure: over published episodes no two texts overlap, and no text covers a path."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from navviz.analysis.paper_figure import figure_of
from navviz.runs.opened import open_run
from navviz.views import palette
from navviz.views.figures.figure import FigureEpisode, episodes_figure
from navviz.views.figures.label_boxes import LabelBox, crossed, place_boxes
from tests.nights import by_day
from tests.paths import SAMPLES

NO_LINES = np.empty((0, 4))
AREA = (0.0, 0.0, 200.0, 200.0)


@pytest.fixture(scope="module")
def published(data_dir):
    return open_run(
        data_dir / "groke/paper_results/test_seen_json.json", graphs=data_dir / "map2seq/osm/graph"
    )


@pytest.mark.parametrize(
    "run",
    by_day(
        ["house/runs/navgpt-by-hand", "harbour/runs/rules-local"], ["house/runs/navgpt-by-hand"]
    ),
)
def test_samples_are_free_of_overlaps(run):
    """With wrong guesses (the run has some), and with the numbers of all steps."""
    opened = open_run(SAMPLES / run)
    for episode in opened.traces:
        trace, graph = opened.trace(episode), opened.graph(episode)
        figure = episodes_figure([figure_of(trace, graph, steps=range(1, len(trace.steps) + 1))])
        assert faults(figure) == [], episode
        assert not any("OpenStreetMap" in text.get_text() for text in figure.texts), (
            "the samples are invented"
        )


@pytest.mark.parametrize("run", ["house/runs/mgdm-scripted", "harbour/runs/groke-by-hand"])
def test_one_episode_fits_a_column_and_its_legend_takes_a_tenth(run):
    opened = open_run(SAMPLES / run)
    for episode in opened.traces:
        figure = episodes_figure([FigureEpisode(opened.trace(episode), opened.graph(episode))])
        figure.draw_without_rendering()
        width, height = figure.get_size_inches()
        assert (width, height <= 3.5 + 1e-9) == (3.5, True), episode
        legend = figure.legends[0].get_window_extent()
        share = legend.width * legend.height / (width * height * figure.dpi**2)
        assert share <= 0.1 + 1e-3, episode


def test_the_check_sees_a_text_on_a_path_and_on_a_text():
    opened = open_run(SAMPLES / "harbour" / "runs" / "rules")
    episode = next(iter(opened.traces))
    figure = episodes_figure([FigureEpisode(opened.trace(episode), opened.graph(episode), {})])
    x, y = paths(figure)[0].get_xydata()[0]
    figure.axes[0].text(x, y, "one")
    figure.axes[0].text(x, y, "two")
    assert len(faults(figure)) >= 3


def test_every_text_is_of_the_printed_size_and_inside():
    opened = open_run(SAMPLES / "harbour" / "runs" / "rules")
    for width, inches in (("single", 3.5), ("double", 7.16)):
        trace = next(iter(opened.traces.values()))
        figure = episodes_figure(
            [FigureEpisode(trace, opened.graph(trace.episode.id))], width=width
        )
        figure.draw_without_rendering()  # the legend's texts get their places when they are drawn
        assert figure.get_figwidth() == inches
        assert {text.get_fontsize() for text in texts(figure)} == {8.0}
        for text in texts(figure):
            box = text.get_window_extent()
            assert box.x0 >= 0, text
            assert box.x1 <= figure.bbox.x1, text
            assert box.y0 >= 0, text
            assert box.y1 <= figure.bbox.y1, text


def test_a_label_keeps_off_lines_symbols_and_labels():
    lines = np.array([[0.0, 100.0, 200.0, 100.0]])
    symbol = (95.0, 95.0, 105.0, 105.0)
    labels = [LabelBox((100.0, 100.0), (30.0, 8.0)) for _ in range(4)]
    placed = [one.box for one in place_boxes(labels, AREA, lines, [symbol]) if one is not None]
    assert len(placed) == 4
    for box in placed:
        assert not crossed(box, lines).any()
    for one, other in combinations([*placed, symbol], 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_a_label_moved_away_has_a_leader_from_its_place():
    symbols = [(80.0, 80.0, 120.0, 120.0)]
    (placed,) = place_boxes([LabelBox((100.0, 100.0), (30.0, 8.0))], AREA, NO_LINES, symbols)
    assert placed is not None
    assert placed.leader is not None
    assert placed.leader[0] == (100.0, 100.0)


@pytest.mark.parametrize("size", [(300.0, 8.0), (30.0, 300.0)])
def test_a_label_that_fits_nowhere_is_left_out(size):
    assert place_boxes([LabelBox((100.0, 100.0), size)], AREA, NO_LINES, []) == [None]


def test_the_name_of_a_room_stays_in_it():
    room, middle = (50.0, 50.0, 100.0, 80.0), (72.0, 62.0, 78.0, 68.0)
    wide, narrow = (
        LabelBox((75.0, 65.0), (60.0, 8.0), room),
        LabelBox((75.0, 65.0), (30.0, 8.0), room),
    )
    first, second = place_boxes([wide, narrow], AREA, NO_LINES, [middle])
    assert first is None
    assert second is not None
    assert room[0] <= second.box[0] < second.box[2] <= room[2]
    assert room[1] <= second.box[1] < second.box[3] <= room[3]


@pytest.mark.parametrize(("segment", "touches"), [
    ((-5.0, 5.0, 15.0, 5.0), True), ((5.0, 5.0, 5.0, 5.0), True), ((-5.0, 4.0, 4.0, 14.0), True),
    ((-5.0, 8.0, 4.0, 20.0), False), ((11.0, 0.0, 11.0, 10.0), False),
])  # fmt: skip
def test_which_segments_touch_a_box(segment, touches):
    assert crossed((0.0, 0.0, 10.0, 10.0), np.array([segment])).tolist() == [touches]


def texts(figure: Figure) -> list[Text]:
    every = [*figure.texts, *(text for axes in figure.axes for text in axes.texts)]
    every += [text for legend in figure.legends for text in legend.get_texts()]
    return [text for text in every if text.get_text()]


def paths(figure: Figure) -> list[Line2D]:
    colours = {palette.REFERENCE, palette.AGENT}
    lines = [line for axes in figure.axes for line in axes.lines]
    return [
        line for line in lines if line.get_color() in colours and line.get_linestyle() != "None"
    ]


def faults(figure: Figure) -> list[str]:
    """Name texts that overlap, and texts that hold a vertex of a path, by the extents that Agg
    draws.
    """
    figure.draw_without_rendering()
    boxes = [(text.get_text(), Text.get_window_extent(text)) for text in texts(figure)]
    result = [
        f"{a!r} on {b!r}" for (a, one), (b, other) in combinations(boxes, 2) if overlap(one, other)
    ]
    for line in paths(figure):
        points = line.axes.transData.transform(line.get_xydata())
        inside = [(name, box) for name, box in boxes if any(box.contains(x, y) for x, y in points)]
        result += [f"{name!r} on a path" for name, _ in inside]
    return result


def overlap(one: Bbox, other: Bbox) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1
