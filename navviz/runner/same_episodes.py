"""Whether a run's episodes are those to be walked: by content, not by id alone.

A run goes on with what it has. Where an episode file was edited, or another file holds the same
ids, that would mix walks of other instructions into its figures; so the content is compared with
the header of each trace.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from navviz.errors import SettingsError
from navviz.records import Episode
from navviz.records.plural import plural
from navviz.runner.again import round_name
from navviz.runner.batches import Batch
from navviz.runner.plan import noted_digests
from navviz.runner.store import TraceStore

Again = Literal["refuse", "changed"]
"""What is done about changed episodes: nothing is walked, or those are walked again."""

_LOG = logging.getLogger(__name__)
_CONTENT = (
    "instruction",
    "world",
    "start",
    "start_heading_deg",
    "reference_path",
    "goal",
    "sub_goals",
    "landmarks",
    "tasks",
    "step_tasks",
)
"""Fields of an `Episode` on which its walk and its figures hang; names of data set and split come
from folders.
"""
_UNREADABLE = "its trace cannot be read"
_NAMED = 5


@dataclass(frozen=True, slots=True)
class ChangedEpisode:
    """An episode that a run holds with another content."""

    run: str
    episode: str
    fields: tuple[str, ...]
    """What is not the same."""

    def __str__(self) -> str:
        return f"{self.episode} ({', '.join(self.fields)})"


def episode_digest(episode: Episode) -> str:
    """Return the SHA-256 of an episode's content in hexadecimal digits.

    It is the same however the file spells it: key order, blanks, and whole numbers as floats play
    no part.
    """
    written = json.dumps(
        _content(episode), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()


def content_digest(episodes: Iterable[Episode]) -> str:
    """Return the SHA-256 of the episodes of a file: of their ids and contents, in any order."""
    # the zero byte parts id and digest, whatever an id ends with
    lines = sorted(f"{episode.id}\0{episode_digest(episode)}" for episode in episodes)
    # JSON may hold half of a surrogate pair, which plain UTF-8 refuses
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def changed_episodes(
    store: TraceStore,
    run: str,
    episodes: Sequence[Episode],
    digests: Mapping[str, str] | None = None,
) -> list[ChangedEpisode]:
    """Return the episodes of which a run holds a walk, finished or begun, of another content.

    Parameters
    ----------
    store, run
        Where the traces are.
    episodes
        What is to be walked.
    digests
        Digests of what was walked, by episode id, where they are noted; traces at an address are
        read for the others.
    """
    noted = _usable(store, run, digests or {})
    by_id = {episode.id: episode for episode in episodes}
    changed = []
    for key in store.begun(run, by_id):
        episode = by_id[key]
        if key in noted and noted[key] == episode_digest(episode):
            continue
        fields = _differences(store, run, episode)
        if fields:
            changed.append(ChangedEpisode(run, key, fields))
    return changed


def check_unchanged(changed: Sequence[ChangedEpisode], where: str, source: str | None) -> None:
    """Raise `SettingsError` where episodes are not those that a run has walked.

    Parameters
    ----------
    changed
        See `changed_episodes`.
    where
        Folder or address of the run.
    source
        The episode file, where the episodes come from one.
    """
    if not changed:
        return
    count = len({each.episode for each in changed})
    file = source or "the episode list"
    raise SettingsError(
        f"{where}: {plural(count, 'episode')} of {file} changed since this run walked "
        f"{'it' if count == 1 else 'them'}: {changes_sentence(changed)}; "
        "add --again changed to walk those again, or choose another name with --run."
    )


def set_changed_aside(store: TraceStore, changed: Iterable[ChangedEpisode]) -> None:
    """Move the traces of changed episodes aside, so that nothing paid for is lost."""
    for each in changed:
        _LOG.info(
            "%s of %s is walked again: %s changed", each.episode, each.run, ", ".join(each.fields)
        )
        store.set_aside(each.run, each.episode)


def made_ready(batch: Batch, store: TraceStore, again: Again) -> list[ChangedEpisode]:
    """Make all runs of a batch ready to be gone on with; the caller holds its lock.

    Returns
    -------
    What changed, in the first tries, the samples and the rounds over failures; its traces were set
    aside.

    Raises
    ------
    SettingsError
        Where something changed and `again` refuses that; nothing was touched then.
    """
    rounds = [round_name(batch.name, number) for number in range(1, batch.plan.rerun_failures + 1)]
    changed: list[ChangedEpisode] = []
    # all runs are looked at before the first trace is moved
    for run in [*batch.runs(), *rounds]:
        digests = noted_digests(batch.control("outcomes.jsonl", run))
        changed += changed_episodes(store, run, batch.episodes, digests)
    if again == "refuse":
        check_unchanged(changed, store.of_run(batch.name), batch.plan.episodes)
    set_changed_aside(store, changed)
    return changed


def changes_sentence(changed: Sequence[ChangedEpisode]) -> str:
    """Name the first episodes with what changed in them, and count the rest."""
    unique = {each.episode: each for each in changed}
    named = ", ".join(str(each) for each in list(unique.values())[:_NAMED])
    rest = len(unique) - _NAMED
    return f"{named} and {rest} more" if rest > 0 else named


def _usable(store: TraceStore, run: str, digests: Mapping[str, str]) -> dict[str, str]:
    """Return the digests that save a look into traces: at an address, of those that are
    finished.
    """
    if store.folder is not None or not digests:
        return {}
    finished = store.finished(run, digests)
    return {key: digest for key, digest in digests.items() if key in finished}


def _differences(store: TraceStore, run: str, episode: Episode) -> tuple[str, ...]:
    header = store.header(run, episode.id)
    if header is None:
        return (_UNREADABLE,) if store.finished(run, [episode.id]) else ()
    before, now = _content(header.episode), _content(episode)
    return tuple(name for name in _CONTENT if before.get(name) != now.get(name))


def _content(episode: Episode) -> dict[str, Any]:
    # without defaults, so that a field which a later version adds changes no digest
    content = episode.model_dump(mode="json", include=set(_CONTENT), exclude_defaults=True)
    return {name: _whole(value) for name, value in content.items()}


def _whole(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return JSON with whole numbers as integers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return dict(_members(value))
    return value


def _members(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, member in value.items():
        yield name, _whole(member)
