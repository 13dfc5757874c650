"""Record MSNav in the sample house with replies written by hand: ``python
assets/samples/build/record_msnav.py``.

No model was asked: the run shows what a replay of MSNav looks like, and says so in its name.
Prompts, map, pruning and forced decisions in it are those that a model would get. One walk arrives,
one goes astray long enough for places to be taken off the map, one stops at a look-alike, and one
is stopped by a reply that is no JSON.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

import make_house  # noqa: E402 - the scripts beside this one
from record_runs import record_by_hand  # noqa: E402

from navviz.formats import open_episodes, open_graph  # noqa: E402
from navviz.llm.base import Request  # noqa: E402
from navviz.llm.scripted import Reply, Scripted  # noqa: E402
from navviz.observations.discrete_views import candidate_views  # noqa: E402
from navviz.systems.msnav.navigator import Msnav  # noqa: E402
from navviz.systems.msnav.place_map.prompt import read_prompt  # noqa: E402
from navviz.systems.msnav.settings import MsnavSettings  # noqa: E402
from navviz.world.graph import Graph  # noqa: E402

RUN = "msnav-by-hand"
MODEL = "scripted:written-by-hand"
STOP = "stop"
UNKNOWN = "unknown letter"
WORDS = "words"


@dataclass(frozen=True)
class Script:
    """What the model is made to say in one episode."""

    direct: tuple[str, ...]
    potential: tuple[str, ...]
    layout: str
    turns: tuple[tuple[str, str, str], ...]
    """Place to go to (or `STOP`, `UNKNOWN`, `WORDS`), thought, plan."""


SCRIPTS: dict[str, Script] = {
    "101_0": Script(
        ("gas stove", "brick arch", "bookshelf", "double door", "front door"),
        ("refrigerator", "kitchen table"),
        "The destination is the kitchen. The spatial layout of the destination is a gas stove"
        " against the wall, with a table in the middle of the room and a refrigerator near by.",
        (
            (
                UNKNOWN,
                "The front door is the only way; I answer with a letter that is not on the list.",
                "Go in first.",
            ),
            (
                "living door",
                "This is the hall. The double door is on my left.",
                "Hall, then living room, then the arch.",
            ),
            (
                "living arch",
                "The living room. Past the bookshelf I see the brick arch.",
                "Through the arch to the stove.",
            ),
            (
                "kitchen table",
                "Under the arch; the kitchen begins here.",
                "Find the gas stove in the kitchen.",
            ),
            (
                "kitchen stove",
                "The kitchen with its table. The stove is across the room.",
                "Step up to the gas stove.",
            ),
            (STOP, "The gas stove is right in front of me. Done.", "Nothing more to do."),
        ),
    ),
    "102_0": Script(
        ("bunk bed", "stairs", "portraits", "door"),
        ("toys", "star"),
        "The destination is a child's room. The spatial layout of the destination is a bunk bed at"
        " the far wall, behind a door with a paper star.",
        (
            (
                "living arch",
                "I leave the living room, here through the arch.",
                "Leave the room, find the hall.",
            ),
            (
                "kitchen table",
                "A kitchen. The hall must lie behind it.",
                "Cross the kitchen to the hall.",
            ),
            ("kitchen door", "The door over there leads on.", "Cross the kitchen to the hall."),
            (
                "hall north",
                "This is the hall. Now to the left for the stairs.",
                "Find the stairs on the right.",
            ),
            (
                "dining door",
                "A door on the right; perhaps the stairs are behind it.",
                "Look for the stairs behind it.",
            ),
            (
                "dining table",
                "A dining room, no stairs in sight. I look a little farther.",
                "See the whole room.",
            ),
            (
                "dining door",
                "No stairs here: that was an error. I go back.",
                "Back to the hall, then the other way.",
            ),
            ("hall north", "Back to the hall.", "Back to the hall, then the other way."),
            (
                "hall stairs",
                "Down the hall there is a grandfather clock, and steps beside it.",
                "Find the stairs.",
            ),
            ("stairs low", "The stairs at last.", "Climb all the way up."),
            ("stairs middle", "Climbing.", "Climb all the way up."),
            ("stairs high", "Still climbing.", "Climb all the way up, then the gallery."),
            ("landing", "The landing is next.", "Along the gallery past the portraits."),
            ("gallery east", "The gallery begins here.", "Along the gallery past the portraits."),
            (
                "gallery middle",
                "The portraits hang on the wall.",
                "Past the portraits to the door with the star.",
            ),
            (
                "gallery west",
                "I follow the gallery to its end.",
                "Look for the door with the paper star.",
            ),
            (
                "gallery middle",
                "The door was before this. One step back.",
                "Back one place, then the door.",
            ),
            ("child door", "The door with the paper star.", "Enter and find the bunk bed."),
            ("child bunk", "The child's room. The bunk bed is ahead.", "Step up to the bunk bed."),
            (STOP, "The bunk bed is beside me.", "Nothing more to do."),
        ),
    ),
    "104_0": Script(
        ("glass door", "linen cupboard"),
        ("railing", "balcony chair"),
        "The destination is a balcony. The spatial layout of the destination is a railing beyond a"
        " glass door.",
        (
            ("bath door", "I step out of the bathroom.", "Cross the gallery."),
            ("gallery west", "Over the threshold to the gallery.", "Down the upper hall."),
            (
                "upper north",
                "The upper hall begins here.",
                "Past the linen cupboard to the glass door.",
            ),
            (WORDS, "I think the balcony is straight ahead, so I choose the first action.", ""),
        ),
    ),
    "108_0": Script(
        ("leather armchair", "oak door", "grandfather clock"),
        ("writing desk", "lamp"),
        "The destination is a study. The spatial layout of the destination is a leather armchair"
        " beside a writing desk with a lamp.",
        (
            (
                "hall north",
                "I go straight down the hall.",
                "Down the hall, then left through a door.",
            ),
            (
                "dining door",
                "There is a door here. I take it.",
                "Through the door, then find a place to sit.",
            ),
            ("dining table", "A room with a long table.", "Find a place to sit down."),
            (
                STOP,
                "A table like a desk, under a lamp: this must be the study. I sit down here.",
                "Nothing more to do.",
            ),
        ),
    ),
}


def reply(request: Request, house: Graph, script: Script, nodes: list[str]) -> str:
    """Return the reply to one request; `nodes` are the places stood on so far."""
    if request.purpose == "objects":
        objects = {
            "instruction": "",
            "direct_obj": list(script.direct),
            "potential_obj": list(script.potential),
        }
        return json.dumps(objects)
    if request.purpose == "layout":
        return script.layout
    prompt = read_prompt(request.messages[-1].text)
    if prompt is None:
        raise ValueError(request.messages[-1].text)
    target, thought, planning = script.turns[prompt.step]
    if target == WORDS:
        return thought
    ways = [way.node for way in candidate_views(house, nodes[-1])]
    if target == STOP:
        letter = "A"
    elif target == UNKNOWN:
        letter = "Z"
        nodes.append(ways[0])
    else:
        node = make_house.IDS[target]
        moves = [option for option in prompt.options if option.place is not None]
        letter = moves[ways.index(node)].letter
        nodes.append(node)
    return json.dumps({"Thought": thought, "New Planning": planning, "Action": letter})


def record(out: Path) -> None:
    """Write the run into a folder of runs."""
    house = open_graph(HERE.parent / "house" / "connectivity")
    episodes = open_episodes(HERE.parent / "house" / "R2R_sample.json").episodes
    settings, navigator = MsnavSettings(), Msnav()
    for name, script in SCRIPTS.items():
        nodes = [episodes[name].start]

        def answer(request: Request, script: Script = script, nodes: list[str] = nodes) -> Reply:
            return Reply(reply=reply(request, house, script, nodes))

        model = Scripted(answer, name=MODEL)
        record_by_hand(out, RUN, navigator, settings, episodes[name], house, model)


if __name__ == "__main__":
    record(HERE.parent / "house" / "runs")
