"""No text of a queue, an annotator, an item or an answer is obeyed by a database, a spreadsheet or
Label Studio: what goes in comes out, letter by letter.
"""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import pytest

from navviz.annotation.exchange import export, parse
from navviz.annotation.label_studio import interface
from navviz.annotation.records import Item, Navigability, Queue, Rating
from navviz.annotation.store import AnnotationStore
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import InputError
from tests.alphabets import EVERY_PAYLOAD
from tests.hostile import EVERYTHING

TEXTS = {text.strip(): text for text in EVERY_PAYLOAD}
"""By the name that begins and ends with no blank."""
ITEMS = [Item(dataset=name, episode=name, run=name) for name in TEXTS]
VALUES = [Navigability(navigable=True, comment=text) for text in TEXTS.values()]
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_a_database_obeys_no_text(store: AnnotationStore) -> None:
    study = store.study()
    for item, value in zip(ITEMS, VALUES, strict=True):
        name = item.episode
        study.queues.create(Queue(name=name, task="navigability", items=(item,)))
        study.queues.guide(name, TEXTS[name], name)
        study.take_in(item, "fox", value)
        with pytest.raises(InputError, match="is no pseudonym"):
            study.take_in(item, f"x{name}", value)
    assert {queue.name for queue in study.queues.all()} == TEXTS.keys()
    kept = {rating.item: rating.value for rating in study.ratings()}
    assert kept == dict(zip(ITEMS, VALUES, strict=True))


def _ratings() -> list[Rating]:
    fields = {"task": "navigability", "revision": 1, "created": AT, "changed": AT}
    return [
        Rating(item=item, annotator=item.episode, value=value, **fields)
        for item, value in zip(ITEMS, VALUES, strict=True)
    ]


@pytest.mark.parametrize("form", ["csv", "jsonl", "label_studio"])
def test_a_file_of_ratings_brings_each_text_back(form: str) -> None:
    text = export(_ratings(), form, dict(zip(ITEMS, TEXTS.values(), strict=True)))
    if form == "csv":
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not [cell for cell in cells if re.match(r"[=+\-@\t\r]", cell)]
    read, problems = parse(text, form)
    assert problems.count == 0
    assert [(each.item, each.value) for each in read] == list(zip(ITEMS, VALUES, strict=True))
    assert [each.annotator for each in read] == list(TEXTS)


def test_an_interface_obeys_no_text() -> None:
    taxonomy = bundled_taxonomy()
    first = taxonomy.dimensions[0].model_copy(update={"title": EVERYTHING})
    changed = taxonomy.model_copy(update={"dimensions": (first, *taxonomy.dimensions[1:])})
    names = [each.tag for each in ET.fromstring(interface(taxonomy)).iter()]
    read = [*ET.fromstring(interface(changed)).iter()]
    assert [each.tag for each in read] == names
    assert EVERYTHING.replace("\t", " ") in [
        each.get("hint", "").replace("\t", " ") for each in read
    ]
