"""What every navigator is: a generator of events.

The runner writes the header, then whatever `Navigator.navigate` yields, in this order::

    PlanEvent?
    (StepEvent  ObservationEvent?  [DeltaEvent* CallEvent]*  PanelEvent*  DecisionEvent
    MoveEvent?)* EndEvent

The page, the command line, the batch runner and the tests all consume the same events.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    Protocol,
    Self,
    TypeVar,
    cast,
    get_args,
    runtime_checkable,
)

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic.types import PathType

from navviz.errors import InputError, SettingsError
from navviz.llm.addresses import check_address, check_written
from navviz.records import Episode, Event, Message, Trace
from navviz.records.finding import RepairKind
from navviz.records.walker import BLIND
from navviz.support.installation.serving import is_allowed, serving
from navviz.support.systems import (
    MetricFamily,
    PagePart,
    PanelChoice,
    PaperRow,
    PaperTable,
    RatingImporter,
    Reader,
    System,
    TablePreset,
)
from navviz.systems.causes import (
    CauseContext,
    CauseDetector,
    LandmarkPlace,
    Need,
    cause_of,
    hidden_way,
    quote_of,
    unhidden_way,
)
from navviz.systems.prompts import (
    SETTING,
    PromptField,
    PromptKind,
    PromptText,
    check_prompt,
    prompt_hash,
)
from navviz.world.geometry import Frame
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

__all__ = [
    "EVERYWHERE",
    "EVERY_REPAIR",
    "INDOORS",
    "OUTDOORS",
    "CauseContext",
    "CauseDetector",
    "FirstPrompt",
    "Frames",
    "LandmarkPlace",
    "MetricFamily",
    "MissingViews",
    "NavigationTask",
    "Navigator",
    "Need",
    "PagePart",
    "PanelChoice",
    "PaperRow",
    "PaperTable",
    "PromptField",
    "PromptKind",
    "PromptText",
    "PromptedSettings",
    "RatingImporter",
    "Reader",
    "ServerAddress",
    "ServerPath",
    "Settings",
    "ShowsPlaces",
    "Standpoint",
    "System",
    "TablePreset",
    "TaskNavigator",
    "ViewNeed",
    "asks_model",
    "cause_of",
    "hidden_way",
    "lacking",
    "learned_from",
    "own_settings",
    "prompt_kind",
    "quote_of",
    "repairs_of",
    "shipped_prompt",
    "unhidden_way",
]

PlaceKind = Literal["path", "address"]


@dataclass(frozen=True, slots=True)
class _PlaceMark:
    kind: PlaceKind


ServerPath = Annotated[str, _PlaceMark("path")]
"""A file or folder that the server reads; empty for none."""

ServerAddress = Annotated[str, _PlaceMark("address")]
"""An address that the server asks; empty for none."""

_PATH_NAME = re.compile(r"(^|_)(path|paths|file|files|folder|folders|dir|directory)$")

_ADDRESS_NAME = re.compile(r"(^|_)(url|uri|address|endpoint|host)$")


def place_kind(name: str, field: FieldInfo) -> PlaceKind | None:
    """Return what a field of settings names, ``None`` where it is no place.

    Its type says so (`ServerPath`, `ServerAddress`, any path of the standard library); the name of
    a text field counts too, since other packages may not use our types.
    """
    for mark in field.metadata:
        if isinstance(mark, _PlaceMark):
            return mark.kind
        if isinstance(mark, PathType):
            return "path"
    types = _types(field.annotation)
    if any(isinstance(each, type) and issubclass(each, PurePath) for each in types):
        return "path"
    if str in types and _PATH_NAME.search(name):
        return "path"
    return "address" if str in types and _ADDRESS_NAME.search(name) else None


def _types(annotation: Any) -> list[Any]:  # noqa: ANN401 - a type, or a form of typing
    """Take unions and annotated types apart."""
    parts = get_args(annotation)
    if not parts:
        return [annotation]
    taken = []
    for part in parts:
        taken += _types(part)
    return taken


def is_hidden(name: str, field: FieldInfo) -> bool:
    """Whether a form leaves the field out, since its visitor may not set it."""
    return place_kind(name, field) == "path" and not is_allowed("paths")


def check_places(settings: BaseModel) -> None:
    """Raise `SettingsError` where settings name a place that their visitor may not use."""
    may_name_files = is_allowed("paths")
    is_local = may_name_files and serving() is None
    for name, field in type(settings).model_fields.items():
        kind, value = place_kind(name, field), getattr(settings, name)
        if kind is None or not value or value == field.get_default(call_default_factory=True):
            continue
        if kind == "address" and may_name_files:
            check_written(str(value))
        elif is_local:
            continue
        elif kind == "path" and may_name_files:
            _check_outside(name, value)
        elif kind == "path":
            raise SettingsError(
                f"The setting {name} names a file of the server, which its visitors may not choose;"
                " its operator can allow it (--allow paths)."
            )
        else:
            check_address(str(value))


def _check_outside(name: str, value: object) -> None:
    """Raise `SettingsError` for a place of the workspace, but for the data that all may open."""
    root = Path(os.environ.get("NAVVIZ_WORKSPACE", "workspace")).expanduser().resolve()
    for each in value if isinstance(value, tuple | list) else (value,):
        # a link must not lead around the rule
        place = Path(str(each)).expanduser().resolve()
        inside = place == root or root in place.parents or place in root.parents
        if inside and root / "data" not in place.parents:
            raise SettingsError(
                f"The setting {name} names a place in the server's workspace, where others keep"
                " their runs; name one outside of it."
            )


ViewNeed = Literal["descriptions", "objects", "views"]


@dataclass(frozen=True, slots=True)
class MissingViews:
    """What a world lacks for a navigator."""

    what: str
    """What is missing: ``no file describes the views of house X``."""
    do: str
    """How to get it, as an imperative without a full stop."""


_WORDS: Final[dict[ViewNeed, tuple[str, str]]] = {
    "descriptions": (
        "beside its connectivity folder lie no sentences about its viewpoints",
        "put NavGPT's observations_list_summarized there (navviz fetch navgpt-text)",
    ),
    "objects": (
        "no list of the objects near them",
        "put NavGPT's objects_list there (navviz fetch navgpt-text)",
    ),
    "views": (
        "no list of the objects in its views",
        "put REVERIE's BBox there",
    ),
}


def _has(graph: Graph, need: ViewNeed) -> bool:
    seen = graph.info.observations
    if need == "views":
        return bool(graph.info.visible_objects)
    if seen is None:
        return False
    texts = seen.scenes if need == "descriptions" else seen.objects
    # of another house nothing is described here
    return any(any(texts[node]) for node in texts if node in graph)


def lacking(graph: Graph, *needs: ViewNeed, do: str = "") -> MissingViews | None:
    """Return what a world lacks where it has none of these; ``None`` where it has one of them.

    Parameters
    ----------
    graph
        Of a house; streets are described by their map.
    needs
        Any one of them is enough.
    do
        What else helps, as an imperative: a setting, for example.
    """
    if graph.frame == "geo" or any(_has(graph, need) for need in needs):
        return None
    what = " and ".join(_WORDS[need][0] for need in needs)
    ways = [_WORDS[needs[0]][1], *([do] if do else [])]
    return MissingViews(f"house {graph.name} is not described: {what}", ", or ".join(ways))


def missing_views(navigator: Navigator, graph: Graph, settings: Settings) -> MissingViews | None:
    """Return what a navigator would have to be shown here and is not; ``None`` where it is, or
    declares no need.

    A navigator declares it by ``needs_views``, a tuple of `ViewNeed`, any of which is enough; or,
    where settings decide, by a method ``missing_views(graph, settings)``.
    """
    own = getattr(navigator, "missing_views", None)
    if own is not None:
        missing: MissingViews | None = own(graph, settings)
        return missing
    needs: tuple[ViewNeed, ...] = getattr(navigator, "needs_views", ())
    return lacking(graph, *needs) if needs else None


def declares_views(navigator: Navigator) -> bool:
    """Whether a navigator declares what it has to be shown, so that it may be blind."""
    return hasattr(navigator, "missing_views") or bool(getattr(navigator, "needs_views", ()))


def check_views(navigator: Navigator, graph: Graph, settings: Settings, episode: str = "") -> None:
    """Refuse a blind walk that the settings do not allow.

    Raises
    ------
    InputError
        In one sentence that says what is missing and how to get it.
    """
    missing = None if settings.blind else missing_views(navigator, graph, settings)
    if missing is not None:
        raise InputError(
            f"{navigator.name} would walk blind, since {missing.what}",
            f"{missing.do}, or walk blind all the same (--blind, blind=True or the switch Blind)",
            episode=episode,
        )


@dataclass(frozen=True)
class FirstPrompt:
    """What is shown where a walk begins."""

    context: str
    """The observation, as text."""
    messages: tuple[Message, ...]
    """The whole prompt that asks for the first move."""


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A place where somebody wants an agent to stand."""

    node: str
    heading_deg: float
    """Clockwise from north."""
    sub_goal: str | None = None
    waypoints: tuple[str, ...] = ()
    """Places that it named before, the last one where it stands."""


@runtime_checkable
class ShowsPlaces(Protocol):
    """A navigator that knows what its model would be shown at any place of a walk."""

    def shown_at(
        self, episode: Episode, graph: Graph, settings: Settings, at: Standpoint
    ) -> FirstPrompt:
        """Return the context and the whole prompt, with landmarks and sub-goals of the episode."""
        ...


Frames = frozenset[Frame]
"""Kinds of graph that a navigator can walk."""

OUTDOORS: Frames = frozenset({"geo"})

INDOORS: Frames = frozenset({"metric"})

EVERYWHERE: Frames = OUTDOORS | INDOORS


class Settings(BaseModel):
    """Base of a navigator's settings: frozen, each with a default and a description for forms."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    blind: bool = Field(
        default=False,
        description=(
            "Walk too where nothing describes the views; the figures of such walks are marked"
            " blind."
        ),
    )

    @model_serializer(mode="wrap")
    def _without_unused(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what is not set: traces that were made before there was a choice are alike."""
        written: dict[str, Any] = write(self)
        for name in self._left_out:
            if not written.get(name, True):
                del written[name]
        return written

    _left_out: ClassVar[tuple[str, ...]] = (BLIND,)

    @model_validator(mode="after")
    def _check_places(self) -> Self:
        """Refuse a file or an address that a visitor of the server may not use."""
        check_places(self)
        return self

    @property
    def asks_model(self) -> bool | None:
        """Whether these settings ask a language model; ``None``: the navigator's `needs_model`."""
        return None

    def resolved(self, episode: Episode) -> dict[str, Any]:
        """Return the settings left to the episode, with the values that its walk uses."""
        del episode
        return {}


class PromptedSettings(Settings):
    """Base of the settings of a navigator whose prompt may be edited.

    The text itself is the setting, never a file: a visitor of a server may set it, and the header
    of a trace holds it whole, so that the walk can be repeated.
    """

    prompt_kind: ClassVar[PromptKind]

    prompt: str = Field(
        "",
        description=(
            "Another text of the prompt that asks for a move, with its fields in braces; empty for"
            " the shipped one. On the command line prompt=@FILE reads it from a file."
        ),
    )

    @model_validator(mode="after")
    def _check_prompt(self) -> Self:
        """Refuse a prompt that cannot be filled in."""
        if self.prompt:
            check_prompt(self.prompt, self.prompt_kind)
        return self

    _left_out: ClassVar[tuple[str, ...]] = (BLIND, SETTING)

    @property
    def prompt_text(self) -> PromptText:
        """The prompt that is used: the edited one, else the shipped one."""
        return PromptText.parse(self.prompt or self.prompt_kind.shipped(self))

    def resolved(self, episode: Episode) -> dict[str, Any]:
        """Name the version of an edited prompt."""
        del episode
        return {"prompt_sha256": prompt_hash(self.prompt)} if self.prompt else {}


_Own = TypeVar("_Own", bound=Settings)


def own_settings(settings: Settings, kind: type[_Own], name: str) -> _Own:
    """Return the settings as the navigator `name` knows them; nothing is replaced by defaults.

    Raises
    ------
    SettingsError
        When they are those of another navigator.
    """
    if not isinstance(settings, kind):
        raise SettingsError(f"{name} takes {kind.__name__}, not {type(settings).__name__}.")
    return settings


class Navigator(Protocol):
    """One system that can walk an episode.

    NavViz's own name it as their base, so that mypy compares each `navigate` with this one; a class
    of another package only needs the same attributes.
    """

    name: ClassVar[str]
    """As on the command line: ``groke``, ``rules``, ``rules-local``, ``random-walker`` ..."""
    summary: ClassVar[str]
    """One line for menus, honest about what it may know (route length, whole map ...)."""
    needs_model: ClassVar[bool]
    frames: ClassVar[Frames]
    """Kinds of graph that it can walk."""
    settings_type: ClassVar[type[Settings]]

    def navigate(
        self,
        episode: Episode,
        graph: Graph,
        llm: LanguageModel | None,
        settings: Settings,
        past: Trace | None = None,
    ) -> Iterator[Event]:
        """Walk the episode.

        Parameters
        ----------
        episode
            Only the instruction, the start and its heading may be used; never the route or the goal
            (baselines that are told the route's length say so in their name).
        graph
            The whole world; a navigator that sees less says so in `summary`.
        llm
            The model, where `needs_model`.
        settings
            An instance of `settings_type`.
        past
            Where given, go on after its last step (a fork): same plan, place, heading and history;
            only new events are yielded, step numbers go on.

        Raises
        ------
        NavVizError
            With one sentence for the user; the runner writes it as an `EndEvent` with status
            ``error``.
        """
        ...


@dataclass(frozen=True, slots=True)
class NavigationTask(Generic[_Own]):
    """What a navigator is to walk; see `Navigator.navigate` for each field."""

    episode: Episode
    graph: Graph
    llm: LanguageModel | None
    settings: _Own
    past: Trace | None


class TaskNavigator(Navigator, ABC, Generic[_Own]):
    """Base of a navigator with settings of its own: it walks tasks whose settings are checked."""

    def navigate(
        self,
        episode: Episode,
        graph: Graph,
        llm: LanguageModel | None,
        settings: Settings,
        past: Trace | None = None,
    ) -> Iterator[Event]:
        """Check the settings, then `walk`.

        Raises
        ------
        SettingsError
            When the settings are those of another navigator.
        """
        own = cast("_Own", own_settings(settings, self.settings_type, self.name))
        yield from self.walk(NavigationTask(episode, graph, llm, own, past))

    @abstractmethod
    def walk(self, task: NavigationTask[_Own]) -> Iterator[Event]:
        """Walk the episode of the task; see `Navigator.navigate`."""


def asks_model(navigator: Navigator, settings: Settings) -> bool:
    """Whether a navigator asks a language model under these settings."""
    return navigator.needs_model if settings.asks_model is None else settings.asks_model


EVERY_REPAIR: frozenset[RepairKind] = frozenset({"take_link", "swap_instruction_word"})
"""Repairs that every navigator takes, as they change only where it stands or what it reads."""


def repairs_of(navigator: Navigator) -> frozenset[RepairKind]:
    """Return the kinds of repair that a navigator takes: its `repairs` and those of every other.

    A fork's plan holds a reopened sub-goal or another line; what is to be shown stands in
    ``past.header.forked_from.repair``, from that step on.
    """
    own: frozenset[RepairKind] = getattr(navigator, "repairs", frozenset())
    return own | EVERY_REPAIR


def learned_from(navigator: Navigator) -> str | None:
    """Return the data whose priors a navigator has learned (``R2R train``); ``None`` where it says
    of none.

    Such a navigator reaches goals without reading, so its figures need the controls of
    `navviz.analysis.controls`.
    """
    learned: str | None = getattr(navigator, "learned_from", None)
    return learned


def prompt_kind(navigator: Navigator) -> PromptKind | None:
    """Return the prompt of a navigator that may be edited; ``None`` where there is none."""
    kind = navigator.settings_type
    return kind.prompt_kind if issubclass(kind, PromptedSettings) else None


def shipped_prompt(settings: Settings) -> str:
    """Return the prompt that these settings use where none is set; empty where they have none."""
    if not isinstance(settings, PromptedSettings):
        return ""
    return settings.prompt_kind.shipped(settings)
