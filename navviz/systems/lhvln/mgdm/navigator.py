"""The navigator ``mgdm``: MGDM (Song et al. 2025) with its memories and chain of thought, in text
on viewpoint graphs.

The published agent is a trained model on pictures; here any language model reads texts, and the
memories work as in the paper: confidences are probabilities of the actions taken, a full short-term
memory is blurred where that leaves the least entropy, and a chain of thought is asked for at the
start of each sub-task and from time to time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from navviz.formats import open_episodes
from navviz.llm.base import Request
from navviz.llm.pictures import pictured
from navviz.observations.agent_pictures import AgentPictures, required_pictures
from navviz.records import (
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
    MoveEvent,
    Observation,
    ObservationEvent,
    Panel,
    PanelEvent,
    PlanEvent,
    StepEvent,
)
from navviz.systems.asking import ask, end_status, needed
from navviz.systems.base import (
    INDOORS,
    Frames,
    MissingViews,
    NavigationTask,
    Settings,
    TaskNavigator,
    lacking,
)
from navviz.systems.indoors import mark_chosen, place_after
from navviz.systems.lhvln.mgdm.long_term import Hit, LongTerm, experiences
from navviz.systems.lhvln.mgdm.memory import Forgetting, Slot, forget, joined
from navviz.systems.lhvln.mgdm.panels import (
    chain_panel,
    confidence_panel,
    forgetting_panels,
    long_term_panel,
    memory_panel,
)
from navviz.systems.lhvln.mgdm.prompt import (
    BLUR_SCHEMA,
    COT_SCHEMA,
    DECISION_SCHEMA,
    blur_messages,
    cot_messages,
    decide_messages,
)
from navviz.systems.lhvln.mgdm.reply import MgdmDecision, read_answer
from navviz.systems.lhvln.mgdm.views import (
    STOP_ID,
    NumberedCandidate,
    look,
    observation_of,
    three_views,
    view_line,
)
from navviz.systems.lhvln.mgdm.walk import (
    STAYED,
    MgdmSettings,
    MgdmWalk,
    advised,
    blur_text,
    forgotten_now,
    full,
    move_line,
    numbers,
    resume,
    stop_line,
    weighed_answer,
)
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


class Mgdm(TaskNavigator[MgdmSettings]):
    """The navigator ``mgdm``."""

    name: ClassVar[str] = "mgdm"
    summary: ClassVar[str] = (
        "MGDM, text variant (not the trained model of the paper): numbered ways as text, a memory"
        " that blurs by entropy, a chain of thought; (0) ends a sub-task."
    )
    needs_model: ClassVar[bool] = True
    frames: ClassVar[Frames] = INDOORS
    settings_type: ClassVar[type[Settings]] = MgdmSettings

    def missing_views(self, graph: Graph, settings: MgdmSettings) -> MissingViews | None:
        """See `navviz.systems.views_needed.missing_views`."""
        return None if settings.views == "pictures" else lacking(graph, "descriptions", "objects")

    def walk(self, task: NavigationTask[MgdmSettings]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        episode, graph, options, past = task.episode, task.graph, task.settings, task.past
        model = needed(task.llm, self.name)
        long_term = _long_term(episode, graph, options)
        pictures = None
        if options.views == "pictures":
            pictures = required_pictures(graph, options.picture_files, "picture_files")
        walk = _begin(episode, graph)
        if past is None:
            yield PlanEvent(panels=(_agent_panel(options, long_term),))
        else:
            resume(walk, past, graph, options, long_term)
        tasks = max(1, len(episode.tasks))
        # one limit for the whole walk: a short part leaves its steps to the others
        limit = options.moves_per_task * tasks
        while walk.index < limit and walk.stops < tasks:
            end = yield from _turn(walk, episode, graph, model, options, long_term, pictures)
            if end is not None:
                yield end
                return
        yield _end(walk, tasks, limit)


def _end(walk: MgdmWalk, tasks: int, limit: int) -> EndEvent:
    if walk.stops >= tasks:
        return EndEvent(status="done", node=walk.node, plan=walk.plan())
    reason = f"{walk.stops} of {tasks} sub-tasks were ended after {limit} steps"
    return EndEvent(status="limit", reason=reason, node=walk.node, plan=walk.plan())


def _begin(episode: Episode, graph: Graph) -> MgdmWalk:
    node, heading, _ = place_after(episode, graph, None)
    return MgdmWalk(node, heading)


def _agent_panel(options: MgdmSettings, long_term: LongTerm | None) -> Panel:
    """Return what this agent is, and what it is not."""
    memory = f"{options.memory_size} slots, forgetting: {options.forgetting}, blur: {options.blur}"
    chain = f"every {options.cot_every} steps and at each sub-task" if options.cot_every else "off"
    retrieved = "off"
    if long_term is not None:
        retrieved = f"{options.long_term} of {len(long_term)} experiences"
    confidence = (
        "the probability of what was chosen: as the model states it, else its server's, else one"
        " over the ways"
    )
    agent = "text variant of MGDM; the paper's agent is a trained model that sees pictures"
    if options.views == "pictures":
        agent = "MGDM's loop with its three cameras' pictures; the paper's model is a trained one"
    items = [
        ["agent", agent],
        ["short-term memory", memory],
        ["chain of thought", chain],
        ["long-term memory", retrieved],
        ["confidence", confidence],
    ]
    return Panel(kind="keyvalue", title="MGDM as it runs here", data={"items": items})


def _long_term(episode: Episode, graph: Graph, options: MgdmSettings) -> LongTerm | None:
    if not options.long_term or not options.training:
        return None
    training = open_episodes(Path(options.training).expanduser()).episodes.values()
    return LongTerm(experiences(training, graph, episode))


def _turn(
    walk: MgdmWalk,
    episode: Episode,
    graph: Graph,
    model: LanguageModel,
    options: MgdmSettings,
    long_term: LongTerm | None,
    pictures: AgentPictures | None,
) -> Generator[Event, None, EndEvent | None]:
    """One step; gives the end where the walk ends with it."""
    walk.index += 1
    choices = look(graph, walk.node, walk.heading_deg)
    seen = observation_of(choices)
    yield StepEvent(
        index=walk.index,
        node=walk.node,
        heading_deg=round(walk.heading_deg, 2),
        plan=walk.plan(),
        sub_goal=walk.stops if walk.stops < len(walk.parts) else None,
    )
    yield ObservationEvent(observation=seen)
    if _chain_due(walk, options):
        failed = yield from _think(walk, episode, model, seen)
        if failed is not None:
            return failed
    hits = (
        long_term.retrieve(view_line(choices), options.long_term) if long_term is not None else ()
    )
    lines = [f"{hit.experience.action}, seeing {hit.experience.line[:160]}" for hit in hits]
    messages = decide_messages(
        episode.instruction,
        walk.chain,
        walk.slots,
        seen.text,
        walk.stops,
        lines,
        options.prompt,
    )
    if pictures is not None:
        messages = pictured(messages, three_views(pictures, walk.node, walk.heading_deg))
    call = yield from ask(model, Request(messages, schema=DECISION_SCHEMA, logprobs=True))
    if call.error is not None:
        return EndEvent(
            status=end_status(call), reason=call.error, node=walk.node, plan=walk.plan()
        )
    answer = weighed_answer(read_answer(call, numbers(choices)), choices, hits)
    yield from _shown(
        walk, options, choices, answer, hits, len(long_term) if long_term is not None else 0
    )
    return (yield from _act(walk, graph, choices, seen, answer, model, options))


def _chain_due(walk: MgdmWalk, options: MgdmSettings) -> bool:
    """At the first step of a sub-task, and every so many steps from there."""
    return options.cot_every > 0 and (walk.index - walk.begun) % options.cot_every == 0


def _think(
    walk: MgdmWalk, episode: Episode, model: LanguageModel, seen: Observation
) -> Generator[Event, None, EndEvent | None]:
    messages = cot_messages(episode.instruction, walk.slots, seen.text, walk.stops)
    call = yield from ask(model, Request(messages, purpose="cot", schema=COT_SCHEMA))
    if call.error is not None:
        return EndEvent(
            status=end_status(call), reason=call.error, node=walk.node, plan=walk.plan()
        )
    advised(walk, call)
    return None


def _shown(
    walk: MgdmWalk,
    options: MgdmSettings,
    choices: tuple[NumberedCandidate, ...],
    answer: MgdmDecision,
    hits: tuple[Hit, ...],
    stored: int,
) -> Iterator[Event]:
    labels = {STOP_ID: "stop", **{choice.id: choice.action for choice in choices}}
    # no choice has this number, so that no bar is marked
    chosen = answer.action if answer.action is not None else -1
    yield PanelEvent(panel=memory_panel(walk.slots, options.memory_size))
    if walk.chain:
        yield PanelEvent(panel=chain_panel(walk.chain, walk.former_chain, walk.chain_step))
    if stored:
        yield PanelEvent(panel=long_term_panel(hits, stored=stored))
    yield PanelEvent(panel=confidence_panel(answer.probabilities, labels, chosen, answer.source))


def _act(
    walk: MgdmWalk,
    graph: Graph,
    choices: tuple[NumberedCandidate, ...],
    seen: Observation,
    answer: MgdmDecision,
    model: LanguageModel,
    options: MgdmSettings,
) -> Generator[Event, None, EndEvent | None]:
    # nothing is known of its confidence: one over all choices, stopping among them
    if answer.action is None:
        yield from _remember(walk, STAYED, 1 / (len(choices) + 1), model, options)
        yield DecisionEvent(
            decision=Decision(legal=False, reason=f"The reply {answer.fault}; the agent stays.")
        )
        return None
    confidence = answer.probabilities[answer.action]
    if answer.action == STOP_ID:
        yield from _remember(walk, stop_line(walk, answer.progress), confidence, model, options)
        yield DecisionEvent(
            decision=Decision(target=walk.node, stop=True, reason=answer.progress or None)
        )
        walk.stops += 1
        # the chain of thought is due at the first step of each part
        walk.begun = walk.index + 1
        return None
    choice = next(choice for choice in choices if choice.id == answer.action)
    target = choice.candidate.node
    yield from _remember(walk, move_line(choice, answer.progress), confidence, model, options)
    decision = Decision(target=target, reason=answer.progress or None)
    yield DecisionEvent(decision=decision, candidates=mark_chosen(seen.candidates, target))
    heading = graph.heading_deg(walk.node, target)
    yield MoveEvent(path=(walk.node, target), heading_deg=heading)
    walk.node, walk.heading_deg = target, heading
    return None


def _remember(
    walk: MgdmWalk, text: str, confidence: float, model: LanguageModel, options: MgdmSettings
) -> Iterator[Event]:
    """Add a memory; where there is no room, forget first, and show how."""
    if full(walk, options):
        if options.forgetting == "entropy" and options.blur == "model":
            forgotten = yield from _blurred_by_model(walk.slots, model)
        else:
            forgotten = forgotten_now(walk.slots, options)
        for panel in forgetting_panels(forgotten):
            yield PanelEvent(panel=panel)
        walk.slots = forgotten.after
    walk.slots = (*walk.slots, Slot(text, confidence, walk.index, walk.index))


def _blurred_by_model(
    slots: tuple[Slot, ...], model: LanguageModel
) -> Generator[Event, None, Forgetting]:
    """Blur with one call a pair; where a call fails, the texts are joined instead."""
    pairs: list[tuple[str, str]] = []

    def noted(first: str, second: str) -> str:
        pairs.append((first, second))
        return joined(first, second)

    # a first pass only notes the pairs: a call yields events, which a blur cannot do
    forget(slots, noted)
    texts: dict[tuple[str, str], str] = {}
    for pair in pairs:
        call = yield from ask(
            model, Request(blur_messages(*pair), purpose="blur", schema=BLUR_SCHEMA)
        )
        texts[pair] = blur_text(call, pair)
    return forget(slots, lambda first, second: texts[first, second])
