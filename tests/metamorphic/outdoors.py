"""Samples of Map2Seq's and GROKE's formats, of OpenStreetMap's and of our own traces, on a small
street grid.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from navviz.records.trace_files import unfold
from navviz.support.guarded import taking_notes
from navviz.systems.groke.logs.individual_results import read_individual_results
from navviz.world.graph import Graph
from tests.grids import episode, grid, grid_links, grid_rows, state_item, straight, trace
from tests.metamorphic.sample import Sample, episode_table, graph_table, run_table
from tests.metamorphic.spellings import Part
from tests.systems.groke.logs.test_steps import SECOND, _line, _reply
from tests.systems.velma.made import output, panoramas

__all__ = ["SAMPLES"]

TEXT = "Geh über die Straße / vorbei am Café, dann links."
ROWS = "a spelling of JSON; the files hold rows of cells"


def number(node: str) -> str:
    """Return a node of the grid under a number, as Map2Seq's nodes have them: r2c3 is 4203."""
    return f"4{node[1]}0{node[3]}"


def streets() -> Graph:
    """Return the grid with numbers for ids."""
    made = grid()
    made.ids = [number(node) for node in made.ids]
    return made


STREETS = streets()
PATH = tuple(number(f"r0c{k}") for k in range(5))
IDS = frozenset({"osm_path", "predicated_path", "instructions_id", "instruction_id"})
NODES = tuple((number(node), repr(lat), repr(lng)) for node, lat, lng in grid_rows(4))
LINKS = tuple((number(a), heading, number(b)) for a, heading, b in grid_links(4))
CAFE = json.dumps({"amenity": "cafe", "name": "Café Süd, am Platz"}, ensure_ascii=False)
POIS = (
    ("77", NODES[0][1], NODES[0][2], CAFE),
    ("78", NODES[5][1], NODES[5][2], '{"shop": "bakery"}'),
)
POI_LINKS = ((NODES[0][0], 10, *NODES[0][1:], "77"), (NODES[5][0], 0, *NODES[5][1:], "78"))
BY_NAME = "its four files are known by their names"
PACKED_ROWS = "nodes.txt and links.txt are known by these names, packed ones are not looked for"

TOWN = Sample(
    "Map2Seq graph",
    (
        Part("graph/nodes.txt", "rows", NODES, frozenset("0")),
        Part("graph/links.txt", "rows", LINKS, frozenset("02")),
        Part("graph/pois.txt", "rows", POIS, frozenset("0")),
        Part("graph/poi_links.txt", "rows", POI_LINKS, frozenset("04")),
    ),
    graph_table,
    cannot={"another name": BY_NAME, "gzip": PACKED_ROWS, "bzip2": PACKED_ROWS},
)
PANOS = Sample(
    "panorama graph",
    (
        Part(
            "panos/nodes.txt",
            "rows",
            [(a, 12.5, lat, lng, "seen") for a, lat, lng in NODES],
            frozenset("0"),
        ),
        Part("panos/links.txt", "rows", LINKS, frozenset("02")),
    ),
    lambda folder: graph_table(folder / "panos"),
    cannot={
        "another name": BY_NAME,
        "gzip": PACKED_ROWS,
        "bzip2": PACKED_ROWS,
        "Latin-1": "its cells are ASCII",
    },
)
TOUCHDOWN_GRAPH = Sample(
    "panorama graph of Touchdown",
    (
        Part("td/nodes.txt", "rows", [(a, 12.5, lat, lng) for a, lat, lng in NODES], frozenset("0")),
        Part("td/links.txt", "rows", LINKS, frozenset("02")),
    ),
    lambda folder: graph_table(folder / "td"),
    cannot=PANOS.cannot,
)  # fmt: skip


def _split_item(key: int, **changes: Any) -> dict[str, Any]:
    panos = [f"Pano_{k:017}" for k in range(5)]
    route = {"pano_path": panos, "osm_path": [int(node) for node in PATH], "initial_heading": 90}
    return {"route": route, "instructions": TEXT, "instructions_id": key, "round": 2, **changes}


SPLIT = Sample(
    "Map2Seq split",
    (Part("map2seq/split.json", "json", [_split_item(1), _split_item(20), _split_item(300)], IDS),),
    episode_table,
    "map2seq/split.json",
    {"bzip2": "nobody packs JSON so"},
)
PANO = {
    "id": 7,
    "route_panoids": list(PATH),
    "navigation_text": TEXT,
    "start_heading": 210,
    "instructions_id": 12,
}
PANO_LINES = Sample(
    "panorama episodes",
    (
        Part(
            "town/pano.jsonl",
            "lines",
            [PANO, {**PANO, "id": 8, "instructions_id": 13}],
            frozenset({"id", "instructions_id"}),
        ),
    ),
    episode_table,
    "town/pano.jsonl",
    {"bzip2": "nobody packs JSON so"},
)
TOUCHDOWN_LINES = Sample(
    "Touchdown episodes",
    (
        Part(
            "td/dev.json",
            "lines",
            [{"route_id": 5, "route_panoids": list(PATH), "navigation_text": TEXT, "start_heading": 30,
              "td_location_text": "Am Café", "main_pano": "p"}],
            frozenset({"route_id"}),
        ),
    ),
    episode_table,
    "td/dev.json",
    PANO_LINES.cannot,
)  # fmt: skip
MANH50_LINES = Sample(
    "manh50 episodes",
    (
        Part(
            "manh/dev.json",
            "lines",
            [{"route_id": 5, "route_panoids": list(PATH), "navigation_text": TEXT, "start_pano": PATH[0],
              "end_pano": PATH[-1]}],
            frozenset({"route_id"}),
        ),
    ),
    episode_table,
    "manh/dev.json",
    PANO_LINES.cannot,
)  # fmt: skip
STATES = {
    "5": state_item(PATH, [int(node) for node in PATH], full_instructions=TEXT, other=3),
    "17": state_item(PATH, [int(PATH[0]), None, int(PATH[2])], full_instructions=TEXT, json={
        "status": "IN_PROGRESS", "predicated_path": [int(PATH[0]), None, int(PATH[2])], "current_instruction_index": 1,
        "num_retry_current_instruction": 2, "current_instruction_status": "IN_PROGRESS",
    }),
}  # fmt: skip
ONE_OBJECT = "a state file is one object by id"
STATE_PART = Part("states.json", "json", STATES, IDS)
STATE_CANNOT = {"a list as lines": ONE_OBJECT, "bzip2": "nobody packs JSON so"}
GROKE_STATES = Sample(
    "GROKE states", (STATE_PART,), lambda path: run_table(path, STREETS), "states.json",
    STATE_CANNOT | {"keys sorted": "the order of episodes is that of the keys", "keys reversed": "as for sorted keys"},
)  # fmt: skip
GROKE_EPISODES = Sample(
    "episodes of GROKE states", (STATE_PART,), episode_table, "states.json", GROKE_STATES.cannot,
)  # fmt: skip


def _step(reply: str, key: int, **changes: Any) -> dict[str, Any]:
    line = _line(reply, key=key, **changes)
    line["request"]["systemInstruction"] = {"parts": [{"text": TEXT}]}
    return line


STEP_NAMES = "its files are known as stepN_METHOD.jsonl"
STEPS = Sample(
    "GROKE step logs",
    (
        Part("logs/step1_json.jsonl", "lines", [_step(_reply("r0c2"), 5), _step(_reply("r0c1"), 6)], frozenset({"key"})),
        Part("logs/step2_json.jsonl", "lines", [_step(_reply("r0c4"), 5, node="r0c2", plan=SECOND)], frozenset({"key"})),
    ),
    lambda folder: run_table(folder / "logs", grid(), {key: episode(straight(), key) for key in ("5", "6")}),
    cannot={
        "another name": STEP_NAMES, "gzip": STEP_NAMES, "bzip2": STEP_NAMES,
        "lines as a list": "Gemini's batch service writes lines",
    },
)  # fmt: skip
SHARES = {
    "navigation_error": 12.5, "success": True, "oracle_success": True, "sdtw": 1.0, "ndtw": 0.75,
}  # fmt: skip
FIGURES = [
    {"key": 5, "num_sub_goals": 3, "methods": {"json é": {"status": "DONE", "nav_metrics": SHARES}}}
]


def _figures(path: Path) -> tuple[Any, int]:
    with taking_notes() as notes:
        return read_individual_results(path), notes.problems.count


INDIVIDUAL = Sample(
    "GROKE individual results",
    (Part("individual_results.json", "json", FIGURES, frozenset({"key"})),),
    _figures,
    "individual_results.json",
    {
        "a list as lines": "GROKE's scripts write one list",
        "gzip": "read by `verify --paper` alone, unpacked", "bzip2": "as for gzip",
    },
)  # fmt: skip


def _events(key: str) -> list[dict[str, Any]]:
    own_episode = episode(
        [f"r0c{k}" for k in range(5)], key, instruction=TEXT, start_heading_deg=90
    )
    walk = trace(own_episode, [("r0c0", "r0c1"), ("r0c1", "r0c2", "r0c3"), ()])
    return [event.model_dump(mode="json") for event in unfold(walk)]


TRACE_CANNOT = {"lines as a list": "a trace is appended to line by line"}
TRACE = Sample(
    "NavViz traces",
    (Part("e1.trace.jsonl", "lines", _events("e1")),),
    lambda path: run_table(path, grid()),
    "e1.trace.jsonl",
    TRACE_CANNOT,
)
TRACE_EPISODES = Sample(
    "episodes of NavViz traces", (Part("e1.trace.jsonl", "lines", _events("e1")),), episode_table, "e1.trace.jsonl",
    TRACE.cannot,
)  # fmt: skip

_OSM = "".join(
    f'  <node id="{k}" lat="{48 + k / 1000}" lon="11.0"><tag k="shop" v="Bäcker"/></node>\n'
    for k in range(1, 6)
)
_WAY = '  <way id="9"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="5"/><tag k="highway" v="footway"/></way>\n'
OSM = Sample(
    "OpenStreetMap XML",
    (Part("town.osm", "text", f'<osm version="0.6">\n{_OSM}{_WAY}</osm>\n'),),
    graph_table,
    "town.osm",
    {"Latin-1": "XML says its encoding itself; without a word it is UTF-8"},
)
_KEY = '  <key id="{0}" for="{1}" attr.name="{2}" attr.type="string"/>\n'
_KEYS = "".join(
    _KEY.format(*key)
    for key in (
        ("x", "node", "x"),
        ("y", "node", "y"),
        ("n", "edge", "name"),
        ("c", "graph", "crs"),
    )
)
_NODES = "".join(
    f'    <node id="{k}"><data key="x">11.0</data><data key="y">{48 + k / 1000}</data></node>\n'
    for k in range(4)
)
_EDGES = "".join(
    f'    <edge id="0" source="{k}" target="{k + 1}"><data key="n">Süd</data></edge>\n'
    for k in range(3)
)
GRAPHML = Sample(
    "GraphML",
    (
        Part(
            "town.graphml",
            "text",
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
            f'{_KEYS}  <graph edgedefault="directed"><data key="c">epsg:4326</data>\n{_NODES}{_EDGES}  </graph>\n'
            "</graphml>\n",
        ),
    ),
    graph_table,
    "town.graphml",
    {
        "Latin-1": OSM.cannot["Latin-1"],
    },
)  # fmt: skip

VELMA_PART = Part("dev_results.json", "json", output(), frozenset({"idx"}))
VELMA = Sample(
    "VELMA outputs", (VELMA_PART,), lambda path: run_table(path, panoramas()), "dev_results.json",
    {"a list as lines": "an output is one object", "bzip2": "nobody packs JSON so"},
)  # fmt: skip
VELMA_EPISODES = Sample(
    "episodes of VELMA outputs", (VELMA_PART,), episode_table, "dev_results.json", VELMA.cannot,
)  # fmt: skip
SAMPLES = (
    TOWN, PANOS, TOUCHDOWN_GRAPH, SPLIT, PANO_LINES, TOUCHDOWN_LINES, MANH50_LINES, GROKE_STATES,
    GROKE_EPISODES, STEPS, INDIVIDUAL, TRACE, TRACE_EPISODES, OSM, GRAPHML, VELMA, VELMA_EPISODES,
)  # fmt: skip
