"""What a model's words say of sides, counts and completion, in seven voices."""

from pathlib import Path

import pytest

from navviz.language.said import said_counts, says_done, sides_of

_FOLDER = Path(__file__).parent / "said"


def _sentences(name):
    for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            meant, _, sentence = line.partition("\t")
            yield meant, sentence


def _sides(sentence):
    return "".join(side[0].upper() for side in sides_of(sentence)) or "-"


def _counts(sentence):
    counts = said_counts(sentence)
    return f"{counts[0].number} {counts[0].thing}" if counts else "-"


def _done(sentence):
    return {True: "done", False: "open", None: "-"}[says_done(sentence)]


@pytest.mark.parametrize(
    ("name", "read"), [("sides", _sides), ("counts", _counts), ("done", _done)]
)
def test_every_voice_is_read(name, read):
    wrong = []
    meant_something = 0
    for meant, sentence in _sentences(name):
        meant_something += meant != "-"
        if read(sentence) != meant:
            wrong.append((meant, read(sentence), sentence))
    assert meant_something >= 200
    assert not wrong
