"""The words of the grammar: one pattern for each kind of token, tried in order at every place of a
sentence.

Patterns are read against lower-case text in which names are masked. What sounds like a place but is
a side ("on the left corner") or a turn ("take the side street on your right") stands before the
places, everything else after them.
"""

from __future__ import annotations

import re
from typing import Literal

from navviz.language.grammar.categories import CATEGORIES

TokenKind = Literal[
    "through",
    "to",
    "at",
    "before",
    "after",
    "with",
    "stop",
    "steps",
    "fraction",
    "building",
    "end",
    "middle",
    "toofar",
    "turn",
    "place",
    "mention",
    "side",
    "corner",
    "break",
    "start",
    "straight",
    "ignore",
    "then",
    "cross",
]

STARTERS = frozenset(
    [
        "a",
        "about",
        "across",
        "after",
        "again",
        "almost",
        "along",
        "also",
        "an",
        "and",
        "another",
        "are",
        "arrive",
        "as",
        "at",
        "be",
        "bear",
        "before",
        "begin",
        "both",
        "but",
        "by",
        "come",
        "continue",
        "cross",
        "cut",
        "destination",
        "directly",
        "do",
        "don't",
        "down",
        "drive",
        "during",
        "each",
        "end",
        "ensure",
        "enter",
        "exit",
        "expect",
        "face",
        "facing",
        "finish",
        "first",
        "five",
        "follow",
        "following",
        "follows",
        "for",
        "four",
        "from",
        "get",
        "go",
        "going",
        "half",
        "halfway",
        "hang",
        "he",
        "head",
        "heading",
        "here",
        "here's",
        "his",
        "hook",
        "i",
        "i'll",
        "if",
        "immediately",
        "in",
        "is",
        "it",
        "it's",
        "its",
        "just",
        "keep",
        "left",
        "look",
        "make",
        "merge",
        "move",
        "my",
        "near",
        "next",
        "not",
        "notice",
        "now",
        "of",
        "ok",
        "okay",
        "on",
        "once",
        "one",
        "only",
        "or",
        "pass",
        "passing",
        "past",
        "pause",
        "pick",
        "please",
        "proceed",
        "remain",
        "remember",
        "right",
        "second",
        "she",
        "shortly",
        "should",
        "so",
        "soon",
        "start",
        "starting",
        "stay",
        "stop",
        "straight",
        "t",
        "take",
        "that",
        "that's",
        "the",
        "then",
        "there",
        "there's",
        "these",
        "they",
        "third",
        "this",
        "those",
        "three",
        "through",
        "to",
        "toward",
        "towards",
        "travel",
        "ts",
        "turn",
        "two",
        "u",
        "until",
        "up",
        "veer",
        "walk",
        "was",
        "we",
        "when",
        "where",
        "while",
        "will",
        "with",
        "y",
        "you",
        "you'll",
        "you're",
        "you've",
        "your",
    ]
)
"""Words that begin sentences with a capital and are no part of a name."""

NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "couple": 2,
    "both": 2,
    "single": 1,
}
ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "5th": 5,
    "6th": 6,
    "7th": 7,
    "8th": 8,
}
_NUMBER = "|".join(NUMBERS) + r"|\d{1,2}"
_ORDINAL = "|".join(ORDINALS)
_MODIFIERS = (
    r"(?:(?:the|a|an|your|that|this|these|those|both|all|each|every|very|any|more|other|another|immediate"
    r"|immediately|next|"
    r"following|upcoming|subsequent|last|final|same|main|major|large|larger|big|huge|wide|small|smaller|tiny"
    r"|little|long|"
    rf"short|quick|double|divided|angled|first|busy|of|traffic|available|possible|new|close|normal|4[-"
    rf" ]?way"
    rf"|four[- ]way|5-way|"
    rf"five-way|6-way|six-way|multi-way|3-way|three-way|forked|quiet|left|right|left-hand|right-hand|coming"
    rf"|street|{_ORDINAL}|"
    rf"{_NUMBER})\s+){{0,7}}"
)
_LIGHT = (
    r"(?:(?:sets?|pairs?|couple) of )?(?:(?:double|traffic|stop|street|immediate|quick)["
    r" -]?)*lights?(?: (?:street )?"
    r"(?:intersections?|corners?))?|stop ?lights?|(?:traffic )?signals?|"
    r"(?:intersections?|corners?|streets?) with (?:a |the )?(?:traffic |stop )?(?:lights?|signals?)"
)
_PLACES = (
    ("light", _LIGHT),
    ("T", r"(?:t|three-way|3-way)[ -]?(?:intersections?|junctions?|crossing)|ts\b|t\b|dead end"),
    (
        "side",
        (
            r"(?:side|cross)[ -]?(?:streets?|roads?)|alley(?:way)?|(?:left|right)[ -](?:hand"
            r" )?turns?"
            r"|turn(?:ing)?(?= on)"
        ),
    ),
    (
        "intersection",
        (
            r"(?:lightless |unlit )?(?:four-way |4-way )?intersections?(?:,? (?:which has|with"
            r"|that has) no (?:traffic |stop )?lights?|"
            r",? without (?:a |any )?(?:traffic |stop )?lights?)?|crossroads?|junctions?|cross"
            r" ?walks?"
            r"|intersecting streets?|crossings?"
        ),
    ),
    ("corner", r"corners?(?! of)"),
    ("fork", r"forks?|y(?:-intersection|-junction)?\b|split"),
    ("block", r"blocks?"),
    ("street", r"streets?|roads?|avenues?|opportunity"),
    (
        "one",
        (
            rf"(?<=next )one|(?<=following )one|(?<=first )one|(?<=second )one|(?<=third"
            rf" )one|(?<=that )one"
            rf"|(?<=immediate )one"
            rf"|(?:{_ORDINAL})(?=\s*(?:[,.;]|$|\s(?:and|then|to|with|which|you)\b))"
        ),
    ),
)
_TURN_FILL = (
    r"(?:(?:then|a|an|the|your|that|this|another|immediate|immediately|quick|next|following|available|possible"
    r"|slight|slightly|"
    rf"sharp|sharply|hard|easy|to|onto|into|it|in|down|off|back|very|there|here|again|{_ORDINAL})\s+){{0,5}}"
)
_TAIL = r"[ -](?:hand )?(?:turn|fork|path|road|street|side[ -]streets?|branch|lane)s?"
_TURN = (
    r"(?P<verb>turn(?:s|ing|ed)?|tak(?:e|es|ing)|mak(?:e|es|ing)|made|hang|hook|bear(?:ing)?|veer(?:ing)?|merge"
    r"|cut|swing)"
    rf"\s+(?P<fill>{_TURN_FILL})(?P<hand>left|right)(?P<tail>{_TAIL})?\b(?![ -](?:hand"
    r" )?(?:side|corner)\b)"
)
_WEAK_TURN = (
    r"(?P<verb3>go(?:ing)?|head|keep|stay(?:ing)?|and|then|follow|do)"
    rf"\s+(?P<fill3>{_TURN_FILL})(?P<hand3>left|right)(?P<tail3>{_TAIL})?\b(?![ -](?:hand"
    r" )?(?:side|corner)\b)"
    r"(?! (?:before|past|through|after|in"
    r" front|when|next|as|up|behind|there|here|by|around|where|ahead)\b)"
)
_TURN_ON_SIDE = (
    r"(?P<that_turn>(?:take|make) (?:the|that|this) turn(?!"
    r" on))|(?P<verb2>turn(?:ing)?)\s+(?:down|into|onto|on"
    r"|in)\s+(?:the\s+)?(?P<fill2>(?:first|next|second|small|side)?\s*)"
    r"(?:side )?(?:street|road|alley)\s+(?:that is |which is"
    r" )?(?:on|to)\s+(?:the|your)\s+(?P<hand2>left|right)"
    r"|(?P<verb4>take|taking|bear|veer|keep|stay|follow)\s+(?:the |a )?(?:fork|path|branch|street"
    r"|road)?\s*(?:to|on)\s+(?:the|your)\s+"
    r"(?P<hand4>left|right)(?! side|[ -]hand side)"
)
_SIDE_ADJ = r"(?:immediate |far |near |close |direct |same |opposite |very |back ){0,3}"
_VOCABULARY: tuple[tuple[TokenKind, str], ...] = (
    (
        "toofar",
        (
            r"too far|(?:gone|went|walked|passed|overshot|missed)[^.]{0,30}\btoo far|missed"
            r" (?:it|your)|overshot"
        ),
    ),
    (
        "ignore",
        (
            r"(?:road|street|it|path|way|block)(?: will| then| slowly| slightly)*"
            r" (?:curve|veer|bend|turn|curv)s? "
            r"(?:sharply |slightly |around |off )?(?:to the |to your )?(?:left|right)"
            r"|(?:opens?|veers?|curves?|bends?|branch(?:es)?|goes|going|leads?|intersects?|coming|extends?"
            r"|heads?|off)"
            r" (?:only )?(?:off )?(?:to|on|from) (?:the|your) (?:left|right)(?: side)?(?: only)?"
            r"|do(?:n't| not) (?:turn|take|go|stop)[^,.]*|instead of[^,.]*|not"
            r" (?:the|sharp|a)[^,.]*|(?:bus|subway"
            r"|metro) stops? only"
            r"|option to[^,.]*|only [^,.]*left (?:and|or) right|left and right"
            r"|stay(?:ing)? on [^,.]{0,20}side|left or right|right or left"
        ),
    ),
    (
        "corner",
        (
            r"(?:on|to|at|in|of)?\s*(?:the |your |its |each |both |all |opposite"
            r" ){0,4}(?P<near>far|near|nearest"
            r"|opposite|back|close|"
            r"immediate|other|first)?[ -]?(?:side )?(?P<chand>left|right)[ -]?(?:hand )?(?:side"
            r" )?corners?"
            r"|(?:on) (?:the |your |both |all |each |either |opposite |different |two |its |a"
            r" ){0,4}(?P<near2>far"
            r"|near|opposite|back)?"
            r" ?(?:side )?(?:street )?corners?(?: (?:on|to) (?:the|your) (?P<chand2>left|right))?"
            r"|at (?:the |your )?(?P<near3>far|near|opposite) (?:street )?corners?|on (?:the"
            r"|your) far (?P<chand3>left|right)(?: side)?"
            r"|(?:to|on) (?:the|your) (?:far|near) (?P<chand4>left|right)"
        ),
    ),
    (
        "side",
        (
            rf"(?:on|to|at|along|off|onto)?\s*(?:the |your |its |you |one "
            rf"|you're ){{0,4}}{_SIDE_ADJ}(?<=\s)(?P<shand>left|right)[ -]?hand side"
            rf"|(?:on|to|at|along|off|by|onto) (?:the |your |its |you "
            rf"|you're ){{0,4}}{_SIDE_ADJ}(?P<shand2>left|right)"
            r"(?:[ -]hand)?(?: side)?(?: of (?:you|the (?:street|road)))?"
            r"|(?:down|along) (?:the |your )?(?:whole )?(?P<shand3>left|right) side"
            r"|(?:ahead|across|beyond)(?: of you)?(?: (?:the|from) (?:street|road|you))?(?:"
            r" (?:on|to) (?:the"
            r"|your) (?P<shand4>left|right))?"
            r"|(?:on|to) (?:either|both|each) sides?(?: of (?:the (?:street|road)|you))?"
            r"|in front of you|directly ahead"
        ),
    ),
    ("turn", _TURN_ON_SIDE),
    ("turn", _TURN),
    ("turn", _WEAK_TURN),
    (
        "end",
        (
            r"(?:the )?(?:very )?end(?:ing)? of (?:the|this|that|your) (?:\w+"
            r" )?(?:block|street|road|way)"
            r"|end of block|"
            r"(?:block|street|road)(?: |')s? ?ends?|(?:way|all the way) down the"
            r" (?:block|street|road)"
            r"|out of the street"
        ),
    ),
    (
        "fraction",
        (
            r"(?P<frac>(?:almost |about |nearly |just |exactly |a little |slightly |less than |more"
            r" than |over "
            r"|under ){0,4}"
            r"(?:half[ -]?way|half|1/2|1/3|2/3|1/4|3/4|a third|one[- ]third|two[- ]thirds|a"
            r" quarter|one[- ]fourth|"
            r"one[- ]quarter|three[- ]quarters|three[- ]fourths|3 quarters|almost all(?: of)?|mid[-"
            r" ]?block|most of)"
            r"(?:[ -]?(?:of )?(?:the |a )?(?:way|block))?)|middle of (?:the|this|that) block|center"
            r" of (?:the"
            r"|this) block"
            r"|(?:almost|nearly) (?:to|at|reach\w*|all the way|the end)"
        ),
    ),
    (
        "building",
        (
            rf"(?P<nth>{_ORDINAL}|last|final|next) (?:\w+"
            r" )?(?:building|door|store|shop|house|storefront)s?"
            rf"|(?P<count>{_NUMBER}|few) (?:buildings|doors|stores|storefronts|shops)"
        ),
    ),
    (
        "steps",
        (
            r"(?:a |an |the |one |just )?(?:few|couple|couple"
            rf" of|several|{_NUMBER}|single|quick|some|short|tiny"
            rf"|bit|one or two|step or two)?"
            r"(?: more| or two| or so| or 2| to 3| or 3)?"
            r" ?(?:steps?|paces?|feet|foot|yards?|meters?|bit)(?: or two"
            r"| or 2| or so)?\b"
            r"|short (?:distance|way)|soon after|shortly(?: after)?|immediately after|right after"
            r" (?:you "
            r"|the )?turn\w*"
            r"|(?:right |just |soon |immediately |shortly )?after (?:you"
            r" )?(?:turn|mak|tak)(?:ing|e)?(?: (?:a|the"
            r"|that|your))?"
            r"(?: (?:left|right))?(?: turn)?(?: the corner)?|after (?:the|your|this|that) turn"
            r"|start of the (?:block|street|road)"
        ),
    ),
    ("middle", r"(?:the )?(?:middle|center|centre|midpoint) of|inside"),
    (
        "stop",
        (
            r"(?<!bus )(?<!bus)(?<!without )\b(?:come to a )?(?:stops?|stopping|halt)\b(?!"
            r" ?(?:lights?|signs?"
            r"|signals?))|destination|"
            r"(?:you(?:'ve|'ll| have| will)? )?(?:arriv\w+|reached your)|final"
            r" (?:spot|location|place)|finish|"
            r"(?:^|\b(?:and|then|,) )end(?:ing)?(?: up)?\b|your (?:goal|end point)|end point"
            r"|ending (?:right )?(?:in|at|just|before|point)"
        ),
    ),
    (
        "cross",
        (
            r"cross(?:ing)?(?: over)? (?:the |this |that |over )?(?:main |wide |next |divided"
            r" |large |double |busy "
            r"|major )*(?:street|road|avenue)s?"
        ),
    ),
    (
        "through",
        (
            r"(?:go|goes|going|walk\w*|head\w*|continu\w*|proceed\w*|pass\w*|cross\w*|keep"
            r" going|straight|move"
            r"|travel)?\s*\b"
            r"(?:straight |directly |right |on )?(?:through|past|by|across)\b(?: by)?"
            r"|pass(?:es|ed|ing)?(?: by| through| over)?\b|cross(?:es|ed|ing)?\b(?: over| through)?"
        ),
    ),
    (
        "after",
        (
            r"(?:right |just |immediately |soon |shortly |directly )*(?:after|beyond|past)\b|once"
            r" (?:you )?(?:are "
            r"|have |get )?"
            r"(?:past|pass\w*|cross\w*|through)"
        ),
    ),
    (
        "before",
        (
            r"(?:right |just |immediately |directly |shortly |well )*(?:before|short of|prior"
            r" to|shy of)(?: you)?"
            r"(?: (?:reach|get|hit|com|enter|arriv)(?:ing|e)?(?: to| at)?)?\b|without"
            r" (?:crossing|entering|going"
            r"|passing)"
        ),
    ),
    ("start", r"(?:the )?(?:beginning|start|edge|front|corner)(?:ning)? of|begins?\b|starts\b"),
    (
        "to",
        (
            r"(?:to|until|till|unto|toward|towards)\b(?: you)?(?: (?:reach|get to|hit|come"
            r" to|see|arrive at|find"
            r"|encounter))?"
            r"|(?:reach|reaching|hit|hitting|get to|come to|comes to|coming to|arrive"
            r" at|approach\w*|meets?)\b"
        ),
    ),
    (
        "with",
        (
            r"(?:with|there(?:'s| is| are| will be| should be| may be| might be)|you(?:'ll| will|"
            r" should| can"
            r"| may)(?: also)? (?:see|have|be)|"
            r"you see|has|have|having|it's|is|are|will be|should be|may be|be|where)\b"
        ),
    ),
    (
        "at",
        (
            r"(?:right |just |directly |immediately )*(?:at|in front of|next"
            r" to|beside|by|near|opposite(?: of)?"
            r"|across from|"
            r"alongside|outside|between|in|on|upon|onto|down|when you (?:see|get"
            r" to|reach)|when|once|into|around"
            r"|behind|adjacent to)\b"
        ),
    ),
    ("straight", r"straight|forward"),
    ("then", r"\b(?:and )?then\b|\band\b|\bbut\b"),
    ("break", r"[,:;]"),
)

_PLACES_AFTER = 5
"""How many vocabulary entries go before the places: what sounds like a place but is a side or a
turn.
"""


def compile_vocabulary() -> tuple[re.Pattern[str], dict[str, tuple[TokenKind, str]]]:
    """One pattern with a named group for each kind of token, and what the groups mean: kind, and
    place or category.
    """
    meaning: dict[str, tuple[TokenKind, str]] = {"mask": ("mention", "")}
    parts: list[str] = []
    for number, (kind, pattern) in enumerate(_VOCABULARY):
        if number == _PLACES_AFTER:
            parts += _place_parts(meaning)
        meaning[f"v{number}"] = (kind, "")
        tail = "" if kind == "break" else r"(?![\w])"
        parts.append(rf"(?P<v{number}>(?:{pattern}){tail})")
    # one look behind for all of them: with one each, every letter within a word cost a hundred
    mask, others = r"(?P<mask>\x01(?P<mask_id>\d+)\x02)", "|".join(parts)
    return re.compile(rf"{mask}|(?<![\w-])(?:{others})"), meaning


def _place_parts(meaning: dict[str, tuple[TokenKind, str]]) -> list[str]:
    parts = []
    for place, words in _PLACES:
        meaning[f"place_{place}"] = ("place", place)
        parts.append(rf"(?P<place_{place}>(?P<mod_{place}>{_MODIFIERS})(?:{words})(?![\w]))")
    for index, category in enumerate(CATEGORIES):
        meaning[f"c{index}"] = ("mention", category.name)
        parts.append(rf"(?P<c{index}>(?:{category.words})(?![\w-]))")
    return parts
