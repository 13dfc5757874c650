"""The part of the grammar that reads the way: places that are passed or turned at, and landmarks
along it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from navviz.language.grammar.tokens import Token

MAX_UNITS = 30
"""Units beyond this are dropped (long instructions in the data sets have about 12)."""

Turn = Literal["straight", "left", "right", "slight-left", "slight-right", "any"]

Place = Literal["light", "T", "side", "intersection", "corner", "fork", "end", "none"]

Relation = Literal["before", "at", "after", "near", "too-far"]

StopKind = Literal[
    "at-junction",
    "before-junction",
    "after-junction",
    "steps",
    "third",
    "half",
    "two-thirds",
    "almost",
    "end",
    "building-1",
    "building-2",
    "building-n",
    "building-last",
    "middle",
]


@dataclass(frozen=True, slots=True)
class PlaceMention:
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
    """Said to be the next, the first or the immediate one: nothing of its kind is passed before it.
    """
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
    mentions: tuple[PlaceMention, ...] = ()
    units: tuple[Unit, ...] = ()
    stop: StopPhrase = StopPhrase()


@dataclass
class JunctionDraft:
    """A junction unit that is not complete yet."""

    place: Place
    text: str
    next: bool = False
    double: bool = False
    mentions: list[int] = field(default_factory=list)
    hand: str | None = None
    sentence: int = 0
    turn: Turn = "straight"


PLACE_OF: dict[str, Place] = {
    "light": "light",
    "T": "T",
    "side": "side",
    "intersection": "intersection",
    "corner": "corner",
    "fork": "fork",
    "block": "intersection",
    "street": "intersection",
    "one": "none",
}


class WayReader:
    """Reads tokens in order into junction drafts and landmarks."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.mentions: list[PlaceMention] = []
        self.units: list[JunctionDraft | int] = []
        """Junction drafts, and mention numbers for landmark units."""
        self.pending: JunctionDraft | None = None
        self.floating: list[int] = []
        self.counted: dict[str, int] = {}
        self.last_place: Place = "none"
        self.beyond = {token.sentence for token in tokens if token.kind == "toofar"}

    def _after_toofar(self, k: int) -> bool:
        # one such word marks its whole sentence: what that names lies beyond the goal
        return self.tokens[k].sentence in self.beyond

    # --- the way
    # ---------------------------------------------------------------------------------------------------  # noqa: E501

    def _word(self, k: int, token: Token, mode: str, stop_at: int) -> str:
        """Read one token; the mode in which the next is read."""
        if token.kind == "turn":
            self._turn(k, token, stop_at)
            return "turned"
        if token.kind == "place" and not self._is_own_place(k, stop_at):
            self._place(token, mode)
        elif token.kind == "mention":
            self._mention_on_way(k, token, mode)
        elif token.kind == "cross":
            self._cross(token)
        elif token.kind == "end":
            self._set_pending(JunctionDraft("end", token.text, next=True, sentence=token.sentence))
        if token.kind in ("through", "to", "at", "before", "after", "with"):
            return mode if mode == "turned" and token.kind == "at" else token.kind
        return "" if token.kind in ("break", "then") and mode in ("before", "turned") else mode

    def _cross(self, token: Token) -> None:
        if self.pending is not None:
            self._flush()
            return
        last = self.units[-1] if self.units else None
        if (
            isinstance(last, JunctionDraft)
            and last.turn == "straight"
            and last.sentence == token.sentence
        ):
            return
        self._add(JunctionDraft("none", token.text, sentence=token.sentence))

    def _place(self, token: Token, mode: str) -> None:
        values = token.values
        word = str(values["place"])
        # a block is mostly a measure of the way, and a street what one walks on: no decisions
        if word in ("block", "street") and not self._counts_as_junction(token, mode):
            return
        # "the next one" is of the kind that was spoken of last
        place = PLACE_OF[word] if word != "one" else self.last_place
        if mode == "before" or (mode == "with" and not values["new"] and self.pending is not None):
            return
        if mode in ("through", "after", "cross"):
            self._pass(token, place, mode)
            return
        if self._is_reference(token, place):
            self._enrich_pending(place)
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
            return bool(values["that"]) and isinstance(last, JunctionDraft)
        if values["that"]:
            return True
        same = place == pending.place or (
            place in ("corner", "intersection", "T") and pending.place != "none"
        )
        return same and not values["new"] and not values["ordinal"] and not values["count"]

    def _enrich_pending(self, place: Place) -> None:
        if (
            self.pending is not None
            and self.pending.place in ("end", "corner", "intersection")
            and place in ("light", "T")
        ):
            self.pending.place = place

    def _approach(self, token: Token, place: Place) -> None:
        """Go to a place, where something may happen later."""
        count = self._passed_before(token, place)
        self._flush()
        for _ in range(count):
            self._add(self._draft(token, place))
        self._set_pending(self._draft(token, place, hand=token.values["hand"]))

    def _passed_before(self, token: Token, place: Place) -> int:
        """How many places of its kind lie since the last event, by its ordinal or count."""
        ordinal, count = token.values["ordinal"], token.values["count"]
        # a place that was approached, but not flushed, is not in `counted` yet
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
            self._enrich_pending(place)
            self._flush()
            return
        last = self.units[-1] if self.units else None
        fresh = bool(values["new"] or values["ordinal"] or values["count"])
        if isinstance(last, JunctionDraft) and not fresh and (values["that"] or mode == "after"):
            return
        ordinal, count = values["ordinal"], values["count"]
        number = count if isinstance(count, int) else 1
        if isinstance(ordinal, int):
            number = max(
                1 if not self.counted.get(place) else 0,
                min(ordinal, 9) - self.counted.get(place, 0),
            )
        self._flush()
        if token.text.endswith("s") and values["new"] is None:
            number = max(number, 1)
        for _ in range(min(number, 9)):
            self._add(self._draft(token, place))

    def _draft(self, token: Token, place: Place, hand: str | int | None = None) -> JunctionDraft:
        values = token.values
        # with a definite article and no more ("the light") the nearest one is meant
        soon = bool(
            values["new"] or values["immediate"] or values["ordinal"] or values["count"]
        ) or token.text.startswith("the ")
        return JunctionDraft(
            place,
            token.text,
            next=soon,
            double=bool(values["double"]),
            mentions=self._take_floating(),
            hand=hand if isinstance(hand, str) else None,
            sentence=token.sentence,
        )

    def _set_pending(self, draft: JunctionDraft) -> None:
        if self.pending is not draft:
            self._flush()
        self.pending = draft
        self.last_place = draft.place

    def _flush(self) -> None:
        """Walk straight through a place that was approached and left without a turn."""
        if self.pending is not None:
            pending, self.pending = self.pending, None
            self._add(pending)

    def _add(self, draft: JunctionDraft) -> None:
        self.units.append(draft)
        self.last_place = draft.place
        if draft.turn == "straight":
            self.counted[draft.place] = self.counted.get(draft.place, 0) + 1
        else:
            self.counted = {}

    # --- turns
    # -----------------------------------------------------------------------------------------------------  # noqa: E501

    def _own_place(self, k: int, stop_at: int) -> int | None:
        """Index of the place where the turn at `k` happens, where its clause says so later."""
        near = False
        for j in range(k + 1, min(k + 4, stop_at)):
            token = self.tokens[j]
            if token.sentence != self.tokens[k].sentence:
                return None
            if token.kind == "place":
                word = token.values["place"]
                junction = (
                    word not in ("block", "street")
                    or token.values["ordinal"]
                    or (token.values["new"] and word == "street")
                )
                return j if near and junction else None
            if token.kind == "at" and j == k + 1:
                near = True
            elif token.kind not in ("straight", "side", "steps"):
                return None
        return None

    def _is_own_place(self, k: int, stop_at: int) -> bool:
        turns = (j for j in range(max(0, k - 3), k) if self.tokens[j].kind == "turn")
        return any(self._own_place(j, stop_at) == k for j in turns)

    def _turn(self, k: int, token: Token, stop_at: int) -> None:
        own = self._own_place(k, stop_at)
        hand = token.values["hand"] or (self.pending.hand if self.pending is not None else None)
        if own is not None:
            place_token = self.tokens[own]
            place = PLACE_OF[str(place_token.values["place"])]
            if place_token.values["place"] == "one":
                place = self.last_place
            if self.pending is None or not self._is_reference(place_token, place):
                self._approach(place_token, place)
            else:
                self._enrich_pending(place)
        draft = self.pending
        if token.values["ordinal"] and own is None:
            self._flush()
            draft = None
            for _ in range(min(int(token.values["ordinal"] or 1), 9) - 1):
                # only the last one is turned at: "take the second left" passes one street first
                self.units.append(
                    JunctionDraft(
                        "side", token.text, hand=str(hand), sentence=token.sentence, turn="any"
                    )
                )
        if draft is None:
            soon = bool(token.values["immediate"] or token.values["new"] or token.values["ordinal"])
            place = "side" if token.values["side"] else "none"
            draft = JunctionDraft(place, token.text, next=soon, sentence=token.sentence)
        self.pending = None
        draft.mentions += self._take_floating()
        draft.turn = _turn_name(hand, bool(token.values["slight"]))
        draft.text = f"{token.text} · {draft.text}" if draft.text != token.text else token.text
        draft.hand = str(hand) if hand else None
        draft.sentence = token.sentence
        self._add(draft)

    # --- landmarks
    # -------------------------------------------------------------------------------------------------  # noqa: E501

    def _new_mention(self, k: int, token: Token) -> int:
        side, corner, near = self._position(k)
        category = token.values.get("category")
        self.mentions.append(
            PlaceMention(
                token.text,
                str(category) if category else None,
                side,
                corner,
                near,
                token.start,
                token.end,
            )
        )
        return len(self.mentions) - 1

    def _position(self, k: int) -> tuple[Literal["left", "right"] | None, bool, str | None]:
        """Side and corner said after a mention, before the next thing that takes them."""
        sentence = self.tokens[k].sentence
        for j in range(k + 1, min(k + 7, len(self.tokens))):
            token = self.tokens[j]
            if token.sentence != sentence or token.kind in ("turn", "through", "stop", "place"):
                break
            if token.kind == "mention" and self.tokens[j - 1].kind not in (
                "then",
                "break",
                "with",
                "mention",
            ):
                break
            if token.kind in ("side", "corner"):
                hand, near = token.values["hand"], token.values["near"]
                side: Literal["left", "right"] | None = None
                if hand == "left":
                    side = "left"
                elif hand == "right":
                    side = "right"
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
        elif isinstance(last, JunctionDraft) and (
            mention.corner or (mode in ("with", "turned") and last.sentence == token.sentence)
        ):
            last.mentions.append(number)
        elif mode in ("at", "to") or mention.corner:
            # named before its junction ("at the bank turn left"): it waits for the next one in the
            # sentence
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

    # what still floats when its sentence ends met no junction: it is a landmark on the way
    def _land_floating(self) -> None:
        self.units += self._take_floating()


def _turn_name(hand: str | int | None, slight: bool) -> Turn:
    if hand == "left":
        return "slight-left" if slight else "left"
    if hand == "right":
        return "slight-right" if slight else "right"
    return "any"
