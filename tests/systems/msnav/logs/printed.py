"""Write a walk of our own `msnav` as the text that MSNav's published code prints, for the reader to
read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from navviz.records import Call, Step, Trace
from navviz.support.guarded import decode_reply
from navviz.systems.msnav.place_map.panels import PRUNING_TITLE

__all__ = ["log_text"]

_DASHES = "-" * 20
_END = "-" * 53


def log_text(trace: Trace) -> str:
    """Return the standard output of a walk.

    Parameters
    ----------
    trace
        A walk of `msnav`; steps without an environment prompt are passed over.
    """
    return "".join(f"{line}\n" for step in trace.steps for line in _step(step))


def _step(step: Step) -> Iterator[str]:
    if step.observation is None:
        return
    table = next(
        (panel for panel in step.panels if panel.title == PRUNING_TITLE and panel.kind == "table"),
        None,
    )
    if table is not None:
        yield from _pruning(step, table.data["columns"], table.data["rows"])
    yield f"{_DASHES} Environment Prompts {_DASHES}"
    yield step.observation.text
    call = next((call for call in reversed(step.calls) if call.purpose == "decide"), None)
    if call is not None and call.reply is not None:
        yield from _reply(call)
    elif step.decision is not None and step.decision.stop:
        yield "Exceed image limit and stop!"


def _pruning(step: Step, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    scored = [dict(zip(columns, row, strict=True)) for row in rows]
    scored = [row for row in scored if row["Score"] is not None]
    if not scored:
        return
    yield f"--- Pruning Scores Detail (Step {step.index - 1}, Current VP: {step.node}) ---"
    for row in scored:
        yield from _node(row)
    yield _END


def _node(row: Mapping[str, Any]) -> Iterator[str]:
    hops = "N/A" if row["Hops"] is None else row["Hops"]
    yield f"  Node {row['Viewpoint']}:"
    yield f"    Raw: age={row['Age']}, deg={row['Degree']}, unexpl_neigh={row['Unvisited']}, dist={hops}"
    yield (
        f"    Contrib: time={row['Time']:.2f} (eff_age={row['Eff. age']}), deg={row['Degree term']:.2f}, "
        f"front={row['Frontier']:.2f}, dist={row['Distance']:.2f}"
    )
    yield f"    Total Score: {row['Score']:.2f}"


def _reply(call: Call) -> Iterator[str]:
    reply = call.reply or ""
    yield "DEBUG: Received nav_output (type: <class 'str'>):"
    yield f"'''\n{reply}\n'''"
    usage = call.usage
    prompt = usage.prompt_tokens if usage else None
    output = usage.output_tokens if usage else None
    yield str({"completion_tokens": output, "prompt_tokens": prompt})
    try:
        shown = json.dumps(decode_reply(reply), indent=2, ensure_ascii=False)
    except ValueError as error:
        yield f"ERROR: Failed to decode JSON: {error}"
        yield f"ERROR: Original nav_output was: {reply!r}"
        yield "WARN: JSONDecodeError occurred. Defaulting to action index 0 (stop)."
        shown = "Output: (JSON decoding failed)"
    yield f"{_DASHES} Output {_DASHES}"
    yield shown
