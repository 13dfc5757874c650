"""Budget and stop that hold across the workers of a Dask cluster, kept by its scheduler.

Workers may lie on machines that cannot reach each other or whoever started the run; all reach the
scheduler.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from navviz.errors import NavVizError, SettingsError, StoreError
from navviz.records import Call
from navviz.runner.budget import Budget
from navviz.support.installation.extras import needs_extra
from navviz.support.version import VERSION

_CONNECT_S = 10
_POLL_S = 0.5
_LOSES_S = 15.0
"""A scheduler that does not answer for so long counts as gone: walks stop, and what was paid for is
on disk.
"""

T = TypeVar("T")


def connected(address: str) -> Any:  # noqa: ANN401 - distributed has no types
    """Return a client of the scheduler at ``HOST:PORT``.

    Raises
    ------
    SettingsError
        When nobody answers there; `MissingExtraError` when Dask is not installed.
    """
    with needs_extra("dask"):
        from distributed import Client
    try:
        # not as default: other work that this process gives to Dask stays where it was
        return Client(f"tcp://{address}", timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"There is no Dask scheduler at {address}; start one with `dask scheduler`, or check"
            " host and port."
        ) from error


def check_versions(client: Any, address: str) -> None:  # noqa: ANN401
    """Refuse a cluster whose workers run another version of NavViz, before anything is paid for.

    Raises
    ------
    SettingsError
        That names a worker and both versions.
    """
    # an old worker does not have `worker_version`; its error comes back as its answer
    answers = client.run(worker_version, on_error="return")
    for worker, answer in sorted(answers.items()):
        if answer == VERSION:
            continue
        other = f"NavViz {answer}" if isinstance(answer, str) else "no NavViz that can be asked"
        raise SettingsError(
            f"The worker {worker} of the Dask cluster at {address} has {other}, this machine has"
            f" {VERSION}; install the same version on both."
        )


def worker_version() -> str:
    """Return the version of NavViz in this process."""
    return VERSION


def lost_scheduler(address: str) -> NavVizError:
    """Return what to raise when the scheduler went away in the middle."""
    return NavVizError(
        f"The Dask scheduler at {address} cannot be reached any more; start it and its workers"
        " again, and the same command goes on from here."
    )


@dataclass(frozen=True, slots=True)
class Shared:
    """Names under which a batch's budget and stop stand at the scheduler; sent to every worker."""

    token: str
    usd: float | None = None
    tokens: int | None = None
    limited: bool = False

    @property
    def _stop(self) -> str:
        return f"navviz-stop-{self.token}"

    @property
    def spent(self) -> str:
        """Name of the sum of all calls."""
        return f"navviz-spent-{self.token}"

    def begin(self, client: Any, budget: Budget | None) -> None:  # noqa: ANN401
        """Write to the scheduler what earlier calls of the run have used."""
        from distributed import Variable

        spent = (0.0, 0, None)
        if budget is not None:
            spent = (budget.spent_usd, budget.spent_tokens, None)
        Variable(self.spent, client=client).set(spent)

    def count_into(self, budget: Budget | None, client: Any) -> None:  # noqa: ANN401
        """Take what all workers have spent into the budget of whoever began the batch."""
        from distributed import Variable

        if budget is not None:
            usd, tokens, _ = Variable(self.spent, client=client).get(timeout=_CONNECT_S)
            budget.add(usd - budget.spent_usd, tokens - budget.spent_tokens)

    def stop(self, client: Any) -> None:  # noqa: ANN401
        """Tell every walk of the batch to stop at once."""
        from distributed import Event

        Event(self._stop, client=client).set()

    def forget(self, client: Any) -> None:  # noqa: ANN401
        """Take the names from the scheduler, once nothing of the batch runs."""
        from distributed import Variable

        Variable(self.spent, client=client).delete()

    # --- in a worker

    def stop_profiler(self) -> None:
        """Stop Dask's own profiler in this worker, where it may freeze it for ever.

        Every 10 ms of a task it asks for the frames of all threads. Before Python 3.11.9 that may
        collect garbage under a lock that other threads wait for with the interpreter's own
        (https://github.com/python/cpython/issues/106883).
        """
        if sys.version_info >= (3, 11, 9):
            return
        from distributed import get_worker

        worker = get_worker()
        profiler = worker.periodic_callbacks.get("profile")
        if profiler is not None:
            # a walk has a thread of its own, and callbacks belong to the worker's loop
            worker.loop.add_callback(profiler.stop)

    def budget(self) -> Budget | None:
        """Return the budget as a worker looks at it; ``None`` where there is no limit."""
        return ClusterBudget(self) if self.limited else None

    def stop_event(self) -> threading.Event:
        """Return an event that is set when the batch is stopped, or the scheduler is gone."""
        from distributed import Event, get_client

        # a walk looks at its event often; a local one costs no message to the scheduler
        local, far = threading.Event(), Event(self._stop, client=get_client())
        threading.Thread(target=_watch, args=(far, local), daemon=True, name="navviz-stop").start()
        return local


def _watch(far: Any, local: threading.Event) -> None:  # noqa: ANN401
    answered_s = time.monotonic()
    while not local.is_set():
        try:
            stopped = bool(far.is_set())
            answered_s = time.monotonic()
        except Exception:  # noqa: BLE001 - a scheduler that goes away shows in many kinds of error
            stopped = time.monotonic() - answered_s > _LOSES_S
        if stopped:
            local.set()
        time.sleep(_POLL_S)


class ClusterBudget(Budget):
    """A `Budget` whose sum stands at the scheduler: all workers of a batch see what each has spent.

    A call costs four messages to the scheduler (some milliseconds; a model's call takes seconds).
    Each worker looks before it calls, so that the calls that are in flight at that moment may pass
    the limit, one a worker.
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared.usd, shared.tokens)
        self._name = shared.spent

    def check(self) -> None:
        """Raise `BudgetError` when the sum of all workers reached the limit."""
        self._take(self._answer_of(lambda: self._sum().get(timeout=_CONNECT_S)))
        super().check()

    def charge(self, calls: Iterable[Call]) -> None:
        """Add calls to the sum of all workers."""
        from distributed import Lock

        def add() -> None:
            # reading and writing are two messages: without the lock two workers lose one of their
            # sums
            with Lock(self._name):
                self._take(self._sum().get(timeout=_CONNECT_S))
                super(ClusterBudget, self).charge(calls)
                self._sum().set(
                    (self.spent_usd, self.spent_tokens, self._uncounted), timeout=_CONNECT_S
                )

        self._answer_of(add)

    def _sum(self) -> Any:  # noqa: ANN401
        from distributed import Variable, get_client

        return Variable(self._name, client=get_client())

    def _take(self, spent: tuple[float, int, str | None]) -> None:
        with self._lock:
            self.spent_usd, self.spent_tokens, self._uncounted = spent

    @staticmethod
    def _answer_of(what: Callable[[], T]) -> T:
        try:
            return what()
        except NavVizError:
            raise
        except Exception as error:
            raise StoreError(
                "The budget cannot be kept, since the Dask scheduler does not answer."
            ) from error
