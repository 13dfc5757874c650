"""The grammar: an instruction becomes junction events, landmarks on the way, and a stopping phrase.

The reading is a plan in order. A junction *unit* is one decision or passage ("turn left at the
second light" is a passage of one light, then a left turn at a light); a landmark unit is something
seen on the way. Ordinals count within the leg, that is since the last turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from navviz.language.grammar.tokens import Token, tokenize
from navviz.language.grammar.way import (
    MAX_UNITS,
    PLACE_OF,
    JunctionDraft,
    Place,
    PlaceMention,
    Reading,
    Relation,
    StopKind,
    StopPhrase,
    Turn,
    Unit,
    WayReader,
)
from navviz.records.base import capital

__all__ = [
    "MAX_UNITS",
    "Place",
    "PlaceMention",
    "Reading",
    "Relation",
    "StopKind",
    "StopPhrase",
    "Turn",
    "Unit",
    "read_instruction",
]


def read_instruction(text: str) -> Reading:
    """Read a navigation instruction in English.

    Never fails: what is not understood is left out, so that text without any directions gives an
    empty reading. Text after the first 6,000 characters is not read.
    """
    tokens, _ = tokenize(text)
    # a name and the common noun that follows at once ("Joe's cafe") are one mention
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if (
            last is not None
            and token.kind == last.kind == "mention"
            and "name" in last.values
            and "category" in token.values
            and token.start - last.end <= 1
        ):
            joined[-1] = replace(last, text=f"{last.text} {token.text}", end=token.end)
        else:
            joined.append(token)
    return _Reader(text, joined).read()


class _Reader(WayReader):
    """Reads a whole instruction: where the stop begins, the way before it, and the stop."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        super().__init__(text, tokens)
        self.kinds: list[StopKind] = []
        self.stop_place: Place = "none"
        self.stop_mentions: list[tuple[int, Relation]] = []

    def read(self) -> Reading:
        stop_at = self._stop_index()
        mode = ""
        for k, token in enumerate(self.tokens[:stop_at]):
            if self._after_toofar(k):
                continue
            if k and token.sentence != self.tokens[k - 1].sentence:
                mode = ""
                self._land_floating()
            mode = self._word(k, token, mode, stop_at)
        self._land_floating()
        self._words_before_stop(stop_at)
        relation: Relation = "at"
        first = self.tokens[stop_at].sentence if stop_at < len(self.tokens) else 0
        for k in range(stop_at, len(self.tokens)):
            token = self.tokens[k]
            if k > stop_at and token.sentence != self.tokens[k - 1].sentence:
                # a later sentence describes what is around the stop, not the spot itself
                relation = "too-far" if self._after_toofar(k) else "near"
            relation = self._stop_word(k, token, relation, first=token.sentence == first)
        return self._finish(stop_at)

    # --- the stop
    # --------------------------------------------------------------------------------------------------  # noqa: E501

    def _stop_index(self) -> int:
        """Index of the token at which the stopping phrase begins."""
        turns, stops = self._places_of("turn"), self._places_of("stop")
        last_turn = turns[-1] if turns else -1
        later = [k for k in stops if k > last_turn]
        if later:
            index = later[0]
            # "you have reached your destination" alone does not say where it is: the goal stands
            # before it
            if "destination" not in self.tokens[index].text.lower() or self._names_place_after(
                index
            ):
                return index
            return min(index, self._last_goal(last_turn, index))
        if stops and self.tokens[stops[-1]].sentence == (
            self.tokens[-1].sentence if self.tokens else 0
        ):
            return stops[-1]
        return self._last_goal(last_turn, len(self.tokens))

    def _places_of(self, kind: str) -> list[int]:
        """Return the indices of the tokens of a kind that say no warning of having gone too far."""
        places = [k for k, token in enumerate(self.tokens) if token.kind == kind]
        return [k for k in places if not self._after_toofar(k)]

    def _names_place_after(self, k: int) -> bool:
        kinds = {"mention", "place", "fraction", "building", "steps", "end"}
        return any(token.kind in kinds for token in self.tokens[k + 1 :])

    def _last_goal(self, last_turn: int, end: int) -> int:
        """Without a word for stopping, the goal is a fraction or steps after the last turn, or the
        last "to".
        """
        rest = [(k, self.tokens[k]) for k in range(last_turn + 1, end) if not self._after_toofar(k)]
        exact = [
            k for k, token in rest if token.kind in ("fraction", "steps", "building", "before")
        ]
        if exact:
            return exact[0]
        heads = []
        for k, token in rest:
            is_late = k > last_turn + 1 and token.sentence >= self.tokens[-1].sentence - 1
            if is_late and token.kind == "to":
                heads.append(k)
        return heads[-1] if heads else len(self.tokens)

    def _words_before_stop(self, stop_at: int) -> None:
        """Fractions and steps after the last event belong to the stop ("go halfway down the block.

        Stop ...").
        """
        for k in range(stop_at - 1, -1, -1):
            token = self.tokens[k]
            if token.kind in ("turn", "cross") or (
                token.kind == "place" and token.values["place"] not in ("block", "street")
            ):
                if (
                    token.kind == "cross"
                    and stop_at < len(self.tokens)
                    and token.sentence == self.tokens[stop_at].sentence
                ):
                    self.kinds.append("after-junction")
                return
            if token.kind in ("fraction", "steps", "building", "end"):
                self._stop_kind(token, k)

    def _stop_word(self, k: int, token: Token, relation: Relation, *, first: bool) -> Relation:
        """Read one token of the stopping phrase; the relation in which the next stands."""
        if token.kind == "mention":
            self.stop_mentions.append((self._new_mention(k, token), relation))
        elif first and token.kind == "place":
            self._stop_place(token, relation, k)
        elif first:
            self._stop_kind(token, k)
            if token.kind in ("before", "after"):
                return "before" if token.kind == "before" else "after"
            if token.kind == "through":
                return "after"
            if token.kind == "at" and relation in ("near", "at"):
                return "at"
            return "near" if token.kind in ("break", "with") else relation
        return relation

    def _stop_kind(self, token: Token, k: int) -> None:
        if token.kind == "fraction":
            self.kinds.append(_fraction(token.text))
        elif token.kind == "steps":
            following = self.tokens[k + 1].kind if k + 1 < len(self.tokens) else ""
            # "a few steps before the light" is no distance from the last junction
            if following != "before":
                self.kinds.append("steps")
        elif token.kind == "end":
            self.kinds.append("end")
        elif token.kind == "middle":
            following = self.tokens[k + 1].kind if k + 1 < len(self.tokens) else ""
            if following != "place":
                self.kinds.append("middle")
        elif token.kind == "cross":
            self.kinds.append("after-junction")
        elif token.kind == "building":
            self.kinds.append(_building(token))

    def _stop_place(self, token: Token, relation: Relation, k: int) -> None:
        values = token.values
        word = str(values["place"])
        if word in ("block", "street") and not (values["new"] or values["ordinal"]):
            return
        place = PLACE_OF[word] if word != "one" else self.last_place
        previous = self.tokens[k - 1].kind if k else ""
        # "halfway to the light": the light is only the far end of the block
        share = any(kind in ("third", "half", "two-thirds", "almost") for kind in self.kinds)
        if share or (previous == "to" and relation != "at"):
            return
        if relation == "near" and not values["new"]:
            return
        self.stop_place = place
        kind: StopKind = {"before": "before-junction", "after": "after-junction"}.get(
            relation, "at-junction"
        )  # type: ignore[assignment]
        self.kinds.append(kind)
        fresh = bool(values["new"] or values["ordinal"] or values["count"])
        if kind == "after-junction" and self.pending is None and not fresh:
            return
        passed = self._passed_before(token, place) if fresh else 0
        if self.pending is not None and fresh:
            self._flush()
        for _ in range(passed + int(kind == "after-junction" and fresh)):
            self._add(self._draft(token, place))

    # --- the result
    # ------------------------------------------------------------------------------------------------  # noqa: E501

    def _finish(self, stop_at: int) -> Reading:
        exact = self.kinds or any(
            relation in ("before", "at", "after") for _, relation in self.stop_mentions
        )
        if self.pending is not None:
            if not exact:
                self.kinds.append("at-junction")
                self.stop_place = self.pending.place
            # the junction at which one stops is not passed: only its landmarks stay in the plan
            if any(kind in ("at-junction", "before-junction", "middle") for kind in self.kinds):
                self.units += self.pending.mentions
            elif self.pending.place == "end" and not self.pending.mentions:
                self.pending = None
            else:
                self._flush()
        elif not exact:
            last = self.units[-1] if self.units else None
            sentence = self.tokens[stop_at].sentence if stop_at < len(self.tokens) else -1
            if isinstance(last, int):
                self.stop_mentions.insert(0, (last, "after"))
            elif isinstance(last, JunctionDraft) and last.sentence >= sentence - 1:
                self.kinds.append("after-junction" if last.turn == "straight" else "steps")
        units = [self._unit(entry) for entry in self.units][:MAX_UNITS]
        start = self.tokens[stop_at].start if stop_at < len(self.tokens) else len(self.text)
        stop = StopPhrase(
            tuple(dict.fromkeys(self.kinds)),
            self.stop_place,
            tuple(self.stop_mentions[:8]),
            self.text[start : start + 300],
        )
        return Reading(self.text, tuple(self.mentions), tuple(units), stop)

    def _unit(self, entry: JunctionDraft | int) -> Unit:
        if isinstance(entry, int):
            return Unit("landmark", mentions=(entry,), text=self.mentions[entry].text)
        return Unit(
            "junction",
            entry.turn,
            entry.place,
            entry.next,
            entry.double,
            tuple(entry.mentions),
            entry.text,
        )


def _fraction(text: str) -> StopKind:
    lowered = text.lower()
    if any(
        word in lowered for word in ("1/3", "third", "1/4", "quarter", "one-fourth", "one fourth")
    ) and not any(word in lowered for word in ("two", "2/3", "three", "3 quarters", "3/4")):
        return "third"
    if any(word in lowered for word in ("2/3", "3/4", "two", "three", "3 quarters")):
        return "two-thirds"
    if any(word in lowered for word in ("half", "1/2", "mid", "center", "centre")):
        return "half"
    return "almost"


def _building(token: Token) -> StopKind:
    if token.values["last"]:
        return "building-last"
    nth = token.values["nth"]
    if nth == 1:
        return "building-1"
    return "building-2" if nth == 2 else "building-n"


_PLACE_WORDS = {
    "light": "light",
    "T": "T-intersection",
    "side": "side street",
    "intersection": "intersection",
    "corner": "corner",
    "fork": "fork",
    "end": "end of the block",
    "none": "intersection",
}

_TURN_WORDS = {
    "left": "turn left",
    "right": "turn right",
    "slight-left": "bear left",
    "slight-right": "bear right",
}

_STOP_WORDS: dict[StopKind, str] = {
    "before-junction": "just before the {place}",
    "after-junction": "just after the {place}",
    "at-junction": "in the {place}",
    "steps": "after a few steps",
    "third": "a third of the way down the block",
    "half": "halfway down the block",
    "two-thirds": "two-thirds of the way down the block",
    "almost": "almost all the way down the block",
    "end": "at the end of the block",
    "building-1": "at the first building",
    "building-2": "at the second building",
    "building-n": "after a few buildings",
    "building-last": "at the last building",
    "middle": "in the middle of it",
}

_RELATION_WORDS: dict[Relation, str] = {
    "before": "just before",
    "at": "in front of",
    "after": "just after",
    "near": "near",
}


@dataclass(frozen=True, slots=True)
class Leg:
    """Units up to and with a turn (or what comes before the stop, with the stop)."""

    units: tuple[int, ...]
    """Indices into the units of the plan."""
    text: str
    stops: bool = False


def legs_of(reading: Reading, units: Sequence[Unit]) -> tuple[Leg, ...]:
    """Legs of a plan, the last of which ends with the stop."""
    legs, current = [], list[int]()
    for k, unit in enumerate(units):
        current.append(k)
        # `any` is a side street that is passed on the way to a turn, so the leg goes on
        if unit.kind == "junction" and unit.turn not in ("straight", "any"):
            legs.append(
                Leg(
                    tuple(current),
                    _sentence([describe_unit(units[i], reading.mentions) for i in current]),
                )
            )
            current = []
    parts = [describe_unit(units[i], reading.mentions) for i in current]
    legs.append(Leg(tuple(current), _sentence([*parts, describe_stop(reading)]), stops=True))
    return tuple(legs)


def _sentence(parts: list[str]) -> str:
    text = ", then ".join(part for part in parts if part)
    return f"{capital(text)}."


def describe_mention(mention: PlaceMention) -> str:
    """Describe a landmark with its side, as the grammar understood it."""
    name = mention.text if mention.category is None else f"the {mention.text}"
    if mention.corner:
        words = " ".join(word for word in (mention.near, mention.side, "corner") if word)
        return f"{name} on the {words}"
    return f"{name} on the {mention.side}" if mention.side else name


def describe_unit(unit: Unit, mentions: Sequence[PlaceMention]) -> str:
    """Return what the walker does at a unit."""
    named = " and ".join(describe_mention(mentions[m]) for m in unit.mentions)
    if unit.kind == "landmark":
        return f"pass {named}"
    if unit.turn == "any":
        return "go past the side street"
    company = f" with {named}" if named else ""
    place = _PLACE_WORDS[unit.place]
    which = "next " if unit.next else ""
    if unit.turn == "straight":
        return f"go through the {which}{'double ' if unit.double else ''}{place}{company}"
    if unit.place == "none":
        return f"{_TURN_WORDS[unit.turn]}{f' at {named}' if named else ''}"
    return f"{_TURN_WORDS[unit.turn]} at the {which}{place}{company}"


def describe_stop(reading: Reading) -> str:
    """Where the walker stops."""
    stop = reading.stop
    place = _PLACE_WORDS[stop.place]
    kinds = [_STOP_WORDS[kind].format(place=place) for kind in stop.kinds]
    exact, beyond = [], []
    for m, relation in stop.mentions:
        name = describe_mention(reading.mentions[m])
        if relation == "too-far":
            beyond.append(name)
        else:
            exact.append(f"{_RELATION_WORDS[relation]} {name}")
    text = " ".join(["stop", ", ".join([*kinds, *exact])]).strip()
    # a sentence of its own: one word of having gone too far makes the grammar read its whole
    # sentence as a warning
    return f"{text}. If you see {' or '.join(beyond)} you have gone too far" if beyond else text
