"""Figures of VLN-CE evaluators, episode by episode, without walks: shown as recorded.

``{EP: {"distance_to_goal", "success", "spl", ...}}`` is what VLN-CE, ETPNav, CA-Nav, Open-Nav (one
file a rank, ``_r0_w2``) and NaVILA (one a chunk, ``_2-0``) write; JSON lines with
``episode_instruction`` are StreamVLN's and InternNav's, the last line perhaps their means; a folder
of ``stats_EP.json`` is NaVid's. Values may be NaN or infinite; resumed runs append, so that the
last line of an episode counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import Json, json_items, json_lines, peek
from navviz.formats.texts import as_number
from navviz.formats.vlnce.episodes import episodes_near, scan_of
from navviz.records import EndEvent, EndStatus, Episode, Trace, TraceHeader
from navviz.records.episode import START_POSE
from navviz.support.guarded import is_folder, is_regular, read_json

SMALLEST_FIGURES = '{"1": {"success": 1.0, "spl": 0.9, "distance_to_goal": 0.4}}'
SMALLEST_LINE = '{"scene_id": "SCAN", "episode_id": 1, "success": 1.0, "ne": 0.4}'
_FIGURES = {"success", "distance_to_goal", "spl", "ne", "oracle_success", "os"}
_NAMES = {"episode_id", "scene_id", "id", "trajectory_id"}
"""Numbers that name something and are no figures."""
_MEANS = {"sucs_all", "spls_all", "oss_all", "ones_all", "length"}
_RANK = re.compile(r"(?P<stem>.*)_r\d+_w(?P<count>\d+)\.json", re.DOTALL)
_CHUNK = re.compile(r"(?P<stem>.*)_(?P<count>\d+)-\d+\.json", re.DOTALL)
_MOST_PARTS = 512
_AGREE = 1e-6
"""Means of rounded figures differ from written ones by less."""


class EpisodeFigures:
    """Reads per-episode figures, of all ranks or chunks."""

    name: ClassVar[str] = "VLN-CE figures"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entries are objects of figures by episode id."""
        seen = peek(path)
        values = [value for _, value in seen.items]
        if seen.opener != "{" or not values:
            return False
        return all(isinstance(value, dict) and _has_figures(value) for value in values)

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read the figures as one run; raises `InputError` without the episodes they belong to."""
        del graph_of
        problems = Problems()
        files, missing = parts_of(path)
        entries = dict[str, Json]()
        for file in files:
            for name, value in json_items(file, problems):
                entries[str(name)] = value
        if missing:
            what = f"{missing} of its parts are not there"
            problems.add(Problem(what, "put all ranks or chunks into one folder", path.name))
        traces = _traces(entries, path, episodes, problems)
        _check_means(path, traces, problems)
        return [_run(path, traces, problems)]


def _has_figures(value: Mapping[str, Json]) -> bool:
    return len(_FIGURES & value.keys()) >= 2


def parts_of(path: Path) -> tuple[list[Path], int]:
    """Return the files of all ranks or chunks of an evaluation, and how many are missing."""
    for pattern, form in ((_RANK, "{}_r{}_w{}.json"), (_CHUNK, "{}_{}-{}.json")):
        match = pattern.fullmatch(path.name)
        if match is None or not 1 < int(match["count"]) <= _MOST_PARTS:
            continue
        count, names = int(match["count"]), list[str]()
        for k in range(count):
            order = (k, count) if pattern is _RANK else (count, k)
            names.append(form.format(match["stem"], *order))
        files = [path.with_name(name) for name in names]
        there = [file for file in files if is_regular(file)]
        return there, count - len(there)
    return [path], 0


def _traces(
    entries: Mapping[str, Json],
    path: Path,
    episodes: Mapping[str, Episode] | None,
    problems: Problems,
) -> dict[str, Trace]:
    known = dict(episodes or {}) or episodes_near(path, set(entries))
    if not known:
        raise InputError(
            "looks like figures of a VLN-CE evaluation, which names its episodes only by id",
            "open their episode file with it (such as val_seen.json.gz), or put it beside",
            file=path.name,
        )
    traces: dict[str, Trace] = {}
    for name, value in entries.items():
        episode = known.get(name)
        if episode is None:
            problems.skip(
                Problem("no such episode", "open the split it belongs to", path.name, name)
            )
        elif isinstance(value, dict):
            traces[name] = _trace(episode, value, path)
    if not traces:
        raise InputError(
            "holds no figures of these episodes", "open the split it belongs to", file=path.name
        )
    return traces


def _trace(episode: Episode, figures: Mapping[str, Json], path: Path) -> Trace:
    run = _run_name(path)
    header = TraceHeader(run=run, episode=episode, navigator=run, source=str(path))
    end = EndEvent(status=EndStatus.UNKNOWN, figures=_numbers(figures))
    return Trace(header=header, end=end)


def _numbers(figures: Mapping[str, Json]) -> dict[str, float | None]:
    """Return figures by name; those that are no finite number are missing."""
    numbers: dict[str, float | None] = {}
    for name, value in figures.items():
        if name in _NAMES:
            continue
        if isinstance(value, bool):
            numbers[name] = float(value)
        elif isinstance(value, int | float) or value is None:
            numbers[name] = as_number(value)
    return numbers


def _run_name(path: Path) -> str:
    match = _RANK.fullmatch(path.name) or _CHUNK.fullmatch(path.name)
    return match["stem"] if match is not None else path.name.split(".")[0]


def _run(path: Path, traces: dict[str, Trace], problems: Problems) -> Run:
    name = _run_name(path)
    return Run(name, name, None, traces, problems, path, {"figures": "as recorded"})


def _check_means(path: Path, traces: Mapping[str, Trace], problems: Problems) -> None:
    """Report where the file of means beside it has other figures."""
    match = _RANK.fullmatch(path.name)
    if match is None or "stats_ep_" not in path.name:
        return
    beside = path.with_name(match["stem"].replace("stats_ep_", "stats_") + ".json")
    if not is_regular(beside):
        return
    written = read_json(beside, lenient=True)
    for name, value in (written if isinstance(written, dict) else {}).items():
        mean, stated = _mean(traces, name), as_number(value)
        if mean is None or stated is None or abs(mean - stated) <= _AGREE * max(1.0, abs(stated)):
            continue
        what = f"the mean of {name} is {mean:.6g}, the file of means says {stated:.6g}"
        problems.add(Problem(what, "check that both are of one evaluation", beside.name))


def _mean(traces: Mapping[str, Trace], name: str) -> float | None:
    values = [trace.end.figures.get(name) for trace in traces.values() if trace.end is not None]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


class FigureLines:
    """Reads JSON lines of StreamVLN and InternNav."""

    name: ClassVar[str] = "VLN-CE figures, a line an episode"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first line has scene, episode and figures."""
        line = peek(path).first_line
        return (
            isinstance(line, dict)
            and {"scene_id", "episode_id"} <= line.keys()
            and _has_figures(line)
        )

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read the lines as one run; raises `InputError` where not one can be read."""
        del graph_of
        problems = Problems()
        entries, means = _last_lines(path, problems)
        names = {str(line["episode_id"]) for line in entries.values()}
        known = dict(episodes or {}) or episodes_near(path, names)
        traces: dict[str, Trace] = {}
        for (scan, name), line in entries.items():
            episode = known.get(name)
            if episode is None or episode.world != scan:
                episode = _of_line(scan, name, line)
            if episode.id in traces:
                episode = episode.model_copy(update={"id": f"{scan}-{name}"})
            traces[episode.id] = _trace(episode, line, path)
        if not traces:
            raise InputError(
                "looks like figures of a VLN-CE evaluation and holds no episode",
                f"a line looks like {SMALLEST_LINE}",
                file=path.name,
            )
        if means:
            _check_line(means, traces, path, problems)
        return [_run(path, traces, problems)]


_Lines = dict[tuple[str, str], dict[str, Json]]


def _last_lines(path: Path, problems: Problems) -> tuple[_Lines, dict[str, Json]]:
    """Return the last line of each episode, and the line of means."""
    entries: _Lines = {}
    means: dict[str, Json] = {}
    repeated = 0
    for number, line in json_lines(path, problems):
        if not isinstance(line, dict):
            problems.skip(_no_entry(path, number))
        elif "episode_id" in line:
            key = scan_of(str(line.get("scene_id"))), str(line["episode_id"])
            repeated += key in entries
            entries[key] = line
        elif _MEANS & line.keys():
            means = line
        else:
            problems.skip(_no_entry(path, number))
    if repeated:
        what = f"{repeated} lines repeat an episode, as resumed runs append them"
        problems.add(Problem(what, "the last line of each counts", path.name))
    return entries, means


def _no_entry(path: Path, number: int) -> Problem:
    return Problem("is no episode", "the other lines are shown", f"{path.name}:{number}")


def _check_line(
    means: Mapping[str, Json], traces: Mapping[str, Trace], path: Path, problems: Problems
) -> None:
    for written, name in (("sucs_all", "success"), ("spls_all", "spl"), ("ones_all", "ne")):
        stated, mean = as_number(means.get(written)), _mean(traces, name)
        if stated is not None and mean is not None and abs(stated - mean) > 1e-4:
            what = f"the line of means says {stated:.4f} for {written}, its episodes {mean:.4f}"
            problems.add(Problem(what, "check whether all lines are of one run", path.name))


def _of_line(scan: str, name: str, line: Mapping[str, Json]) -> Episode:
    told = line.get("episode_instruction")
    return Episode(
        id=name,
        dataset="VLN-CE",
        instruction=told.strip() if isinstance(told, str) else "",
        world=scan,
        start=START_POSE,
        success_radius_m=3.0,
    )


class FigureFolder:
    """Reads a folder of NaVid: ``stats_EP.json``, one episode a file."""

    name: ClassVar[str] = "VLN-CE figures, a file an episode"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it holds such files."""
        first = next(_stat_files(path), None)
        return first is not None and _is_one_episode(first)

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read the files as one run; raises `InputError` without the episodes they belong to."""
        del graph_of
        problems, entries = Problems(), dict[str, Json]()
        for file in _stat_files(path):
            try:
                value = read_json(file, lenient=True)
            except InputError as error:
                problems.skip(error.problem)
                continue
            if isinstance(value, dict):
                entries[str(value.get("id", file.stem.removeprefix("stats_")))] = value
        traces = _traces(entries, path, episodes, problems)
        return [_run(path, traces, problems)]


def _stat_files(path: Path) -> Iterator[Path]:
    if is_folder(path):
        files = (file for file in path.iterdir() if file.name.startswith("stats_"))
        named = sorted(islice(files, 100_000))
        yield from (file for file in named if file.suffix == ".json")


def _is_one_episode(path: Path) -> bool:
    items = dict(peek(path).items)
    return _has_figures({str(key): value for key, value in items.items()}) and "id" in (
        read_json(path, lenient=True) or {}
    )
