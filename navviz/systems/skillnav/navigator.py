"""The navigators ``skillnav`` and ``skillnav-rules`` (Ma et al. 2025).

Once: put the instruction into the order of doing. Then in each step: find the part that is due,
choose the skill that it asks for, let that skill's agent score the moves, and take the best. The
agents read the original instruction; the part only chooses which of them acts.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

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
from navviz.records.base import capital
from navviz.support.guarded import decode_reply
from navviz.systems.asking import CallFailedError, StepNavigator, Turn, end_status, listen
from navviz.systems.base import (
    EVERYWHERE,
    Frames,
    NavigationTask,
    Settings,
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
from navviz.systems.skillnav.walk import SkillWalk

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


class _SkillTurns(SkillWalk):
    """What is done at each step of the walk, and once before the first."""

    def prepare(self) -> Turn:
        """Go through the past, and put the instruction in order."""
        if self.task.past is not None:
            self.relive(self.task.past)
        return None if self.reordered else (yield from self._reorder())

    def over(self) -> EndEvent | None:
        """End at the limit of actions."""
        limit = self.options.step_limit
        if self.index >= limit:
            return self.end("limit", f"no stop within {limit} actions")
        return None

    def turn(self) -> Turn:
        """Take one step; return the end where the walk ends with it."""
        place = self.arrive()
        located, localise_call = yield from self._localise(place)
        given = tuple(self.given)
        plan, now = plan_of(self.reordered, given, located.sub_goal)
        self.take(located)
        yield StepEvent(
            index=self.index, node=self.node, heading_deg=self.heading_deg, plan=plan, sub_goal=now
        )
        yield ObservationEvent(observation=observation(self.graph, place))
        if localise_call is not None:
            # asked before the step began, since the plan of the step depends on it
            yield CallEvent(call=localise_call)
        panel = sub_goal_panel(
            located.sub_goal,
            self.reordered,
            reason=located.reason,
            views=min(len(self.path), self.options.views),
            given=given,
            problem=located.problem,
        )
        yield PanelEvent(panel=panel)
        if localise_call is not None and localise_call.error is not None:
            raise CallFailedError(localise_call)
        routed = yield from self._route(located)
        index = index_of(routed.named, index_bug=self.options.index_bug)
        by = "model" if self.options.router in {"top1", "confidences"} else self.options.router
        panel = router_panel(routed.named, index, votes=routed.votes, note=routed.note, by=by)
        yield PanelEvent(panel=panel)
        scores = yield from self._score(place, SKILLS[index], located.sub_goal)
        return (yield from self._act(place, SKILLS[index], located.sub_goal, scores))

    def _reorder(self) -> Turn:
        """Put the instruction in order; gives the end where the model failed for good."""
        original = self.original
        calls: list[Call] = []
        # a data set that brings its instructions reordered needs no call
        if self.options.reorder == "model" and original == self.episode.instruction:
            for _ in range(_TRIES):
                messages = reorder_messages(original)
                request = Request(messages, purpose="reorder", temperature=_GREEDY)
                call = yield from listen(self.model, request)
                calls.append(call)
                if call.error is not None and end_status(call) is EndStatus.STOPPED:
                    yield PlanEvent(calls=tuple(calls))
                    return self.end("stopped", call.error)
                self.reordered = " ".join((call.reply or "").split())
                if call.error is None and self.reordered:
                    break
        parts, by = self._parts()
        goals, _ = plan_of(self.reordered, (), "")
        panel = reorder_panel(original, parts, by)
        yield PlanEvent(sub_goals=goals, calls=tuple(calls), panels=(panel,))
        error = calls[-1].error if calls else "the instruction holds nothing to put in order"
        if not self.reordered and error is not None:
            return self.end("error", error)
        return None

    def _parts(self) -> tuple[tuple[OrderedPart, ...], str]:
        """Return the parts of the reordered text, where they come from, and who ordered them."""
        if self.options.reorder == "rules" and self.original == self.episode.instruction:
            parts = reorder_by_rules(self.original)
            self.reordered = text_of(parts)
            return parts, "rules"
        if self.options.reorder == "off" or self.original != self.episode.instruction:
            self.reordered = self.episode.instruction
            by = "off" if self.original == self.reordered else "data set"
            return aligned(self.original, self.reordered), by
        return aligned(self.original, self.reordered), "model"

    def _localise(self, place: Place) -> Generator[Event, None, tuple[Localised, Call | None]]:
        """Find the part that is due; return it with the call, if a model was needed."""
        # the rules' progress goes on even where the model decides, as a fork may change to rules
        by_rules = self.localised_by_rules(place)
        if self.options.localiser == "rules" or self.index <= 1:
            return by_rules, None
        messages = localise_messages(self.reordered, self.given, self.views(self.options.views))
        if self.options.localiser_views == "pictures" and self.graph.frame == "metric":
            if self.camera is None:
                self.camera = required_pictures(
                    self.graph, self.options.picture_files, "picture_files"
                )
            messages = pictured(messages, self.pictures(self.options.views, self.camera))
        call = yield from listen(
            self.model, Request(messages, purpose="localise", temperature=_GREEDY)
        )
        if call.error is not None:
            return Localised("", problem=call.error), call
        localised = read_reply(call.reply)
        if not (call.reply or "").strip():
            localised = Localised("", problem=call.why_unread)
        parsed = None
        if localised.sub_goal or localised.reason:
            parsed = {KEY: localised.sub_goal, REASON: localised.reason}
        call = call.model_copy(update={"parsed": parsed, "parse_error": localised.problem})
        return localised, call

    def _route(self, located: Localised) -> Generator[Event, None, Routed]:
        """Choose the skill for the part that is due."""
        if not located.sub_goal:
            return Routed(None, note="no sub-goal: left out of routing in this step")
        if self.options.router == "random":
            return route_at_random(self.options.seed, self.episode.id, self.index)
        if self.options.router.startswith("fixed:"):
            return Routed(self.options.router.removeprefix("fixed:"))
        if self.options.router == "rules":
            return route_by_rules(located.sub_goal)
        whole = self.reordered if self.options.router_sees == "reordered" else self.original
        names_one = self.options.router == "top1"
        write = route_messages if names_one else confidence_messages
        messages = write(whole, located.sub_goal, located.reason)
        replies: list[str | None] = []
        votes = self.options.votes if names_one else 1
        # the same question several times: beams differ, greedy replies do not
        warmth = _GREEDY if votes == 1 else None
        for _ in range(votes):
            request = Request(messages, purpose="route", temperature=warmth)
            call = yield from self.ask(request)
            replies.append(call.reply)
        return vote(replies) if names_one else read_confidences(replies[0])

    def _score(self, place: Place, skill: Skill, sub_goal: str) -> Generator[Event, None, Scores]:
        """Scores of the moves by the skill's agent."""
        if not self.memory.frontier and self.options.action_space == "global":
            return Scores({STOP: 1.0}, note="no place is left that was not visited")
        if self.options.agents.startswith("llm"):
            agent = AskedAgent(skill, self.model, self.options.action_space, self.options.prompt)
            call = yield from self.ask(agent.request(place, sub_goal, self.original, self.memory))
            return agent.read(call, place, self.memory)
        chosen: SkillAgent = RulesAgent(skill, self.options.action_space)
        if self.options.agents == "http":
            url, world = self.options.url, self.graph.name
            chosen = ServedAgent(skill, url, world, self.options.action_space)
        elif self.options.agents == "imported":
            chosen = imported_agent(self.options.predictions, self.episode.id, skill)
        scored = chosen.score(place, sub_goal, self.original, self.memory)
        return scored if isinstance(scored, Scores) else Scores(scored)

    def _act(self, place: Place, skill: Skill, sub_goal: str, scores: Scores) -> Turn:
        """Take the best move, or stop."""
        memory = self.memory
        # stored before the choice, since the best stop is compared with this place
        memory.stop_prob[self.node] = scores.get(STOP, 0.0)
        # the last action is a stop, so that the way back to the best stop is still walked
        last = self.index >= self.options.step_limit
        best = max(scores, key=lambda node: scores[node]) if scores else STOP
        chosen = STOP if last else best
        yield PanelEvent(panel=self._agent_panel(scores, chosen, skill, place))
        back = None
        if chosen == STOP and self.options.walk_back:
            # to the place with the highest stop probability, where that is not here
            better = memory.best_stop(self.node)
            back = memory.way_to(self.node, better) if better is not None else None
        stops = {node: round(value, 4) for node, value in memory.stop_prob.items()}
        visited, pairs = list(memory.visited), memory.pairs()
        yield PanelEvent(
            panel=map_panel(self.node, visited, memory.frontier, pairs, stops, back or ())
        )
        if chosen == STOP:
            limit = last and best != STOP
            why = scores.note or "stop has the highest score"
            if limit:
                why = f"the limit of {self.options.step_limit} actions"
            return (yield from self._stop(sub_goal, why, back, limit=limit))
        way = place.way(chosen)
        path = way.path if way is not None else memory.way_to(self.node, chosen)
        if path is None:
            raise ModelError(
                f"The agent chose {chosen}, to which no known way leads from {self.node}."
            )
        reason = f"{skill.value}: {scores[chosen]:.2f}"
        if way is None:
            reason += ", back over the known map"
        decision = Decision(target=chosen, reason=reason)
        yield DecisionEvent(decision=decision, candidates=self._weighed(place, chosen, scores))
        self.moved(path, sub_goal)
        yield MoveEvent(path=path, heading_deg=self.heading_deg)
        return None

    def _agent_panel(self, scores: Scores, chosen: str, skill: Skill, place: Place) -> Panel:
        names = {way.node: f"{_side(way.angle_deg)}, {way.distance_m:.1f} m" for way in place.ways}
        return agent_panel(
            scores,
            chosen,
            agent=f"{skill.value}, {self.options.agents}",
            names=names,
            local_scores=scores.local,
            global_scores=scores.globally,
            sigma=scores.sigma,
            note=scores.note,
        )

    def _weighed(self, place: Place, chosen: str, scores: Scores) -> tuple[Candidate, ...]:
        """Return the candidates with scores, with the chosen place where it is none of them."""
        seen = []
        for way in observation(self.graph, place).candidates:
            state = "chosen" if way.node == chosen else "offered"
            score = _rounded(scores.get(way.node))
            seen.append(way.model_copy(update={"state": state, "score": score}))
        if all(way.node != chosen for way in seen):
            score, label = _rounded(scores[chosen]), "over the known map"
            seen.append(Candidate(node=chosen, state="chosen", label=label, score=score))
        return tuple(seen)

    def _stop(self, sub_goal: str, why: str, back: tuple[str, ...] | None, *, limit: bool) -> Turn:
        """Stop here, or at the end of the way back."""
        if back is not None:
            there, own = self.memory.stop_prob[back[-1]], self.memory.stop_prob[self.node]
            yield PanelEvent(panel=walk_back_panel(back, own, there))
            why = f"{why}; went back to the best stop {best_stop_text(there, own)}"
        target = back[-1] if back is not None else self.node
        reason = f"{capital(why)}."
        yield DecisionEvent(decision=Decision(target=target, stop=True, reason=reason))
        if back is not None:
            self.moved(back, sub_goal)
            yield MoveEvent(path=back, heading_deg=self.heading_deg)
        plan, _ = plan_of(self.reordered, self.given, "")
        return EndEvent(status="limit" if limit else "done", reason=why, node=self.node, plan=plan)


def _side(angle_deg: float) -> str:
    """Return an angle as people read it: ``left 61°``."""
    whole = round(angle_deg)
    if whole == 0:
        return "ahead"
    side = "left" if -180 < whole < 0 else "right"
    return f"{side} {abs(whole)}°"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


class SkillNav(StepNavigator[SkillNavSettings]):
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

    def begin(self, task: NavigationTask[SkillNavSettings]) -> SkillWalk:
        """Return the walk before its first step."""
        return _SkillTurns(task)


class SkillNavRules(SkillNav):
    """The navigator ``skillnav-rules``: the same walk with rules in all four places."""

    name: ClassVar[str] = "skillnav-rules"
    summary: ClassVar[str] = (
        "SkillNav's walk with rules for reordering, localiser, router and agents (stand-in); no"
        " model, sees the linked places."
    )
    needs_model: ClassVar[bool] = False
    settings_type: ClassVar[type[Settings]] = SkillNavRulesSettings
