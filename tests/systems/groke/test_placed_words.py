"""Words that the player underlines have a place on the map, in GROKE's published logs."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

import navviz
from navviz.analysis.landmarks import places_or_reasons
from navviz.views.player.document import replay_document
from tests.conftest import missing
from tests.paths import ROOT

pytestmark = pytest.mark.data

_COUNT = """
import { readFileSync } from "node:fs";
import { Linker, nameRef } from "LINKER";
const counts = { moved: 0, placed: 0, unplaced: 0 };
for (const { doc, texts } of JSON.parse(readFileSync(0, "utf8"))) {
  const linker = new Linker(doc);
  for (const text of texts)
    for (const { ref } of linker.pieces(text))
      if (ref?.startsWith("s:")) {
        const shown = doc.steps.flatMap((step) => step.observation?.pois ?? []);
        const named = [...shown, ...doc.pois, ...doc.planning.landmarks];
        const at = named.some((poi) => nameRef(poi.name) === ref && poi.at);
        const unplaced = linker.unplaced(ref);
        counts[unplaced ? "unplaced" : "placed"] += 1;
        if (!unplaced && at) counts.moved += 1;
      }
}
console.log(JSON.stringify(counts));
"""


def _counts(documents: list[dict[str, object]]) -> dict[str, int]:
    if shutil.which("node") is None:
        missing("no Node on this machine: the player's linker counts the words")
    linker = ROOT / "assets" / "player" / "src" / "text" / "linker.js"
    script = _COUNT.replace("LINKER", linker.as_uri())
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        input=json.dumps(documents),
        capture_output=True,
        text=True,
        check=True,
    )
    counts: dict[str, int] = json.loads(done.stdout)
    return counts


@pytest.mark.nightly
@pytest.mark.parametrize(("every", "least"), [(4, 0.86), (1, 0.9)])
def test_underlined_phrases_move_the_map(data_dir, every, least):
    folder = data_dir / "groke" / "paper_results" / "ablation_study_json"
    run = navviz.open_run(folder, graphs=data_dir / "map2seq" / "osm" / "graph")
    documents = []
    for key in list(run.traces)[::every]:
        trace, graph = run.trace(key), run.graph(key)
        goals = [goal.description for goal in trace.sub_goals]
        doc = replay_document(trace, graph, running=False, places=places_or_reasons(trace, graph))
        documents.append({"doc": doc, "texts": [trace.episode.instruction, *goals]})
    counts = _counts(documents)
    # a solid line promises a place; dotted words name what the map cannot have, such as a junction
    assert counts["moved"] / counts["placed"] >= 0.9
    assert counts["moved"] / (counts["placed"] + counts["unplaced"]) >= least
