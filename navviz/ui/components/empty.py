"""What a page shows before it has data: a picture of what it will look like, and one button.

The pictures are drawn here, in the colours of the tokens, so that they follow the theme. They are
sketches without words, since a reader of screens hears the title and the text beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal
from urllib.parse import urlsplit

import streamlit as st

from navviz.errors import NavVizError
from navviz.runs.episode_list import EpisodeList
from navviz.runs.sources import samples
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.server import visitor
from navviz.ui.state import state
from navviz.ui.state.session import current
from navviz.ui.state.state import below_server
from navviz.views import palette

Picture = Literal["list", "replay", "live", "compare", "rating", "study"]


_SIZE: Final = (320, 176)

_PATH: Final = "M32 128 L32 84 L88 84 L88 44 L140 44"

_OTHER: Final = "M32 128 L32 84 L72 84 L72 116 L124 116"


def picture(name: Picture, theme: palette.Theme = "light") -> str:
    """Return a page's sketch as SVG, in the colours of a theme."""
    width, height = _SIZE
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" fill="none" stroke-linecap="round">'
        f"{_box(1, 1, width - 2, height - 2, 'paper')}{_SKETCHES[name]()}</svg>"
    )
    # Streamlit's HTML drops SVG, and a picture of its own does not see the page's variables.
    colours = palette.THEMES[theme]
    return re.sub(r"var\(--nv-([\w-]+)\)", lambda match: colours[match[1]], drawn)


def show_picture(name: Picture) -> None:
    """Show a page's sketch in the colours of the page."""
    dark = st.context.theme.type == "dark"
    # an empty text marks a picture as decoration: all that it says stands in words next to it
    st.image(picture(name, "dark" if dark else "light"), width=_SIZE[0], alt="")


def empty(
    name: Picture,
    title: str,
    text: str,
    *,
    button: str = "",
    on_click: Callable[[], None] | None = None,
) -> None:
    """Show the picture beside what to do next; `on_click` is what the one button does."""
    with st.container(key=f"empty_{name}", horizontal=True, border=True, gap="medium"):
        show_picture(name)
        with st.container(width=420):
            st.markdown(f"**{plain(title)}**")
            st.markdown(plain(text))
            if button:
                key = f"empty_{name}_button"
                st.button(button, key=key, type="primary", on_click=on_click)


def open_sample() -> None:
    """Choose the first of the bundled runs, as the button of an empty page does."""
    first = next(iter(samples()), None)
    if first is not None:
        state.select(run=first.name)


def _box(x: float, y: float, wide: float, high: float, fill: str, edge: str = "rule") -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="6" fill="var(--nv-{fill})"'
        f' stroke="var(--nv-{edge})"/>'
    )


def _bar(x: float, y: float, wide: float, colour: str = "rule", high: float = 8) -> str:
    """Return a bar: a line of text, or a share."""
    return (
        f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="3" fill="var(--nv-{colour})"/>'
    )


def _walk(line: str, colour: str, dash: str = "") -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{line}" stroke="var(--nv-{colour})" stroke-width="5"{dashes}/>'


def _map(*walks: str, wide: float = 160) -> str:
    """Return a map with streets, the reference path and walks."""
    streets = f"M12 84 H{wide + 4} M12 128 H{wide + 4} M32 16 V160 M88 16 V160 M140 16 V160"
    ground = _box(12, 12, wide, 152, "ground")
    grey = f'<path d="{streets}" stroke="var(--nv-street)" stroke-width="9"/>'
    goal = '<circle cx="140" cy="44" r="14" stroke="var(--nv-reference)" stroke-dasharray="4 4"/>'
    return ground + grey + _walk(_PATH, "reference", "7 8") + "".join(walks) + goal


def _lines(x: float, y: float, widths: tuple[int, ...]) -> str:
    return "".join(_bar(x, y + 16 * row, wide) for row, wide in enumerate(widths))


def _list() -> str:
    rows = []
    for row in range(5):
        colour = "success" if row in {0, 3} else "failure"
        y = 74 + 18 * row
        rows.append(_bar(16, y, 26) + _bar(54, y, 38, colour) + _bar(104, y, 190 - 22 * (row % 3)))
    tiles = _bar(16, 18, 58, "ink", 20) + _bar(16, 46, 40)
    shares = _bar(150, 18, 144, "failure") + _bar(150, 34, 84, "failure")
    return tiles + shares + _bar(150, 50, 40, "failure") + "".join(rows)


def _replay() -> str:
    text = _lines(188, 20, (112, 96, 104)) + _bar(188, 76, 116, "now", 18)
    return _map(_walk(_OTHER, "agent")) + text + _lines(188, 106, (108, 72, 100, 40))


def _live() -> str:
    fan = _walk("M32 128 L32 84 L88 84 L88 140", "series-3") + _walk(_OTHER, "agent")
    form = _box(188, 16, 116, 60, "panel") + _lines(196, 26, (96, 82, 60))
    return _map(fan) + form + _bar(188, 86, 116, "accent", 22) + _lines(188, 124, (100, 64))


def _compare() -> str:
    rows = []
    for row, (colour, share) in enumerate((("agent", 62), ("other", 104), ("series-3", 40))):
        rows.append(_bar(188, 24 + 30 * row, 116) + _bar(188, 24 + 30 * row, share, colour))
    walks = _walk(_OTHER, "agent") + _walk("M32 128 L88 128 L88 160", "other")
    return _map(walks) + "".join(rows) + _lines(188, 124, (108, 80))


def _rating() -> str:
    keys = []
    for key in range(5):
        fill, edge = ("now", "accent") if key == 3 else ("paper", "rule")
        keys.append(_box(188 + 24 * key, 84, 20, 24, fill, edge))
    return _map(_walk(_OTHER, "agent")) + _lines(188, 24, (112, 96, 60)) + "".join(keys)


def _study() -> str:
    bars = []
    for row, share in enumerate((210, 164, 92)):
        y = 26 + 28 * row
        bars.append(_bar(84, y, 220) + _bar(84, y, share, "accent") + _bar(16, y, 48))
    squares = []
    for cell in range(9):
        column, row = cell % 3, cell // 3
        colour = "success" if column == row else "rule"
        squares.append(_bar(16 + 34 * column, 112 + 18 * row, 30, colour, 14))
    return "".join(bars) + "".join(squares) + _lines(140, 116, (160, 132, 96))


_SKETCHES: Final[dict[Picture, Callable[[], str]]] = {
    "list": _list,
    "replay": _replay,
    "live": _live,
    "compare": _compare,
    "rating": _rating,
    "study": _study,
}


_LIST = EpisodeList(sort="NE", descending=True).with_choice("outcome", ("failure",))


def welcome() -> None:
    """Lead a newcomer from the bare address to the first look; anybody else goes where they
    wanted.
    """
    # once a session: whoever comes back to the bare address later wants that page
    first, current().begun = not current().begun, True
    path = urlsplit(st.context.url or "none").path
    bare = not st.query_params and path.rstrip("/") == below_server("/").rstrip("/")
    if first and bare and visitor.is_newcomer():
        place = first_look()
        if place is not None:
            st.switch_page("pages/replay.py", query_params=place)


def first_look() -> dict[str, str] | None:
    """Return the link of the wrong turn in the first sample that ended farthest from its goal, at
    its step.

    The link's list is the run's failures, the worst first, so that the next one is a key away.
    ``None`` where the sample has no wrong turn, or cannot be read.
    """
    try:
        run = cache.open_run(samples()[0])
        failures = _LIST.with_choice("failure", ("wrong turn",)).apply(cache.whole_table(run))
    except (NavVizError, IndexError):
        return None
    if failures.empty:
        return None
    episode = str(failures.iloc[0]["episode"])
    step = run.divergence(episode).step
    return {"run": run.name, "episode": episode, "step": str(step or 1)} | _LIST.to_query()
