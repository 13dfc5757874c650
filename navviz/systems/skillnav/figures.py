"""Figures that SkillNav's paper prints (Ma et al. 2025), to be read beside a run's own; rates in
per cent.

They are of agents that walk by pictures. Nothing that walks here by texts or rules may be put into
one row with them.
"""

from __future__ import annotations

import pandas as pd

_SYSTEMS = (
    ("MapGPT", None, None, "34 / 30", "25 / 23", "25 / 23"),
    ("DUET", "3.31 / 81 / 72 / 60", None, None, None, None),
    ("ScaleVLN", "2.34 / 87 / 79 / 70", "2.73 / 84 / 77 / 68", "78 / 67", "69 / 57", "55 / 43"),
    ("SRDF", "1.83 / 89 / 84 / 78", "1.88 / 88 / 84 / 77", "71 / 63", "59 / 49", "52 / 43"),
    ("SkillNav", "1.97 / 89 / 83 / 77", "2.53 / 83 / 78 / 70", "79 / 69", "72 / 61", "57 / 48"),
)
_ROUTERS = (
    ("random", "78.39 / 67.46", "70.93 / 59.71", "54.61 / 43.17"),
    ("Qwen, not reordered", "78.42 / 67.80", "71.01 / 59.62", "55.46 / 45.43"),
    ("GLM, reordered", "78.60 / 67.93", "71.13 / 59.73", "56.80 / 46.51"),
    ("Qwen, reordered", "78.83 / 68.88", "71.58 / 61.34", "56.66 / 47.96"),
)
_TEMPORAL = (
    ("conditional immediacy", 84.29, 76.29, 88.57, 82.18),
    ("bounded duration", 76.27, 67.45, 84.18, 74.90),
    ("forward sequential", 79.53, 68.92, 85.83, 76.93),
    ("backward sequential", 74.29, 66.97, 88.57, 81.72),
)
_NUANCES = (
    ("ScaleVLN", 68.39, 81.76, 88.82, 76.34, 28.32, 82.91, 95.27),
    ("SRDF", 59.93, 82.94, 91.18, 80.98, 26.28, 77.09, 94.55),
    ("Direction agent", 70.81, None, None, None, None, None, None),
    ("Vertical agent", None, 87.65, 89.41, 83.83, None, None, None),
    ("Landmark agent", None, None, None, None, 31.53, None, None),
    ("Region agent", None, None, None, None, None, 85.09, 96.36),
    ("Stop agent", 68.91, 84.71, 87.06, 80.67, 29.78, 83.64, 97.09),
)


def published_systems() -> pd.DataFrame:
    """Return NE (m) / OSR / SR / SPL on R2R, and SR / SPL on GSA-R2R."""
    columns = [
        "System",
        "R2R val-unseen",
        "R2R test-unseen",
        "GSA R-Basic",
        "GSA N-Basic",
        "GSA N-Scene",
    ]
    return pd.DataFrame(_SYSTEMS, columns=columns)


def published_routers() -> pd.DataFrame:
    """Return SR / SPL of the ablation on GSA-R2R (Table 4): the router adds little over chance."""
    return pd.DataFrame(_ROUTERS, columns=["Router", "GSA R-Basic", "GSA N-Basic", "GSA N-Scene"])


def published_temporal() -> pd.DataFrame:
    """Return success by temporal relation (Table 6), of subsets narrower than the words alone."""
    columns = ["Relation", "ScaleVLN SR", "ScaleVLN SPL", "Temporal DUET SR", "Temporal DUET SPL"]
    return pd.DataFrame(_TEMPORAL, columns=columns)


def published_nuances() -> pd.DataFrame:
    """Return figures on NavNuances' classes."""
    columns = ["System", "DC SR", "VM SR", "VM OSR", "VM SPL", "LR SR", "RR SR", "RR OSR"]
    return pd.DataFrame(_NUANCES, columns=columns)
