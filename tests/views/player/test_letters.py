"""Letters that no installed font has, in the texts of a replay."""

from __future__ import annotations

from typing import Any

import pytest

from navviz.support.installation import extras
from navviz.views.player.document import replay_document
from navviz.views.player.film import FILM, FILM_AND_SAVED, undrawn_letters
from tests.replays import full_trace, tiny_graph

pytest.importorskip("matplotlib")
PRIVATE = "\ue000"
"""A letter of private use: only the font that made it up has it."""


def document(text: str) -> dict[str, Any]:
    return replay_document(full_trace(text=text), tiny_graph())


def test_a_letter_without_a_font_is_named_once_and_said_in_one_sentence():
    said = undrawn_letters(document(f"Rue {PRIVATE}{PRIVATE} café"), FILM)
    assert said == (
        "No installed font has these letters, so a film shows boxes in their place:"
        " private use (U+E000). Install one that has them."
    )
    assert "so does the HTML file" in undrawn_letters(document(PRIVATE), FILM_AND_SAVED)


def test_texts_that_the_document_packs_are_read_too():
    packed = document(PRIVATE + "".join(f"word {k} " for k in range(60_000)))
    assert "gzip" in packed["strings"]
    assert "U+E000" in undrawn_letters(packed, FILM)


def test_latin_letters_dashes_and_drawn_ones_need_no_word():
    assert undrawn_letters(document("Łódź – “café” … 12 m²"), FILM) == ""


def test_a_font_that_only_matplotlib_has_is_none_of_a_browser():
    from matplotlib import get_data_path

    from navviz.views.figures import print_type

    assert not any(path.startswith(get_data_path()) for path in print_type._seen_by_browsers())


def test_without_matplotlib_nothing_is_claimed(monkeypatch):
    monkeypatch.setitem(extras.EXTRAS, "figures", ("no_such_package", "figures"))
    assert undrawn_letters(document(PRIVATE), FILM) == ""
