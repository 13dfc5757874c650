"""The scene dictionary that NavGen shows a language model: ``{"Region 8: Kitchen": ["kettle", ...],
...}``.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from itertools import combinations

from navviz.systems.lhvln.navgen.places import Places

SceneDictionary = dict[str, list[str]]

NOT_EXTRACTED = frozenset(
    {
        "wall",
        "frame",
        "floor",
        "sheet",
        "unknown",
        "stairs",
        "ceiling",
        "window",
        "curtain",
        "pillow",
        "beam",
        "decoration",
    }
)  # fmt: skip
"""Names that are left out when a scene is extracted: a task that names one is rejected."""
DROPPED = NOT_EXTRACTED | {"wood", "cleaner", "door knob", "mirror", "switch", "device"}
"""Names that no prompt shows."""
MOST_OBJECTS = 5
"""LH-VLN's prompt shows at most five objects a region."""
_REGIONS = 3
"""LH-VLN's prompt shows three regions."""


def scene_dictionary(
    places: Places, rng: random.Random, *, sample_objects: bool = True, sample_regions: bool = False
) -> SceneDictionary:
    """Names in each region, without duplicates.

    Parameters
    ----------
    places
        The world.
    rng
        Draws the objects.
    sample_objects
        At most five objects a region, drawn at random.
    sample_regions
        Three regions at middle distances (`mid_distance_regions`).
    """
    chosen = list(places.regions)
    if sample_regions and len(chosen) > _REGIONS:
        middles: dict[str, tuple[float, ...]] = {}
        for key, region in places.regions.items():
            if region.middle is not None:
                middles[key] = region.middle
        chosen = list(mid_distance_regions(middles))
    dictionary: SceneDictionary = {}
    for key in chosen:
        region = places.regions[key]
        things = dict.fromkeys(thing.name for thing in region.things)
        # before the draw, so that no place among the five is lost to a name that no prompt shows
        names = [name for name in things if name not in DROPPED]
        if sample_objects and len(names) > MOST_OBJECTS:
            names = rng.sample(names, MOST_OBJECTS)
        dictionary[region.label] = names
    return dictionary


def mid_distance_regions(middles: Mapping[str, tuple[float, ...]]) -> tuple[str, ...]:
    """Three regions: the pair at the median distance, and the one whose mean distance to both is
    nearest to it.
    """
    if len(middles) <= _REGIONS:
        return tuple(middles)
    # ids break ties, so that a world always gives the same regions
    pairs = sorted((math.dist(middles[a], middles[b]), a, b) for a, b in combinations(middles, 2))
    distance_m, first, second = pairs[len(pairs) // 2]
    rest = [key for key in middles if key not in {first, second}]
    third = min(rest, key=lambda key: abs(_mean_m(middles, key, first, second) - distance_m))
    return first, second, third


def _mean_m(middles: Mapping[str, tuple[float, ...]], key: str, first: str, second: str) -> float:
    return (math.dist(middles[key], middles[first]) + math.dist(middles[key], middles[second])) / 2
