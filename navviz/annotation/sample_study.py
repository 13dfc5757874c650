"""The bundled sample study: invented ratings of the sample town, to try the pages with."""

from __future__ import annotations

from navviz.annotation.exchange import Imported, parse, take_in
from navviz.annotation.records import Queue, Task
from navviz.annotation.store import Study
from navviz.errors import InputError
from navviz.support.guarded import read_text
from navviz.support.installation.files import samples_dir

SAMPLE_QUEUES: dict[Task, tuple[str, str]] = {
    "navigability": ("sample: can one follow it?", "harbour/rules"),
    "difficulty": ("sample: how difficult?", "harbour/rules"),
    "failure": ("sample: why did it fail?", "harbour/groke-by-hand"),
    "mentions": ("sample: which landmarks?", "harbour/rules"),
}
"""Name of the queue and the run that shows its episodes, by task."""
_FILE = "study.jsonl"


def sample_ratings() -> list[Imported]:
    """Read the bundled ratings; raises `InputError` where a file of the installation is missing."""
    path = samples_dir() / "harbour" / _FILE
    try:
        text = read_text(path)
    except InputError as error:
        raise InputError("is missing", "install NavViz again", file=path) from error
    return parse(text, "jsonl", file=path.name)[0]


def load_sample_study(study: Study) -> int:
    """Put the sample's queues and ratings into a study; what is there already stays as it is.

    Returns how many ratings are now as in the sample. Raises `StoreError` where the database fails.
    """
    imported = sample_ratings()
    there = {queue.name for queue in study.queues.all()}
    for task, (name, source) in SAMPLE_QUEUES.items():
        items = tuple(dict.fromkeys(entry.item for entry in imported if entry.value.task == task))
        if items and name not in there:
            note = "Invented ratings by sample-heron, sample-otter and sample-wren"
            study.queues.create(Queue(name=name, task=task, items=items, source=source, note=note))
    return take_in(study, imported)[0]
