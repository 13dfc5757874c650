"""Settings are validated once: those of another navigator are refused, never dropped for the
defaults.
"""

from __future__ import annotations

import inspect

import pytest

from navviz.errors import SettingsError
from navviz.formats import open_episodes, open_graph
from navviz.llm.scripted import Scripted
from navviz.systems.base import Navigator, Settings
from navviz.systems.registry import get_navigator, navigator_names
from tests.paths import SAMPLES


class Strange(Settings):
    """Settings of nobody."""

    colour: str = "red"


@pytest.mark.parametrize("name", [*navigator_names(), "staged(rules-local)"])
def test_the_settings_of_another_navigator_are_refused(name):
    navigator = get_navigator(name)
    outdoors = "geo" in navigator.frames
    graph = open_graph(
        SAMPLES / "harbour" / "osm" / "graph" if outdoors else SAMPLES / "house" / "connectivity"
    )
    file = (
        SAMPLES / "harbour" / "splits" / "sample.json"
        if outdoors
        else SAMPLES / "house" / "R2R_sample.json"
    )
    episode = next(iter(open_episodes(file).episodes.values()))
    with pytest.raises(SettingsError, match=r"takes \w+Settings, not Strange"):
        next(iter(navigator.navigate(episode, graph, Scripted(["go"]), Strange(), None)))


@pytest.mark.parametrize("name", [*navigator_names(), "staged(rules-local)"])
def test_every_navigator_has_the_one_signature(name):
    kind = type(get_navigator(name))
    assert Navigator in kind.__mro__, "mypy holds to the signature who says what it is"
    assert _parameters(kind.navigate) == _parameters(Navigator.navigate)


def _parameters(navigate):
    # mypy compares the types; here names, order and defaults, which a call by position relies on
    parameters = inspect.signature(navigate).parameters.values()
    return [(each.name, each.kind, each.default) for each in parameters]


@pytest.mark.parametrize("name", navigator_names())
def test_every_setting_is_described_and_has_a_default(name):
    navigator = get_navigator(name)
    assert navigator.name == name
    assert navigator.summary
    assert "\n" not in navigator.summary
    assert all(field.description for field in navigator.settings_type.model_fields.values())
    assert not navigator.settings_type.model_json_schema().get("required")
