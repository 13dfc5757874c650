"""Pairs of episodes of a discrete and a continuous data set that ask the same: R2R and VLN-CE.

``trajectory_id`` of VLN-CE is ``path_id`` of R2R (Krantz et al. 2020); which of the path's
instructions it is, the text tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from navviz.records import Episode
from navviz.records.plural import plural


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which episodes of two runs ask the same."""

    pairs: tuple[tuple[str, str], ...]
    """Ids of the first and of the second run, in the order of the first."""
    only_first: tuple[str, ...]
    """Ids of the first run that have no partner."""
    only_second: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Say how many could be paired, and how many could not."""
        count = plural(len(self.pairs), "episode")
        rest = f"{len(self.only_first)} of the first and {len(self.only_second)} of the second"
        return f"{count} paired by path and instruction; {rest} run have no partner."


def pair_episodes(first: Mapping[str, Episode], second: Mapping[str, Episode]) -> Pairing:
    """Pair episodes by house, path and instruction text; blanks and capitals do not count.

    An episode without a path id has no partner. Of several episodes that ask the same, each has
    one partner at most.
    """
    waiting: dict[tuple[str, str, str], list[str]] = {}
    for name, episode in second.items():
        if episode.path_id is not None:
            waiting.setdefault(_question(episode), []).append(name)
    pairs, alone = list[tuple[str, str]](), list[str]()
    for name, episode in first.items():
        partners = waiting.get(_question(episode), []) if episode.path_id is not None else []
        if partners:
            pairs.append((name, partners.pop(0)))
        else:
            alone.append(name)
    taken = {partner for _, partner in pairs}
    left = tuple(name for name in second if name not in taken)
    return Pairing(tuple(pairs), tuple(alone), left)


def _question(episode: Episode) -> tuple[str, str, str]:
    text = " ".join(episode.instruction.casefold().split())
    return episode.world, episode.path_id or "", text
