"""The frame around every page: page list, navigation, theme, notices.

Every page begins with `page`. It is idempotent, because a deep link as the first request after the
server starts, and every page under AppTest, runs the page without ``app.py``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import streamlit as st

from navviz.errors import NavVizError, PluginError, Problems
from navviz.support.installation.files import asset, page_file
from navviz.support.installation.plugins import noticed
from navviz.support.systems import PagePart, offered
from navviz.ui.components.plain import plain
from navviz.ui.server.door import come_in, leave_ticket, show_visitor
from navviz.ui.server.limits import time_limit
from navviz.ui.state import state
from navviz.ui.state.session import current
from navviz.views import palette


@dataclass(frozen=True, slots=True)
class PageInfo:
    """One page of the app.

    Pages have no icon: Streamlit would ask a CDN for it as the tab's picture.
    """

    name: str
    title: str
    help: str


PAGES: tuple[PageInfo, ...] = (
    PageInfo("explore", "Explore", "How a run did, why it failed, and its episodes."),
    PageInfo("replay", "Replay", "One episode, step by step, in step with the map."),
    PageInfo("live", "Live", "Edit the instruction and run a navigator now; many episodes, too."),
    PageInfo("compare", "Compare", "What differs between two to eight runs, and where they part."),
    PageInfo("annotate", "Annotate", "Rate instructions and label failures."),
    PageInfo("study", "Study", "Set up annotation, follow it, and see what the ratings say."),
)
"""Pages in the order of the menu."""


class _Page(Protocol):
    def run(self) -> None: ...


def _navigation() -> _Page:
    first = PAGES[0]
    pages = []
    for info in PAGES:
        path, is_first = page_file(info.name), info is first
        # Streamlit serves the default page at "/" alone, whatever its path; see `_to_the_first`.
        url_path = "first" if is_first else None
        page = st.Page(path, title=info.title, help=info.help, default=is_first, url_path=url_path)
        pages.append(page)
    pages.append(
        st.Page(_to_the_first, title=first.title, url_path=first.name, visibility="hidden")
    )
    return st.navigation(pages, position="top")


def _to_the_first() -> None:
    """Lead a link that names the first page to it."""
    # Streamlit serves the default page at the bare address alone and calls ``/explore`` "Page not
    # found"; so the default page reserves another path, and a hidden page stands at the one that
    # people write
    query = {key: st.query_params.get_all(key) for key in st.query_params}
    st.switch_page(f"pages/{PAGES[0].name}.py", query_params=query)


def run() -> None:
    """Route to the chosen page; the whole of ``app.py``."""
    # it needs runs and graphs, which the frame does not
    from navviz.ui.components.empty import welcome

    current().routed = True
    chosen = _navigation()
    come_in()
    welcome()
    with time_limit():
        chosen.run()


def page(name: str) -> None:
    """Begin a page: title, layout, navigation, logo, and the selection as the URL tells it."""
    info = next(info for info in PAGES if info.name == name)
    st.set_page_config(
        page_title=f"{info.title} · NavViz",
        page_icon=str(asset("icon.svg")),
        layout="wide",
        # it holds who has signed in, and the page wants the width
        initial_sidebar_state="collapsed",
    )
    if not current().routed:
        _navigation()
        first, current().begun = not current().begun, True
        if first and st.context.url is not None:
            st.rerun()  # widgets get the identities that they keep
    current().routed = False
    come_in()
    show_visitor()
    theme = st.context.theme.type or "light"
    st.logo(str(asset("logo_dark.svg" if theme == "dark" else "logo.svg")), size="medium")
    st.html(f"<style>{style(theme)}</style>")
    state.read_url(name)
    leave_ticket()


_ANEW_S = 2.0

TOP = "page_top"
"""Key of the row of run, episode and buttons."""

COUNTED = "counted_tiles"
"""Key of a container of tiles with their numbers of episodes."""

_TILE = f".st-key-{COUNTED} [data-testid='stMetric']"

_FIGURES = (
    ".st-key-explore_first [data-testid='stMetricValue'] {"
    " font-size: var(--nv-32); font-weight: 600; line-height: 1.2; } "
    # what follows keeps its place while the list fills
    ".st-key-explore_findings { min-height: 412px; } "
    ".st-key-explore_reading button p { white-space: normal; text-align: left; } "
    ".st-key-explore_second [data-testid='stMetricValue'] { font-size: var(--nv-20); } "
    ":is(.st-key-explore_first, .st-key-explore_second) [data-testid='stMetricDelta']"
    " { background: none; padding: 0; font-size: var(--nv-12); } "
)

_COUNTS = (
    f"{_TILE} > div {{ display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 6px; }} "
    f"{_TILE} label {{ flex: 0 0 100%; }} "
    f"{_TILE} [data-testid='stMetricDelta'] {{ background: none; padding: 0;"
    " font-size: var(--nv-12); }"
)


def style(theme: str) -> str:
    """Return what Streamlit's theme cannot say of its widgets.

    A primary button keeps its colour when it is pressed, where it would turn nearly black, and has
    text that can be read on it: Streamlit writes white, which on the dark theme's light blue has a
    contrast of 2.4 to 1. A choice that is longer than its box ends in an ellipsis instead of in the
    middle of a letter. On a laptop's screen the page's margins are half of Streamlit's 80 pixels,
    so that a player keeps 60 % of the width. The number of episodes of a tile stands beside its
    figure and not below it (`COUNTED` is the key of the tiles).
    """
    colour = st.get_option(f"theme.{theme}.primaryColor")
    primary = "button[kind^='primary']:not(:disabled)"
    states = (
        f"{primary}:is(:hover, :active, :focus, :focus-visible) {{ background: {colour};"
        f" border-color: {colour}; }}"
    )
    # the shortcut on a primary button is drawn half transparent, 3 to 1
    ink = f"{primary} kbd {{ color: inherit; opacity: 1; }}"
    if theme == "dark":  # white on the dark theme's light blue has 2.4 to 1
        ink += f" {primary}, .stMultiSelect [data-tag] * {{ color: var(--nv-on-accent); }}"
    focus = (
        ":is(a, button, input, textarea, summary, [role='button'], [role='radio'], [tabindex='0'])"
        f":focus-visible {{ outline: 2px solid {colour}; outline-offset: 2px; }}"
        # boxes around these cut a ring that reaches out of them
        " :is([data-testid='stMain'], div[tabindex='0'], .stDataFrame canvas):focus-visible,"
        " :is(.stSelectbox, .stMultiSelect, .stTextInput, .stTextArea, .stNumberInput)"
        " :is(input, textarea, [role='combobox']):focus-visible { outline-offset: -2px; }"
        # a table's buttons show for the mouse alone, and Tab comes by them
        " [data-testid='stElementToolbar']:focus-within { opacity: 1; z-index: 1; }"
        # the field of a switch is hidden behind its picture
        " .stCheckbox label:has(input:focus-visible) {"
        f" outline: 2px solid {colour}; outline-offset: 2px; border-radius: 4px; }}"
    )
    margins = (
        "@media (max-width: 1500px) { .stMainBlockContainer { padding-left: 2.5rem; padding-right:"
        " 2.5rem; } }"
    )
    phone = (
        "@media (max-width: 640px) { .stMainBlockContainer { padding: 4.25rem 12px 1rem; }"
        # a picture or a warning in the row needs lines of its own
        f" .st-key-{TOP}:not(:has([class*='st-key-empty_'], .stAlert)) {{ flex-wrap: nowrap;"
        " overflow-x: auto; scrollbar-width: none; }"
        f" .st-key-{TOP} > * {{ flex-shrink: 0; }} }}"
        # in the row of run and episode they begin a line of their own
        f" .st-key-{TOP} > .stLayoutWrapper:has(> [class*='st-key-empty_']),"
        f" .st-key-{TOP} > .stElementContainer:has(.stAlert) {{ flex: 1 0 100%; }} "
        # the findings' table has five columns, which need a tablet's whole width
        "@media (max-width: 1000px) { .stHorizontalBlock:has(> .stColumn .st-key-explore_findings)"
        " { flex-wrap: wrap; } .stColumn:has(.st-key-explore_findings) { min-width: 100%; } }"
    )
    ends = (
        ".stSelectbox input { text-overflow: ellipsis; }"
        # chips take as many lines as they need: by itself the field has one line and cuts the rest
        " .stMultiSelect [role='group']:has(> [data-testid='stMultiSelectTagsContainer'])"
        " { height: auto; max-height: none; }"
        " .stMultiSelect [data-testid='stMultiSelectTagsContainer']"
        " { flex-wrap: wrap; height: auto; mask-image: none; }"
        " .stMultiSelect [data-tag] { max-width: 100%; }"
        # its chips take a run away each, and one always stays
        " [class*='st-key-compare_others'] [aria-label='Clear all'] { display: none; }"
        " .st-key-compare_fields { flex-wrap: nowrap; }"
    )
    names = palette.root_rule("dark" if theme == "dark" else "light")
    return f"{names} {states} {ink} {ends} {margins} {phone} {focus} {_FIGURES} {_COUNTS}"


def row(*, top: bool = False) -> AbstractContextManager[object]:
    """Return a row of widgets that stand on one line, as long as they fit.

    The `top` row of a page, one at most, stays one line on a phone, where a thumb moves it aside.
    """
    # fields of the top row have no labels above them, and its choices are lower than its buttons
    alignment: Literal["center", "bottom"] = "center" if top else "bottom"
    return st.container(
        key=TOP if top else None, horizontal=True, vertical_alignment=alignment, gap="small"
    )


@contextmanager
def guard() -> Iterator[None]:
    """Show a `NavVizError` as the one sentence it is; the rest of the page goes on.

    Where the shown run was written to meanwhile, the page is shown anew: a walk that is begun again
    has no header for a moment.
    """
    try:
        yield
    except NavVizError as error:
        session = current()
        # once: a fault that stays is shown, however fast the run grows
        recent = time.monotonic() - session.shown_anew_s < _ANEW_S
        if session.has_grown is not None and not recent and session.has_grown():
            session.shown_anew_s = time.monotonic()
            st.rerun()  # the page's beginning has read the file as it was
        st.error(plain(error), icon=":material/error:")


def problems(faults: Problems) -> None:
    """Show how many problems reading the files had; the user can unfold them."""
    count = faults.count
    if not count:
        return
    noun = "problem" if count == 1 else "problems"
    label = f"{count} {noun} while reading the files; everything else is shown"
    with st.expander(label, icon=":material/warning:"):
        for problem in faults.kept[:50]:
            st.text(str(problem))
        if count > 50:
            st.caption(f"and {count - 50:d} more")


def broken_plugins() -> None:
    """Name the plug-ins that could not be used so far; call it after what loads them."""
    for problem in noticed():
        st.warning(plain(problem), icon=":material/extension_off:")


def empty(title: str, text: str) -> None:
    """Show an empty state that says what to do next."""
    st.info(plain(text), title=plain(title), icon=":material/info:")


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """What a system draws on a page."""

    title: str
    slug: str
    """Stands for it in addresses."""
    draw: Callable[..., None]
    applies: Callable[[Any], bool] | None = None
    """Whether an opened run has anything to show there; ``None`` where the part sees to that."""

    def __call__(self, *of: object) -> None:
        """Draw it."""
        self.draw(*of)


def page_parts(page: Literal["explore", "live", "study"]) -> dict[str, DrawnPart]:
    """Return what systems draw on a page, by title; a broken part is noted and left out."""
    parts: dict[str, DrawnPart] = {}
    for part in offered("page_parts").values():
        entry: PagePart = part.entry
        if entry.page == page and entry.title not in parts:
            with suppress(PluginError):
                applies = part.load(entry.applies) if entry.applies else None
                parts[entry.title] = DrawnPart(entry.title, entry.slug, part.load(), applies)
    return parts
