"""The grammar: an instruction becomes junction events, landmarks on the way, and a stopping phrase.

The reading is a plan in order. A junction *unit* is one decision or passage ("turn left at the second light" is a passage
of one light, then a left turn at a light); a landmark unit is something seen on the way. Ordinals count within the leg,
that is since the last turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from navviz.navigators.rules.tokens import Token, tokenize

__all__ = ["MAX_UNITS", "Mention", "Place", "Reading", "Relation", "StopKind", "StopPhrase", "Turn", "Unit", "read_instruction"]

MAX_UNITS = 30
"""Units beyond this are dropped (long instructions in the data sets have about 12)."""

Turn = Literal["straight", "left", "right", "slight-left", "slight-right", "any"]
Place = Literal["light", "T", "side", "intersection", "corner", "fork", "end", "none"]
Relation = Literal["before", "at", "after", "near", "too-far"]
StopKind = Literal[
    "at-junction", "before-junction", "after-junction", "steps", "third", "half", "two-thirds", "almost", "end",
    "building-1", "building-2", "building-n", "building-last", "middle",
]


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that the instruction names."""

    text: str
    category: str | None
    """Name of a `categories.Category` where a common noun was used, else ``None``."""
    side: Literal["left", "right"] | None = None
    corner: bool = False
    near: str | None = None
    """``near`` or ``far``, of a corner."""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Unit:
    """One part of the plan, in the order in which it is met."""

    kind: Literal["junction", "landmark"]
    turn: Turn = "straight"
    place: Place = "none"
    next: bool = False
    """Said to be the next, the first or the immediate one: nothing of its kind is passed before it."""
    double: bool = False
    mentions: tuple[int, ...] = ()
    """Indices into `Reading.mentions`."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class StopPhrase:
    """Where to stop."""

    kinds: tuple[StopKind, ...] = ()
    place: Place = "none"
    mentions: tuple[tuple[int, Relation], ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the grammar understood of an instruction."""

    text: str
    mentions: tuple[Mention, ...] = ()
    units: tuple[Unit, ...] = ()
    stop: StopPhrase = StopPhrase()


def read_instruction(text: str) -> Reading:
    """Read a navigation instruction in English.

    Never fails: what is not understood is left out, so that text without any directions gives an empty reading. Text
    after the first 6,000 characters is not read.
    """
    tokens, _ = tokenize(text)
    tokens = _join_names(tokens)
    reader = _Reader(text, tokens)
    return reader.read()


def _join_names(tokens: list[Token]) -> list[Token]:
    """A name followed at once by a common noun ("Joe's cafe") is one mention."""
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
    return joined


@dataclass
class _Draft:
    """A junction unit that is not complete yet."""

    place: Place
    next: bool
    double: bool
    text: str
    mentions: list[int]
    hand: str | None = None
    sentence: int = 0
    turn: Turn = "straight"


_PLACE_OF: dict[str, Place] = {
    "light": "light", "T": "T", "side": "side", "intersection": "intersection", "corner": "corner", "fork": "fork",
    "block": "intersection", "street": "intersection", "one": "none",
}


class _Reader:
    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.mentions: list[Mention] = []
        self.units: list[_Draft | int] = []
        """Junction drafts, and mention numbers for landmark units."""
        self.pending: _Draft | None = None
        self.floating: list[int] = []
        self.counted: dict[str, int] = {}
        self.last_place: Place = "none"
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
        self._read_stop(stop_at)
        return self._finish(stop_at)

    # --- the way ---------------------------------------------------------------------------------------------------

    def _word(self, k: int, token: Token, mode: str, stop_at: int) -> str:
        if token.kind == "turn":
            self._turn(k, token, stop_at)
            return "turned"
        if token.kind == "place":
            if not self._is_own_place(k, stop_at):
                self._place(token, mode, k)
            return mode
        if token.kind == "mention":
            self._mention_on_way(k, token, mode)
            return mode
        if token.kind == "cross":
            self._cross(token)
            return mode
        if token.kind == "end":
            self._set_pending(_Draft("end", True, False, token.text, [], sentence=token.sentence))
            return mode
        if token.kind in ("through", "to", "at", "before", "after", "with"):
            if mode == "turned" and token.kind == "at":
                return "turned"
            return token.kind
        if token.kind in ("break", "then") and mode in ("before", "turned"):
            return ""
        return mode

    def _cross(self, token: Token) -> None:
        if self.pending is not None:
            self._flush()
            return
        last = self.units[-1] if self.units else None
        if isinstance(last, _Draft) and last.turn == "straight" and last.sentence == token.sentence:
            return
        self._add(_Draft("none", False, False, token.text, [], sentence=token.sentence))

    def _place(self, token: Token, mode: str, k: int) -> None:
        values = token.values
        word = str(values["place"])
        if word in ("block", "street") and not self._counts_as_junction(token, mode):
            return
        place = _PLACE_OF[word] if word != "one" else self.last_place
        if mode == "before" or (mode == "with" and not values["new"] and self.pending is not None):
            return
        if mode in ("through", "after", "cross"):
            self._pass(token, place, mode)
            return
        if self._is_reference(token, place):
            self._enrich_pending(token, place)
            return
        if mode == "with" and word in ("T", "fork", "corner", "side"):
            return
        self._approach(token, place)

    def _counts_as_junction(self, token: Token, mode: str) -> bool:
        values = token.values
        if values["place"] == "block":
            return bool(values["count"]) and not values["that"] and bool(token.text.endswith("s"))
        if values["that"]:
            return False
        if token.text[:1].isdigit():
            return False
        return bool(values["ordinal"]) or (bool(values["new"]) and mode in ("through", "at", "to"))

    def _is_reference(self, token: Token, place: Place) -> bool:
        values, pending = token.values, self.pending
        if pending is None:
            last = self.units[-1] if self.units else None
            return bool(values["that"]) and isinstance(last, _Draft)
        if values["that"]:
            return True
        same = place == pending.place or (place in ("corner", "intersection", "T") and pending.place != "none")
        return same and not values["new"] and not values["ordinal"] and not values["count"]

    def _enrich_pending(self, token: Token, place: Place) -> None:
        if self.pending is not None and self.pending.place in ("end", "corner", "intersection") and place in ("light", "T"):
            self.pending.place = place

    def _approach(self, token: Token, place: Place) -> None:
        """A place that the walker goes to, what happens there comes later."""
        count = self._passed_before(token, place)
        self._flush()
        for _ in range(count):
            self._add(self._draft(token, place))
        self._set_pending(self._draft(token, place, hand=token.values["hand"]))

    def _passed_before(self, token: Token, place: Place) -> int:
        """How many places of its kind lie between the last event and this one, by its ordinal or count."""
        ordinal, count = token.values["ordinal"], token.values["count"]
        pending_counts = int(self.pending is not None and self.pending.place == place)
        if isinstance(ordinal, int):
            already = self.counted.get(place, 0) + pending_counts
            return max(0, min(ordinal, 9) - 1 - already)
        if isinstance(count, int) and count > 1 and token.text.endswith("s"):
            return min(count, 9) - 1
        return 0

    def _pass(self, token: Token, place: Place, mode: str) -> None:
        """Places that the walker goes through."""
        values = token.values
        if self.pending is not None and self._is_reference(token, place):
            self._enrich_pending(token, place)
            self._flush()
            return
        last = self.units[-1] if self.units else None
        fresh = bool(values["new"] or values["ordinal"] or values["count"])
        if isinstance(last, _Draft) and not fresh and (values["that"] or mode == "after"):
            return
        ordinal, count = values["ordinal"], values["count"]
        number = count if isinstance(count, int) else 1
        if isinstance(ordinal, int):
            number = max(1 if not self.counted.get(place) else 0, min(ordinal, 9) - self.counted.get(place, 0))
        self._flush()
        if token.text.endswith("s") and values["new"] is None:
            number = max(number, 1)
        for _ in range(min(number, 9)):
            self._add(self._draft(token, place))

    def _draft(self, token: Token, place: Place, hand: str | int | None = None) -> _Draft:
        values = token.values
        soon = bool(values["new"] or values["immediate"] or values["ordinal"] or values["count"]) or token.text.startswith("the ")
        return _Draft(
            place, soon, bool(values["double"]), token.text, self._take_floating(), hand if isinstance(hand, str) else None,
            token.sentence,
        )

    def _set_pending(self, draft: _Draft) -> None:
        if self.pending is not draft:
            self._flush()
        self.pending = draft
        self.last_place = draft.place

    def _flush(self) -> None:
        """A place that was approached and left without a turn was walked straight through."""
        if self.pending is not None:
            pending, self.pending = self.pending, None
            self._add(pending)

    def _add(self, draft: _Draft) -> None:
        self.units.append(draft)
        self.last_place = draft.place
        if draft.turn == "straight":
            self.counted[draft.place] = self.counted.get(draft.place, 0) + 1
        else:
            self.counted = {}

    # --- turns -----------------------------------------------------------------------------------------------------

    def _own_place(self, k: int, stop_at: int) -> int | None:
        """Index of the place at which the turn at `k` happens, where the same clause says so after the turn."""
        near = False
        for j in range(k + 1, min(k + 4, stop_at)):
            token = self.tokens[j]
            if token.sentence != self.tokens[k].sentence:
                return None
            if token.kind == "place":
                word = token.values["place"]
                junction = word not in ("block", "street") or token.values["ordinal"] or (token.values["new"] and word == "street")
                return j if near and junction else None
            if token.kind == "at" and j == k + 1:
                near = True
            elif token.kind not in ("straight", "side", "steps"):
                return None
        return None

    def _is_own_place(self, k: int, stop_at: int) -> bool:
        for j in range(max(0, k - 3), k):
            if self.tokens[j].kind == "turn" and self._own_place(j, stop_at) == k:
                return True
        return False

    def _turn(self, k: int, token: Token, stop_at: int) -> None:
        own = self._own_place(k, stop_at)
        hand = token.values["hand"] or (self.pending.hand if self.pending is not None else None)
        if own is not None:
            place_token = self.tokens[own]
            place = _PLACE_OF[str(place_token.values["place"])]
            if place_token.values["place"] == "one":
                place = self.last_place
            if self.pending is None or not self._is_reference(place_token, place):
                self._approach(place_token, place)
            else:
                self._enrich_pending(place_token, place)
        draft = self.pending
        if token.values["ordinal"] and own is None:
            self._flush()
            draft = None
            for _ in range(min(int(token.values["ordinal"] or 1), 9) - 1):
                self.units.append(_Draft("side", False, False, token.text, [], str(hand), token.sentence, "any"))
        if draft is None:
            soon = bool(token.values["immediate"] or token.values["new"] or token.values["ordinal"])
            place = "side" if token.values["side"] else "none"
            draft = _Draft(place, soon, False, token.text, [], sentence=token.sentence)
        self.pending = None
        draft.mentions += self._take_floating()
        draft.turn = _turn_name(hand, bool(token.values["slight"]))
        draft.text = f"{token.text} · {draft.text}" if draft.text != token.text else token.text
        draft.hand = str(hand) if hand else None
        draft.sentence = token.sentence
        self._add(draft)

    # --- landmarks -------------------------------------------------------------------------------------------------

    def _new_mention(self, k: int, token: Token) -> int:
        side, corner, near = self._position(k)
        category = token.values.get("category")
        self.mentions.append(
            Mention(token.text, str(category) if category else None, side, corner, near, token.start, token.end)
        )
        return len(self.mentions) - 1

    def _position(self, k: int) -> tuple[Literal["left", "right"] | None, bool, str | None]:
        """Side and corner said after a mention, before the next thing that takes them."""
        sentence = self.tokens[k].sentence
        for j in range(k + 1, min(k + 7, len(self.tokens))):
            token = self.tokens[j]
            if token.sentence != sentence or token.kind in ("turn", "through", "stop", "place"):
                break
            if token.kind == "mention" and self.tokens[j - 1].kind not in ("then", "break", "with", "mention"):
                break
            if token.kind in ("side", "corner"):
                hand, near = token.values["hand"], token.values["near"]
                side: Literal["left", "right"] | None = "left" if hand == "left" else "right" if hand == "right" else None
                return side, token.kind == "corner", str(near) if near else None
        return None, False, None

    def _mention_on_way(self, k: int, token: Token, mode: str) -> None:
        number = self._new_mention(k, token)
        mention = self.mentions[number]
        last = self.units[-1] if self.units else None
        if mode == "through" and not mention.corner:
            self._flush_if_older(token)
            self.units.append(number)
        elif self.pending is not None and (mention.corner or mode in ("with", "")):
            self.pending.mentions.append(number)
        elif isinstance(last, _Draft) and (mention.corner or (mode in ("with", "turned") and last.sentence == token.sentence)):
            last.mentions.append(number)
        elif mode in ("at", "to") or mention.corner:
            self.floating.append(number)
        else:
            self._flush_if_older(token)
            self.units.append(number)

    def _flush_if_older(self, token: Token) -> None:
        if self.pending is not None and self.pending.sentence != token.sentence:
            self._flush()

    def _take_floating(self) -> list[int]:
        taken, self.floating = self.floating, []
        return taken

    def _land_floating(self) -> None:
        self.units += self._take_floating()

    # --- the stop --------------------------------------------------------------------------------------------------

    def _stop_index(self) -> int:
        """Index of the token at which the stopping phrase begins."""
        turns = [k for k, token in enumerate(self.tokens) if token.kind == "turn" and not self._after_toofar(k)]
        last_turn = turns[-1] if turns else -1
        stops = [k for k, token in enumerate(self.tokens) if token.kind == "stop" and not self._after_toofar(k)]
        later = [k for k in stops if k > last_turn]
        if later:
            found = later[0]
            if "destination" not in self.tokens[found].text.lower() or self._says_where(found):
                return found
            return min(found, self._last_goal(last_turn, found))
        if stops and self.tokens[stops[-1]].sentence == (self.tokens[-1].sentence if self.tokens else 0):
            return stops[-1]
        return self._last_goal(last_turn, len(self.tokens))

    def _says_where(self, k: int) -> bool:
        return any(token.kind in ("mention", "place", "fraction", "building", "steps", "end") for token in self.tokens[k + 1 :])

    def _after_toofar(self, k: int) -> bool:
        sentence = self.tokens[k].sentence
        return any(token.kind == "toofar" and token.sentence == sentence for token in self.tokens)

    def _last_goal(self, last_turn: int, end: int) -> int:
        """Without a word for stopping, what follows the last turn tells the goal: a fraction, steps, or the last "to"."""
        rest = [(k, self.tokens[k]) for k in range(last_turn + 1, end) if not self._after_toofar(k)]
        exact = [k for k, token in rest if token.kind in ("fraction", "steps", "building", "before")]
        if exact:
            return exact[0]
        heads = [k for k, token in rest if k > last_turn + 1 and token.kind == "to" and token.sentence >= self.tokens[-1].sentence - 1]
        return heads[-1] if heads else len(self.tokens)

    def _read_stop(self, stop_at: int) -> None:
        self._words_before_stop(stop_at)
        relation: Relation = "at"
        first = self.tokens[stop_at].sentence if stop_at < len(self.tokens) else 0
        for k in range(stop_at, len(self.tokens)):
            token = self.tokens[k]
            if k > stop_at and token.sentence != self.tokens[k - 1].sentence:
                relation = "too-far" if self._after_toofar(k) else "near"
            relation = self._stop_word(k, token, relation, token.sentence == first)

    def _words_before_stop(self, stop_at: int) -> None:
        """Fractions and steps after the last event belong to the stop ("go halfway down the block. Stop ...")."""
        for k in range(stop_at - 1, -1, -1):
            token = self.tokens[k]
            if token.kind in ("turn", "cross") or (token.kind == "place" and token.values["place"] not in ("block", "street")):
                if token.kind == "cross" and stop_at < len(self.tokens) and token.sentence == self.tokens[stop_at].sentence:
                    self.kinds.append("after-junction")
                return
            if token.kind in ("fraction", "steps", "building", "end"):
                self._stop_kind(token, k)

    def _stop_word(self, k: int, token: Token, relation: Relation, first: bool) -> Relation:
        if token.kind == "mention":
            self.stop_mentions.append((self._new_mention(k, token), relation))
            return relation
        if not first:
            return relation
        if token.kind in ("before", "after"):
            return "before" if token.kind == "before" else "after"
        if token.kind == "through":
            return "after"
        if token.kind == "at" and relation in ("near", "at"):
            return "at"
        if token.kind == "break" or token.kind == "with":
            return "near"
        if token.kind == "place":
            self._stop_place(token, relation, k)
        else:
            self._stop_kind(token, k)
        return relation

    def _stop_kind(self, token: Token, k: int) -> None:
        if token.kind == "fraction":
            self.kinds.append(_fraction(token.text))
        elif token.kind == "steps":
            following = self.tokens[k + 1].kind if k + 1 < len(self.tokens) else ""
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
        place = _PLACE_OF[word] if word != "one" else self.last_place
        previous = self.tokens[k - 1].kind if k else ""
        if previous == "to" or "fraction" in (previous, self.tokens[k - 2].kind if k > 1 else ""):
            return
        if relation == "near" and not values["new"]:
            return
        self.stop_place = place
        kind: StopKind = {"before": "before-junction", "after": "after-junction"}.get(relation, "at-junction")  # type: ignore[assignment]
        self.kinds.append(kind)
        fresh = bool(values["new"] or values["ordinal"] or values["count"])
        if kind == "after-junction" and self.pending is None and not fresh:
            return
        passed = self._passed_before(token, place) if fresh else 0
        if self.pending is not None and fresh:
            self._flush()
        for _ in range(passed + int(kind == "after-junction" and fresh)):
            self._add(self._draft(token, place))

    # --- the result ------------------------------------------------------------------------------------------------

    def _finish(self, stop_at: int) -> Reading:
        exact = self.kinds or any(relation in ("before", "at", "after") for _, relation in self.stop_mentions)
        if self.pending is not None:
            if not exact:
                self.kinds.append("at-junction")
                self.stop_place = self.pending.place
            if any(kind in ("at-junction", "before-junction", "middle") for kind in self.kinds):
                self.units += self.pending.mentions
            else:
                self._flush()
        elif not exact:
            self._stop_after_last(stop_at)
        units = [self._unit(entry) for entry in self.units][:MAX_UNITS]
        start = self.tokens[stop_at].start if stop_at < len(self.tokens) else len(self.text)
        stop = StopPhrase(tuple(dict.fromkeys(self.kinds)), self.stop_place, tuple(self.stop_mentions[:8]), self.text[start : start + 300])
        return Reading(self.text, tuple(self.mentions), tuple(units), stop)

    def _stop_after_last(self, stop_at: int) -> None:
        """ "Pass the bank and stop", "turn left and stop": the stop is just after what came last."""
        last = self.units[-1] if self.units else None
        sentence = self.tokens[stop_at].sentence if stop_at < len(self.tokens) else -1
        if isinstance(last, int):
            self.stop_mentions.insert(0, (last, "after"))
        elif isinstance(last, _Draft) and last.sentence >= sentence - 1:
            self.kinds.append("after-junction" if last.turn == "straight" else "steps")

    def _unit(self, entry: _Draft | int) -> Unit:
        if isinstance(entry, int):
            return Unit("landmark", mentions=(entry,), text=self.mentions[entry].text)
        return Unit("junction", entry.turn, entry.place, entry.next, entry.double, tuple(entry.mentions), entry.text)


def _turn_name(hand: str | int | None, slight: bool) -> Turn:
    if hand == "left":
        return "slight-left" if slight else "left"
    if hand == "right":
        return "slight-right" if slight else "right"
    return "any"


def _fraction(text: str) -> StopKind:
    lowered = text.lower()
    if any(word in lowered for word in ("1/3", "third", "1/4", "quarter", "one-fourth", "one fourth")) and not any(
        word in lowered for word in ("two", "2/3", "three", "3 quarters", "3/4")
    ):
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
    return "building-1" if nth == 1 else "building-2" if nth == 2 else "building-n"
