"""Reads logs of MapGPT and MSNav as runs: standard output, predictions, or a folder with both.

A log names no episode: its steps are joined by the instruction's text, and by the predictions
beside it. The reader was made after the published code and has seen logs of our own `msnav` only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.texts import whole_lines
from navviz.formats.trajectories import known_episodes, result_world
from navviz.records import Episode, Trace
from navviz.support.guarded import head_text, is_folder, is_regular, opened_text
from navviz.systems.msnav.logs.output import LoggedStep, is_log, read_output
from navviz.systems.msnav.logs.predictions import (
    CasePrediction,
    is_prediction,
    read_predictions,
)
from navviz.systems.msnav.logs.walks import LoggedWalk, logged_trace
from navviz.systems.spatial import ExtendedInstructions, read_extended

_TEXTS = (".log", ".txt", ".out")
_EXTENDED = "_sr.json"


@dataclass
class _Source:
    """The files of one run."""

    outputs: list[Path] = field(default_factory=list)
    predictions: list[Path] = field(default_factory=list)
    extended: list[Path] = field(default_factory=list)


class MapGptLogs:
    """Reads logs of MapGPT and MSNav; the episodes have to be open."""

    name: ClassVar[str] = "MapGPT and MSNav logs"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a printed log, predictions with option indices, or a folder of either."""
        if is_folder(path):
            return any(_is_output(file) or _is_named_prediction(file) for file in _entries(path))
        return _is_output(path) or is_prediction(path)

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read the logs as one run; raises `InputError` where not one walk can be shown."""
        problems = Problems()
        given = known_episodes(episodes, path, problems)
        if is_folder(path):
            source = _files(path)
        else:
            source = _Source([path], []) if _is_output(path) else _Source([], [path])
        predicted: dict[str, CasePrediction] = {}
        for file in source.predictions:
            _add_predictions(file, predicted, problems)
        extended = _extended(source, problems)
        walks: list[LoggedWalk] = []
        for file in source.outputs:
            walks += _walks(file, given, predicted, problems)
        logged = {walk.episode.id for walk in walks}
        # a prediction without a printed log still has its trajectory
        for name, prediction in predicted.items():
            bare = _bare(prediction, given, path, problems) if name not in logged else None
            if bare is not None:
                walks.append(bare)
        traces: dict[str, Trace] = {}
        for walk in walks:
            graph = result_world(walk.episode, graph_of, path.name, problems)
            if graph is not None and walk.episode.start in graph:
                traces[walk.episode.id] = logged_trace(walk, graph, path, extended, problems)
        if not traces:
            what = f"holds no walk of these episodes{problems.because}"
            raise InputError(what, "open the split it belongs to", file=path.name)
        systems = {trace.header.navigator for trace in traces.values()}
        # a walk of MSNav that ends before the first pruning may look like one of MapGPT
        system = "msnav" if "msnav" in systems else "mapgpt"
        return [Run(path.stem, system, None, traces, problems, path)]


def _add_predictions(file: Path, predicted: dict[str, CasePrediction], problems: Problems) -> None:
    """Add the cases of a file; one that is there already is reported."""
    own = set[str]()
    for each in read_predictions(file, problems):
        before = predicted.get(each.instr_id)
        # case_*.json repeats what submit_*.json has; two walks of one episode are no repetition
        other_walk = before is not None and before.nodes != each.nodes
        if each.instr_id in own or other_walk:
            do = "keep one; the last one is shown"
            problems.skip(Problem("is there twice", do, file.name, each.instr_id))
        own.add(each.instr_id)
        predicted[each.instr_id] = each


def _is_output(path: Path) -> bool:
    # options and dataset sizes are printed before the first prompt
    return path.suffix in _TEXTS and is_regular(path) and is_log(head_text(path, 65_536))


def _is_named_prediction(path: Path) -> bool:
    """Tell a prediction by name and content: of thousands of JSON files in a folder only these are
    looked into.
    """
    name = path.name.removesuffix(".gz")
    named = name.endswith(".json") and name.startswith(("case_", "submit_"))
    return named and is_prediction(path)


def _entries(folder: Path) -> list[Path]:
    """Files of a folder that may belong to a run, by name."""
    try:
        ends = (*_TEXTS, ".json", ".json.gz")
        paths = sorted(path for path in folder.iterdir() if path.name.endswith(ends))
    except OSError:
        return []
    return [path for path in paths if is_regular(path)]


def _files(folder: Path) -> _Source:
    files = _entries(folder)
    return _Source(
        [path for path in files if _is_output(path)],
        [path for path in files if _is_named_prediction(path)],
        [path for path in files if path.name.removesuffix(".gz").endswith(_EXTENDED)],
    )


def _extended(source: _Source, problems: Problems) -> list[ExtendedInstructions]:
    read = []
    for path in source.extended:
        try:
            read.append(read_extended(path))
        except InputError as error:
            problems.skip(error.problem)
    return read


def _walks(
    path: Path,
    episodes: Mapping[str, Episode],
    predicted: Mapping[str, CasePrediction],
    problems: Problems,
) -> Iterator[LoggedWalk]:
    """Yield the walks of one printed log, each with its episode."""
    try:
        with opened_text(path) as file:
            # a list, since the file closes here
            cases = list(
                _cases(read_output(whole_lines(file, path.name, problems)), path, problems)
            )
    except InputError as error:
        problems.skip(error.problem)
        return
    taken: set[str] = set()
    for case in cases:
        episode = _episode(case, episodes, predicted, taken)
        if episode is None:
            text = case[0].prompt.instruction
            what = f"the instruction '{text[:60]}' belongs to no open episode"
            where = f"{path.name}:{case[0].line}"
            problems.skip(Problem(what, "open the split it belongs to", where))
            continue
        # several episodes may have the same words: each case takes another one
        taken.add(episode.id)
        yield LoggedWalk(episode, tuple(case), predicted.get(episode.id))


def _cases(
    steps: Iterator[LoggedStep | int], path: Path, problems: Problems
) -> Iterator[list[LoggedStep]]:
    """Yield steps that belong together: each case begins at step 0."""
    case: list[LoggedStep] = []
    for step in steps:
        if isinstance(step, int):
            what = "the environment prompt has no instruction or no action options"
            problems.skip(Problem(what, "the step is left out", f"{path.name}:{step}"))
            continue
        # a log that was cut may lack a step 0: another instruction begins a case, too
        if case and (
            step.prompt.step == 0 or step.prompt.instruction != case[0].prompt.instruction
        ):
            yield case
            case = []
        case.append(step)
    if case:
        last = case[-1]
        if last.reply is None and not last.limit:
            what, do = "ends within a step, before its reply", "the walk is shown up to it"
            problems.add(Problem(what, do, f"{path.name}:{last.line}"))
        yield case


def _episode(
    case: list[LoggedStep],
    episodes: Mapping[str, Episode],
    predicted: Mapping[str, CasePrediction],
    taken: set[str],
) -> Episode | None:
    """Return the episode of a case by its instruction; of several, one with a prediction."""
    text = _even(case[0].prompt.instruction)
    # only pruning blocks name viewpoints; of episodes with the same words they tell the one that
    # fits
    nodes = {step.node for step in case if step.node}
    free = [episode for episode in episodes.values() if episode.id not in taken]
    fits = [episode for episode in free if _even(episode.instruction) == text]

    def unlikely(episode: Episode) -> tuple[bool, bool]:
        return episode.id not in predicted, not nodes <= {*episode.reference_path}

    # of equals the first in file order, in which a log prints its cases
    return min(fits, key=unlikely, default=None)


def _even(text: str) -> str:
    return " ".join(text.split())


def _bare(
    prediction: CasePrediction, episodes: Mapping[str, Episode], path: Path, problems: Problems
) -> LoggedWalk | None:
    episode = episodes.get(prediction.instr_id)
    if episode is None:
        what = "no such instruction in the episodes"
        problems.skip(Problem(what, "open the split it belongs to", path.name, prediction.instr_id))
        return None
    return LoggedWalk(episode, (), prediction)
