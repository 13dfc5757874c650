"""What MSNav's model is told.

The parts are those of Liu et al. 2025 and Chen et al. 2024, the words are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from navviz.records import Message, PicturePart
from navviz.systems.base import PromptField, PromptKind, PromptText
from navviz.systems.msnav.place_map.prompt import PlacePrompt

TAKEN_OFF = " (no picture is kept: this place was taken off the map)\n"
"""Stands where a pruned place had its picture."""

_WHO = """\
You are a robot that finds its way through a {world}. The places that you can stand at are marked with ids. Explore \
them until you have found the destination that you are told of, and stop there. In each step you get a view, in \
words, of places that you have been to or have seen.{marks}"""

_MARKS = (
    " Words between stars, like *this*, mark objects that may matter for the way, as boxes in a"
    " picture would; take them into account where they help."
)

_STEPWISE = (
    "'Instruction' leads you from start to destination, step by step. You may have carried out part"
    " of it already: find out which part is still to be done."
)
_REMOTE = (
    "'Instruction' is guidance for the whole house. Find the object that it speaks of and stop"
    " there. Whatever it wants done with the object is not your task. Do not rely on the colours"
    " that it names."
)

_PARTS = """\
'History' lists the places that you went to, in order, with the views that showed them. It may hold mistakes that \
you made. {pruned_history}
'Trajectory' lists the ids of the places that you stood at; you began at Place 0.
'Map' says which explored places are connected with which places that you know. {pruned_map}
'Supplementary Info' lists places that you saw but never went to. They are of use when you find that you went wrong \
and want to go back and try another way.
'Previous Planning' is the plan of several steps that you made last.
'Action Options' are the actions that you can choose from now.{destination}"""

_USER = "{situation}\n\n{views}"
_IN_WORDS, _IN_PICTURES = "you get a view, in words, of places", "you get pictures of places"

_PRUNED_HISTORY = (
    "Old places may have lost their view and be missing from the map, which is kept small; then go"
    " by the words."
)
_PRUNED_MAP = "Some old places may have been taken off it."
_DESTINATION = (
    "\n'Possible Destination Info' is a guess at how things stand at the destination. It is for"
    " reference only and may be wrong."
)

_HOW = """\
Look at the view of every place for the kind of room, the landmarks and the objects that the instruction speaks of. \
Hold the instruction against your history to judge how far you have come. Use the map to plan your way. Compare the \
ids in history and trajectory so that you do not walk in circles; go back only where you have a reason to. If the \
destination is in sight, judge how far away it is, and go on until you are within 1 metre of it.

Answer with a JSON object of three fields. 'Thought': what you conclude from all of the above, what to do next and \
why. 'New Planning': your plan for the next several steps, brought up to date. 'Action': the one capital letter of \
the action that you choose from the options, and nothing else."""

Images = Mapping[int, PicturePart | None]
"""Pictures by Place number; ``None`` for a place whose picture was taken off."""


def decide_messages(
    prompt: PlacePrompt,
    views: str,
    *,
    pruned: bool,
    marked: bool,
    remote: bool,
    outdoors: bool,
    text: str = "",
    images: Images | None = None,
) -> tuple[Message, ...]:
    """Return the prompt of one step."""
    is_pictured = images is not None
    template = _template(pruned=pruned, is_pictured=is_pictured)
    if text:
        template = PromptText.parse(text)
    values = {
        "world": "town" if outdoors else "house",
        "marks": _MARKS if marked and not is_pictured else "",
        "task": _REMOTE if remote else _STEPWISE,
        "destination": _DESTINATION if prompt.destination is not None else "",
        "situation": str(prompt),
        "views": "" if is_pictured else views,
    }
    messages = tuple(_trimmed(message) for message in template.fill(values))
    return messages if images is None else _pictured(messages, images)


def _pictured(messages: tuple[Message, ...], images: Images) -> tuple[Message, ...]:
    *before, last = messages
    return (*before, Message.of_parts(last.role, [*_labelled(images), f"\n{last.text.strip()}"]))


def _labelled(images: Images) -> Iterator[str | PicturePart]:
    for place, picture in sorted(images.items()):
        label = f"Image {place}"
        yield f"{label}:"
        yield TAKEN_OFF if picture is None else picture.model_copy(update={"label": label})


def _trimmed(message: Message) -> Message:
    if message.role != "system":
        return message
    # a part that is left out leaves a blank at the end of its line
    lines = [line.rstrip() for line in message.text.splitlines()]
    return message.model_copy(update={"text": "\n".join(lines)})


def _template(*, pruned: bool, is_pictured: bool = False) -> PromptText:
    who = _WHO.replace(_IN_WORDS, _IN_PICTURES) if is_pictured else _WHO
    parts = _PARTS.format(
        pruned_history=_PRUNED_HISTORY if pruned else "",
        pruned_map=_PRUNED_MAP if pruned else "",
        # stays a place to fill, since only the step knows whether there is a guess
        destination="{destination}",
    )
    return PromptText(f"{who}\n{{task}}\n{parts}\n{_HOW}", _USER)


def _shipped(settings: Any) -> str:  # noqa: ANN401 - MSNav's settings, which import this module
    return str(_template(pruned=settings.pruning, is_pictured=settings.views == "pictures"))


DECIDE_PROMPT = PromptKind(
    (
        PromptField(
            "situation",
            "instruction, history, trajectory, map, planning and action options",
            is_needed=True,
        ),
        PromptField(
            "views", "the views of the places in words; empty with pictures", is_needed=True
        ),
        PromptField("world", "house or town"),
        PromptField("task", "what kind of instruction it is: step by step, or REVERIE's"),
        PromptField("marks", "a sentence on marked objects, empty where none are marked"),
        PromptField("destination", "a line on the guessed destination, empty without a guess"),
    ),
    _shipped,
)
"""The prompt of a step."""


def views_text(views: Mapping[int, str]) -> str:
    """Return the views in place of pictures, by Place number."""
    lines = [f"Image {place}: {text}" for place, text in sorted(views.items())]
    return "\n".join(["Views of the places, in words:", *(lines or ["none"])])
