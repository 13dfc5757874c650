"""Objects marked in texts."""

import pytest

from navviz.systems.msnav.marking import lemma, mark_objects


@pytest.mark.parametrize(
    ("name", "singular"),
    [("chairs", "chair"), ("Coffee Tables", "coffee table"), ("glass", "glass"), ("boxes", "box"), ("benches", "bench"),
     ("berries", "berry"), ("bus", "bus"), ("", "")],
)  # fmt: skip
def test_lemma(name, singular):
    assert lemma(name) == singular


def test_direct_objects_come_first_and_four_is_the_most():
    text = "a table, a lamp, 3 x chair and a sofa beside the fireplace"
    marked = mark_objects(text, ["sofas", "fire place"], ["chair", "table", "lamp"])
    assert marked.names.count("sofas") == 1
    assert len(marked.names) == 4
    assert marked.text == "a *table*, a *lamp*, 3 x *chair* and a *sofa* beside the fireplace"


def test_nearly_the_same_word_counts_and_another_does_not():
    assert mark_objects("a grey armchair", ["armchairs"], []).names == ("armchairs",)
    assert mark_objects("a staircase", ["stairs"], []).names == ()
    assert mark_objects("a bookshelf", ["bookshelfs"], []).text == "a *bookshelf*"


def test_names_of_several_words_are_marked_whole():
    marked = mark_objects("a coffee table and a table", ["table", "coffee table"], [])
    assert marked.text == "a coffee *table* and a *table*", (
        "what was marked first is not marked twice"
    )
    assert mark_objects("a coffee table", ["coffee table", "table"], []).text == "a *coffee table*"


def test_nothing_to_mark_leaves_the_text():
    assert mark_objects("a hall", [], []).text == "a hall"
    assert mark_objects("", ["hall"], []).text == ""
    assert mark_objects("a hall", ["", "!!"], []).text == "a hall"
