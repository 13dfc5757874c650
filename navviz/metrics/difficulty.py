"""How difficult is an instruction? Easy, medium or hard from ratings on several axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from navviz.errors import SettingsError

Band = Literal["easy", "medium", "hard"]
DEFAULT_CUTS = (0.35, 0.65)
"""Below the first: easy; below the second: medium; else hard (GROKE, Shami et al. 2026)."""


def normalised_means(ratings: Mapping[str, Sequence[float]]) -> dict[str, float | None]:
    """Mean rating of each episode over its axes, min-max-normalised over the episodes to 0 ... 1.

    ``(mean - smallest mean) / (largest mean - smallest mean)``. The means are normalised, not the
    axes: this is the order that gives the numbers of the paper. ``None`` for an episode without
    ratings, and for all where the means do not vary (there is nothing to normalise by).

    Parameters
    ----------
    ratings
        All ratings of an episode (every axis, every annotator) by episode id.
    """
    means = {episode: sum(values) / len(values) for episode, values in ratings.items() if values}
    normalised: dict[str, float | None] = dict.fromkeys(ratings)
    low, high = min(means.values(), default=0.0), max(means.values(), default=0.0)
    if low < high:
        for episode, mean in means.items():
            normalised[episode] = (mean - low) / (high - low)
    return normalised


def band(value: float | None, cuts: tuple[float, float] = DEFAULT_CUTS) -> Band | None:
    """Band of one normalised mean; raises `SettingsError` for cut points out of order."""
    if not 0 <= cuts[0] <= cuts[1] <= 1:
        raise SettingsError(
            f"The cut points {cuts[0]:g} and {cuts[1]:g} must be in order and between 0 and 1."
        )
    if value is None:
        return None
    if value < cuts[0]:
        return "easy"
    return "medium" if value < cuts[1] else "hard"


def bands(
    ratings: Mapping[str, Sequence[float]], cuts: tuple[float, float] = DEFAULT_CUTS
) -> dict[str, Band | None]:
    """Band of each episode; see `normalised_means` and `band`."""
    return {episode: band(value, cuts) for episode, value in normalised_means(ratings).items()}
