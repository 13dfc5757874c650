"""Record NavGPT in the sample house with replies written by hand: ``python
assets/samples/build/record_navgpt.py``.

No model was asked: the run shows what a replay of NavGPT looks like, and says so in its name. The
prompts, observations and refusals in it are those that a model would get.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

import make_house  # noqa: E402 - the scripts beside this one
from record_runs import record_by_hand  # noqa: E402

from navviz.formats import open_episodes, open_graph  # noqa: E402
from navviz.llm.base import Request  # noqa: E402
from navviz.llm.scripted import Reply, Scripted  # noqa: E402
from navviz.systems.navgpt.navigator import NavGpt  # noqa: E402
from navviz.systems.navgpt.settings import NavGptSettings  # noqa: E402

RUN = "navgpt-by-hand"
MODEL = "scripted:written-by-hand"
NOWHERE = "4a17c2b09d5e48f3a6b1c8d7e2f30495"
DONE = "done"

SCRIPTS: dict[str, tuple[tuple[str, str], ...]] = {
    "101_0": (
        ("hall front", "I stand on the porch and the front door is straight ahead. I go in."),
        (
            "living door",
            "This is the hall. The double door to the living room is on my left, so I take it.",
        ),
        (
            "living arch",
            (
                "I am in the living room. The bookshelf is to my right and the brick arch lies"
                " beyond it."
            ),
        ),
        ("kitchen table", "Under the arch now. Through it I see the round table of the kitchen."),
        (
            "kitchen stove",
            "This is the kitchen. The gas stove is across the room; I am to stop in front of it.",
        ),
        (DONE, "The gas stove is right here. The instruction is done."),
    ),
    "102_0": (
        ("living door", "I have to leave the living room. Its double door is ahead of me."),
        ("hall middle", "Through the double door into the hall."),
        (
            "hall stairs",
            "I turn left in the hall. The oak stairs should be on my right a little farther on.",
        ),
        (NOWHERE, "The stairs leading up are on my right. I climb them."),
        (
            "stairs low",
            "That id was not on the list. The viewpoint on the stairs is the one on my right.",
        ),
        ("stairs middle", "On the stairs. I go on up."),
        ("stairs high", "Still climbing."),
        ("landing", "The landing is at the top."),
        ("gallery east", "From the landing the gallery begins on my left."),
        ("gallery middle", "I follow the gallery; the row of portraits hangs on my right."),
        ("child door", "There is the door with the paper star, on my right."),
        ("child bunk", "This is the child's room. The bunk bed stands at its far end."),
        (DONE, "The bunk bed is beside me, within three metres. I stop."),
    ),
    "108_0": (
        ("hall north", "I start at the end of the hall and go straight down it."),
        ("hall stairs", "On I go, towards the grandfather clock."),
        (
            "stairs low",
            (
                "The clock is here on my right. I have to turn left through something made of oak:"
                " these."
            ),
        ),
        ("hall stairs", "These are oak stairs, not the oak door to the study. I go back down."),
        ("hall middle", "The oak door must be farther down the hall."),
        ("study door", "Here it is, half open, on my left. I go through it."),
        ("study desk", "In the study. The writing desk is ahead; the armchair must be beyond."),
        (DONE, "I see the leather armchair from the desk. That is near enough."),
    ),
}


def replies(episode: str) -> Iterator[str]:
    """Yield what the model is made to say."""
    for place, thought in SCRIPTS[episode]:
        if place == DONE:
            yield f"Thought: {thought}\nFinal Answer: Finished!"
        else:
            target = make_house.IDS.get(place, place)
            yield f'Thought: {thought}\nAction: action_maker\nAction Input: "{target}"'


def main() -> None:
    """Write the run."""
    house = open_graph(HERE.parent / "house" / "connectivity")
    episodes = open_episodes(HERE.parent / "house" / "R2R_sample.json").episodes
    # one walk needs more than the ten turns of its code
    settings, navigator = NavGptSettings(step_limit=15), NavGpt()
    for name in SCRIPTS:
        answers = replies(name)

        def answer(_: Request, answers: Iterator[str] = answers) -> Reply:
            return Reply(reply=next(answers))

        model = Scripted(answer, name=MODEL)
        record_by_hand(
            HERE.parent / "house" / "runs", RUN, navigator, settings, episodes[name], house, model
        )


if __name__ == "__main__":
    main()
