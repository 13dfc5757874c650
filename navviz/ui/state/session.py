"""What one visitor's session holds, typed: the only module that touches ``st.session_state``.

Everything that pages keep between two runs of a script stands in one `Session`. Widgets keep their
own values under their keys; `widget` and `set_widget` read and write those in callbacks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import streamlit as st

from navviz.runs.episode_list import EpisodeList
from navviz.views.player.writer import WalkTexts

if TYPE_CHECKING:
    from pydantic import SecretStr

    from navviz.annotation.invitations import Invitation
    from navviz.annotation.store import Desk, Study
    from navviz.llm.base import LanguageModel
    from navviz.llm.streaming import ModelOptions
    from navviz.records import RepairPlan, Trace
    from navviz.records.breakpoint import Breakpoint
    from navviz.runner import Budget
    from navviz.runs.sources import Source
    from navviz.systems.base import Settings
    from navviz.views.player.pictures import PictureTable

_KEY = "navviz"


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user looks at; ``None`` where nothing was chosen yet."""

    run: str | None = None
    episode: str | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """An episode that is being drawn: the world's name, start, goal and further targets as far as
    they were clicked.
    """

    world: str
    start: str | None = None
    goal: str | None = None
    more: tuple[str, ...] = ()
    """Targets after the first one, in order."""

    @property
    def targets(self) -> tuple[str, ...]:
        """All targets in order."""
        return () if self.goal is None else (self.goal, *self.more)


@dataclass(frozen=True, slots=True)
class RepairWish:
    """One thing to be put right in a walk, which its own navigator then walks again."""

    plan: RepairPlan
    words: str
    """What is changed: ``with “BP gas station” shown``."""
    results: Path | None = None
    """Where the opened run was read from."""


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """Where a fork is to begin: the first new step of an episode of a run."""

    run: str
    episode: str
    step: int
    opened_run: str = ""
    """Name of the opened run, where `run` is not that but a walk of this page."""
    repair: RepairWish | None = None
    """What is repaired there; ``None`` for a fork by hand."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What the navigator does with the text as it stands."""

    trace: Trace
    stamp: str


@dataclass(frozen=True, slots=True)
class ListNote:
    """What left the list, since the run has nothing of the kind."""

    run: str | None
    episodes: EpisodeList
    """The list without it: the sentence stands as long as this list is shown."""
    text: str


@dataclass(frozen=True, slots=True)
class ActionMessage:
    """What an action had to say; the next run of the page shows it once."""

    kind: str
    """``error``, ``conflict`` or ``done``."""
    text: str


class ChosenModel(Protocol):
    """A model as it was chosen in a form."""

    @property
    def name(self) -> str:
        """Name as users write it, ``gemini:MODEL``."""

    @property
    def options(self) -> ModelOptions:
        """Its options."""

    @property
    def key(self) -> SecretStr | None:
        """A key that was typed in; written nowhere."""

    def make(self, purpose: str = "") -> LanguageModel:
        """Make the model, paid for by the visitor's share."""


@dataclass(frozen=True, slots=True)
class RunForm:
    """The form of Live as it stands."""

    text: str
    """The instruction as edited."""
    navigator: str
    values: dict[str, Any]
    """Settings that differ from the defaults."""
    model: ChosenModel | None = None
    budget: Budget | None = None
    usd_a_walk: float | None = None
    """What one walk is likely to cost."""


@dataclass(slots=True)
class LiveState:
    """What the Live page keeps."""

    run: str | None = None
    """Name of the live run that is shown."""
    again: str | None = None
    """Name of the run that is to be walked again as soon as it has stopped."""
    breakpoints: list[Breakpoint] = field(default_factory=list)
    """Where walks that are started here pause."""
    pause: int | None = None
    """Which pause the page shows, by its identity."""
    pause_message: str = ""
    """Why an edit or a breakpoint cannot be so."""
    fork: ForkPoint | None = None
    drawing: Drawing | None = None
    kept: dict[str, str] = field(default_factory=dict)
    """Names under which traces were kept, by the trace's file."""
    goes_to_explore: bool = False
    goes_to: dict[str, str] | None = None
    """Walks that the next run of the script compares, as Compare's address names them."""
    message: ActionMessage | None = None
    page_is_old: bool = False
    """Whether a key of the player has changed what the page around it is about."""
    batch_as: str | None = None
    """The run as which the form of a batch was filled in last."""
    begun_as: str | None = None
    """The recorded walk as which the form was filled in last."""
    runs_next: str | None = None
    """Key of the instruction that the next run of the script walks: Run was pressed, or a repair
    applied.
    """
    unedited_for: str | None = None
    """Name of the run whose unedited text the next run of the script walks, to compare it with."""
    back_to: str | None = None
    """Name of the run that is shown again when that walk has come to its end."""
    repairs_next: bool = False
    """Whether a repair was asked for by its key: without a model it is walked at once."""
    repairs_for: str | None = None
    """The instruction for which repairs were asked."""
    walker: tuple[str, Settings] | None = None
    """Name and settings of the chosen navigator, where it walks without a model and answers while
    one types.
    """
    typed: tuple[str, str] | None = None
    """Key of the instruction's field, and what was typed into it since the page last took it over.
    """
    preview: Preview | None = None
    """The last answer to what was typed."""
    form: RunForm | None = None
    """What stands in the form, for what tries it elsewhere."""
    trial_message: str = ""
    prompts: dict[str, str] = field(default_factory=dict)
    """Edited prompts, by navigator."""
    prompt_message: str = ""
    estimate: tuple[str, str, float | None] | None = None
    """What the next run would cost, in words and in US dollars, after what it depends on."""
    document: tuple[str, dict[str, Any], PictureTable] | None = None
    """The player's document of the run, with the stamp it was built for."""
    texts: WalkTexts = field(default_factory=WalkTexts)
    """What the documents of the walk say."""


@dataclass(slots=True)
class AnnotateState:
    """What the Annotate page keeps: who rates, in which queue, and what the desk is to be told."""

    desk: Desk | None = None
    queue: str | None = None
    message: ActionMessage | None = None
    signed_out: bool = False
    """Whether somebody signed out here: the browser's old ticket, as this visit began with it,
    counts no more.
    """
    receipt: str = ""
    """For the cookie by which this browser comes back without signing in, or forgets it."""
    answers: list[dict[str, Any]] = field(default_factory=list)
    """What became of the actions that the window sent last."""
    ask: dict[str, Any] | None = None
    """Which sheets the window asked for last."""


@dataclass(slots=True)
class EvaluateState:
    """What the Study page keeps."""

    study: Study | None = None
    message: ActionMessage | None = None
    invitations: Sequence[Invitation] = ()
    """Links that were just made."""


@dataclass(slots=True)
class Session:
    """One visitor's session."""

    admitted: bool = False
    """Whether this visitor came in by the server's door."""
    refused: str = ""
    """Why not, shown once."""
    visitor: str = ""
    """Name under which this visitor came in; empty where the door asks for none."""
    operator: bool = False
    """Whether this is the operator, who came in with the operator's password."""
    receipt: str = ""
    """For the cookie by which a reload does not ask again; empty where nobody signed in or out
    during this visit.
    """
    signed_out: bool = False
    """Whether somebody signed out at the door: the cookie with which this visit began counts no
    more.
    """
    browser: str = ""
    """Id of a browser whose visitor has no name; empty before it was asked for."""
    uploaded_bytes: int = 0
    audited: set[tuple[str, str]] = field(default_factory=set)
    """What the audit notes once a visit and has noted: actions with their objects."""
    begun: bool = False
    routed: bool = False
    """Whether ``app.py`` called the page in this run of the script."""
    selection: Selection = field(default_factory=Selection)
    episode_list: EpisodeList = field(default_factory=EpisodeList)
    """Which episodes Explore shows, in which order; Replay walks them in it."""
    list_note: ListNote | None = None
    page: str = ""
    """Name of the page that is shown."""
    came_bare: bool = False
    """Whether this run of the script comes from another page, by an address that says nothing."""
    shown: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """What pages show besides run and list, by page and parameter: two pages have a ``part``."""
    opened: list[Source] = field(default_factory=list)
    """What this visitor opened, the newest first."""
    ticket: str = ""
    """The ticket of the token under which the visitor came in."""
    refused_texts: dict[str, str] = field(default_factory=dict)
    """Why what was typed into a field of an address or a name was not taken, by the field's key."""
    is_introduced: bool = False
    """Whether a newcomer was led to the first look, which then says what NavViz is."""
    asks_to_open: bool = False
    """Whether the dialog is to be shown in this run of the script."""
    unknown_log: Source | None = None
    """The chosen run, where no reader knows its file and Explore asks what is what in it."""
    compared_with: tuple[str, ...] = ()
    kept_by_parts: dict[str, Any] = field(default_factory=dict)
    """What parts of pages that systems bring keep for the next run of the script, by name."""
    unmeasured: set[str] = field(default_factory=set)
    """Large runs whose measuring this visitor has stopped."""
    verified: set[tuple[str, str | None]] = field(default_factory=set)
    """Runs, by name and method, that Explore was asked to walk again."""
    checks_routes: bool = False
    """Whether Explore checks instructions against their routes."""
    follows: bool = True
    """Whether pages follow a run that grows."""
    wants_to_watch: str | None = None
    """Episode that goes on, and is to be shown."""
    watched_to_end: tuple[str, str] | None = None
    """Run and episode of the walk that somebody saw end: its replay begins there."""
    seen_version: int = 0
    """Of the growth of the run that the page shows, when it was opened."""
    has_grown: Callable[[], bool] | None = None
    """Whether that run has grown since then."""
    shown_anew_s: float = 0.0
    """When a page was shown anew last, since a file changed while it was read."""
    list_turn: int = 0
    """Number of the last message in which Explore's list said what it shows."""
    words: tuple[str, ...] | None = None
    """Whose words Replay weighs: run, episode, navigator, how parts are hidden."""
    what_if_wishes: set[tuple[str, str]] = field(default_factory=set)
    """Runs and episodes whose what-ifs Replay was asked to work out."""
    panels: dict[str, str] = field(default_factory=dict)
    """Which panels Replay lays over a walk, by the name of the choice."""
    batches_message: ActionMessage | None = None
    """What the last action on a batch had to say."""
    live: LiveState = field(default_factory=LiveState)
    annotate: AnnotateState = field(default_factory=AnnotateState)
    evaluate: EvaluateState = field(default_factory=EvaluateState)


def current() -> Session:
    """Return the session of whoever looks at the page."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    session: Session = st.session_state[_KEY]
    return session


def begin_anew(session: Session) -> None:
    """Forget all that pages and widgets of this visit hold, and go on with another session."""
    st.session_state.clear()
    st.session_state[_KEY] = session


def widget(key: str, default: Any = None) -> Any:  # noqa: ANN401 - each widget has a type of its own
    """Return a widget's value by its key; `default` before the widget was drawn."""
    return st.session_state.get(key, default)


def has_widget(key: str) -> bool:
    """Tell whether a widget of this key has a value."""
    return key in st.session_state


def set_widget(key: str, value: object) -> None:
    """Give a widget its value; call it in a callback, or before the widget is drawn."""
    st.session_state[key] = value


def forget_widget(key: str) -> None:
    """Forget a widget's value."""
    st.session_state.pop(key, None)
