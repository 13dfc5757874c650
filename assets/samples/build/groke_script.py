"""What the scripted model says in ``record_groke.py``: plans, thoughts and places, written by hand.

The failures are of the kinds that published runs show: a landmark that the text rules out is taken
for the one to turn at, a stop that is named one shop too early or too late, a street that bends, a
place that is not on the map shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Status = Literal["IN_PROGRESS", "COMPLETED"]


@dataclass(frozen=True)
class Route:
    """The node at an index of the reference path."""

    index: int


@dataclass(frozen=True)
class Ahead:
    """So many nodes straight on."""

    count: int


@dataclass(frozen=True)
class Turn:
    """The first node behind a turn at the next crossing; degrees, right is positive."""

    angle_deg: float


Place: TypeAlias = Route | Ahead | Turn | str
Step: TypeAlias = tuple[Status, Place, str]


@dataclass(frozen=True)
class Script:
    """One episode."""

    reading: str
    """Thoughts while planning."""
    landmarks: tuple[tuple[str, str, str], ...]
    """Name, category, where it lies."""
    sub_goals: tuple[str, ...]
    steps: tuple[Step, ...]


DONE, ON = "COMPLETED", "IN_PROGRESS"
LIGHTS = ("traffic lights", "Traffic Control", "ahead")

SCRIPTS: dict[str, Script] = {
    "1": Script(
        "Four parts: straight to the lights, a right turn there, past the pub, and a stop after the"
        " ice cream shop. The pharmacy says which lights are meant, so it belongs to the first two"
        " parts.",
        (
            LIGHTS,
            ("pharmacy", "Pharmacy", "near left corner"),
            ("Barrel House", "Pub", "left"),
            ("ice cream shop", "Ice Cream", "left"),
        ),
        (
            "MOVE_FORWARD to the traffic lights with the pharmacy on the near left corner.",
            "TURN_RIGHT at the traffic lights.",
            "MOVE_FORWARD past the Barrel House on the left.",
            (
                "MOVE_FORWARD past the side street on the right and stop just after the ice cream"
                " shop on the left."
            ),
        ),
        (
            (
                DONE,
                Route(7),
                (
                    "The street runs straight to one intersection, and the only traffic lights"
                    " shown are there. The pharmacy stands beside it on the left, before the"
                    " crossing: that is the near left corner. The walker will stand at the"
                    " intersection when this part is done."
                ),
            ),
            (
                DONE,
                Route(8),
                (
                    "At the intersection the branches are ahead, left and right. The turn is to the"
                    " right, and the lights need no further check. The first place behind the turn"
                    " is the one to name."
                ),
            ),
            (
                DONE,
                Route(13),
                (
                    "The Barrel House is beside the street on the left, about thirty metres on. To"
                    " be past it, I take a place clearly behind it and still before the next"
                    " intersection."
                ),
            ),
            (
                DONE,
                Route(17),
                (
                    "The intersection ahead has a branch to the right: the side street to ignore."
                    " Behind it the ice cream shop stands on the left. Just after it means the"
                    " first place beyond its door."
                ),
            ),
        ),
    ),
    "2": Script(
        "The lane goes up to a T-junction; church and nursery only confirm the lane. Then left with"
        " the park on the left, and the museum ends the walk.",
        (
            ("park", "Park", "left"),
            ("church", "Church", "right"),
            ("nursery", "Kindergarten", "right"),
            LIGHTS,
            ("Puppet Museum", "Museum", "right"),
        ),
        (
            (
                "MOVE_FORWARD between the park and the church, past the nursery, to the T-junction"
                " with traffic lights."
            ),
            "TURN_LEFT at the T-junction.",
            (
                "MOVE_FORWARD with the park on the left and stop just past the Puppet Museum on the"
                " right."
            ),
        ),
        (
            (
                DONE,
                Route(8),
                (
                    "The church comes first on the right, then the nursery, and the street ends at"
                    " an intersection with traffic lights where only left and right are offered."
                    " That is the T-junction."
                ),
            ),
            (DONE, Route(9), "Left it is. The first place behind the turn is shown."),
            (
                DONE,
                Route(20),
                (
                    "The street follows the edge of the park. The Puppet Museum stands on the right"
                    " some seventy metres on; just past it is the place after the last one that has"
                    " it at its side."
                ),
            ),
        ),
    ),
    "4": Script(
        "Bridge, first left, surgery on the left, straight over at the lights, and the fire station"
        " ends it.",
        (
            ("bridge", "Bridge", "ahead"),
            ("doctor's surgery", "Doctors", "left"),
            LIGHTS,
            ("fire station", "Fire Station", "left"),
        ),
        (
            "MOVE_FORWARD across the bridge to the first street on the left.",
            "TURN_LEFT into that street, away from the water.",
            (
                "MOVE_FORWARD past the doctor's surgery on the left and straight over at the"
                " traffic lights."
            ),
            "MOVE_FORWARD and stop in front of the fire station on the left.",
        ),
        (
            (
                DONE,
                Route(8),
                (
                    "No branch is offered before the intersection eighty metres ahead, and it has"
                    " one to the left. The bridge itself is not on the map, but the first left"
                    " after the start can only be this one."
                ),
            ),
            (
                DONE,
                Route(9),
                "The branch to the left leaves the water behind. First place after the turn.",
            ),
            (
                DONE,
                Route(18),
                (
                    "No surgery is shown, but the lights stand at the next intersection, and there"
                    " is no other way to get to them. Straight over means the place just behind the"
                    " crossing."
                ),
            ),
            (
                DONE,
                Route(21),
                (
                    "The fire station is beside the street on the left. In front of it is the place"
                    " that is nearest to its gate."
                ),
            ),
        ),
    ),
    "14": Script(
        "A long walk off the mole. The last sentence is a warning, not a step: the five-street"
        " crossing must not be reached.",
        (
            ("lighthouse", "Lighthouse", "right"),
            ("cafe", "Cafe", "right"),
            ("tackle shop", "Fishing", "left"),
            LIGHTS,
            ("Dolphin Hotel", "Hotel", "right"),
            ("bus stop", "Bus Stop", "left"),
            ("Town Hall", "Town Hall", "left"),
        ),
        (
            "MOVE_FORWARD along the mole to the quay.",
            "MOVE_FORWARD across the quay, past the cafe on the right, to the turning on the left.",
            "MOVE_FORWARD past the tackle shop on the left to the traffic lights.",
            "TURN_RIGHT at the traffic lights.",
            "MOVE_FORWARD past the Dolphin Hotel on the right to the curved street.",
            (
                "MOVE_FORWARD past the bus stop on the left and stop in front of the Town Hall on"
                " the left."
            ),
        ),
        (
            (
                DONE,
                Route(19),
                (
                    "The mole has no branch until the quay, which is the intersection at the end of"
                    " what is shown."
                ),
            ),
            (
                ON,
                Route(22),
                (
                    "Straight across. The cafe is on the right, but the map shown ends before the"
                    " turning on the left. I go to its end and look again."
                ),
            ),
            (
                DONE,
                Route(27),
                (
                    "Now a branch to the left is shown at the next intersection: the turning that"
                    " the text tells me to pass. I end the part there."
                ),
            ),
            (
                ON,
                Route(30),
                (
                    "The tackle shop comes on the left. The lights are not shown yet, so I go on"
                    " past the crossing first."
                ),
            ),
            (
                DONE,
                Route(35),
                (
                    "The tackle shop is behind the walker, and traffic lights stand at the next"
                    " intersection."
                ),
            ),
            (DONE, Route(36), "A right turn at the lights. First place behind it."),
            (
                DONE,
                Route(44),
                (
                    "The Dolphin Hotel stands on the right. The next intersection has a branch to"
                    " the left that bends away: the curved street beside the park. The text passes"
                    " it, so the part ends at its mouth."
                ),
            ),
            (
                ON,
                Route(47),
                (
                    "From the mouth of the curved street only a few places are shown. I go to the"
                    " last of them."
                ),
            ),
            (
                DONE,
                Route(51),
                (
                    "The Town Hall is on the left, before a crossing of five streets. I name the"
                    " place in front of it and stay short of the crossing, as the warning says."
                ),
            ),
        ),
    ),
    "7": Script(
        "Straight to the five-way crossing, a half right there, past an antique shop, right into a"
        " lane, and the theatre. The town hall is mentioned with the turn; I keep it as a landmark"
        " of the turn.",
        (
            ("Old Post Office", "Post Office", "left"),
            LIGHTS,
            ("town hall", "Town Hall", "right"),
            ("antique shop", "Antiques", "right"),
            ("theatre", "Theatre", "right"),
        ),
        (
            (
                "MOVE_FORWARD past the Old Post Office on the left to the traffic lights at the"
                " five-way crossing."
            ),
            "TURN_RIGHT half right at the crossing, with regard to the town hall.",
            "MOVE_FORWARD past the antique shop on the right.",
            "TURN_RIGHT into the first lane.",
            "MOVE_FORWARD and stop just past the theatre on the right.",
        ),
        (
            (
                DONE,
                Route(7),
                (
                    "The Old Post Office is on the left after twenty metres, and the street runs"
                    " into an intersection with traffic lights and five streets. The walker will"
                    " stand there."
                ),
            ),
            (
                DONE,
                Turn(112),
                (
                    "Two links leave to the right: a sharp one and a half right one. The sub-goal"
                    " names the town hall with this turn, and the rule says that a landmark of a"
                    " turn has to stand beside the link that is meant. The town hall stands beside"
                    " the sharp right, within fifteen metres of the crossing, and nothing is shown"
                    " beside the other link. So the sharp right is the turn that is meant. The"
                    " directions also speak of a street half right after it, but that seems to be"
                    " the street behind the turn."
                ),
            ),
            (
                ON,
                Ahead(4),
                (
                    "I expect the antique shop on the right. One is shown, but on the left of this"
                    " street. The sides may be told from the other end of the street. I walk on a"
                    " little and look again."
                ),
            ),
            (
                DONE,
                Ahead(3),
                (
                    "The antique shop is behind the walker now, whatever its side. I take it as"
                    " passed."
                ),
            ),
            (
                DONE,
                Turn(80),
                (
                    "The first branch on the right is offered at the next intersection. It bends,"
                    " as a lane may. I take it."
                ),
            ),
            (
                ON,
                Ahead(6),
                "No theatre is shown on this street. It may come behind the bend; I walk on.",
            ),
            (
                DONE,
                Ahead(5),
                (
                    "Still no theatre, and no other landmark. The directions end near the end of a"
                    " lane. With nothing else to go by, I name this place and call the walk"
                    " finished."
                ),
            ),
        ),
    ),
    "8": Script(
        "Library and supermarket lead to the lights; straight on past the hotel; left at the side"
        " street; along the curve; across at its end; record shop.",
        (
            ("library", "Library", "left"),
            ("supermarket", "Supermarket", "right"),
            LIGHTS,
            ("petrol station", "Fuel", "near left corner"),
            ("Dolphin Hotel", "Hotel", "right"),
            ("park", "Park", "left"),
            ("record shop", "Music", "right"),
        ),
        (
            (
                "MOVE_FORWARD past the library and the supermarket to the traffic lights with the"
                " petrol station."
            ),
            "MOVE_FORWARD straight on with the Dolphin Hotel on the right.",
            "TURN_LEFT at the next side street.",
            "MOVE_FORWARD along the curve around the park to its end.",
            "MOVE_FORWARD straight across and stop just past the record shop on the right.",
        ),
        (
            (
                DONE,
                Route(12),
                (
                    "The library on the left, the supermarket on the right, then the lights. The"
                    " petrol station is not shown, but nothing else speaks against this crossing."
                ),
            ),
            (
                DONE,
                Route(13),
                (
                    "Straight on at the lights. The hotel stands farther along on the right; the"
                    " part is about going straight."
                ),
            ),
            (
                DONE,
                Turn(-100),
                (
                    "The next intersection ahead has a branch to the left. That is the side street."
                    " The first place behind the turn is the one to name."
                ),
            ),
            (
                ON,
                Route(28),
                "The street behind the turn curves. I follow the curve and look again.",
            ),
            (
                DONE,
                Route(33),
                "The curve is nearly over, and the part asks for its end. This should be it.",
            ),
            (
                DONE,
                Route(34),
                (
                    "I look for a record shop on the right. None is shown up to the next crossing."
                    " The text says just past it and straight across, but without the shop the best"
                    " place is where the street leaves the park. I stop here."
                ),
            ),
        ),
    ),
    "3": Script(
        "Along the water through the first lights, past the Lobster Pot, left at the second lights"
        " by the pier, one side street, then a stop in the middle of a block.",
        (
            ("ferry landing", "Ferry Terminal", "right"),
            LIGHTS,
            ("Lobster Pot", "Restaurant", "left"),
            ("fish market", "Marketplace", "right"),
            ("Cod & Co", "Fast Food", "left"),
            ("Salt Cellar", "Restaurant", "right"),
        ),
        (
            (
                "MOVE_FORWARD past the ferry landing on the right and through the first traffic"
                " lights."
            ),
            (
                "MOVE_FORWARD past the Lobster Pot on the left to the second traffic lights with"
                " the fish market."
            ),
            "TURN_LEFT at the second traffic lights.",
            (
                "MOVE_FORWARD past one side street on the right and stop between Cod & Co and the"
                " Salt Cellar."
            ),
        ),
        (
            (
                DONE,
                Route(10),
                (
                    "The ferry landing is on the right. The lights come at the next intersection;"
                    " through them means the first place behind."
                ),
            ),
            (
                DONE,
                Route(23),
                (
                    "The Lobster Pot on the left, then a long stretch along the water to the next"
                    " lights. The pier begins there on the right."
                ),
            ),
            (DONE, Route(24), "Left at the second lights. First place behind the turn."),
            (
                ON,
                Route(29),
                (
                    "One intersection ahead with a branch to the right: the side street to pass."
                    " Cod & Co and the Salt Cellar come behind it. I go past the side street first."
                ),
            ),
            (
                DONE,
                Ahead(6),
                (
                    "Cod & Co and the Salt Cellar stand on both sides. In the middle of the block,"
                    " I thought, is half way to the next crossing, and that is a good deal farther"
                    " on than the two doors."
                ),
            ),
        ),
    ),
    "9": Script(
        "Quay with the aquarium, first right, right again at the lights, left after the fire"
        " station, and the candle shop.",
        (
            ("aquarium", "Aquarium", "right"),
            ("coffee shop", "Cafe", "right"),
            LIGHTS,
            ("fire station", "Fire Station", "left"),
            ("candle shop", "Candles", "right"),
        ),
        (
            "MOVE_FORWARD along the quay past the aquarium to the first street on the right.",
            "TURN_RIGHT into it.",
            "MOVE_FORWARD past the coffee shop on the right to the traffic lights.",
            "TURN_RIGHT at the traffic lights.",
            "MOVE_FORWARD past the fire station on the left to the next street on the left.",
            "TURN_LEFT into it.",
            "MOVE_FORWARD and stop a step past the candle shop on the right.",
        ),
        (
            (
                DONE,
                Route(12),
                (
                    "The aquarium is on the right, then comes an intersection with a branch to the"
                    " right."
                ),
            ),
            (DONE, Route(13), "The branch to the right, first place behind it."),
            (
                DONE,
                Route(21),
                "The coffee shop is on the right, and the lights follow at the next intersection.",
            ),
            (DONE, Route(22), "Right at the lights."),
            (
                DONE,
                Route(30),
                (
                    "The fire station is on the left. The next intersection offers a branch to the"
                    " left, sharp but the only one."
                ),
            ),
            (DONE, Route(31), "Left, sharply. First place behind the turn."),
            (
                DONE,
                Route(32),
                (
                    "I am to stop a step past the candle shop on the right. It is shown on the"
                    " right of this street, and a step is not far, so the next place will do."
                ),
            ),
        ),
    ),
    "13": Script(
        "Off the pier, over the lights, first right, along a lane to a T, left, over the next"
        " lights, and a stop between two names.",
        (
            ("fish market", "Marketplace", "right"),
            LIGHTS,
            ("Cockle Bar", "Bar", "right"),
            ("hostel", "Hostel", "left"),
            ("Barrel House", "Pub", "right"),
            ("pottery shop", "Pottery", "right"),
            ("Green Parrot", "Nightclub", "left"),
        ),
        (
            (
                "MOVE_FORWARD off the pier with the fish market on the right and straight over at"
                " the traffic lights."
            ),
            "MOVE_FORWARD past the Cockle Bar on the right to the first street on the right.",
            "TURN_RIGHT into it.",
            "MOVE_FORWARD past the hostel on the left to the T at the end of the lane.",
            "TURN_LEFT at the T with the Barrel House in sight.",
            (
                "MOVE_FORWARD past the Barrel House on the right to the traffic lights and straight"
                " through."
            ),
            "MOVE_FORWARD and stop where the pottery shop faces the Green Parrot.",
        ),
        (
            (
                DONE,
                Route(13),
                (
                    "The fish market on the right, the lights at the end of the pier, and straight"
                    " over."
                ),
            ),
            (
                DONE,
                Route(17),
                (
                    "The Cockle Bar is on the right. The next intersection has a branch to the"
                    " right, a sharp one."
                ),
            ),
            (DONE, Route(18), "Right, back at a sharp angle. First place behind the turn."),
            (
                DONE,
                Route(24),
                (
                    "The hostel is on the left, and the lane ends at an intersection with left and"
                    " right only: the T."
                ),
            ),
            (
                ON,
                Route(24),
                (
                    "The turn goes with the Barrel House. It is shown, but farther along the"
                    " street, not within fifteen metres of this corner. By the rule another corner"
                    " is meant. But the lane ends here. I stay."
                ),
            ),
            (
                ON,
                Route(24),
                (
                    "Nothing has changed: no Barrel House within fifteen metres of the corner, so"
                    " it would be the wrong corner. I stay and look again."
                ),
            ),
            (
                ON,
                Route(24),
                "The same map again. Left may be right, but the landmark does not confirm it.",
            ),
            (ON, Route(24), "Still no Barrel House at this corner. I cannot finish this part."),
        ),
    ),
    "10": Script(
        "From the station through the lights, past the pizza place, across the roundabout, past the"
        " inn, right at the lights, and the surgery.",
        (
            ("taxi rank", "Taxi", "right"),
            LIGHTS,
            ("Platform Pizza", "Restaurant", "left"),
            ("roundabout", "Roundabout", "ahead"),
            ("Tugboat Inn", "Pub", "left"),
            ("kite shop", "Kites", "right"),
            ("doctor's surgery", "Doctors", "right"),
        ),
        (
            "MOVE_FORWARD past the taxi rank and straight through the first traffic lights.",
            "MOVE_FORWARD past Platform Pizza on the left to the roundabout.",
            "MOVE_FORWARD straight across the roundabout.",
            "MOVE_FORWARD past the Tugboat Inn on the left to the traffic lights.",
            "TURN_RIGHT at the traffic lights and stop beside the doctor's surgery.",
        ),
        (
            (
                DONE,
                Route(9),
                (
                    "The taxi rank is on the right, the lights at the next intersection. Straight"
                    " through."
                ),
            ),
            (
                DONE,
                Route(17),
                (
                    "Platform Pizza is on the left, and then the street meets the ring of the"
                    " roundabout."
                ),
            ),
            (
                DONE,
                "exit_opposite",
                (
                    "To go straight across a roundabout is to leave it opposite. The exits have no"
                    " names on this map, so I call the one that I mean by what it is."
                ),
            ),
            (
                DONE,
                "roundabout_exit_2",
                (
                    "That name was refused: it is not on the map shown. The second exit of the ring"
                    " should be the one opposite."
                ),
            ),
            (
                DONE,
                Route(28),
                (
                    "I need an id. Beside the Tugboat Inn there has to be one; it lies beyond the"
                    " ring and is not shown, but I name it all the same."
                ),
            ),
            (
                DONE,
                Route(32),
                (
                    "Refused again, since it is not on the map shown. Then the lights at the end of"
                    " that street: from there the way is clear."
                ),
            ),
        ),
    ),
}
