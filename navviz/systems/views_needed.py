"""What a navigator has to be shown of a place, and what is missing where nothing describes it.

A walk without it costs the same and tells nothing: the model is asked about places of which it
reads no word. So it is refused before its first call, unless the settings allow a blind walk; then
its trace says so (`navviz.records.walker.is_blind`), and its figures are marked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from navviz.errors import InputError

if TYPE_CHECKING:
    from navviz.systems.base import Navigator, Settings
    from navviz.world.graph import Graph

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
