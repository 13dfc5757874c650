"""A talk: episodes at a step, each below a caption of one's own, played as one HTML file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.site.documents import PICTURE_BYTES, published_document
from navviz.analysis.site.redaction import Part, redacted_causes
from navviz.analysis.what_if.kept import quick_what_if
from navviz.errors import InputError
from navviz.runs.run import OpenRun
from navviz.support.guarded import is_there, read_text
from navviz.views.player.html import talk_page
from navviz.views.player.pictures import FILE_BYTES

TALK_FILE: Final = "talk.json"
"""Its name in the workspace."""


class Slide(BaseModel):
    """An episode at a step; 0 is before the first."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str = Field(min_length=1, max_length=500)
    episode: str = Field(min_length=1, max_length=500)
    step: int = Field(ge=0, le=1_000_000)
    caption: str = Field("", max_length=1_000)


class Talk(BaseModel):
    """Slides in their order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    slides: tuple[Slide, ...] = Field((), max_length=200)


def kept_talk(path: Path) -> Talk:
    """Read a talk, which is empty where nobody has begun one; `InputError` for a damaged file."""
    try:
        return Talk.model_validate_json(read_text(path)) if is_there(path) else Talk()
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(first["msg"], "mend or delete it", file=str(path), field=where) from error


def first_caption(run: OpenRun, episode: str) -> str:
    """Return what the player says of a walk in its first line: the act that was not done."""
    left = run.divergence(episode)
    explained = explain_episode(run.trace(episode), run.graph(episode), left)
    act = None if explained.success else explained.act
    return left.sentence if act is None else act.sentence


def talk_html(
    talk: Talk, run_named: Callable[[str], OpenRun], without: Collection[Part] = ()
) -> str:
    """Return a talk as one HTML page that needs no network: with pictures about 20 MB at most.

    Raises `InputError` for a talk without slides, or for a run, an episode or a step that is not
    there; `run_named` finds runs by the names in the talk.
    """
    if not talk.slides:
        raise InputError("the talk has no slides", "add the step that Replay shows")
    numbers: dict[tuple[str, str], int] = {}
    slides = []
    for slide in talk.slides:
        count = len(run_named(slide.run).trace(slide.episode).steps)
        if slide.step > count:
            raise InputError(
                f"the walk has no step {slide.step}", f"choose 0 to {count}", episode=slide.episode
            )
        number = numbers.setdefault((slide.run, slide.episode), len(numbers))
        slides.append({"document": number, "step": slide.step, "caption": slide.caption})
    room = min(PICTURE_BYTES, FILE_BYTES // len(numbers))
    documents = [_document(run_named(name), key, without, room) for name, key in numbers]
    return talk_page(slides, documents)


def _document(
    run: OpenRun, key: str, without: Collection[Part], picture_bytes: int
) -> dict[str, Any]:
    causes = explain_episode(run.trace(key), run.graph(key), run.divergence(key))
    what_if = quick_what_if(run, key)
    explained = redacted_causes(causes, without)
    return published_document(run, key, explained, what_if, without, picture_bytes=picture_bytes)
