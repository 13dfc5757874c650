"""No text of data is compiled as a template of folium or branca, in any map that NavViz draws."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import folium
import jinja2
import pytest
from branca.element import Element
from streamlit_folium import _get_feature_group_string, _get_header, _get_html, _get_map_string

import navviz
from navviz.views.episode_map import episode_map
from navviz.views.figures.atlas import atlas_map, coloured, pack_atlas, packed_map, shown_walks
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.views.map_script import folium_text, script_json
from tests.alphabets import EVERY_PAYLOAD, HIT, PAYLOADS, PRODUCT
from tests.grids import crossing, grid
from tests.paths import ROOT
from tests.replays import full_trace, tiny_graph
from tests.sites import tiny_run

SIGN = "text-of-data "
"""Begins each text of data here, so that it is known wherever it stands."""
GRAPH = grid(3)


def _attributed(graph: navviz.Graph, text: str) -> navviz.Graph:
    return replace(graph, info=replace(graph.info, attribution=text))


def _walks(text: str) -> list[AtlasWalk]:
    return [AtlasWalk(text, ("r0c0", "r0c1"), "success", text, (), ("r0c1",), "r0c1")]


def _atlas(text: str) -> folium.Map:
    return atlas_map(_attributed(GRAPH, text), _walks(text))


def _traffic(text: str) -> folium.Map:
    walks = [AtlasWalk(text, ("r0c0", "r0c1"), "failure", text, ("r0c0",), ("r0c1",), "r0c1")]
    return atlas_map(_attributed(GRAPH, text), walks, density=True)


def _grouped(text: str) -> folium.Map:
    return packed_map(coloured(pack_atlas(GRAPH, _walks(text)), {text: text}))


def _floor(text: str) -> folium.Map:
    graph = crossing(text, text, text, 0.0)
    walks = [AtlasWalk(text, tuple(graph.ids), "failure", text, ("m",), ("m",), "m")]
    return atlas_map(_attributed(graph, text), walks, floor=0)


def _episode(text: str) -> folium.Map:
    return episode_map(full_trace(text=text), _attributed(tiny_graph(poi_name=text), text))


def _public(text: str) -> folium.Map:
    return navviz.to_folium(tiny_run(text, text, episode=text), text)


MAPS = [_atlas, _traffic, _grouped, _floor, _episode, _public]


@pytest.fixture
def compiled(monkeypatch):
    """Each source that Jinja compiles."""
    sources: list[str] = []
    compile_source = jinja2.Environment.compile

    def noted(self: Any, source: Any, *more: Any, **options: Any) -> Any:
        sources.append(str(source))
        return compile_source(self, source, *more, **options)

    monkeypatch.setattr(jinja2.Environment, "compile", noted)
    return sources


def _elements(element: Element) -> Iterator[Element]:
    yield element
    for name in ("header", "html", "script"):
        part = getattr(element, name, None)
        if isinstance(part, Element):
            yield from _elements(part)
    for child in element._children.values():
        yield from _elements(child)


def _pages(chart: folium.Map, out: Path) -> Iterator[str]:
    """Each way in which a map becomes a page; streamlit-folium's comes last, since it renames it."""
    yield chart.get_root().render()
    yield chart._repr_html_()
    chart.save(str(out))
    yield out.read_text(encoding="utf-8")
    group = shown_walks(_walks("x"), ["x"])
    yield from (_get_header(chart), _get_html(chart), _get_map_string(chart))
    yield _get_feature_group_string(group, chart)


@pytest.mark.parametrize("kind", PAYLOADS)
@pytest.mark.parametrize("draw", MAPS)
def test_no_text_of_data_is_compiled(draw, kind, compiled, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chart = draw(SIGN + " ".join(PAYLOADS[kind]))
    for page in _pages(chart, tmp_path / "map.html"):
        assert PRODUCT not in page
        assert f"<script>{HIT}" not in page
    assert compiled, "the pages were made by templates"
    assert [source for source in compiled if SIGN in source] == []
    for element in _elements(chart.get_root()):
        assert SIGN not in str(getattr(element, "_template_str", None))
    assert not (tmp_path / HIT).exists()


@pytest.mark.parametrize("text", EVERY_PAYLOAD)
def test_the_script_gets_the_text_as_it_is(text):
    page = _atlas(text).get_root().render()
    call = re.search(r"NavVizAtlas\.draw\(map_\w+, (\{.*\})\);", page)
    assert call is not None
    (walk,) = json.loads(call[1])["walks"]
    assert (walk["id"], walk["text"]) == (text, text)
    assert not re.search(r"\{[{%#]", call[1])


@pytest.mark.parametrize("text", EVERY_PAYLOAD)
def test_a_guarded_text_of_a_users_own_layers_is_shown(text, tmp_path):
    chart = _episode("x")
    mark = folium.Marker([0, 0], popup=folium.Popup(folium_text(text)))
    mark.add_child(folium.Tooltip(folium_text(text)))
    mark.add_to(chart)
    page = chart.get_root().render()
    assert page.count(folium_text(text)) == 2
    assert PRODUCT not in page


def test_json_of_a_script_is_the_data():
    data = {"a": {"{{": ["{%", "{{{#", "</script>", "'", "\u2028"]}, "b": [{}, {"c": {}}]}
    text = script_json(data)
    assert json.loads(text) == data
    assert not re.search("\\{[{%#]|[<'\u2028]", text)


def test_templates_are_written_in_one_module():
    writers = set()
    for path in (ROOT / "navviz").rglob("*.py"):
        if re.search(r"jinja2|branca|folium\.template", path.read_text(encoding="utf-8")):
            writers.add(path.name)
    assert writers == {"map_script.py"}
