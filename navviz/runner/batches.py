"""A batch: a run over many episodes as one object on disk, for the command and for the page alike.

Its folder is the run's own; what is no trace lies in ``.batch/`` within it: ``plan.json`` (what is
to be done), ``episodes.jsonl``, ``state.json`` (how far it is), ``outcomes.jsonl``, ``wish`` (pause
or stop), ``log`` and the lock. Whoever walks it is a process of its own, so it outlives a page, its
server and a terminal; the lock tells whether that process lives. What is finished is never walked
again.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal, Self

from pydantic import ValidationError

from navviz.errors import InputError, NavVizError, SettingsError, StoreError
from navviz.formats.traces import EpisodeLines, write_episodes
from navviz.llm.addresses import KEY_VARIABLES
from navviz.llm.prices import load_prices
from navviz.llm.registry import check_model_name, model_forms
from navviz.llm.streaming import ModelOptions
from navviz.records import Episode
from navviz.runner.config import now, read_record
from navviz.runner.engine import ModelSpec, check_engine
from navviz.runner.fork import is_run_name
from navviz.runner.plan import BatchPlan, BatchState, write_record
from navviz.runner.store import TraceStore
from navviz.runs.opened import workspace_dir
from navviz.runs.owners import CONTROL_FOLDER
from navviz.support.guarded import not_written, write_whole
from navviz.support.installation.processes import child_environment, reap
from navviz.support.locks import FileLock, is_held
from navviz.systems.base import Navigator, Settings, asks_model
from navviz.systems.registry import get_navigator, settings_from

__all__ = ["CONTROL_FOLDER", "RunLock", "is_locked"]

_NAME = "lock"

_HOLDER = "holder"
"""Who holds the lock. A file of its own: on Windows nobody else reads a locked file."""

_PATIENCE_S = 1.0
"""A page that asks whether a run is being walked holds the lock for some microseconds."""


class RunLock:
    """Hold a run's folder for as long as the ``with`` block lasts.

    Raises `StoreError` when another process, or another batch of this one, holds it; the sentence
    names the process.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = FileLock(folder / CONTROL_FOLDER / _NAME)
        self._holder = folder / CONTROL_FOLDER / _HOLDER

    def __enter__(self) -> Self:
        try:
            self._lock.path.parent.mkdir(parents=True, exist_ok=True)
            is_free = self._lock.acquire(_PATIENCE_S)
        except OSError as error:
            raise not_written(self._lock.path, error) from error
        if not is_free:
            raise StoreError(
                f"{self.folder}: this run is being walked already ({self._read_holder()}); wait for"
                " it, stop it, or choose another run name."
            )
        # only with the lock: a process that is refused must not write over the holder
        try:
            since = time.strftime("%Y-%m-%d %H:%M:%S")
            holder = f"process {os.getpid()} on {socket.gethostname()} since {since}"
            write_whole(self._holder, holder)
        except StoreError:
            self._lock.release()
            raise
        return self

    def _read_holder(self) -> str:
        try:
            holder = self._holder.read_text(encoding="utf-8", errors="replace")
        except OSError:
            holder = ""
        return holder[:200].strip() or "another process"

    def __exit__(self, *_error: object) -> None:
        self._lock.release()


def is_locked(folder: Path) -> bool:
    """Whether somebody walks the run in a folder just now."""
    return is_held(folder / CONTROL_FOLDER / _NAME)


Wish = Literal["pause", "stop"]

_STARTS_S = 30.0
"""A process that was started and holds no lock after so long did not come up."""

_LOG_TAIL = 600

_STARTED: dict[Path, subprocess.Popen[bytes]] = {}
"""Processes that this one started, to know at once of one that ended before it took the lock."""


@dataclass(frozen=True, slots=True)
class Status:
    """Where a batch stands just now."""

    name: str
    """``starting``, ``running``, ``pausing``, ``stopping``, ``interrupted``, ``queued`` (in a
    visitor's line), or a state of `BatchState`.
    """
    state: BatchState
    reason: str | None = None

    @property
    def busy(self) -> bool:
        """Whether a process works on it, or will without being asked again."""
        return self.name in {"queued", "starting", "running", "pausing", "stopping"}


def control_root(out: str | Path) -> Path:
    """Return the folder of what is no trace: that of the runs; of an address the workspace's."""
    return TraceStore.at(out).folder or workspace_dir() / "runs"


class Batch:
    """Many episodes to be walked, or being walked, or walked."""

    def __init__(
        self, root: Path, plan: BatchPlan, episodes: Sequence[Episode] | None = None
    ) -> None:
        self.root = root
        self.plan = plan.model_copy(
            update={
                "created": plan.created or now(),
                "episode_count": plan.episode_count if episodes is None else len(episodes),
                "out": plan.out or str(root.resolve()),
            }
        )
        self._episodes = None if episodes is None else list(episodes)

    @classmethod
    def at(cls, folder: Path) -> Batch:
        """Open the batch of a run's folder; raises `InputError` where there is none of this run."""
        plan = read_record(folder / CONTROL_FOLDER / "plan.json", BatchPlan)
        if plan is None:
            raise InputError(
                "holds no batch", "start one with navviz run, or from Explore", file=str(folder)
            )
        # a plan of somebody else may name a run that lies elsewhere
        if plan.run != folder.resolve().name:
            raise InputError(
                f"holds the batch of a run named {plan.run!r}",
                "give the folder this name again",
                file=str(folder),
            )
        return cls(folder.parent, plan)

    # --- where things lie

    @property
    def name(self) -> str:
        """Name of the run."""
        return self.plan.run

    @property
    def folder(self) -> Path:
        """The run's folder on this machine."""
        return self.root / self.plan.run

    def control(self, name: str, run: str | None = None) -> Path:
        """Return a file of the batch that is no trace, or of one of its further runs."""
        return self.root / (run or self.plan.run) / CONTROL_FOLDER / name

    @property
    def episodes(self) -> list[Episode]:
        """What is walked, in order."""
        if self._episodes is None:
            self._episodes = list(
                EpisodeLines.read(self.control("episodes.jsonl")).episodes.values()
            )
        return self._episodes

    def runs(self) -> list[str]:
        """Return the runs with a walk of each episode: first tries, then the other samples."""
        return [self.name, *(f"{self.name}-sample-{k}" for k in range(2, self.plan.samples + 1))]

    # --- what is written

    def save(self) -> None:
        """Write plan and episodes; the caller holds the lock, or nobody knows the batch yet."""
        write_record(self.control("plan.json"), self.plan)
        if self._episodes is not None:
            write_episodes(self._episodes, self.control("episodes.jsonl"))

    def note(self, state: BatchState) -> None:
        """Write how far it is."""
        write_record(self.control("state.json"), state)

    # --- from outside

    def start(self, *, pilot: int = 0, environment: Mapping[str, str] | None = None) -> None:
        """Let a process of its own walk it, or go on with it.

        Raises `StoreError` when it is being walked already, or cannot be written.
        """
        # only for these lines: the process that is started takes the lock for itself
        with RunLock(self.folder):
            self.save()
            self.control("wish").unlink(missing_ok=True)
            earlier = read_record(self.control("state.json"), BatchState) or BatchState()
            self.note(
                earlier.model_copy(
                    update={"state": "waiting", "reason": None, "updated_s": time.time()}
                )
            )
        command = [sys.executable, "-m", "navviz", "run", str(self.folder.resolve()), "--go-on"]
        command += ["--pilot", str(pilot)] if pilot else []
        try:
            with self.control("log").open("wb") as log:
                process = subprocess.Popen(  # noqa: S603 - our own command
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=_environment(self.plan, environment or {}),
                    # it outlives the server and its terminal
                    start_new_session=True,
                    creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                )
        except OSError as error:
            raise StoreError(
                f"{self.folder}: no process can be started for it ({error.strerror})."
            ) from error
        _STARTED[self.folder] = process
        reap(process)

    def put_off(self, reason: str | None) -> None:
        """Write it as paused, with no process; raises `StoreError` as `start` does."""
        with RunLock(self.folder):
            self.save()
            self.control("wish").unlink(missing_ok=True)
            earlier = read_record(self.control("state.json"), BatchState) or BatchState()
            update = {"state": "paused", "reason": reason, "updated_s": time.time()}
            self.note(earlier.model_copy(update=update))

    def ask(self, wish: Wish) -> None:
        """Ask the walking process to pause (after the episodes it began) or to stop at once."""
        write_whole(self.control("wish"), wish)

    def wish(self) -> Wish | None:
        """Return what a user asks the process to do that walks it."""
        try:
            text = self.control("wish").read_text(encoding="utf-8").strip()
        except OSError:
            return None
        if text == "pause":
            return "pause"
        return "stop" if text == "stop" else None

    def status(self) -> Status:
        """Return where it stands just now, whoever walks it."""
        locked = is_locked(self.folder)  # before the state: what was running then is told as it was
        try:
            state = read_record(self.control("state.json"), BatchState) or BatchState()
        except InputError as error:  # the other batches of a list are shown all the same
            return Status("running" if locked else "failed", BatchState(), str(error))
        if locked:
            names = {"pause": "pausing", "stop": "stopping", None: "running"}
            return Status(names[self.wish()] if state.state == "running" else "starting", state)
        if state.state == "waiting":
            process = _STARTED.get(self.folder)
            ended = process is not None and process.poll() is not None
            # by abs, a clock that was set back does not leave a batch starting for hours
            if (
                not ended
                and abs(time.time() - state.updated_s) < _STARTS_S
                and self.control("log").exists()
            ):
                return Status("starting", state)
            return Status("failed", state, self._last_words() or "Its process did not start.")
        if state.state == "running":
            return Status(
                "interrupted", state, "Its process was ended from outside; what was walked is kept."
            )
        return Status(state.state, state, state.reason)

    def _last_words(self) -> str:
        try:
            text = self.control("log").read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""
        # the last line of a traceback names the error
        return text[-_LOG_TAIL:].rpartition("\n")[2]


def _environment(plan: BatchPlan, more: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a process that walks a batch: same NavViz, same workspace, and the
    keys of the model that it asks. A navigator of another package may have a key of its own.
    """
    where = {"NAVVIZ_WORKSPACE": str(workspace_dir().resolve())}
    kind = (plan.model or "").partition(":")[0]
    try:
        is_own = type(get_navigator(plan.navigator)).__module__.startswith("navviz.")
    except NavVizError:  # the process that walks says so
        is_own = False
    keys = not is_own or kind not in {"", "scripted"}
    variables = child_environment(where, keys=keys)
    if is_own and kind in KEY_VARIABLES:
        others = [names for provider, names in KEY_VARIABLES.items() if provider != kind]
        for name in chain.from_iterable(others):
            variables.pop(name, None)
    return {**variables, **more}


def all_batches(root: Path | None = None) -> list[Batch]:
    """Return the batches of a folder of runs, the newest first, without unreadable ones."""
    batches = []
    for plan in (root or workspace_dir() / "runs").glob(f"*/{CONTROL_FOLDER}/plan.json"):
        try:
            batches.append(Batch.at(plan.parents[1]))
        except InputError:
            continue
    return sorted(batches, key=lambda batch: (batch.plan.created, batch.name), reverse=True)


def free_name(root: Path, wanted: str) -> str:
    """Return a free name for a run: the wanted one, or with the first free number behind it."""
    name, number = wanted, 2
    while (root / name).exists():
        name, number = f"{wanted}-{number}", number + 1
    return name


def check_name(name: str) -> str:
    """Return a run's name without blanks around it; raises `SettingsError` for no name."""
    if not is_run_name(name.strip()):
        raise SettingsError(
            "A run's name has up to 80 letters, digits, blanks and . + - _; choose another one."
        )
    return name.strip()


@dataclass(frozen=True, slots=True)
class CheckedPlan:
    """A plan with its words turned into things."""

    navigator: Navigator
    settings: Settings
    options: ModelOptions
    model: ModelSpec | None
    cluster: str | None
    store: TraceStore


def check_plan(batch: Batch) -> CheckedPlan:
    """Turn a plan into objects; raises `SettingsError` where it cannot be walked."""
    plan = batch.plan
    navigator = get_navigator(plan.navigator)
    settings = settings_from(navigator, plan.settings)
    options = model_options_of(plan.model_options)
    asks = asks_model(navigator, settings)
    if asks and plan.model is None:
        raise SettingsError(f"{navigator.name} needs a language model: add --llm {model_forms()}.")
    if plan.model is not None:
        check_model_name(plan.model)
    if plan.samples > 1 and not asks and "seed" not in type(settings).model_fields:
        raise SettingsError(
            f"{navigator.name} walks an episode the same way each time, so {plan.samples} samples"
            " would be alike; take one."
        )
    store = TraceStore.at(plan.out)
    # before the first call is paid for
    store.check()
    prices = load_prices(workspace_dir() / "prices.json") if asks else None
    if plan.batch_api and (plan.engine not in {None, "local"} or plan.borrow_tokens is not None):
        raise SettingsError("--batch-api walks on this machine, and not for a server's visitor.")
    jobs = batch.control("jobs") if plan.batch_api else None
    model = ModelSpec(plan.model, options, prices, jobs) if asks and plan.model else None
    return CheckedPlan(navigator, settings, options, model, check_engine(plan.engine), store)


def model_options_of(values: Mapping[str, object]) -> ModelOptions:
    """Return a model's options (``--set model.NAME=VALUE``); raises `SettingsError` for others."""
    try:
        return ModelOptions.model_validate(dict(values))
    except ValidationError as error:
        faults = "; ".join(
            f"model.{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()
        )
        fields = ", ".join(f"model.{name}" for name in ModelOptions.model_fields)
        raise SettingsError(f"Settings of the model: {faults} (there are: {fields}).") from error
