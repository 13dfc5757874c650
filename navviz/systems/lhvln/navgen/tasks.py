"""NavGen at work: tasks written by rules or a model and checked, step tasks written from an
expert's walk.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from navviz.errors import InputError
from navviz.llm.base import ModelDelta, Request
from navviz.records import Call, Episode, Message
from navviz.systems.asking import parse_object
from navviz.systems.lhvln.navgen.backward import BackwardTask, split, top_tags
from navviz.systems.lhvln.navgen.checks import Check, Written, check_task, read_task
from navviz.systems.lhvln.navgen.dictionary import SceneDictionary, scene_dictionary
from navviz.systems.lhvln.navgen.grammar import AUTHOR, write_task
from navviz.systems.lhvln.navgen.places import Places, places_of, tags_at
from navviz.systems.lhvln.navgen.prompt import (
    STEP_SCHEMA,
    TASK_SCHEMA,
    step_messages,
    task_messages,
)
from navviz.systems.lhvln.navgen.trajectory import Motions, episode_of_task, motions_of
from navviz.world.graph import Graph
from navviz.world.tours import cut_at_goals

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

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

    Parameters
    ----------
    graph
        The world.
    rng
        Draws objects, templates, and the start where none is given.
    llm
        The author; the rules without one.
    targets
        For the rules: 2, 3 or 4.
    robot
        ``spot`` or ``stretch``.
    start
        Where the expert begins.
    sample_objects, sample_regions
        See `scene_dictionary`.

    Raises
    ------
    InputError
        When the world has nothing to write about.
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
        heading = _first_heading(graph, start)
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


def _first_heading(graph: Graph, start: str) -> float:
    """Return the agent looks along the first way that leads away."""
    links = graph.links(start) if start in graph else []
    return round(links[0][1], 2) if links else 0.0


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
    """Return the expert's walk as actions; ``None`` where no reference path goes through the
    episode's targets.
    """
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


def write_step(stretch: Stretch, llm: LanguageModel) -> Call:
    """Let a model write the instruction of one step task."""
    labels = [segment.label for segment in stretch.task.segments]
    parts = list(zip(labels, stretch.tags, strict=True))
    messages = step_messages(stretch.task.target, parts)
    return _answer(llm, Request(messages, purpose="write-step", schema=STEP_SCHEMA))
