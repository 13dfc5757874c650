"""Choose faults that ruin their walks, write the logs, and hash the set."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from navviz.analysis.navfault.faults import (
    FAULTS,
    Fault,
    FaultKind,
    Move,
    Plain,
    Said,
    Walk,
    plain_of,
)
from navviz.analysis.navfault.routes import drawn, heading_at, route_of
from navviz.analysis.navfault.telling import instruction_of, tell
from navviz.analysis.navfault.voices import Voice
from navviz.analysis.turns import Side
from navviz.errors import SettingsError
from navviz.language.grammar.grammar import read_instruction
from navviz.language.placing.scoring import load_expected, load_weights
from navviz.records import Episode, Trace
from navviz.records.trace_files import write_trace
from navviz.support.guarded import json_text, writing
from navviz.systems.rules.local import LocalWalk, retrace, walk_on
from navviz.systems.rules.local_navigator import is_of_map2seq
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

VERSION: Final = 1
_ORDERS: Final = 3
_TURN_DEG: Final = 45.0
_LOGS, _TRUTH, _SET = "logs", "truth.jsonl", "navfault.json"


@dataclass(frozen=True, slots=True)
class Log:
    """One made log, and what is true of it."""

    source: str
    """Id of the real episode."""
    voice: Voice
    fault: Fault | None
    """``None`` of a faultless log."""
    walk: Walk
    """To its end."""
    ne_m: float
    reference_ne_m: float | None = None
    """Where the navigator ends that takes the reference link instead; ``None`` where there is none:
    a walk that goes past its goal.
    """


@dataclass
class Prover:
    """Walks on from any place of a route as `rules-local` reads its instruction."""

    plain: Plain
    voice: Voice
    _ends: dict[tuple[str, ...], list[tuple[tuple[str, ...], bool]]] = field(default_factory=dict)

    def after(self, walked: tuple[str, ...]) -> list[tuple[tuple[str, ...], bool]]:
        """Return what follows a forced walk: the path of each step, and whether it stops there."""
        if walked not in self._ends:
            route, graph = self.plain.route, self.plain.route.graph
            reading = read_instruction(instruction_of(self.plain.walk, self.voice)[0])
            prior = is_of_map2seq(route.episode)
            name = "length-prior" if prior else "no-length-prior"
            walk = LocalWalk.begin(
                reading, load_weights(name), load_expected(name), length_prior=prior
            )
            heading_deg = retrace(graph, walk, walked, route.episode.start_heading_deg or 0.0)
            steps = []
            for step in walk_on(graph, walk, walked, heading_deg):
                steps.append((step.chosen.path, step.chosen.stop))
            self._ends[walked] = steps
        return self._ends[walked]

    def proved(self, fault: Fault) -> Log | None:
        """Return the whole log of a fault where its link ruins the walk and the reference link does
        not, and where the walk never comes back to the route ahead; else ``None``.
        """
        route, moves = self.plain.route, list(fault.walk.moves)
        place = route.nodes.index(fault.fork)
        reference_ne_m = None
        if fault.reference is not None:
            to_fork = route.nodes[: place + 2]
            reference_ne_m = self._ne_m(_joined(to_fork, self.after(to_fork))[-1])
            if reference_ne_m > route.episode.success_radius_m:
                return None
        if fault.link is not None and not fault.walk.limit:
            to_link = (*route.nodes[: place + 1], fault.link)
            moves += _onward(fault, self.after(to_link), route.graph, to_link)
            if not moves[-1].stop:
                return None
        walk = replace(fault.walk, moves=tuple(moves))
        nodes = [walk.moves[0].path[0]]
        for move in walk.moves:
            nodes += move.path[1:]
        ne_m = self._ne_m(nodes[-1])
        came_back = not set(route.nodes[place + 1 :]).isdisjoint(nodes[place + 1 :])
        if ne_m <= route.episode.success_radius_m or came_back:
            return None
        return Log(route.episode.id, self.voice, fault, walk, ne_m, reference_ne_m)

    def _ne_m(self, node: str) -> float:
        return self.plain.route.graph.distance_m(node, self.plain.route.nodes[-1])


def _joined(walked: Sequence[str], steps: Iterable[tuple[tuple[str, ...], bool]]) -> list[str]:
    nodes = list(walked)
    for path, _ in steps:
        nodes += path[1:]
    return nodes


def _onward(
    fault: Fault, steps: Iterable[tuple[tuple[str, ...], bool]], graph: Graph, walked: Sequence[str]
) -> Iterator[Move]:
    """Yield the moves after the fault; a line is closed where its side is turned to."""
    lines, last = fault.walk.route.lines, fault.walk.moves[-1]
    line = min(last.line + int(last.completed), len(lines) - 1)
    nodes = list(walked)
    for path, stops in steps:
        angle_deg, at = 0.0, len(nodes)
        nodes += path[1:]
        for k in range(max(at - 1, 1), len(nodes) - 1):
            before_deg = heading_at(nodes[k - 1 : k + 1], graph, 0.0)
            bend_deg = turn_deg(before_deg, heading_at(nodes[k : k + 2], graph, 0.0))
            angle_deg = max(angle_deg, bend_deg, key=abs)
        side: Side | None = None
        if abs(angle_deg) > _TURN_DEG:
            side = "left" if angle_deg < 0 else "right"
        done = stops or (side is not None and side == lines[line].side)
        said = Said("onward", node=path[-1])
        if stops:
            said = Said("stop")
        elif side is not None:
            said = Said("onward_turn", side=side, node=path[-1])
        yield Move(
            path, line, (said, Said("closed" if done else "open")), completed=done, stop=stops
        )
        line = min(line + int(done), len(lines) - 1)


def make_logs(
    episodes: Iterable[Episode],
    graph_of: Callable[[str], Graph],
    voices: Sequence[Voice],
    count: int,
    *,
    seed: int = 0,
    kinds: Sequence[FaultKind] = tuple(FAULTS),
    on_made: Callable[[int], None] = lambda _: None,
) -> list[Log]:
    """Make `count` logs with a fault, kinds and voices in turn, and the faultless twin of each.

    Raises
    ------
    SettingsError
        When the episodes have room for no fault.
    """
    plains = []
    for episode in episodes:
        route = route_of(episode, graph_of(episode.world))
        plain = None if route is None else plain_of(route)
        if plain is not None:
            plains.append(plain)
    found: list[Log] = []
    provers = [[Prover(plain, voice) for plain in plains] for voice in voices]
    open_cells = []
    for turn in range(len(voices)):
        for number, kind in enumerate(kinds):
            own = provers[(number + turn) % len(voices)]
            # kinds that go through the episodes in one order share their twins
            key = partial(_order, seed, number % _ORDERS)
            open_cells.append((kind, iter(sorted(own, key=key))))
    while open_cells and len(found) < count:
        still_open = []
        for cell in open_cells:
            kind, left = cell
            log = next(filter(None, (_first(kind, prover, seed) for prover in left)), None)
            if log is not None and len(found) < count:
                found.append(log)
                still_open.append(cell)
                on_made(len(found))
        open_cells = still_open
    if not found:
        raise SettingsError(
            "The episodes have room for no fault: none has a route of 1 to 4 plain turns on its map"
            " with a start heading. Take the episodes of Map2Seq, or the bundled sample."
        )
    wanted = {(log.source, log.voice.name) for log in found}
    for voice in voices:
        for plain in plains:
            if (plain.route.episode.id, voice.name) in wanted:
                found.append(Log(plain.route.episode.id, voice, None, plain.walk, 0.0))
    return sorted(found, key=lambda log: drawn(seed, "order", *_key(log)))


def _order(seed: int, number: int, prover: Prover) -> tuple[int, str]:
    source = prover.plain.route.episode.id
    return drawn(seed, prover.voice.name, number, source), source


def _first(kind: FaultKind, prover: Prover, seed: int) -> Log | None:
    """Return one proved fault of a kind in an episode."""
    faults = list(FAULTS[kind](prover.plain))
    start = drawn(seed, prover.voice.name, kind, prover.plain.route.episode.id)
    for k in range(len(faults)):
        log = prover.proved(faults[(start + k) % len(faults)])
        if log is not None:
            return log
    return None


def _key(log: Log) -> tuple[str, str, str]:
    return log.voice.name, "" if log.fault is None else log.fault.kind, log.source


def traces_of(logs: Sequence[Log]) -> Iterator[tuple[Trace, dict[str, Any]]]:
    """Yield each log as a trace, and what is true of it; names say nothing of the fault."""
    names = {_key(log): f"nf-{number:04}" for number, log in enumerate(logs, start=1)}
    for log in logs:
        name, fault = names[_key(log)], log.fault
        truth: dict[str, Any] = {
            "episode": name,
            "voice": log.voice.name,
            "kind": None,
            "source": log.source,
        }
        if fault is not None:
            spans = instruction_of(log.walk, log.voice)[1]
            in_plan = fault.kind in {"plan-side", "plan-landmark"}
            truth |= {
                "kind": fault.kind,
                "step": fault.step,
                "steps": sorted({fault.step, 1}) if in_plan else [fault.step],
                "first": fault.first,
                "acts": [spans[line] for line in fault.lines if line < len(spans)],
                "fork": fault.fork,
                "link": fault.link,
                "reference": fault.reference,
                "ne_m": round(log.ne_m),
                "reference_ne_m": None if log.reference_ne_m is None else round(log.reference_ne_m),
                "twin": names[log.voice.name, "", log.source],
            }
        yield tell(log.walk, log.voice, name), truth


def write_logs(logs: Sequence[Log], folder: Path, *, seed: int) -> str:
    """Write logs, truth and a description of the set; return the SHA-256 of logs and truth.

    Raises
    ------
    SettingsError
        When the folder holds anything.
    """
    if folder.exists() and any(folder.iterdir()):
        raise SettingsError(f"{folder}: is not empty; name a new folder for the logs.")
    (folder / _LOGS).mkdir(parents=True)
    truths, digest = [], hashlib.sha256()
    for trace, truth in traces_of(logs):
        path = folder / _LOGS / f"{trace.episode.id}.trace.jsonl"
        write_trace(trace, path)
        digest.update(path.read_bytes())
        truths.append(json_text(truth))
    text = "\n".join(truths) + "\n"
    digest.update(text.encode())
    about = {
        "navfault": VERSION,
        "seed": seed,
        "with_a_fault": sum(log.fault is not None for log in logs),
        "faultless": sum(log.fault is None for log in logs),
        "voices": sorted({log.voice.name for log in logs}),
        "sha256": digest.hexdigest(),
    }
    for name, content in ((_TRUTH, text), (_SET, json_text(about) + "\n")):
        with writing(folder / name) as part:
            part.write_text(content, encoding="utf-8")
    return digest.hexdigest()
