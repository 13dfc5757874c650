"""Who has seen, or will see, the route of an episode that is to be walked without it."""

from __future__ import annotations

from collections.abc import Iterable

from navviz.annotation.records import Item, Queue
from navviz.annotation.store import Study


def shown_before(study: Study, queue: Queue) -> dict[str, int]:
    """Count the episodes of a queue that spoil a walk of *Follow it*, for each annotator."""
    walks = queue.task == "follow"
    episodes = _episodes(queue.items)
    seen: dict[str, set[tuple[str, str]]] = {}
    for other in study.queues.all():
        if other.name == queue.name or (other.task == "follow") == walks:
            continue
        for name, entries in study.queues.everyone(other.name).items():
            items = [entry.item for entry in entries if walks or entry.is_open]
            seen.setdefault(name, set()).update(_episodes(items) & episodes)
    names = queue.annotators or tuple(seen)
    counts = {name: len(seen.get(name, ())) for name in names}
    ranked = sorted(counts.items(), key=lambda pair: -pair[1])
    return {name: count for name, count in ranked if count}


def _episodes(items: Iterable[Item]) -> set[tuple[str, str]]:
    return {(item.dataset, item.episode) for item in items}
