"""The turns that an instruction describes, in order, each with its words.

The grammar of `rules` reads the text. A turn is certain where the walker is told to make it ("turn
left at the light"). Where the same words may repeat a turn ("after turning left"), deny it ("ignore
the left turn"), or say how slight it is, it is possible; a side street or a bend of the road that
is only mentioned is doubtful. Words such as "follow the road
around" leave the side open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, Literal

from navviz.analysis.turns import RouteTurn, Side
from navviz.language.grammar.tokens import Token, tokenize

Certainty = Literal["certain", "possible", "doubtful", "open"]

_SIDE_WORD: Final = re.compile(r"\b(left|right)s?\b", re.IGNORECASE)

_NO_TURN: Final = frozenset({"side", "corner", "at", "after", "before", "steps", "through"})
"""Kinds of tokens whose "left" and "right" is where something stands, or an adverb."""

_READ: Final = frozenset({"turn", "mention", "place"})
"""Kinds of tokens within which no further word is taken for a turn."""

_COUNTED: Final = re.compile(
    r"\b(?:tak|mak)(?:e|ing)\s+(two|three|2|3)\s+(?:more\s+|quick\s+|immediate\s+|consecutive\s+)?"
    r"(left|right)(?:s\b|[ -](?:hand )?turns\b)",
    re.IGNORECASE,
)

_COUNTS: Final = {"two": 2, "2": 2, "three": 3, "3": 3}

_ONTO_SIDE: Final = re.compile(
    r"\btake\s+(?:the|your|that|this|a)\s+"
    r"(?:(?:first|second|third|next|immediate|small|side|cross)\s+){0,2}(?:street|road|alley)\s+"
    r"(?:that is\s+|which is\s+)?(?:on|to)\s+(?:the|your)\s+(left|right)\b",
    re.IGNORECASE,
)

_WEAK: Final = re.compile(r"(?:and|then|keep|stay|staying|follow|do)\b", re.IGNORECASE)

_LOOKS: Final = re.compile(r"\bto your (?:left|right)\b", re.IGNORECASE)
"""Who turns to a side may only look there."""

_CONDITION_BEFORE: Final = re.compile(r"\bif\b[^.;!?]*$", re.IGNORECASE)

_DENIAL_BEFORE: Final = re.compile(
    r"\b(?:if|ignor\w+|don't|do not|not|instead|avoid\w*|without|unless|option|either|or|can|could"
    r"|may|might|alternat\w+|only)\b[^.,;:!?]*$",
    re.IGNORECASE,
)
"""Words that make a turn of their clause a condition or a denial."""

_REPETITION_BEFORE: Final = re.compile(
    r"\b(?:after|once|when|where|as|while|before|until|till|street|road|path|that|which)\s+"
    r"(?:you(?:'ve|'ll| have| will)?\s+|it\s+|just\s+|making\s+|taking\s+)*$",
    re.IGNORECASE,
)
"""Words right before a turn that only refer to it: "after you turn left"."""

_DOUBT_AFTER: Final = re.compile(
    r"\s*(?:turn[ -]only|only|lane|or\b|and (?:left|right)|side of|is\b)", re.IGNORECASE
)

_MAIN_VERB: Final = re.compile(
    r"(?:\b(?:and|then|to|will|must|should|can|need|want)\b|[,;:])\s*"
    r"(?:you\s+)?(?:then\s+|immediately\s+|again\s+)*$",
    re.IGNORECASE,
)
"""What stands before a verb that begins a clause of its own: "pass the bank and turn left"."""

_OPEN: Final = re.compile(
    r"(?<!after )(?<!your )(?<!the )(?<!this )(?<!that )\bturn(?:s|ing|ed)?\b"
    r"|\btak(?:e|ing) (?!\d|one|two|three|four|an? (?:few|couple|step|extra)|another step|several"
    r"|care|some|about)"
    r"|\b(?:curv\w+|bend\w*|bent|veer\w*|bear\w*|fork\w*|around|u-turn|merg\w+|loop\w*|circl\w+"
    r"|wind\w*|snak\w+|branch\w*|diagonal\w*|angl\w+|split\w*|ramp|roundabout|twice|again|same"
    r"|repeat\w*|back|follow(?!ing)\w*|u|jog|zig\w*|swerv\w*|dead[ -]end|onto"
    r"|reverse|face|facing)\b",
    re.IGNORECASE,
)

_CLAUSE_END: Final = ".;!?"


@dataclass(frozen=True, slots=True)
class DescribedTurn:
    """One turn in the words of an instruction."""

    start: int
    """Where the word for it stands in the instruction, in characters: its "left" or "right"."""
    end: int
    side: Side | None
    """``None`` where the words leave the side open."""
    certainty: Certainty
    sentence: int = 0
    """Number of the sentence, to tell where sentences end."""


def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the grammar's tokens of an instruction."""
    tokens, _ = tokenize(text)
    return tokens


@lru_cache(maxsize=4096)
def described_turns(text: str) -> tuple[DescribedTurn, ...]:
    """List the turns that an instruction describes, in the order of its words."""
    tokens = tokens_of(text)
    counted = list(_counted(text))
    # these are read as a whole: a side word within them is no second turn
    taken = [match.span() for match in (*_COUNTED.finditer(text), *_ONTO_SIDE.finditer(text))]
    sided = [turn for turn in _sided(text, tokens) if not _within(turn.start, taken)]
    spans = [(token.start, token.end) for token in tokens if token.kind in _READ]
    opened = _opened(text, [*spans, *taken])
    return tuple(sorted((*counted, *sided, *opened), key=lambda turn: (turn.start, turn.end)))


def clause_around(text: str, start: int, end: int) -> str:
    """Return the clause around a word, at most about 90 characters of whole words."""
    begin = max(text.rfind(mark, 0, start) for mark in _CLAUSE_END) + 1
    stops = [text.find(mark, end) for mark in _CLAUSE_END]
    stop = min((place for place in stops if place >= 0), default=len(text))
    cut_begin, cut_stop = max(begin, start - 60), min(stop, end + 30)
    words = text[cut_begin:cut_stop].split()
    # the cut fell into a word, which goes
    if cut_begin > begin and not text[cut_begin - 1].isspace():
        words = words[1:]
    if cut_stop < stop and not text[cut_stop].isspace():
        words = words[:-1]
    before = "… " if cut_begin > begin else ""
    after = " …" if cut_stop < stop else ""
    return f"{before}{' '.join(words)}{after}"


def _within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _side_of(word: str) -> Side:
    return "left" if word.lower().startswith("left") else "right"


def _counted(text: str) -> Iterator[DescribedTurn]:
    """Read "two left turns", "two more rights"."""
    for match in _COUNTED.finditer(text):
        turn = DescribedTurn(match.start(2), match.end(2), _side_of(match[2]), "certain")
        # the same words stand for each of the turns
        yield from [turn] * _COUNTS[match[1].lower()]
    for match in _ONTO_SIDE.finditer(text):
        yield DescribedTurn(match.start(1), match.end(1), _side_of(match[1]), "certain")


def _sided(text: str, tokens: Sequence[Token]) -> Iterator[DescribedTurn]:
    for word in _SIDE_WORD.finditer(text):
        around = [token for token in tokens if token.start <= word.start() < token.end]
        token = around[0] if around else None
        if token is not None and token.kind in _NO_TURN:
            continue
        if token is not None and token.kind == "mention":
            continue
        sentence = token.sentence if token is not None else 0
        certainty: Certainty = "doubtful"
        if token is not None and token.kind == "turn":
            certain = _is_certain(text, token, word, tokens)
            certainty = "certain" if certain else "possible"
        yield DescribedTurn(word.start(), word.end(), _side_of(word[1]), certainty, sentence)


def _is_certain(text: str, token: Token, word: re.Match[str], tokens: Sequence[Token]) -> bool:
    """Tell whether a walker is told to make this turn here, beyond doubt."""
    # such a sentence says what lies beyond the goal, and asks for no turn
    beyond = [each for each in tokens if each.sentence == token.sentence and each.kind == "toofar"]
    if beyond or token.values.get("slight") or token.values.get("that"):
        return False
    if _WEAK.match(token.text) or _LOOKS.search(token.text):
        return False
    if _DOUBT_AFTER.match(text, word.end()):
        return False
    before = text[: token.start]
    if _CONDITION_BEFORE.search(before) is not None:
        return False
    # before the denials: in "do not stop, and turn left" the turn is meant
    if _MAIN_VERB.search(before) is not None:
        return True
    return not (_DENIAL_BEFORE.search(before) or _REPETITION_BEFORE.search(before))


def _opened(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[DescribedTurn]:
    """Yield words that may be a turn to either side, outside of turns that are read already."""
    for word in _OPEN.finditer(text):
        if not _within(word.start(), spans):
            yield DescribedTurn(word.start(), word.end(), None, "open")


Pair = tuple[int, int]

_OTHER_SIDE: Final = 1.0

_UNMADE: Final = 1.2
"""A certain turn of the text for which the route has none."""

_UNMADE_AT_END: Final = 0.8
"""The first may be made on the spot, the last where the route ends."""

_UNSAID: Final = 1.2
"""A clear turn of the route for which the text has no words."""

_MAYBE: Final = 0.1
"""A possible turn, or an unclear bend, that is left out."""

_OPEN_TURNS: Final = 0.6
"""A clear turn of the route told by words that leave the side open."""

_POSSIBLE: Final = 0.4
"""A clear turn of the route told by words that may repeat or deny a turn."""

_DOUBTFUL: Final = 0.8
"""A clear turn of the route told by words that only mention a street or a bend."""

_BEND: Final = 0.5
"""A bend of less than 40 degrees told as a turn."""

_BEND_DEG: Final = 40.0

_NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class TurnAlignment:
    """The cheapest alignment."""

    pairs: tuple[Pair, ...]
    """Indices of a described turn and of the turn of the route that it is."""
    cost: float


def align_turns(
    described: Sequence[DescribedTurn],
    route: Sequence[RouteTurn],
    *,
    without: Pair | None = None,
    with_words: int | None = None,
) -> TurnAlignment:
    """Align described turns with the turns of a route at the least cost."""
    rows, columns = len(described), len(route)
    best = [[_NEVER] * (columns + 1) for _ in range(rows + 1)]
    best[0][0] = 0.0
    certain = [k for k, turn in enumerate(described) if turn.certainty == "certain"]
    unmade = []
    for k, turn in enumerate(described):
        if turn.certainty == "open":
            unmade.append(0.0)
        elif turn.certainty in {"possible", "doubtful"}:
            unmade.append(_MAYBE)
        else:
            unmade.append(_UNMADE_AT_END if k in (certain[0], certain[-1]) else _UNMADE)
    unsaid = [_unsaid_cost(turn) for turn in route]
    if with_words is not None:
        unsaid[with_words] = _NEVER
    for i, j in product(range(rows + 1), range(columns + 1)):
        # 0 at the very beginning, infinite everywhere else
        steps = [best[i][j]]
        if i:
            steps.append(best[i - 1][j] + unmade[i - 1])
        if j:
            steps.append(best[i][j - 1] + unsaid[j - 1])
        if i and j and (i - 1, j - 1) != without:
            steps.append(best[i - 1][j - 1] + _pair_cost(described[i - 1], route[j - 1]))
        best[i][j] = min(steps)
    return TurnAlignment(_pairs(described, route, best, unmade, without), best[rows][columns])


def _pairs(
    described: Sequence[DescribedTurn],
    route: Sequence[RouteTurn],
    best: Sequence[Sequence[float]],
    unmade: Sequence[float],
    without: Pair | None,
) -> tuple[Pair, ...]:
    """Trace the cheapest alignment back."""
    i, j = len(described), len(route)
    pairs: list[Pair] = []
    while i or j:
        pair = (i - 1, j - 1)
        if i and j and pair != without:
            cost = best[i - 1][j - 1] + _pair_cost(described[i - 1], route[j - 1])
            # exactly equal, since the same two numbers were added before
            if best[i][j] == cost:
                pairs.append(pair)
                i, j = pair
                continue
        if i and best[i][j] == best[i - 1][j] + unmade[i - 1]:
            i -= 1
        else:
            j -= 1
    return tuple(reversed(pairs))


def _unsaid_cost(turn: RouteTurn) -> float:
    return _UNSAID if turn.clear else _MAYBE


def _pair_cost(described: DescribedTurn, made: RouteTurn) -> float:
    if described.side is None:
        return _OPEN_TURNS if made.clear else 0.0
    certain = described.certainty == "certain"
    if described.side != made.side:
        # a pair may disagree only where both sides are beyond doubt
        return _OTHER_SIDE if certain and made.clear else _NEVER
    if certain:
        return _BEND if abs(made.angle_deg) < _BEND_DEG else 0.0
    if not made.clear:
        return 0.0
    return _DOUBTFUL if described.certainty == "doubtful" else _POSSIBLE


SIDE: Final = re.compile(r"\b(left|right)\b", re.IGNORECASE)

OTHER_SIDE: Final = {"left": "right", "right": "left"}

_BETWEEN: Final = re.compile(
    r"\s*+,?\s*+(?:which|that)?\s*+(?:is|should be|will be|would be|now)?\s*+"
    r"(?:now|just|located)?\s*+"
    r"(?:on|to|at)\s++(?:the|your)\s++(?:(?:far|near|immediate)\s++)?(left|right)"
    r"(?P<tail>[ -]hand)?(?:\s+side)?(?P<corner>\s+corner)?\b",
    re.IGNORECASE,
)

_OTHER_FRAME: Final = re.compile(
    r"\s*(?:of\b|and (?:the )?(?:left|right)|or\b|when you\b|after (?:you|the|your|this) turn"
    r"|after turning)",
    re.IGNORECASE,
)
"""What follows a side that is not the walker's own, or holds after a turn."""

_DOUBT: Final = re.compile(
    r"\b(?:too far|across|opposite|behind|if|not|don't|facing|diagonal\w*|between|other side|both"
    r"|before you|ahead|after (?:you|the|your|this) turn\w*|after turning)\b",
    re.IGNORECASE,
)

_SENTENCE: Final = re.compile(r"[^.;!?]+")


@dataclass(frozen=True, slots=True)
class DescribedSide:
    """A named place with the side on which the instruction puts it."""

    name: str
    start: int
    """First character of the name; `end` is the one after the side."""
    end: int
    side: Side
    side_start: int
    side_end: int


@lru_cache(maxsize=4096)
def described_sides(text: str) -> tuple[DescribedSide, ...]:
    """List the named places whose side an instruction states beyond doubt, in order."""
    return tuple(_described(text))


def _described(text: str) -> Iterator[DescribedSide]:
    for token in tokens_of(text):
        if token.kind != "mention" or "name" not in token.values:
            continue
        # right behind the name: a side further on may be that of something else
        match = _BETWEEN.match(text, token.end)
        if match is None or _OTHER_FRAME.match(text, match.end()):
            continue
        if _DOUBT.search(_sentence_around(text, token.start)):
            continue
        side: Side = "left" if match[1].lower() == "left" else "right"
        name = text[token.start : token.end]
        yield DescribedSide(name, token.start, match.end(), side, match.start(1), match.end(1))


def _sentence_around(text: str, place: int) -> str:
    for sentence in _SENTENCE.finditer(text):
        if sentence.start() <= place < sentence.end():
            return sentence[0]
    return ""
