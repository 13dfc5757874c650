"""The navigators ``skillnav`` and ``skillnav-rules`` (Ma et al. 2025).

Once: put the instruction into the order of doing. Then in each step: find the part that is due,
choose the skill that it asks for, let that skill's agent score the moves, and take the best. The
agents read the original instruction; the part only chooses which of them acts.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from navviz.errors import ModelError
from navviz.language.reorder import OrderedPart, aligned, reorder_by_rules, reorder_panel, text_of
from navviz.language.skills import SKILLS, Skill, count_cues, index_of, read_skill, skill_by_rules
from navviz.llm.base import Request
from navviz.llm.pictures import pictured
from navviz.observations.agent_pictures import required_pictures
from navviz.records import (
    Call,
    CallEvent,
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    EndStatus,
    Event,
    MoveEvent,
    ObservationEvent,
    Panel,
    PanelEvent,
    PlanEvent,
    StepEvent,
)
from navviz.support.guarded import decode_reply
from navviz.systems.asking import ask, end_status, listen, needed
from navviz.systems.base import (
    EVERYWHERE,
    Frames,
    NavigationTask,
    Settings,
    TaskNavigator,
    ViewNeed,
)
from navviz.systems.skillnav.agents import (
    KEY,
    REASON,
    Localised,
    RulesAgent,
    Scores,
    SkillAgent,
    read_reply,
)
from navviz.systems.skillnav.memory import STOP, Place, observation
from navviz.systems.skillnav.panels import (
    agent_panel,
    best_stop_text,
    map_panel,
    plan_of,
    router_panel,
    sub_goal_panel,
    walk_back_panel,
)
from navviz.systems.skillnav.prompts import (
    confidence_messages,
    localise_messages,
    reorder_messages,
    route_messages,
)
from navviz.systems.skillnav.served import AskedAgent, ServedAgent, imported_agent
from navviz.systems.skillnav.settings import SkillNavRulesSettings, SkillNavSettings
from navviz.systems.skillnav.walk import SkillWalk, begin, resume

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


_NAMED = re.compile(r"\*{5}(.*?)\*{5}", re.DOTALL)

# the name is bounded: a long reply without numbers would cost time by its square
_SHARE = re.compile(r"([A-Za-z][A-Za-z ]{1,200}?)[\"'* ]*[:=-]+[\"'* ]*(\d+(?:\.\d+)?)\s*%?")


@dataclass(frozen=True, slots=True)
class Routed:
    """What the router named."""

    named: str | None
    """As it was written; ``None`` where nothing was named."""
    votes: Mapping[Skill, float] | None = None
    note: str | None = None

    @property
    def valid(self) -> bool:
        """Whether it is one of the five."""
        return read_skill(self.named) is not None


def named_in(reply: str | None) -> list[str]:
    """All texts between two runs of five asterisks, in order."""
    return [text.strip() for text in _NAMED.findall(reply or "")]


def vote(replies: Sequence[str | None]) -> Routed:
    """Return the most frequent name between asterisks in all replies; the first wins a tie."""
    counts: Counter[str] = Counter()
    for reply in replies:
        counts.update(named_in(reply))
    if not counts:
        return Routed(None, note="no reply names a skill between five asterisks")
    # a Counter keeps the order of the first meeting
    best = max(counts, key=lambda name: counts[name])
    votes, unknown = dict.fromkeys(SKILLS, 0.0), 0
    for name, count in counts.items():
        skill = read_skill(name)
        if skill is None:
            unknown += count
        else:
            votes[skill] += count
    note = f"{unknown} of {counts.total()} votes name no skill" if unknown else None
    return Routed(best, votes, note)


def read_confidences(reply: str | None) -> Routed:
    """Return the skill with the highest percentage; index order breaks ties."""
    shares: dict[Skill, float] = {}
    for name, value in _shares(reply):
        skill = read_skill(name)
        if skill is not None:
            shares[skill] = value
    if not shares:
        return Routed(None, note="the reply gives no percentage for any skill")
    # a skill that the reply leaves out has to lose even against 0 per cent
    best = max(SKILLS, key=lambda skill: shares.get(skill, -1.0))
    return Routed(best.value, {skill: shares.get(skill, 0.0) for skill in SKILLS})


def _shares(reply: str | None) -> list[tuple[str, float]]:
    text = (reply or "").strip()
    first, last = text.find("{"), text.rfind("}")
    if 0 <= first < last:
        try:
            value: Any = decode_reply(text[first : last + 1])
        except ValueError:
            value = None
        if isinstance(value, dict):
            shares = [(str(key), _percentage(raw)) for key, raw in value.items()]
            return [(name, share) for name, share in shares if share is not None]
    return [(name, float(number)) for name, number in _SHARE.findall(text)]


def _percentage(raw: object) -> float | None:
    # for Python true is the number 1
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int | float):
        return float(raw)
    read = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%?\s*", raw) if isinstance(raw, str) else None
    return float(read[1]) if read else None


def route_by_rules(sub_goal: str) -> Routed:
    """Return the skill with most cue words, see `skill_by_rules`."""
    skill = skill_by_rules(sub_goal)
    counts = {each: float(count) for each, count in count_cues(sub_goal).items()}
    if skill is None:
        return Routed(None, counts, "the sub-goal holds no cue word")
    return Routed(skill.value, counts)


def route_at_random(seed: int, episode: str, step: int) -> Routed:
    """One of the five with equal chance: a row of the paper's ablation (Table 4).

    The same seed, episode and step give the same skill, so that a fork goes on as the run it comes
    from.
    """
    return Routed(random.Random(f"{seed} {episode} {step}").choice(SKILLS).value)  # noqa: S311 - an ablation, no secret


_TRIES = 3

"""The published reordering asks three times, then goes on with an empty text: no part is ever due,
index 1 acts.
"""


_GREEDY = 0.0

"""Temperature of reordering, localiser and router in the published code, unless the model's own
options name one.

Its limits (2,000, 3,000 and 20 tokens) are not asked for: models that think spend theirs on
thoughts.
"""


class SkillNav(TaskNavigator[SkillNavSettings]):
    """The navigator ``skillnav``."""

    name: ClassVar[str] = "skillnav"
    summary: ClassVar[str] = (
        "SkillNav: reorders the instruction, finds the part that is due, routes it to one of five"
        " skills. The skills' agents are stand-ins. Sees the linked places; outdoors the method is"
        " ours."
    )
    needs_model: ClassVar[bool] = True
    frames: ClassVar[Frames] = EVERYWHERE
    settings_type: ClassVar[type[Settings]] = SkillNavSettings

    needs_views: ClassVar[tuple[ViewNeed, ...]] = ("descriptions",)

    def walk(self, task: NavigationTask[SkillNavSettings]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        options = task.settings
        model = needed(task.llm, f"{self.name} with these settings") if options.asks_model else None
        walk = begin(task.episode, task.graph)
        if task.past is not None:
            resume(walk, task.past)
        if not walk.reordered:
            failed = yield from _reorder(walk, model, options)
            if failed is not None:
                yield failed
                return
        while walk.index < options.step_limit:
            end = yield from _step(walk, model, options)
            if end is not None:
                yield end
                return
        yield EndEvent(
            status="limit", reason=f"no stop within {options.step_limit} actions", node=walk.node
        )


class SkillNavRules(SkillNav):
    """The navigator ``skillnav-rules``: the same walk with rules in all four places."""

    name: ClassVar[str] = "skillnav-rules"
    summary: ClassVar[str] = (
        "SkillNav's walk with rules for reordering, localiser, router and agents (stand-in); no"
        " model, sees the linked places."
    )
    needs_model: ClassVar[bool] = False
    settings_type: ClassVar[type[Settings]] = SkillNavRulesSettings


# --- once: the order


def _reorder(
    walk: SkillWalk, model: LanguageModel | None, options: SkillNavSettings
) -> Generator[Event, None, EndEvent | None]:
    """Put the instruction in order; gives the end where the model failed for good."""
    original = walk.original
    calls: list[Call] = []
    # a data set that brings its instructions reordered needs no call
    if options.reorder == "model" and model is not None and original == walk.episode.instruction:
        for _ in range(_TRIES):
            messages = reorder_messages(original)
            request = Request(messages, purpose="reorder", temperature=_GREEDY)
            call = yield from listen(model, request)
            calls.append(call)
            if call.error is not None and end_status(call) is EndStatus.STOPPED:
                yield PlanEvent(calls=tuple(calls))
                return EndEvent(status="stopped", reason=call.error, node=walk.node)
            walk.reordered = " ".join((call.reply or "").split())
            if call.error is None and walk.reordered:
                break
    parts, by = _parts(walk, options)
    goals, _ = plan_of(walk.reordered, (), "")
    panel = reorder_panel(original, parts, by)
    yield PlanEvent(sub_goals=goals, calls=tuple(calls), panels=(panel,))
    error = calls[-1].error if calls else "the instruction holds nothing to put in order"
    if not walk.reordered and error is not None:
        return EndEvent(status="error", reason=error, node=walk.node)
    return None


def _parts(walk: SkillWalk, options: SkillNavSettings) -> tuple[tuple[OrderedPart, ...], str]:
    """Return the parts of the reordered text with where they come from, and who ordered them."""
    if options.reorder == "rules" and walk.original == walk.episode.instruction:
        parts = reorder_by_rules(walk.original)
        walk.reordered = text_of(parts)
        return parts, "rules"
    if options.reorder == "off" or walk.original != walk.episode.instruction:
        walk.reordered = walk.episode.instruction
        by = "off" if walk.original == walk.reordered else "data set"
        return aligned(walk.original, walk.reordered), by
    return aligned(walk.original, walk.reordered), "model"


# --- each step


def _step(
    walk: SkillWalk, model: LanguageModel | None, options: SkillNavSettings
) -> Generator[Event, None, EndEvent | None]:
    """Take one step; return the end where the walk ends with it."""
    place = walk.arrive()
    located, localise_call = yield from _localise(walk, place, model, options)
    walk.index += 1
    given = tuple(walk.given)
    plan, now = plan_of(walk.reordered, given, located.sub_goal)
    walk.take(located)
    yield StepEvent(
        index=walk.index, node=walk.node, heading_deg=walk.heading_deg, plan=plan, sub_goal=now
    )
    yield ObservationEvent(observation=observation(walk.graph, place))
    if localise_call is not None:
        # asked before the step began, since the plan of the step depends on it
        yield CallEvent(call=localise_call)
    panel = sub_goal_panel(
        located.sub_goal,
        walk.reordered,
        reason=located.reason,
        views=min(len(walk.path), options.views),
        given=given,
        problem=located.problem,
    )
    yield PanelEvent(panel=panel)
    if localise_call is not None and localise_call.error is not None:
        return _failed(localise_call, walk)
    routed = yield from _route(walk, located, model, options)
    if isinstance(routed, EndEvent):
        return routed
    index = index_of(routed.named, index_bug=options.index_bug)
    by = "model" if options.router in {"top1", "confidences"} else options.router
    panel = router_panel(routed.named, index, votes=routed.votes, note=routed.note, by=by)
    yield PanelEvent(panel=panel)
    scores = yield from _score(walk, place, SKILLS[index], located.sub_goal, model, options)
    if isinstance(scores, EndEvent):
        return scores
    return (yield from _act(walk, place, SKILLS[index], located.sub_goal, scores, options))


def _failed(call: Call, walk: SkillWalk) -> EndEvent:
    """Return the end of a walk whose model did not answer."""
    return EndEvent(status=end_status(call), reason=call.error, node=walk.node)


def _localise(
    walk: SkillWalk, place: Place, model: LanguageModel | None, options: SkillNavSettings
) -> Generator[Event, None, tuple[Localised, Call | None]]:
    """Find the part that is due; return it with the call, if a model was needed."""
    # the rules' progress goes on even where the model decides, as a fork may change to rules
    by_rules = walk.localised_by_rules(place)
    if options.localiser == "rules" or model is None or walk.index == 0:
        return by_rules, None
    messages = localise_messages(walk.reordered, walk.given, walk.views(options.views))
    if options.localiser_views == "pictures" and walk.graph.frame == "metric":
        if walk.camera is None:
            walk.camera = required_pictures(walk.graph, options.picture_files, "picture_files")
        messages = pictured(messages, walk.pictures(options.views, walk.camera))
    call = yield from listen(model, Request(messages, purpose="localise", temperature=_GREEDY))
    if call.error is not None:
        return Localised("", problem=call.error), call
    localised = read_reply(call.reply)
    parsed = None
    if localised.sub_goal or localised.reason:
        parsed = {KEY: localised.sub_goal, REASON: localised.reason}
    call = call.model_copy(update={"parsed": parsed, "parse_error": localised.problem})
    return localised, call


def _route(
    walk: SkillWalk, located: Localised, model: LanguageModel | None, options: SkillNavSettings
) -> Generator[Event, None, Routed | EndEvent]:
    """Choose the skill for the part that is due."""
    if not located.sub_goal:
        return Routed(None, note="no sub-goal: left out of routing in this step")
    if options.router == "random":
        return route_at_random(options.seed, walk.episode.id, walk.index)
    if options.router.startswith("fixed:"):
        return Routed(options.router.removeprefix("fixed:"))
    if options.router == "rules" or model is None:
        return route_by_rules(located.sub_goal)
    whole = walk.reordered if options.router_sees == "reordered" else walk.original
    names_one = options.router == "top1"
    write = route_messages if names_one else confidence_messages
    messages = write(whole, located.sub_goal, located.reason)
    replies: list[str | None] = []
    votes = options.votes if names_one else 1
    # the same question several times: beams differ, greedy replies do not
    warmth = _GREEDY if votes == 1 else None
    for _ in range(votes):
        call = yield from ask(model, Request(messages, purpose="route", temperature=warmth))
        if call.error is not None:
            return _failed(call, walk)
        replies.append(call.reply)
    return vote(replies) if names_one else read_confidences(replies[0])


def _score(
    walk: SkillWalk,
    place: Place,
    skill: Skill,
    sub_goal: str,
    model: LanguageModel | None,
    options: SkillNavSettings,
) -> Generator[Event, None, Scores | EndEvent]:
    """Scores of the moves by the skill's agent."""
    if not walk.memory.frontier and options.action_space == "global":
        return Scores({STOP: 1.0}, note="no place is left that was not visited")
    if options.agents.startswith("llm") and model is not None:
        agent = AskedAgent(skill, model, options.action_space, options.prompt)
        call = yield from ask(model, agent.request(place, sub_goal, walk.original, walk.memory))
        if call.error is not None:
            return _failed(call, walk)
        return agent.read(call, place, walk.memory)
    scored = _agent(walk, skill, options).score(place, sub_goal, walk.original, walk.memory)
    return scored if isinstance(scored, Scores) else Scores(scored)


def _agent(walk: SkillWalk, skill: Skill, options: SkillNavSettings) -> SkillAgent:
    if options.agents == "http":
        return ServedAgent(skill, options.url, walk.graph.name, options.action_space)
    if options.agents == "imported":
        return imported_agent(options.predictions, walk.episode.id, skill)
    return RulesAgent(skill, options.action_space)


def _act(
    walk: SkillWalk,
    place: Place,
    skill: Skill,
    sub_goal: str,
    scores: Scores,
    options: SkillNavSettings,
) -> Generator[Event, None, EndEvent | None]:
    """Take the best move, or stop."""
    memory = walk.memory
    # stored before the choice, since the best stop is compared with this place
    memory.stop_prob[walk.node] = scores.get(STOP, 0.0)
    # the last action is a stop, so that the way back to the best stop is still walked
    last = walk.index >= options.step_limit
    best = max(scores, key=lambda node: scores[node]) if scores else STOP
    chosen = STOP if last else best
    yield PanelEvent(panel=_agent_panel(scores, chosen, skill, place, options))
    back = _way_back(walk, options) if chosen == STOP else None
    stops = {node: round(value, 4) for node, value in memory.stop_prob.items()}
    visited, pairs = list(memory.visited), memory.pairs()
    yield PanelEvent(panel=map_panel(walk.node, visited, memory.frontier, pairs, stops, back or ()))
    if chosen == STOP:
        limit = last and best != STOP
        why = scores.note or "stop has the highest score"
        if limit:
            why = f"the limit of {options.step_limit} actions"
        return (yield from _end(walk, sub_goal, why, back, limit=limit))
    way = place.way(chosen)
    path = way.path if way is not None else memory.way_to(walk.node, chosen)
    if path is None:
        raise ModelError(f"The agent chose {chosen}, to which no known way leads from {walk.node}.")
    reason = f"{skill.value}: {scores[chosen]:.2f}"
    if way is None:
        reason += ", back over the known map"
    decision = Decision(target=chosen, reason=reason)
    yield DecisionEvent(decision=decision, candidates=_weighed(walk, place, chosen, scores))
    walk.moved(path, sub_goal)
    yield MoveEvent(path=path, heading_deg=walk.heading_deg)
    return None


def _agent_panel(
    scores: Scores, chosen: str, skill: Skill, place: Place, options: SkillNavSettings
) -> Panel:
    names = {way.node: f"{_side(way.angle_deg)}, {way.distance_m:.1f} m" for way in place.ways}
    return agent_panel(
        scores,
        chosen,
        agent=f"{skill.value}, {options.agents}",
        names=names,
        local_scores=scores.local,
        global_scores=scores.globally,
        sigma=scores.sigma,
        note=scores.note,
    )


def _side(angle_deg: float) -> str:
    """Return an angle as people read it: ``left 61°``."""
    whole = round(angle_deg)
    if whole == 0:
        return "ahead"
    side = "left" if -180 < whole < 0 else "right"
    return f"{side} {abs(whole)}°"


def _weighed(walk: SkillWalk, place: Place, chosen: str, scores: Scores) -> tuple[Candidate, ...]:
    """Return the candidates with their scores, with the chosen place where it is none of them."""
    seen = []
    for way in observation(walk.graph, place).candidates:
        state = "chosen" if way.node == chosen else "offered"
        score = _rounded(scores.get(way.node))
        seen.append(way.model_copy(update={"state": state, "score": score}))
    if all(way.node != chosen for way in seen):
        score, label = _rounded(scores[chosen]), "over the known map"
        seen.append(Candidate(node=chosen, state="chosen", label=label, score=score))
    return tuple(seen)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _way_back(walk: SkillWalk, options: SkillNavSettings) -> tuple[str, ...] | None:
    """Return the way to the place with the highest stop probability; ``None`` where it is here."""
    if not options.walk_back:
        return None
    better = walk.memory.best_stop(walk.node)
    return walk.memory.way_to(walk.node, better) if better is not None else None


def _end(
    walk: SkillWalk, sub_goal: str, why: str, back: tuple[str, ...] | None, *, limit: bool
) -> Generator[Event, None, EndEvent]:
    """Stop here, or at the end of the way back."""
    if back is not None:
        there, own = walk.memory.stop_prob[back[-1]], walk.memory.stop_prob[walk.node]
        yield PanelEvent(panel=walk_back_panel(back, own, there))
        why = f"{why}; went back to the best stop {best_stop_text(there, own)}"
    target = back[-1] if back is not None else walk.node
    reason = f"{why[:1].upper()}{why[1:]}."
    yield DecisionEvent(decision=Decision(target=target, stop=True, reason=reason))
    if back is not None:
        walk.moved(back, sub_goal)
        yield MoveEvent(path=back, heading_deg=walk.heading_deg)
    plan, _ = plan_of(walk.reordered, walk.given, "")
    return EndEvent(status="limit" if limit else "done", reason=why, node=walk.node, plan=plan)
