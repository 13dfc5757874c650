"""Scanners by name: NavViz's own, then those of the systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, Protocol

from navviz.analysis.contradictions import ClaimKind, contradictions
from navviz.analysis.described_route import clause_around
from navviz.analysis.turns import Side, missing_turns, walked_turns
from navviz.errors import SettingsError
from navviz.language.mentions import readable, readable_trace
from navviz.language.said import said_sides, sides_of
from navviz.records import EndStatus, Finding, Step, Trace
from navviz.records.base import plural
from navviz.support.systems import OfferedPart, offered, working
from navviz.world.graph import Graph


class Scanner(Protocol):
    """Reads one trace; NavViz's own need no model."""

    name: ClassVar[str]
    """In links and on the command line: lower case, hyphens, no comma."""
    title: ClassVar[str]
    """In menus."""
    help: ClassVar[str]
    """What counts as a hit, in one sentence."""

    def scan(self, trace: Trace, graph: Graph) -> Iterator[Finding]:
        """Yield the hits of one trace, in the order of its steps."""
        ...


def hit_of(
    scanner: Scanner, trace: Trace, step: int | None, sentence: str, code: str | None = None
) -> Finding:
    """Return what a scanner points at: a step, counted from 1, or the episode as a whole; `code` is
    that of the failure taxonomy, where the scanner knows which one fits.
    """
    key = trace.episode.id
    return Finding(
        kind="scan", id=scanner.name, episode=key, step=step, sentence=sentence, code=code
    )


HIT_COLUMNS: Final = ("scanner", "episode", "step", "sentence", "code")


def hit_row(hit: Finding) -> dict[str, Any]:
    """Return a hit by `HIT_COLUMNS`."""
    values = (hit.id, hit.episode, hit.step, hit.sentence, hit.code)
    return dict(zip(HIT_COLUMNS, values, strict=True))


_VISITS: Final = 3

_CODES: Final[Mapping[ClaimKind, str]] = {
    "turn": "L2.5",
    "missing": "L3.1",
    "landmark": "T3.2",
    "heading": "L2.5",
}


class OtherSide:
    """Said left, chose right: a step's sub-goal or thoughts turn one way, its move the other."""

    name: ClassVar[str] = "other-side"
    title: ClassVar[str] = "Said left, chose right"
    help: ClassVar[str] = (
        "The step's sub-goal or thoughts turn to one side only, and its move turns to the other"
        " only."
    )

    def scan(self, trace: Trace, graph: Graph) -> Iterator[Finding]:
        """Yield the steps whose words and move differ."""
        if graph.frame != "geo":
            return  # turns are told by 25 m of street
        before: tuple[str, ...] = ()
        for step in trace.steps:
            stated = _stated_side(trace, step)
            way = (*before[-12:], *step.path)
            before = (*before, *step.path)
            if stated is None:
                continue  # as in every step without a log; its turns need not be measured
            side, source = stated
            turns = walked_turns(way, graph)
            made = {turn.side for turn in turns if turn.node in step.path[:-1]}
            if made and side not in made:
                (other,) = made
                yield hit_of(
                    self,
                    trace,
                    step.index,
                    f"{source} said {side}, the move turned {other}.",
                    "A3.1",
                )


def _stated_side(trace: Trace, step: Step) -> tuple[Side, str] | None:
    """Return the one side that a step's words turn to, and whose words."""
    plan = step.plan or trace.sub_goals
    due = (
        plan[step.sub_goal].description
        if step.sub_goal is not None and step.sub_goal < len(plan)
        else ""
    )
    sides = set(sides_of(due))
    if len(sides) == 1:
        return next(iter(sides)), f"The sub-goal “{due}”"
    text = " ".join(call.thoughts or "" for call in step.calls)
    spoken = set(sides_of(text))
    return None if sides or len(spoken) != 1 else (next(iter(spoken)), "The thoughts")


class UnknownId:
    """An id that was not in the prompt: the reply names a place that was not shown."""

    name: ClassVar[str] = "unknown-id"
    title: ClassVar[str] = "Id that was not in the prompt"
    help: ClassVar[str] = (
        "The reply names a place whose id is not in the prompt and belongs to no candidate."
    )

    def scan(self, trace: Trace, graph: Graph) -> Iterator[Finding]:
        """Yield the steps whose target is not in their prompt."""
        del graph
        for step in trace.steps:
            target = step.decision.target if step.decision is not None else None
            prompts: list[str] = []
            for call in step.calls:
                prompts += [message.text for message in call.messages]
            offered = (
                {one.node for one in step.observation.candidates}
                if step.observation is not None
                else set()
            )
            if (
                target is None
                or not prompts
                or target in offered
                or any(target in text for text in prompts)
            ):
                continue
            yield hit_of(
                self,
                trace,
                step.index,
                f"The reply names {target}, which the prompt does not hold.",
                "E3.1",
            )


class SamePlace:
    """Same place three times: the agent comes to one place again, or decides without moving."""

    name: ClassVar[str] = "same-place"
    title: ClassVar[str] = "Same place three times"
    help: ClassVar[str] = (
        "Three decisions were made at one place, or the walk came to one node three times."
    )

    def scan(self, trace: Trace, graph: Graph) -> Iterator[Finding]:
        """Yield the step in which a place came up for the third time, once a trace."""
        del graph
        decided: Counter[str] = Counter()
        visited: Counter[str] = Counter([trace.episode.start])
        here = trace.episode.start
        for step in trace.steps:
            place = step.node or here
            decided[place] += 1
            for node in step.path:
                visited[node] += node != here
                here = node
            thrice = (
                place
                if decided[place] == _VISITS
                else next((n for n in step.path if visited[n] >= _VISITS), None)
            )
            if thrice is not None:
                what = "decides" if thrice == place else "comes by"
                yield hit_of(
                    self,
                    trace,
                    step.index,
                    f"The agent {what} at {thrice} for the third time.",
                    "A4.3",
                )
                return


class WordsRemain:
    """Stopped too early: the agent ends its walk before the last turn of the instruction."""

    name: ClassVar[str] = "words-remain"
    title: ClassVar[str] = "Stopped before the last turn"
    help: ClassVar[str] = (
        "The agent ended its walk itself, and the last turn of the instruction was never made."
    )

    def scan(self, trace: Trace, graph: Graph) -> Iterator[Finding]:
        """Yield the last step of a walk that stopped too early for its instruction."""
        # turns are told by 25 m of street; in a house nobody can say so which were made
        last = trace.steps[-1] if trace.steps and graph.frame == "geo" else None
        stopped = last is not None and last.decision is not None and last.decision.stop
        if last is None or not (
            stopped or (trace.end is not None and trace.end.status is EndStatus.DONE)
        ):
            return
        text = readable(trace.episode.instruction)
        described = said_sides(text)
        made = [turn.side for turn in walked_turns(trace.path, graph, least_deg=30.0)]
        missing = missing_turns([side for side, _ in described], made)
        if missing and missing[-1] == len(described) - 1:
            side, span = described[-1]
            quote = clause_around(text, *span)
            yield hit_of(
                self,
                trace,
                last.index,
                f"It stopped, but never turned {side} as “{quote}” says.",
                "A4.1",
            )


class DroppedTurn:
    """Plan dropped a turn of the instruction."""

    name: ClassVar[str] = "dropped-turn"
    title: ClassVar[str] = "Plan dropped a turn"
    help: ClassVar[str] = (
        "The instruction has more turns to one side than the sub-goals of the plan."
    )

    def scan(self, trace: Trace, graph: Graph) -> Iterator[Finding]:
        """Yield a hit for each side to which the plan turns too seldom."""
        del graph
        if not trace.sub_goals:
            return
        wanted, planned = Counter(sides_of(trace.episode.instruction)), Counter[str]()
        for goal in trace.sub_goals:
            planned.update(sides_of(goal.description))
        for side, count in wanted.items():
            if count > planned[side]:
                turns = f"{plural(planned[side], 'turn')} {side}"
                yield hit_of(
                    self,
                    trace,
                    None,
                    f"The plan has {turns}, the instruction {count}.",
                    "A1.1",
                )


class TextAgainstRoute:
    """Text against route: the instruction contradicts its reference path, whoever walked it."""

    name: ClassVar[str] = "text-against-route"
    title: ClassVar[str] = "Instruction contradicts its route"
    help: ClassVar[str] = (
        "The instruction names another side, leaves out a turn, or the start heading points away"
        " from the route."
    )

    def scan(self, trace: Trace, graph: Graph) -> Iterator[Finding]:
        """Yield each contradiction between the instruction and its route."""
        for claim in contradictions(trace.episode, graph):
            yield hit_of(self, trace, None, claim.sentence, _CODES[claim.kind])


_CLASSES = (OtherSide, UnknownId, SamePlace, WordsRemain, DroppedTurn, TextAgainstRoute)


def _scanners() -> dict[str, OfferedPart]:
    """Return all scanners by name, those of other packages last."""
    return offered("scanners", Scanner, {scanner.name: scanner for scanner in _CLASSES})


def scanner_names() -> tuple[str, ...]:
    """Return all names, those of other packages last."""
    return tuple(_scanners())


def get_scanners(names: Sequence[str] = ()) -> list[Scanner]:
    """Return the scanners of these names, or all that work.

    Raises `SettingsError` when there is none of a name; `PluginError` when another package brings
    it, and it cannot be used.
    """
    parts = _scanners()
    unknown = [name for name in names if name not in parts]
    if unknown:
        raise SettingsError(f"There is no scanner {unknown[0]!r}; choose of: {', '.join(parts)}.")
    if names:
        return [parts[name].load() for name in dict.fromkeys(names)]
    return [scanner for _, scanner in working(parts.values())]


def scan_walk(trace: Trace, graph: Graph) -> list[Finding]:
    """Return what all scanners find in one walk, which may still go on."""
    hits = scan_run({trace.episode.id: trace}, lambda _world: graph, get_scanners())
    return list(chain.from_iterable(hits.values()))


def scan_run(
    traces: Mapping[str, Trace], graph_of: Callable[[str], Graph], scanners: Sequence[Scanner]
) -> dict[str, list[Finding]]:
    """Scan all traces of a run; returns the hits of each scanner by its name, in the order of the
    run.

    A scanner of another package that fails is noted (see `noticed` in
    `navviz.support.installation.plugins`), and keeps what it has.
    """
    hits: dict[str, list[Finding]] = {scanner.name: [] for scanner in scanners}
    parts, unbroken = _scanners(), list(scanners)
    # a trace after the other: scanners share what was read of a text, and a lazy run reads once
    for trace in traces.values():
        graph, read = graph_of(trace.episode.world), readable_trace(trace)
        for scanner in tuple(unbroken):
            unbroken.remove(scanner)
            with parts[scanner.name].guarded(f"fails on episode {trace.episode.id}"):
                hits[scanner.name] += scanner.scan(read, graph)
                unbroken.append(scanner)
    return hits
