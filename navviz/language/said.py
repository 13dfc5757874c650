"""What thoughts, replies and plans say of sides, counts and completion, in any voice.

One lexicon for all that reads a model's words: "bear off to the right", "round to the left-hand
side", "take the second left", "-> L.", ``TURN_LEFT``; "the third set of lights", "two blocks";
"that part is finished", "still under way"; "I cannot find the bakery". What is only said of a place
("the shop on the left"), denied ("do not turn left") or meant otherwise ("right now") is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from navviz.language.mentions import readable

Side = Literal["left", "right"]

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SaidCount:
    """A number of junctions of one kind."""

    number: int
    thing: Literal["light", "intersection"]
    ordinal: bool
    """"the second light", not "two lights"."""
    span: Span


def _any(*phrases: str) -> str:
    """Return a pattern for any of some phrases, each of them words with single blanks."""
    return f"(?:{'|'.join(phrases)})"


def _words(text: str) -> str:
    return _any(*text.split())


DOES: Final = (
    r"(?:turn|go|walk|stop|pass|continu|tak|mak|head|keep|proceed|follow|bear|veer|cross|mov|stay"
    r"|look|there|see|you|reach|driv|straight)"
)
"""Words with which a new thing to do begins."""

_SHORT: Final = (
    "st", "ave", "bros", "dr", "mt", "jr", "sr", "no", "blvd", "rd", "pl", "sq", "co", "inc", "ft",
    "mr", "mrs", "ms", "hwy",
)  # fmt: skip

_OPENS: Final = (
    rf"(?:{DOES}(?:ue|e|ing)?\b|"
    + _words("the at on in when after once then and if before just next it this that your a an")
    + r"\b)"
)

_UNSHORTENED: Final = "".join(rf"(?<!\b{word})" for word in _SHORT) + r"(?<![\s.][a-z])"

SENTENCE_END: Final = rf"(?:[!?]|{_UNSHORTENED}\.|\.(?=\s+{_OPENS})|\.(?=\s*$))(?=\s|$)"
"""The end of a sentence, where case is ignored: "Mt. Hill" and "J. Miller" have none within."""

_FILLERS: Final = _words(
    "a an the to my your our its off around round over back in into on onto toward towards of and"
    " then now here there again once more sharply sharp slightly slight hard soft gently gentle"
    " quick quickly immediately immediate"
    " simply just next very first second third fourth fifth 1st 2nd 3rd"
    " 4th 5th last only available possible upcoming another this that myself ourselves us"
    " course direction heading it street road corner junction intersection crossing light me some"
)

_FILL: Final = rf"(?:\s{{1,9}}|-)(?:{_FILLERS}(?:\s{{1,9}}|-)){{0,6}}"

_VERBS: Final = (
    _words(
        "turn tak mak go head bear veer hang swing cut bank curv peel steer mov proceed round wheel"
        " hook pull angl branch swerv shift rotat pivot filter fork exit keep dart duck nip slip"
        " switch chang execut perform do need want requir choos pick select follow break sweep tack"
        " lean com walk step drift twist spin continu gonna"
    )
    + _any("e", "es", "s", "ing", "ning", "ting", "ping", "ed", "d", "")
    + "(?: go)?"
)

_BESIDE: Final = (
    r"(?!(?:-?hand)?\s{1,9}"
    + _words(
        "corner sidewalk pavement window lane away now behind beside answer choice one way"
        " place order node track moment there in"
    )
    + r"\b)"
)

_WORD: Final = r"(?P<side{n}>left|right)(?:[- ]?hand(?:[- ]side)?|wards?)?\b"

_NTH: Final = _words("first second third fourth fifth next last 1st 2nd 3rd 4th 5th")

_ONE: Final = (
    rf"(?:an?|another|(?:the\s{{1,9}})?{_NTH}|sharp|hard|slight|immediate|quick|gentle|my|that|"
    r"required|due|instructed|planned)\s{1,9}(?:(?:sharp|slight|hard)\s{1,9})?"
)

_BEHIND: Final = (
    r"(?=\s{1,9}"
    + _words("turn at on onto into here there now is was by when once after and of brings has")
    + r"\b|\s{0,9}[.,;:!?)]|\s{0,9}$)"
)

_CLAUSE_BEGINS: Final = (
    r"(?:^|[.;:!?\n(]\s{0,9}|,\s{0,9}|\b(?:then|so|and|now|next|hence|thus|wait)\s{1,9})"
)

_GOES_ON: Final = (
    r"(?=\s{1,9}"
    + _words(
        "at on onto into here there by past after around again toward towards along down up it"
    )
    + r"\b(?!\s{1,9}(?:the\s{1,9})?(?:left|right|hand))|\s{0,9}[.!;,]|\s{0,9}$)"
)

_SIGN: Final = (
    r"(?:-+>|=+>|→|➜|\b(?:action|move|direction|go|decision|turn)\"?\s{0,9}[:=])\s{0,9}\"?\[?"
)

_SIDES: Final = re.compile(
    _any(
        # a verb, and the side it leads to
        rf"\b{_VERBS}{_FILL}{_WORD.format(n=1)}{_BESIDE}",
        # "a left", "the second right", "another left turn"
        rf"\b{_ONE}{_WORD.format(n=2)}{_BEHIND}",
        rf"\b{_WORD.format(n=3)}[- ]?(?:turn(?:ing)?s?|branch)\b",
        # a clause that begins with the side: "Left at the corner", "then right onto Elm"
        rf"{_CLAUSE_BEGINS}(?P<side4>left|right){_GOES_ON}",
        # signs and short forms
        rf"{_SIGN}(?P<side5>left|right|l|r)\b",
        r"\b(?P<side6>l|r)[- ]turn",
    ),
    re.IGNORECASE | re.MULTILINE,
)

_DENIED: Final = re.compile(
    r"(?:\b(?:not|never|no|without|instead of|rather than|avoid(?:ing)?|neither|nor|cannot"
    r"|too (?:early|soon) to|have|has|had)|n't)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)

_STANDS: Final = re.compile(
    r"\b(?:is|are|was|were|be|lies?|stands?|sits?|located|appears?|see|listed|river|stop|road|church"
    r"|bank|park|shop|cafe|hotel|building|landmark)\s+(?:\w+\s+){0,3}?(?:on|to|at|off to)\s+"
    r"(?:the|my|your|our|its)\s*(?:far|near|immediate)?\s*$",
    re.IGNORECASE,
)


def said_sides(text: str) -> tuple[tuple[Side, Span], ...]:
    """List the turns to a side that a text speaks of, in order, each with its place."""
    # plans write TURN_LEFT; one character for one, so that places stay
    plain = text.replace("_", " ")
    spans: list[tuple[Side, Span]] = []
    for match in _SIDES.finditer(plain):
        at = match.start(match.lastgroup or 0)
        before = plain[max(0, match.start() - 40) : match.start()]
        if _DENIED.search(before) or _STANDS.search(plain[max(0, at - 60) : at]):
            continue
        side: Side = "left" if match[match.lastgroup or 0].lower().startswith("l") else "right"
        spans.append((side, match.span()))
    return tuple(spans)


def sides_of(text: str) -> tuple[Side, ...]:
    """List the sides to which a text turns, in order, as far as an instruction goes."""
    return tuple(side for side, _ in said_sides(readable(text)))


_NUMBERS: Final = {
    "1": 1, "one": 1, "first": 1, "1st": 1, "next": 1, "following": 1, "single": 1, "nearest": 1,
    "2": 2, "two": 2, "second": 2, "2nd": 2, "both": 2, "pair of": 2, "couple of": 2, "twice": 2,
    "3": 3, "three": 3, "third": 3, "3rd": 3, "4": 4, "four": 4, "fourth": 4, "4th": 4,
    "5": 5, "five": 5, "fifth": 5, "5th": 5, "6": 6, "six": 6, "sixth": 6, "6th": 6,
}  # fmt: skip

_LIGHTS: Final = (
    r"(?:stop|traffic|street)?[ -]?(?:lights?|signals?)|traffic[ -]signals?|stoplights?"
)

_CROSSINGS: Final = (
    r"intersections?|junctions?|crossings?|crossroads?|cross[- ]?streets?|(?:street )?corners?"
    r"|blocks?|side[- ]?streets?|t[- ]junctions?"
)

_BETWEEN: Final = _words(
    "more sets? of the big small large major main such whole city further full busy"
    " signali[sz]ed these those red green upcoming consecutive separate way street"
)

_NUMBERED: Final = r"light|signal|intersection|junction|crossing|corner|crossroads|block"

_COUNTS: Final = re.compile(
    rf"\b(?P<number>{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\b"
    rf"(?:[ -]+{_BETWEEN}\b){{0,3}}[ -]+(?P<thing>{_LIGHTS}|{_CROSSINGS})\b"
    rf"|\b(?P<thing2>{_NUMBERED})\s*(?:number|no\.?|nr\.?|#|:)?\s*"
    r"(?P<number2>one|two|three|four|five|six|[1-6])\b(?!\s*(?:m|metres|meters|%|°|-))"
    rf"|(?P<number3>[1-6])\s*[x×]\s*(?P<thing3>{_LIGHTS}|{_CROSSINGS})\b",
    re.IGNORECASE,
)


def said_counts(text: str) -> tuple[SaidCount, ...]:
    """List the numbers of lights and intersections that a text speaks of, in order."""
    spans = []
    for match in _COUNTS.finditer(text.replace("_", " ")):
        word = (match["number"] or match["number2"] or match["number3"]).lower()
        thing = (match["thing"] or match["thing2"] or match["thing3"]).lower()
        kind: Literal["light", "intersection"] = (
            "light" if re.search(r"light|signal|semaphore", thing) else "intersection"
        )
        ordinal = match["number"] is not None and word.endswith(("st", "nd", "rd", "th"))
        spans.append(SaidCount(_NUMBERS[word], kind, ordinal, match.span()))
    return tuple(spans)


STRAIGHT: Final = re.compile(
    r"\bstraight\b|\b(?:go|goes|going|carry|keep|walk|head|press|push|move|moving)\w*"
    r" (?:on|ahead|forward|going)\b|\bforward\b|\bonward",
    re.IGNORECASE,
)

"""Words for going straight on."""

_NOT: Final = r"(?:not|n't|never|cannot|hardly)"

_ENDED: Final = _any(
    "complet(?:e|ed|es|ing|ion)", "finish(?:ed|es)?", "done", "accomplish(?:ed|es)?",
    "achieved?", "fulfil(?:s|l|led)?", "satisf(?:y|ied|ies)", "over", "met", "reached", "closed",
    "executed", "carried out", "settled", "concluded?s?", "arrived", "passed", "made", "there",
    "taken", "got there", "at the", "found", "seen", "enough", "quite", "yet",
)  # fmt: skip

_OPEN: Final = re.compile(
    _any(
        rf"{_NOT}(?:\s+\w+){{0,2}}?\s+{_ENDED}\b",
        r"\b(?:in[ _-]?progress|ongoing|under ?way|unfinished|incomplete|uncompleted|undone)\b",
        r"\b(?:pending|todo|to-do|halfway|half[- ]way|mid-?way|outstanding|partially|partly)\b",
        r"\byet to\b",
        r"\bstill\b",
        r"\b(?:remains?|stays?|stayed|keep(?:ing)?(?: it| this| the \w+)?) (?:open|active|to be)\b",
        r"\b(?:cannot|can't|can not) (?:yet )?(?:be )?(?:tick|clos|mark|check)",
        r"\btoo (?:soon|early) to\b",
        r"\bmore (?:road|way|walking)\b",
        r"\bpart of (?:the way|this)\b",
        r"\bcontinues in the next\b",
        r"\b(?:needs?|requires?|wants?) (?:another|one more|more|further)\b",
        r"(?<!no )\bfurther \w+ is (?:required|needed)\b",
        r"\bwork in hand\b",
        r"\[ \]",
    ),
    re.IGNORECASE,
)

_DONE: Final = re.compile(
    _any(
        r"\bcomplet(?:e|ed|es|ion)\b",
        r"\b(?:finish(?:ed|es)|done|accomplished|achieved|fulfil(?:s|led)|satisf(?:ied|ies))\b",
        r"\b(?:is|are|was|been|so) (?:now )?(?:over|met|reached|made|closed|executed|settled)\b",
        r"\b(?:ha(?:ve|s)|'ve|i|we)(?: now| just| been)* "
        r"(?:made|reached|arrived|taken|passed|executed)",
        r"\bcarried out\b",
        r"\bgoal (?:is )?reached\b|\bclosed it\b|\bclosed:",
        r"\b(?:tick|check|cross)(?:ed|s)?(?: \w+)? off\b|\bticked\b",
        r"\bclose (?:it|this|that)\b|\bcan be closed\b",
        r"\bwrap(?:s|ped)? \w+(?: \w+)? ?up\b|\bwrap up\b",
        r"\bconclude[sd]?\b",
        r"\bmission over\b|\ball set\b|\bthat(?:'s| is) (?:that|it)\b",
        r"\bnothing (?:more|else|left) (?:to|of|for)\b|\bno further (?:action|step|move)\b",
        r"\bends this (?:step|leg|line|part|item)\b|\bmarks the end\b",
        r"\b(?:on|over) to the next (?:sub|step|line|item|task|leg|instruction)",
        r"\bbehind (?:me|us)\b",
        r"\bsuccess(?:fully)?\b",
    ),
    re.IGNORECASE,
)


def says_done(text: str) -> bool | None:
    """Whether a text calls its part of the plan done (true) or still open (false)."""
    if _OPEN.search(text):
        return False
    return True if _DONE.search(text) else None


_SHOWN: Final = _any(
    "visible", "shown", "listed", "present", "seen?", "apparent", "found", "find", "available",
    "mentioned?", "contain(?:ed)?", "included?", "show", "list", "hold", "appear", "spot", "locate",
    "confirm", "identify", "have", "there", "provided", "given", "in (?:the|this|my|view|sight)",
)  # fmt: skip

_NONE: Final = _any(
    "sign", "trace", "mention", "visible", "explicit", "specific", "pois?", "landmarks?", "such",
    "entry", "indication", "information", "data",
)  # fmt: skip

_MISSING: Final = re.compile(
    _any(
        rf"(?:n't|\bnot|\bnever|\bno longer|\bcannot|\bunable to)\s+(?:\w+\s+){{0,3}}?{_SHOWN}\b",
        r"\b(?:missing|absen(?:ce|t)|lack(?:s|ing|ed)?|nowhere|unseen|empty|invisible|unlisted)\b",
        r"\b(?:unavailable|out of (?:view|sight)|without (?:any|a|explicit))\b",
        rf"\bno {_NONE}\b",
    ),
    re.IGNORECASE,
)

_CLAUSE: Final = re.compile(r"(?:[^.!?;\n]|[.](?=\w))+[.!?;]?")


def missing_clauses(text: str) -> Iterator[Span]:
    """Yield the clauses of a text that say of something that it is not to be seen."""
    for clause in _CLAUSE.finditer(text):
        if _MISSING.search(clause[0]):
            yield clause.end() - len(clause[0].lstrip()), clause.end()
