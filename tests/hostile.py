"""A world and a run with a payload in every text."""

from __future__ import annotations

import json
import re
from pathlib import Path

from navviz.records import Trace
from navviz.records.trace_files import write_trace
from tests.alphabets import HIT, PAYLOADS
from tests.replays import full_trace
from tests.worlds import write_world

TEXTS = {kind: " ".join(texts) for kind, texts in PAYLOADS.items()}
EVERYTHING = " ".join(TEXTS.values())
NAME = f"{{{{7331*7919}}}} $(mkdir {HIT}) {{0.x}} %s =1 [x](y) '; --"
"""Of the run's folder and of a node: what a file's name and a row of nodes take."""


def hostile_trace(kind: str, text: str) -> Trace:
    trace = full_trace(text=text)
    # the walk ends 30 m from its goal: every episode fails, so that pages say why
    own = {"id": f"{PAYLOADS[kind][0]} {kind}", "split": text, "success_radius_m": 10.0}
    episode = trace.episode.model_copy(update=own)
    texts = {"model": EVERYTHING, "code_version": EVERYTHING, "created": text, "run": NAME}
    header = trace.header.model_copy(update={"episode": episode, **texts})
    end = trace.end.model_copy(update={"reason": text}) if trace.end is not None else None
    return trace.model_copy(update={"header": header, "end": end})


def write_hostile(top: Path) -> tuple[Path, Path]:
    """Write the world, and the run: an episode for each kind that may obey; return their folders."""
    graph = write_world(top)
    (graph / "attribution.txt").write_text(EVERYTHING)
    pois = (graph / "pois.txt").read_text().splitlines()
    tags = {"amenity": "cafe", "name": EVERYTHING, "cuisine": EVERYTHING}
    # the row of the café: its tags are JSON, and may hold whatever a text may
    row = pois[1].split("{")[0] + json.dumps(tags)
    (graph / "pois.txt").write_text(f"{pois[0]}\n{row}\n")
    for path in graph.glob("*.txt"):
        # "e1" is where the reference path ends: its own name, wherever a node is named
        path.write_text(re.sub(r"\be1\b", lambda _: NAME, path.read_text()))
    for number, (kind, text) in enumerate(TEXTS.items()):
        path = top / "runs" / NAME / f"{number}.trace.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_trace(hostile_trace(kind, text), path)
        lines = path.read_text().replace('"e1"', json.dumps(NAME))
        path.write_text(lines)
    return graph, top / "runs" / NAME
