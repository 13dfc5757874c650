"""Landmark mentions: mark the words, link each mention to a place on the map."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from navviz.annotation.records import Mention, Mentions
from navviz.records import Episode
from navviz.ui.annotate.rate import route_map
from navviz.ui.annotate.session import Work, save, saved_line, value
from navviz.ui.session import widget
from navviz.world.graph import Graph, Poi

__all__ = ["mentions", "merged", "words"]

_REACH_M = {"geo": 60.0, "metric": 6.0}


def words(text: str) -> list[tuple[int, int]]:
    """Character spans of the words of a text, punctuation around them left out."""
    return [match.span() for match in re.finditer(r"[^\W_](?:[\w'’&.-]*\w)?", text)]


def merged(text: str, chosen: Sequence[int]) -> list[tuple[int, int]]:
    """Spans of the chosen words, neighbours with nothing but blanks between them put together."""
    spans = words(text)
    joined: list[tuple[int, int]] = []
    for index in sorted(chosen):
        start, end = spans[index]
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def mentions(work: Work) -> None:
    """Show the words of the instruction as buttons, and the mentions they make."""
    held = value()
    now = held if isinstance(held, Mentions) else None
    left, right = st.columns([3, 2], gap="medium")
    with left:
        route_map(work)
    with right:
        _words(work, now)
        _links(work, now)
        st.button(
            "No landmark in this text",
            key=f"{work.key}_none",
            disabled=now is not None,
            on_click=save,
            args=(work, Mentions()),
        )
        saved_line()


def _words(work: Work, now: Mentions | None) -> None:
    text = work.episode.instruction
    spans = words(text)
    marked = [
        i
        for i, (start, end) in enumerate(spans)
        for m in (now.mentions if now else ())
        if m.start <= start < end <= m.end
    ]
    key = f"{work.key}_words"

    def changed() -> None:
        links = {mention.text: mention.poi_id for mention in (now.mentions if now else ())}
        chosen = [
            Mention(start=start, end=end, text=text[start:end], poi_id=links.get(text[start:end]))
            for start, end in merged(text, widget(key))
        ]
        save(work, Mentions(mentions=tuple(chosen)))

    st.pills(
        "Choose every word that names a landmark; neighbouring words become one mention.",
        list(range(len(spans))),
        selection_mode="multi",
        default=marked,
        format_func=lambda i: text[slice(*spans[i])],
        key=key,
        on_change=changed,
        wrap=True,
    )


def _links(work: Work, now: Mentions | None) -> None:
    if now is None or not now.mentions:
        return
    places = _places(work.graph, work.episode)
    st.markdown("**Which place on the map does each mean?**")
    for number, mention in enumerate(now.mentions):
        key = f"{work.key}_poi_{mention.start}"

        def linked(number: int = number, key: str = key) -> None:
            chosen = list(now.mentions)
            chosen[number] = chosen[number].model_copy(update={"poi_id": widget(key)})
            save(work, Mentions(mentions=tuple(chosen)))

        options = list(places)
        st.selectbox(
            mention.text,
            options,
            index=options.index(mention.poi_id) if mention.poi_id in places else None,
            format_func=lambda poi: _name(places[poi]),
            key=key,
            on_change=linked,
            placeholder="not on the map, or unclear",
        )


def _name(poi: Poi) -> str:
    kinds = [f"{key} {text}" for key, text in poi.tags.items() if key != "name"][:1]
    return f"{poi.name} ({kinds[0]})" if kinds and "name" in poi.tags else poi.name


def _places(graph: Graph, episode: Episode) -> dict[str, Poi]:
    reach_m = _REACH_M[graph.frame]
    route = [node for node in (*episode.reference_path, episode.start) if node in graph]
    pois = {poi.id: poi for node in route for poi in graph.pois_near(graph.position(node), reach_m)}
    return dict(sorted(pois.items(), key=lambda entry: entry[1].name.lower()))
