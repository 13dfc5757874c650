"""NavGen backward at work: an instruction for each stretch of a walk, checked, with its trials.

The paper checks no reply (Song et al. 2025, sections 3.3 and 9.2); the checks are ours.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from navviz.errors import InputError
from navviz.formats.texts import as_mapping
from navviz.language.said import sides_of
from navviz.records import Call, Episode, Trace
from navviz.records.base import Place, capital
from navviz.support.guarded import parse_json
from navviz.systems.asking import parse_object
from navviz.systems.authoring import RULES, ask_until, trials_of
from navviz.systems.lhvln.logs.trials import targets_of
from navviz.systems.lhvln.navgen.backward import split, top_tags
from navviz.systems.lhvln.navgen.checks import Check
from navviz.systems.lhvln.navgen.tasks import (
    DATASET,
    TURN_DEG,
    Stretch,
    expert_motions,
    step_request,
    stretches,
)
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

_CLAUSE = re.compile(r"[,.;:]| and | then ")
_LISTED = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE)
_CODED = re.compile(r"[{}\[\]<>]|[0-9a-f]{16}|\w_\d")
_STEP = re.compile(r"\bsteps?\b", re.IGNORECASE)


@dataclass(frozen=True)
class ExpertWalk:
    """An expert's walk through the targets of a long episode, action by action."""

    parent: Episode
    actions: tuple[str, ...]
    stretches: tuple[Stretch, ...]
    places: tuple[Place, ...]
    """Where each action begins, and where the last one ends: nodes or positions."""
    headings_deg: tuple[float, ...]
    graph: Graph | None = None

    def position_of(self, place: Place) -> list[float] | None:
        """Return a place as ``[x, y, z]`` in metres; ``None`` where it is not known."""
        if not isinstance(place, str | int):
            return [float(part) for part in place]
        known = self.graph is not None and place in self.graph
        return list(self.graph.position(str(place))) if known and self.graph else None


def expert_walk(episode: Episode, graph: Graph) -> ExpertWalk | None:
    """Return the walk along an episode's reference path; ``None`` where it passes no targets."""
    motions = expert_motions(episode, graph)
    if motions is None:
        return None
    heading = episode.start_heading_deg or 0.0
    headings = []
    for action in motions.actions:
        headings.append(heading)
        turned = {"turn_right": TURN_DEG, "turn_left": -TURN_DEG}.get(action, 0.0)
        heading = (heading + turned) % 360.0
    places = (episode.start, *motions.nodes)
    parts = stretches(motions, graph)
    return ExpertWalk(episode, motions.actions, parts, places, tuple(headings), graph)


def recorded_walk(trace: Trace) -> ExpertWalk:
    """Return a recorded walk of LHPR-VLN; nothing is known of what it saw."""
    steps = [step for step in trace.steps if step.decision is not None]
    actions = tuple(step.decision.action or "" for step in steps if step.decision is not None)
    names = [step.node or "" for step in steps]
    names.append(steps[-1].path[-1] if steps and steps[-1].path else names[-1] if names else "")
    places = tuple(trace.poses.get(name, name) for name in names)
    headings = tuple(step.heading_deg or 0.0 for step in steps)
    parts = []
    for task in split(actions, targets_of(trace)):
        parts.append(Stretch(task, ((),) * len(task.segments)))
    return ExpertWalk(trace.episode, actions, tuple(parts), places, headings)


@dataclass(frozen=True, slots=True)
class StepDraft:
    """What an author wrote for one stretch, and what the checks say."""

    walk: str
    stretch: Stretch
    author: str
    text: str
    calls: tuple[Call, ...] = ()
    """A call a trial; empty for rules, and for what was paid for before."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Marks of the text."""
        return check_step(self.text, self.stretch)

    @property
    def fault(self) -> str:
        """Why it is rejected, in a sentence; empty for an accepted one."""
        if self.calls and self.calls[-1].error:
            return self.calls[-1].error
        return _fault(self.text, self.stretch)

    @property
    def record(self) -> dict[str, Any]:
        """Everything that led to it, for a file of drafts."""
        return {
            "key": key_of(self.walk, self.stretch, self.author),
            "walk": self.walk,
            "author": self.author,
            "target": self.stretch.task.target,
            "segments": [asdict(segment) for segment in self.stretch.task.segments],
            "tags": [list(tags) for tags in self.stretch.tags],
            "text": self.text,
            "checks": [asdict(check) for check in self.checks],
            "fault": self.fault,
            "trials": trials_of(self.calls),
        }


def key_of(walk: str, stretch: Stretch, author: str) -> str:
    """Return what names a draft: a stretch with its tags is written once by each author."""
    parts = (walk, stretch.task.start, stretch.task.end, stretch.task.target, stretch.tags, author)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def write_draft(walk: str, stretch: Stretch, llm: LanguageModel | None = None) -> StepDraft:
    """Write one instruction, by rules without a model; a model is asked again twice where a check
    that must hold fails.
    """
    if llm is None:
        return StepDraft(walk, stretch, RULES, rules_text(stretch))
    text, calls = ask_until(
        llm, step_request(stretch), _text_of, lambda text: _fault(text, stretch)
    )
    return StepDraft(walk, stretch, llm.name, text, calls)


def _fault(text: str, stretch: Stretch) -> str:
    checks = check_step(text, stretch)
    failed = [check for check in checks if check.required and not check.passed]
    return f"{failed[0].rule}: {failed[0].detail}" if failed else ""


def _text_of(call: Call) -> str:
    try:
        value = (call.parsed or parse_object(call.reply)).get("instruction")
    except ValueError:
        # a model that keeps to the task and not to the schema
        value = call.reply
    return value.strip() if isinstance(value, str) else ""


def rules_text(stretch: Stretch) -> str:
    """Write the instruction from templates."""
    parts = []
    last = len(stretch.task.segments) - 1
    for k, (segment, tags) in enumerate(_parts(stretch)):
        side = _side(segment)
        do = f"turn {side}" if side else "walk ahead"
        if segment == "zigzag":
            do = "go round what stands in the way"
        place = f" by the {tags[0]}" if tags and side else ""
        if tags and not side:
            place = f" past the {tags[0]}"
        if k == last:
            do = f"{do} and stop" if side else "walk on"
            place = f" at the {stretch.task.target}" if side else f" to the {stretch.task.target}"
        parts.append(f"{do}{place}")
    text = ", then ".join(parts)
    return f"{capital(text)}."


def check_step(text: str, stretch: Stretch) -> tuple[Check, ...]:
    """Hold an instruction against its stretch: three checks that must hold, and hints."""
    form = ""
    if not text:
        form = "there is no text"
    elif _LISTED.search(text) or "\n" in text.strip():
        form = "it is a list"
    elif match := _CODED.search(text):
        form = f"it holds {match[0]!r}, which is no word"
    elif _STEP.search(text):
        form = "it holds the word step"
    wanted = [side for segment, _ in _parts(stretch) if (side := _side(segment))]
    given = list(sides_of(text))
    turns = "" if given == wanted else f"it turns {_listed(given)}, the walk {_listed(wanted)}"
    clauses = [part for part in _CLAUSE.split(text.lower()) if part.strip()]
    target = stretch.task.target.lower()
    last = clauses[-1] if clauses else ""
    missed = "" if target in last else f"its last part is {last.strip()!r}, without {target!r}"
    checks = [
        Check("One text in words", not form, form),
        Check("Its turns are those of the walk", not turns, turns),
        Check("It ends at the target", not missed, missed),
    ]
    tagged = [tags for _, tags in list(_parts(stretch))[:-1] if tags]
    if tagged:
        at, named = 0, 0
        for tags in tagged:
            places = [place for tag in tags if (place := text.lower().find(tag.lower(), at)) >= 0]
            if places:
                at, named = min(places), named + 1
        detail = f"{named} of {len(tagged)}"
        checks.append(Check("A tag for each part", named == len(tagged), detail, required=False))
    return tuple(checks)


def _parts(stretch: Stretch) -> Iterator[tuple[str, tuple[str, ...]]]:
    labels = [segment.label for segment in stretch.task.segments]
    tags = stretch.tags or ((),) * len(labels)
    return iter(list(zip(labels, tags, strict=True)))


def _side(label: str) -> str:
    """Return the side of a segment; empty for going ahead and for a zigzag."""
    return next((side for side in ("left", "right") if side in label), "")


def _listed(sides: Sequence[str]) -> str:
    return ", ".join(sides) if sides else "nowhere"


def tags_of(stretch: Stretch, by_step: Mapping[int, Sequence[str]]) -> Stretch:
    """Return a stretch with the tags of its actions, counted as in LH-VLN's code."""
    tags = []
    for segment in stretch.task.segments:
        span = range(segment.start, segment.end + 1)
        tags.append(top_tags(by_step.get(step, ()) for step in span))
    return Stretch(stretch.task, tuple(tags))


def read_tags(lines: Iterable[str], file: str) -> dict[int, list[str]]:
    """Read ``{"step": k, "tags": [...]}`` a line; raises `InputError` for anything else."""
    by_step: dict[int, list[str]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = as_mapping(parse_json(line, file))
            by_step.setdefault(int(entry["step"]), []).extend(map(str, entry["tags"]))
        except (InputError, ValueError, TypeError, KeyError) as error:
            what = f"line {number} holds no step with its tags"
            raise InputError(what, 'write {"step": 7, "tags": ["door"]}', file=file) from error
    return by_step


def episode_of(draft: StepDraft, walk: ExpertWalk) -> Episode | None:
    """Return an accepted draft as an episode; ``None`` where it stays on one place."""
    task, parent = draft.stretch.task, walk.parent
    span = walk.places[task.start : task.end + 2]
    path = [place for k, place in enumerate(span) if k == 0 or place != span[k - 1]]
    if len(path) < 2:
        return None
    extra = {"parent": parent.id, "first_action": task.start, "last_action": task.end}
    return Episode(
        id=f"{parent.id}-{task.start}-{task.end}",
        dataset=DATASET,
        instruction=draft.text,
        world=parent.world,
        start=path[0],
        start_heading_deg=walk.headings_deg[task.start],
        reference_path=path,
        goal=path[-1],
        success_radius_m=1.0,
        extra=extra | {"target": task.target, "author": draft.author},
    )


def benchmark_form(draft: StepDraft, walk: ExpertWalk) -> dict[str, Any]:
    """Return an accepted draft in the form of LHPR-VLN's step tasks.

    `start_pos` is in the frame of the walk, ``(x, y, z)`` in metres; `start_yaw` in degrees.
    """
    task, parent = draft.stretch.task, walk.parent
    goal = next((each for each in parent.tasks if each.target == task.target), None)
    region = None if goal is None else goal.region
    return {
        "trajectory path": draft.walk,
        "start": task.start,
        "end": task.end,
        "Robot": parent.extra.get("robot"),
        "Scene": parent.world,
        "target": [[task.target, region]],
        "Region": region,
        "start_pos": walk.position_of(walk.places[task.start]),
        "start_yaw": walk.headings_deg[task.start],
        "Task instruction": draft.text,
    }
