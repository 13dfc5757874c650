"""All tries at one episode as a tree: the original walk, walks of edited instructions, forks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from navviz.errors import InputError, NavVizError, SettingsError
from navviz.formats import open_episodes
from navviz.formats.traces import write_episodes
from navviz.records import Episode, Trace
from navviz.records.trace_files import read_trace
from navviz.runner.batches import Batch, free_name
from navviz.runner.config import read_config
from navviz.runner.episode import trace_path
from navviz.runner.fork import is_run_name
from navviz.runner.plan import BatchPlan, noted_outcomes
from navviz.runs.opened import workspace_dir


@dataclass(frozen=True, slots=True)
class Variant:
    """One walk of the episode."""

    name: str
    """Of its run."""
    trace: Trace
    path: Path | None = None
    """Its trace file; ``None`` for the original."""
    came_from: str | None = None
    """Run whose instruction was edited, or that was forked; ``None`` for the original."""
    depth: int = 0
    """0 for the original, 1 for what came from it ..."""


def recorded(
    folder: Path, episode: Episode, may_open: Callable[[Path], bool] = Path.is_dir
) -> list[Variant]:
    """Read an episode's walks among live runs, oldest first; unreadable ones are left out."""
    if not folder.is_dir():
        return []
    walks = (
        _recorded(each, episode) for each in folder.iterdir() if each.is_dir() and may_open(each)
    )
    return sorted(
        (walk for walk in walks if walk is not None),
        key=lambda walk: (walk.trace.header.created, walk.name),
    )


def _origin(episode: Episode) -> tuple[str, str, str]:
    return episode.dataset, episode.world, episode.start


def _recorded(folder: Path, episode: Episode) -> Variant | None:
    path = trace_path(folder.parent, folder.name, episode.id)
    if not path.exists():
        return None
    try:
        trace, config = read_trace(path), read_config(folder)
    except NavVizError:
        return None
    # an id alone may be another data set's
    if _origin(trace.episode) != _origin(episode):
        return None
    came_from = config.came_from if config is not None else None
    if trace.header.forked_from is not None:
        came_from = trace.header.forked_from.run
    return Variant(folder.name, trace, path, came_from)


def variant_tree(original: Variant | None, walks: Iterable[Variant]) -> list[Variant]:
    """Put walks below what they came from, depth first; orphans stand below the original."""
    walks = list(walks)
    names = {walk.name for walk in walks}
    root = original.name if original is not None else None
    below: dict[str | None, list[Variant]] = {}
    for walk in walks:
        parent = root
        # a walk that names itself would stand below itself and never be listed
        if walk.came_from in names and walk.came_from != walk.name:
            parent = walk.came_from
        below.setdefault(parent, []).append(walk)
    ordered = [] if original is None else [original]
    _add(ordered, below, root, 1 if original is not None else 0)
    return ordered


def _add(
    ordered: list[Variant], below: dict[str | None, list[Variant]], name: str | None, depth: int
) -> None:
    # taken out, so that each walk is listed once
    for walk in below.pop(name, ()):
        ordered.append(Variant(walk.name, walk.trace, walk.path, walk.came_from, depth))
        _add(ordered, below, walk.name, depth + 1)


def keep_episode(episode: Episode, folder: Path, name: str) -> tuple[Path, Episode]:
    """Add an episode to a file of episodes, under an id that is free there.

    Raises `SettingsError` when the name cannot be one of a file, or the instruction is empty;
    `StoreError` when the file cannot be written.
    """
    name = name.strip()
    if not is_run_name(name):
        raise SettingsError(
            "A name has up to 80 letters, digits, blanks and . + - _; choose another one."
        )
    if not episode.instruction.strip():
        raise SettingsError("The instruction is empty; write one before you save it as an episode.")
    path = folder / f"{name}.jsonl"
    kept_before = _kept_episodes(path)
    same = next((each for each in kept_before if _without_id(each) == _without_id(episode)), None)
    if same is not None:
        return path, same
    taken = {each.id for each in kept_before}
    # one number more than there are episodes, so that one of these ids is free
    ids = (f"{episode.id}-edit-{number}" for number in range(1, len(kept_before) + 2))
    kept = episode.model_copy(update={"id": next(each for each in ids if each not in taken)})
    write_episodes([*kept_before, kept], path)
    return path, kept


def _kept_episodes(path: Path) -> Sequence[Episode]:
    if not path.exists():
        return ()
    episodes = open_episodes(path)
    if episodes.problems.count:
        raise InputError("holds lines that cannot be read", "choose another name", file=path)
    return tuple(episodes.episodes.values())


def _without_id(episode: Episode) -> Episode:
    return episode.model_copy(update={"id": ""})


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
    """Return the batch of a trial, and behind it the one that walks the unedited texts."""
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
