"""What changed between two runs of an episode: words, plan, figures, and where they part."""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from navviz.metrics.registry import all_metrics, format_value
from navviz.records import Step, SubGoal, Trace
from navviz.records.walker import walker_changes

__all__ = [
    "Change",
    "TextPiece",
    "cost_rows",
    "diff_html",
    "first_difference",
    "metric_changes",
    "other_walker_sentence",
    "outcome_words",
    "plan_html",
    "summary_sentence",
    "variant_words",
    "word_diff",
]

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_LONGEST_WORDS = 6000
"""Beyond this a diff of words takes too long; the texts are then shown as a whole."""
_STYLES = {
    "removed": "text-decoration:line-through;background:rgba(213,94,0,.20);border-radius:3px",
    "added": "text-decoration:none;background:rgba(0,158,115,.24);border-radius:3px",
}
_SHOWN = (
    "NE", "SR", "OSR", "SPL", "nDTW", "SDTW", "CLS", "TL", "steps", "ME", "SR_reverie", "OSR_reverie", "SPL_reverie",
    "RGS", "RGSPL", "SR_nuances", "OSR_nuances",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Some words, and in which of two texts they stand."""

    kind: Literal["same", "removed", "added"]
    text: str


def word_diff(old: str, new: str) -> list[TextPiece]:
    """Words that two texts share, that only the old one has, and that only the new one has, in reading order."""
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    if len(a) + len(b) > _LONGEST_WORDS:
        return [TextPiece("same", new)] if old == new else [TextPiece("removed", old), TextPiece("added", new)]
    pieces: list[TextPiece] = []
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(TextPiece("same", "".join(a[i1:i2])))
            continue
        if i2 > i1:
            pieces.append(TextPiece("removed", "".join(a[i1:i2])))
        if j2 > j1:
            pieces.append(TextPiece("added", "".join(b[j1:j2])))
    return _joined(pieces)


def _joined(pieces: Sequence[TextPiece]) -> list[TextPiece]:
    """Join changes that only a blank parts, so that a rewritten phrase reads as one."""
    joined: list[TextPiece] = []
    for i, piece in enumerate(pieces):
        blank = piece.kind == "same" and not piece.text.strip()
        if blank and joined and joined[-1].kind != "same" and i + 1 < len(pieces):
            joined += [TextPiece("removed", piece.text), TextPiece("added", piece.text)]
        else:
            joined.append(piece)
    merged: list[TextPiece] = []
    run: dict[str, str] = {"removed": "", "added": ""}
    for piece in [*joined, TextPiece("same", "")]:
        if piece.kind != "same":
            run[piece.kind] += piece.text
            continue
        merged += (
            [TextPiece("removed", run["removed"])] if run["removed"].strip() or run["removed"] != run["added"] else []
        )
        merged += [TextPiece("added", run["added"])] if run["added"].strip() or run["removed"] != run["added"] else []
        run = {"removed": "", "added": ""}
        if piece.text:
            merged.append(piece)
    return [piece for piece in merged if piece.text]


def diff_html(old: str, new: str) -> str:
    """Return the word diff as HTML, escaped; removed words struck through, added ones marked (not by colour alone)."""
    tags = {"removed": "del", "added": "ins"}
    parts: list[str] = []
    for piece in word_diff(old, new):
        text = html.escape(piece.text)
        if piece.kind == "same":
            parts.append(text)
        else:
            tag = tags[piece.kind]
            parts.append(f'<{tag} style="{_STYLES[piece.kind]}">{text}</{tag}>')
    return f'<div style="white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5">{"".join(parts)}</div>'


def plan_html(old: Sequence[SubGoal], new: Sequence[SubGoal]) -> str:
    """Both plans line by line as HTML, escaped: kept, removed and added sub-goals."""
    if not old and not new:
        return '<p style="opacity:.7">Neither run made a plan.</p>'
    before, after = ([goal.description for goal in goals] for goals in (old, new))
    rows: list[str] = []
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            rows += [html.escape(text) for text in after[j1:j2]]
            continue
        pairs = min(i2 - i1, j2 - j1)
        rows += [_inner(diff_html(before[i1 + k], after[j1 + k])) for k in range(pairs)]
        rows += [_marked("removed", text) for text in before[i1 + pairs : i2]]
        rows += [_marked("added", text) for text in after[j1 + pairs : j2]]
    items = "".join(f"<li>{row}</li>" for row in rows)
    return f'<ol style="margin:0;padding-left:1.4em;line-height:1.5;overflow-wrap:anywhere">{items}</ol>'


def _inner(block: str) -> str:
    return block[block.index(">") + 1 : -len("</div>")]


def _marked(kind: Literal["removed", "added"], text: str) -> str:
    tag = {"removed": "del", "added": "ins"}[kind]
    return f'<{tag} style="{_STYLES[kind]}">{html.escape(text)}</{tag}>'


@dataclass(frozen=True, slots=True)
class Change:
    """One figure of two runs."""

    name: str
    title: str
    old: str
    new: str
    delta: float | None
    """New less old; ``None`` where one of them is missing."""
    better: bool | None
    """``None`` where they read the same as printed, or neither is better."""


def metric_changes(old: Mapping[str, float | None], new: Mapping[str, float | None]) -> list[Change]:
    """Figures of both runs, the usual ones first asked for; what neither has is left out."""
    known = {metric.name: metric for metric in all_metrics()}
    changes: list[Change] = []
    for name in _SHOWN:
        before, after = old.get(name), new.get(name)
        if name not in known or (before is None and after is None):
            continue
        delta = after - before if before is not None and after is not None else None
        better = None
        shown = (format_value(name, before), format_value(name, after))
        if delta and known[name].better is not None and shown[0] != shown[1]:
            better = (delta > 0) == (known[name].better == "higher")
        changes.append(Change(name, known[name].title, *shown, delta, better))
    return changes


def cost_rows(trace: Trace) -> dict[str, str]:
    """Return what a run's calls used, for a table; what a server did not tell is shown as missing."""
    calls = trace.calls
    if not calls:
        return {"model calls": "0"}
    costs = [call.cost_usd for call in calls]
    seconds = [call.seconds for call in calls]
    prompt = [call.usage.prompt_tokens if call.usage else None for call in calls]
    output = [call.usage.output_tokens if call.usage else None for call in calls]
    thoughts = [call.usage.thoughts_tokens if call.usage else None for call in calls]
    return {
        "model calls": str(len(calls)),
        "retries": str(sum(call.retries for call in calls)),
        "prompt tokens": _sum(prompt),
        "thought tokens": _sum(thoughts),
        "reply tokens": _sum(output),
        "time": "–" if None in seconds else f"{sum(s for s in seconds if s is not None):.1f} s",
        "cost": "–" if None in costs else f"${sum(c for c in costs if c is not None):.4f}",
    }


def _sum(values: Sequence[int | None]) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return "–"
    return f"{sum(known):,}" + ("" if len(known) == len(values) else f" in {len(known)} of {len(values)} calls")


def first_difference(old: Trace, new: Trace) -> int | None:
    """First step (from 1) in which two runs stand elsewhere, decide or walk differently; ``None`` if they are alike."""
    for a, b in zip(old.steps, new.steps, strict=False):
        if _doing(a) != _doing(b):
            return b.index
    if len(old.steps) == len(new.steps):
        return None
    return min(len(old.steps), len(new.steps)) + 1


def _doing(step: Step) -> tuple[object, ...]:
    return step.node, step.decision.target if step.decision else None, step.path


def _alike(old: str, new: str) -> str:
    """Name the methods: that two of them agree says more than that one repeats itself."""
    if not old or not new:
        return "Both methods decide and walk alike"
    return f"{new} decides and walks as before" if old == new else f"{old} and {new} decide and walk alike"


def summary_sentence(
    old: Trace, new: Trace, old_scores: Mapping[str, float | None], new_scores: Mapping[str, float | None]
) -> str:
    """One sentence: where the runs part, and how much nearer to the goal the new one stopped."""
    step = first_difference(old, new)
    if not old.steps:
        parts = ["There is no earlier walk to compare with"]
    elif step is None:
        parts = [_alike(old.header.navigator, new.header.navigator)]
    else:
        parts = [f"The runs part at step {step}"]
    before, after = old_scores.get("NE"), new_scores.get("NE")
    if after is not None and before is not None and old.steps:
        parts.append(f"{before:.0f} m from the goal before, {after:.0f} m now")
    elif after is not None:
        parts.append(f"the new one stops {after:.0f} m from the goal")
    return "; ".join(parts) + "."


def other_walker_sentence(
    old: Trace, new: Trace, old_scores: Mapping[str, float | None], new_scores: Mapping[str, float | None]
) -> str:
    """Say who walked instead of whom, and where both stopped; no before and no after, for they are unlike.

    Empty where navigator, model and settings are the same.
    """
    changes = walker_changes(old, new)
    if not changes:
        return ""
    theirs, ours = old_scores.get("NE"), new_scores.get("NE")
    other = old.header.navigator if old.header.navigator != new.header.navigator else "the other walk"
    if theirs is not None and ours is not None:
        changes += (f"This walk stopped {ours:.0f} m from the goal, {other} {theirs:.0f} m.",)
    elif ours is not None:
        changes += (f"This walk stopped {ours:.0f} m from the goal.",)
    return " ".join(changes)


def outcome_words(trace: Trace, scores: Mapping[str, float | None]) -> str:
    """Say in a few words how a walk ended: success or failure with the distance to the goal in metres, or why not."""
    if trace.end is not None and trace.end.status not in {"done", "unknown"}:
        return str(trace.end.status)
    success, error_m = scores.get("SR"), scores.get("NE")
    words = "" if success is None else "success" if success else "failure"
    return " · ".join(part for part in (words, "" if error_m is None else f"{error_m:.0f} m") if part) or "walked"


def _short(change: str) -> str:
    """``Other navigator: rules instead of groke.`` as a part of a line: ``navigator rules instead of groke``."""
    return change.removesuffix(".").removeprefix("Other ").replace(": ", " ", 1)


def variant_words(before: Trace | None, after: Trace) -> str:
    """Say in a line what was changed between two walks: words of the instruction, navigator, model, and a fork's."""
    parts: list[str] = []
    if before is not None:
        pieces = word_diff(before.episode.instruction, after.episode.instruction)
        changed = [piece for piece in pieces if piece.kind != "same" and piece.text.strip()]
        parts += [f"{'+' if piece.kind == 'added' else '−'} {' '.join(piece.text.split())}" for piece in changed]
        parts += [_short(change) for change in walker_changes(before, after)]
    fork = after.header.forked_from
    parts += [change for change in fork.changes if change != "instruction"] if fork is not None else []
    return "; ".join(dict.fromkeys(parts)) or "nothing"
