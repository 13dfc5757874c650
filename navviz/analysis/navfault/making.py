"""Choose faults that ruin their walks, write the logs, and hash the set."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from navviz.analysis.navfault.faults import (
    FAULTS,
    Fault,
    FaultMove,
    FaultWalk,
    Plain,
    Said,
    plain_of,
)
from navviz.analysis.navfault.routes import drawn, route_of
from navviz.analysis.navfault.telling import instruction_of, tell
from navviz.analysis.navfault.voices import Voice
from navviz.analysis.turns import walked_turns
from navviz.errors import SettingsError
from navviz.records import Episode, Trace
from navviz.records.trace_files import write_trace
from navviz.support.guarded import json_text, read_text, writing
from navviz.systems.branches import Branches
from navviz.systems.registry import branches_of, get_navigator
from navviz.world.graph import Graph

VERSION: Final = 1
_READER: Final = "rules-local"
"""Who walks on after a fault."""
_ORDERS: Final = 3
_LOGS, _TRUTH, _SET = "logs", "truth.jsonl", "navfault.json"

Tail = tuple[tuple[tuple[str, ...], bool], ...]
"""How a walk went on: the path of each step, and whether it stops there."""


@dataclass(frozen=True, slots=True)
class Log:
    """One made log, and what is true of it."""

    voice: Voice
    walk: FaultWalk
    """To its end."""
    kind: str = ""
    """Empty of a faultless log."""
    fault: Fault | None = None
    ne_m: float = 0.0
    reference_ne_m: float | None = None
    """Where the navigator ends that takes the reference link instead; ``None`` where there is none:
    a walk that goes past its goal.
    """

    @property
    def key(self) -> tuple[str, str, str]:
        """Voice, kind and the id of the real episode."""
        return self.voice.name, self.kind, self.walk.route.episode.id


@dataclass
class Prover:
    """Walks on from any place of a route as `rules-local` reads its instruction."""

    plain: Plain
    voice: Voice
    seen: dict[int, Any]
    """What was seen of maps, see `Branches`."""
    _tails: dict[tuple[str, ...], Tail] = field(default_factory=dict)

    @cached_property
    def _branches(self) -> Branches:
        instruction = instruction_of(self.plain.walk, self.voice)[0]
        episode = self.plain.route.episode.model_copy(update={"instruction": instruction})
        reader = get_navigator(_READER)
        branching = branches_of(reader)
        if branching is None:
            raise SettingsError(f"{_READER} cannot walk on from its decisions.")
        graph = self.plain.route.graph
        return branching(episode, graph, reader.settings_type(), self.seen)

    def after(self, walked: tuple[str, ...]) -> Tail:
        """Return the cell of a walk that was forced up to a link."""
        if walked not in self._tails:
            self._tails[walked] = tuple(self._branches.after(0, walked))
        return self._tails[walked]

    def proved(self, kind: str, fault: Fault) -> Log | None:
        """Return the whole log of a fault where its link ruins the walk and the reference link does
        not, and where the walk never comes back to the route ahead; else ``None``.
        """
        route, moves = self.plain.route, list(fault.walk.moves)
        place = route.nodes.index(fault.fork)
        radius_m, reference_ne_m = route.episode.success_radius_m, None
        if fault.reference is not None:
            tail = self.after(route.nodes[: place + 2])
            end = tail[-1][0][-1] if tail else fault.reference
            reference_ne_m = self._ne_m(end)
            if reference_ne_m > radius_m:
                return None
        if fault.link is not None and not fault.walk.limit:
            moves += self._onward(fault, self.after((*route.nodes[: place + 1], fault.link)))
            if not moves[-1].stop:
                return None
        walk = replace(fault.walk, moves=tuple(moves))
        nodes = [route.nodes[0]]
        for move in moves:
            nodes += move.path[1:]
        came_back = not set(route.nodes[place + 1 :]).isdisjoint(nodes[place + 1 :])
        ne_m = self._ne_m(nodes[-1])
        if came_back or ne_m <= radius_m:
            return None
        return Log(self.voice, walk, kind, fault, ne_m, reference_ne_m)

    def first(self, kind: str, seed: int) -> Log | None:
        """Return one proved fault of a kind."""
        faults = list(FAULTS[kind](self.plain))
        begin = drawn(seed, self.voice.name, kind, self.plain.route.episode.id)
        for k in range(len(faults)):
            log = self.proved(kind, faults[(begin + k) % len(faults)])
            if log is not None:
                return log
        return None

    def _ne_m(self, node: str) -> float:
        return self.plain.route.graph.distance_m(node, self.plain.route.nodes[-1])

    def _onward(self, fault: Fault, tail: Tail) -> Iterator[FaultMove]:
        """Yield the moves after the fault; a line is closed where its side is turned to."""
        route, last = self.plain.route, fault.walk.moves[-1]
        line = min(last.line + int(last.completed), len(route.lines) - 1)
        before = last.path[-2:]
        for path, stops in tail:
            way = (*before[:-1], *path)
            turns = walked_turns(way, route.graph)
            sayings = Said("onward", node=path[-1])
            if turns:
                sayings = Said("onward_turn", side=turns[-1].side, node=path[-1])
            done = stops or (bool(turns) and turns[-1].side == route.lines[line].side)
            sayings = Said("stop") if stops else sayings
            both = (sayings, Said("closed" if done else "open"))
            yield FaultMove(path, line, both, completed=done, stop=stops)
            line, before = min(line + int(done), len(route.lines) - 1), way[-2:]


def make_logs(
    episodes: Iterable[Episode],
    graph_of: Callable[[str], Graph],
    voices: Sequence[Voice],
    count: int,
    *,
    seed: int = 0,
    on_made: Callable[[int], None] = lambda _: None,
) -> list[Log]:
    """Make `count` logs with a fault, kinds and voices in turn, and the faultless twin of each.

    Raises `SettingsError` when the episodes have room for no fault.
    """
    plains = []
    for episode in episodes:
        route = route_of(episode, graph_of(episode.world))
        plain = None if route is None else plain_of(route)
        if plain is not None:
            plains.append(plain)
    seen: dict[int, Any] = {}
    provers = []
    for voice in voices:
        provers.append([Prover(one, voice, seen) for one in plains])
    cells = []
    for turn in range(len(voices)):
        for number, kind in enumerate(FAULTS):
            own = provers[(number + turn) % len(voices)]
            # kinds that go through the episodes in one order share their twins
            cells.append((kind, iter(_ordered(own, seed, number % _ORDERS))))
    hits: list[Log] = []
    while cells and len(hits) < count:
        still_open = []
        for kind, left in cells[: count - len(hits)]:
            log = next(filter(None, (prover.first(kind, seed) for prover in left)), None)
            if log is not None:
                hits.append(log)
                still_open.append((kind, left))
                on_made(len(hits))
        cells = still_open
    if not hits:
        raise SettingsError(
            "The episodes have room for no fault: none has a route of 1 to 4 plain turns on its map"
            " with a start heading. Take the episodes of Map2Seq, or the bundled sample."
        )
    twins = {}
    for log in hits:
        plain = next(one for one in plains if one.route is log.walk.route)
        twin = Log(log.voice, plain.walk)
        twins[twin.key] = twin
    return sorted([*hits, *twins.values()], key=lambda log: drawn(seed, "order", *log.key))


def _ordered(provers: Iterable[Prover], seed: int, number: int) -> list[Prover]:
    def place(prover: Prover) -> tuple[int, str]:
        source = prover.plain.route.episode.id
        return drawn(seed, prover.voice.name, number, source), source

    return sorted(provers, key=place)


def traces_of(logs: Sequence[Log]) -> Iterator[tuple[Trace, dict[str, Any]]]:
    """Yield each log as a trace, and what is true of it; names say nothing of the fault."""
    names = {log.key: f"nf-{number:04}" for number, log in enumerate(logs, start=1)}
    for log in logs:
        voice, kind, source = log.key
        truth: dict[str, Any] = {"episode": names[log.key], "voice": voice, "kind": kind or None}
        truth["source"] = source
        if (fault := log.fault) is not None:
            spans = instruction_of(log.walk, log.voice)[1]
            truth |= {
                "step": fault.step,
                # a fault of the plan lies in the first step, too
                "steps": [fault.step] if fault.first else sorted({1, fault.step}),
                "first": fault.first,
                "acts": [spans[line] for line in fault.lines],
                "fork": fault.fork,
                "link": fault.link,
                "reference": fault.reference,
                "ne_m": round(log.ne_m),
                "reference_ne_m": None if log.reference_ne_m is None else round(log.reference_ne_m),
                "twin": names[voice, "", source],
            }
        yield tell(log.walk, log.voice, names[log.key]), truth


def write_logs(logs: Sequence[Log], folder: Path, *, seed: int) -> str:
    """Write logs, truth and a description of the set; return the SHA-256 of logs and truth.

    Raises `SettingsError` when the folder holds anything.
    """
    if folder.exists() and any(folder.iterdir()):
        raise SettingsError(f"{folder}: is not empty; name a new folder for the logs.")
    truths, digest = [], hashlib.sha256()
    for trace, truth in traces_of(logs):
        path = folder / _LOGS / f"{trace.episode.id}.trace.jsonl"
        write_trace(trace, path)
        digest.update(read_text(path).encode())
        truths.append(f"{json_text(truth)}\n")
    digest.update("".join(truths).encode())
    about = {
        "navfault": VERSION,
        "seed": seed,
        "with_a_fault": sum(log.fault is not None for log in logs),
        "faultless": sum(log.fault is None for log in logs),
        "voices": sorted({log.voice.name for log in logs}),
        "sha256": digest.hexdigest(),
    }
    for name, content in ((_TRUTH, "".join(truths)), (_SET, f"{json_text(about)}\n")):
        with writing(folder / name) as part:
            part.write_text(content, encoding="utf-8", newline="\n")
    return digest.hexdigest()
