"""A small file or folder of every format that NavViz reads, for damage."""

from __future__ import annotations

import bz2
import gzip
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import networkx as nx

from navviz.annotation.exchange import export
from navviz.annotation.records import (
    Difficulty,
    FailureLabel,
    Failures,
    Item,
    Mention,
    Mentions,
    Navigability,
    Rating,
)
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.formats.matterport import SUFFIX
from navviz.support.installation.files import samples_dir
from tests.grids import (
    grid_links,
    grid_rows,
    split_item,
    state_item,
    straight,
    write_grid,
    write_json,
    write_lines,
)
from tests.systems.groke.logs.test_steps import _line as call_line
from tests.systems.lhvln.logs.easi_run import write_run

PATH = straight()
ROOMS = ("objects_list", "observations_list_summarized", "observations_summarized", "rooms")


@dataclass(frozen=True)
class Sample:
    """A file that is damaged, what is opened to read it, and as what."""

    path: Path
    opened: Path
    kind: str
    """``data``, or the import it belongs to."""


def write_samples(folder: Path) -> list[Sample]:
    """Write one of each; the same at every call."""
    data, imports = folder / "data", folder / "imports"
    data.mkdir(parents=True)
    imports.mkdir()
    _write_outdoors(data)
    _write_house(data)
    _write_runs(data)
    _write_scenes(data)
    files = sorted(path for path in data.rglob("*") if path.is_file())
    return [Sample(path, _opened(path, data), "data") for path in files] + _write_imports(imports)


def _opened(path: Path, data: Path) -> Path:
    top = path.relative_to(data).parts[0]
    if top in ROOMS:
        return data / "connectivity"
    if top == "easi":
        return path if path.name == "val.jsonl" else next((data / top).rglob("config.json")).parent
    if top == "tasks" or (top.startswith("run") and not (data / top / "run.json").exists()):
        return path
    return data / top


def _write_outdoors(data: Path) -> None:
    write_grid(data / "town")
    write_json(data / "split.json", [split_item(PATH, 1), split_item(PATH, 2)])
    write_json(data / "states.json", {"5": state_item(PATH, ["r0c0", None, "r0c2", "r0c4"])})
    pano = {"id": 1, "route_panoids": list(PATH), "navigation_text": "Go.", "start_heading": 1}
    write_lines(data / "pano.jsonl", [json.dumps(pano)] * 2)
    (data / "panos").mkdir()
    write_lines(
        data / "panos" / "nodes.txt", [f"{key},0,{lat},{lng},dev" for key, lat, lng in grid_rows(3)]
    )
    write_lines(data / "panos" / "links.txt", [f"{a},{h},{b}" for a, h, b in grid_links(3)])
    (data / "steps").mkdir()
    replies = ['{"reasoning": "on", "next_place": "r0c2", "status": "IN_PROGRESS"}', "no JSON"]
    write_lines(
        data / "steps" / "step1_json.jsonl", [json.dumps(call_line(reply)) for reply in replies]
    )
    nodes = "".join(
        f'<node id="{k}" lat="{48 + k / 1000}" lon="11.0"><tag k="shop" v="x"/></node>'
        for k in range(5)
    )
    way = '<way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="footway"/></way>'
    text = f'<osm version="0.6"><bounds minlat="48"/>{nodes}{way}</osm>'.encode()
    (data / "town.osm").write_bytes(text)
    (data / "town.osm.gz").write_bytes(gzip.compress(text))
    (data / "town.osm.bz2").write_bytes(bz2.compress(text))
    streets = nx.MultiDiGraph(crs="epsg:4326", simplified="True")
    for key in range(4):
        streets.add_node(key, x="11.0", y=str(48 + key / 1000), street_count="2")
    for key in range(3):
        streets.add_edge(key, key + 1, osmid=str(key), length="111.0", oneway="False")
    nx.write_graphml(streets, data / "town.graphml")


def _write_house(data: Path) -> None:
    house = samples_dir() / "house"
    shutil.copytree(house / "connectivity", data / "connectivity")
    for kind in ROOMS:
        shutil.copytree(house / kind, data / kind)
    shutil.copy(house / "R2R_sample.json", data)
    items = json.loads((house / "R2R_sample.json").read_text())
    (data / "lines.jsonl.gz").write_bytes(
        gzip.compress("\n".join(json.dumps(item) for item in items).encode())
    )
    scan = next((house / "connectivity").glob(f"*{SUFFIX}")).name.removesuffix(SUFFIX)
    first = items[0]
    walk = {
        "instr_id": f"{first['path_id']}_0",
        "trajectory": [[node, 1.5, 0.0] for node in first["path"]],
    }
    write_json(data / "submit.json", [walk, {**walk, "trajectory": [first["path"]]}])
    write_json(
        data / "reverie.json", [{**first, "objId": 3, "id": f"{first['path_id']}_3", "scan": scan}]
    )


def _write_runs(data: Path) -> None:
    house, harbour = samples_dir() / "house", samples_dir() / "harbour"
    runs = [
        min(run.glob("*.*"), key=lambda path: path.stat().st_size) for run in _runs(house, harbour)
    ]
    for k, path in enumerate(runs):
        if path.stat().st_size < 120_000:
            (data / f"run{k}").mkdir()
            if path.is_file():  # pictures lie in a folder of their own
                shutil.copy(path, data / f"run{k}")
            if path.name.endswith(".trace.jsonl"):
                write_json(
                    data / f"run{k}" / "run.json",
                    {"run": f"run{k}", "navigator": "rules", "graphs": ["x"]},
                )
    shutil.copytree(harbour / "tasks", data / "tasks")


def _runs(*worlds: Path) -> list[Path]:
    return [run for world in worlds for run in sorted((world / "runs").iterdir())]


def _write_scenes(data: Path) -> None:
    (data / "easi").mkdir()
    write_run(data / "easi")
    (data / "scenes").mkdir()
    lines = [
        "Region id:_1, position:[0. 0. 0.]",
        "Id:240, name:kettle, position:[1.0, 0.5, -2.0]",
        "",
    ]
    write_lines(
        data / "scenes" / "00843-DYehNKdT76V.txt",
        [*lines, "Region id:_2, position:[0. 0. 0.]", lines[1]],
    )
    votes = [
        "Scene Name,Region #,Room Name",
        "00843-DYehNKdT76V,1,kitchen",
        '00843-DYehNKdT76V,2,"Tie: a & b"',
    ]
    write_lines(data / "scenes" / "Per_Scene_Region_Weighted_Votes.csv", votes)


def _ratings() -> list[Rating]:
    item = Item(dataset="map2seq", episode="5", run="rules")
    taxonomy = bundled_taxonomy()
    failures = Failures(
        taxonomy=taxonomy.name,
        taxonomy_version=taxonomy.version,
        labels=(FailureLabel(code=taxonomy.labels()[0].code, note="lost"),),
    )
    mentions = Mentions(mentions=(Mention(start=0, end=4, text="Walk"),))
    values = (
        Navigability(navigable=True, confidence=4, comment="fine, really"),
        Difficulty(linguistic=2, topological=3, operational=4),
        failures,
        mentions,
    )
    when = "2026-01-01T10:00:00+00:00"
    return [
        Rating(
            item=item,
            task=value.task,
            annotator="ann",
            value=value,
            revision=1,
            created=when,
            changed=when,
        )
        for value in values
    ]


def _write_imports(folder: Path) -> list[Sample]:
    ratings, harbour = _ratings(), samples_dir() / "harbour"
    text = {item.item: "Walk to the end." for item in ratings}
    axes = {"cognitive": 3, "spatial": 4, "execution": 2}
    known = next(
        name for name in bundled_taxonomy().foreign["groke"] if name.startswith("linguistic: ")
    )
    labels = {"linguistic": [{"value": [known.partition(": ")[2]], "user_id": "u-1"}], "agent": []}
    contents = {
        "jsonl.jsonl": export(ratings, "jsonl", text),
        "csv.csv": export(ratings, "csv"),
        "label_studio.json": export(ratings, "label_studio", text, taxonomy=bundled_taxonomy()),
        "groke.json": json.dumps(
            {"5": {"complexity": axes, "human_annotation": "1"}, "6": {"human_annotation": "0"}}
        ),
        "groke_failures.json": json.dumps([{"id": "5", "responses": labels}]),
        "extractions.json": json.dumps(
            {"5": [{"name": "bakery", "category": "shop", "score": 0.5}]}
        ),
        "prices.json": json.dumps({"m": {"prompt_usd": 2, "output_usd": 12, "cached_usd": 0.2}}),
        "script.json": json.dumps({"replies": [{"reply": "on", "thoughts": "hm"}]}),
    }
    samples = []
    for name, content in contents.items():
        (folder / name).write_text(content)
        samples.append(Sample(folder / name, folder / name, name.partition(".")[0]))
    shutil.copy(harbour / "study.jsonl", folder / "study.jsonl")
    shutil.copy(samples_dir().parent / "taxonomy_v1.json", folder / "taxonomy.json")
    samples.append(Sample(folder / "study.jsonl", folder / "study.jsonl", "jsonl"))
    samples.append(Sample(folder / "taxonomy.json", folder / "taxonomy.json", "taxonomy"))
    return samples
