"""Samples of Matterport3D's houses, of the R2R family and of logs of agents that walk there, in a
small house.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from navviz.errors import Problems
from navviz.formats import open_graph
from navviz.formats.houses import read_captions
from navviz.records import Episode
from navviz.support.guarded import taking_notes
from navviz.systems.spatial import read_extended
from navviz.world.graph import Graph
from tests.formats.test_ndh import entry as ndh_entry
from tests.formats.test_ndh import house as ndh_house
from tests.metamorphic.sample import Digest, Sample, episode_table, graph_table, run_table
from tests.metamorphic.spellings import Part
from tests.systems.msnav.logs.printed import log_text
from tests.systems.msnav.scripts import HOUSE as SAMPLE_HOUSE
from tests.systems.msnav.scripts import follow, walk
from tests.systems.msnav.test_navigator import there_and_back

__all__ = ["SAMPLES"]

SCAN = "haus"
NODES = [f"{k:032x}" for k in range(0xA0, 0xA6)]
A, B, C, D, E, F = NODES
TEXTS = ["Geh über den Flur / am Sofa vorbei.", "Dann links, zum Café."]
NOT_PACKED = "nobody packs JSON so"
BY_NAME = "its files are known by their names"
ONE_LIST = "a connectivity file is one list"


@cache
def house() -> Graph:
    """Six viewpoints in a row, 2 m apart."""
    pairs = [(k, k + 1) for k in range(5)]
    links = np.array([*pairs, *((b, a) for a, b in pairs)], np.int32)
    places = np.array([[0, 2 * k, 1.5] for k in range(6)], float)
    return Graph(
        name=SCAN,
        frame="metric",
        ids=NODES,
        positions=places,
        sources=links[:, 0],
        targets=links[:, 1],
    )


def _viewpoint(k: int) -> dict[str, Any]:
    pose = [1, 0, 0, 2.5 * k, 0, 1, 0, 3, 0, 0, 1, 1.5, 0, 0, 0, 1]
    return {
        "image_id": NODES[k],
        "pose": pose,
        "included": k < 3,
        "visible": [abs(k - other) == 1 for other in range(4)],
        "unobstructed": [abs(k - other) == 1 for other in range(4)],
        "height": 1.5,
    }


SECTORS = [f"Ein Raum mit Tür {k}" for k in range(8)]
NEAR = [{"Sofa": {"heading": 45, "distance": 2}}] * 8
BOX = {
    "17": {"name": "sofa#groß", "visible_pos": [3, 4], "bbox2d": [[10, 20, 30, 40], [1, 2, 3, 4]]}
}
CAPTION = {"global_cap": "ein großer Raum", "dense_cap": [
    {"obj_class": "sofa", "coordinates": "1 2 3 4", "confidence": "0.81", "caption": "a sofa"}]}  # fmt: skip


def _house_table(folder: Path) -> Digest:
    table, count = graph_table(folder / "connectivity")
    problems = Problems()
    with taking_notes() as notes:
        captions = read_captions(folder, SCAN, problems)
    return (table, captions.views), count + problems.count + notes.problems.count


CONNECTIVITY = Sample(
    "Matterport3D",
    (
        Part(f"connectivity/{SCAN}_connectivity.json", "json", [_viewpoint(k) for k in range(4)]),
        Part(f"observations_list_summarized/{SCAN}.json", "json", {A: SECTORS}),
        Part(f"observations_summarized/{SCAN}_summarized.json", "json", {A: "Ein Flur, schön hell"}),
        Part(f"objects_list/{SCAN}.json", "json", {A: NEAR}),
        Part(f"rooms/{SCAN}.json", "json", {"floors": [{"name": "Erdgeschoß", "height_m": 3}], "rooms": []}),
        Part(f"BBox/{SCAN}_{A}.json", "json", {A: BOX}),
        Part(f"langnav/{SCAN}.json", "json", {A: {"3": CAPTION}}),
    ),
    _house_table,
    cannot={
        "another name": BY_NAME, "a list as lines": ONE_LIST,
        "keys sorted": "the order of objects is that of the keys",
        "keys reversed": "as for sorted keys",
        "numbers as texts": "the rooms of a house are kept as they are",
    },
)  # fmt: skip

ENTRY = {
    "distance": 4.5, "scan": SCAN, "path_id": 2365, "path": [A, B, C], "heading": 2,
    "instructions": TEXTS,
}  # fmt: skip
LISTED = {"bzip2": NOT_PACKED}


def _family(
    name: str, items: list[dict[str, Any]], file: str, ids: str = "path_id", kind: Any = "json"
) -> Sample:
    part = Part(file, kind, items, frozenset(ids.split()))
    renamed = {"another name": "the data set is told by the name, where no field tells it"}
    return Sample(
        name, (part,), episode_table, file, LISTED | (renamed if name in {"R4R", "GSA-R2R"} else {})
    )


R2R = _family("R2R", [ENTRY, {**ENTRY, "path_id": 2366}], "R2R_val.json")
R4R = _family("R4R", [ENTRY], "R4R_val.json")
GSA = _family("GSA-R2R", [ENTRY], "GSA-R2R_val.json")
RXR = _family(
    "RxR",
    [
        {"path_id": 7, "split": "val", "scan": SCAN, "heading": 2.5, "path": [A, B], "instruction_id": 70,
         "annotator_id": 3, "language": "de-DE", "instruction": TEXTS[0], "edit_distance": 0.5,
         "timed_instruction": [{"word": "Geh", "start_time": 0, "end_time": 1}]},
    ],
    "rxr_val.jsonl", "path_id instruction_id", "lines",
)  # fmt: skip
REVERIE = _family("REVERIE", [{**ENTRY, "id": "2365_17", "objId": 17, "ix": 3}], "REVERIE_val.json")
ENCODED = _family(
    "encoded R2R", [{"scan": SCAN, "path": [A, B], "heading": 1.5, "instr_id": "5_0", "path_id": 5,
                     "instruction": TEXTS[0], "instr_encoding": [101, 7, 102]}], "R2R_val_enc.json",
)  # fmt: skip
NUANCES = _family(
    "NavNuances",
    [{**ENTRY, "path_id": 12, "obj_center": [0, 1, 0.5], "instruction_template": "am {x} vorbei"}],
    "R2R_LR.json",
)
NUANCES = Sample(NUANCES.name, NUANCES.parts, episode_table, "R2R_LR.json", LISTED)
SPLIT = Part("R2R_val.json", "json", [ENTRY], frozenset({"path_id"}))
ORDERS = {"2365_0": "Am Sofa vorbei, über den Flur.", "2365_1": "Zum Café, dann links."}
REORDERED = Sample(
    "reordered instructions",
    (Part("orders.json", "json", ORDERS), SPLIT),
    episode_table,
    "orders.json",
    LISTED
    | {
        "a list as lines": "it is one object by instruction",
        "keys sorted": "the order of episodes is that of the keys",
        "keys reversed": "as for sorted keys",
    },
)
EXTENDED = [
    {"scan": SCAN, "path_id": 2365, "instruction": TEXTS[0], "final_destination_spatial_relations": "Süden"},
]  # fmt: skip


def _extended(path: Path) -> Digest:
    with taking_notes() as notes:
        read = read_extended(path)
    return list(read.entries.items()), notes.problems.count


EXTENDED_INSTRUCTIONS = Sample(
    "extended instructions", (Part("val_sr.json", "json", EXTENDED, frozenset({"path_id"})),), _extended, "val_sr.json",
    LISTED,
)  # fmt: skip

KNOWN = {
    key: Episode(
        id=key, dataset="R2R", instruction=TEXTS[int(key[-1])], world=SCAN, start=A, path_id="2365", goal=C,
        start_heading_deg=0, reference_path=(A, B, C), success_radius_m=3,
    )
    for key in ("2365_0", "2365_1")
}  # fmt: skip
FLAT = [
    {"instr_id": "2365_0", "trajectory": [[A, 0, 0], [B, 1, 0], [C, 1.5, 0]], "note": "Tür"},
    {"instr_id": "2365_1", "trajectory": [[A, 0, 0], [B, 2, 0]]},
]
NESTED = [{"instr_id": "2365_0", "trajectory": [[A], [B], [C]], "predObjId": 17, "note": "Tür"}]
RXR_KNOWN = {"70": KNOWN["2365_0"].model_copy(update={"id": "70"})}


def _results(
    name: str, items: list[dict[str, Any]], file: str, known: dict[str, Episode], *ids: str
) -> Sample:
    part = Part(file, "json", items, frozenset(ids))
    return Sample(name, (part,), lambda path: run_table(path, house(), known), file, LISTED)


LEADERBOARD = _results("R2R results", FLAT, "submit.json", KNOWN)
NESTED_RESULTS = _results("R2R results, nested", NESTED, "submit.json", KNOWN, "predObjId")
RXR_RESULTS = _results(
    "R2R results of RxR", [{"instruction_id": 70, "path": [A, B, C], "note": "Tür"}], "rxr.json", RXR_KNOWN,
    "instruction_id",
)  # fmt: skip


def _view(label: str, ways: str) -> str:
    return (
        f"{label}, range (left 22.50 to right 22.50):\n'Schöner Raum.'\n{label} Objects in 3m: None\n"
        f"{label} Navigable Viewpoints: {ways}"
    )


ON = _view("Front", f"{{'{C}': 'front 0.00, 2.00m'}}")
NAVGPT = [
    {
        "instr_id": "2365_0",
        "trajectory": [[A], [B]],
        "details": [
            {"viewpointID": B, "turned_angle": "Turn heading direction 0.00 degrees from right 0.00 to right 0.00.",
             "feature": ON, "history": "über den Flur"},
        ],
        "llm_thought": [
            f'Los.\nAction: action_maker\nAction Input: "{B}"', "Hier.\nFinal Answer: Finished!",
        ],
        "llm_observation": [f'\nCurrent Viewpoint "{B}":\n{ON}'],
        "llm_output": list("Finished!"),
    }
]  # fmt: skip
NAVGPT_LOG = _results("NavGPT logs", NAVGPT, "detail_val.json", KNOWN)
CASE = {"instr_id": "2365_0", "trajectory": [[A], [B], [C]], "a_t": {"0": 1, "1": 1, "2": 0}, "scan": SCAN,
        "evaluation": {"nav_error": [2], "note": "Tür"}}  # fmt: skip
CASES = _results("MapGPT predictions", [CASE], "submit_val.json", KNOWN)
ONE_CASE = Sample(
    "MapGPT predictions, one case",
    (Part("case_0.json", "json", CASE),),
    lambda path: run_table(path, house(), KNOWN),
    "case_0.json",
    {
        "a list as lines": "one case is one object",
        "bzip2": NOT_PACKED,
        "gzip": "its name ends in .json",
    },
)
WITH_STOPS = {A: {"stop_prob": 0.25}, B: {"stop_prob": 0.5}, C: {"stop_prob": 0.125}}
FLAT_STEPS = [[A, 0.5, 0], [B, 1.5, 0], [C, 1.25, 0.0]]
FLAT_DETAILS = _results(
    "SkillNav details, flat", [{"instr_id": "2365_0", "trajectory": FLAT_STEPS, "details": WITH_STOPS, "note": "Tür"}],
    "detail_val.json", KNOWN,
)  # fmt: skip
STOPS = {A: {"stop_prob": 0.25}, B: {"stop_prob": 1}, C: {"stop_prob": 0}}
DETAILS = _results(
    "SkillNav details", [{"instr_id": "2365_0", "trajectory": [[A], [B], [C]], "details": STOPS, "note": "Tür"}],
    "detail_val.json", KNOWN,
)  # fmt: skip


def _stamped(record: dict[str, Any], minute: int) -> tuple[Any, ...]:
    return (f"2025-06-01 10:{minute:02}:00,123 - ", (record,), "\n")


def _routed(seen: list[str], due: str, index: int) -> dict[str, Any]:
    return {
        "instr_id": "2365_0",
        "scan": SCAN,
        "full_instruction": TEXTS[0],
        "previous_viewpoints": [f"/bilder/{node}/vorne {{1}}.jpg" for node in seen],
        "previous_sub_instructions": ["Über den Flur."],
        "sub_instruction": due,
        "reasoning": 'Es sagt "geh", und } das ist getan.',
        "predicted_skill": "Direction Adjustment",
        "predicted_skill_index": index,
    }


STEP_LINE = "2025-06-01 10:59:00,000 - Step {}: Using expert indices: [{}] for obs: ['2365_0']\n"
ROUTER = Sample(
    "SkillNav router logs",
    (
        Part("val_router_outputs.log", "mixed", [
            *_stamped(_routed([A], "Über den Flur.", 4), 0), STEP_LINE.format(0, 4),
            *_stamped(_routed([A, B], "Dann links.", 1), 1), STEP_LINE.format(1, 1),
        ]),
    ),
    lambda path: run_table(path, house(), KNOWN),
    "val_router_outputs.log",
    {"bzip2": "nobody packs logs so", "no newline at the end": "a line that is printed has one: it is named"},
)  # fmt: skip
PREDICTED = {
    "instr_id": "2365_0",
    "trajectory": [[A, 0.5, 0], [B, 1.5, 0], [C, 1.25, 0]],
    "note": "Tür",
}
BESIDE_ROUTER = Sample(
    "SkillNav predictions beside a router log",
    (Part("submit_val.json", "json", [PREDICTED]), Part("val_router_outputs.log", "mixed", ROUTER.main.content)),
    lambda folder: run_table(_router_log(folder), house(), KNOWN),
    cannot={"another name": "a log is known by its name", "bzip2": "nobody packs logs so",
            "no newline at the end": ROUTER.cannot["no newline at the end"]},
)  # fmt: skip


def _router_log(folder: Path) -> Path:
    """Find the log, which a spelling may have packed."""
    return next(folder.glob("*.log*"))


@cache
def _sample_house() -> tuple[Graph, dict[str, Episode]]:
    from navviz.formats import open_episodes

    graph = open_graph(SAMPLE_HOUSE / "connectivity")
    known = dict(open_episodes(SAMPLE_HOUSE / "R2R_sample.json").episodes)
    known["101_0"] = known["101_0"].model_copy(update={"instruction": "Geh über den Flur."})
    return graph, known


def _printed() -> str:
    graph, known = _sample_house()
    value = known["101_0"]
    made = walk(value, graph, follow(graph, there_and_back(graph, value.start, 3)))
    return "Model version: schön\n" + log_text(made) + "Current case  -  steps: 3.00\n"


PRINTED = Sample(
    "MapGPT and MSNav logs",
    (Part("run.log", "text", _printed()),),
    lambda path: run_table(path, *_sample_house()),
    "run.log",
    {
        "gzip": "standard output is kept as .log, .out or .txt",
        "bzip2": "as for gzip",
        "no newline at the end": "a line that is printed has one: it is named",
    },
)

NDH_PART = Part(
    "NDH_val.json", "json",
    [ndh_entry(inst_idx=k, dialog_history=[{"nav_idx": 0, "role": "navigator", "message": TEXTS[0]}]) for k in (7, 8)],
    frozenset({"inst_idx", "game_idx"}),
)  # fmt: skip
NDH = Sample("NDH episodes", (NDH_PART,), episode_table, "NDH_val.json", LISTED)
NDH_PEOPLE = Sample(
    "NDH people's walks",
    (NDH_PART,),
    lambda path: run_table(path, ndh_house()),
    "NDH_val.json",
    LISTED,
)
NDH_KNOWN = {"70": KNOWN["2365_0"].model_copy(update={"id": "70"})}
NDH_RESULTS = _results(
    "R2R results of NDH", [{"inst_idx": 70, "trajectory": [[A, 0, 0], [B, 1, 0]], "note": "Tür"}], "ndh.json", NDH_KNOWN,
    "inst_idx",
)  # fmt: skip
SAMPLES = (
    CONNECTIVITY, R2R, R4R, GSA, RXR, REVERIE, ENCODED, NUANCES, REORDERED, EXTENDED_INSTRUCTIONS, LEADERBOARD,
    NESTED_RESULTS, RXR_RESULTS, NAVGPT_LOG, CASES, ONE_CASE, DETAILS, FLAT_DETAILS, ROUTER, BESIDE_ROUTER, PRINTED,
    NDH, NDH_PEOPLE, NDH_RESULTS,
)  # fmt: skip
