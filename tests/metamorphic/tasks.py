"""Samples of LH-VLN's formats and of EASI's, of NavViz's own episodes and of ratings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from navviz.annotation.exchange import Format, export, parse, read_extractions
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
from navviz.errors import Problems
from navviz.formats import open_worlds
from navviz.records import Episode, Task
from navviz.support.guarded import decoded, read_text, taking_notes
from navviz.systems.lhvln.logs.training_log import parse_training_log
from tests.metamorphic.sample import Digest, Sample, episode_table, graph_table, run_table
from tests.metamorphic.spellings import Part
from tests.systems.lhvln.logs.easi_run import EPISODES, SCENE, _episode, _trajectory
from tests.systems.lhvln.logs.test_archives_and_logs import LOG
from tests.systems.lhvln.logs.test_folders import CONFIG, _trial
from tests.systems.lhvln.logs.test_scenes import LIST, VOTES

__all__ = ["SAMPLES"]

NOT_PACKED = "nobody packs JSON so"
BY_NAME = "its files are known by their names"
ONE_OBJECT = "it is one object"
OWN = Episode(
    id="e1", dataset="tasks", instruction="Zur Bank, dann zum Café.", world="town", start="1", success_radius_m=25,
    tasks=(Task(description="Zur Bank.", goals=("2", "3"), target="bank"),), extra={"rounds": 3},
)  # fmt: skip
OWN_LINES = Sample(
    "NavViz episodes",
    (Part("tasks.jsonl", "lines", [OWN.model_dump(mode="json"), OWN.model_copy(update={"id": "e2"}).model_dump(mode="json")]),),
    episode_table,
    "tasks.jsonl",
    {"lines as a list": "NavViz writes lines", "bzip2": NOT_PACKED},
)  # fmt: skip
SCENE_TEXT = LIST.replace("something else\n", "").replace("sofa, with", "Sofa für zwei, with")
_SCENE = Part(f"scene/{SCENE}.txt", "text", SCENE_TEXT)
_VOTES = Part("scene/Per_Scene_Region_Weighted_Votes.csv", "text", VOTES)
SCENES = Sample(
    "LH-VLN scene lists",
    (
        Part(f"scene/{SCENE}.txt", "text", SCENE_TEXT),
        Part(
            "scene/Per_Scene_Region_Weighted_Votes.csv", "text", VOTES.replace("Kitchen", "Küche")
        ),
    ),
    lambda folder: graph_table(folder / "scene"),
    cannot={"another name": BY_NAME, "gzip": BY_NAME, "bzip2": BY_NAME},
)
ROWS = [
    [cell.strip() for cell in line.split(",")]
    for line in VOTES.replace("Kitchen", "Küche").splitlines()
]
VOTE_ROWS = Sample(
    "LH-VLN votes",
    (Part("scene/Per_Scene_Region_Weighted_Votes.csv", "rows", ROWS), Part(f"scene/{SCENE}.txt", "text", SCENE_TEXT)),
    lambda folder: graph_table(folder / "scene"),
    cannot={
        "another name": BY_NAME, "gzip": BY_NAME, "bzip2": BY_NAME,

        "ids of rows as floats": "no column of them may lack a value, by which pandas makes floats of integers",
    },
)  # fmt: skip


def _told(name: str) -> dict[str, Any]:
    return {**_episode(name, EPISODES[name]), "instruction": "Erst zur Küche / dann zur Tür."}


EASI_EPISODES = Sample(
    "EASI episodes",
    (Part("val.jsonl", "lines", [_told("a1"), _told("b2")], frozenset({"regions"})),),
    episode_table,
    "val.jsonl",
    {"lines as a list": "EASI writes lines", "bzip2": NOT_PACKED, "ids as texts": "the regions of a split are texts",
     "ids as numbers": "as for texts", "ids as whole floats": "as for texts"},
)  # fmt: skip
SHORT = {**EPISODES["c3"], "steps": [3, 2]}


KITCHEN = """Region id:_0, position:[0. 0. 0.]
Id:1, name:kettle, position:[1.0, 0.5, -2.0]
Id:2, name:Tür, position:[1.5, 0.5, -2.0]
Region id:_1, position:[0. 0. 0.]
Id:3, name:lamp, position:[2.0, 0.5, -2.0]
"""
EASI_RUN = Sample(
    "EASI runs",
    (
        Part("run/episodes/000_c3/trajectory.jsonl", "lines", _trajectory(SHORT, replies=True, as_text=False)),
        Part("run/episodes/000_c3/result.json", "json", {"task_success": 0.0, "scene": SCENE, "instruction": "Zur Tür"}),
        Part("run/config.json", "json", {"cli_options": {"model": "schönes-model"}}),
        Part("val.jsonl", "lines", [_told("c3")]),
        Part(f"scene/{SCENE}.txt", "text", KITCHEN),
        Part(_VOTES.name, "text", f"{VOTES}{SCENE},0,0,0,9, Unknown room\n"),
    ),
    lambda folder: run_table(folder / "run", open_worlds(folder / "scene")),
    cannot={
        "another name": BY_NAME, "gzip": BY_NAME, "bzip2": BY_NAME, "lines as a list": "EASI appends line by line",
    },
)  # fmt: skip
STEP = {
    "trajectory path": "x", "start": 3, "end": 78, "target": ["Kessel"], "Region": ["10"], "Task instruction": "Zur Tür.",
    "start_pos": [1, 0, 2], "start_yaw": 180, "Robot": "spot", "Scene": SCENE,
}  # fmt: skip
ARCHIVE = {
    "0": {
        "lh_task": {**CONFIG, "gt_step": [80, 54], "Task instruction": "Den Kessel zur Küche."},
        "st_task": [STEP],
    },
    "1": {"lh_task": {**CONFIG, "Task instruction": "Zur Tür."}, "st_task": []},
}
ARCHIVES = Sample(
    "LHPR-VLN archives",
    (Part("batch_6.json", "json", ARCHIVE),),
    episode_table,
    "batch_6.json",
    {
        "bzip2": NOT_PACKED, "another name": "the batch is told by the name", "a list as lines": ONE_OBJECT,
        "keys sorted": "of two archives of one text the first counts",
        "keys reversed": "as for sorted keys",
    },
)  # fmt: skip
STEP_TASKS = Sample(
    "LHPR-VLN step tasks",
    (Part("step_task/batch_7/a.json", "json", STEP),),
    lambda folder: episode_table(folder / "step_task"),
    cannot={"another name": "any name will do, but ends in .json", "gzip": "its files end in .json",
            "bzip2": NOT_PACKED, "a list as lines": ONE_OBJECT},
)  # fmt: skip
PLACES = [[5, 0.5, 1], [5, 0.5, 0.5], [5, 0, 0.5], [5, 0, 0.5], [1.5, 0, -2], [1.5, 0, -2]]
TASK = "task/batch_7/2/Zur Kueche"
GERMAN = {
    **CONFIG,
    "Task instruction": "Den Kessel zur Küche / zum Bett.",
    "gt_step": [2, 3],
    "Start pos": [5, 0, 1],
}
_CONFIG = Part(f"{TASK}/config.json", "json", GERMAN)
FOLDERS = {
    "another name": BY_NAME,
    "gzip": BY_NAME,
    "bzip2": BY_NAME,
    "a list as lines": ONE_OBJECT,
}
TRIALS = Sample(
    "LHPR-VLN task folders",
    (
        _CONFIG,
        Part(f"{TASK}/success/trial_1/task.json", "json", {**GERMAN, **_trial(PLACES)}),
        _SCENE,
        _VOTES,
    ),
    lambda folder: run_table(folder, open_worlds(folder / "scene")),
    cannot=FOLDERS,
)
TASKS = Sample("LHPR-VLN tasks", (_CONFIG,), episode_table, cannot=FOLDERS)


def _training(path: Path) -> Digest:
    with taking_notes() as notes:
        read = parse_training_log(decoded(path.read_bytes(), path), path.name)
    return (read.rows(), read.events), notes.problems.count + read.problems.count


TRAINING = Sample(
    "LH-VLN training logs",
    (
        Part(
            "train.log",
            "text",
            LOG.replace("kettle", "Kessel für Tee").removesuffix(f"{LOG.splitlines()[-1]}\n"),
        ),
    ),
    _training,
    "train.log",
    {
        "gzip": "the training writes it as it runs",
        "bzip2": "as for gzip",
        "no newline at the end": "a line that is printed has one: it is named",
    },
)


def _imported(form: Format) -> Any:
    def read(path: Path) -> Digest:
        with taking_notes() as notes:
            ratings, problems = parse(read_text(path), form, file=path.name)
        rows = [rating.model_dump(mode="json", exclude={"id"}) for rating in ratings]
        return rows, problems.count + notes.problems.count

    return read


UPLOADED = {"gzip": "imports are chosen in the browser, unpacked", "bzip2": "as for gzip"}


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


_TEXTS = {rating.item: "Geh zum Ende der Straße." for rating in _ratings()}
_LINES = [json.loads(line) for line in export(_ratings(), "jsonl", _TEXTS).splitlines()]
RATING_LINES = Sample(
    "ratings as lines", (Part("r.jsonl", "lines", _LINES),), _imported("jsonl"), "r.jsonl",
    UPLOADED | {"lines as a list": "NavViz writes lines"},
)  # fmt: skip
LABEL_STUDIO = Sample(
    "ratings of Label Studio",
    (Part("r.json", "json", json.loads(export(_ratings(), "label_studio", _TEXTS, taxonomy=bundled_taxonomy()))),),
    _imported("label_studio"), "r.json", UPLOADED | {"a list as lines": "Label Studio exports one list"},
)  # fmt: skip
GROKE_RATINGS = Sample(
    "ratings of GROKE",
    (Part("r.json", "json", {"5": {"complexity": {"cognitive": 3, "spatial": 4, "execution": 2}, "human_annotation": "1",
                                   "note": "schön"}}),),
    _imported("groke"), "r.json", UPLOADED | {"a list as lines": ONE_OBJECT},
)  # fmt: skip


def _extractions(path: Path) -> Digest:
    problems = Problems()
    with taking_notes() as notes:
        read = read_extractions(decoded(path.read_bytes(), path), path.name, problems)
    return read, problems.count + notes.problems.count


EXTRACTIONS = Sample(
    "landmark extractions",
    (Part("e.json", "json", {"5": [{"name": "Bäckerei", "category": "shop", "score": 1}]}),),
    _extractions, "e.json", UPLOADED | {"a list as lines": ONE_OBJECT},
)  # fmt: skip

SAMPLES = (
    OWN_LINES, SCENES, VOTE_ROWS, EASI_EPISODES, EASI_RUN, ARCHIVES, STEP_TASKS, TRIALS, TASKS, TRAINING, RATING_LINES,
    LABEL_STUDIO, GROKE_RATINGS, EXTRACTIONS,
)  # fmt: skip
