"""An edit tried on many episodes: one batch with it, and what it is compared with."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from navviz.records import Episode
from navviz.runner.batches import Batch, free_name
from navviz.runner.plan import BatchPlan, noted_outcomes
from navviz.runs.opened import workspace_dir

_LONGEST_NAME = 60
_DIGITS = 6
UNEDITED = "-unedited"
"""Ends the name of the batch that walks the unedited texts."""


def trial_name(plan: BatchPlan) -> str:
    """Return a free name for a trial of a plan."""
    # names are cut; the digits keep two edits of the same run apart
    rules = "\n".join([*plan.edits, str(sorted(plan.settings.items()))])
    digits = hashlib.sha256(rules.encode()).hexdigest()[:_DIGITS]
    text = re.sub(r"[^\w.-]+", "-", f"try-{plan.navigator}-{plan.compare_with or ''}").strip("-.")
    return free_name(workspace_dir() / "runs", f"{text[:_LONGEST_NAME]}-{digits}")


def trial_batches(
    plan: BatchPlan,
    edited: Sequence[Episode],
    unedited: Sequence[Episode] | None,
    plain_settings: Mapping[str, object],
) -> list[Batch]:
    """Return the batch of a trial, and behind it the one that walks the unedited texts.

    Parameters
    ----------
    plan
        Who walks, with the edits and without a name.
    edited
        Episodes as edited.
    unedited
        The same episodes as they were, where no run has walked them alike; else ``None``.
    plain_settings
        Settings of the unedited walks: without an edited prompt.
    """
    root, name = workspace_dir() / "runs", trial_name(plan)
    before = f"{name}{UNEDITED}" if unedited is not None else None
    batches = [Batch(root, plan.model_copy(update={"run": name, "baseline": before}), edited)]
    if unedited is not None:
        update = {"run": before, "edits": (), "settings": dict(plain_settings)}
        batches.append(Batch(root, plan.model_copy(update=update), unedited))
    return batches


def successes(batch: Batch) -> dict[str, float | None]:
    """Return success by episode, as far as a batch has walked."""
    ids = [episode.id for episode in batch.episodes]
    outcomes = noted_outcomes(batch.control("outcomes.jsonl"), ids)
    return {key: (outcome.scores or {}).get("SR") for key, outcome in outcomes.items()}
