"""Tasks written by rules, without a model: something portable is taken from one room to a surface
in another.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

from navviz.errors import InputError
from navviz.systems.lhvln.navgen.checks import Written, portable
from navviz.systems.lhvln.navgen.dictionary import DROPPED
from navviz.systems.lhvln.navgen.places import PlaceRegion, Places

AUTHOR = "rules"

SURFACES = frozenset(
    {
        "table",
        "desk",
        "bed",
        "counter",
        "shelf",
        "sofa",
        "couch",
        "chair",
        "bench",
        "cabinet",
        "dresser",
        "nightstand",
        "stool",
        "sideboard",
        "piano",
        "bookshelf",
        "armchair",
        "worktop",
        "island",
        "console",
        "ottoman",
        "chest",
        "bookcase",
        "washstand",
        "basin",
        "trolley",
    }
)  # fmt: skip
"""Things that something can be put on; a name counts by its last word (``coffee table``)."""

_TRIES = 200
"""Targets drawn before a scene is given up."""
_Pick = tuple[str, PlaceRegion]

_INDOORS: dict[int, Sequence[str]] = {
    2: (
        "Take the {0} from the {r0} and put it on the {1} in the {r1}.",
        "Could you bring the {0} in the {r0} to the {1} in the {r1}?",
    ),
    3: (
        "Take the {0} from the {r0} to the {1} in the {r1}, then fetch the {2} from the {r2}.",
        (
            "Please carry the {0} in the {r0} over to the {1} in the {r1}, and get the {2} from the"
            " {r2} afterwards."
        ),
    ),
    4: (
        (
            "Take the {0} from the {r0} to the {1} in the {r1}, then fetch the {2} from the {r2}"
            " and bring it to the {3} in the {r3}."
        ),
    ),
}
_OUTDOORS: dict[int, Sequence[str]] = {
    2: ("Walk to {0} and then go on to {1}.", "Go to {0} first, then to {1}."),
    3: ("Walk to {0}, then to {1}, and end at {2}.", "Go to {0}, then to {1}, and then to {2}."),
    4: ("Walk to {0}, then to {1}, then to {2}, and end at {3}.",),
}


def write_task(places: Places, targets: int, rng: random.Random) -> Written:
    """Write one task with two, three or four targets.

    Raises
    ------
    InputError
        When the world has too few things to write it about.
    """
    if targets not in _INDOORS:
        raise InputError(
            f"{targets} targets cannot be written", "choose 2, 3 or 4", field="targets"
        )
    author = _write_outdoors if places.outdoors else _write_indoors
    for _ in range(_TRIES):
        written = author(places, targets, rng)
        if written is not None:
            return written
    raise InputError(
        f"{places.world} has too few things for a task of {targets} targets",
        "choose another world or fewer",
    )


def _write_indoors(places: Places, targets: int, rng: random.Random) -> Written | None:
    """``take X from A to Y in B [, then fetch Z from there [and bring it to W]]``."""
    regions = [region for region in places.regions.values() if region.things]
    wanted: Sequence[Callable[[str], bool]] = [portable, _is_surface, portable, _is_surface][
        :targets
    ]
    picks: list[_Pick] = []
    for k, fits in enumerate(wanted):
        # half of the tasks keep to NavGen's pattern, which fetches the third thing where the second
        # lies
        there = picks[-1][1] if k == 2 and rng.random() < 0.5 else None
        pick = _pick(regions, fits, picks, there, rng)
        if pick is None:
            return None
        picks.append(pick)
    names = [name for name, _ in picks]
    rooms = {f"r{k}": _room(region) for k, (_, region) in enumerate(picks)}
    return Written(rng.choice(_INDOORS[targets]).format(*names, **rooms), _subtasks(picks))


def _pick(
    regions: Sequence[PlaceRegion],
    fits: Callable[[str], bool],
    picks: Sequence[_Pick],
    there: PlaceRegion | None,
    rng: random.Random,
) -> _Pick | None:
    """One thing that fits, in a room of another name than the last one unless it is to be
    `there`.
    """
    last = picks[-1][1].room if picks else None
    taken = {(name, region.id) for name, region in picks}
    rooms = [there] if there is not None else [room for room in regions if room.room != last]
    pickable: list[_Pick] = []
    for region in rooms:
        for name in dict.fromkeys(thing.name for thing in region.things):
            usable = fits(name) and name not in DROPPED and "/" not in name
            if usable and (name, region.id) not in taken:
                pickable.append((name, region))
    return rng.choice(pickable) if pickable else None


def _is_surface(name: str) -> bool:
    words = name.lower().split()
    return bool(words) and words[-1] in SURFACES


def _room(region: PlaceRegion) -> str:
    """``bedroom`` of ``Tie: Bedroom & Hall``."""
    return region.room.removeprefix("Tie: ").partition(" & ")[0].lower()


def _subtasks(picks: Sequence[_Pick]) -> tuple[str, ...]:
    subtasks: list[str] = []
    load = ""
    for k, (name, region) in enumerate(picks):
        subtasks.append(f"Move_to('{name}_{region.id}')")
        # things to carry and surfaces take turns
        if k % 2 == 0:
            load = name
            subtasks.append(f"Grab('{load}')")
        else:
            subtasks.append(f"Release('{load}')")
    return tuple(subtasks)


def _write_outdoors(places: Places, targets: int, rng: random.Random) -> Written | None:
    """Pick places in turn, each in another block than the place before, no name twice in town."""
    named: list[_Pick] = []
    for region in places.regions.values():
        named += [(thing.name, region) for thing in region.things]
    counts = Counter(name for name, _ in named)
    # a name that two places have sends to neither, and a quote would break Move_to('...')
    single = [pick for pick in named if counts[pick[0]] == 1 and "'" not in pick[0]]
    picks: list[_Pick] = []
    for _ in range(targets):
        block = picks[-1][1].id if picks else None
        others = [pick for pick in single if pick not in picks and pick[1].id != block]
        if not others:
            return None
        picks.append(rng.choice(others))
    text = rng.choice(_OUTDOORS[targets]).format(*(name for name, _ in picks))
    return Written(text, tuple(f"Move_to('{name}_{region.id}')" for name, region in picks))
