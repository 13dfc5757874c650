"""The routes through the sample town, from easy to hard, with what a person might say to describe
each.

What an instruction claims (turns, lights, landmarks and their sides) stands beside it, so that a
test can hold it against the streets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Turn = Literal["left", "right"]
Stretch = tuple[str, str, float]
"""From a junction, towards the next one, and how many metres along."""


@dataclass(frozen=True)
class Seen:
    """A landmark that an instruction speaks of, with the words it uses for it."""

    place: str
    side: Turn
    words: str


@dataclass(frozen=True)
class Route:
    """A route with its instruction and what that claims."""

    id: int
    start: Stretch
    via: tuple[str, ...]
    """Junctions passed; the last one is where the final stretch begins."""
    end: Stretch
    turns: tuple[Turn, ...]
    """Turns at junctions in order; crossing a roundabout counts as one junction."""
    lights: int
    """Traffic lights on the way."""
    seen: tuple[Seen, ...]
    instruction: str


ROUTES: tuple[Route, ...] = (
    Route(
        1,
        ("market", "high-kiln", 10),
        ("high-kiln", "cooper-tannery"),
        ("cooper-tannery", "quay-cooper", 30),
        ("right",),
        1,
        (
            Seen("Corner Pharmacy", "left", "a pharmacy on the near left corner"),
            Seen("Barrel House", "left", "the Barrel House pub on your left"),
            Seen("Gelato Nord", "left", "the ice cream shop on your left"),
        ),
        "Go straight to the traffic lights, where there is a pharmacy on the near left corner, and"
        " turn right. Walk past the Barrel House pub on your left. Go on past the side street on"
        " your right and stop just after the ice cream shop on your left.",
    ),
    Route(
        2,
        ("church-bell", "north-church", 10),
        ("north-church",),
        ("north-church", "north-green", 120),
        ("left",),
        1,
        (
            Seen("St Orla's Church", "right", "the church on your right"),
            Seen("Acorn Nursery", "right", "a nursery"),
            Seen("Puppet Museum", "right", "the Puppet Museum on your right"),
        ),
        "Walk up the lane between the park and the church on your right, and past a nursery, until"
        " the street ends at a T-junction with lights. Turn left, keep the park on your left and"
        " stop just past the Puppet Museum on your right.",
    ),
    Route(
        3,
        ("quay-anchor", "quay-sail", 20),
        ("quay-sail", "quay-fish", "fish-tannery"),
        ("fish-tannery", "market", 24),
        ("left",),
        2,
        (
            Seen("Island Ferry", "right", "the ferry landing on the right"),
            Seen("Lobster Pot", "left", "the Lobster Pot on the left"),
            Seen("Fish Market", "right", "a pier with a fish market runs out to the right"),
            Seen("Cod & Co", "left", "Cod & Co on your left"),
            Seen("The Salt Cellar", "right", "the Salt Cellar on your right"),
        ),
        "Follow the water past the ferry landing on the right and through the first lights. Pass"
        " the Lobster Pot on the left. At the second lights a pier with a fish market runs out to"
        " the right; turn left there. Go past one side street on your right and stop in the middle"
        " of the next block, between Cod & Co on your left and the Salt Cellar on your right.",
    ),
    Route(
        4,
        ("quay-cooper", "quay-dock", 10),
        ("quay-dock", "customs-dock"),
        ("customs-dock", "lamp-dock", 46),
        ("left",),
        1,
        (
            Seen("Dock Surgery", "left", "the doctor's surgery on your left"),
            Seen("Tidewick Fire Station", "left", "the fire station on your left"),
        ),
        "Cross the bridge at the harbour and take the first street on the left, away from the"
        " water. Pass the doctor's surgery on your left, go straight over at the lights and stop in"
        " front of the fire station on your left.",
    ),
    Route(
        5,
        ("north-west", "north-green", 10),
        ("north-green", "west-green"),
        ("west-green", "anchor-yard", 50),
        ("right",),
        1,
        (
            Seen("Rosehip School", "right", "a school"),
            Seen("Castle Green Courts", "right", "tennis courts on your right"),
            Seen("Reel Deal Tackle", "right", "the fishing tackle shop on your right"),
            Seen("Little Dhow", "left", "opposite a Lebanese restaurant"),
        ),
        "Head down the road and take the first right, just where the park begins. Keep the park on"
        " your left and pass a school and then tennis courts on your right. Go straight across at"
        " the lights and stop just past the fishing tackle shop on your right, opposite a Lebanese"
        " restaurant.",
    ),
    Route(
        6,
        ("high-kiln", "circus-west", 40),
        ("circus-west", "circus-north", "north-station"),
        ("north-station", "station-end", 80),
        ("left",),
        1,
        (
            Seen("Mill Museum", "right", "the Mill Museum on your right"),
            Seen("Petrel Picture House", "right", "the cinema on your right"),
            Seen("Platform Pizza", "right", "a pizza place on your right"),
            Seen("Tidewick Station", "right", "the station on your right"),
        ),
        "Go past the Mill Museum on your right, cross the bridge and continue past the cinema on"
        " your right to the roundabout. Leave it by the first street on the left. There is a pizza"
        " place on your right. Go straight through the next lights and stop in front of the station"
        " on your right.",
    ),
    Route(
        7,
        ("church-bell", "market", 10),
        ("market", "sail-rope"),
        ("sail-rope", "rope-end", 80),
        ("right", "right"),
        1,
        (
            Seen("Old Post Office", "left", "the Old Post Office on your left"),
            Seen("Town Hall", "right", "the sharp right in front of the town hall"),
            Seen("Brass Compass", "right", "an antique shop on the right"),
            Seen("Ropewalk Theatre", "right", "the theatre on your right"),
        ),
        "Walk down past the Old Post Office on your left to the lights at the big five-way"
        " crossing. Do not take the sharp right in front of the town hall but the street half right"
        " after it. Pass an antique shop on the right, then turn right into the first lane. Stop"
        " near its end, just past the theatre on your right.",
    ),
    Route(
        8,
        ("west-mast", "west-green", 10),
        ("west-green", "west-crescent", "church-bell"),
        ("church-bell", "bell-kiln", 44),
        ("left",),
        1,
        (
            Seen("Tidewick Library", "left", "the library on your left"),
            Seen("Bluefin Market", "right", "a supermarket on your right"),
            Seen("Westgate Fuel", "left", "a petrol station on the near left corner"),
            Seen("Dolphin Hotel", "right", "the Dolphin Hotel on your right"),
            Seen("Bell Lane Records", "right", "a record shop on your right"),
        ),
        "With the library on your left and then a supermarket on your right, walk to the lights;"
        " there is a petrol station on the near left corner. Go straight on, with the Dolphin Hotel"
        " on your right, and turn left at the next side street. Follow it all the way as it curves"
        " around the park. At its end go straight across and stop just past a record shop on your"
        " right.",
    ),
    Route(
        9,
        ("quay-east", "quay-customs", 20),
        ("quay-customs", "customs-dock", "lamp-dock"),
        ("lamp-dock", "east-hill", 70),
        ("right", "right", "left"),
        1,
        (
            Seen("Kelp Forest Aquarium", "right", "the aquarium on your right"),
            Seen("Bean Buoy", "right", "a coffee shop on your right"),
            Seen("Tidewick Fire Station", "left", "the fire station on your left"),
            Seen("Wick & Wax", "right", "the candle shop on your right"),
        ),
        "Walk along the quay past the aquarium on your right and take the first right. Pass a"
        " coffee shop on your right and turn right again at the lights. Go past the fire station on"
        " your left and take the next left. Continue and stop a step past the candle shop on your"
        " right.",
    ),
    Route(
        10,
        ("station-end", "north-station", 20),
        ("north-station", "circus-north", "circus-east", "circus-south", "customs-dock"),
        ("customs-dock", "quay-dock", 40),
        ("right",),
        2,
        (
            Seen("Taxi rank", "right", "the taxi rank on your right"),
            Seen("Platform Pizza", "left", "Platform Pizza on your left"),
            Seen("Tugboat Inn", "left", "the Tugboat Inn on your left"),
            Seen("High Wind Kites", "right", "a kite shop on the right"),
            Seen("Dock Surgery", "right", "the doctor's surgery on your right"),
        ),
        "Start with the taxi rank on your right and go straight through the first lights and past"
        " Platform Pizza on your left. Go straight across the roundabout. You will pass the Tugboat"
        " Inn on your left and a kite shop on the right. At the lights turn right and stop beside"
        " the doctor's surgery on your right, before you reach the water.",
    ),
    Route(
        11,
        ("circus-west", "high-kiln", 20),
        ("high-kiln", "market", "church-bell"),
        ("church-bell", "west-crescent", 80),
        ("right", "left"),
        2,
        (
            Seen("Petrel Picture House", "left", "the cinema on your left"),
            Seen("Tidewick Savings Bank", "right", "a bank on your right"),
            Seen("Quill & Ink", "right", "a stationery shop on your right"),
            Seen("Copper Kettle", "left", "the Copper Kettle on your left"),
            Seen("Sundial Guest House", "left", "a guest house on your left"),
            Seen("Crescent Dental", "left", "stop at the dentist on your left"),
            Seen("Heron Fountain", "right", "opposite the fountain in the park"),
        ),
        "Head away from the roundabout past the cinema on your left, over the bridge and straight"
        " through the first lights. Shortly after a bank on your right you reach lights where five"
        " streets meet. Take the one on the right. After a stationery shop on your right and the"
        " Copper Kettle on your left, turn left at the next corner. Pass a guest house on your left"
        " and stop at the dentist on your left, opposite the fountain in the park.",
    ),
    Route(
        12,
        ("bell-kiln", "north-kiln", 10),
        ("north-kiln", "north-station", "circus-north", "circus-east"),
        ("circus-east", "east-hill", 50),
        ("right", "right", "left"),
        1,
        (
            Seen("Kiln Street", "right", "a bus stop on your right"),
            Seen("Weir Brewery", "left", "the brewery on your left"),
            Seen("Platform Pizza", "left", "a pizza restaurant on your left"),
            Seen("Eastgate Police", "left", "the police station on your left"),
            Seen("Lemongrass", "right", "a Thai place on your right"),
        ),
        "Go up the street past a bus stop on your right until you have to turn, and go right. You"
        " will see the brewery on your left and then cross the river. Follow the road as it bends"
        " down to the lights and turn right. Go past a pizza restaurant on your left to the"
        " roundabout and take the first way out on the left. Stop just past the police station on"
        " your left and a Thai place on your right.",
    ),
    Route(
        13,
        ("pier-end", "quay-fish", 20),
        ("quay-fish", "fish-tannery", "cooper-tannery", "high-kiln"),
        ("high-kiln", "bell-kiln", 50),
        ("right", "left"),
        2,
        (
            Seen("Fish Market", "right", "the fish market on your right"),
            Seen("Cockle Bar", "right", "the Cockle Bar on your right"),
            Seen("Tanyard Hostel", "left", "a hostel on your left"),
            Seen("Barrel House", "right", "the Barrel House on the right"),
            Seen("Fired Earth Pottery", "right", "the pottery shop"),
            Seen("Green Parrot", "left", "the Green Parrot nightclub on your left"),
        ),
        "Come off the pier, with the fish market on your right, and go straight over at the lights."
        " Past the Cockle Bar on your right, take the first right and pass a hostel on your left."
        " Where the lane ends at a T, turn left. Go by the Barrel House on the right to the lights"
        " and straight through. Stop in the middle of the block, where the pottery shop faces the"
        " Green Parrot nightclub on your left.",
    ),
    Route(
        14,
        ("mole-end", "quay-anchor", 10),
        ("quay-anchor", "anchor-yard", "west-green", "west-crescent"),
        ("west-crescent", "market", 70),
        ("right",),
        1,
        (
            Seen("Mole Light", "right", "the lighthouse on your right"),
            Seen("Knot Cafe", "right", "a cafe on your right"),
            Seen("Reel Deal Tackle", "left", "a tackle shop on your left"),
            Seen("Dolphin Hotel", "right", "the Dolphin Hotel on your right"),
            Seen("Westgate", "left", "a bus stop on your left"),
            Seen("Town Hall", "left", "the Town Hall on your left"),
        ),
        "Start with the lighthouse on your right and walk the whole length of the mole. Cross the"
        " quay and keep straight on, past a cafe on your right, the turning on the left and a"
        " tackle shop on your left, until you come to the lights. Turn right, go by the Dolphin"
        " Hotel on your right and the curved street beside the park. Pass a bus stop on your left"
        " and stop in front of the Town Hall on your left. If you see five streets meet, you are"
        " too far.",
    ),
)
