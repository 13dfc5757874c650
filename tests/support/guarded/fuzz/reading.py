"""Everything that is done with a damaged file: each way of reading it, and what pages and commands
do with the rest.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from navviz.annotation import exchange
from navviz.annotation.exchange import read_extractions
from navviz.annotation.taxonomy import read_taxonomy
from navviz.errors import SENTENCE, NavVizError, Problems
from navviz.formats import discover, open_episodes, open_graph, open_results, open_worlds
from navviz.llm.prices import load_prices
from navviz.llm.scripted import Scripted
from navviz.records.trace_files import unfold
from navviz.runner.config import read_config
from navviz.runs.opened import load
from navviz.runs.sources import Source, from_path, graphs_of_run
from navviz.support.installation.files import samples_dir
from navviz.views.player.document import replay_document
from tests.grids import grid
from tests.support.guarded.fuzz.mutations import damaged
from tests.support.guarded.fuzz.samples import Sample, write_samples

GRID = grid()
HOUSE = next(iter(open_worlds(samples_dir() / "house" / "connectivity").names))
BARE = {"submit.json", "detail_sample.json", "sample_router_outputs.log"}
"""Results that name their episodes and do not hold them."""
FORMS: tuple[exchange.Format, ...] = ("jsonl", "csv", "label_studio", "groke", "groke_failures")
SECONDS, BYTES = 10.0, 2 << 30


class Fuzz:
    """The samples of one folder; `case` makes and checks the one of a number, always the same."""

    def __init__(self, folder: Path, *, timed: bool = False) -> None:
        self.folder, self.timed = folder, timed
        self.samples = write_samples(folder)
        self.raw = {sample.path: sample.path.read_bytes() for sample in self.samples}

    def case(self, number: int) -> str:
        """Damage a file, do everything with it; return what is wrong with that, or an empty
        text.
        """
        dice = random.Random(number)
        sample = self.samples[number % len(self.samples)]
        others = list(self.raw.values())
        try:
            sample.path.write_bytes(
                damaged(self.raw[sample.path], others, sample.path.suffix, dice)
            )
            return next(self._faults(number, sample), "")
        finally:
            sample.path.write_bytes(self.raw[sample.path])

    def _faults(self, number: int, sample: Sample) -> Iterator[str]:
        for name, read in _ways(sample, deep=number % 3 == 0).items():
            where = f"case {number}, {sample.path.relative_to(self.folder)} as {name}"
            begun = time.process_time()
            try:
                said = [str(problem) for problem in read() or ()]
            except NavVizError as error:
                said = [str(error)]
            except Exception:  # noqa: BLE001 - to be told with its number
                yield f"{where}\n{traceback.format_exc()}"
                said = []
            if any(
                len(one) > SENTENCE or ("\n" in one.strip() and len(one.splitlines()) > 3)
                for one in said
            ):
                yield f"{where}: the sentence {max(said, key=len)[:600]!r}"
            if any("; if it is whole, report it with the log" in one for one in said):
                yield f"{where}: broke unforeseen: {said[0]}"
            if self.timed and time.process_time() - begun > SECONDS:
                yield f"{where}: took {time.process_time() - begun:.1f} s"


def _ways(sample: Sample, *, deep: bool) -> dict[str, Callable[[], object]]:
    if sample.kind == "data":
        ways: dict[str, Callable[[], object]] = {
            "graph": lambda: _graph(sample.opened),
            "episodes": lambda: _episodes(sample.opened),
            "results": lambda: _results(sample.opened, sample),
            "folder": lambda: discover(sample.path.parent, tell_others=True).problems.kept,
        }
        if deep:
            ways["page"] = lambda: _page(sample.opened)
            ways["config"] = lambda: (
                read_config(sample.path.parent),
                graphs_of_run(sample.path.parent),
                (),
            )[2]
        return ways
    text = sample.path.read_bytes().decode("utf-8", "replace")
    path = sample.path
    ways = {
        "prices": lambda: (load_prices(path), ())[1],
        "script": lambda: (Scripted.from_file(path), ())[1],
        "taxonomy": lambda: (read_taxonomy(path), ())[1],
        "extractions": lambda: _extractions(text, path.name),
        **{form: _import(text, form, path.name) for form in FORMS},
    }
    return {name: way for name, way in ways.items() if deep or name == sample.kind}


def _import(text: str, form: exchange.Format, name: str) -> Callable[[], object]:
    def read() -> object:
        imported, problems = exchange.parse(text, form, file=name)
        for one in imported:
            one.model_dump_json().encode()
        return problems.kept

    return read


def _extractions(text: str, name: str) -> object:
    problems = Problems()
    json.dumps(read_extractions(text, name, problems), allow_nan=False).encode()
    return problems.kept


def _graph(path: Path) -> object:
    worlds = open_worlds(path)
    graph = worlds(worlds.names[0])
    json.dumps(
        [graph.ids, graph.positions.tolist(), graph.headings_deg.tolist()], allow_nan=False
    ).encode()
    return graph.info.problems.kept


def _episodes(path: Path) -> object:
    read = open_episodes(path)
    for episode in read.episodes.values():
        episode.model_dump_json().encode()
    return read.problems.kept


def _results(path: Path, sample: Sample) -> object:
    house = next(
        (parent / "connectivity" for parent in sample.path.parents if parent.name == "data"), Path()
    )
    known = open_episodes(house.parent / "R2R_sample.json").episodes if path.name in BARE else None
    runs = open_results(
        path, lambda world: open_graph(house, world) if world == HOUSE else GRID, known
    )
    for run in runs:
        for trace in list(run.traces.values())[:3]:
            "".join(event.model_dump_json() for event in unfold(trace)).encode()
    return [problem for run in runs for problem in run.problems.kept]


def _page(path: Path) -> object:
    said: list[object] = []
    for source in from_path(path)[:3]:
        run = load(
            source
            if source.graphs
            else Source(source.name, "opened", (), source.episodes, source.results)
        )
        said += run.problems.kept
        run.table().to_json()
        for key in list(run.traces)[:2]:
            document = replay_document(
                run.trace(key),
                run.graph(key),
                divergence=run.divergence(key),
                metrics=run.scores.rows.get(key),
            )
            json.dumps(document, allow_nan=False, ensure_ascii=False).encode()
        json.dumps(run.scores.means, allow_nan=False)
    return said


def main(folder: str, first: str, count: str) -> int:
    """Check cases in a process of their own, whose memory is bounded; print the faults and the peak
    in MB.
    """
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    fuzz = Fuzz(Path(folder), timed=True)
    faults = [
        fault
        for number in range(int(first), int(first) + int(count))
        if (fault := fuzz.case(number))
    ]
    print(
        json.dumps(
            {"faults": faults, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
        )
    )
    return 0


if __name__ == "__main__":
    import logging

    logging.disable(logging.CRITICAL)
    sys.exit(main(*sys.argv[1:]))
