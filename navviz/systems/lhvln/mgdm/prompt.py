"""MGDM's prompts in our own words: decide, think in a chain, blur two memories into one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from navviz.records import Call, Message, Panel
from navviz.support.guarded import natural
from navviz.systems.base import PromptField, PromptKind, PromptText
from navviz.systems.lhvln.mgdm.long_term import Hit

JOINED_CHARACTERS = 200
"""A blurred memory is cut to this many characters."""

_EPSILON = 1e-10
"""The published code's guard against the logarithm of 0."""

Blur = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Slot:
    """One memory."""

    text: str
    confidence: float
    """Probability of the action that was taken."""
    first: int
    """First step that it holds."""
    last: int
    """Last step that it holds."""
    pooled: int = 0
    """How often it was pooled."""

    @property
    def age(self) -> str:
        """Its steps in words: ``step 3``, ``steps 4-6, pooled twice``."""
        span = (
            f"step {self.first}" if self.first == self.last else f"steps {self.first}-{self.last}"
        )
        times = {0: "", 1: ", pooled once", 2: ", pooled twice"}.get(
            self.pooled, f", pooled {self.pooled} times"
        )
        return span + times


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What happened when the memory was full."""

    index: int
    """The index that was chosen, from 0."""
    entropies_bits: tuple[float, ...]
    """Of every index; empty where the oldest memory was dropped without asking."""
    before: tuple[Slot, ...]
    after: tuple[Slot, ...]

    @property
    def blurred(self) -> tuple[Slot, ...]:
        """The memories that were put together, or dropped."""
        kept = set(self.after)
        return tuple(slot for slot in self.before if slot not in kept)

    @property
    def results(self) -> tuple[Slot, ...]:
        """What they became."""
        former = set(self.before)
        return tuple(slot for slot in self.after if slot not in former)


def pooled(values: Sequence[float], index: int) -> tuple[float, ...]:
    """Confidences with one place pooled: n become n - 1.

    First or last: the mean of the two at the edge replaces both. Between: the means with the left
    and with the right neighbour replace the three.
    """
    last = len(values) - 1
    if last < 1:
        return tuple(values)
    if index in {0, last}:
        # the last place has no right neighbour: it is pooled with the one before it
        at = min(index, last - 1)
        return (*values[:at], (values[at] + values[at + 1]) / 2, *values[at + 2 :])
    left, right = (values[index - 1] + values[index]) / 2, (values[index] + values[index + 1]) / 2
    return (*values[: index - 1], left, right, *values[index + 2 :])


def entropy_bits(values: Sequence[float]) -> float:
    """Entropy in bits of values over their sum, 1e-10 inside the logarithm; 0 if all are 0."""
    total = math.fsum(values)
    if total <= 0:
        return 0.0
    shares = [value / total for value in values]
    # fsum, so that the choice of the least entropy does not hang on the order of additions
    return -math.fsum(share * math.log2(share + _EPSILON) for share in shares)


def entropies_bits(confidences: Sequence[float]) -> tuple[float, ...]:
    """Entropy that pooling at each index would leave."""
    return tuple(entropy_bits(pooled(confidences, index)) for index in range(len(confidences)))


def joined(first: str, second: str) -> str:
    """Two memories as one text, cut to 200 characters."""
    text = f"{first.rstrip('. ')}; {second}"
    return text if len(text) <= JOINED_CHARACTERS else text[: JOINED_CHARACTERS - 1] + "…"


def forget(slots: Sequence[Slot], blur: Blur = joined) -> Forgetting:
    """Pool where the least entropy is left (the first wins); memories and confidences alike."""
    entropies = entropies_bits([slot.confidence for slot in slots])
    index = entropies.index(min(entropies))
    # texts and confidences are pooled at one place, else a memory would carry another one's trust
    return Forgetting(index, entropies, tuple(slots), _pooled_slots(slots, index, blur))


def forget_oldest(slots: Sequence[Slot]) -> Forgetting:
    """Drop the oldest memory."""
    return Forgetting(0, (), tuple(slots), tuple(slots[1:]))


def _pooled_slots(slots: Sequence[Slot], index: int, blur: Blur) -> tuple[Slot, ...]:
    last = len(slots) - 1
    if last < 1:
        return tuple(slots)
    if index in {0, last}:
        at = min(index, last - 1)
        return (*slots[:at], _merged(slots[at], slots[at + 1], blur), *slots[at + 2 :])
    left = _merged(slots[index - 1], slots[index], blur)
    right = _merged(slots[index], slots[index + 1], blur)
    return (*slots[: index - 1], left, right, *slots[index + 2 :])


def _merged(a: Slot, b: Slot, blur: Blur) -> Slot:
    return replace(
        a,
        text=blur(a.text, b.text),
        confidence=(a.confidence + b.confidence) / 2,
        first=min(a.first, b.first),
        last=max(a.last, b.last),
        pooled=max(a.pooled, b.pooled) + 1,
    )


DECISION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "thought": {"type": "string"},
        "progress": {"type": "string"},
        "action": {"type": "integer"},
        "probabilities": {"type": "object", "additionalProperties": {"type": "number"}},
    },
    "required": ["thought", "progress", "action"],
}

COT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "progress": {"type": "string"},
        "decomposition": {"type": "array", "items": {"type": "string"}},
        "next": {"type": "string"},
    },
    "required": ["progress", "decomposition", "next"],
}

BLUR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"memory": {"type": "string"}},
    "required": ["memory"],
}

_ROLE = (
    "You are a robot that walks through a house and visits several places, one after another, to"
    " complete the task it was given. You see numbered ways around you. Choosing (0) says that the"
    " place of the current part is reached; then the next part begins, and there is no way back to"
    " this one."
)

_HINT = (
    "Compare the history with the instruction to find out which part you are in and how far it has"
    " come. Then choose one number. Answer in JSON: thought; progress (where the task stands, in a"
    " few words); action (the number); probabilities (how sure you are of each number, adding up"
    " to 1)."
)

_COT = (
    "You advise a robot that walks through a house to visit several places in order. From what it"
    " sees, what it remembers and its instruction, say where the task stands (progress), which"
    " parts it has (decomposition, one short line each, done ones included), and what to do next"
    " (next). Answer in JSON."
)

_BLUR = (
    "A robot's memory is full, and two memories must become one. Write one line of at most 200"
    " characters that keeps places and turns and leaves out the rest. Answer in JSON with the key"
    " memory."
)

_STEP = PromptText(
    _ROLE,
    "Instruction:\n{instruction}\n\nDone so far:\n{done}\n\n{advice}History:\n{history}\n\n"
    f"{{expert}}Candidates:\n{{candidates}}\n\n{_HINT}",
)

STEP_PROMPT = PromptKind(
    (
        PromptField("instruction", "the whole task", is_needed=True),
        PromptField("candidates", "the numbered ways", is_needed=True),
        PromptField("done", "how many parts are done"),
        PromptField("advice", "the chain of thought with its heading, empty without one"),
        PromptField("history", "the short-term memory"),
        PromptField("expert", "experiences of an expert with their heading, empty without any"),
    ),
    lambda _settings: str(_STEP),
)
"""The prompt of a step."""


def history(slots: Sequence[Slot]) -> str:
    """Return the short-term memory as it stands in a prompt."""
    return (
        "\n".join(f"- {slot.age}: {slot.text}" for slot in slots)
        or "Nothing yet: the walk begins here."
    )


def _parts(stops: int) -> str:
    if not stops:
        return "No part is done yet."
    return f"You have chosen (0) {stops} {'time' if stops == 1 else 'times'}."


def decide_messages(
    instruction: str,
    chain: str,
    slots: Sequence[Slot],
    seen: str,
    stops: int,
    remembered: Sequence[str] = (),
    prompt: str = "",
) -> tuple[Message, ...]:
    """Return the prompt of a step; `prompt` is an edited text, the shipped one if empty."""
    lines = "\n".join(f"- {line}" for line in remembered)
    values = {
        "instruction": instruction,
        "done": _parts(stops),
        "advice": f"Advice:\n{chain}\n\n" if chain else "",
        "history": history(slots),
        "expert": f"An expert in places that looked alike:\n{lines}\n\n" if lines else "",
        "candidates": seen,
    }
    return (PromptText.parse(prompt) if prompt else _STEP).fill(values)


def cot_messages(
    instruction: str, slots: Sequence[Slot], seen: str, stops: int
) -> tuple[Message, ...]:
    """Return the prompt of the chain of thought."""
    text = (
        f"Instruction:\n{instruction}\n\nDone so"
        f" far:\n{_parts(stops)}\n\nHistory:\n{history(slots)}\n\nCandidates:\n{seen}"
    )
    return Message(role="system", text=_COT), Message(role="user", text=text)


def blur_messages(first: str, second: str) -> tuple[Message, ...]:
    """Return the prompt that puts two memories together."""
    return Message(role="system", text=_BLUR), Message(role="user", text=f"1: {first}\n2: {second}")


def memory_panel(slots: Sequence[Slot], size: int) -> Panel:
    """Short-term slots with age and confidence."""
    rows = [
        [k, slot.age, slot.text, round(slot.confidence, 3)] for k, slot in enumerate(slots, start=1)
    ]
    title = f"Memory: {len(slots)} of {size}"
    return Panel(
        kind="table",
        title=title,
        data={"columns": ["#", "age", "memory", "confidence"], "rows": rows},
    )


def forgetting_panels(forgetting: Forgetting) -> tuple[Panel, ...]:
    """Entropies of all indices with the winner marked, and what was blurred, before and after."""
    before = [
        ["before", slot.age, slot.text, round(slot.confidence, 3)] for slot in forgetting.blurred
    ]
    after = [
        ["after", slot.age, slot.text, round(slot.confidence, 3)] for slot in forgetting.results
    ]
    columns = ["", "age", "memory", "confidence"]
    blurred = Panel(
        kind="table", title=_title(forgetting), data={"columns": columns, "rows": before + after}
    )
    if not forgetting.entropies_bits:
        return (blurred,)
    items = []
    slots = zip(forgetting.entropies_bits, forgetting.before, strict=True)
    for k, (value, slot) in enumerate(slots):
        chosen, label = k == forgetting.index, f"index {k + 1}"
        item = {"label": label, "value": round(value, 4), "chosen": chosen, "note": slot.age}
        items.append(item)
    bars = Panel(kind="bars", title="Entropies (bits)", data={"items": items})
    return bars, blurred


def _title(forgetting: Forgetting) -> str:
    if not forgetting.entropies_bits:
        return "Forgotten: the oldest"
    return f"Blurred: index {forgetting.index + 1}"


def chain_panel(chain: str, former: str, step: int) -> Panel:
    """Return the current chain of thought; the one before it for the difference."""
    title = f"Chain of step {step}"
    return Panel(
        kind="text",
        title=title,
        data={"text": chain, "former": former} if former else {"text": chain},
    )


def long_term_panel(hits: Sequence[Hit], *, stored: int) -> Panel:
    """Return what an expert did in places that looked alike."""
    rows = []
    for hit in hits:
        example = hit.experience
        row = [round(hit.similarity, 3), example.action, example.episode, example.line]
        rows.append(row)
    title = f"Long-term: {len(hits)} of {stored}"
    columns = ["similarity", "action", "episode", "what it saw"]
    return Panel(kind="table", title=title, data={"columns": columns, "rows": rows})


def confidence_panel(
    probabilities: Mapping[int, float], labels: Mapping[int, str], chosen: int, source: str
) -> Panel:
    """Probabilities of the choices, the chosen one marked, with where they come from."""
    items = []
    for key, value in sorted(probabilities.items()):
        label = f"({key}) {labels.get(key, '')}".strip()
        item = {"label": label, "value": round(value, 3), "chosen": key == chosen}
        if key == chosen:
            item["note"] = source
        items.append(item)
    return Panel(kind="bars", title="Probabilities", data={"items": items})


STATED = "as the model states them"

SERVED = "from the server's log-probability of the number, the rest shared among the others"

UNIFORM = "(the model stated none: one over the number of choices)"

_ACTION = re.compile(r'"action"\s*:\s*"?\(?(\d+)')


@dataclass(frozen=True, slots=True)
class MgdmDecision:
    """One decision of the model."""

    action: int | None
    """``None`` where the reply names no choice that was offered."""
    progress: str
    probabilities: dict[int, float]
    """Of every choice, adding up to 1."""
    source: str
    """Where the probabilities come from."""
    fault: str | None = None


def read_answer(call: Call | None, choices: Sequence[int]) -> MgdmDecision:
    """Read the decision in a reply; `choices` are the numbers offered, 0 among them."""
    parsed = (call.parsed if call is not None else None) or {}
    stated = _probabilities(parsed.get("probabilities"), choices)
    action, fault = _action(parsed, choices)
    # that the reply is no JSON explains more than that it names no number
    if action is None and call is not None and call.parse_error:
        fault = call.parse_error
    progress = str(parsed.get("progress") or "").strip()
    served = _served(call) if stated is None and action is not None else None
    if served is not None and action is not None:
        # stopping may be the only choice, with no others to share with
        rest = (1 - served) / max(1, len(choices) - 1)
        shares = {**dict.fromkeys(choices, rest), action: served}
        return MgdmDecision(action, progress, shares, SERVED, fault)
    if stated is None:
        shares = dict.fromkeys(choices, 1 / len(choices))
        return MgdmDecision(action, progress, shares, UNIFORM, fault)
    return MgdmDecision(action, progress, stated, STATED, fault)


def _action(parsed: Mapping[str, Any], choices: Sequence[int]) -> tuple[int | None, str | None]:
    value = parsed.get("action")
    if isinstance(value, str):
        number = natural(value.strip().strip("()"))
        value = value if number is None else number
    if isinstance(value, bool) or not isinstance(value, int | float) or int(value) != value:
        return None, f"names no number: {value!r}"
    if int(value) not in choices:
        return None, f"({int(value)}) was not offered"
    return int(value), None


def _probabilities(stated: object, choices: Sequence[int]) -> dict[int, float] | None:
    """Stated probabilities, made to add up to 1; ``None`` where there is nothing to go by."""
    if not isinstance(stated, dict):
        return None
    shares: dict[int, float] = {}
    for key, value in stated.items():
        number = natural(str(key).strip().strip("()"))
        is_share = isinstance(value, int | float) and math.isfinite(value)
        if number is not None and number in choices and is_share:
            shares[number] = max(0.0, float(value))
    total = math.fsum(shares.values())
    # nobody can choose by zeros alone; the caller asks the next source
    if total <= 0:
        return None
    return {key: shares.get(key, 0.0) / total for key in choices}


def _served(call: Call | None) -> float | None:
    """Probability of the tokens that write the action's number."""
    if call is None or not call.logprobs:
        return None
    *_, number = (
        None,
        *_ACTION.finditer("".join(token for token, _ in call.logprobs)),
    )  # the last: thoughts come first
    if number is None:
        return None
    total, at = 0.0, 0
    # a number may be cut into several tokens, and a token may hold more than the number
    for token, logprob in call.logprobs:
        if at < number.end(1) and at + len(token) > number.start(1):
            total += logprob
        at += len(token)
    return min(1.0, math.exp(total))


def chain_of(call: Call) -> str:
    """Return the chain of thought as it goes into prompts."""
    parsed = call.parsed or {}
    lines = [f"Where the task stands: {parsed['progress']}"] if parsed.get("progress") else []
    parts = decomposition_of(call)
    lines += ["Parts:", *(f"{k}. {part}" for k, part in enumerate(parts, start=1))] if parts else []
    lines += [f"Next: {parsed['next']}"] if parsed.get("next") else []
    return "\n".join(lines) or (call.reply or "").strip()


def decomposition_of(call: Call) -> tuple[str, ...]:
    """Return the parts of the task, as the chain of thought has them."""
    parts = (call.parsed or {}).get("decomposition")
    if not isinstance(parts, list):
        return ()
    texts = [str(part).strip() for part in parts]
    return tuple(text for text in texts if text)
