"""The plan of Tidewick, the bundled sample town: where its streets run, what stands in them.

Tidewick is invented, and so is everything in it. It lies in the open North Sea, where no town is,
so that nobody takes it for a real place. Positions are metres ``(east, north)`` of the market
cross. Streets are smooth curves through their points; a name stands for a junction, a pair of
numbers for a bend.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Literal

ORIGIN = (54.7200, 2.3000)
"""``(lat, lon)`` in degrees of ``(0, 0)``."""

Point = tuple[float, float]

_CIRCUS, _CIRCUS_RADIUS_M = (254.0, 48.0), 21.0


def _circus(heading_deg: float) -> Point:
    angle = radians(heading_deg)
    return (_CIRCUS[0] + _CIRCUS_RADIUS_M * sin(angle), _CIRCUS[1] + _CIRCUS_RADIUS_M * cos(angle))


JUNCTIONS: dict[str, Point] = {
    "market": (-15, 38),
    "high-kiln": (62, 46),
    "bell-kiln": (54, 128),
    "north-kiln": (72, 218),
    "church-bell": (-28, 118),
    "north-church": (-8, 206),
    "north-green": (-202, 174),
    "north-west": (-338, 146),
    "north-end": (-420, 138),
    "west-crescent": (-118, 54),
    "west-green": (-205, 26),
    "west-mast": (-330, 34),
    "west-end": (-418, 48),
    "anchor-yard": (-211, -52),
    "yard-end": (-272, -44),
    "fish-tannery": (10, -18),
    "cooper-tannery": (76, -24),
    "sail-rope": (-74, -26),
    "rope-end": (-172, -34),
    "quay-end": (-412, -114),
    "quay-mast": (-335, -128),
    "quay-anchor": (-215, -128),
    "mole-end": (-84, -264),
    "quay-sail": (-118, -84),
    "quay-fish": (22, -66),
    "pier-end": (52, -204),
    "quay-cooper": (92, -74),
    "quay-dock": (180, -102),
    "quay-customs": (240, -144),
    "quay-east": (376, -178),
    "customs-dock": (248, -52),
    "lamp-dock": (338, -60),
    "circus-west": _circus(266),
    "circus-north": _circus(4),
    "circus-east": _circus(86),
    "circus-south": _circus(184),
    "east-hill": (345, 56),
    "east-end": (424, 72),
    "north-station": (266, 156),
    "station-end": (286, 252),
}

STREETS: dict[str, tuple[str | Point, ...]] = {
    "Quayside": (
        "quay-end",
        "quay-mast",
        (-275, -135),
        "quay-anchor",
        (-165, -112),
        "quay-sail",
        (-50, -63),
        "quay-fish",
        "quay-cooper",
        (136, -84),
        "quay-dock",
        "quay-customs",
        (304, -168),
        "quay-east",
    ),
    "Westgate": (
        "market",
        (-65, 46),
        "west-crescent",
        "west-green",
        (-268, 22),
        "west-mast",
        "west-end",
    ),
    "High Street": ("market", "high-kiln", (100, 45), (145, 36), (190, 37), "circus-west"),
    "Church Lane": ("market", (-24, 80), "church-bell", (-20, 165), "north-church"),
    "Fish Street": ("market", "fish-tannery", "quay-fish"),
    "Sailmaker Row": ("market", (-44, 4), "sail-rope", "quay-sail"),
    "The Crescent": ("west-crescent", (-127, 84), (-103, 112), (-64, 123), "church-bell"),
    "Bell Lane": ("church-bell", (14, 118), "bell-kiln"),
    "Kiln Street": ("high-kiln", (56, 88), "bell-kiln", (63, 175), "north-kiln"),
    "Cooper's Row": ("high-kiln", (66, 10), "cooper-tannery", "quay-cooper"),
    "Tannery Lane": ("fish-tannery", (42, -27), "cooper-tannery"),
    "North Road": (
        "north-end",
        "north-west",
        (-270, 158),
        "north-green",
        (-110, 197),
        "north-church",
        "north-kiln",
        (126, 216),
        (200, 196),
        "north-station",
    ),
    "Green Walk": ("west-green", (-215, 80), (-208, 130), "north-green"),
    "West Road": ("west-mast", (-345, 90), "north-west"),
    "Mast Street": ("west-mast", (-337, -40), "quay-mast"),
    "Anchor Lane": ("west-green", (-203, -16), "anchor-yard", "quay-anchor"),
    "Chandler's Yard": ("anchor-yard", (-242, -54), "yard-end"),
    "Rope Walk": ("sail-rope", (-122, -22), "rope-end"),
    "The Mole": ("quay-anchor", (-204, -178), (-158, -232), "mole-end"),
    "Fish Pier": ("quay-fish", "pier-end"),
    "Customs Road": ("circus-south", (251, -12), "customs-dock", "quay-customs"),
    "Dock Street": (
        "quay-dock",
        (210, -66),
        "customs-dock",
        (300, -50),
        "lamp-dock",
        (371, -108),
        "quay-east",
    ),
    "Eastgate": ("circus-east", "east-hill", "east-end"),
    "Hill Street": ("east-hill", (353, 104), (318, 146), "north-station"),
    "Lamp Lane": ("east-hill", (336, 0), "lamp-dock"),
    "Station Road": ("circus-north", (259, 110), "north-station", (280, 206), "station-end"),
    "Eastgate Circus": (
        "circus-west",
        _circus(298),
        _circus(331),
        "circus-north",
        _circus(31),
        _circus(58),
        "circus-east",
        _circus(118),
        _circus(151),
        "circus-south",
        _circus(211),
        _circus(239),
        "circus-west",
    ),
}

TRAFFIC_LIGHTS = (
    "market",
    "high-kiln",
    "west-green",
    "north-church",
    "north-station",
    "quay-fish",
    "quay-sail",
    "customs-dock",
)

RIVER: tuple[Point, ...] = (
    (112, 330),
    (127, 210),
    (150, 120),
    (144, 36),
    (128, -30),
    (134, -84),
    (142, -150),
)
RIVER_WIDTH_M = 17.0
COAST_SETBACK_M = 11.0
"""From the middle of Quayside to the water."""
BOUNDS: tuple[Point, Point] = ((-450, -330), (450, 300))
PARK: tuple[Point, ...] = (
    (-196, 48),
    (-150, 62),
    (-140, 84),
    (-112, 121),
    (-64, 134),
    (-40, 132),
    (-31, 166),
    (-22, 193),
    (-108, 184),
    (-192, 163),
    (-202, 110),
)
PLAZA: tuple[Point, ...] = (
    (-40, 58),
    (-12, 61),
    (12, 52),
    (14, 28),
    (-6, 16),
    (-30, 22),
    (-42, 40),
)
POND: tuple[Point, ...] = (
    (-168, 84),
    (-150, 92),
    (-146, 106),
    (-158, 118),
    (-176, 114),
    (-182, 98),
)
GARDENS: tuple[tuple[Point, ...], ...] = (
    ((-318, 66), (-250, 50), (-232, 90), (-228, 140), (-290, 138), (-326, 124)),
    ((-310, -16), (-230, -12), (-232, -28), (-290, -28), (-302, -96), (-314, -100)),
    ((172, 70), (226, 74), (236, 140), (196, 172), (160, 178), (168, 120)),
    ((286, 84), (332, 78), (330, 108), (300, 132), (284, 124)),
    ((276, 14), (318, 16), (314, -20), (276, -22)),
    ((84, 76), (122, 72), (128, 120), (104, 190), (82, 190), (74, 130)),
    ((96, 20), (120, 18), (108, -30), (112, -56), (100, -40)),
    ((-180, -4), (-120, 8), (-78, 4), (-88, -4), (-150, -4)),
)
"""Back gardens: green between the rows of houses."""
WATER_LABELS: tuple[tuple[str, Point], ...] = (
    ("Tidewick Bay", (-10, -262)),
    ("Outer Harbour", (170, -220)),
)

Side = Literal["left", "right"]


@dataclass(frozen=True)
class Place:
    """A POI beside a street.

    `along_m` metres on the way from one junction to the next, on the `side` of someone who walks
    that way. With a `width_m` of 0 it is a point at the kerb (a bus stop), else a building with
    that front.
    """

    name: str
    tags: str
    start: str
    end: str
    along_m: float
    side: Side
    width_m: float = 13.0
    depth_m: float = 12.0
    setback_m: float = 6.5


PLACES: tuple[Place, ...] = (
    # High Street
    Place("Tidewick Savings Bank", "amenity=bank", "market", "high-kiln", 22, "left", 15),
    Place("Gull & Anchor", "amenity=pub", "market", "high-kiln", 24, "right", 14),
    Place("Lantern Books", "shop=books", "market", "high-kiln", 42, "left", 12),
    Place("Mabel's Bakehouse", "shop=bakery", "market", "high-kiln", 42, "right", 12),
    Place("Corner Pharmacy", "amenity=pharmacy", "market", "high-kiln", 62, "left", 12),
    Place(
        "Saffron Boat", "amenity=restaurant;cuisine=indian", "market", "high-kiln", 61, "right", 13
    ),
    Place("Bluebell Florist", "shop=florist", "high-kiln", "circus-west", 18, "left", 11),
    Place("Spoke & Chain", "shop=bicycle", "high-kiln", "circus-west", 21, "right", 12),
    Place("Mill Museum", "tourism=museum", "high-kiln", "circus-west", 56, "right", 18, 16),
    Place(
        "Weir Kitchen",
        "amenity=cafe;outdoor_seating=yes",
        "high-kiln",
        "circus-west",
        108,
        "left",
        13,
    ),
    Place(
        "Mill Bridge", "highway=bus_stop;shelter=yes", "high-kiln", "circus-west", 110, "right", 0
    ),
    Place(
        "Petrel Picture House", "amenity=cinema", "high-kiln", "circus-west", 134, "right", 22, 18
    ),
    Place("Paws & Claws", "amenity=veterinary", "high-kiln", "circus-west", 140, "left", 13),
    # Church Lane, The Crescent, Bell Lane, Kiln Street
    Place("Old Post Office", "amenity=post_office", "market", "church-bell", 30, "right", 15),
    Place("Copper Kettle", "amenity=cafe;cuisine=tea", "market", "church-bell", 56, "left", 12),
    Place("Quill & Ink", "shop=stationery", "market", "church-bell", 52, "right", 11),
    Place(
        "St Orla's Church",
        "amenity=place_of_worship;religion=christian",
        "church-bell",
        "north-church",
        36,
        "right",
        30,
        20,
        10,
    ),
    Place(
        "Castle Green Bandstand",
        "leisure=bandstand",
        "church-bell",
        "north-church",
        52,
        "left",
        9,
        9,
        24,
    ),
    Place("Acorn Nursery", "amenity=kindergarten", "church-bell", "north-church", 70, "right", 13),
    Place("Crescent Dental", "amenity=dentist", "west-crescent", "church-bell", 66, "right", 12),
    Place(
        "Sundial Guest House",
        "tourism=guest_house",
        "west-crescent",
        "church-bell",
        92,
        "right",
        14,
    ),
    Place(
        "Heron Fountain", "amenity=fountain", "west-crescent", "church-bell", 58, "left", 6, 6, 14
    ),
    Place("Bell Lane Records", "shop=music", "church-bell", "bell-kiln", 34, "right", 12),
    Place(
        "The Rook's Corner",
        "amenity=cafe;cuisine=coffee_shop",
        "church-bell",
        "bell-kiln",
        56,
        "left",
        12,
    ),
    Place("Green Parrot", "amenity=nightclub", "high-kiln", "bell-kiln", 46, "left", 13),
    Place("Fired Earth Pottery", "shop=pottery", "high-kiln", "bell-kiln", 42, "right", 12),
    Place("Kiln Street", "highway=bus_stop", "bell-kiln", "north-kiln", 40, "right", 0),
    # Fish Street, Tannery Lane, Cooper's Row
    Place(
        "The Salt Cellar",
        "amenity=restaurant;cuisine=seafood",
        "market",
        "fish-tannery",
        38,
        "left",
        12,
    ),
    Place(
        "Cod & Co",
        "amenity=fast_food;cuisine=fish_and_chips",
        "market",
        "fish-tannery",
        36,
        "right",
        12,
    ),
    Place("Net & Needle", "shop=sewing", "fish-tannery", "quay-fish", 20, "right", 11),
    Place("Cockle Bar", "amenity=bar", "fish-tannery", "quay-fish", 26, "left", 12),
    Place("Tanyard Hostel", "tourism=hostel", "fish-tannery", "cooper-tannery", 34, "left", 16),
    Place("Drip Dry", "shop=laundry", "fish-tannery", "cooper-tannery", 38, "right", 11),
    Place("Barrel House", "amenity=pub", "high-kiln", "cooper-tannery", 33, "left", 14),
    Place("Hopscotch Toys", "shop=toys", "high-kiln", "cooper-tannery", 40, "right", 11),
    Place("Willow Barber", "shop=hairdresser", "high-kiln", "cooper-tannery", 50, "left", 10),
    Place("Gelato Nord", "amenity=ice_cream", "cooper-tannery", "quay-cooper", 24, "left", 11),
    Place("Driftwood Gallery", "tourism=gallery", "cooper-tannery", "quay-cooper", 27, "right", 13),
    # Sailmaker Row, Rope Walk
    Place(
        "Pasta Ferrata", "amenity=restaurant;cuisine=italian", "market", "sail-rope", 46, "left", 13
    ),
    Place("Brass Compass", "shop=antiques", "market", "sail-rope", 64, "right", 12),
    Place("Canvas Loft", "shop=outdoor", "sail-rope", "quay-sail", 22, "right", 10, 9),
    Place("Tidewick Bikes", "amenity=bicycle_rental", "sail-rope", "quay-sail", 56, "right", 0),
    Place("Hemp & Hook", "shop=hardware", "sail-rope", "rope-end", 44, "left", 13),
    Place("Ropewalk Theatre", "amenity=theatre", "sail-rope", "rope-end", 62, "right", 24, 18),
    # Westgate, Green Walk
    Place("Town Hall", "amenity=townhall", "market", "west-crescent", 36, "right", 22, 16, 8),
    Place("Gilt & Garnet", "shop=jewelry", "market", "west-crescent", 40, "left", 11),
    Place(
        "Noodle Junk",
        "amenity=restaurant;cuisine=noodle",
        "market",
        "west-crescent",
        64,
        "left",
        12,
    ),
    Place("Westgate", "highway=bus_stop;shelter=yes", "market", "west-crescent", 74, "right", 0),
    Place("Pym's Greengrocer", "shop=greengrocer", "market", "west-crescent", 92, "left", 12),
    Place("Dolphin Hotel", "tourism=hotel", "west-crescent", "west-green", 34, "left", 22, 15),
    Place(
        "Duck Kiosk",
        "amenity=kiosk;shop=kiosk",
        "west-crescent",
        "west-green",
        46,
        "right",
        6,
        5,
        7,
    ),
    Place("Westgate Fuel", "amenity=fuel", "west-green", "west-mast", 24, "right", 18, 14, 8),
    Place("Bluefin Market", "shop=supermarket", "west-green", "west-mast", 44, "left", 28, 20, 8),
    Place("Tidewick Library", "amenity=library", "west-green", "west-mast", 84, "right", 20, 16),
    Place("Iron Whale Gym", "leisure=fitness_centre", "west-green", "west-mast", 92, "left", 17),
    Place(
        "Castle Green Courts",
        "leisure=pitch;sport=tennis",
        "west-green",
        "north-green",
        52,
        "left",
        26,
        14,
    ),
    Place("Rosehip School", "amenity=school", "west-green", "north-green", 112, "left", 28, 16, 8),
    # Anchor Lane, Chandler's Yard, Mast Street, North Road
    Place("Reel Deal Tackle", "shop=fishing", "west-green", "anchor-yard", 42, "right", 12),
    Place(
        "Little Dhow",
        "amenity=restaurant;cuisine=lebanese",
        "west-green",
        "anchor-yard",
        44,
        "left",
        13,
    ),
    Place("Knot Cafe", "amenity=cafe", "anchor-yard", "quay-anchor", 38, "left", 12),
    Place(
        "Keel & Sons Boatbuilders",
        "craft=boatbuilder",
        "anchor-yard",
        "yard-end",
        42,
        "right",
        24,
        16,
    ),
    Place("Wool Barge", "shop=wool", "west-mast", "quay-mast", 66, "left", 12),
    Place("Puppet Museum", "tourism=museum", "north-green", "north-church", 96, "left", 18),
    Place("Castle Ruin", "historic=castle", "north-green", "north-church", 70, "right", 16, 14, 14),
    Place(
        "Meadow Hospital",
        "amenity=hospital;emergency=yes",
        "north-church",
        "north-kiln",
        40,
        "left",
        34,
        20,
        8,
    ),
    Place("Weir Brewery", "craft=brewery", "north-kiln", "north-station", 26, "left", 18),
    # Quayside, The Mole, Fish Pier
    Place("West Quay Car Park", "amenity=parking", "quay-end", "quay-mast", 42, "left", 26, 18),
    Place("Wherry Boat Hire", "amenity=boat_rental", "quay-mast", "quay-anchor", 66, "left", 13),
    Place("Smokehouse", "shop=seafood", "quay-anchor", "quay-sail", 42, "left", 13),
    Place("Island Ferry", "amenity=ferry_terminal", "quay-anchor", "quay-sail", 72, "right", 0),
    Place("Harbour Office", "office=government", "quay-sail", "quay-fish", 45, "left", 12, 9),
    Place(
        "Lobster Pot",
        "amenity=restaurant;cuisine=seafood",
        "quay-sail",
        "quay-fish",
        62,
        "left",
        13,
    ),
    Place("Quayside", "highway=bus_stop;shelter=yes", "quay-sail", "quay-fish", 78, "right", 0),
    Place("Pilot's Rest", "amenity=pub", "quay-sail", "quay-fish", 104, "left", 14),
    Place(
        "Crepe Marine",
        "amenity=fast_food;cuisine=crepe",
        "quay-fish",
        "quay-cooper",
        28,
        "left",
        11,
    ),
    Place("Fish Market", "amenity=marketplace", "quay-fish", "pier-end", 40, "left", 30, 9, 3),
    Place(
        "Mole Light",
        "man_made=lighthouse;tourism=attraction",
        "quay-anchor",
        "mole-end",
        196,
        "left",
        6,
        6,
        1,
    ),
    Place(
        "Customs House",
        "tourism=museum;museum=maritime",
        "quay-dock",
        "quay-customs",
        40,
        "left",
        18,
    ),
    Place(
        "Kelp Forest Aquarium", "tourism=aquarium", "quay-customs", "quay-east", 50, "left", 26, 18
    ),
    # Customs Road, Dock Street, Eastgate, Hill Street, Station Road
    Place("Tugboat Inn", "tourism=hotel", "circus-south", "customs-dock", 34, "left", 16),
    Place("High Wind Kites", "shop=sports", "circus-south", "customs-dock", 48, "right", 12),
    Place(
        "Bean Buoy",
        "amenity=cafe;cuisine=coffee_shop",
        "customs-dock",
        "quay-customs",
        44,
        "left",
        12,
    ),
    Place("Dock Surgery", "amenity=doctors", "customs-dock", "quay-dock", 40, "right", 13),
    Place(
        "Tidewick Fire Station",
        "amenity=fire_station",
        "customs-dock",
        "lamp-dock",
        46,
        "left",
        24,
        16,
    ),
    Place("Deep Six Diving", "shop=scuba_diving", "lamp-dock", "quay-east", 62, "right", 13),
    Place("Eastgate Police", "amenity=police", "circus-east", "east-hill", 34, "left", 18),
    Place(
        "Lemongrass", "amenity=restaurant;cuisine=thai", "circus-east", "east-hill", 40, "right", 13
    ),
    Place("Hill Street Clinic", "amenity=clinic", "east-hill", "north-station", 36, "left", 15),
    Place("Beacon View", "tourism=viewpoint", "east-hill", "north-station", 70, "right", 0),
    Place("Wick & Wax", "shop=candles", "east-hill", "lamp-dock", 58, "left", 12),
    Place(
        "Platform Pizza",
        "amenity=restaurant;cuisine=pizza",
        "circus-north",
        "north-station",
        52,
        "right",
        13,
    ),
    Place("Taxi rank", "amenity=taxi", "north-station", "station-end", 60, "left", 0),
    Place(
        "Tidewick Station",
        "railway=station;public_transport=station",
        "north-station",
        "station-end",
        80,
        "right",
        34,
        14,
    ),
)
