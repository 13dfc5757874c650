"""From instruction text to typed tokens: the vocabulary of the grammar.

Names are found first, in the original spelling (capitals), and masked, so that the vocabulary never reads inside them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from navviz.navigators.rules.categories import CATEGORIES

__all__ = ["MAX_CHARACTERS", "Token", "TokenKind", "tokenize"]

MAX_CHARACTERS = 6_000
"""Text beyond this is not read: no real instruction is as long, and reading time must stay bounded."""

TokenKind = Literal[
    "through", "to", "at", "before", "after", "with", "stop", "steps", "fraction", "building", "end", "middle", "toofar",
    "turn", "place", "mention", "side", "corner", "break", "start", "straight", "ignore", "then", "cross",
]


@dataclass(frozen=True, slots=True)
class Token:
    """One typed piece of a sentence."""

    kind: TokenKind
    text: str
    start: int
    end: int
    sentence: int
    values: dict[str, str | int | None] = field(default_factory=dict)


_STARTERS = frozenset(
    "go turn take make head walk pass stop continue follow at after when the there you then once it if just this that keep "
    "cross proceed begin start immediately soon hang bear stay veer with on in as your next come enter exit be before do a "
    "an another don't destination from here now past going move end look hook while should until through about right left "
    "straight first second third both each one two three four five almost where travel finish get drive follows following "
    "for and but not so or to of by down up across along directly halfway half passing expect ensure notice remain "
    "towards toward pick merge remember facing face starting shortly near during again arrive cut heading his its my "
    "t y u i ts ok okay these those by they we he she is are was will also only near along please pause "
    "you'll you've you're it's there's i'll that's here's don't".split()
)

_CAPITAL = r"(?:\d+(?:st|nd|rd|th)?\s+(?=[A-Z]))?[A-ZÀ-Ý0-9](?:[\w'’&./+-]|(?<=\w)[!](?=\w))*"
_LINK = r"(?:\s+(?:of|the|de|la|le|du|von|on|for|in|and|&|at|by|to|y|et|n|a)(?=\s))*"
_NAME = re.compile(rf"(?<![\w'’]){_CAPITAL}(?:(?:{_LINK}|\s*[-–]|\s*&)\s*{_CAPITAL})*")

_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "couple": 2, "both": 2,
    "single": 1,
}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "1st": 1, "2nd": 2, "3rd": 3,
    "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8,
}
_NUMBER = "|".join(_NUMBERS) + r"|\d{1,2}"
_ORDINAL = "|".join(_ORDINALS)
_MODIFIERS = (
    r"(?:(?:the|a|an|your|that|this|these|those|both|all|each|every|very|any|more|other|another|immediate|immediately|next|"
    r"following|upcoming|subsequent|last|final|same|main|major|large|larger|big|huge|wide|small|smaller|tiny|little|long|"
    rf"short|quick|double|divided|angled|first|busy|of|traffic|available|possible|new|close|normal|4[- ]?way|four[- ]way|5-way|"
    rf"five-way|6-way|six-way|multi-way|3-way|three-way|forked|quiet|left|right|left-hand|right-hand|coming|street|{_ORDINAL}|"
    rf"{_NUMBER})\s+)*"
)
_LIGHT = (
    r"(?:(?:sets?|pairs?|couple) of )?(?:(?:double|traffic|stop|street|immediate|quick)[ -]?)*lights?(?: (?:street )?"
    r"(?:intersections?|corners?))?|stop ?lights?|(?:traffic )?signals?|"
    r"(?:intersections?|corners?|streets?) with (?:a |the )?(?:traffic |stop )?(?:lights?|signals?)"
)
_PLACES = (
    ("light", _LIGHT),
    ("T", r"(?:t|three-way|3-way)[ -]?(?:intersections?|junctions?|crossing)|ts\b|t\b|dead end"),
    ("side", r"(?:side|cross)[ -]?(?:streets?|roads?)|alley(?:way)?|(?:left|right)[ -](?:hand )?turns?|turn(?:ing)?(?= on)"),
    ("intersection", r"(?:lightless |unlit )?(?:four-way |4-way )?intersections?(?:,? (?:which has|with|that has) no (?:traffic |stop )?lights?|"
                     r",? without (?:a |any )?(?:traffic |stop )?lights?)?|crossroads?|junctions?|cross ?walks?|intersecting streets?|crossings?"),
    ("corner", r"corners?(?! of)"),
    ("fork", r"forks?|y(?:-intersection|-junction)?\b|split"),
    ("block", r"blocks?"),
    ("street", r"streets?|roads?|avenues?|opportunity"),
    ("one", rf"(?<=next )one|(?<=following )one|(?<=first )one|(?<=second )one|(?<=third )one|(?<=that )one|(?<=immediate )one"
            rf"|(?:{_ORDINAL})(?=\s*(?:[,.;]|$|\s(?:and|then|to|with|which|you)\b))"),
)
_TURN_FILL = (
    r"(?:(?:then|a|an|the|your|that|this|another|immediate|immediately|quick|next|following|available|possible|slight|slightly|"
    rf"sharp|sharply|hard|easy|to|onto|into|it|in|down|off|back|very|there|here|again|{_ORDINAL})\s+){{0,5}}"
)
_TAIL = r"[ -](?:hand )?(?:turn|fork|path|road|street|side[ -]streets?|branch|lane)s?"
_TURN = (
    r"(?P<verb>turn(?:s|ing|ed)?|tak(?:e|es|ing)|mak(?:e|es|ing)|made|hang|hook|bear(?:ing)?|veer(?:ing)?|merge|cut|swing)"
    rf"\s+(?P<fill>{_TURN_FILL})(?P<hand>left|right)(?P<tail>{_TAIL})?\b(?![ -](?:hand )?(?:side|corner)\b)"
)
_WEAK_TURN = (
    r"(?P<verb3>go(?:ing)?|head|keep|stay(?:ing)?|and|then|follow|do)"
    rf"\s+(?P<fill3>{_TURN_FILL})(?P<hand3>left|right)(?P<tail3>{_TAIL})?\b(?![ -](?:hand )?(?:side|corner)\b)"
    r"(?! (?:before|past|through|after|in front|when|next|as|up|behind|there|here|by|around|where|ahead)\b)"
)
_TURN_ON_SIDE = (
    r"(?P<that_turn>(?:take|make) (?:the|that|this) turn(?! on))|(?P<verb2>turn(?:ing)?)\s+(?:down|into|onto|on|in)\s+(?:the\s+)?(?P<fill2>(?:first|next|second|small|side)?\s*)"
    r"(?:side )?(?:street|road|alley)\s+(?:that is |which is )?(?:on|to)\s+(?:the|your)\s+(?P<hand2>left|right)"
    r"|(?P<verb4>take|taking|bear|veer|keep|stay|follow)\s+(?:the |a )?(?:fork|path|branch|street|road)?\s*(?:to|on)\s+(?:the|your)\s+"
    r"(?P<hand4>left|right)(?! side|[ -]hand side)"
)
_SIDE_ADJ = r"(?:immediate |far |near |close |direct |same |opposite |very |back )*"
_VOCABULARY: tuple[tuple[TokenKind, str], ...] = (
    ("toofar", r"too far|(?:gone|went|walked|passed|overshot|missed)[^.]{0,30}\btoo far|missed (?:it|your)|overshot"),
    ("ignore", r"(?:road|street|it|path|way|this|that|block|you)(?: will| then| slowly| slightly)* (?:curve|veer|bend|turn|curv)s? "
               r"(?:sharply |slightly |around |off )?(?:to the |to your )?(?:left|right)"
               r"|(?:opens?|veers?|curves?|bends?|branch(?:es)?|goes|going|leads?|intersects?|coming|extends?|heads?|off)"
               r" (?:only )?(?:off )?(?:to|on|from) (?:the|your) (?:left|right)(?: side)?(?: only)?"
               r"|do(?:n't| not) (?:turn|take|go|stop)[^,.]*|instead of[^,.]*|not (?:the|sharp|a)[^,.]*|(?:bus|subway|metro) stops? only"
               r"|option to[^,.]*|only [^,.]*left (?:and|or) right|left and right"
               r"|stay(?:ing)? on [^,.]{0,20}side|left or right|right or left"),
    ("corner", rf"(?:on|to|at|in|of)?\s*(?:the |your |its |each |both |all |opposite )*(?P<near>far|near|nearest|opposite|back|close|"
               rf"immediate|other|first)?[ -]?(?:side )?(?P<chand>left|right)[ -]?(?:hand )?(?:side )?corners?"
               r"|(?:on) (?:the |your |both |all |each |either |opposite |different |two |its |a )*(?P<near2>far|near|opposite|back)?"
               r" ?(?:side )?(?:street )?corners?(?: (?:on|to) (?:the|your) (?P<chand2>left|right))?"
               r"|at (?:the |your )?(?P<near3>far|near|opposite) (?:street )?corners?|on (?:the|your) far (?P<chand3>left|right)(?: side)?"
               r"|(?:to|on) (?:the|your) (?:far|near) (?P<chand4>left|right)"),
    ("side", rf"(?:on|to|at|along|off|onto)?\s*(?:the |your |its |you |one |you're )*{_SIDE_ADJ}(?<=\s)(?P<shand>left|right)[ -]?hand side"
             rf"|(?:on|to|at|along|off|by|onto) (?:the |your |its |you |you're )*{_SIDE_ADJ}(?P<shand2>left|right)"
             r"(?:[ -]hand)?(?: side)?(?: of (?:you|the (?:street|road)))?"
             r"|(?:down|along) (?:the |your )?(?:whole )?(?P<shand3>left|right) side"
             r"|(?:ahead|across|beyond)(?: of you)?(?: (?:the|from) (?:street|road|you))?(?: (?:on|to) (?:the|your) (?P<shand4>left|right))?"
             r"|(?:on|to) (?:either|both|each) sides?(?: of (?:the (?:street|road)|you))?"
             r"|in front of you|directly ahead"),
    ("turn", _TURN_ON_SIDE),
    ("turn", _TURN),
    ("turn", _WEAK_TURN),
    ("end", rf"(?:the )?(?:very )?end(?:ing)? of (?:the|this|that|your) (?:\w+ )?(?:block|street|road|way)|end of block|"
            r"(?:block|street|road)(?: |')s? ?ends?|(?:way|all the way) down the (?:block|street|road)|out of the street"),
    ("fraction", r"(?P<frac>(?:almost |about |nearly |just |exactly |a little |slightly |less than |more than |over |under )*"
                 r"(?:half[ -]?way|half|1/2|1/3|2/3|1/4|3/4|a third|one[- ]third|two[- ]thirds|a quarter|one[- ]fourth|"
                 r"one[- ]quarter|three[- ]quarters|three[- ]fourths|3 quarters|almost all(?: of)?|mid[- ]?block|most of)"
                 r"(?:[ -]?(?:of )?(?:the |a )?(?:way|block))?)|middle of (?:the|this|that) block|center of (?:the|this) block"
                 r"|(?:almost|nearly) (?:to|at|reach\w*|all the way|the end)"),
    ("building", rf"(?P<nth>{_ORDINAL}|last|final|next) (?:\w+ )?(?:building|door|store|shop|house|storefront)s?"
                 rf"|(?P<count>{_NUMBER}|few) (?:buildings|doors|stores|storefronts|shops)"),
    ("steps", rf"(?:a |an |the |one |just )?(?:few|couple|couple of|several|{_NUMBER}|single|quick|some|short|tiny|bit|one or two|step or two)?"
              r"(?: more| or two| or so| or 2| to 3| or 3)? ?(?:steps?|paces?|feet|foot|yards?|meters?|bit)(?: or two| or 2| or so)?\b"
              r"|short (?:distance|way)|soon after|shortly(?: after)?|immediately after|right after (?:you |the )?turn\w*"
              r"|(?:right |just |soon |immediately |shortly )?after (?:you )?(?:turn|mak|tak)(?:ing|e)?(?: (?:a|the|that|your))?"
              r"(?: (?:left|right))?(?: turn)?(?: the corner)?|after (?:the|your|this|that) turn|start of the (?:block|street|road)"),
    ("middle", r"(?:the )?(?:middle|center|centre|midpoint) of|inside"),
    ("stop", r"(?<!bus )(?<!bus)(?<!without )\b(?:come to a )?(?:stops?|stopping|halt)\b(?! ?(?:lights?|signs?|signals?))|destination|"
             r"(?:you(?:'ve|'ll| have| will)? )?(?:arriv\w+|reached your)|final (?:spot|location|place)|finish|"
             r"(?:^|\b(?:and|then|,) )end(?:ing)?(?: up)?\b|your (?:goal|end point)|end point|ending (?:right )?(?:in|at|just|before|point)"),
    ("cross", r"cross(?:ing)?(?: over)? (?:the |this |that |over )?(?:main |wide |next |divided |large |double |busy |major )*(?:street|road|avenue)s?"),
    ("through", r"(?:go|goes|going|walk\w*|head\w*|continu\w*|proceed\w*|pass\w*|cross\w*|keep going|straight|move|travel)?\s*\b"
                r"(?:straight |directly |right |on )?(?:through|past|by|across)\b(?: by)?"
                r"|pass(?:es|ed|ing)?(?: by| through| over)?\b|cross(?:es|ed|ing)?\b(?: over| through)?"),
    ("after", r"(?:right |just |immediately |soon |shortly |directly )*(?:after|beyond|past)\b|once (?:you )?(?:are |have |get )?"
              r"(?:past|pass\w*|cross\w*|through)"),
    ("before", r"(?:right |just |immediately |directly |shortly |well )*(?:before|short of|prior to|shy of)(?: you)?"
               r"(?: (?:reach|get|hit|com|enter|arriv)(?:ing|e)?(?: to| at)?)?\b|without (?:crossing|entering|going|passing)"),
    ("start", r"(?:the )?(?:beginning|start|edge|front|corner)(?:ning)? of|begins?\b|starts\b"),
    ("to", r"(?:to|until|till|unto|toward|towards)\b(?: you)?(?: (?:reach|get to|hit|come to|see|arrive at|find|encounter))?"
           r"|(?:reach|reaching|hit|hitting|get to|come to|comes to|coming to|arrive at|approach\w*|meets?)\b"),
    ("with", r"(?:with|there(?:'s| is| are| will be| should be| may be| might be)|you(?:'ll| will| should| can| may)(?: also)? (?:see|have|be)|"
             r"you see|has|have|having|it's|is|are|will be|should be|may be|be|where)\b"),
    ("at", r"(?:right |just |directly |immediately )*(?:at|in front of|next to|beside|by|near|opposite(?: of)?|across from|"
           r"alongside|outside|between|in|on|upon|onto|down|when you (?:see|get to|reach)|when|once|into|around|behind|adjacent to)\b"),
    ("straight", r"straight|forward"),
    ("then", r"\b(?:and )?then\b|\band\b|\bbut\b"),
    ("break", r"[,:;]"),
)


_PLACES_AFTER = 5
"""How many vocabulary entries go before the places: what sounds like a place but is a side or a turn."""


def _compile() -> tuple[re.Pattern[str], dict[str, tuple[TokenKind, str]]]:
    meaning: dict[str, tuple[TokenKind, str]] = {"mask": ("mention", "")}
    parts = [r"(?P<mask>\x01(?P<mask_id>\d+)\x02)"]
    for number, (kind, pattern) in enumerate(_VOCABULARY):
        if number == _PLACES_AFTER:
            parts += _place_parts(meaning)
        meaning[f"v{number}"] = (kind, "")
        tail = "" if kind == "break" else r"(?![\w])"
        parts.append(rf"(?P<v{number}>(?<![\w-])(?:{pattern}){tail})")
    return re.compile("|".join(parts)), meaning


def _place_parts(meaning: dict[str, tuple[TokenKind, str]]) -> list[str]:
    parts = []
    for place, words in _PLACES:
        meaning[f"place_{place}"] = ("place", place)
        parts.append(rf"(?P<place_{place}>(?<![\w-])(?P<mod_{place}>{_MODIFIERS})(?:{words})(?![\w]))")
    for index, category in enumerate(CATEGORIES):
        meaning[f"c{index}"] = ("mention", category.name)
        parts.append(rf"(?P<c{index}>(?<![\w-])(?:{category.words})(?![\w-]))")
    return parts


_MASTER, _MEANING = _compile()
_SENTENCE_VERB = re.compile(
    r"\s*([A-Z][a-z]+)\s+(?=(?:the|an?|to|your|straight|down|up|past|through|at|on|into|towards?|forward|left|right|this|that|"
    r"until|along|ahead|one|two|three|all|by|from|for|after|before)\b)"
)
_SENTENCE_END = re.compile(r"(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bAve)(?<!\bCo)(?<!\b[A-Z])[.!?]+(?=\s|$)|\n+")


def tokenize(text: str) -> tuple[list[Token], list[str]]:
    """Typed tokens of an instruction, in order, and the names that were masked (a mention's ``name`` indexes them)."""
    text = text[:MAX_CHARACTERS].replace("’", "'").replace("\x01", " ").replace("\x02", " ")
    tokens: list[Token] = []
    names: list[str] = []
    for sentence, (start, end) in enumerate(_sentences(text)):
        masked, origin = _mask_names(text[start:end], names)
        tokens += _sentence_tokens(masked.lower(), [start + k for k in origin], text, sentence, names)
    return tokens, names


def _sentences(text: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for stop in _SENTENCE_END.finditer(text):
        found.append((start, stop.start()))
        start = stop.end()
    found.append((start, len(text)))
    return [(a, b) for a, b in found if text[a:b].strip()]


def _mask_names(sentence: str, names: list[str]) -> tuple[str, list[int]]:
    """Replace capitalised names by numbered marks; also give each character's place in the sentence."""
    pieces, origin, done = [], list[int](), 0
    for match in _NAME.finditer(sentence):
        start, end = _trim(sentence, match.start(), match.end())
        if start >= end:
            continue
        mark = f"\x01{len(names)}\x02"
        names.append(sentence[start:end])
        pieces += [sentence[done:start], mark]
        origin += [*range(done, start), *([start] * len(mark))]
        done = end
    return "".join(pieces) + sentence[done:], origin + list(range(done, len(sentence) + 1))


def _trim(sentence: str, start: int, end: int) -> tuple[int, int]:
    """Take words that only begin a sentence or bind names off both ends of a capitalised run."""
    first = _SENTENCE_VERB.match(sentence) if not sentence[:start].strip() else None
    if first is not None and start < first.end(1) <= end:
        start = min(end, first.end())
    while start < end:
        word = re.match(r"\S+", sentence[start:end])
        text = word.group() if word else ""
        bare = text.lower().strip(".,!-")
        if bare in _STARTERS or bare.isdigit() or bare in _ORDINALS and end - start == len(text) or re.fullmatch(r"\d/\d|t-.*|\d-way", bare):
            start += len(text)
            start += len(sentence[start:end]) - len(sentence[start:end].lstrip())
        else:
            break
    while end > start and sentence[end - 1] in " .,-–&":
        end -= 1
    return start, end


def _sentence_tokens(lowered: str, origin: list[int], text: str, sentence: int, names: list[str]) -> list[Token]:
    tokens = []
    for match in _MASTER.finditer(lowered):
        if match.end() == match.start():
            continue
        kind, value = next(_MEANING[name] for name, found in match.groupdict().items() if found is not None and name in _MEANING)
        start, end = origin[match.start()], origin[min(match.end(), len(origin) - 1)]
        groups = match.groupdict()
        values: dict[str, str | int | None] = {}
        shown = text[start:end].strip()
        if match.lastgroup == "mask_id" or groups["mask"] is not None:
            number = int(groups["mask_id"])
            values, shown = {"name": number}, names[number]
        elif kind == "mention":
            values = {"category": value}
        elif kind == "place":
            values = {"place": value, **_modifiers(match.group() if value == "one" else groups[f"mod_{value}"] or "", match.group())}
        elif kind == "turn":
            values = _turn(groups)
        elif kind in ("side", "corner"):
            values = _position(kind, groups)
        elif kind == "building":
            values = {"nth": _ORDINALS.get(groups["nth"] or "", None), "last": int((groups["nth"] or "") in ("last", "final"))}
        tokens.append(Token(kind, shown, start, max(end, start), sentence, values))
    return tokens


def _modifiers(words: str, whole: str) -> dict[str, str | int | None]:
    parts = words.split()
    ordinal = next((_ORDINALS[word] for word in parts if word in _ORDINALS), None)
    count = next((_NUMBERS.get(word) or int(word) for word in parts if word in _NUMBERS or word.isdigit()), None)
    new = any(word in ("next", "following", "another", "more", "other", "upcoming", "subsequent") for word in parts)
    pointing = any(word in ("that", "this", "those", "these", "same") for word in parts)
    return {
        "ordinal": ordinal,
        "count": min(count, 12) if count else None,
        "new": int(new),
        "that": int(pointing),
        "immediate": int("immediate" in words or "quick" in words),
        "last": int("last" in parts or "final" in parts),
        "double": int("double" in whole or "pair of" in whole),
        "hand": next((word[:5].rstrip("-") for word in parts if word.startswith(("left", "right"))), None),
            }


def _turn(groups: dict[str, str | None]) -> dict[str, str | int | None]:
    verb = next((groups[key] for key in ("verb", "verb2", "verb3", "verb4") if groups[key]), None) or ""
    hand = groups["hand"] or groups["hand2"] or groups["hand3"] or groups["hand4"]
    fill = " ".join(groups[key] or "" for key in ("fill", "fill2", "fill3"))
    tail = (groups["tail"] or groups["tail3"] or "").strip(" -")
    slight = bool(groups["verb4"]) or verb.startswith(("bear", "veer", "keep", "stay", "merge")) or "slight" in fill or "fork" in tail or "branch" in tail
    values = _modifiers(fill, fill)
    values |= {"hand": hand, "slight": int(slight), "sharp": int("sharp" in fill or "hard" in fill)}
    values["side"] = int("street" in tail or "road" in tail or bool(groups["verb2"]) or values["ordinal"] is not None)
    return values


def _position(kind: str, groups: dict[str, str | None]) -> dict[str, str | int | None]:
    if kind == "corner":
        hand = groups["chand"] or groups["chand2"] or groups["chand3"] or groups["chand4"]
        near = groups["near"] or groups["near2"] or groups["near3"]
        return {"hand": hand, "near": near}
    return {"hand": groups["shand"] or groups["shand2"] or groups["shand3"] or groups["shand4"], "near": None}
