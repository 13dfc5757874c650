"""Walks that are walked again, each batch in a thread of its own; a second press shows it again.

The walks lie in the workspace's runs, so a batch that was stopped, or whose server was, goes on
where it ended: nothing that is finished is walked again.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import streamlit as st

from navviz.analysis.counterfactuals.report import RepairReport, walk_repairs
from navviz.analysis.counterfactuals.trials import RepairPlans, offer_for
from navviz.analysis.counterfactuals.walking import ARMS, RepairWalker
from navviz.errors import NavVizError, SettingsError
from navviz.llm.registry import close_model
from navviz.records import Trace
from navviz.records.base import plural
from navviz.runner.walk import Outcome
from navviz.runs.opened import OpenRun, workspace_dir
from navviz.runs.owners import Ownership, claim
from navviz.ui.state.session import ForkPoint, RepairWish, current
from navviz.world.graph import Graph

_T = TypeVar("_T")

_KEPT = 12
"""Reports that stay in memory; their walks stay on disk."""


@dataclass(frozen=True, slots=True)
class WalkedAgain(Generic[_T]):
    """What is walked again in the background: repairs of failures, or samples of other links."""

    of: object
    """Which of a run's: a cause, or episode and step."""
    total: int
    """Number of walks."""
    folders: tuple[str, ...]
    """What follows the walker's name in the names of the folders that are written."""
    walk: Callable[[RepairWalker], _T]


def repairs_of_plans(
    run: OpenRun, cause: str | None, plans: RepairPlans
) -> WalkedAgain[RepairReport]:
    """Return the repairs of a cause's failures, or of all."""
    # each failure is walked repaired and unchanged, and with a placebo where there is one
    total = sum(2 + (trial.placebo is not None) for trial in plans.trials)
    folders = tuple(f"-{arm}" for arm in ARMS)
    return WalkedAgain(cause, total, folders, partial(walk_repairs, run, plans))


class RepairBatch(Generic[_T]):
    """Walks of a run that are walked again, while that goes on and afterwards."""

    def __init__(
        self, run: OpenRun, again: WalkedAgain[_T], walker: RepairWalker, payer: str = ""
    ) -> None:
        self.payer, self.workers, self.total = payer, walker.workers, again.total
        self.done = 0
        self.report: _T | None = None
        self.fault: str | None = None
        self.ended = threading.Event()
        self._stop = threading.Event()
        self._done_before = 0
        walker = replace(walker, cancel=self._stop, on_progress=self._after)
        name = f"navviz-repairs-{run.name}"
        work = partial(self._work, run.name, again, walker)
        threading.Thread(target=work, name=name, daemon=True).start()

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped it."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Stop the walks that go on, and begin no other."""
        self._stop.set()

    def _work(self, run: str, again: WalkedAgain[_T], walker: RepairWalker) -> None:
        try:
            self.report = again.walk(walker)
        except NavVizError as error:
            self.fault = str(error)
        except Exception as error:  # a thread has nobody else to report to
            self.fault = f"New walks of {run} failed ({type(error).__name__}: {error})."
            raise
        finally:
            close_model(walker.llm)
            self.ended.set()

    def _after(self, done: int, total: int, outcome: Outcome) -> None:
        """Count a walk; each arm counts its own from 1."""
        del outcome
        self.done = self._done_before + done
        if done == total:
            self._done_before += total


class RepairBatches:
    """Batches by their run, its failures and their owner."""

    def __init__(self) -> None:
        self._by_key: dict[tuple[object, ...], RepairBatch[Any]] = {}
        self._lock = threading.Lock()

    def get(self, run: OpenRun, of: object, owner: str) -> RepairBatch[Any] | None:
        """Return the batch of a cause, of all failures (``None``) or of other links; only its
        owner's.
        """
        return self._by_key.get((run.source.identity, of, owner))

    def start(
        self,
        run: OpenRun,
        again: WalkedAgain[Any],
        walker: RepairWalker,
        owned: Ownership | None,
        limit: int | None = None,
    ) -> RepairBatch[Any]:
        """Walk a batch, unless it is being walked already; `limit` is how many walks its visitor's
        repairs may have at the same time.

        Raises `SettingsError` when the visitor has as many already; `ConflictError` when its folder
        is somebody else's.
        """
        owner = "" if owned is None else owned.owner
        key = (run.source.identity, again.of, owner)
        payer = "" if owned is None else owned.payer or owned.owner
        with self._lock:
            batch = self._by_key.get(key)
            if batch is not None and not batch.ended.is_set():
                # the batch that goes on has a model of its own
                close_model(walker.llm)
                return batch
            if limit is not None and self.walks_of(payer) + walker.workers > limit:
                close_model(walker.llm)
                walks = plural(limit, "walk")
                raise SettingsError(
                    f"Your repairs take the {walks} at a time that a visitor of this server may"
                    " have; wait for them, or stop some."
                )
            name = _name(run.name, owner)
            out = workspace_dir() / "runs"
            # all before anything is walked: a folder of somebody else's stops the whole batch
            for folder in again.folders:
                claim(out / f"{name}{folder}", owned)
            ended = [key for key, batch in self._by_key.items() if batch.ended.is_set()]
            for old in ended[: max(0, len(ended) - _KEPT + 1)]:
                del self._by_key[old]
            self._by_key[key] = RepairBatch(run, again, replace(walker, out=out, name=name), payer)
            return self._by_key[key]

    def walks_of(self, payer: str) -> int:
        """Count the walks that a visitor's repairs have at the same time."""
        going = (batch for batch in self._by_key.values() if not batch.ended.is_set())
        return sum(batch.workers for batch in going if batch.payer == payer)


def _name(run: str, owner: str) -> str:
    """Return what the walks' runs begin with: another for each run and visitor of a server."""
    name = re.sub(r"[^\w.-]+", "-", run).strip("-.")[:60]
    if name == run and not owner:
        return name
    # the id of an upload is the end of its name: two of one long name must not share their walks
    digest = hashlib.sha256(f"{owner}\0{run}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{name}-{digest[:12]}"


@st.cache_resource(show_spinner=False)
def repair_batches() -> RepairBatches:
    """Return what all sessions share; each sees its own."""
    return RepairBatches()


def wish_repair(
    trace: Trace,
    graph: Graph,
    *,
    run: str,
    opened_run: str = "",
    cause: int | None = None,
    results: Path | None = None,
) -> bool:
    """Note that a walk is to be repaired; returns whether it has a repair.

    Only a key or a button leads here, never a link: without a model Live walks it at once.
    """
    offer = offer_for(trace, graph, cause, results)
    if offer is None:
        return False
    live = current().live
    wish = RepairWish(offer.plan, offer.words, results)
    live.fork = ForkPoint(run, trace.episode.id, offer.plan.step, opened_run, wish)
    live.repairs_next = True
    live.run = None
    return True
