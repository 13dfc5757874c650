"""The controls of a report: what survives of a run's figures when its navigator cannot read.

A navigator that asks no model is walked again, on a sample of the run's own episodes. One that asks
a model costs money, so that only walks that were kept beside the run count.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from navviz.analysis.control_words import control_record, control_sentences, control_table
from navviz.analysis.controls import (
    CONTROLS,
    TRUE_TEXT,
    Control,
    Controls,
    ControlSetup,
    controls_of,
    recorded_controls,
    sample_of,
)
from navviz.analysis.counterfactuals.walking import run_navigator, run_walker
from navviz.errors import NavVizError
from navviz.records import Trace
from navviz.records.trace_files import is_trace_name, read_trace
from navviz.runner.set_walker import SetWalker, run_of_set
from navviz.runs.run import OpenRun
from navviz.support.guarded import is_folder
from navviz.systems.base import Navigator


@dataclass(frozen=True, slots=True)
class ReportControls:
    """The controls of a run, or one sentence that says why there are none."""

    controls: Controls | None = None
    navigator: Navigator | None = None
    source: str = ""
    """Where the walks come from, in a sentence."""
    why_not: str = ""


def report_controls(run: OpenRun, limit: int, seed: int = 0) -> ReportControls:
    """Walk or read the controls of a run.

    Parameters
    ----------
    run
        Its episodes are walked again by its own navigator and settings, where that asks no model.
    limit
        How many episodes are walked at most: a seeded sample.
    seed
        Of the sample and of the spoilt texts.
    """
    try:
        navigator, asks = run_navigator(run)
        kept = _kept(run, navigator)
        if kept:
            walks = recorded_controls(kept, run.graph_of, asks_model=asks)
            source = "The walks of the controls lie beside the run."
            return ReportControls(walks, navigator, source)
        if asks:
            return ReportControls(why_not=_needs_model_sentence(navigator))
        return _walked(run, navigator, limit, seed)
    except NavVizError as error:
        return ReportControls(why_not=f"No controls were walked. {error}")


def _needs_model_sentence(navigator: Navigator) -> str:
    name = navigator.name
    return (
        f"No controls were walked, since {name} asks a language model. Walk them with navviz"
        f" diagnose controls --navigator {name} --llm MODEL --episodes FILE --graphs DIR --out"
        " FOLDER, where FOLDER holds the run, and write the report again."
    )


def _walked(run: OpenRun, navigator: Navigator, limit: int, seed: int) -> ReportControls:
    outlines = run.outlines.values()
    judged = [trace.episode for trace in outlines if trace.episode.goal]
    chosen = sample_of(judged, limit, seed)
    # outlines of large runs have no texts, so the chosen episodes are read whole
    episodes = tuple(run.trace(episode.id).episode for episode in chosen)
    with tempfile.TemporaryDirectory(prefix="navviz-controls-") as folder:
        walker = SetWalker(
            navigator=navigator,
            settings=run_walker(run, out=Path(folder)).settings,
            graph_of=run.graph_of,
            graphs=None,
            out=Path(folder),
        )
        controls = controls_of(
            ControlSetup(episodes=episodes, graph_of=run.graph_of, walk=walker, seed=seed)
        )
    how = f"{len(episodes)} of {len(run.outlines)} episodes, drawn with seed {seed}"
    if len(episodes) == len(run.outlines):
        how = f"all {len(episodes)} episodes"
    source = f"Walked for this report on {how}, with the navigator and settings of the run."
    return ReportControls(controls, navigator, source)


def _kept(run: OpenRun, navigator: Navigator) -> dict[Control, dict[str, Trace]]:
    """Read what ``navviz diagnose controls --out`` has left beside the run; empty where nothing
    is, or where other settings or another model walked.
    """
    if run.source.results is None:
        return {}
    folder = run.source.results.parent
    walks: dict[Control, dict[str, Trace]] = {}
    for control in CONTROLS:
        place = folder / run_of_set(navigator.name, control)
        if is_folder(place):
            walks[control] = _traces(place)
    if not walks.get(TRUE_TEXT):
        return {}
    header = next(iter(run.outlines.values())).header
    mine = (header.settings, header.model)
    ids = walks[TRUE_TEXT].keys()
    for control, traces in walks.items():
        if any((trace.header.settings, trace.header.model) != mine for trace in traces.values()):
            return {}
        # paired with the true text: an episode that this lacks has nothing to be compared with
        walks[control] = {key: trace for key, trace in traces.items() if key in ids}
    # a folder of runs may hold the controls of a run on other episodes
    return walks if ids <= run.outlines.keys() else {}


def _traces(folder: Path) -> dict[str, Trace]:
    traces = {}
    for path in sorted(folder.iterdir()):
        if is_trace_name(path.name):
            trace = read_trace(path)
            traces[trace.episode.id] = trace
    return traces


def controls_document(given: ReportControls) -> dict[str, Any]:
    """Return the controls of a report as JSON holds them."""
    if given.controls is None or given.navigator is None:
        return {"why_not": given.why_not}
    controls = given.controls
    return {
        "source": given.source,
        "episodes": len(controls.inference.comparison.episodes),
        "surviving": controls.surviving,
        "leaks": list(controls.leaks),
        "sentences": control_sentences(given.navigator, controls),
        "controls": [control_record(controls, control) for control in controls.scores],
    }


def controls_rows(given: ReportControls) -> tuple[list[list[str]], list[str]]:
    """Return the rows of a table, its head first, and what is said below it."""
    if given.controls is None or given.navigator is None:
        return [], [given.why_not]
    head, rows, notes = control_table(given.controls)
    sentences = [f"{row[0]}: {text}." for row, text in zip(rows, notes, strict=True) if text]
    return [head, *rows], [
        given.source,
        *control_sentences(given.navigator, given.controls),
        *sentences,
    ]
