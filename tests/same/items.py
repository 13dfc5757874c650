"""What is held: the list of commands and calls, on samples by day and on real data at night."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from navviz.analysis.replays import explained_document, with_findings
from navviz.annotation.store import AnnotationStore, database_url
from navviz.cli import application
from navviz.records import Trace
from navviz.runner.repairs import OtherPrompt, Recorded, UsedUp
from navviz.runner.verify import settings_as_walked
from navviz.runs.opened import load, open_run
from navviz.runs.sources import Source
from navviz.systems.base import asks_model
from navviz.systems.groke import FORMATS
from navviz.systems.registry import get_navigator
from tests.paths import ROOT, SAMPLES
from tests.same.normal import digest, normal, normal_text, numbered, small

_ROOM = 3_000
"""Characters that the result of an item may take."""
_TEXT_ROOM = 1_200


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item finds its data and writes its files."""

    data: Path
    """The public research data; of items of the day it may be absent."""
    out: Path

    @property
    def names(self) -> dict[str, str]:
        """The name of each folder in a result, the longest first."""
        named = {str(SAMPLES): "SAMPLES", str(self.data): "DATA", str(self.out): "OUT"}
        named |= {str(ROOT): "ROOT", str(Path.home()): "HOME"}
        workspace = os.environ.get("NAVVIZ_WORKSPACE")
        if workspace:
            named[workspace] = "WORKSPACE"
        return dict(sorted(named.items(), key=lambda pair: -len(pair[0])))


Make = Callable[[Place], Any]


@dataclass(frozen=True, slots=True)
class Item:
    """One result that is held."""

    name: str
    make: Make
    day: bool = True
    """Whether it is of samples, and quick."""

    def result(self, place: Place) -> Any:
        """Return the result in its small normal form."""
        place.out.mkdir(parents=True, exist_ok=True)
        value = json.loads(json.dumps(self.make(place), ensure_ascii=False, default=str))
        return small(normal(value, place.names, private=not self.day), _ROOM)


@cache
def _application() -> Any:
    return application()


def _command(line: str) -> Make:
    """Return what calls a command; SAMPLES, DATA and OUT begin the paths in it."""

    def make(place: Place) -> dict[str, Any]:
        folders = {"SAMPLES": str(SAMPLES), "DATA": str(place.data), "OUT": str(place.out)}
        words = []
        for word in shlex.split(line):
            head, _, rest = word.partition("/")
            method, at, folder = head.rpartition("@")
            known = folders.get(folder)
            words.append(word if known is None else f"{method}{at}{known}/{rest}")
        result = CliRunner().invoke(_application(), words)
        document = {"exit": result.exit_code, "out": _read(result.stdout, place)}
        # a bar tells how long it took
        said = sorted({each for each in result.stderr.splitlines() if "━" not in each})
        files = {}
        for path in sorted(place.out.rglob("*")):
            # who holds a batch, and since when, is of this moment
            if path.is_file() and ".batch" not in path.parts:
                text = path.read_text("utf-8", "replace")
                text = numbered(text) if path.suffix == ".html" else text
                files[str(path.relative_to(place.out))] = _read(text, place)
        return {**document, "said": said, "files": files}

    return make


def _refused(lines: tuple[str, ...]) -> Make:
    """Return what makes wrong calls: how each ends, and its one sentence."""

    def make(place: Place) -> list[Any]:
        told = []
        for line in lines:
            ended = _command(line)(place)
            assert ended["exit"] in {1, 2}, line
            assert not ended["files"], line
            told.append([ended["exit"], *ended["said"]])
        return told

    return make


def _read(text: str, place: Place) -> Any:
    """Return JSON or JSON lines as they are, and another text by its hash or whole if short."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines()] if "\n" in text.strip() else text
    except ValueError:
        plain = normal_text(text, place.names)
    if len(plain) <= _TEXT_ROOM:
        return plain.splitlines()
    return {"~sha256": digest(plain.encode())[:24], "~lines": plain.count("\n")}


def _replay(folder: Path) -> Make:
    """Return what makes the player's document of the first episode of a run."""

    def make(_place: Place) -> dict[str, Any]:
        run = open_run(folder)
        key = next(iter(run.traces))
        graph = run.graph(key)
        return explained_document(with_findings(run.traces[key], graph), graph)

    return make


def _events(folder: Path, fork: int | None) -> Make:
    """Return what walks the first episode of a run again with its recorded replies, from a step
    on.
    """

    def make(_place: Place) -> list[Any]:
        run = open_run(folder)
        trace = next(iter(run.traces.values()))
        past = None if fork is None else _past(trace, fork)
        navigator = get_navigator(trace.header.navigator)
        settings = settings_as_walked(trace, navigator)
        model = Recorded(trace, past) if asks_model(navigator, settings) else None
        events = navigator.navigate(
            trace.episode, run.graph(trace.episode.id), model, settings, past
        )
        return list(_told(events))

    return make


def _past(trace: Trace, step: int) -> Trace:
    kept = tuple(each for each in trace.steps if each.index < step)
    return trace.model_copy(update={"steps": kept, "end": None, "waypoints": None})


def _told(events: Iterable[Any]) -> Iterator[Any]:
    try:
        for event in events:
            yield event.model_dump(mode="json", exclude_none=True)
    except (OtherPrompt, UsedUp) as end:
        yield {"ended by": str(end) or type(end).__name__}


def _agreement(place: Place) -> Any:
    """Judge causes of the sample run by a rule, and print how often detectors agree."""
    from navviz.annotation.records import CauseVerdict

    # of the workspace, as the command reads it
    run = SAMPLES / "harbour" / "runs" / "groke-by-hand"
    made = CliRunner().invoke(
        _application(),
        ["annotate", "causes", str(run), "--queue", "why", "--source", "a/b", "--seed", "3"],
    )
    store = AnnotationStore(database_url(Path(os.environ["NAVVIZ_WORKSPACE"])))
    [queue] = store.study().queues.all()
    desk = store.sign_in("fox")
    for k, item in enumerate(queue.items):
        desk.save(item, CauseVerdict.model_validate({"answer": "yes" if k % 3 else "no"}), seen=0)
    return [made.exit_code, _command("annotate agreement --format json")(place)]


def _many(place: Place) -> Any:
    """List 50,000 generated traces: a hash of each thousand rows, and the means."""
    from navviz.formats import open_graph
    from tools.bench.scale_run import write_scale_run

    graphs = place.data / "map2seq" / "osm" / "graph"
    graph = open_graph(graphs)
    folder = write_scale_run(place.out / "walks", graph, 50_000)
    run = load(Source("walks", "opened", (graphs,), None, folder), lambda _path, _world: graph)
    table = run.table()
    text = table.to_csv(index=False, float_format="%.10g").splitlines()
    hashes = [
        digest("\n".join(text[k : k + 5_000]).encode())[:16] for k in range(0, len(text), 5_000)
    ]
    shutil.rmtree(folder)
    return {"columns": list(table.columns), "means": dict(run.scores.means), "rows": hashes}


def _paper(place: Place) -> Any:
    """Compare GROKE's printed figures, a hash a table."""
    from navviz.analysis.paper_check import check_paper, summary_of

    cells = list(check_paper("groke", place.data / "groke", place.data / "map2seq"))
    return [summary_of(cells), [asdict(cell) for cell in cells]]


_HOUSE, _HARBOUR = "SAMPLES/house/runs", "SAMPLES/harbour/runs"
_GROKE = "DATA/groke/paper_results"
_STREETS = "--graphs DATA/map2seq"
_HOUSES = "--graphs DATA/mp3d_all/connectivity"
_RULES = f"{_HARBOUR}/rules {_HARBOUR}/rules-local"
_SEEING = f"{_HOUSE}/mapgpt-pictures-by-hand {_HOUSE}/rules-indoors {_HOUSE}/msnav-by-hand"
_CONTROLS = (
    "diagnose controls --episodes SAMPLES/harbour/splits/sample.json --graphs SAMPLES/harbour"
    " --navigator"
)
_CONTEXT = (
    "diagnose context --episodes SAMPLES/harbour/splits/sample.json --graphs SAMPLES/harbour"
    " --episode 1"
)
_CONTEXT_HOUSE = (
    "diagnose context --episodes SAMPLES/house/R2R_sample.json --graphs SAMPLES/house/connectivity"
    " --episode 101_0"
)
_THERE = "--node b74b2b82ddc24aa7d2f12377b0f2bbb2 --heading 90"
_RUN = (
    "run --episodes SAMPLES/harbour/splits/sample.json --graphs SAMPLES/harbour --out OUT/runs"
    " --navigator"
)
_BY_DAY = {
    "score/groke": f"score {_HARBOUR}/groke-by-hand --format json",
    "score/rules": f"score {_HARBOUR}/rules --format json --as-walked",
    "score/lhvln": f"score {_HOUSE}/mgdm-scripted --format json --groups",
    "score/navgpt": f"score {_HOUSE}/navgpt-by-hand --format json",
    "score/msnav": f"score {_HOUSE}/msnav-by-hand --format json",
    "score/skillnav": f"score {_HOUSE}/skillnav-by-hand --format json --groups",
    "why/groke": f"why {_HARBOUR}/groke-by-hand --format json",
    "why/navgpt": f"why {_HOUSE}/navgpt-by-hand --format json",
    "why/msnav": f"why {_HOUSE}/msnav-by-hand --format json",
    "diagnose/similar": f'diagnose similar {_HARBOUR}/groke-by-hand "the light" --format json',
    "diagnose/clusters": f"diagnose clusters {_HARBOUR}/groke-by-hand --format json",
    "diagnose/context": "diagnose context --episodes SAMPLES/harbour/splits/sample.json --graphs"
    " SAMPLES/harbour --episode 1 --prompt --format json",
    "diagnose/verify": f"diagnose verify {_HARBOUR}/groke-by-hand --format json",
    "diagnose/stability": f"diagnose stability {_HARBOUR}/rules {_HARBOUR}/rules-local"
    " --format json",
    "diagnose/slices": f"diagnose slices {_HARBOUR}/rules --format json",
    "diagnose/scan": f"diagnose scan {_HARBOUR}/groke-by-hand --format json",
    "table/groke-2": f"table {_HARBOUR}/rules {_HARBOUR}/groke-by-hand --preset groke-2"
    " --format json",
    "table/lhvln": f"table {_HARBOUR}/staged-rules --preset lhvln --format json",
    "compare/samples": f"compare {_HARBOUR}/rules {_HARBOUR}/rules-local --format json",
    "report/sample": f"report {_HARBOUR}/groke-by-hand --format json --controls 0",
    "export/otel": f"export {_HARBOUR}/groke-by-hand --format otel",
    "export/atif": f"export {_HARBOUR}/groke-by-hand --format atif",
    "export/csv": f"export {_HARBOUR}/rules --format csv",
    "export/velma": f"export {_HARBOUR}/rules --format velma",
    "data/check": "data check SAMPLES/harbour --format json",
    "data/schema": "data schema --format json",
    "data/recorder": "data recorder",
    "navgen/forward": "navgen forward --graphs SAMPLES/house/connectivity --count 3",
    "navgen/backward": "navgen backward --actions FFFFFFLLFFFFRRF --targets kettle:10,table:5"
    " --format json",
    "figure/harbour": f"figure {_HARBOUR}/rules 1 --out OUT/1.svg",
    "atlas/harbour": f"atlas {_HARBOUR}/rules --out OUT/atlas.html",
    "score/lhvln-table": f"score {_HOUSE}/mgdm-scripted --groups",
    "why/table": f"why {_HARBOUR}/groke-by-hand",
    "why/episode": f"why {_HARBOUR}/groke-by-hand 7",
    "why/one-cause": f"why {_HARBOUR}/groke-by-hand --cause illegal-reply --format csv",
    "why/tex": f"why {_HARBOUR}/groke-by-hand --format tex",
    "diagnose/verify-table": f"diagnose verify {_HARBOUR}/groke-by-hand",
    "diagnose/verify-one": f"diagnose verify {_HARBOUR}/groke-by-hand 10 --format json",
    "diagnose/stability-table": f"diagnose stability {_HARBOUR}/rules {_HARBOUR}/rules-local",
    "diagnose/stability-equal": f"diagnose stability {_HARBOUR}/rules {_HARBOUR}/rules",
    "diagnose/slices-first": f"diagnose slices {_HARBOUR}/rules-local --most 1 --format json",
    "diagnose/slices-table": f"diagnose slices {_HARBOUR}/rules-local --most 3",
    "diagnose/slices-junction": f"diagnose slices {_HARBOUR}/rules-local --by junction --most 2",
    "diagnose/slices-two": f"diagnose slices {_HARBOUR}/rules-local {_HARBOUR}/rules",
    "diagnose/influence-one": f"diagnose influence {_HARBOUR}/rules 1 --mask --format json",
    "diagnose/influence-table": f"diagnose influence {_HARBOUR}/rules 1",
    "diagnose/controls-table": f"{_CONTROLS} rules --limit 6 --seed 1",
    "diagnose/controls-leak": "diagnose controls --navigator shortest-path-oracle --episodes"
    " SAMPLES/house/R2R_sample.json --graphs SAMPLES/house --limit 3",
    "context/start": _CONTEXT,
    "context/landmarks": f'{_CONTEXT} {_THERE} --landmarks "Cod & Co, Café" --landmarks x',
    "context/sub-goal": f'{_CONTEXT} --prompt --sub-goal "Walk to the light"',
    "context/previous": f"{_CONTEXT} {_THERE} --previous 5e61d83d62cac6d94e162e627c0b461d",
    "context/cut": f"{_CONTEXT} --area-links 0",
    "context/streets-msnav": f"{_CONTEXT} --navigator msnav --prompt",
    "context/house": _CONTEXT_HOUSE,
    "context/house-turned": f"{_CONTEXT_HOUSE} --heading 270",
    "context/house-navgpt": f"{_CONTEXT_HOUSE} --navigator navgpt --prompt",
    "context/house-msnav": f"{_CONTEXT_HOUSE} --navigator msnav --prompt",
    "context/house-skillnav": f"{_CONTEXT_HOUSE} --navigator skillnav --prompt",
    "context/house-settings": f"{_CONTEXT_HOUSE} --navigator navgpt --set objects=none",
    "table/groups": f"table {_RULES} --by sub-goals --metrics SR,episodes",
    "table/one-run": f"table {_HARBOUR}/rules --by skill --metrics SR",
    "table/pictures": f"table {_SEEING} --metrics SR --format csv",
    "table/skill-last": f"table {_HOUSE}/skillnav-by-hand --by last-skill --metrics SR --format json",
    "table/skill-first": f"table {_HOUSE}/skillnav-by-hand --by first-skill --metrics SR --format json",
    "table/named": f"table {_RULES} --preset groke-2 --names Global,Local --format json",
    "table/tex": f"table {_RULES} --by skill --metrics SR,NE --best --format tex",
    "table/md": f"table {_RULES} --by skill --metrics SR,NE --best --format md --out OUT/a/t.md",
    "table/svg": f"table {_RULES} --by skill --metrics SR,NE --format svg --out OUT/t.svg",
    "compare/table": f"compare {_RULES} --metrics SR,NE",
    "compare/csv": f"compare {_RULES} --metrics SR --format csv",
    "compare/md": f"compare {_RULES} --metrics SR --format md",
    "compare/tex": f"compare {_RULES} --metrics SR --format tex",
    "compare/baseline": f"compare {_RULES} --baseline rules-local --format json",
    "compare/pictures": f"compare {_SEEING} --metrics SR,NE",
    "export/groke-csv": f"export {_HARBOUR}/groke-by-hand --format csv",
    "export/r2r": f"export {_HARBOUR}/groke-by-hand --format r2r",
    "export/mapgpt": f"export {_HOUSE}/msnav-by-hand --format mapgpt",
    "figure/three": f"figure {_HARBOUR}/rules 1 2 3 --out OUT/new/3.svg --width double",
    "figure/bare": f"figure {_HARBOUR}/rules 2 --out OUT/2.svg --labels none",
    "figure/chosen": f'figure {_HARBOUR}/rules 3 --labels "lobster pot" --steps 1,3 --out OUT/3.svg',
    "atlas/house": f"atlas {_HOUSE}/rules-indoors --out OUT/atlas.html --floor 1",
    "run/rules": "run same --navigator rules --episodes SAMPLES/harbour/splits/sample.json"
    " --graphs SAMPLES/harbour --limit 5 --out OUT/runs --format json",
}
_WRONG = {
    "app": ("app nowhere.json",),
    "annotate": ("annotate causes /nowhere --queue why --cause bad-luck",),
    "atlas": (
        f"atlas {_HARBOUR}/rules --out OUT/a.html --world Atlantis",
        f"atlas {_HOUSE}/rules-indoors --out OUT/a.html --floor 99",
    ),
    "compare": (
        f"compare {_HARBOUR}/rules",
        f"compare {_RULES} --metrics XY",
        f"compare {_RULES} --baseline nobody",
        f"compare {_HARBOUR}/rules nowhere.json",
    ),
    "context": tuple(
        f"{_CONTEXT} {more}"
        for more in (
            "--episode 77", "--node e9 --heading 1", "--heading nan", "--context-format yaml",
            "--units 0", "--area-links -3", "--threshold 200", "--set units=2",
            "--node b74b2b82ddc24aa7d2f12377b0f2bbb2",
            "--previous 5e61d83d62cac6d94e162e627c0b461d,moon", "--landmarks-of nowhere.json",
            "--graphs nowhere", "--episodes nowhere.json",
        )
    ),
    "context-house": tuple(
        f"{_CONTEXT_HOUSE} {more}"
        for more in (
            "--context-format grid", "--sub-goal x", "--previous a", "--navigator rules-indoors",
            "--navigator navgpt --set objects",
        )
    ),
    "controls": (f"{_CONTROLS} groke", f"{_CONTROLS} nobody"),
    "export": tuple(
        f"export {_HOUSE}/mgdm-scripted --format {form} --out OUT/out.json"
        for form in ("r2r", "mapgpt", "velma", "vlnce")
    ),
    "figure": tuple(
        f"figure {_HARBOUR}/rules {more}"
        for more in (
            "1 --out OUT/a.jpg", "nobody --out OUT/a.svg", "1 --out OUT/a.svg --steps 0",
            "1 --out OUT/a.svg --steps 3-x", "1 --out OUT/a.svg --steps 99",
            "1 --out OUT/a.svg --labels Atlantis", "3 --out OUT/a.svg --views 1",
        )
    ),
    "figure-views": tuple(
        f"figure {_HOUSE}/mapgpt-pictures-by-hand {more} --out OUT/a.svg"
        for more in ("101_0 --views 1-6", "101_0 --views 99", "101_0 108_0 --views 1")
    ),
    "film": tuple(
        f"film {_HARBOUR}/rules {more}"
        for more in (
            "1 --out OUT/a.avi", "1 --out OUT/a.mp4 --size big", "1 --out OUT/a.mp4 --size 641x360",
            "1 --out OUT/a.mp4 --seconds-per-step 0", "1 --out OUT/a.mp4 --from 3 --to 2",
            "nobody --out OUT/a.mp4",
        )
    ),
    "navfault": (
        "navfault make OUT/new --voice whisper",
        "navfault make OUT/new --episodes val.json",
        "navfault make OUT/new --voices nowhere",
        "navfault score nowhere",
    ),
    "run": tuple(
        f"{_RUN} {more}"
        for more in (
            "nobody", "groke", "groke --llm claude:x", "groke --llm gemini:x",
            "groke --llm gemini:x --set step_limit", "groke --llm gemini:x --set wings=2",
            "groke --llm gemini:x --set model.thinking=much", "random-walker --ids 99",
            "random-walker --budget-usd -1",
        )
    ),
    "slices": (
        f"diagnose slices {_HARBOUR}/rules-local {_HARBOUR}/rules --by junction",
        f"diagnose slices {_HARBOUR}/rules-local {_HOUSE}/rules-indoors",
    ),
    "stability": (f"diagnose stability {_HARBOUR}/rules",),
    "table": tuple(
        f"table {_RULES} {more}"
        for more in (
            "--preset groke-1", "--preset groke-2 --by split", "--preset groke-5",
            "--preset groke-figure-7", "--by colour", "--metrics nope", "--names one",
            "--format pdf", "--ratings missing.json",
        )
    ),
    "verify": (f"diagnose verify {_HARBOUR}/groke-by-hand no-such",),
    "why": ("why nowhere --cause nothing",),
}  # fmt: skip
"""Calls that are refused: each in a sentence, with its code, and nothing is written."""
_BY_NIGHT = {
    "score/data-groke": f"score {_GROKE}/main_test_seen.json {_STREETS} --format json",
    "score/data-groke-json": f"score json@{_GROKE}/test_seen.json {_STREETS} --format json",
    "score/data-groke-textual": f"score textual@{_GROKE}/test_seen.json {_STREETS} --format json"
    " --as-walked",
    "score/data-groke-graph": f"score graph_vis@{_GROKE}/test_seen.json {_STREETS} --format json",
    "score/data-groke-grid": f"score grid@{_GROKE}/test_seen.json {_STREETS} --format json",
    "score/data-navgpt": f"score DATA/navgpt/detail_val_unseen.json {_HOUSES} --episodes"
    " DATA/navgpt/R2R_val_unseen_4676.json --format json",
    "score/data-r2r": f"score DATA/r2r/val_seen_random_walk.json {_HOUSES} --episodes"
    " DATA/r2r/R2R_val_seen.json --format json",
    "score/data-seq2seq": f"score DATA/wild/r2r_seq2seq/seq2seq_val_seen.json {_HOUSES}"
    " --episodes DATA/r2r/R2R_val_seen.json --format json",
    "score/data-ndh": f"score DATA/wild/ndh/ndh_val_seen_results.json {_HOUSES} --episodes"
    " DATA/wild/ndh/NDH_val_seen.json --format json",
    "score/data-vlnce-cma": "score DATA/vlnce/results/cma_stats_ep_ckpt_0_val_seen_r0_w1.json"
    " --episodes DATA/vlnce/val_seen/val_seen.json.gz --format json",
    "score/data-vlnce-bert": "score DATA/vlnce/results/vlnbert_stats_ep_ckpt_0_val_seen_r0_w1.json"
    " --episodes DATA/vlnce/val_seen/val_seen.json.gz --format json",
    "why/data-groke": f"why {_GROKE}/main_test_seen.json {_STREETS} --format json",
    "diagnose/data-scan": f"diagnose scan {_GROKE}/main_test_seen.json {_STREETS} --format json",
    "diagnose/data-slices": f"diagnose slices {_GROKE}/main_test_seen.json {_STREETS}"
    " --format json",
    "diagnose/influence": f"diagnose influence {_HARBOUR}/rules --limit 2 --format json",
    "diagnose/controls": "diagnose controls --navigator rules --episodes"
    " SAMPLES/harbour/splits/sample.json --graphs SAMPLES/harbour --limit 5 --format json",
    "table/data-groke-2": f"table {_GROKE}/main_test_seen.json {_STREETS} --preset groke-2"
    " --format json",
    "table/data-groke-10": f"table {_GROKE}/ablation_study_json {_STREETS} --preset groke-10"
    " --format json",
    "compare/data": f"compare json@{_GROKE}/test_seen.json textual@{_GROKE}/test_seen.json"
    f" {_STREETS} --format json",
    "report/data": f"report {_GROKE}/test_seen_json.json {_STREETS} --format json --controls 0",
    "data/data-check": f"data check {_GROKE}/ablation_study_json --format json",
    "data/data-map-taxi": "data map DATA/cases/walk-in-a-cell/taxi.csv --format json",
    "data/data-map-bus": "data map DATA/cases/trips-of-one-vehicle/positions.csv --format json",
    "data/data-map-tum": "data map DATA/cases/pose-tables/walk.tum --format json",
    "publish/harbour": f"publish {_HARBOUR}/rules --out OUT/site",
}


def items() -> list[Item]:
    """Return all items; names are unique."""
    made = [Item(name, _command(line)) for name, line in _BY_DAY.items()]
    made += [Item(name, _command(line), day=False) for name, line in _BY_NIGHT.items()]
    made += [Item(f"wrong/{name}", _refused(lines)) for name, lines in _WRONG.items()]
    for form in FORMATS:
        made.append(Item(f"context/{form}", _command(f"{_CONTEXT} --context-format {form}")))
    for run in sorted(SAMPLES.glob("*/runs/*")):
        made.append(Item(f"replay/{run.name}", _replay(run)))
        if run.name.endswith(("by-hand", "-scripted")):
            made.append(Item(f"events/{run.name}/whole", _events(run, None)))
            made.append(Item(f"events/{run.name}/forked", _events(run, 2)))
    made.append(Item("annotate/agreement", _agreement))
    made.append(Item("paper/groke", _paper, day=False))
    made.append(Item("table/50000", _many, day=False))
    return made
