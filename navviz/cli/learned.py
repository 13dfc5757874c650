"""What a command says of a navigator that has learned from data: which priors it used, and how to
test them.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from navviz.runner.batches import Batch


def prior_figures(batch: Batch) -> dict[str, Any]:
    """Return the data that the navigator has learned from, and on how many episodes it used their
    route lengths.
    """
    from navviz.systems.base import learned_from
    from navviz.systems.registry import get_navigator, settings_from

    navigator = get_navigator(batch.plan.navigator)
    settings = settings_from(navigator, batch.plan.settings)
    learned = learned_from(navigator)
    figures: dict[str, Any] = {} if learned is None else {"learned_from": learned}
    resolved = [settings.resolved(episode).get("length_prior") for episode in batch.episodes]
    # navigators without such a prior resolve nothing
    if resolved and resolved[0] is not None:
        figures["length_prior"] = {"used": resolved.count("on"), "episodes": len(resolved)}
    return figures


def prior_lines(batch: Batch, figures: Mapping[str, Any]) -> list[str]:
    """Return the same in words, with the command that walks the controls."""
    lines = []
    if "length_prior" in figures:
        used, episodes = figures["length_prior"]["used"], figures["length_prior"]["episodes"]
        lines.append(
            f"length prior: used on {used} of {episodes} episodes (length_prior={_setting(batch)})"
        )
    if "learned_from" in figures:
        lines.append(
            f"learned priors ({figures['learned_from']}): part of these figures survives without"
            f" reading; see {_command(batch)}"
        )
    return lines


def _setting(batch: Batch) -> str:
    return str(batch.plan.settings.get("length_prior", "auto"))


def _command(batch: Batch) -> str:
    plan = batch.plan
    words = [
        "navviz",
        "diagnose",
        "controls",
        "--navigator",
        plan.navigator,
        "--episodes",
        plan.episodes or "FILE",
    ]
    for graphs in plan.graphs:
        words += ["--graphs", graphs]
    return shlex.join(words)
