"""Read what the model answered: the choice, its probabilities, the chain of thought."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navviz.records import Call
from navviz.support.guarded import natural

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
    """Read the decision in a call's reply; `choices` are the numbers that were offered, 0 among
    them.
    """
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
    """Probability of the tokens that write the action's number; ``None`` where the server told
    none.
    """
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
