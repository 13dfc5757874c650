"""Record runs on a sample world: ``python assets/samples/build/record_runs.py [NAVIGATOR ...]
[--world harbour]``.

Without names it records the baselines that know nothing of the route. Traces go to
``assets/samples/<world>/runs/<navigator>/<episode>.trace.jsonl``, replacing what is there. Time and
code version in their headers are fixed, so that the same code writes the same bytes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from navviz.errors import NavVizError  # noqa: E402 - the checkout's own package, installed or not
from navviz.formats import discover, open_episodes, open_graph, open_results  # noqa: E402
from navviz.llm.scripted import Scripted  # noqa: E402
from navviz.metrics.score import RunScore, score_run  # noqa: E402
from navviz.records import Episode, Event, Trace, TraceHeader  # noqa: E402
from navviz.records.trace_files import fold, write_trace  # noqa: E402
from navviz.runner import trace_path  # noqa: E402
from navviz.systems.base import Navigator, Settings  # noqa: E402
from navviz.systems.registry import get_navigator, navigator_names, settings_from  # noqa: E402
from navviz.world.graph import Graph  # noqa: E402

BASELINES = ("random-walker", "action-sampling", "regex-heuristic")
CREATED = "2026-01-01T00:00:00+00:00"
CODE_VERSION = "sample"


def record(
    navigator: Navigator,
    episodes: Sequence[Episode],
    graph: Graph,
    out: Path,
    created: str,
    run: str | None = None,
) -> Path:
    """Record one run, named like its navigator unless `run` is given; return its folder."""
    settings = settings_from(navigator)
    run = run or navigator.name
    folder = out / run
    for old in folder.glob("*.trace.jsonl"):
        old.unlink()
    for episode in episodes:
        path = trace_path(out, run, episode.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_trace(fold(_events(navigator, episode, graph, settings, created, run)), path)
    return folder


def record_by_hand(
    out: Path,
    run: str,
    navigator: Navigator,
    settings: Settings,
    episode: Episode,
    graph: Graph,
    model: Scripted,
) -> Trace:
    """Record one walk of a model whose replies are written by hand, and return it."""
    trace = fold(_events(navigator, episode, graph, settings, CREATED, run, model))
    path = trace_path(out, run, episode.id)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_trace(trace, path)
    print(f"{episode.id}: {len(trace.steps)} steps, {trace.end.status if trace.end else 'no end'}")
    return trace


def _events(
    navigator: Navigator,
    episode: Episode,
    graph: Graph,
    settings: Settings,
    created: str,
    run: str,
    model: Scripted | None = None,
) -> Iterator[TraceHeader | Event]:
    yield TraceHeader(
        run=run,
        episode=episode,
        navigator=navigator.name,
        settings=settings.model_dump(mode="json"),
        model=model.name if model is not None else None,
        code_version=CODE_VERSION,
        created=created,
    )
    yield from navigator.navigate(episode, graph, model, settings)


def _figures(score: RunScore) -> str:
    shown = {name: score.means.get(name) for name in ("NE", "SR", "OSR", "TL", "nDTW")}
    return ", ".join(f"{name} {value:.3g}" for name, value in shown.items() if value is not None)


def main(arguments: Sequence[str] | None = None) -> None:
    """Record the runs that are asked for, and print how they score."""
    about = (__doc__ or "").strip()
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "navigators", nargs="*", default=BASELINES, help=f"of: {', '.join(navigator_names())}"
    )
    parser.add_argument("--world", default="harbour", help="folder beside this file")
    parser.add_argument("--out", type=Path, help="another folder than the world's runs/")
    parser.add_argument("--created", default=CREATED, help="time in the headers")
    options = parser.parse_args(arguments)
    world = discover(HERE.parent / options.world)
    graph = open_graph(world.graphs[0])
    episodes = tuple(open_episodes(world.episodes[0]).episodes.values())
    for name in options.navigators:
        folder = record(
            get_navigator(name),
            episodes,
            graph,
            options.out or HERE.parent / options.world / "runs",
            options.created,
        )
        score = score_run(open_results(folder, graph)[0], graph)
        print(f"{name}: {len(episodes)} episodes in {folder}, {_figures(score)}")


if __name__ == "__main__":
    try:
        main()
    except NavVizError as error:
        sys.exit(str(error))
