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
from typing import Final, Literal

from navviz.analysis.route_turns import Side
from navviz.systems.rules.grammar.tokens import Token, tokenize

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
