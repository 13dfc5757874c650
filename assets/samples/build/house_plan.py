"""The sample house as a plan: rooms, doors, viewpoints, objects and routes, all invented.

Metres; x to the east, y to the north, z up. The house has two floors of 14 m by 12.5 m; the ground
floor lies at z = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

SCAN = "NavVizHouse"
SEED = 2026
FLOORS = (("Ground floor", 0.0), ("Upper floor", 3.0))
CAMERA_M = 1.45


@dataclass(frozen=True)
class Room:
    """A rectangular room."""

    key: str
    name: str
    floor: int
    box: tuple[float, float, float, float]
    """West, south, east, north."""
    wall: str
    """What its bare walls look like."""


@dataclass(frozen=True)
class Door:
    """An opening between two rooms, at a place in the wall."""

    rooms: tuple[str, str]
    at: tuple[float, float]
    what: str


ROOMS = (
    Room("porch", "porch", 0, (5, -2.2, 8, 0), "a wooden railing with climbing roses"),
    Room(
        "hall", "hall", 0, (5, 0, 8, 10), "a pale yellow wall above a black and white tiled floor"
    ),
    Room("living", "living room", 0, (0, 0, 5, 6), "a dark red wall"),
    Room("kitchen", "kitchen", 0, (0, 6, 5, 10), "a wall with white tiles"),
    Room("dining", "dining room", 0, (8, 6, 14, 10), "a wall with striped green paper"),
    Room("stairs", "staircase", 0, (8, 4, 13, 6), "a white wall beside oak steps"),
    Room("study", "study", 0, (8, 0, 14, 4), "a wall panelled in walnut"),
    Room("glass", "conservatory", 0, (8, 10, 14, 12.5), "tall panes of glass"),
    Room("landing", "landing", 1, (13, 4, 14, 6), "a white wall with a brass handrail"),
    Room("gallery", "gallery", 1, (5, 6, 14, 7.6), "a long white wall"),
    Room("upper", "upper hall", 1, (5, 0, 8, 6), "a light grey wall above a striped runner"),
    Room("balcony", "balcony", 1, (5, -2.2, 8, 0), "an iron railing above the garden"),
    Room("music", "music room", 1, (0, 0, 5, 5), "a blue wall"),
    Room("guest", "guest room", 1, (8, 0, 14, 4), "a wall with a pattern of swallows"),
    Room("bath", "bathroom", 1, (5, 7.6, 8.5, 10), "a wall of sea-green tiles"),
    Room("child", "child's room", 1, (8.5, 7.6, 14, 10), "a wall painted with clouds"),
    Room("bedroom", "main bedroom", 1, (0, 5, 5, 10), "a wall the colour of sand"),
)

DOORS = (
    Door(("porch", "hall"), (6.5, 0), "the front door"),
    Door(("hall", "living"), (5, 2.2), "an open double door"),
    Door(("hall", "kitchen"), (5, 7.6), "a doorway"),
    Door(("living", "kitchen"), (2.2, 6), "a brick arch"),
    Door(("hall", "dining"), (8, 7.6), "a doorway"),
    Door(("hall", "study"), (8, 2.4), "a half-open oak door"),
    Door(("hall", "stairs"), (8, 5), "the stairs up"),
    Door(("dining", "glass"), (10, 10), "a glass door"),
    Door(("stairs", "landing"), (13, 5), "the stairs"),
    Door(("landing", "gallery"), (13.5, 6), "an opening"),
    Door(("gallery", "upper"), (6.5, 6), "a wide opening"),
    Door(("gallery", "bath"), (6.9, 7.6), "a white door"),
    Door(("gallery", "child"), (9.6, 7.6), "a door with a paper star"),
    Door(("gallery", "bedroom"), (5, 6.8), "a doorway"),
    Door(("upper", "music"), (5, 1.9), "an open double door"),
    Door(("upper", "guest"), (8, 2.0), "a doorway"),
    Door(("upper", "balcony"), (6.5, 0), "a glass door"),
)

VIEWPOINTS: dict[str, tuple[str, float, float]] = {
    "porch": ("porch", 6.5, -1.1),
    "hall front": ("hall", 6.5, 1.0),
    "hall middle": ("hall", 6.4, 3.0),
    "hall stairs": ("hall", 6.7, 5.0),
    "hall north": ("hall", 6.5, 7.3),
    "hall end": ("hall", 6.3, 9.2),
    "living door": ("living", 4.3, 2.2),
    "living sofa": ("living", 2.5, 1.5),
    "living fire": ("living", 1.2, 3.4),
    "living arch": ("living", 2.6, 4.9),
    "kitchen door": ("kitchen", 4.3, 7.6),
    "kitchen stove": ("kitchen", 2.6, 8.9),
    "kitchen table": ("kitchen", 1.7, 7.1),
    "dining door": ("dining", 8.8, 7.6),
    "dining table": ("dining", 10.4, 8.9),
    "dining east": ("dining", 12.9, 7.4),
    "glass west": ("glass", 9.9, 11.2),
    "glass east": ("glass", 12.4, 11.4),
    "study door": ("study", 8.9, 2.4),
    "study desk": ("study", 11.2, 1.3),
    "study chair": ("study", 12.9, 3.0),
    "stairs low": ("stairs", 9.0, 5.0),
    "stairs middle": ("stairs", 10.6, 5.0),
    "stairs high": ("stairs", 12.2, 5.0),
    "landing": ("landing", 13.5, 5.1),
    "gallery east": ("gallery", 12.6, 6.8),
    "gallery middle": ("gallery", 9.6, 6.8),
    "gallery west": ("gallery", 6.6, 6.8),
    "upper north": ("upper", 6.5, 4.3),
    "upper south": ("upper", 6.5, 1.8),
    "balcony": ("balcony", 6.5, -1.1),
    "music door": ("music", 4.3, 1.9),
    "music piano": ("music", 2.2, 1.5),
    "music harp": ("music", 1.4, 3.7),
    "guest door": ("guest", 8.9, 2.0),
    "guest bed": ("guest", 11.3, 2.5),
    "guest window": ("guest", 13.1, 1.0),
    "bath door": ("bath", 6.9, 8.3),
    "bath tub": ("bath", 6.0, 9.3),
    "child door": ("child", 9.6, 8.3),
    "child bunk": ("child", 12.2, 8.9),
    "bedroom door": ("bedroom", 4.3, 6.8),
    "bedroom bed": ("bedroom", 2.2, 7.3),
    "bedroom wardrobe": ("bedroom", 1.3, 9.1),
}
"""Room and place of each viewpoint; those on the stairs climb with x."""

EXCLUDED = {"hall double": ("hall", 6.45, 3.1)}
"""Viewpoints that the file marks as not included, as some Matterport3D files do."""

THROUGH_DOORS = (
    ("porch", "hall front"),
    ("hall front", "living door"),
    ("hall middle", "living door"),
    ("hall north", "kitchen door"),
    ("living arch", "kitchen table"),
    ("hall north", "dining door"),
    ("hall middle", "study door"),
    ("hall stairs", "stairs low"),
    ("dining table", "glass west"),
    ("stairs high", "landing"),
    ("landing", "gallery east"),
    ("gallery west", "upper north"),
    ("gallery west", "bath door"),
    ("gallery middle", "child door"),
    ("gallery west", "bedroom door"),
    ("upper south", "music door"),
    ("upper south", "guest door"),
    ("upper south", "balcony"),
)
"""Links between rooms; within a room all viewpoints up to 4 m apart are linked."""

OBJECTS: dict[str, tuple[tuple[str, float, float], ...]] = {
    "porch": (("bench", 5.5, -1.4), ("lantern", 7.4, -0.3), ("flower pot", 7.5, -1.7)),
    "hall": (
        ("coat rack", 5.3, 0.7),
        ("mirror", 7.8, 1.2),
        ("umbrella stand", 7.6, 0.5),
        ("grandfather clock", 5.3, 4.2),
        ("rug", 6.5, 2.6),
        ("telephone table", 5.4, 5.6),
        ("painting of a ship", 7.8, 8.8),
        ("stained glass window", 6.4, 9.9),
    ),
    "living": (
        ("green sofa", 2.4, 0.6),
        ("coffee table", 2.5, 2.6),
        ("fireplace", 0.3, 3.2),
        ("armchair", 1.2, 4.6),
        ("bookshelf", 4.7, 4.4),
        ("standing lamp", 0.7, 0.8),
        ("globe", 4.4, 0.7),
    ),
    "kitchen": (
        ("gas stove", 2.4, 9.7),
        ("sink", 0.5, 9.0),
        ("round table", 0.9, 6.9),
        ("refrigerator", 4.5, 9.5),
        ("hanging pans", 3.4, 9.4),
        ("basket of apples", 1.1, 7.4),
    ),
    "dining": (
        ("long table", 11.0, 8.0),
        ("chandelier", 11.0, 8.1),
        ("sideboard", 13.6, 8.6),
        ("china cabinet", 12.5, 6.3),
        ("chair", 9.8, 8.1),
        ("chair", 12.3, 8.3),
    ),
    "stairs": (
        ("banister", 10.5, 4.5),
        ("portrait of a lady", 11.3, 5.9),
        ("stair carpet", 9.6, 5.0),
    ),
    "study": (
        ("writing desk", 11.5, 0.5),
        ("typewriter", 11.7, 0.6),
        ("leather armchair", 13.5, 3.3),
        ("wall of books", 13.7, 1.6),
        ("ladder", 12.9, 1.2),
        ("map of the world", 9.3, 3.8),
    ),
    "glass": (
        ("lemon tree", 8.7, 11.9),
        ("wicker chair", 12.9, 12.0),
        ("watering can", 11.0, 10.4),
        ("fern", 13.6, 10.6),
    ),
    "landing": (("potted palm", 13.7, 4.3),),
    "gallery": (
        ("marble bust", 13.6, 7.3),
        ("row of portraits", 11.0, 7.5),
        ("console table", 8.3, 7.4),
        ("vase of tulips", 8.3, 7.4),
    ),
    "upper": (("linen cupboard", 7.7, 4.9), ("rocking horse", 5.4, 4.0), ("model ship", 7.6, 0.6)),
    "balcony": (("telescope", 5.6, -1.5), ("deck chair", 7.4, -1.2)),
    "music": (
        ("grand piano", 1.3, 0.9),
        ("harp", 0.7, 4.3),
        ("music stand", 2.9, 3.4),
        ("cello", 3.8, 4.5),
    ),
    "guest": (
        ("single bed", 11.6, 3.4),
        ("window seat", 13.7, 0.7),
        ("washstand", 9.6, 0.4),
        ("suitcase", 10.3, 3.6),
    ),
    "bath": (("bathtub", 5.5, 9.6), ("washbasin", 8.1, 9.2), ("towel", 8.2, 8.4)),
    "child": (
        ("bunk bed", 13.1, 9.4),
        ("toy train", 11.2, 8.3),
        ("teddy bear", 12.6, 9.5),
        ("kite", 9.0, 9.7),
    ),
    "bedroom": (
        ("four-poster bed", 1.6, 6.2),
        ("wardrobe", 0.5, 9.5),
        ("dressing table", 3.6, 9.7),
        ("night lamp", 0.4, 6.8),
        ("window", 0.1, 8.2),
    ),
}


@dataclass(frozen=True)
class Route:
    """From one viewpoint to another, with the instructions for it."""

    path_id: int
    start: str
    goal: str
    facing_deg: float
    instructions: tuple[str, ...]


ROUTES = (
    Route(
        101,
        "porch",
        "kitchen stove",
        0.0,
        (
            (
                "Come in through the front door and take the double door on the left into the"
                " living room. Walk past the bookshelf and under the brick arch. In the kitchen,"
                " stop in front of the gas stove."
            ),
            (
                "Enter the house, cut through the living room on your left and leave it by the"
                " arch. Wait by the stove."
            ),
        ),
    ),
    Route(
        102,
        "living sofa",
        "child bunk",
        90.0,
        (
            (
                "Leave the living room, turn left in the hall and climb the stairs on your right"
                " all the way up. Follow the gallery past the portraits to the door with the paper"
                " star and stop beside the bunk bed."
            ),
        ),
    ),
    Route(
        103,
        "study desk",
        "glass east",
        270.0,
        (
            (
                "Walk out of the study and turn right. Go along the hall, past the stairs, into the"
                " dining room on the right. Go through the glass door behind the long table and"
                " stop near the wicker chair."
            ),
            (
                "From the desk, find the dining room, step into the conservatory and stop at its"
                " far end."
            ),
        ),
    ),
    Route(
        104,
        "bath tub",
        "balcony",
        90.0,
        (
            (
                "Step out of the bathroom and cross the gallery. Walk straight down the upper hall"
                " past the linen cupboard and out through the glass door. Stop on the balcony."
            ),
        ),
    ),
    Route(
        105,
        "guest window",
        "hall front",
        0.0,
        (
            (
                "Leave the guest room and turn right. At the end of the upper hall turn right again"
                " along the gallery. Go down the stairs, turn left at the bottom and stop by the"
                " mirror at the front door."
            ),
        ),
    ),
    Route(
        106,
        "dining east",
        "music harp",
        270.0,
        (
            (
                "Leave the dining room, turn left in the hall and take the stairs up. Walk the"
                " whole length of the gallery, turn left into the upper hall and go to its far end."
                " Enter the music room on the right and stop by the harp."
            ),
        ),
    ),
    Route(
        107,
        "bedroom wardrobe",
        "guest bed",
        180.0,
        (
            (
                "Walk out of the main bedroom into the gallery and turn right. Go down the upper"
                " hall and into the room on the left. Stop at the single bed."
            ),
        ),
    ),
    Route(
        108,
        "hall end",
        "study chair",
        180.0,
        (
            (
                "Go straight down the hall, past the grandfather clock. Turn left through the oak"
                " door and sit down in the leather armchair."
            ),
        ),
    ),
)
