"""Navigators by name: those of the systems, NavViz's own first.

One is imported only when it is asked for.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, cast

from pydantic import ValidationError

from navviz.errors import InputError, PluginError, SettingsError
from navviz.llm.base import ModelDelta, Request
from navviz.records import Call, Episode, Trace
from navviz.records.trace import ObservationEvent
from navviz.support.systems import OfferedPart, offered, working
from navviz.systems.base import FirstPrompt, Navigator, Settings
from navviz.systems.branches import Branches
from navviz.systems.published_runs import Published
from navviz.world.geometry import Frame
from navviz.world.graph import Graph

_WRAPPED = re.compile(r"([\w-]+)\(([\w-]+)\)")
"""A navigator made of another: ``staged(rules)``."""


def _navigators() -> dict[str, OfferedPart]:
    return offered("navigators", Navigator)


def navigator_names() -> tuple[str, ...]:
    """Return all names, in the order of menus; those of other packages last."""
    return tuple(_navigators())


def branches_of(navigator: Navigator) -> Callable[..., Branches] | None:
    """Return what walks on from the decisions of a navigator, see `Branches`; ``None`` where
    nothing does. A class that is derived from the navigator may walk otherwise.
    """
    part = offered("branches").get(navigator.name)
    named = part is not None and type(get_navigator(navigator.name)) is type(navigator)
    return cast("Callable[..., Branches]", part.load()) if part is not None and named else None


def is_branching(name: str) -> bool:
    """Whether the navigator of that name has a quick way on from its decisions."""
    return name in offered("branches")


def navigators_for(frame: Frame) -> list[Navigator]:
    """Return the navigators of this kind of graph, in the order of menus, without broken ones."""
    fitting = []
    for name in navigator_names():
        with suppress(PluginError):
            navigator = get_navigator(name)
            if frame in navigator.frames:
                fitting.append(navigator)
    return fitting


def staged_name(name: str) -> str:
    """Name the navigator that walks a task of several parts with another: ``staged(rules)``."""
    return f"staged({name})"


def get_navigator(name: str) -> Navigator:
    """Return the navigator of that name; ``staged(NAME)`` gives any of them, part by part.

    Raises `SettingsError` when there is none of that name; `PluginError` when another package
    brings it, and it cannot be used.
    """
    wrapped = _WRAPPED.fullmatch(name)
    wrappers = offered("wrappers")
    if wrapped is not None and wrapped[1] in wrappers:
        wrap = wrappers[wrapped[1]].load()
        return cast("Navigator", wrap(get_navigator(wrapped[2])))
    parts = _navigators()
    if name not in parts:
        raise SettingsError(f"There is no navigator {name!r}; choose one of: {', '.join(parts)}.")
    navigator: Navigator = parts[name].load()
    settings: object = navigator.settings_type
    if not isinstance(settings, type) or not issubclass(settings, Settings):
        wrong = "has a settings_type that is no navviz.systems.base.Settings"
        raise parts[name].refused(wrong)
    return navigator


def published_of(navigator: str) -> Published | None:
    """Return what knows the published runs of a navigator; ``None`` where nobody does."""
    for part, published in working(offered("published", Published).values()):
        if navigator in part.system.navigators:
            module: Published = published
            return module
    return None


def settings_from(navigator: Navigator, values: Mapping[str, Any] | None = None) -> Settings:
    """Make a navigator's settings of plain values (a form, ``--set``, ``run.json``) and defaults.

    Raises `SettingsError` naming each field that it does not have or whose value does not fit.
    """
    try:
        return navigator.settings_type.model_validate(dict(values or {}))
    except ValidationError as error:
        faults = []
        for fault in error.errors():
            field = ".".join(map(str, fault["loc"]))
            faults.append(f"{field}: {fault['msg']}")
        fields = ", ".join(navigator.settings_type.model_fields) or "none"
        what = f"Settings of {navigator.name}: {'; '.join(faults)} (it has: {fields})."
        raise SettingsError(what) from error


def with_panels(trace: Trace, graph: Graph) -> Trace:
    """Return a trace with what the systems' `panels` add at its steps; a broken one is noted."""
    for part, add in working(offered("panels").values()):
        with part.guarded(f"adds no panel to episode {trace.episode.id}"):
            trace = add(trace, graph)
    return trace


_DECISIONS = frozenset({"decide", "act"})
"""Purposes of the calls that choose a move."""

_WITHOUT_MODEL: Mapping[str, Mapping[str, Any]] = {
    "msnav": {"spatial": "off"},
    "skillnav": {"reorder": "rules", "localiser": "rules", "router": "rules"},
}
"""What comes before the decision is left out or done by rules, since no model answers."""


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

    Raises `InputError` where the start is not in the graph, or the navigator asks no model for a
    move there; `SettingsError` for settings that it does not have.
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
