"""Landmark names that an extractor found, by episode: GROKE's ``poi_analysis_*.json``.

``{episode id: [{name, category, score}, ...]}``; names may repeat where a text does.
"""

from __future__ import annotations

from navviz.errors import InputError, Problem, Problems
from navviz.formats.texts import as_number, id_text
from navviz.support.guarded import parse_json


def read_extractions(
    text: str, file: str, problems: Problems | None = None, *, score: float = 0.0
) -> dict[str, tuple[str, ...]]:
    """Names by episode id, in file order.

    Parameters
    ----------
    text, file
        What the file holds, and its name for errors.
    problems
        Takes what could not be read; the rest is given.
    score
        Names with a lower score are left out; names without one stay.

    Raises
    ------
    InputError
        The text is no such file.
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
