"""Write the samples' long-horizon tasks and record runs on them: ``python
assets/samples/build/make_tasks.py``.

Five tasks of several parts each in the town and in the house, written by NavGen's rules;
``staged(rules)`` and ``staged(rules-indoors)`` walk them, and ``mgdm`` with a scripted model: no
model was asked, the run shows what its panels look like, and says so in its name. Time and code
version are fixed, so that the same code writes the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

from navviz.formats.episode_lines import write_episodes  # noqa: E402
from navviz.systems.lhvln.mgdm.views import STOP_ID, NumberedCandidate, look  # noqa: E402
from navviz.systems.lhvln.staged.parts import part_text  # noqa: E402
from navviz.world.tours import tour  # noqa: E402
from record_runs import CODE_VERSION, CREATED, record  # noqa: E402 - the script beside this one

from navviz.formats import open_worlds  # noqa: E402 - the checkout's own package, installed or not
from navviz.llm.base import Request  # noqa: E402
from navviz.llm.scripted import Reply, Scripted  # noqa: E402
from navviz.records import Episode, Trace, TraceHeader  # noqa: E402
from navviz.records.trace_files import fold, write_trace  # noqa: E402
from navviz.runner import trace_path  # noqa: E402
from navviz.systems.lhvln.mgdm.navigator import Mgdm, MgdmSettings  # noqa: E402
from navviz.systems.lhvln.navgen.tasks import write_tasks  # noqa: E402
from navviz.systems.registry import get_navigator  # noqa: E402
from navviz.world.graph import Graph  # noqa: E402

WORLDS = {"house": (2, (2, 3, 2, 3, 4), "rules-indoors"), "harbour": (5, (2, 2, 3, 2, 3), "rules")}
"""Seed, targets of each task, and who walks them by parts."""

RUN = "mgdm-scripted"
MODEL = "scripted:written-by-hand"
SETTINGS = MgdmSettings(memory_size=6, cot_every=4, moves_per_task=20)
TOO_EARLY = 3
"""This task's last part is ended one viewpoint too early, as agents do."""


def tasks(world: str, out: Path) -> tuple[Episode, ...]:
    """Write the five tasks of a world and return them."""
    seed, targets, _ = WORLDS[world]
    graph = graph_of(world)
    drafts = write_tasks(graph, len(targets), seed=seed, targets=targets)
    found = [draft.episode for draft in drafts if draft.episode is not None]
    episodes = tuple(
        episode.model_copy(update={"id": f"LH-{number}", "split": "sample"})
        for number, episode in enumerate(found, start=1)
    )
    write_episodes(episodes, out / world / "tasks" / f"{world}_long_horizon.jsonl")
    return episodes


def graph_of(world: str) -> Graph:
    """Return the sample's graph."""
    folder = HERE.parent / world
    return open_worlds(folder / "osm" / "graph" if world == "harbour" else folder)()


class Script:
    """What the scripted model answers on one task: it knows the way and doubts it at crossings."""

    def __init__(self, graph: Graph, episode: Episode, *, too_early: bool) -> None:
        self.episode = episode
        self.plan = list(_choices(graph, episode, too_early=too_early))
        self.at = 0

    def __call__(self, request: Request) -> Reply:
        """Return the answer to one prompt."""
        return Reply(
            reply=json.dumps(self._chain() if request.purpose == "cot" else self._decision())
        )

    def _chain(self) -> dict[str, object]:
        part = self.plan[min(self.at, len(self.plan) - 1)][0]
        parts = [part_text(task) for task in self.episode.tasks]
        done = f"{part} of {len(parts)} parts are done" if part else "nothing is done yet"
        return {"progress": done, "decomposition": parts, "next": f"now: {parts[part]}"}

    def _decision(self) -> dict[str, object]:
        part, choice, choices = self.plan[self.at]
        self.at += 1
        target = self.episode.tasks[part].target
        if choice is None:
            thought = f"The {target} is right here. This part is done."
            return _answer(STOP_ID, thought, f"reached the {target}", 0.82, choices)
        doubt = 0.9 if len(choices) < 3 else 0.74 if len(choices) < 5 else 0.52
        thought = f"I look for the {target}. I go {choice.action}: {choice.text}."
        return _answer(choice.id, thought, f"on the way to the {target}", doubt, choices)


def _answer(
    action: int, thought: str, progress: str, share: float, choices: Sequence[NumberedCandidate]
) -> dict[str, object]:
    others = [key for key in (STOP_ID, *(choice.id for choice in choices)) if key != action]
    rest = {str(key): round((1 - share) / len(others), 3) for key in others}
    return {
        "thought": thought,
        "progress": progress,
        "action": action,
        "probabilities": {str(action): share, **rest},
    }


def _choices(
    graph: Graph, episode: Episode, *, too_early: bool
) -> Iterator[tuple[int, NumberedCandidate | None, Sequence[NumberedCandidate]]]:
    """Part, what is chosen (``None`` to stop), and what there is to choose from, step by step."""
    legs = tour(graph, episode.start, [task.goals for task in episode.tasks]) or ()
    heading = episode.start_heading_deg or 0.0
    for part, leg in enumerate(legs):
        walked = leg[:-1] if too_early and part == len(legs) - 1 and len(leg) > 1 else leg
        for here, there in pairwise(walked):
            choices = look(graph, here, heading)
            yield (
                part,
                next(choice for choice in choices if choice.candidate.node == there),
                choices,
            )
            heading = graph.heading_deg(here, there)
        yield part, None, look(graph, walked[-1], heading)


def record_mgdm(episodes: Sequence[Episode], out: Path) -> Path:
    """Record ``mgdm`` on the house's tasks."""
    graph = graph_of("house")
    for old in (out / RUN).glob("*.trace.jsonl"):
        old.unlink()
    for number, episode in enumerate(episodes, start=1):
        path = trace_path(out, RUN, episode.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_trace(_mgdm(graph, episode, too_early=number == TOO_EARLY), path)
    return out / RUN


def _mgdm(graph: Graph, episode: Episode, *, too_early: bool) -> Trace:
    header = TraceHeader(
        run=RUN,
        episode=episode,
        navigator=Mgdm.name,
        settings=SETTINGS.model_dump(mode="json"),
        model=MODEL,
        code_version=CODE_VERSION,
        created=CREATED,
    )
    model = Scripted(Script(graph, episode, too_early=too_early), name=MODEL)
    trace = fold([header, *Mgdm().navigate(episode, graph, model, SETTINGS)])
    return _timeless(trace)


def _timeless(trace: Trace) -> Trace:
    """Without the seconds that the script took, which differ from one recording to the next."""
    steps = tuple(
        step.model_copy(
            update={
                "calls": tuple(call.model_copy(update={"seconds": None}) for call in step.calls)
            }
        )
        for step in trace.steps
    )
    return trace.model_copy(update={"steps": steps})


def main(out: Path = HERE.parent) -> None:
    """Write everything."""
    for world, (_, _, walker) in WORLDS.items():
        episodes = tasks(world, out)
        staged = get_navigator(f"staged({walker})")
        record(
            staged, episodes, graph_of(world), out / world / "runs", CREATED, run=f"staged-{walker}"
        )
        if world == "house":
            record_mgdm(episodes[:TOO_EARLY], out / world / "runs")


if __name__ == "__main__":
    main()
