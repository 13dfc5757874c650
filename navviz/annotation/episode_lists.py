"""Which episodes a queue is made of, from a file: GROKE's ``error_analysis.json``, or any list of
ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from navviz.errors import InputError
from navviz.formats.texts import as_list, id_text
from navviz.support.guarded import parse_json

_KEYS = ("id", "key", "instr_id", "instruction_id", "instructions_id", "episode")


def read_episode_list(text: str, file: str) -> tuple[str, ...]:
    """Ids in the order of the file, each once.

    A JSON object is read as ``{id: ...}`` (``error_analysis.json``, state files), a JSON list as
    ids or as objects with one (``individual_results.json``), any other text as one id a line.

    Raises
    ------
    InputError
        When it names no episode.
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
