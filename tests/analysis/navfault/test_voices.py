"""A voice is a file of phrasings; what is wrong with one is said in one sentence."""

from __future__ import annotations

import pytest

from navviz.analysis.navfault.voices import OWN, load_voice, voices_in
from navviz.errors import InputError

REACT = (OWN / "react.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(("old", "new", "sentence"), [
    ('title = "', "title = ", "is no TOML"),
    ("[reply]", "[answer]", "reply: is missing"),
    ("\nmissing = ", "\nabsent = ", "thoughts.missing: has no phrasings"),
    ("\nplain = ", "\nplane = ", "words.plain: has no phrasings"),
    ('nothing = "- none"', 'nothing = "- none"\nempty = ""', "prompt.empty: is no slot"),
    ('nothing = "- none"', "nothing = 3", "prompt.nothing: has no phrasings"),
    ("I take {other} to be", "I take {another} to be", "{another}, which is no token here"),
    ('nth = ["first", ', 'nth = ["first"]\nold = [', "words.nth: has 1 words"),
    ('turn_bare = ["Turn {side}.", "Take a {side}."]', 'turn_bare = ["Go {side}."]', "has one phrasing"),
    ("[words]", "[sounds]\nx = 1\n[words]", "sounds: is no table of a voice"),
])  # fmt: skip
def test_what_is_wrong_is_said_in_one_sentence(old, new, sentence, tmp_path):
    assert old in REACT
    path = tmp_path / "mine.toml"
    path.write_text(REACT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_voice(path)
    text = str(error.value)
    assert "mine.toml" in text
    assert sentence in text
    assert "\n" not in text


def test_a_folder_of_voices_is_read_by_name(tmp_path):
    for name in ("b.toml", "a.toml", "kept/c.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(REACT, encoding="utf-8")
    assert [(voice.name, voice.kept) for voice in voices_in(tmp_path)] == [
        ("a", False),
        ("b", False),
        ("c", True),
    ]
    with pytest.raises(InputError, match="has no voice"):
        voices_in(tmp_path / "nowhere")


def test_phrasings_vary_by_key_and_are_filled_by_replacement():
    voice = load_voice(OWN / "react.toml")
    said = {voice.say("thoughts", "missing", key, landmark="{line} Ltd") for key in range(30)}
    assert len(said) == 3
    assert all("{line} Ltd" in text for text in said)


def test_own_voices_have_unlike_words():
    """No two say a whole phrasing alike, but for single words."""
    for table in ("thoughts", "reply"):
        seen: dict[str, str] = {}
        for voice in voices_in():
            for slot, phrasings in voice.phrasings[table].items():
                for text in phrasings:
                    if len(text.split()) > 2:
                        assert seen.setdefault(text, voice.name) == voice.name, (slot, text)
