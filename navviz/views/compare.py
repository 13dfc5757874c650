"""Compare two runs of an episode: words, plan, figures, and the step where they part."""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from navviz.metrics.registry import (
    all_metrics,
    format_of_episode,
    format_value,
    is_near_radius,
)
from navviz.records import Call, Step, SubGoal, Trace, Usage
from navviz.records.walker import as_part, walker_changes
from navviz.views import palette

# blanks count as words, too: all pieces together are the text to the letter
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_LONGEST_WORDS = 6000
"""Beyond this a diff of words takes too long; the texts are then shown as a whole."""
_COLOURS = palette.THEMES["light"]
_STYLES = {
    "removed": f"text-decoration:line-through;background:{_COLOURS['removed']};border-radius:3px",
    "added": f"text-decoration:none;background:{_COLOURS['added']};border-radius:3px",
}
_SHOWN = (
    "NE",
    "SR",
    "OSR",
    "SPL",
    "nDTW",
    "SDTW",
    "CLS",
    "TL",
    "steps",
    "ME",
    "SR_reverie",
    "OSR_reverie",
    "SPL_reverie",
    "RGS",
    "RGSPL",
    "SR_nuances",
    "OSR_nuances",
)

_SHORT = 28
"""A name up to this length fits a column as it is."""
_HEAD = 24
"""Letters of a name above a column."""


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return the names of runs as columns and charts show them.

    Where one is long, the folders and files that all of them share are left out: they fill a column
    and tell no run from another.

    Examples
    --------
    >>> short_names(["harbour/rules", "harbour/rules-local"])["harbour/rules"]
    'harbour/rules'
    >>> split = "results_of_the_test_split_2026"
    >>> list(short_names([f"{split}/a", f"{split}/b"]).values())
    ['a', 'b']
    """
    if all(len(name) <= _SHORT for name in names):
        return {name: name for name in names}
    folders = min(name.count("/") for name in names)
    start = 0
    for depth in range(folders):
        heads = {name.split("/")[depth] for name in names}
        if len(heads) > 1:
            break
        start += len(heads.pop()) + 1
    return {name: name[start:] for name in names}


def column_head(name: str) -> str:
    """Return the head of a column: the middle of a long name is left out, so that the other columns
    stay in sight; what tells runs apart often stands at the end.
    """
    return name if len(name) <= _HEAD else f"{name[:6]}…{name[-16:]}"


def short_node(node: str) -> str:
    """Return the id of a place as the player shows it: hashes of panoramas fill a line."""
    return node if len(node) <= 12 else f"{node[:6]}…"


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Some words, and in which of two texts they stand."""

    kind: Literal["same", "removed", "added"]
    text: str


def word_diff(old: str, new: str) -> list[TextPiece]:
    """Return shared, removed and added words of two texts in reading order."""
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    if len(a) + len(b) > _LONGEST_WORDS:
        if old == new:
            return [TextPiece("same", new)]
        return [TextPiece("removed", old), TextPiece("added", new)]
    pieces: list[TextPiece] = []
    # autojunk would take frequent words ("the", blanks) for noise in texts of 200 words and more.
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
    """Join changes with only blanks between them, so that a rewritten phrase reads as one."""
    joined: list[TextPiece] = []
    for i, piece in enumerate(pieces):
        blank = piece.kind == "same" and not piece.text.strip()
        if blank and joined and joined[-1].kind != "same" and i + 1 < len(pieces):
            joined += [TextPiece("removed", piece.text), TextPiece("added", piece.text)]
        else:
            joined.append(piece)
    merged: list[TextPiece] = []
    run: dict[Literal["removed", "added"], str] = {"removed": "", "added": ""}
    # The empty piece at the end flushes the last run of changes.
    for piece in [*joined, TextPiece("same", "")]:
        if piece.kind != "same":
            run[piece.kind] += piece.text
            continue
        differs = run["removed"] != run["added"]
        for kind, text in run.items():
            if differs or text.strip():
                merged.append(TextPiece(kind, text))
        run = {"removed": "", "added": ""}
        merged.append(piece)
    return [piece for piece in merged if piece.text]


def diff_html(old: str, new: str) -> str:
    """Return the word diff as escaped HTML; removed words are struck through, added ones marked."""
    style = "white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5"
    return f'<div style="{style}">{_diff_parts(old, new)}</div>'


def _diff_parts(old: str, new: str) -> str:
    parts: list[str] = []
    for piece in word_diff(old, new):
        if piece.kind == "same":
            parts.append(html.escape(piece.text))
        else:
            parts.append(_marked(piece.kind, piece.text))
    return "".join(parts)


def plan_html(old: Sequence[SubGoal], new: Sequence[SubGoal]) -> str:
    """Return both plans line by line as escaped HTML: kept, removed and added sub-goals."""
    if not old and not new:
        return '<p style="opacity:.7">Neither run made a plan.</p>'
    before = [goal.description for goal in old]
    after = [goal.description for goal in new]
    rows: list[str] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            rows += [html.escape(text) for text in after[j1:j2]]
            continue
        pairs = min(i2 - i1, j2 - j1)
        # changed sub-goals are paired in their order, so that a rewritten one shows its words
        rows += [_diff_parts(before[i1 + k], after[j1 + k]) for k in range(pairs)]
        rows += [_marked("removed", text) for text in before[i1 + pairs : i2]]
        rows += [_marked("added", text) for text in after[j1 + pairs : j2]]
    items = "".join(f"<li>{row}</li>" for row in rows)
    style = "margin:0;padding-left:1.4em;line-height:1.5;overflow-wrap:anywhere"
    return f'<ol style="{style}">{items}</ol>'


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
    """``None`` where both print the same, or neither is better."""


def metric_changes(
    old: Mapping[str, float | None], new: Mapping[str, float | None], *, near: bool = False
) -> list[Change]:
    """Return the figures of both runs in their usual order; leave out what both lack.

    `near` shows lengths with centimetres (`navviz.metrics.registry.is_near_radius`).
    """
    metrics = {metric.name: metric for metric in all_metrics()}
    changes: list[Change] = []
    for name in _SHOWN:
        before, after = old.get(name), new.get(name)
        if name not in metrics or (before is None and after is None):
            continue
        delta = after - before if before is not None and after is not None else None
        better = None
        shown = (
            format_of_episode(name, before, near=near),
            format_of_episode(name, after, near=near),
        )
        # a difference that both figures round away is none to a reader
        if delta and metrics[name].better is not None and shown[0] != shown[1]:
            better = (delta > 0) == (metrics[name].better == "higher")
        changes.append(Change(name, metrics[name].title, *shown, delta, better))
    return changes


def cost_rows(trace: Trace) -> dict[str, str]:
    """Return the usage of a run's calls for a table; a figure that no server gave is missing."""
    calls = trace.calls
    if not calls:
        # a foreign log without calls does not say that none was made
        return {"model calls": "0" if trace.header.source is None else "–"}
    usages = [call.usage or Usage() for call in calls]
    seconds = [call.seconds for call in calls if call.seconds is not None]
    costs_usd = [call.cost_usd for call in calls if call.cost_usd is not None]
    # A sum of some calls alone would pass for the cost of the walk.
    return {
        "model calls": str(len(calls)),
        "retries": str(sum(call.retries for call in calls)),
        "prompt tokens": _sum([usage.prompt_tokens for usage in usages]),
        "thought tokens": _sum([usage.thoughts_tokens for usage in usages]),
        "reply tokens": _sum([usage.output_tokens for usage in usages]),
        "time": f"{sum(seconds):.1f} s" if len(seconds) == len(calls) else "–",
        "cost": f"${sum(costs_usd):.4f}" if len(costs_usd) == len(calls) else "–",
    }


def _sum(counts: Sequence[int | None]) -> str:
    stated = [count for count in counts if count is not None]
    if not stated:
        return "–"
    if len(stated) == len(counts):
        return f"{sum(stated):,}"
    return f"{sum(stated):,} in {len(stated)} of {len(counts)} calls"


def usage_in_words(calls: Sequence[Call]) -> str:
    """Say the tokens and the cost of calls, and of how many of them where some state none."""
    counts = [call.tokens for call in calls if call.tokens is not None]
    costs_usd = [call.cost_usd for call in calls if call.cost_usd is not None]
    tokens, cost = "tokens not known", "cost not known"
    if counts:
        tokens = f"{sum(counts):,} tokens{_part(counts, calls)}"
    if costs_usd:
        cost = f"${sum(costs_usd):.4f}{_part(costs_usd, calls)}"
    return f"{tokens} · {cost}"


def _part(stated: Sequence[float], calls: Sequence[Call]) -> str:
    if len(stated) == len(calls):
        return ""
    return f" in {len(stated)} of {len(calls)} calls"


def first_difference(old: Trace, new: Trace) -> int | None:
    """Return the first step (from 1) in which two runs stand, decide or walk differently.

    ``None`` if they are alike.
    """
    # up to the end of the shorter run: where that is all alike, the lengths decide below
    for a, b in zip(old.steps, new.steps, strict=False):
        if _stand_and_move(a) != _stand_and_move(b):
            return b.index
    if len(old.steps) == len(new.steps):
        return None
    return min(len(old.steps), len(new.steps)) + 1


def _stand_and_move(step: Step) -> tuple[object, ...]:
    return step.node, step.decision.target if step.decision else None, step.path


def _alike(old: str, new: str) -> str:
    """Name the methods: agreement of two methods says more than a repetition of one."""
    if not old or not new:
        return "Both methods decide and walk alike"
    if old == new:
        return f"{new} decides and walks as before"
    return f"{old} and {new} decide and walk alike"


def summary_sentence(
    old: Trace,
    new: Trace,
    old_scores: Mapping[str, float | None],
    new_scores: Mapping[str, float | None],
) -> str:
    """Say in one sentence where the runs part, and how far from the goal both stopped."""
    step = first_difference(old, new)
    if not old.steps:
        parts = ["There is no earlier walk to compare with"]
    elif step is None:
        parts = [_alike(old.header.navigator, new.header.navigator)]
    else:
        parts = [f"The runs part at step {step}"]
    before, after = old_scores.get("NE"), new_scores.get("NE")
    if after is not None and before is not None and old.steps:
        far, now = _metres(before, old), _metres(after, new)
        parts.append(f"{far} from the goal before, {now} now")
    elif after is not None:
        parts.append(f"the new run stops {_metres(after, new)} from the goal")
    return "; ".join(parts) + "."


def _metres(far_m: float, trace: Trace) -> str:
    # whole metres would call 2.96 m and 3.04 m the same, of which one succeeds indoors
    near = is_near_radius(trace.episode.success_radius_m)
    return format_value("NE", far_m, near=True) if near else f"{far_m:.0f} m"


def other_walker_sentence(
    old: Trace,
    new: Trace,
    old_scores: Mapping[str, float | None],
    new_scores: Mapping[str, float | None],
) -> str:
    """Say how navigator, model or settings differ, and where both walks stopped.

    Empty where they are the same. There is no "before" and "after", since the walks are unlike.
    """
    changes = walker_changes(old, new)
    if not changes:
        return ""
    theirs, ours = old_scores.get("NE"), new_scores.get("NE")
    other = "the other walk"
    if old.header.navigator != new.header.navigator:
        other = old.header.navigator
    if theirs is not None and ours is not None:
        stops = f"This walk stopped {_metres(ours, new)} from the goal, {other}"
        changes += (f"{stops} {_metres(theirs, old)}.",)
    elif ours is not None:
        changes += (f"This walk stopped {_metres(ours, new)} from the goal.",)
    return " ".join(changes)


def outcome_words(trace: Trace, scores: Mapping[str, float | None]) -> str:
    """Say in a few words how a walk ended: outcome and distance to the goal, or what broke it."""
    if trace.end is not None and trace.end.status not in {"done", "unknown"}:
        return str(trace.end.status)
    success, error_m = scores.get("SR"), scores.get("NE")
    words = []
    if success is not None:
        words.append("success" if success else "failure")
    if error_m is not None:
        words.append(f"{error_m:.0f} m")
    return " · ".join(words) or "walked"


def variant_words(before: Trace | None, after: Trace) -> str:
    """Say in a line what changed between two walks: instruction, navigator, model, fork."""
    parts: list[str] = []
    if before is not None:
        pieces = word_diff(before.episode.instruction, after.episode.instruction)
        for piece in pieces:
            if piece.kind != "same" and piece.text.strip():
                sign = "+" if piece.kind == "added" else "−"
                parts.append(f"{sign} {' '.join(piece.text.split())}")
        parts += [as_part(change) for change in walker_changes(before, after)]
    fork = after.header.forked_from
    if fork is not None:
        # The pieces above show the instruction's own words.
        parts += [change for change in fork.changes if change != "instruction"]
    return "; ".join(dict.fromkeys(parts)) or "nothing"
