"""Navigators by name; a new one adds a line here and is imported only when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

from pydantic import ValidationError

from navviz.errors import SettingsError
from navviz.navigators.base import Navigator, Settings

__all__ = ["get_navigator", "navigator_names", "settings_from", "staged_name"]

_NAVIGATORS = {
    "rules": "navviz.navigators.rules.navigator:Rules",
    "rules-indoors": "navviz.navigators.rules.indoors.navigator:RulesIndoor",
    "rules-local": "navviz.navigators.rules.local_navigator:RulesLocal",
    "groke": "navviz.navigators.groke.navigator:Groke",
    "skillnav": "navviz.navigators.skillnav.navigator:SkillNav",
    "skillnav-rules": "navviz.navigators.skillnav.navigator:SkillNavRules",
    "navgpt": "navviz.navigators.navgpt.navigator:NavGpt",
    "msnav": "navviz.navigators.msnav.navigator:Msnav",
    "mgdm": "navviz.navigators.mgdm.navigator:Mgdm",
    "shortest-path-oracle": "navviz.navigators.baselines.indoors:ShortestPathOracle",
    "random-walker-indoors": "navviz.navigators.baselines.indoors:RandomWalkerIndoors",
    "random-walker": "navviz.navigators.baselines.outdoors:RandomWalker",
    "random-walker-route-length": "navviz.navigators.baselines.outdoors:RandomWalkerRouteLength",
    "action-sampling": "navviz.navigators.baselines.outdoors:ActionSampling",
    "action-sampling-route-length": "navviz.navigators.baselines.outdoors:ActionSamplingRouteLength",
    "regex-heuristic": "navviz.navigators.baselines.outdoors:RegexHeuristic",
    "regex-heuristic-route-length": "navviz.navigators.baselines.outdoors:RegexHeuristicRouteLength",
}
"""Where each lives, as ``module:Class`` (made without arguments) or ``module:object``."""

_STAGED = re.compile(r"staged\(([\w-]+)\)")


def navigator_names() -> tuple[str, ...]:
    """All names, in the order of menus."""
    return tuple(_NAVIGATORS)


def staged_name(name: str) -> str:
    """Name of the navigator that walks a task of several parts with another one: ``staged(rules)``."""
    return f"staged({name})"


def get_navigator(name: str) -> Navigator:
    """The navigator of that name; ``staged(NAME)`` gives any of them, part by part.

    Raises
    ------
    SettingsError
        When there is none of that name.
    """
    inner = _STAGED.fullmatch(name)
    if inner is not None:
        from navviz.navigators.staged.navigator import staged

        return staged(get_navigator(inner[1]))
    if name not in _NAVIGATORS:
        raise SettingsError(f"There is no navigator {name!r}; choose one of: {', '.join(_NAVIGATORS)}.")
    module, _, attribute = _NAVIGATORS[name].partition(":")
    found = getattr(import_module(module), attribute)
    return cast("Navigator", found() if isinstance(found, type) else found)


def settings_from(navigator: Navigator, values: Mapping[str, Any] | None = None) -> Settings:
    """Settings of a navigator from plain values (a form, ``--set name=value``, ``run.json``), the rest by default.

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
