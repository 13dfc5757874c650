"""Ratings out of and into files: JSON lines, CSV, Label Studio JSON.

JSON lines and CSV hold each rating whole (CSV in its last column ``value``, as JSON), so that they
come back as they were. What is imported is checked one by one: a fault is told, the rest is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from navviz.annotation import label_studio
from navviz.annotation.claims import CauseClaim
from navviz.annotation.columns import Places, columns, row_of
from navviz.annotation.progress import Flag
from navviz.annotation.queues import QueuePlace
from navviz.annotation.records import (
    ADJUDICATED,
    CauseVerdict,
    Difficulty,
    Edit,
    Failures,
    Item,
    Navigability,
    Queue,
    Rating,
    Task,
    Value,
)
from navviz.annotation.store import Study
from navviz.annotation.taxonomy import Taxonomy, bundled_taxonomy
from navviz.errors import ConflictError, InputError, Problem, Problems
from navviz.formats.texts import as_count, as_list, as_mapping, as_number, id_text
from navviz.records import Record
from navviz.support.guarded import (
    as_typed,
    csv_table,
    csv_text,
    framed,
    json_text,
    parse_json,
    read_text,
)
from navviz.support.installation.files import samples_dir
from navviz.support.systems import RatingImporter, offered

OwnFormat = Literal["jsonl", "csv", "label_studio"]
"""What can be written, and read again."""

Format = str
"""One of `OwnFormat`, or of `rating_importers`, which can only be read."""

Known = set[tuple[str, str]] | None
"""Data set and id of the open episodes."""

_VERSION = 1
"""Raised when a field changes its meaning; a file with a higher number is refused."""


class Imported(Record):
    """One rating on its way in."""

    item: Item
    annotator: str
    value: Value
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """Time at work on the item, in s; ``None`` where nobody measured it."""


def export(
    ratings: Sequence[Rating],
    form: Format,
    instructions: Mapping[Item, str] | None = None,
    history: Sequence[Edit] = (),
    taxonomy: Taxonomy | None = None,
    claims: Iterable[CauseClaim] = (),
    flags: Sequence[Flag] = (),
    places: Places | None = None,
) -> str:
    """All ratings as the text of one file; `places` says of which queue and part each one is."""
    if form == "csv":
        rows: list[Sequence[Any]] = [tuple(columns())]
        for rating in ratings:
            row = row_of(rating, places or {}, flags)
            row |= {name: row[name].isoformat() for name in ("created", "changed")}
            rows.append([row.get(name) for name in columns()])
        return csv_text(rows)
    importer = offered("rating_importers").get(form)
    if importer is not None:
        owner = importer.system.title
        raise InputError(f"{owner}'s format can only be read", "choose another format")
    if form == "label_studio":
        return label_studio.export(ratings, instructions or {}, taxonomy)
    # claims without a rating stay out: they would show detectors and placebos before they are
    # judged
    judged = {rating.item.claim for rating in ratings if rating.item.claim}
    named = [claim for claim in claims if claim.item.claim in judged]
    return _json_lines(ratings, instructions or {}, history, taxonomy, named, flags, places or {})


def _json_lines(
    ratings: Sequence[Rating],
    instructions: Mapping[Item, str],
    history: Sequence[Edit],
    taxonomy: Taxonomy | None,
    claims: Sequence[CauseClaim],
    flags: Sequence[Flag],
    places: Places,
) -> str:
    # the head comes first, so that a reader can refuse a later version before the first rating
    head: dict[str, Any] = {"type": "navviz-annotations", "version": _VERSION}
    if taxonomy is not None:
        head["taxonomy"] = taxonomy.model_dump(mode="json")
    lines = [head]
    for item, text in instructions.items():
        lines.append({"type": "instruction", **item.model_dump(), "text": text})
    for claim in claims:
        lines.append({"type": "claim", **claim.model_dump(mode="json", exclude_none=True)})
    lines += [{"type": "flag", **asdict(flag)} for flag in flags]
    for rating in ratings:
        placed = places.get((rating.task, rating.annotator, rating.item), QueuePlace())
        where = {"queue": " | ".join(placed.queues), "part": placed.part}
        lines.append({"type": "rating", **rating.model_dump(mode="json"), **where})
    lines += [{"type": "edit", **edit.model_dump(mode="json")} for edit in history]
    return "".join(json_text(line, ensure_ascii=False) + "\n" for line in lines)


def parse(
    text: str,
    form: Format,
    known_items: Iterable[Item] | None = None,
    taxonomy: Taxonomy | None = None,
    file: str = "import",
) -> tuple[list[Imported], Problems]:
    """Read a file's ratings and what is wrong with the others.

    Raises `InputError` where the file is not of that format at all.
    """
    problems = Problems()
    # an iterator is used up by the first look
    items = None if known_items is None else list(known_items)
    episodes = None if items is None else {(item.dataset, item.episode) for item in items}
    datasets = {episode: dataset for dataset, episode in episodes or ()}
    with framed(file, form):
        rows = _read(text, form, taxonomy, file)
    ratings: dict[tuple[Item, str, Task], Imported] = {}
    runs = {item.episode: item.run for item in items or ()}
    if not rows:
        what, do = "holds no rating", "choose a file of ratings that were exported"
        problems.add(Problem(what, do, file))
    for where, raw in rows:
        # a format without data set and run means those of the open episodes
        episode = id_text(raw.get("episode"))
        placed = {"dataset": datasets.get(episode), "run": runs.get(episode), **raw}
        imported = _checked(placed, where, episodes, taxonomy, problems)
        if imported is None:
            continue
        # a person rates an item once; a task that was exported twice would count twice
        key = (imported.item, imported.annotator, imported.value.task)
        if key in ratings:
            what = f"{imported.annotator} rates it twice in this file"
            problems.add(Problem(what, "the first is taken", where, key[0].episode, key[2]))
        ratings.setdefault(key, imported)
    return list(ratings.values()), problems


def _read(
    text: str, form: Format, taxonomy: Taxonomy | None, file: str
) -> Sequence[tuple[str, Mapping[str, Any]]]:
    if form in _ROWS:
        return list(_ROWS[form](text, file))
    read = offered("rating_importers")[form].load()
    rows: Sequence[tuple[str, Mapping[str, Any]]] = read(text, file, taxonomy or bundled_taxonomy())
    return rows


def rating_importers() -> dict[str, RatingImporter]:
    """Return what reads the annotations of the systems' authors, by the format's name."""
    return {form: part.entry for form, part in offered("rating_importers").items()}


def _checked(
    raw: Mapping[str, Any],
    where: str,
    episodes: set[tuple[str, str]] | None,
    taxonomy: Taxonomy | None,
    problems: Problems,
) -> Imported | None:
    episode = id_text(raw.get("episode") or "")
    named = [raw.get(name) for name in ("dataset", "episode", "run", "claim", "annotator")]
    # written as a text, a list would name an item that nobody has
    strange = [value for value in named if value is not None and not isinstance(value, str | int)]
    if strange:
        what = f"{str(strange[0])[:40]!r} names nothing"
        problems.add(Problem(what, "the other ratings are taken", where, episode))
        return None
    try:
        item = Item(
            dataset=str(raw.get("dataset") or ""),
            episode=episode,
            run=str(raw.get("run") or ""),
            claim=str(raw.get("claim") or ""),
        )
        name, seconds = str(raw.get("annotator") or ""), raw.get("seconds")
        imported = Imported.model_validate(
            {
                "item": item,
                "annotator": name,
                "value": raw.get("value"),
                # a table has an empty cell where nobody measured
                "seconds": None if seconds == "" else seconds,
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"] if part != "value")
        do = "the other ratings are taken"
        what = first["msg"][:1].lower() + first["msg"][1:]
        problems.add(Problem(what, do, where, episode, name))
        return None
    fault = _fault(imported, episodes, taxonomy)
    if raw.get("part") == "training":
        # a file brings no queue along, without which the rating would count in agreement
        fault = "part", "is a training round, whose answers count in nothing"
    if fault is not None:
        problems.add(Problem(fault[1], "the other ratings are taken", where, episode, fault[0]))
        return None
    return imported


def _fault(
    imported: Imported, episodes: Known, taxonomy: Taxonomy | None
) -> tuple[str, str] | None:
    """Field and fault of a rating that is whole but does not belong here."""
    if not imported.item.episode:
        return "episode", "is missing"
    if not imported.annotator:
        return "annotator", "is missing"
    item = imported.item
    if episodes is not None and (item.dataset, item.episode) not in episodes:
        return "episode", f"is not among the open episodes of {item.dataset or 'any data set'}"
    if taxonomy is not None and isinstance(imported.value, Failures):
        missing = imported.value.codes - {label.code for label in taxonomy.labels()}
        if missing and imported.value.taxonomy_version == taxonomy.version:
            codes = ", ".join(sorted(missing))
            return "labels", f"{codes} is no code of {taxonomy.name} version {taxonomy.version}"
    return None


def _from_json_lines(text: str, file: str) -> list[tuple[str, dict[str, Any]]]:
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            raw = parse_json(line, file)
        except InputError as error:
            raise InputError(
                error.problem.what, "choose a file that NavViz exported", file=f"{file}:{number}"
            ) from error
        if not isinstance(raw, dict):
            raise InputError(
                "is no rating", "choose a file that NavViz exported", file=f"{file}:{number}"
            )
        raw = _bare_keys(raw)
        # a line of a kind that nobody writes is refused by name, or is a rating after all
        if raw.get("type") not in _BESIDE_RATINGS and (number > 1 or "version" not in raw):
            item = raw.get("item")
            rows.append((f"{file}:{number}", {**raw, **as_mapping(item)}))
        elif number == 1 and not _is_readable(raw.get("version", _VERSION)):
            raise InputError(f"has version {str(raw['version'])[:40]}", "update NavViz", file=file)
    return rows


_BESIDE_RATINGS = ("navviz-annotations", "instruction", "claim", "flag", "edit")
"""Types of lines that hold no rating."""


def _bare_keys(value: Any) -> Any:  # noqa: ANN401 - what `json` decodes
    """Return a value whose keys have no blanks at their ends: who edits lines by hand adds them,
    and a line without its key ``type`` would be passed over.
    """
    if isinstance(value, list):
        return [_bare_keys(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key.strip(): _bare_keys(each) for key, each in value.items()}


def _is_readable(version: object) -> bool:
    number = as_count(version)
    return number is not None and number <= _VERSION


def _from_csv(text: str, file: str) -> list[tuple[str, dict[str, Any]]]:
    columns, rows = csv_table(text, file)
    missing = {"episode", "task", "annotator"} - set(columns)
    if missing:
        raise InputError(
            f"lacks the column {', '.join(sorted(missing))}", "name it in the first row", file=file
        )
    ratings = []
    for number, cells in rows:
        row = {name: as_typed(cell) for name, cell in cells.items()}
        ratings.append((f"{file}:{number}", {**row, "value": _csv_value(row)}))
    return ratings


def _csv_value(row: Mapping[str, str | None]) -> object:
    """Return the value column, or the columns of a table that somebody else made."""
    value = row.get("value")
    if value:
        try:
            return parse_json(value, "")
        except InputError:
            return value
    fields = _FIELDS.get(row.get("task") or "", frozenset())
    return {
        "task": row.get("task"),
        **{name: cell for name, cell in row.items() if cell and name in fields},
    }


_FIELDS = {
    "navigability": frozenset(Navigability.model_fields),
    "difficulty": frozenset(Difficulty.model_fields),
    "cause": frozenset(CauseVerdict.model_fields),
}

_ROWS = {
    "jsonl": _from_json_lines,
    "csv": _from_csv,
    "label_studio": label_studio.parse,
}


def take_in(study: Study, imported: Iterable[Imported]) -> tuple[int, Problems]:
    """Save imported ratings; what is there with the same value is left, with another value is told
    and kept.

    Returns how many are now as in the file. Raises `StoreError` where the database fails.
    """
    problems, saved = Problems(), 0
    for entry in imported:
        try:
            if entry.annotator == ADJUDICATED:
                study.adjudicate(entry.item, entry.value, seen=0, seconds=entry.seconds)
            else:
                study.take_in(entry.item, entry.annotator, entry.value, seconds=entry.seconds)
            saved += 1
        except ConflictError:
            what = f"{entry.annotator} has rated it otherwise here"
            problems.add(
                Problem(what, "the rating here is kept", "", entry.item.episode, entry.value.task)
            )
        except InputError as error:
            problems.add(error.problem)
    return saved, problems


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


def read_extractions(
    text: str, file: str, problems: Problems | None = None, *, score: float = 0.0
) -> dict[str, tuple[str, ...]]:
    """Names by episode id, in file order.

    Raises `InputError` where the text is no such file.
    """
    try:
        raw = parse_json(text, file)
    except InputError as error:
        raise InputError(
            error.problem.what, "choose a file {episode: [{name}]}", file=file
        ) from error
    if not isinstance(raw, dict):
        raise InputError("is no extractor's output", "choose a file {episode: [{name}]}", file=file)
    noted = problems if problems is not None else Problems()
    names = {}
    for episode, entries in raw.items():
        name = id_text(episode)
        names[name] = _names(entries, file, name, noted, score)
    return names


def _names(
    entries: object, file: str, episode: str, problems: Problems, score: float
) -> tuple[str, ...]:
    if not isinstance(entries, list):
        problems.add(Problem("is no list of names", "it counts as nothing found", file, episode))
        return ()
    names = []
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            problems.add(
                Problem("has no name", "the other names are used", file, episode, f"[{number}]")
            )
            continue
        sure = as_number(entry.get("score"))
        if sure is None or sure >= score:
            names.append(entry["name"])
    return tuple(names)


_KEYS = ("id", "key", "instr_id", "instruction_id", "instructions_id", "episode")


def read_episode_list(text: str, file: str) -> tuple[str, ...]:
    """Ids in the order of the file, each once.

    A JSON object is read as ``{id: ...}`` (``error_analysis.json``, state files), a JSON list as
    ids or as objects with one (``individual_results.json``), any other text as one id a line.
    Raises `InputError` when it names no episode.
    """
    try:
        raw = parse_json(text, file, lenient=True)
    except InputError:
        # a broken JSON text is no list of ids, though each of its lines could be one
        raw = None if text.lstrip().startswith(("{", "[")) else text.split("\n")
    ids = tuple(dict.fromkeys(_ids(raw)))
    if not ids:
        raise InputError(
            "names no episode", "give a JSON object by id, a JSON list, or one id a line", file=file
        )
    return ids


def _ids(raw: Any) -> Iterable[str]:  # noqa: ANN401 - any JSON
    if isinstance(raw, dict):
        yield from map(id_text, raw)
    for entry in as_list(raw):
        value = entry
        if isinstance(entry, dict):
            value = next((entry[key] for key in _KEYS if key in entry), "")
        if isinstance(value, str | int) and str(value).strip():
            yield id_text(value)
