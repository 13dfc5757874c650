"""Runs that outlive pages: each in a thread of its own, in a registry of the process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from navviz.llm.registry import close_model
from navviz.records import Call, CallEvent, EndEvent, Episode, Event, PlanEvent, Trace
from navviz.records.trace_files import Folder
from navviz.runner.debugging import Debugger
from navviz.runner.episode import WalkRequest, debugged_episode, run_episode, trace_path
from navviz.runner.pauses import Pause

_BEGIN_S = 5.0
"""Longest wait for the first event, so that whoever started a run finds something to show."""
_TURN_S = 0.2
"""How late a walk that waits for its turn notices that it was stopped."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a live run stands, for its progress line."""

    step: int
    sub_goal: str | None
    calls: int
    tokens: int | None
    """Tokens of the calls that their server counted; ``None`` where it counted none."""
    uncounted: int
    """Number of calls without a count, such as one that was stopped in the middle."""
    cost_usd: float | None
    """Cost of the calls with a known price; ``None`` where there is none."""
    unpriced: int
    """Number of calls whose cost is not known."""
    elapsed_s: float
    running: bool
    end: EndEvent | None


class LiveRun:
    """One episode that is being walked, or was; made by `LiveRuns.start`."""

    def __init__(self, run: str, episode: Episode, path: Path) -> None:
        self.run, self.episode, self.path = run, episode, path
        self._cancel = threading.Event()
        self._lock = threading.Lock()
        self._count = 0
        self._folder = Folder()
        self._calls: list[Call] = []
        self._end: EndEvent | None = None
        self._started_s = time.monotonic()
        self._ended_s: float | None = None
        self._thread: threading.Thread | None = None
        self._begun = threading.Event()
        self._heard_s = self._started_s
        self.debugger: Debugger | None = None
        """Its breakpoints may be changed while the walk goes on."""
        self.pause: Pause | None = None
        """Where the walk waits to be edited; `Pause.go_on` ends it."""

    def _begin(
        self,
        events: Callable[[threading.Event], Iterator[Event | Pause]],
        after: Callable[[], None],
        *,
        waits: bool = True,
    ) -> None:
        def work() -> None:
            try:
                for event in events(self._cancel):
                    if isinstance(event, Pause):
                        with self._lock:
                            self._count += 1
                        self.pause = event
                        self._begun.set()
                        while not self._cancel.is_set() and not event.answered.wait(_TURN_S):
                            self._heard_s = time.monotonic()
                        self.pause = None
                    else:
                        self._take(event)
            except Exception as error:  # noqa: BLE001 - a thread has nobody above it to tell
                self._take(EndEvent(status="error", reason=str(error)))
            finally:
                self._ended_s = time.monotonic()
                after()

        self._thread = threading.Thread(target=work, name=f"navviz-live-{self.run}", daemon=True)
        self._thread.start()
        if waits:
            self._begun.wait(_BEGIN_S)

    def _take(self, event: Event) -> None:
        with self._lock:
            self._count += 1
            self._heard_s = time.monotonic()
            self._folder.add(event)
            if isinstance(event, CallEvent):
                self._calls.append(event.call)
            elif isinstance(event, PlanEvent):
                self._calls.extend(event.calls)
            elif isinstance(event, EndEvent):
                self._end = event
        self._begun.set()

    def stop(self) -> None:
        """Stop at once; the trace ends with status ``stopped``."""
        self._cancel.set()

    def join(self, timeout_s: float | None = None) -> None:
        """Wait until it has ended."""
        if self._thread is not None:
            self._thread.join(timeout_s)

    @property
    def running(self) -> bool:
        """Whether it is still being walked."""
        return self._thread is not None and self._thread.is_alive() and self._end is None

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._cancel.is_set()

    @property
    def count(self) -> int:
        """Number of events so far: what has changed since one looked last."""
        with self._lock:
            return self._count

    @property
    def quiet_s(self) -> float:
        """Seconds since the last event; 0 once it has ended."""
        with self._lock:
            return 0.0 if self._end is not None else time.monotonic() - self._heard_s

    def look(self) -> tuple[Trace | None, int]:
        """Return the trace so far and the number of its events, both of the same moment.

        Asked for one after the other, an event may come between them: then the count tells of more
        than the trace holds, and whoever draws only what is new never draws the last event.
        """
        with self._lock:
            return (self._folder.trace if self._folder.started else None), self._count

    @property
    def trace(self) -> Trace | None:
        """The trace so far; ``None`` before its header was written."""
        return self.look()[0]

    @property
    def progress(self) -> Progress:
        """Step, sub-goal, tokens, cost and time so far."""
        trace = self.trace
        step = trace.steps[-1] if trace is not None and trace.steps else None
        with self._lock:
            calls, end = list(self._calls), self._end
        tokens = [call.tokens for call in calls if call.tokens is not None]
        costs = [call.cost_usd for call in calls if call.cost_usd is not None]
        sub_goal = None
        if step is not None and step.sub_goal is not None and step.sub_goal < len(step.plan):
            sub_goal = step.plan[step.sub_goal].description
        return Progress(
            step=step.index if step is not None else 0,
            sub_goal=sub_goal,
            calls=len(calls),
            tokens=sum(tokens) if tokens or not calls else None,
            uncounted=len(calls) - len(tokens),
            cost_usd=sum(costs) if costs or not calls else None,
            unpriced=len(calls) - len(costs),
            elapsed_s=(self._ended_s or time.monotonic()) - self._started_s,
            running=self.running,
            end=end,
        )


class LiveRuns:
    """All live runs of this process, the newest last; keep one for the whole application."""

    def __init__(self, keep: int = 20) -> None:
        self._keep = keep
        self._runs: dict[str, LiveRun] = {}
        self._lock = threading.Lock()

    def start(self, request: WalkRequest) -> LiveRun:
        """Begin to walk; the run is stopped by itself, and its model is closed in the end."""
        live = LiveRun(
            request.run, request.episode, trace_path(request.out, request.run, request.episode.id)
        )

        live.debugger = request.debugger

        def events(cancel: threading.Event) -> Iterator[Event | Pause]:
            return debugged_episode(replace(request, cancel=cancel))

        with self._lock:
            self._runs[request.run] = live
            self._forget_old()
        live._begin(events, lambda: close_model(request.llm))  # noqa: SLF001 - the two classes are one thing
        return live

    def start_many(self, requests: Sequence[WalkRequest], workers: int) -> list[LiveRun]:
        """Begin several walks, of which so many go on at a time; the others wait for their turn.

        A shared budget is passed by one call a worker at most.
        """
        # no pool of threads: each walk is stopped, and found again by a reload, by itself
        turns = threading.Semaphore(max(1, workers))
        return [self._start_later(request, turns) for request in requests]

    def _start_later(self, request: WalkRequest, turns: threading.Semaphore) -> LiveRun:
        path = trace_path(request.out, request.run, request.episode.id)
        live = LiveRun(request.run, request.episode, path)

        def events(cancel: threading.Event) -> Iterator[Event]:
            while not turns.acquire(timeout=_TURN_S):
                if cancel.is_set():
                    yield EndEvent(status="stopped", reason="Stopped before its turn.")
                    return
            try:
                yield from run_episode(replace(request, cancel=cancel))
            finally:
                turns.release()

        with self._lock:
            self._runs[request.run] = live
            self._forget_old()
        # most of them wait for their turn, so nobody waits for their first event
        live._begin(events, lambda: close_model(request.llm), waits=False)  # noqa: SLF001 - the two classes are one thing
        return live

    def _forget_old(self) -> None:
        ended = [name for name, live in self._runs.items() if not live.running]
        # a dict keeps its order, so that the oldest ended runs go first and a running one never
        # goes
        for name in ended[: max(0, len(self._runs) - self._keep)]:
            del self._runs[name]

    def get(self, run: str) -> LiveRun | None:
        """Return a run by its name, or ``None``."""
        with self._lock:
            return self._runs.get(run)

    def names(self) -> Sequence[str]:
        """Names of the runs that are kept, the newest first."""
        with self._lock:
            return list(reversed(self._runs))
