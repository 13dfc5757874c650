"""How often each way to miss an act decided a failure in a run, and what changed between two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from navviz.analysis.causes.counting import CauseChanges, cause_changes, share_text
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.metrics.intervals import Interval, interval_record, mean_interval
from navviz.records.act import HOWS, NO_ACT, slug_of

if TYPE_CHECKING:
    import pandas as pd

ACT_LABELS: Final[Mapping[str, str]] = {slug_of(how): how for how in HOWS} | {
    NO_ACT: "act not known"
}

"""What people read for each value of the column ``act``."""

ACT_SENTENCES: Final[Mapping[str, str]] = {
    "skipped": "Went straight on where the route turns",
    "too-late": "Turned too late",
    "wrong-side": "Turned to the wrong side",
    "two-ways": "Took another way to the same side",
    "too-early": "Turned too early",
    "repeated": "Made its last turn a second time",
    "extra-turn": "Turned where no words say so",
    "told-not-on-route": "Made a turn that the instruction tells and the route does not make",
    "unsaid-turn": "Missed a turn that no words say",
    "other-way": "Took the other of two ways straight on",
    "other-exit": "Went to another viewpoint than the route",
    "went-on": "Walked on past the end of the route",
    "stopped-early": "Stopped before the end of the route",
    "broke-off": "Ended before its goal by an illegal move or an error",
    "did-not-stop": "Came to the limit of steps without a stop",
    "set-out-wrong": "Set out the wrong way",
    "turned-back": "Turned back on the route",
    NO_ACT: "Which act was missed is not known",
}
"""The same as whole sentences, for lists of findings."""


@dataclass(frozen=True, slots=True)
class ActCount:
    """One *how* in a run."""

    slug: str
    name: str
    failures: int
    share: Interval
    """Of the run's failures, with its interval."""


def act_slugs(explained: Mapping[str, EpisodeCauses]) -> dict[str, str | None]:
    """Return how each failure's decisive act was missed; `NO_ACT` where nobody can tell, ``None``
    for what did not fail.
    """
    slugs: dict[str, str | None] = {}
    for key, one in explained.items():
        slugs[key] = None
        if one.success is False:
            slugs[key] = NO_ACT if one.act is None else one.act.slug
    return slugs


def act_counts(explained: Mapping[str, EpisodeCauses]) -> list[ActCount]:
    """Count the failures of a run by how their act was missed, the most frequent first."""
    slugs = [slug for slug in act_slugs(explained).values() if slug is not None]
    counts = []
    for slug, number in sorted(Counter(slugs).items(), key=lambda each: (-each[1], each[0])):
        share = mean_interval([other == slug for other in slugs], yes_no=True)
        counts.append(ActCount(slug, ACT_LABELS[slug], number, share))
    # what nobody knows stays last
    return sorted(counts, key=lambda count: count.slug == NO_ACT)


def act_changes(
    before: Mapping[str, EpisodeCauses], after: Mapping[str, EpisodeCauses]
) -> CauseChanges:
    """Count in how many episodes each *how* vanished, came and stayed, as `cause_changes` does."""
    return cause_changes(before, after, act_slugs, ACT_LABELS.__getitem__)


def acts_frame(explained: Mapping[str, EpisodeCauses]) -> pd.DataFrame:
    """Return one row a *how*: how many failures it decided, and its share with 95 % interval."""
    import pandas as pd  # 0.4 s, which a command without a table need not wait for

    rows = []
    for count in act_counts(explained):
        rows.append((count.name, count.slug, count.failures, share_text(count.share)))
    columns = ["act not done", "id", "failures", "of failures"]
    return pd.DataFrame(rows, columns=columns).set_index("act not done")


def act_records(explained: Mapping[str, EpisodeCauses]) -> Iterator[dict[str, Any]]:
    """Yield the counts as records with the fields of causes; ``likely`` holds the failures."""
    for count in act_counts(explained):
        record: dict[str, Any] = {"id": f"act:{count.slug}", "cause": count.name, "grade": "act"}
        record |= {"likely": count.failures, "first_hint": 0}
        yield record | interval_record("in_failures", count.share)
