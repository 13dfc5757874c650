"""The environment prompt: its structure, and that it reads back."""

from __future__ import annotations

import pytest

from navviz.observations.discrete_views import view_towards
from navviz.systems.msnav.place_map.memory import MapMemory
from navviz.systems.msnav.place_map.prompt import (
    BEGUN,
    NO_PLANNING,
    Option,
    PlacePrompt,
    history_text,
    make_options,
    make_prompt,
    read_map,
    read_prompt,
)

WAYS = (
    view_towards("b", 0.0, 0.0, 1.0),
    view_towards("c", 92.0, 0.0, 1.0),
    view_towards("d", 0.0, 40.0, 1.0),
)


def prompt(
    step: int = 0, *, destination: str | None = None, planning: str = NO_PLANNING
) -> PlacePrompt:
    memory = MapMemory()
    memory.arrive("a", [way.node for way in WAYS])
    options = make_options(WAYS, memory.places, 30.0, stop=step >= 3)
    actions = ["go forward to Place 1 which is corresponding to Image 1"] * step
    return make_prompt(
        memory, "Go up: past the sofa.", actions, planning, options, destination, step
    )


def test_the_parts_stand_in_their_order():
    text = str(prompt(3, destination="The destination is a hall."))
    labels = [
        "Instruction: ", "\nHistory: ", "\nTrajectory: ", "\nMap:\n", "\nSupplementary Info: ",
        "\nPrevious Planning:\n", "\nPossible Destination Info", "\nAction Options (step 3): ",
    ]  # fmt: skip
    places = [text.index(label) for label in labels]
    assert places == sorted(places)
    assert "Possible Destination Info" not in str(prompt(3)), "MapGPT has no such part"


def test_stopping_is_the_first_option_once_it_is_allowed():
    assert [str(option) for option in prompt(2).options] == [
        "A. turn left to Place 1 which is corresponding to Image 1",
        "B. turn right to Place 2 which is corresponding to Image 2",
        "C. go up to Place 3 which is corresponding to Image 3",
    ]
    assert [option.letter for option in prompt(3).options] == ["A", "B", "C", "D"]
    assert str(prompt(3).options[0]) == "A. stop"


def test_the_history_counts_from_zero():
    assert history_text([]) == BEGUN
    assert history_text(["x", "y"]) == "step 0: x, step 1: y"


@pytest.mark.parametrize("step", [0, 3, 17])
@pytest.mark.parametrize("destination", [None, "The destination is a hall."])
def test_what_is_written_reads_back(step, destination):
    written = prompt(step, destination=destination, planning="go on\nMap: is good\nHistory: none")
    prompt_text = read_prompt(f"{written}\n\nViews of the places, in words:\nImage 1: a hall.")
    assert prompt_text == written


def test_parts_in_the_other_order_of_the_published_code_read_too():
    text = (
        "Instruction: Go.\nHistory: x\nTrajectory: Place 0\nMap:\nPlace 0 is connected with Places 1\n"
        "Supplementary Info: Nothing yet.\nPrevious Planning:\nnone\n"
        "Action options (step 4): ['A. stop', 'B. go down to Place 1 which is corresponding to Image 1']\n"
        "Possible destination info: a hall\n"
    )
    prompt_text = read_prompt(text)
    assert prompt_text is not None
    assert prompt_text.destination == "a hall"
    assert prompt_text.options == (Option("A", None, None), Option("B", "go down", 1))


def test_what_is_no_prompt_is_none():
    assert read_prompt("Instruction: Go.") is None
    assert read_prompt("") is None


def test_the_map_reads_back():
    assert read_map(
        "Place 0 is connected with Places 1, 2\nPlace 4 is connected with Places 0\nnoise"
    ) == {0: [1, 2], 4: [0]}
