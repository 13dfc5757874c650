"""Many tests at once: p-values that hold over a whole table or page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["holm"]


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values so that the chance of any false alarm among them stays below the level (Holm 1979)."""
    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    scaled = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(scaled, 1.0)
    return [float(value) for value in adjusted]
