"""NavGen at work: tasks written by rules or a model and checked, step tasks written from an
expert's walk.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from navviz.errors import InputError
from navviz.llm.base import ModelDelta, Request
from navviz.records import Call, Episode, Message, Task
from navviz.systems.asking import parse_object
from navviz.systems.lhvln.navgen.backward import Action, BackwardTask, split, top_tags
from navviz.systems.lhvln.navgen.checks import (
    STEP_SCHEMA,
    TASK_SCHEMA,
    Check,
    Written,
    check_task,
    cut_end,
    forms_of,
    portable,
    read_task,
    step_messages,
    task_messages,
    things_of,
)
from navviz.systems.lhvln.navgen.places import (
    DROPPED,
    PlaceRegion,
    Places,
    SceneDictionary,
    places_of,
    scene_dictionary,
    tags_at,
)
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.search import cut_at_goals, tour

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


DATASET = "NavGen"

FORWARD_M = 0.25
"""One forward action, as in LH-VLN."""

TURN_DEG = 30.0
"""One turn action, as in LH-VLN."""

_RADII_M = {"geo": 25.0, "metric": 1.0}


@dataclass(frozen=True, slots=True)
class Motions:
    """A path as the actions of a robot."""

    actions: tuple[Action, ...]
    targets: tuple[str, ...]
    """What each action is made for."""
    nodes: tuple[str, ...]
    """The node towards which each action goes."""


def motions_of(
    graph: Graph, legs: Sequence[Sequence[str]], targets: Sequence[str], heading_deg: float
) -> Motions:
    """Round turns to 30 degrees and lengths to 0.25 m; a turn's rest goes into the next."""
    actions: list[Action] = []
    names: list[str] = []
    nodes: list[str] = []
    heading = heading_deg
    for leg, target in zip(legs, targets, strict=True):
        for here, there in pairwise(leg):
            turns = round(turn_deg(heading, graph.heading_deg(here, there)) / TURN_DEG)
            forwards = round(graph.distance_m(here, there) / FORWARD_M)
            turn: Action = "turn_right" if turns > 0 else "turn_left"
            new: list[Action] = [turn] * abs(turns) + ["move_forward"] * forwards
            actions += new
            names += [target] * len(new)
            nodes += [there] * len(new)
            heading = (heading + turns * TURN_DEG) % 360.0
    return Motions(tuple(actions), tuple(names), tuple(nodes))


def episode_of_task(
    written: Written,
    places: Places,
    graph: Graph,
    start: str,
    *,
    author: str,
    robot: str,
    start_heading_deg: float = 0.0,
) -> Episode:
    """Return a checked task as an episode with its expert's path.

    Raises `InputError` when a target cannot be reached from the one before.
    """
    things = things_of(written, places)
    tasks = []
    for k, (form, thing) in enumerate(things):
        task = Task(
            description=f"Move_to('{form.name}_{form.region}')",
            goals=thing.goals,
            region=None if places.outdoors else places.regions[form.region].label,
            target=thing.name,
            poi=thing.poi if thing.poi in graph.pois else None,
            actions=_after(written, k),
        )
        tasks.append(task)
    legs = tour(graph, start, [task.goals for task in tasks]) if places.walkable else ()
    if legs is None:
        raise InputError(
            "a target cannot be reached", "choose another start or task", field="start"
        )
    path: tuple[str, ...] = ()
    for leg in legs:
        # a leg begins where the one before it ends
        path += leg[1:] if path else leg
    # of world, start and words: the same task has the same id in every run, which hash() would not
    # give
    key = hashlib.sha256(f"{places.world}|{start}|{written.instruction}".encode()).hexdigest()[:8]
    extra = {
        "author": author,
        "robot": robot,
        "subtask_list": list(written.subtasks),
        "gt_step": [len(leg) - 1 for leg in legs] or None,
    }
    if any(places.regions[form.region].guessed for form, _ in things):
        extra["rooms"] = "guessed"
    return Episode(
        id=f"task-{key}",
        dataset=DATASET,
        instruction=cut_end(written.instruction),
        world=places.world,
        start=start,
        start_heading_deg=start_heading_deg,
        reference_path=path,
        goal=path[-1] if path else None,
        success_radius_m=_RADII_M[graph.frame],
        tasks=tuple(tasks),
        extra=extra,
    )


def _after(written: Written, k: int) -> tuple[str, ...]:
    """Grabs and releases that follow the k-th move."""
    seen, texts = -1, []
    for text, form in zip(written.subtasks, forms_of(written.subtasks), strict=True):
        if form is not None and form.kind == "Move_to":
            seen += 1
        elif seen == k:
            texts.append(text)
    return tuple(texts)


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

_WRITING_TRIES = 200
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

    Raises `InputError` when the world has too few things to write it about.
    """
    if targets not in _INDOORS:
        raise InputError(
            f"{targets} targets cannot be written", "choose 2, 3 or 4", field="targets"
        )
    author = _write_outdoors if places.outdoors else _write_indoors
    for _ in range(_WRITING_TRIES):
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
    rooms: dict[str, str] = {}
    for k, (_, region) in enumerate(picks):
        rooms[f"r{k}"] = region.room.removeprefix("Tie: ").partition(" & ")[0].lower()
    return Written(rng.choice(_INDOORS[targets]).format(*names, **rooms), _subtasks(picks))


def _pick(
    regions: Sequence[PlaceRegion],
    fits: Callable[[str], bool],
    picks: Sequence[_Pick],
    there: PlaceRegion | None,
    rng: random.Random,
) -> _Pick | None:
    """One fitting thing, in a room of another name than the last unless it is to be `there`."""
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


_TRIES = 10
"""Drafts for each task wanted; a scene that fits none of ten yields fewer tasks instead of a loop
without end.
"""


@dataclass(frozen=True)
class Draft:
    """One attempt at a task, with everything that led to it."""

    scene: SceneDictionary
    messages: tuple[Message, ...] = ()
    """The prompt; empty where rules wrote it."""
    call: Call | None = None
    written: Written | None = None
    checks: tuple[Check, ...] = ()
    episode: Episode | None = None
    """Where every required rule is kept and, in a world with ways, every target can be reached."""
    fault: str | None = None
    """Why there is no episode, in one sentence."""

    @property
    def accepted(self) -> bool:
        """Whether NavGen would keep it."""
        return self.episode is not None


@dataclass(frozen=True)
class Stretch:
    """A step task of an expert's walk, with the tags of its segments."""

    task: BackwardTask
    tags: tuple[tuple[str, ...], ...] = field(default=())
    """Of each segment."""


def draft_task(
    graph: Graph,
    rng: random.Random,
    *,
    llm: LanguageModel | None = None,
    targets: int = 2,
    robot: str = "spot",
    start: str | None = None,
    sample_objects: bool = True,
    sample_regions: bool = False,
) -> Draft:
    """Write one task about a world and check it.

    Raises `InputError` when the world has nothing to write about.
    """
    places = places_of(graph)
    if not any(region.things for region in places.regions.values()):
        do = (
            "open a world with named places, or a house with its observation files or REVERIE's"
            " BBox folder"
        )
        raise InputError("has no room with things in it", do, file=graph.name)
    scene = scene_dictionary(
        places, rng, sample_objects=sample_objects, sample_regions=sample_regions
    )
    start = start or rng.choice(list(graph.ids))
    if llm is None:
        written: Written | None = write_task(places, targets, rng)
        return _checked(Draft(scene, written=written), places, graph, start, AUTHOR, robot)
    messages = task_messages(scene, robot)
    call = _answer(llm, Request(messages, purpose="write-task", schema=TASK_SCHEMA))
    written = read_task(_object(call))
    return _checked(Draft(scene, messages, call, written), places, graph, start, llm.name, robot)


def _answer(llm: LanguageModel, request: Request) -> Call:
    call: Call | None = None
    for piece in llm.stream(request):
        if not isinstance(piece, ModelDelta):
            call = piece
    return call or Call(
        purpose=request.purpose,
        messages=request.messages,
        error="the model ended without an answer",
    )


def _object(call: Call) -> dict[str, object] | None:
    try:
        return call.parsed or parse_object(call.reply)
    except ValueError:
        return None


def _checked(
    draft: Draft, places: Places, graph: Graph, start: str, author: str, robot: str
) -> Draft:
    checks = check_task(draft.written, places)
    failed = [check for check in checks if check.required and not check.passed]
    fault = f"{failed[0].rule}: {failed[0].detail}" if failed else None
    # a failed call is the cause of every check that failed
    if draft.call is not None and draft.call.error is not None:
        fault = draft.call.error
    episode = None
    if fault is None and draft.written is not None:
        links = graph.links(start) if start in graph else []
        heading = round(links[0][1], 2) if links else 0.0
        try:
            episode = episode_of_task(
                draft.written,
                places,
                graph,
                start,
                author=author,
                robot=robot,
                start_heading_deg=heading,
            )
        except InputError as error:
            fault = error.problem.what
    return Draft(draft.scene, draft.messages, draft.call, draft.written, checks, episode, fault)


def write_tasks(
    graph: Graph,
    count: int,
    *,
    seed: int = 0,
    llm: LanguageModel | None = None,
    targets: Sequence[int] = (2, 3, 4),
    robot: str = "spot",
) -> Iterator[Draft]:
    """Drafts until `count` of them are accepted, the rejected ones included; at most ten times as
    many.

    The rules go through `targets` in turn. A task that was accepted before is not accepted again.
    """
    rng = random.Random(seed)  # noqa: S311 - draws tasks, no secret
    accepted: set[str] = set()
    for attempt in range(count * _TRIES):
        if len(accepted) >= count:
            return
        # by what was accepted, so that rejected drafts do not shift the mix
        number = targets[len(accepted) % len(targets)]
        draft = draft_task(graph, rng, llm=llm, targets=number, robot=robot)
        if draft.episode is not None and draft.episode.id in accepted:
            continue
        if draft.episode is not None:
            accepted.add(draft.episode.id)
        yield draft
        del attempt


def expert_motions(episode: Episode, graph: Graph) -> Motions | None:
    """Return the expert's walk as actions; ``None`` where no path goes through the targets."""
    goals = [task.goals for task in episode.tasks]
    legs = cut_at_goals(episode.reference_path, goals) if goals and episode.reference_path else None
    if legs is None or any(node not in graph for node in episode.reference_path):
        return None
    names = [task.target or task.description for task in episode.tasks]
    return motions_of(graph, legs, names, episode.start_heading_deg or 0.0)


def stretches(motions: Motions, graph: Graph) -> tuple[Stretch, ...]:
    """NavGen backward on an expert's walk, tags from what is known of the places passed."""
    parts = []
    for task in split(motions.actions, motions.targets):
        tags = []
        for segment in task.segments:
            # each place once: else a long stretch would count its tags once an action
            passed = dict.fromkeys(motions.nodes[segment.start : segment.end + 1])
            tags.append(top_tags(tags_at(graph, node) for node in passed))
        parts.append(Stretch(task, tuple(tags)))
    return tuple(parts)


def step_request(stretch: Stretch) -> Request:
    """Return what asks a model for the instruction of one step task."""
    labels = [segment.label for segment in stretch.task.segments]
    parts = list(zip(labels, stretch.tags, strict=True))
    messages = step_messages(stretch.task.target, parts)
    return Request(messages, purpose="write-step", schema=STEP_SCHEMA)
