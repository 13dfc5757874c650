"""What a navigator shows its model at a place: the walk begins there, and no model answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from navviz.errors import InputError
from navviz.llm.base import ModelDelta, Request
from navviz.records import Call, Episode, Message
from navviz.records.event import ObservationEvent
from navviz.systems.base import Navigator
from navviz.systems.registry import settings_from
from navviz.world.graph import Graph

_DECISIONS = frozenset({"decide", "act"})
"""Purposes of the calls that choose a move."""
_WITHOUT_MODEL: Mapping[str, Mapping[str, Any]] = {
    "msnav": {"spatial": "off"},
    "skillnav": {"reorder": "rules", "localiser": "rules", "router": "rules"},
}
"""What comes before the decision is left out or done by rules, since no model answers."""


@dataclass(frozen=True)
class FirstPrompt:
    """What is shown where a walk begins."""

    context: str
    """The observation, as text."""
    messages: tuple[Message, ...]
    """The whole prompt that asks for the first move."""


class _MoveWanted(Exception):  # noqa: N818 - no error: the question is what is wanted
    """Ends the walk at its first decision."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.purpose)
        self.request = request


class _Listener:
    """Stands for the model: it keeps the question that asks for a move, and answers nothing."""

    name = "nobody"

    def stream(
        self,
        request: Request,
        cancel: threading.Event | None = None,  # noqa: ARG002
    ) -> Iterator[ModelDelta | Call]:
        """Give an empty answer to any question but that for a move."""
        if request.purpose in _DECISIONS:
            raise _MoveWanted(request)
        yield Call(purpose=request.purpose, messages=request.messages, reply="", model=self.name)


def first_prompt(
    navigator: Navigator, episode: Episode, graph: Graph, values: Mapping[str, Any] | None = None
) -> FirstPrompt:
    """Return what a navigator's model reads at the start of an episode.

    Parameters
    ----------
    navigator
        One that asks a model for its moves.
    episode
        Its start and heading are the place; for another place give it another start.
    graph
        The world.
    values
        Settings by name. MSNav's destination info is off and SkillNav's other parts are rules where
        they are not given.

    Raises
    ------
    InputError
        Where the start is not in the graph, or the navigator asks no model for a move there.
    SettingsError
        For settings that it does not have.
    """
    settings = settings_from(
        navigator, {**_WITHOUT_MODEL.get(navigator.name, {}), **(values or {})}
    )
    context = ""
    try:
        for event in navigator.navigate(episode, graph, _Listener(), settings):
            if isinstance(event, ObservationEvent):
                context = event.observation.text or ""
    except _MoveWanted as wanted:
        return FirstPrompt(context, wanted.request.messages)
    what = f"{navigator.name} asks no model for a move at {episode.start}"
    raise InputError(what, "choose groke, navgpt, msnav or skillnav", episode=episode.id)
