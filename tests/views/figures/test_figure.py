"""The figure for a paper: real files, one panel a floor, one font."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest

from navviz.formats import open_graph
from navviz.records import Episode, Landmark, Observation, SeenPoi, Step, Trace, TraceHeader
from navviz.runs.opened import open_run
from navviz.views.figures import print_type
from navviz.views.figures.figure import FigureEpisode, episodes_figure, figure_bytes
from navviz.views.figures.figure_panels import panels_of
from navviz.views.figures.print_type import drawable, missing_letters
from navviz.world.floors import find_floors
from navviz.world.graph import Graph
from tests.paths import SAMPLES
from tests.worlds import ROUTE, write_world


@pytest.fixture
def graph(tmp_path):
    return open_graph(write_world(tmp_path))


def _trace(*, route: list[str], walked: list[str], name: str = "Blue Door Café") -> Trace:
    episode = Episode(
        id="1", dataset="tiny", instruction="Walk.", start="s1", reference_path=tuple(route), goal=route[-1] if route else None,
        landmarks=(Landmark(name=name),),
    )  # fmt: skip
    seen = Observation(format="json", pois=(SeenPoi(name=name, node="e1", letter="B"),))
    step = Step(index=1, node="s1", path=tuple(walked), observation=seen)
    return Trace(
        header=TraceHeader(episode=episode, navigator="test"), steps=(step,) if walked else ()
    )


def _svg(trace: Trace, graph: Graph) -> bytes:
    return figure_bytes(episodes_figure([FigureEpisode(trace, graph)]), "svg")


def test_svg_holds_both_paths_the_landmark_and_a_legend(graph):
    svg = _svg(_trace(route=ROUTE, walked=["s1", "s0", "x", "n0"]), graph)
    words = " ".join(
        element.text or "" for element in ET.fromstring(svg).iter() if element.tag.endswith("text")
    )
    for word in ("reference", "agent", "start", "stop", "goal", "Blue Door Café", "50 m"):
        assert word in words


def test_the_same_episode_gives_the_same_bytes(graph):
    trace = _trace(route=ROUTE, walked=ROUTE)
    assert _svg(trace, graph) == _svg(trace, graph)


def test_png_and_pdf_are_what_they_say(graph):
    figure = episodes_figure([FigureEpisode(_trace(route=ROUTE, walked=ROUTE), graph)])
    assert figure_bytes(figure, "png", dpi=100).startswith(b"\x89PNG")
    assert figure_bytes(figure, "pdf").startswith(b"%PDF")


@pytest.mark.parametrize("name", ["<script>", "$\\frac{1", "a & b"])
def test_names_are_never_read_as_markup(graph, name):
    svg = _svg(_trace(route=ROUTE, walked=ROUTE, name=name), graph)
    assert name in {element.text for element in ET.fromstring(svg).iter()}


def test_an_episode_with_no_path_at_all_is_drawn(graph):
    assert _svg(_trace(route=[], walked=[]), graph).startswith(b"<?xml")


def test_an_episode_that_nobody_walked_shows_no_agent_and_no_divergence(graph):
    svg = _svg(_trace(route=ROUTE, walked=[]), graph)
    words = " ".join(element.text or "" for element in ET.fromstring(svg).iter())
    assert "reference" in words
    for word in ("agent", "stop", "divergence"):
        assert word not in words


def test_the_divergence_and_the_success_radius_stand_in_the_legend(graph):
    svg = _svg(_trace(route=ROUTE, walked=["s1", "s0", "x", "n0"]), graph)
    words = {element.text for element in ET.fromstring(svg).iter()}
    assert {
        "divergence (wrong turn)",
        "success radius 25 m",
        "N",
        "© OpenStreetMap contributors",
    } <= words


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


LATIN = "Łódź, 12 m · Ελλάδα · Ж"
ARABIC = "شارع"
"""DejaVu, which comes with matplotlib, has these letters; Source Sans has not."""
BOLD = "𝐀𝐁"
"""Of all fonts that come with matplotlib, STIX alone has these."""


@pytest.fixture
def no_fonts(monkeypatch):
    """A machine without any font of its own."""
    searches = (print_type._search, print_type._family_for, print_type._family_with)
    monkeypatch.setattr(print_type, "_installed", tuple)
    for search in searches:
        search.cache_clear()
    yield
    for search in searches:
        search.cache_clear()


def test_latin_greek_and_cyrillic_take_the_app_s_font():
    with print_type.print_type():
        assert drawable(LATIN) == LATIN
        assert mpl.rcParams["font.family"] == ["Source Sans Pro", "DejaVu Sans"]
    assert mpl.rcParams["font.family"] != ["Source Sans Pro", "DejaVu Sans"]


def test_letters_that_only_an_installed_font_has_come_after_the_app_s():
    with print_type.print_type():
        assert drawable(f"{ARABIC} {BOLD}") == f"{ARABIC} {BOLD}"
        assert mpl.rcParams["font.family"][0] == "Source Sans Pro"
        assert len(mpl.rcParams["font.family"]) == 3
    assert missing_letters([LATIN, ARABIC, BOLD]) == ""


@pytest.mark.usefixtures("no_fonts")
def test_letters_without_a_font_are_left_out_and_named():
    with print_type.print_type():
        assert drawable("Rue 街 $5") == "Rue  $5"
    missing = missing_letters(["Rue 街道", "తెలుగు", "café"])
    assert "Chinese characters (街道), Telugu (తలగ)" in missing
    assert "fonts-noto-cjk and fonts-noto-core" in missing
    assert missing_letters(["Rue de la Paix", ARABIC]) == ""


def test_the_bundled_fonts_carry_their_licence():
    folder = Path(print_type.asset("fonts"))
    fonts = [path for path in folder.iterdir() if path.suffix in {".ttf", ".woff2"}]
    assert len(fonts) == 3
    assert "SIL OPEN FONT LICENSE Version 1.1" in (folder / "OFL.txt").read_text()
