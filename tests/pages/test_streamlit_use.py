"""Streamlit as its authors mean it: public names only, and one module for the session's state."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from navviz.ui.state.shell import style
from navviz.views.palette import THEMES
from tests.paths import ROOT

PUBLIC = {
    "streamlit",
    "streamlit.components.v1",  # declare_component
    "streamlit.errors",  # StreamlitAPIException
    "streamlit.runtime.scriptrunner",  # get_script_run_ctx, as its page on multithreading names it
    "streamlit.components.v2.types",  # ComponentRenderer
    "streamlit.typing",
    "streamlit.testing.v1",
    "streamlit_folium",  # a package of its own: st_folium
}
"""What https://docs.streamlit.io names."""
INTERNAL = {"delta_generator", "elements", "runtime", "proto", "dataframe_util"}


@cache
def _sources() -> list[tuple[Path, ast.Module]]:
    """The sources of the app, parsed once for all tests, which change nothing of them."""
    paths = [
        *(ROOT / "navviz" / "ui").rglob("*.py"),
        *(ROOT / "pages").glob("*.py"),
        ROOT / "app.py",
    ]
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def test_only_public_modules_of_streamlit_are_imported():
    strangers = set()
    for path, tree in _sources():
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            strangers |= {
                (path.name, name)
                for name in names
                if name.startswith("streamlit") and name not in PUBLIC
            }
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "st"
            ):
                strangers |= {(path.name, node.attr)} if node.attr in INTERNAL else set()
    assert not strangers


def test_each_rerun_says_why_there_is_no_other_way():
    silent = {
        f"{path.name}:{number}"
        for path, _ in _sources()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if "st.rerun()" in line and "  # " not in line
    }
    assert not silent


def test_one_module_holds_the_session():
    users = {
        path.relative_to(ROOT).as_posix()
        for path, tree in _sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "session_state"
    }
    assert users == {"navviz/ui/state/session.py"}


def test_tables_and_charts_have_a_text_for_those_who_do_not_see_them():
    silent = {
        (path.name, node.lineno)
        for path, tree in _sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"dataframe", "data_editor", "plotly_chart", "table", "image"}
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "st"
        and "alt" not in {keyword.arg for keyword in node.keywords}
    }
    assert not silent


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_primary_button_can_be_read(theme):
    """White stands on a light theme's button; on a dark one's the ink that the style sheet
    names.
    """
    looks = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))[
        "theme"
    ][theme]
    ink = "#ffffff"
    if "color: var(--nv-on-accent)" in style(theme):
        ink = THEMES[theme]["on-accent"]
    assert _contrast(ink, looks["primaryColor"]) >= 4.5
    assert (
        _contrast(
            _mixed(looks["textColor"], looks["backgroundColor"], 0.6), looks["backgroundColor"]
        )
        >= 4.5
    ), "Streamlit writes captions in six tenths of the text's colour"


def _channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _mixed(top: str, ground: str, share: float) -> str:
    parts = zip(_channels(top), _channels(ground), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in parts)


def _contrast(one: str, other: str) -> float:
    """Ratio of luminances as WCAG 2.1 defines it."""

    def light(colour: str) -> float:
        linear = [
            v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4
            for v in (c / 255 for c in _channels(colour))
        ]
        return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("theme", "file"), [("light", "logo.svg"), ("dark", "logo_dark.svg")])
def test_the_wordmark_can_be_read(theme, file):
    looks = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))[
        "theme"
    ][theme]
    [ink] = re.findall(
        r'<text .*fill="(#\w{6})"', (ROOT / "assets" / file).read_text(encoding="utf-8")
    )
    assert _contrast(ink, looks["backgroundColor"]) >= 4.5


def test_no_garbage_is_collected_after_each_run_of_a_page():
    """A full collection went over every library that is loaded, at each click, before the next
    answer went out.
    """
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["runner"]["postScriptGC"] is False
