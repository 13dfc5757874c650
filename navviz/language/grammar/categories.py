"""Kinds of places: the words people use for them and the OpenStreetMap tags that mean them.

The table is read twice: the grammar finds the words in an instruction, `landmarks` finds the POIs
that carry the tags.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlaceCategory:
    """One kind of place."""

    name: str
    words: str
    """Regular expression over lower-case text."""
    tags: tuple[str, ...]
    """``key=value`` or ``key=*``; a value may also stand among several, separated by semicolons."""
    name_words: str = ""
    """Regular expression; a POI whose name holds it counts too."""


def _category(name: str, words: str, tags: str, name_words: str = "") -> PlaceCategory:
    return PlaceCategory(name, words, tuple(tags.split()), name_words)


CATEGORIES: tuple[PlaceCategory, ...] = (
    _category(
        "bus stop",
        r"bus[ -]?(?:stops?|station|shelter|rental)",
        "highway=bus_stop amenity=bus_station",
    ),
    _category(
        "subway",
        r"(?:subway|metro)(?: (?:entrances?|stations?|stairs|stops?|entry))?|train stations?",
        "railway=subway_entrance railway=station",
    ),
    _category(
        "bike rental",
        r"(?:citi ?bikes?|bi(?:ke|cycle)s?)["
        r" -]?(?:rentals?|shar(?:e|ing)|racks?|stands?|docks?|stations?|dock)?"
        r"(?: (?:stations?|area|place|shop|racks?))?",
        "amenity=bicycle_rental amenity=bicycle_parking shop=bicycle",
    ),
    _category("playground", r"play ?grounds?|play area", "leisure=playground", r"playground"),
    _category("dog park", r"dog (?:park|run)", "leisure=dog_park leisure=park", r"\bdog\b"),
    _category(
        "parking",
        r"parking ?(?:lots?|garages?|areas?|spaces?|structures?|place)(?:/lot)?|car"
        r" parks?|parking|garages?",
        "amenity=parking amenity=parking_entrance",
        r"parking|garage",
    ),
    _category(
        "sports",
        r"(?:sports?|basketball|tennis|soccer|ball|handball|athletic)"
        r" (?:courts?|areas?|fields?|pitch(?:es)?|"
        r"center|grounds?)|courts|ball ?fields?",
        "leisure=pitch sport=* leisure=sports_centre",
        r"court|field",
    ),
    _category(
        "park",
        r"park (?:area|space)|parks?|green (?:space|area|patch|spot)s?|greenery|grassy"
        r" area|grass|gardens?|"
        r"plaza(?: area)?|public square|square",
        "leisure=park leisure=garden leisure=playground leisure=dog_park landuse=grass",
        r"\b(?:park|garden|square|plaza|green)\b",
    ),
    _category(
        "church",
        r"church(?:es)?|cathedral|chapel|temple|synagogue|mosque|place of worship",
        "amenity=place_of_worship",
        r"church|chapel|cathedral|temple|synagogue|mosque|saint|\bst\.? ",
    ),
    _category("atm", r"atms?", "amenity=atm amenity=bank"),
    _category("bank", r"banks?", "amenity=bank", r"\bbank\b"),
    _category(
        "pharmacy", r"pharmac(?:y|ies)|drug ?stores?", "amenity=pharmacy shop=chemist", r"pharmacy"
    ),
    _category("post office", r"post office", "amenity=post_office"),
    _category("mailbox", r"mail ?box(?:es)?|post ?box(?:es)?", "amenity=post_box"),
    _category(
        "ice cream",
        r"ice cream(?: (?:shop|place|store|parlou?r))?|gelato(?: shop| place)?",
        "amenity=ice_cream cuisine=ice_cream shop=ice_cream",
        r"ice cream|gelat",
    ),
    _category(
        "pizza",
        r"pizz(?:a|eria)(?: (?:place|shop|restaurant|joint))?",
        "cuisine=pizza cuisine=italian_pizza",
        r"pizz",
    ),
    _category(
        "chicken",
        r"(?:fried )?chicken(?: (?:place|shop|restaurant))",
        "cuisine=chicken",
        r"chicken",
    ),
    _category(
        "burger", r"burgers?(?: (?:place|shop|restaurant|joint))?", "cuisine=burger", r"burger"
    ),
    _category("bagel", r"bagels?(?: (?:place|shop))?", "cuisine=bagel", r"bagel"),
    _category(
        "donuts", r"(?:donut|doughnut)s?(?: (?:place|shop))?", "cuisine=donut", r"do(?:ugh)?nut"
    ),
    _category(
        "curry", r"(?:curry|indian) (?:place|restaurant)", "cuisine=indian cuisine=curry", r"curry"
    ),
    _category(
        "sushi",
        r"(?:sushi|japanese|ramen) (?:place|restaurant|bar)",
        "cuisine=sushi cuisine=japanese cuisine=ramen",
    ),
    _category(
        "chinese",
        r"(?:chinese|asian|noodle) (?:place|restaurant)",
        "cuisine=chinese cuisine=asian cuisine=Chinese",
    ),
    _category("mexican", r"(?:mexican|taco) (?:place|restaurant)", "cuisine=mexican", r"taco"),
    _category("italian", r"italian (?:place|restaurant)", "cuisine=italian"),
    _category("thai", r"thai (?:place|restaurant)", "cuisine=thai", r"thai"),
    _category("french", r"french (?:place|restaurant)", "cuisine=french"),
    _category(
        "seafood",
        r"(?:seafood|fish|oyster) (?:place|restaurant|bar)",
        "cuisine=seafood",
        r"oyster|fish",
    ),
    _category(
        "coffee",
        r"coffee(?: (?:shop|place|house|bar))?|caf[eé]s?|tea (?:shop|house)",
        "amenity=cafe cuisine=coffee_shop shop=coffee",
        r"caf[eé]|coffee",
    ),
    _category("fast food", r"fast food(?: (?:place|restaurant))?", "amenity=fast_food"),
    _category("wine bar", r"wine bar", "amenity=bar amenity=pub", r"wine"),
    _category(
        "liquor",
        r"(?:liquor|wine|beer|spirits?)(?: (?:and spirits?|shop|store|place))",
        "shop=alcohol shop=wine shop=beverages",
        r"wine|liquor|spirits",
    ),
    _category(
        "bar",
        r"(?:bars?|pubs?|taverns?|beer garden|night ?clubs?)",
        "amenity=bar amenity=pub amenity=nightclub",
        r"\b(?:bar|pub|tavern)\b",
    ),
    _category(
        "restaurant",
        r"(?:restaurants?|diners?|eater(?:y|ies)|grill|bistro|steak ?house)",
        "amenity=restaurant amenity=fast_food",
        r"restaurant|diner|bistro",
    ),
    _category("bakery", r"baker(?:y|ies)|pastry shop", "shop=bakery shop=pastry", r"baker"),
    _category("hotel", r"hotels?|hostels?", "tourism=hotel tourism=hostel", r"hotel|hostel"),
    _category("museum", r"museums?", "tourism=museum", r"museum"),
    _category(
        "gallery",
        r"(?:art )?galler(?:y|ies)",
        "tourism=gallery shop=art tourism=museum",
        r"gallery",
    ),
    _category(
        "theater",
        r"(?:movie )?theat(?:er|re)s?|cinemas?|playhouse",
        "amenity=theatre amenity=cinema",
        r"theat(?:er|re)|cinema|playhouse",
    ),
    _category("library", r"librar(?:y|ies)", "amenity=library", r"library"),
    _category(
        "school",
        r"(?:high |elementary |public )?schools?|academy|college|university|campus",
        "amenity=school amenity=college amenity=university amenity=kindergarten",
        r"school|academy|college|univ",
    ),
    _category(
        "hospital",
        r"hospitals?|medical (?:center|building)|clinics?|doctors?(?: office)?",
        "amenity=hospital amenity=clinic amenity=doctors",
        r"hospital|medical|clinic",
    ),
    _category(
        "fire station",
        r"fire ?(?:stations?|house|department)",
        "amenity=fire_station",
        r"engine|ladder|fdny",
    ),
    _category("police", r"police(?: station)?|precinct", "amenity=police", r"precinct"),
    _category("gas station", r"gas stations?|fuel station", "amenity=fuel"),
    _category("fountain", r"(?:water )?fountains?", "amenity=fountain amenity=drinking_water"),
    _category(
        "memorial",
        r"(?:memorials?|monuments?|statues?|sculptures?|arch|artwork)",
        "historic=memorial historic=monument tourism=artwork tourism=attraction",
    ),
    _category("cemetery", r"cemeter(?:y|ies)|graveyard", "amenity=grave_yard landuse=cemetery"),
    _category(
        "grocery",
        r"(?:grocer(?:y|ies)|super ?markets?)(?: (?:store|market))?|food market",
        "shop=supermarket shop=convenience shop=grocery shop=greengrocer",
        r"market|grocer|foods",
    ),
    _category(
        "convenience",
        r"convenience stores?|bodega|corner store|deli|delicatessen",
        "shop=convenience shop=deli cuisine=deli",
        r"deli",
    ),
    _category("books", r"book ?(?:stores?|shops?)", "shop=books", r"book"),
    _category("shoes", r"shoe (?:stores?|shops?)", "shop=shoes", r"shoe"),
    _category(
        "clothes",
        r"cloth(?:ing|es) (?:stores?|shops?)|boutique",
        "shop=clothes shop=boutique shop=fashion",
    ),
    _category(
        "hair",
        r"hair ?(?:salon|stylist|dresser|cutter|place)s?|barber(?: ?shop)?|salon",
        "shop=hairdresser shop=beauty",
        r"hair|barber|salon",
    ),
    _category(
        "nails", r"nail (?:salon|spa|place)|spa", "shop=beauty shop=massage", r"nail|\bspa\b"
    ),
    _category("tattoo", r"tattoo(?: (?:parlou?r|shop|place))?", "shop=tattoo", r"tattoo"),
    _category(
        "laundry",
        r"laundr(?:y|omat)|dry ?cleaners?",
        "shop=laundry shop=dry_cleaning",
        r"clean|laundr",
    ),
    _category("jewelry", r"jewel(?:ry|er)s?(?: (?:store|shop))?", "shop=jewelry", r"jewel"),
    _category(
        "optician",
        r"optic(?:ian|al)(?: shop| store)?|eye(?:glasses|wear)(?: shop| store)?",
        "shop=optician",
        r"optic|eye",
    ),
    _category(
        "florist", r"flower (?:shop|store)|florist", "shop=florist", r"flower|floral|florist"
    ),
    _category(
        "music",
        r"music (?:shops?|stores?)|guitar (?:shop|store)|record (?:shop|store)",
        "shop=music shop=musical_instrument",
        r"guitar|music|record",
    ),
    _category(
        "furniture",
        r"furniture (?:stores?|shops?)",
        "shop=furniture shop=interior_decoration",
        r"furniture",
    ),
    _category(
        "electronics",
        r"electronics? (?:stores?|shops?)|phone (?:stores?|shops?)",
        "shop=electronics shop=mobile_phone shop=computer",
    ),
    _category("toys", r"toy (?:stores?|shops?)", "shop=toys", r"toy"),
    _category(
        "gym",
        r"gyms?|fitness (?:center|place|studio)",
        "leisure=fitness_centre leisure=sports_centre",
        r"gym|fitness",
    ),
    _category(
        "hardware", r"hardware (?:store|shop)", "shop=hardware shop=doityourself", r"hardware"
    ),
    _category("department store", r"department store", "shop=department_store shop=mall"),
    _category(
        "perfume",
        r"(?:fragrance|perfume|cosmetics?|beauty) (?:shop|store)",
        "shop=perfumery shop=cosmetics shop=beauty",
        r"fragrance|perfume|cosmetic",
    ),
    _category("bench", r"bench(?:es)?", "amenity=bench"),
    _category("telephone", r"(?:pay ?phone|phone booth)s?", "amenity=telephone"),
    _category("embassy", r"embassy|consulate", "amenity=embassy", r"consulate|embassy"),
    _category("courthouse", r"court ?house", "amenity=courthouse", r"court"),
    _category(
        "community center",
        r"community (?:center|centre|garden)",
        "amenity=community_centre leisure=garden",
    ),
)

CATEGORY_OF_WORD: Mapping[str, PlaceCategory] = {category.name: category for category in CATEGORIES}


def has_category(tags: Mapping[str, str], category: PlaceCategory) -> bool:
    """Whether a POI with these tags is of this kind."""
    for wanted in category.tags:
        key, _, value = wanted.partition("=")
        if key in tags and (value == "*" or value in tags[key].split(";")):
            return True
    name = tags.get("name", "").lower()
    return bool(category.name_words and name and re.search(category.name_words, name))
