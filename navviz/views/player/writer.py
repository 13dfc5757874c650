"""Records of a trace written as entries of a player document."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from pydantic import BaseModel

from navviz.language.skills import SKILLS, skill_that_ran
from navviz.llm.prices import list_price_usd
from navviz.records import (
    Call,
    Candidate,
    Decision,
    InputEdit,
    Message,
    Observation,
    Panel,
    Step,
    SubGoal,
    Trace,
    TraceHeader,
)
from navviz.support.guarded import decode_reply
from navviz.views.player.pictures import PictureTable
from navviz.views.player.pois import ShownPois
from navviz.views.player.schema import (
    CallEntry,
    CandidateEntry,
    DecisionEntry,
    MessageEntry,
    NodeRef,
    ObservationEntry,
    PackedStrings,
    PanelEntry,
    PlanRow,
    Spent,
    StepEntry,
    TextPart,
    UsageEntry,
)
from navviz.views.player.schema_world import EditEntry
from navviz.world.graph import Graph

PACK_FROM_CHARS = 300_000
"""Above this, the texts of a document are packed (gzip, base64); every browser can unpack them."""

_HEADING = re.compile(
    r"(\[[A-Z][^\]\n]{1,80}\]|#{1,4} [^\n]{1,100}|[A-Z][A-Za-z ()/-]{2,48}:)[ \t]*\n?"
)

_FENCE = re.compile(r"```([A-Za-z0-9_+-]*)[ \t]*\n?")

Kind = Literal["heading", "fence", "json", "code", "text"]


class Strings:
    """A table of texts, each stored once.

    That of a walk that goes on is kept from document to document: only new texts are split and
    packed, and a browser unpacks only these.
    """

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._parts: dict[str, list[TextPart]] = {}
        self._packs: list[tuple[int, int, str]] = []
        """Packed texts: how many, how many characters, and what became of them."""
        self._longest: int | None = None
        """Longer texts are cut."""

    def add(self, text: str) -> int:
        """Index of a text."""
        return self._texts.setdefault(text, len(self._texts))

    def split(self, text: str) -> list[TextPart]:
        """Return a text in parts, each with its text by index."""
        if text not in self._parts:
            self._parts[text] = [(kind, self.add(part)) for kind, part in split_text(text)]
        return self._parts[text]

    def dump(self, limit_chars: int) -> list[str] | PackedStrings:
        """Return the table: a list, or packed as base64 of the gzipped JSON where it is long.

        Where even the packed table would pass `limit_chars`, the longest texts are cut, and say so.
        """
        texts = list(self._texts)
        if not self._packs and sum(map(len, texts)) <= min(PACK_FROM_CHARS, limit_chars):
            return texts
        self._pack(texts[sum(count for count, *_ in self._packs) :])
        longest = self._longest or max(map(len, texts))
        # Half by half: how well texts pack is only seen by packing them.
        while sum(len(packed) for *_, packed in self._packs) > limit_chars and longest > 500:
            longest = self._longest = longest // 2
            self._packs = []
            self._pack(texts)
        first, *more = [packed for *_, packed in self._packs]
        return PackedStrings(gzip=first, more=more or None)

    def _pack(self, texts: list[str]) -> None:
        """Pack texts behind those that are packed, and smaller packs before them anew with them:
        few packs are smaller than many, and each text is packed a few times only.
        """
        if not texts:
            return
        if self._longest is not None:
            texts = [_cut(text, self._longest) for text in texts]
        size = sum(map(len, texts))
        while self._packs and self._packs[-1][1] <= size:
            _, before, packed = self._packs.pop()
            texts, size = [*unpacked(packed), *texts], size + before
        self._packs.append((len(texts), size, _packed(texts)))


class WalkTexts:
    """The table of texts that all documents of a walk share while it goes on."""

    def __init__(self) -> None:
        self._header: TraceHeader | None = None
        self._strings = Strings()

    def of(self, trace: Trace) -> Strings:
        """Return the table; another walk, or one that was written anew, gets an empty one."""
        if trace.header is not self._header:
            self._header, self._strings = trace.header, Strings()
        return self._strings


def unpacked(packed: str) -> list[str]:
    """Return the texts of one pack of `PackedStrings`."""
    texts: list[str] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return texts


def _packed(texts: list[str]) -> str:
    # half a character in a log must not cost the whole document
    raw = json.dumps(texts, ensure_ascii=False).encode("utf-8", "replace")
    return base64.b64encode(gzip.compress(raw, 6, mtime=0)).decode("ascii")


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    rest = f"{len(text) - longest:,} more characters are in the trace, too long for this document"
    return f"{text[:longest]}\n… {rest}"


def split_text(text: str) -> list[tuple[Kind, str]]:
    """Split a prompt into ``(kind, text)`` parts whose texts joined are the prompt.

    Kinds are ``heading`` (``[CONSTRAINTS]``, ``## Rules``, ``Planning State:`` on lines of their
    own), ``fence`` (the markers of a code block), ``json``, ``code`` and ``text``.
    """
    parts: list[tuple[Kind, list[str]]] = []
    fenced, fence = False, ""
    for line in text.splitlines(keepends=True):
        marker = _FENCE.fullmatch(line.lstrip(" "))
        # within a fence a marker that names a language is text: only a bare one closes
        if marker and (not fenced or not marker[1]):
            parts.append(("fence", [line]))
            fenced, fence = not fenced, marker[1].lower()
        elif fenced:
            _append(parts, "json" if fence == "json" else "code", line)
        elif _HEADING.fullmatch(line):
            parts.append(("heading", [line]))
        else:
            _append(parts, "json" if _is_json_line(line) else "text", line)
    # last, since only a part with all of its lines can be tried as JSON
    joined = [(kind, "".join(lines)) for kind, lines in parts]
    return [(_kind(kind, part), part) for kind, part in joined]


def _append(parts: list[tuple[Kind, list[str]]], kind: Kind, line: str) -> None:
    if parts and parts[-1][0] == kind:
        parts[-1][1].append(line)
    else:
        parts.append((kind, [line]))


def _is_json_line(line: str) -> bool:
    """Whether a long line is one JSON value: contexts often stand in a prompt without a fence."""
    return len(line) > 120 and line.lstrip()[:1] in "{[" and _is_json(line)


def _kind(kind: Kind, part: str) -> Kind:
    if kind == "code" and _is_json(part):
        return "json"
    if kind == "json" and not _is_json(part):
        return "code"
    return kind


def _is_json(text: str) -> bool:
    try:
        return isinstance(decode_reply(text), dict | list)
    except ValueError:
        return False


_WRITTEN_OTHERWISE = {"messages", "thoughts", "reply", "usage", "retries", "cost_usd"}
"""Fields of a call whose texts have an index, or that are left out where they say nothing."""


def shared(
    record: BaseModel, entry: type[BaseModel], but: AbstractSet[str] = frozenset()
) -> dict[str, Any]:
    """Return the fields of a record that the document's entry has too, save some."""
    return record.model_dump(include=set(entry.model_fields) - but)


def _cost(call: Call) -> tuple[float | None, bool]:
    """Return the cost of a call in US dollars, and whether that is the list price."""
    # the list price stands in where the log names no cost
    listed = list_price_usd(call)
    if listed is None:
        return call.cost_usd, False
    return listed, True


@dataclass(slots=True)
class Tally:
    """Sum of tokens, seconds and cost of the calls so far.

    A sum is ``None`` until a call states its figure; `partial` says that some call stated none.
    """

    calls: int = 0
    tokens: int | None = None
    seconds: float | None = None
    cost_usd: float | None = None
    list_price: bool = False
    partial: bool = False

    def add(self, call: Call) -> None:
        """Count one more call."""
        self.calls += 1
        tokens = call.tokens
        if tokens is None:
            self.partial = True
        else:
            self.tokens = (self.tokens or 0) + tokens
        if call.seconds is not None:
            self.seconds = (self.seconds or 0.0) + call.seconds
        cost, listed = _cost(call)
        if cost is not None:
            self.cost_usd = (self.cost_usd or 0.0) + cost
        self.list_price = self.list_price or listed

    def spent(self) -> Spent:
        """As the player reads it."""
        return Spent(
            calls=self.calls,
            tokens=self.tokens,
            seconds=None if self.seconds is None else round(self.seconds, 3),
            cost_usd=None if self.cost_usd is None else round(self.cost_usd, 8),
            list_price=self.list_price or None,
            partial=self.partial or None,
        )


def _skill(step: Step) -> int | None:
    """Index of the skill whose agent acted, into the document's ``skills``."""
    skill = skill_that_ran(step)
    return None if skill is None else SKILLS.index(skill)


@dataclass(frozen=True)
class Writer:
    """Writes records with nodes and texts by index."""

    graph: Graph
    index: dict[str, int]
    pois: ShownPois
    strings: Strings
    pictures: PictureTable

    def node(self, node: str | None) -> NodeRef | None:
        """Index of a node, its id where the graph does not have it, ``None`` for a hole."""
        return None if node is None else self.place(node)

    def place(self, node: str) -> NodeRef:
        """Index of a node, or its id where the graph does not have it."""
        return self.index.get(node, node)

    def places(self, nodes: Iterable[str]) -> list[NodeRef]:
        """Several nodes."""
        return [self.place(node) for node in nodes]

    def plan(self, sub_goals: Iterable[SubGoal]) -> list[PlanRow]:
        """Sub-goals, their descriptions by index."""
        return [
            (self.strings.add(goal.description), goal.status, goal.iteration) for goal in sub_goals
        ]

    def tally(self, calls: Iterable[Call]) -> Tally:
        """Count some calls."""
        tally = Tally()
        for call in calls:
            tally.add(call)
        return tally

    def step(
        self,
        step: Step,
        tally: Tally,
        to_goal_m: float | None = None,
        to_target_m: float | None = None,
        number: int = 0,
    ) -> StepEntry:
        """Return one step, with the cost of the run until its end and its distances to go.

        `number` is its place in the walk, counted from 0.
        """
        retries = 0
        for call in step.calls:
            tally.add(call)
            # An unusable reply makes the navigator ask again, so it counts as a retry.
            retries += call.retries + bool(call.parse_error or call.error)
        seen = step.observation
        # `or None` throughout: what is ``None`` is left out of the document, and keeps it small
        # then a panel of the step has a `walk_back`
        return StepEntry(
            index=step.index,
            node=self.node(step.node),
            heading_deg=None if step.heading_deg is None else round(step.heading_deg, 2),
            plan=self.plan(step.plan) or None,
            sub_goal=step.sub_goal,
            observation=self._observation(seen, step.node) if seen else None,
            calls=[self.call(call) for call in step.calls],
            decision=self._decision(step.decision) if step.decision else None,
            path=self.places(step.path),
            jumps=self._jumps(step.path) or None,
            edits=[_edit(edit) for edit in step.edits] or None,
            panels=[self.panel(panel) for panel in step.panels],
            so_far=tally.spent(),
            retries=retries or None,
            to_goal_m=to_goal_m,
            skill=_skill(step),
            walk_back=any("walk_back" in panel.data for panel in step.panels) or None,
            to_target_m=to_target_m,
            views=self.pictures.step(step, number) or None,
        )

    def _jumps(self, path: Sequence[str]) -> list[int]:
        """Positions in a path from which the agent went on to a node that is not linked."""
        jumps = []
        for k, (a, b) in enumerate(pairwise(path)):
            # the same node twice in a row is no jump: the agent stayed
            if a != b and not self.graph.has_link(a, b):
                jumps.append(k)
        return jumps

    def _decision(self, decision: Decision) -> DecisionEntry:
        target = self.node(decision.target)
        # The log shows the id as the agent named it, even where the graph has no such node.
        fields = shared(decision, DecisionEntry, but={"target"})
        return DecisionEntry(target=target, target_id=decision.target, **fields)

    def _observation(self, seen: Observation, node: str | None) -> ObservationEntry:
        return ObservationEntry(
            format=seen.format,
            text=self.text(seen.text) if seen.text else None,
            visible=self.places(seen.visible_nodes),
            pois=[self.pois.seen(poi, node) for poi in seen.pois],
            candidates=[self._candidate(candidate) for candidate in seen.candidates],
        )

    def _candidate(self, candidate: Candidate) -> CandidateEntry:
        fields = shared(candidate, CandidateEntry, but={"node", "path"})
        path = self.places(candidate.path) or None
        return CandidateEntry(node=self.place(candidate.node), path=path, **fields)

    def call(self, call: Call) -> CallEntry:
        """One model call."""
        cost, listed = _cost(call)
        return CallEntry(
            **shared(call, CallEntry, but=_WRITTEN_OTHERWISE),
            messages=[self._message(message, call.model) for message in call.messages],
            thoughts=self.strings.add(call.thoughts) if call.thoughts else None,
            reply=self.strings.add(call.reply) if call.reply else None,
            usage=UsageEntry(**shared(call.usage, UsageEntry)) if call.usage else None,
            retries=call.retries or None,
            cost_usd=cost,
            list_price=listed or None,
        )

    def _message(self, message: Message, model: str | None) -> MessageEntry:
        parts: list[TextPart] = []
        for part in message.parts:
            if isinstance(part, str):
                parts += self.text(part)
            else:
                parts.append(("picture", self.pictures.part(part, model)))
        return MessageEntry(role=message.role, parts=parts)

    def text(self, text: str) -> list[TextPart]:
        """Return a prompt in parts, each with its text by index."""
        return self.strings.split(text)

    def panel(self, panel: Panel) -> PanelEntry:
        """Return an inspector panel; the player itself looks up the ids in it."""
        data = panel.model_dump(mode="json")["data"]
        return PanelEntry(kind=panel.kind, title=panel.title, data=data)


_EXCERPT = 200
"""Characters of an edited text that a player shows."""


def _edit(edit: InputEdit) -> EditEntry:
    """Return an edit, with the part of its texts that changed."""
    letters = enumerate(zip(edit.old, edit.new, strict=False))
    same = next((k for k, (a, b) in letters if a != b), min(len(edit.old), len(edit.new)))
    begin = max(0, same - 20)
    old, new = (text[begin : begin + _EXCERPT] for text in (edit.old, edit.new))
    return EditEntry(what=edit.what, old=old, new=new)
