"""The model of a batch, and its payer: a visitor's batch borrows and returns tokens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from navviz.errors import BudgetError, SettingsError
from navviz.llm.base import LanguageModel
from navviz.llm.registry import close_model
from navviz.runner.batches import Batch
from navviz.runner.budget import Budget
from navviz.runner.ledger import Lease, ledger
from navviz.runner.metered import MeteredModel
from navviz.runner.worker import ModelSpec
from navviz.runs.owners import ownership_of
from navviz.support.installation.serving import serving


@contextmanager
def paid_model(
    batch: Batch, spec: ModelSpec | None, lease: Lease | None
) -> Iterator[LanguageModel | None]:
    """Make a batch's model, and close it after the block; `lease` pays for its calls and ends with
    the block.

    ``None`` where no model is asked, or workers of a cluster make it for themselves.
    """
    if spec is None or batch.plan.engine not in {None, "local"}:
        yield None
        return
    model = spec.make()
    try:
        if lease is None:
            yield model
            return
        with lease:
            yield MeteredModel(model, lease)
    finally:
        close_model(model)


def lease_of(batch: Batch) -> Lease | None:
    """Return what a visitor's batch borrows in this session; ``None`` for the operator's.

    A process that was started outside of a server knows no limit, and counts all the same.

    Raises
    ------
    SettingsError
        The batch is to be walked on a cluster, whose workers cannot write to the ledger.
    InputError
        The note of its owner is damaged.
    """
    note = ownership_of(batch.folder)
    if note is None or not note.payer:
        return None
    if batch.plan.engine not in {None, "local"}:
        raise SettingsError(
            f"{batch.name}: a visitor's batch is walked on this machine; start it without --engine."
        )
    rules = serving()
    account = ledger().account(note.payer, None if rules is None else rules.tokens)
    return account.borrow(batch.plan.borrow_tokens, batch.name)


def budget_refusal(*limits: Budget | Lease | None) -> str | None:
    """Return which of some limits is used up, as one sentence."""
    try:
        for limit in limits:
            if limit is not None:
                limit.check()
    except BudgetError as error:
        return str(error)
    return "The budget is used up; raise it to go on."
