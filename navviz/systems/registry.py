"""Navigators by name: NavViz's own, each with a line here, then those of other packages (`navviz.navigators`).

One is imported only when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from pydantic import ValidationError

from navviz.errors import PluginError, SettingsError
from navviz.support.installation.plugins import load_plugin, note, plugin_names
from navviz.systems.base import Navigator, Settings
from navviz.world.graph import Frame

__all__ = ["get_navigator", "navigator_names", "navigators_for", "settings_from", "staged_name"]

_NAVIGATORS = {
    "rules": "navviz.systems.rules.navigator:Rules",
    "rules-indoors": "navviz.systems.rules.indoors.navigator:RulesIndoors",
    "rules-indoors-map": "navviz.systems.rules.indoors.map_navigator:RulesIndoorsMap",
    "rules-local": "navviz.systems.rules.local_navigator:RulesLocal",
    "groke": "navviz.systems.groke.navigator:Groke",
    "skillnav": "navviz.systems.skillnav.navigator:SkillNav",
    "skillnav-rules": "navviz.systems.skillnav.navigator:SkillNavRules",
    "navgpt": "navviz.systems.navgpt.navigator:NavGpt",
    "msnav": "navviz.systems.msnav.navigator:Msnav",
    "mgdm": "navviz.systems.lhvln.mgdm.navigator:Mgdm",
    "shortest-path-oracle": "navviz.systems.baselines.indoors:ShortestPathOracle",
    "random-walker-indoors": "navviz.systems.baselines.indoors:RandomWalkerIndoors",
    "random-walker": "navviz.systems.baselines.outdoors:RandomWalker",
    "random-walker-route-length": "navviz.systems.baselines.outdoors:RandomWalkerRouteLength",
    "action-sampling": "navviz.systems.baselines.outdoors:ActionSampling",
    "action-sampling-route-length": "navviz.systems.baselines.outdoors:ActionSamplingRouteLength",
    "regex-heuristic": "navviz.systems.baselines.outdoors:RegexHeuristic",
    "regex-heuristic-route-length": "navviz.systems.baselines.outdoors:RegexHeuristicRouteLength",
}
"""Where each lives, as ``module:Class`` (made without arguments) or ``module:object``."""
_PARTS = ("name", "summary", "needs_model", "frames", "settings_type", "navigate")
"""What a navigator has, see `navviz.systems.base.Navigator`."""

_STAGED = re.compile(r"staged\(([\w-]+)\)")


def navigator_names() -> tuple[str, ...]:
    """Return all names, in the order of menus; those of other packages last."""
    return (*_NAVIGATORS, *(name for name in plugin_names("navviz.navigators") if name not in _NAVIGATORS))


def navigators_for(frame: Frame) -> list[Navigator]:
    """Return the navigators that walk this kind of graph, in the order of menus; broken plug-ins are left out."""
    working = []
    for name in navigator_names():
        try:
            navigator = get_navigator(name)
        except PluginError:
            continue
        if frame in navigator.frames:
            working.append(navigator)
    return working


def staged_name(name: str) -> str:
    """Name of the navigator that walks a task of several parts with another one: ``staged(rules)``."""
    return f"staged({name})"


def get_navigator(name: str) -> Navigator:
    """Return the navigator of that name; ``staged(NAME)`` gives any of them, part by part.

    Raises
    ------
    SettingsError
        When there is none of that name; `PluginError` when another package brings it, and it cannot be used.
    """
    inner = _STAGED.fullmatch(name)
    if inner is not None:
        from navviz.systems.lhvln.staged.navigator import staged

        return staged(get_navigator(inner[1]))
    if name not in navigator_names():
        raise SettingsError(f"There is no navigator {name!r}; choose one of: {', '.join(navigator_names())}.")
    if name not in _NAVIGATORS:
        offered = load_plugin("navviz.navigators", name, lambda offered: _unfit(name, offered))
        return _made(name, offered)
    module, _, attribute = _NAVIGATORS[name].partition(":")
    entry = getattr(import_module(module), attribute)
    return cast("Navigator", entry() if isinstance(entry, type) else entry)


def _made(name: str, offered: object) -> Navigator:
    """Return the navigator that a plug-in's class makes."""
    if not isinstance(offered, type):
        return cast("Navigator", offered)
    try:
        return cast("Navigator", offered())
    except Exception as error:
        wrong = f"cannot be made ({type(error).__name__}: {error})"
        raise PluginError(str(note("navviz.navigators", name, wrong))) from error


def _unfit(name: str, offered: object) -> str | None:
    """Return what keeps a plug-in from being a navigator."""
    lacking = [part for part in _PARTS if not hasattr(offered, part)]
    if lacking:
        return f"is no navigator: it lacks {', '.join(lacking)}"
    if getattr(offered, "name", None) != name:
        # traces and run.json hold the navigator's own name, and Fork looks it up again
        return f"calls itself {getattr(offered, 'name', None)!r}; name its entry point the same"
    settings = getattr(offered, "settings_type", None)
    if not isinstance(settings, type) or not issubclass(settings, Settings):
        return "has a settings_type that is no navviz.systems.base.Settings"
    return None


def settings_from(navigator: Navigator, values: Mapping[str, Any] | None = None) -> Settings:
    """Make a navigator's settings of plain values (a form, ``--set name=value``, ``run.json``) and defaults.

    Raises
    ------
    SettingsError
        Naming each field that it does not have or whose value does not fit.
    """
    try:
        return navigator.settings_type.model_validate(dict(values or {}))
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        fields = ", ".join(navigator.settings_type.model_fields) or "none"
        raise SettingsError(f"Settings of {navigator.name}: {faults} (it has: {fields}).") from error
