"""The acts that an instruction asks for on streets, placed on the episode's route.

The text is read and aligned with the reference path by the reader and placing of `rules`
(`navviz.language`). Then each turn of the route takes the turn of its side that the text tells
there. A turn of the route without one is *unsaid*; a told turn without one is *loose*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from navviz.analysis.crossings import has_light, is_crossing
from navviz.analysis.described_route import clause_around, described_turns
from navviz.analysis.told_route import ToldRoute, lengths_along
from navviz.analysis.turns import Side, WalkedTurn, walked_turns
from navviz.language.grammar.grammar import Reading, Unit, read_instruction
from navviz.language.placing.routes import GivenRoute, route_to
from navviz.language.said import SENTENCE_END
from navviz.records import Episode
from navviz.records.act import Act, ActKind
from navviz.world.graph import Graph
from navviz.world.per_graph import per_graph

TURN_DEG: Final = 35.0
"""A junction with a smaller change of heading is passed straight on."""

_JOG_M: Final = 25.0
"""Turns nearer to each other than this that cancel out lead over an offset junction."""

_JOG_ARM_M: Final = 8.0
"""How far from a junction its arms are judged where the text tells two turns in a jog."""

_SLIGHT_DEG: Final = 15.0

_UNSAID: Final = 1.8
"""What a turn of the route without words costs; a told turn that is not made costs 1."""

THERE_M: Final = 40.0
"""A told turn placed nearer than this to a turn of the route is that turn."""

_LIGHT_M: Final = 60.0

_NEVER: Final = float("inf")

_LONGEST_QUOTE: Final = 110

_SENTENCE: Final = re.compile(rf"{SENTENCE_END}(?:\s|$)", re.IGNORECASE)

_CLAUSE: Final = re.compile(
    rf"(?:[;,]|{SENTENCE_END})\s+(?:and\s+|then\s+)*|\b(?:and|then|but)\s+", re.IGNORECASE
)

_DESCRIBES: Final = re.compile(
    r"\b(?:you(?:'ll| will| should| might| may) (?:also )?see"
    r"|there(?:'s|'ll| is| are| will| should)|it(?:'ll| will))\b",
    re.IGNORECASE,
)

_COMMANDS: Final = re.compile(
    r"\b(?:turn|tak|mak|go|head|continu|walk|keep|follow|pass|stop|proceed|bear|veer|cross|driv|mov)",
    re.IGNORECASE,
)

_BOTH: Final = re.compile(
    r"\bleft (?:and|or)\b.{0,12}\bright\b|\bright (?:and|or)\b.{0,12}\bleft\b", re.IGNORECASE
)

_COUNTED: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|next|1st|2nd|3rd|4th|two|three|four|five|both|[2-5])\b",
    re.IGNORECASE,
)

_CONDITION: Final = re.compile(
    r"\b(?:if|not|n't|too far|ignor\w+|instead|without|could)\b"
    r"|\b(?:should|will|may|might) be\b[^,;]*\b(?:and|off|ahead|up) to the (?:left|right)"
    r"|\bbefore (?:the|your) (?:road|street|path) \w+ ",
    re.IGNORECASE,
)
"""Words of a clause that tells no turn to make."""

_NEGATION: Final = re.compile(r"\bnot to (?:turn|take|make|go|bear|veer)\b", re.IGNORECASE)

_SIDE_STREET: Final = re.compile(
    r"[ -](?:hand )?(?:side[ -]?)?(?:street|road|alley)\b", re.IGNORECASE
)

_SAID_SHORT: Final = re.compile(
    r"(?:,|\band|\bthen|\bmore)\s+(?:an?\s+)?(?:immediate(?:ly)?\s+|quick\s+)?"
    r"(left|right)\s+(?:at|onto|into|again|after)\b(?:\s+[\w'-]+){0,5}",
    re.IGNORECASE,
)
"""A turn whose verb stands with the turn before it: "turn left here, right at the one after"."""

_STOPS: Final = re.compile(
    r"\b(?:s?top\w*|destination|goal|finish\w*|arriv\w*|end|final|halt|pause)\b", re.IGNORECASE
)

_AFTERTHOUGHT: Final = re.compile(
    r"\btoo far\b|^if\b|\b(?:should|will|may) be\b|\b(?:is|are) (?:on|to|at|in)\b", re.IGNORECASE
)

_LIGHT: Final = re.compile(r"stop|light|signal", re.IGNORECASE)

_ENTERS: Final = re.compile(r"\b(?:turn|tak|enter|down|onto|into)\w*\b", re.IGNORECASE)

_CROSS_OVER: Final = re.compile(
    r"\bcross(?:ing)?(?: over)?(?: the (?:street|road|intersection))?(?: over)?"
    r" (?:to|on|toward|towards) (?:the|your) (left|right)\b(?![ -](?:hand )?(?:side|corner))",
    re.IGNORECASE,
)

_AT_JUNCTION: Final = re.compile(
    r"\b((?:stop ?)?lights?|signals?|intersections?|junctions?|crossings?|crossroads|corner)\b"
    r"(?:(?!\b(?:pass\w*|past|after|before|until|reach\w*|see|go|walk|turn)\b)[^.;!?]){0,40}"
    r"\b(?:with|by|at|near|where|beside|next to)\s+(?:the |a |an |there is |there's ){0,2}$",
    re.IGNORECASE,
)
"""Words before a landmark that only says which junction is meant."""

_BEND: Final = re.compile(
    r"\b(?:slight\w*|bear\w*|veer\w*|curv\w+|bend\w*|fork"
    r"|(?:keep|stay)\w*(?: to the)? (?:left|right))\b",
    re.IGNORECASE,
)

_TURN_NOUN: Final = re.compile(r"[ -](?:hand )?turns?\b", re.IGNORECASE)

_KEPT: Final = 4096


@per_graph
def _told_routes(graph: Graph) -> dict[tuple[str, tuple[str, ...]], ToldRoute]:
    del graph
    return {}


def told_route(episode: Episode, graph: Graph) -> ToldRoute:
    """Read the acts of an episode and place them on its reference path."""
    kept = _told_routes(graph)
    key = (episode.instruction, episode.reference_path)
    if key not in kept:
        if len(kept) >= _KEPT:
            kept.clear()
        kept[key] = _read(episode, graph)
    return kept[key]


def street_turns(path: Sequence[str], graph: Graph) -> list[WalkedTurn]:
    """List the turns of a walk, without those of an offset junction: two within 25 m to both sides,
    after which it goes on as before.
    """
    turns, bends = walked_turns(path, graph, TURN_DEG), walked_turns(path, graph, _SLIGHT_DEG)
    along_m = lengths_along(path, graph)

    def cancels(turn: WalkedTurn, bend: WalkedTurn) -> bool:
        near = abs(along_m[turn.place] - along_m[bend.place]) <= _JOG_M
        return near and turn.side != bend.side and abs(turn.angle_deg + bend.angle_deg) < TURN_DEG

    return [turn for turn in turns if not any(cancels(turn, bend) for bend in bends)]


def _read(episode: Episode, graph: Graph) -> ToldRoute:
    path, text = episode.reference_path, episode.instruction
    along_m = lengths_along(path, graph)
    reading = read_instruction(text)
    units, unit_at = reading.units, dict[int, int]()
    route = GivenRoute.of_episode(episode, graph)
    if route is not None:
        _, aligned = route.align(reading)
        units = tuple(aligned.scored.units)
        explained = route_to(route.part, aligned, aligned.node, 1.0)
        unit_at = {} if explained is None else explained.unit_at
    drafts = _of_units(reading, units, unit_at)
    rows = sorted((*drafts, *_doubtful(text, drafts)), key=lambda row: row[0])
    read_acts = [act for _, act in rows if not _is_description(act, text)]
    turns = street_turns(path, graph)
    slight = _slight(path, graph, turns, along_m)
    every = sorted((*turns, *slight), key=lambda turn: turn.place)
    pairs = _paired(read_acts, every, slight, along_m)
    turns_there = [t for t in every if t not in slight or t.place in pairs.values()]
    acts: list[Act] = []
    told_at: dict[int, Act] = {}
    nth = group = 0
    for k, draft in enumerate(read_acts):
        commands = _DESCRIBES.search(draft.text) is None or _COMMANDS.search(draft.text) is not None
        if k not in pairs and (draft.number < 0 or not commands):
            continue
        if draft.kind != "landmark":
            nth += 1
        at = pairs.get(k, draft.at)
        if draft.kind == "turn" and draft.place == "light" and k not in pairs and at is not None:
            at = _next_light(path, at, along_m, graph)
        if k not in pairs and at is not None and draft.side and _BEND.search(draft.text):
            # the route follows a road that bends too little for a turn
            pairs[k] = at
            turns_there.append(WalkedTurn(at, path[at], draft.side, 0.0))
        act = draft.model_copy(
            update={"number": len(acts), "nth": max(nth, 1), "group": group, "at": at}
        )
        acts.append(act)
        if act.kind == "turn":
            nth, group = 0, group + 1
        if k in pairs:
            told_at[pairs[k]] = act
    ends = [act.span[1] for act in acts if act.kind == "turn" and act.span is not None]
    acts.append(_stop(reading, len(acts), group, len(path) - 1, max(ends, default=0)))
    acts = _placed_between(acts, path, along_m, graph)
    turns_there.sort(key=lambda turn: turn.place)
    return ToldRoute(path, along_m, tuple(turns_there), tuple(acts), told_at)


def _is_description(act: Act, text: str) -> bool:
    """Tell whether words only say what there is: "you should see a mill", "it'll branch"."""
    if not _DESCRIBES.search(act.text) or _COMMANDS.search(act.text):
        return False
    begin, end = act.span or (0, 0)
    # a side that only one word names may be the turn of the route
    return (
        act.kind != "turn" or _BOTH.search(_SENTENCE.split(text[begin : end + 24])[0]) is not None
    )


def _placed_between(
    acts: Sequence[Act], path: Sequence[str], along_m: Sequence[float], graph: Graph
) -> list[Act]:
    """Give passed junctions without a place the free ones between the acts before and after."""
    placed: list[Act] = []
    for k, act in enumerate(acts):
        again = any(other.span == act.span for other in (*acts[k + 1 : k + 2], *placed[-1:]))
        if act.kind == "pass" and act.at is None and not again:
            begin = max((other.at for other in placed if other.at is not None), default=0)
            end = next(other.at for other in acts[k + 1 :] if other.at is not None)
            is_thing = has_light if act.place == "light" else is_crossing
            for place in range(begin + 1, end):
                apart = min(along_m[place] - along_m[begin], along_m[end] - along_m[place])
                if apart > _JOG_ARM_M and is_thing(graph, path[place]):
                    act = act.model_copy(update={"at": place})  # noqa: PLW2901
                    break
        placed.append(act)
    return placed


def _next_light(path: Sequence[str], at: int, along_m: Sequence[float], graph: Graph) -> int:
    """Return the light that a told turn means: the first within 60 m from where it was placed."""
    for place in range(at, len(path)):
        if along_m[place] - along_m[at] <= _LIGHT_M and has_light(graph, path[place]):
            return place
    return at


def _slight(
    path: Sequence[str], graph: Graph, turns: Sequence[WalkedTurn], along_m: Sequence[float]
) -> set[WalkedTurn]:
    """Return turns that count where the text tells them: slight ones, and those of a jog."""
    by_place: dict[int, WalkedTurn] = {}
    bends = walked_turns(path, graph, _SLIGHT_DEG)
    for turn in (*walked_turns(path, graph, TURN_DEG, _JOG_ARM_M), *bends):
        near = [t for t in turns if abs(along_m[t.place] - along_m[turn.place]) <= _JOG_ARM_M]
        if not near:
            by_place.setdefault(turn.place, turn)
    return set(by_place.values())


def _of_units(
    reading: Reading, units: Sequence[Unit], unit_at: Mapping[int, int]
) -> list[tuple[float, Act]]:
    """Return the acts of what was read, each with where its words begin."""
    rows: list[tuple[float, Act]] = []
    begin, turned, last = 0.0, 0.0, tuple[str, tuple[int, int] | None](("", None))
    for k, unit in enumerate(units):
        kind, side = _kind_of(unit)
        # several lights that are passed have one phrase; another turn has its own
        again = unit.text == last[0] and kind != "turn"
        ahead = int(max(begin, turned if kind == "turn" else 0.0))
        span = last[1] if again else _span(reading.text, unit.text, ahead)
        last = unit.text, span
        if kind == "turn" and span is not None:
            turned = float(span[1])
        # an ordered list, also where the words were not found again
        begin = max(begin, begin if span is None else float(span[0]))
        words = unit.text.partition(" · ")[0] if span is None else reading.text[slice(*span)]
        names = tuple(reading.mentions[m].text for m in unit.mentions)
        is_aside = span is not None and _is_beside(reading.text, span)
        if kind == "turn" and _NEGATION.search(words):
            continue
        if kind == "turn" and (is_aside or _CONDITION.search(words)):
            kind, side = "pass", None
        act = Act(
            number=k,
            kind=kind,
            side=side,
            place=unit.place,
            text=" ".join(words.split()) or unit.text,
            span=span,
            at=unit_at.get(k),
            landmarks=names,
            counted=kind != "landmark" and _COUNTED.search(words) is not None,
        )
        rows.append((begin, act))
    return _with_junctions(reading, rows)


def _with_junctions(reading: Reading, rows: Sequence[tuple[float, Act]]) -> list[tuple[float, Act]]:
    """Let landmarks that only say which junction is meant stand for that junction.

    "The light by the bank" is the light: what is done there takes the landmark, else it is passed.
    """
    text, kept = reading.text, list(rows)
    for mention in reading.mentions:
        junction = _AT_JUNCTION.search(text, max(0, mention.start - _LONGEST_QUOTE), mention.start)
        if junction is None:
            continue
        word, end = junction.start(1), _sentence_end(text, junction.start(1))
        there: list[int] = []
        for k, (_, act) in enumerate(kept):
            begin, last = act.span or (end, end)
            if act.kind != "landmark" and (begin <= word < last or word <= begin < end):
                there.append(k)
        stop_at = text.find(reading.stop.text) if reading.stop.text else -1
        sentence = text[word:end]
        if there:
            begins, act = kept[there[0]]
            names = tuple(dict.fromkeys((*act.landmarks, mention.text)))
            kept[there[0]] = begins, act.model_copy(update={"landmarks": names})
        elif not word <= stop_at < end and not _AFTERTHOUGHT.search(sentence):
            span = _from_its_clause(text, (word, mention.end))
            act = Act(
                number=len(reading.units),
                kind="pass",
                place="light" if _LIGHT.match(sentence) else "intersection",
                text=" ".join(text[slice(*span)].split()),
                span=span,
                landmarks=(mention.text,),
            )
            kept.append((float(span[0]), act))
        elif stop_at < 0:
            continue
        kept = [
            row
            for row in kept
            if row[1].kind != "landmark"
            or not (row[1].span is not None and row[1].span[0] <= mention.start < row[1].span[1])
        ]
    return kept


def _sentence_end(text: str, begin: int) -> int:
    mark = _SENTENCE.search(text, begin)
    return len(text) if mark is None else mark.start()


def _kind_of(unit: Unit) -> tuple[ActKind, Side | None]:
    if unit.kind == "landmark":
        return "landmark", None
    # a side street is passed on the way to "the second left"
    if unit.turn == "straight" or (unit.turn == "any" and unit.place == "side"):
        return "pass", None
    if unit.turn == "any":
        return "turn", None
    return "turn", "left" if unit.turn.endswith("left") else "right"


def _span(text: str, words: str, begin: int) -> tuple[int, int] | None:
    """Find the words of a unit (``turn left · the next light``) from `begin` on, a verb with its
    place where one sentence has both.
    """
    low = text.lower()
    spans: list[tuple[int, int]] = []
    for part in words.split(" · "):
        # the place may stand a little before the verb that was read first
        at = low.find(part.lower(), max(0, begin - _LONGEST_QUOTE if spans else begin))
        if at < 0:
            at = low.rfind(part.lower(), 0, begin)
        if at >= 0:
            spans.append((at, at + len(part)))
    if not spans:
        return None
    whole = min(span[0] for span in spans), max(span[1] for span in spans)
    between = text[slice(*whole)]
    apart = len(between) > _LONGEST_QUOTE or ";" in between or _SENTENCE.search(between)
    return _from_its_clause(text, spans[0] if apart else whole)


def _from_its_clause(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Begin a quote with its clause: "go to the light and turn right", not "the light and turn"."""
    begin = 0
    for mark in _CLAUSE.finditer(text, 0, span[0]):
        begin = mark.end()
    return (begin, span[1]) if span[1] - begin <= _LONGEST_QUOTE else span


def _is_beside(text: str, span: tuple[int, int]) -> bool:
    """Tell whether words name a side street that is passed: nearby nobody is told to turn."""
    sides = list(re.finditer(r"\b(?:left|right)\b", text[slice(*span)], re.IGNORECASE))
    if not sides:
        return False
    near = text[max(0, span[0] - _LONGEST_QUOTE // 2) : span[1] + _LONGEST_QUOTE // 2]
    end = span[0] + sides[-1].end()
    return _SIDE_STREET.match(text, end) is not None and not _ENTERS.search(near)


def _doubtful(text: str, drafts: Sequence[tuple[float, Act]]) -> Iterator[tuple[float, Act]]:
    """Yield words that may be a turn ("follow the road around"), beside those that were read."""
    taken = [act.span for _, act in drafts if act.span is not None and act.kind == "turn"]
    for turn in described_turns(text):
        read = any(start - 1 <= turn.start < end + 1 for start, end in taken)
        if read or _CONDITION.search(clause_around(text, turn.start, turn.end)):
            continue
        if _is_beside(text, (turn.start, turn.end)):
            continue
        noun = _TURN_NOUN.match(text, turn.end)
        span = _from_its_clause(text, (turn.start, turn.end if noun is None else noun.end()))
        words = " ".join(text[slice(*span)].split())
        # without a number: it is left out where no turn of the route needs it
        yield float(turn.start), Act(number=-1, kind="turn", side=turn.side, text=words, span=span)
    for match in (*_CROSS_OVER.finditer(text), *_SAID_SHORT.finditer(text)):
        if any(start <= match.start(1) < end for start, end in taken):
            continue
        side: Side = "left" if match[1].lower() == "left" else "right"
        span = (match.start() if match.re is _CROSS_OVER else match.start(1), match.end())
        words = " ".join(text[slice(*span)].split())
        yield float(span[0]), Act(number=-1, kind="turn", side=side, text=words, span=span)


def _stop(reading: Reading, number: int, group: int, at: int, last_turn: int) -> Act:
    stop = reading.stop
    words = _SENTENCE.split(stop.text or "stop")[0].strip().rstrip(".!")
    begin = reading.text.rfind(words) if words else -1
    if begin < last_turn or not _STOPS.search(words):
        # a stop is the last thing that is told
        rest = _SENTENCE.split(reading.text[last_turn:].strip(" .,;!"))
        orders = [each for each in rest if not _AFTERTHOUGHT.search(each) and len(each.split()) > 2]
        if orders:
            words = orders[-1].rstrip(".! ")
            begin = reading.text.rfind(words)
        elif begin < 0:
            for match in _STOPS.finditer(reading.text):
                words, begin = match[0], match.start()
    span = (begin, begin + len(words)) if begin >= 0 else None
    if span is not None:
        span = _from_its_clause(reading.text, span)
        words = reading.text[slice(*span)]
    return Act(
        number=number,
        kind="stop",
        place=stop.place,
        text=" ".join(words.split()) or "stop",
        span=span,
        at=at,
        landmarks=tuple(reading.mentions[m].text for m, _ in stop.mentions),
        group=group,
    )


def _paired(
    acts: Sequence[Act],
    turns: Sequence[WalkedTurn],
    slight: set[WalkedTurn],
    along_m: Sequence[float],
) -> dict[int, int]:
    """Pair told turns with turns of the route, in order and at the least cost; returns the place on
    the route by the number of the act in the list.
    """
    turn_acts = [k for k, act in enumerate(acts) if act.kind == "turn"]
    rows, columns = len(turn_acts), len(turns)
    best = [[_NEVER] * (columns + 1) for _ in range(rows + 1)]
    came: dict[tuple[int, int], tuple[int, int]] = {}
    best[0][0] = 0.0
    for i, j in product(range(rows + 1), range(columns + 1)):
        steps: list[tuple[float, tuple[int, int]]] = []
        if i:
            act = acts[turn_acts[i - 1]]
            # "keep left" may be said of a bend that is no turn on the map
            unmade = 1.0 if act.number >= 0 or (act.side and _BEND.search(act.text)) else 0.0
            steps.append((best[i - 1][j] + unmade, (i - 1, j)))
        if j:
            steps.append((best[i][j - 1] + _UNSAID * (turns[j - 1] not in slight), (i, j - 1)))
        if i and j:
            pair = _pair_cost(acts[turn_acts[i - 1]], turns[j - 1], along_m)
            pair += 0.2 * (turns[j - 1] in slight)
            steps.append((best[i - 1][j - 1] + pair, (i - 1, j - 1)))
        if steps:
            best[i][j], came[i, j] = min(steps)
    pairs, at = {}, (rows, columns)
    while at in came:
        before = came[at]
        if before == (at[0] - 1, at[1] - 1):
            pairs[turn_acts[at[0] - 1]] = turns[at[1] - 1].place
        at = before
    return pairs


def _pair_cost(act: Act, turn: WalkedTurn, along_m: Sequence[float]) -> float:
    if act.side not in {None, turn.side}:
        return _NEVER
    if act.number < 0:
        return 0.8 if act.side is None else 0.6
    if act.at is None:
        return 0.6
    gap_m = abs(along_m[act.at] - along_m[turn.place])
    if gap_m <= THERE_M:
        return gap_m / (2 * THERE_M)
    return min(1.6, 0.5 + (gap_m - THERE_M) / 400)
