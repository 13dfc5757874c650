"""Record SkillNav in the sample house with replies written by hand: ``python
assets/samples/build/record_skillnav.py``.

No model was asked: the run shows what a replay of SkillNav looks like, and says so in its name. The
prompts, the map and the walks back in it are those that a model would get. Beside it the same walks
are written as a router log, in the form and with the spelling defect of SkillNav's own code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

import make_house  # noqa: E402 - the scripts beside this one
from navviz.systems.skillnav.localiser import KEY, REASON  # noqa: E402
from record_runs import record_by_hand  # noqa: E402

from navviz.formats import open_episodes, open_graph  # noqa: E402
from navviz.language.skills import Skill, index_of, skill_of  # noqa: E402
from navviz.llm.base import Request  # noqa: E402
from navviz.llm.scripted import Reply, Scripted  # noqa: E402
from navviz.records import Episode, Trace  # noqa: E402
from navviz.systems.skillnav.navigator import SkillNav, SkillNavSettings  # noqa: E402
from navviz.systems.skillnav.panels import sub_goal_data  # noqa: E402

RUN = "skillnav-by-hand"
LOG = "skillnav-router-log"
MODEL = "scripted:written-by-hand"
STOP = "stop"
D, V, S, L, R = Skill.DIRECTION, Skill.VERTICAL, Skill.STOP, Skill.LANDMARK, Skill.REGION


@dataclass(frozen=True)
class Turn:
    """What the model is made to say in one step."""

    part: str | None
    """The sub-instruction; ``None`` in the first step, empty for a reply that is no JSON."""
    reason: str
    votes: tuple[Skill, ...]
    scores: dict[str, float] = field(default_factory=dict)
    """By place, the best one is gone to."""


SCRIPTS: dict[str, tuple[str, tuple[Turn, ...]]] = {
    "101_0": (
        (
            "Come in through the front door. Take the double door on the left into the living room."
            " Walk past the bookshelf. Go under the brick arch. Enter the kitchen. Stop in front of"
            " the gas stove."
        ),
        (
            Turn(None, "", (R, R, L), {"hall front": 95, STOP: 2}),
            Turn(
                "Take the double door on the left into the living room.",
                "I am in the hall, past the front door.",
                (D, R, D),
                {"living door": 80, "hall middle": 15, STOP: 3},
            ),
            Turn(
                "Walk past the bookshelf.",
                "This is the living room.",
                (L, L, L),
                {
                    "living arch": 60,
                    "living sofa": 20,
                    "living fire": 12,
                    "hall middle": 4,
                    STOP: 4,
                },
            ),
            Turn(
                "Enter the kitchen.",
                "The bookshelf and the arch were passed in one move.",
                (R, R, R),
                {"kitchen table": 85, "living fire": 5, STOP: 6},
            ),
            Turn(
                "Stop in front of the gas stove.",
                "I stand at the kitchen table.",
                (S, L, S),
                {"kitchen stove": 70, "kitchen door": 10, STOP: 20},
            ),
            Turn(
                "Stop in front of the gas stove.",
                "The stove is beside me.",
                (S, S, S),
                {STOP: 92, "kitchen door": 5},
            ),
        ),
    ),
    "102_0": (
        (
            "Leave the living room. Turn left in the hall. Climb the stairs on your right all the"
            " way up. Follow the gallery past the portraits. Go to the door with the paper star."
            " Stop beside the bunk bed."
        ),
        (
            Turn(
                None,
                "",
                (R, R, R),
                {"living door": 88, "living fire": 6, "living arch": 4, STOP: 1},
            ),
            Turn(
                "Leave the living room.",
                "The double door is here, the hall beyond it.",
                (R, R, D),
                {"hall middle": 64, "hall front": 30, STOP: 1},
            ),
            Turn(
                "Turn left in the hall.",
                "I am in the hall.",
                (D, D, D),
                {"hall stairs": 75, "study door": 20, STOP: 1},
            ),
            Turn(
                "Climb the stairs on your right all the way up.",
                "The stairs are to my right.",
                (V, V, V),
                {"stairs low": 90, "hall north": 6, STOP: 1},
            ),
            Turn(
                "Climb the stairs on your right all the way up.",
                "I am on the stairs.",
                (V, V, V),
                {"stairs middle": 92, STOP: 1},
            ),
            Turn(
                "Climb the stairs on your right all the way up.",
                "Still on the stairs.",
                (V, V, V),
                {"stairs high": 92, STOP: 1},
            ),
            Turn(
                "Climb the stairs on your right all the way up.",
                "The landing is ahead.",
                (V, V, S),
                {"landing": 90, STOP: 4},
            ),
            Turn(
                "Follow the gallery past the portraits.",
                "The stairs end here.",
                (L, R, L),
                {"gallery east": 92, STOP: 2},
            ),
            Turn(
                "Follow the gallery past the portraits.",
                "The portraits hang ahead.",
                (L, L, R),
                {"gallery middle": 91, STOP: 2},
            ),
            Turn("", "", (), {"child door": 60, "gallery west": 33, STOP: 3}),
            Turn(
                "go to the door that has a paper star",
                "The star is on this door.",
                (L, L, L),
                {"child bunk": 70, "gallery west": 10, STOP: 12},
            ),
            Turn(
                "Stop beside the bunk bed.",
                "The bunk bed is here.",
                (S, S, S),
                {STOP: 95, "gallery west": 2},
            ),
        ),
    ),
    "108_0": (
        (
            "Go straight down the hall. Pass the grandfather clock. Turn left. Go through the oak"
            " door. Sit down in the leather armchair."
        ),
        (
            Turn(None, "", (R, D, R), {"hall north": 95, STOP: 1}),
            Turn(
                "Pass the grandfather clock.",
                "I am on my way down the hall.",
                (L, L, L),
                {"hall stairs": 70, "kitchen door": 12, "dining door": 12, STOP: 2},
            ),
            Turn(
                "Turn left.",
                "The clock is behind me.",
                (D, D, D),
                {"hall middle": 48, "stairs low": 44, STOP: 2},
            ),
            Turn(
                "Go through the oak door.",
                "The oak door is on the left.",
                (R, L, R),
                {"study door": 66, "living door": 18, "hall front": 12, STOP: 2},
            ),
            Turn(
                "Sit down in the leather armchair.",
                "This is the study.",
                (S, L, L),
                {"study desk": 88, STOP: 8},
            ),
            Turn(
                "Sit down in the leather armchair.",
                "The armchair is beyond the desk.",
                (L, L, S),
                {"study chair": 80, STOP: 15},
            ),
            Turn(
                "Sit down in the leather armchair.",
                "The chair is here, but is it leather?",
                (S, L, S),
                {"hall front": 44, STOP: 43, "living door": 8},
            ),
            Turn(
                "Sit down in the leather armchair.",
                "No armchair at the front door.",
                (S, S, L),
                {STOP: 38, "living door": 36, "porch": 18},
            ),
        ),
    ),
    "104_1": (
        (
            "Go out of the bathroom. Cross the gallery. Walk down the upper hall. Pass the linen"
            " cupboard. Go through the glass door. Stop on the balcony."
        ),
        (
            Turn(None, "", (R, R, D), {"bath door": 94, STOP: 1}),
            Turn(
                "Cross the gallery.",
                "I am at the bathroom's door.",
                (R, R, L),
                {"gallery west": 90, STOP: 1},
            ),
            Turn(
                "Walk down the upper hall.",
                "The gallery is crossed.",
                (R, D, R),
                {"upper north": 62, "gallery middle": 20, "bedroom door": 12, STOP: 2},
            ),
            Turn(
                "Pass the linen cupboard.",
                "This is the upper hall, the cupboard is ahead.",
                (L, L, L),
                {"upper south": 91, STOP: 3},
            ),
            Turn(
                "Go through the glass door.",
                "The cupboard is behind me.",
                (R, L, L),
                {"balcony": 72, "music door": 12, "guest door": 10, STOP: 4},
            ),
            Turn(
                "Stop on the balcony.",
                "The railing is in front of me.",
                (S, S, S),
                {STOP: 96, "music door": 2},
            ),
        ),
    ),
}

TIMED = (
    "Walk down the upper hall until you are past the linen cupboard, once you have left the"
    " bathroom and crossed the gallery. Stop on the balcony after you have gone through the glass"
    " door."
)
"""Another text for the way of 104_0, whose parts are not told in the order of doing."""


def known_episodes() -> dict[str, Episode]:
    """Episodes of the house, and one with `TIMED`."""
    episodes = dict(open_episodes(HERE.parent / "house" / "R2R_sample.json").episodes)
    return episodes | {
        "104_1": episodes["104_0"].model_copy(update={"id": "104_1", "instruction": TIMED})
    }


def said(reordered: str, turns: tuple[Turn, ...]) -> Iterator[str]:
    """Yield the replies in the order in which they are asked for."""
    yield reordered
    for turn in turns:
        if turn.part is not None:
            yield (
                json.dumps({KEY: turn.part, REASON: turn.reason})
                if turn.part
                else "The star is near, so go on."
            )
        yield from (f"*****{skill.value}*****" for skill in turn.votes)
        yield json.dumps(
            {
                "scores": {
                    make_house.IDS.get(place, place): score for place, score in turn.scores.items()
                }
            }
        )


def log_entry(trace: Trace) -> Iterator[str]:
    """Yield the walk as the published code logs it."""
    walked = [trace.episode.start]
    for minute, step in enumerate(trace.steps):
        data, named = sub_goal_data(step), skill_of(step)
        if named is not None:
            record = {
                "instr_id": trace.episode.id,
                "scan": trace.episode.world,
                "full_instruction": " ".join(goal.description for goal in trace.sub_goals),
                "previous_viewpoints": [
                    f"views/{trace.episode.world}/{node}/front.jpg" for node in walked[-20:]
                ],
                "previous_sub_instructions": data["given"],
                "sub_instruction": data["sub_goal"],
                "reasoning": str(dict(data["items"]).get("Reason", "")),
                "predicted_skill": named.value,
                "predicted_skill_index": index_of(named.value, index_bug=True),
            }
            yield f"2026-01-01 00:{minute:02}:00,000 - {json.dumps(record, indent=1)}\n"
            yield (
                f"2026-01-01 00:{minute:02}:01,000 - Step {minute}: Using expert indices: "
                f"[{record['predicted_skill_index']}] for obs: ['{trace.episode.id}']\n"
            )
        walked += step.path[1:]


def main() -> None:
    """Write the run and the log."""
    runs = HERE.parent / "house" / "runs"
    house = open_graph(HERE.parent / "house" / "connectivity")
    episodes, split = (
        known_episodes(),
        open_episodes(HERE.parent / "house" / "R2R_sample.json").episodes,
    )
    settings, navigator, log = SkillNavSettings(votes=3), SkillNav(), list[str]()
    details = []
    for name, (reordered, turns) in SCRIPTS.items():
        replies = said(reordered, turns)

        def answer(_: Request, replies: Iterator[str] = replies) -> Reply:
            return Reply(reply=next(replies))

        model = Scripted(answer, name=MODEL)
        trace = record_by_hand(runs, RUN, navigator, settings, episodes[name], house, model)
        if name not in split:
            continue
        log += log_entry(trace)
        segments = [
            [trace.episode.start],
            *(list(step.path[1:]) for step in trace.steps if step.path),
        ]
        maps = [
            panel.data["stop_prob"]
            for step in trace.steps
            for panel in step.panels
            if panel.kind == "graph"
        ]
        stops = maps[-1]
        details.append(
            {
                "instr_id": name,
                "trajectory": segments,
                "details": {n: {"stop_prob": p} for n, p in stops.items()},
            }
        )
    folder = runs / LOG
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sample_router_outputs.log").write_text("".join(log), encoding="utf-8")
    (folder / "detail_sample.json").write_text(json.dumps(details, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
