"""GROKE's ``individual_results.json``: the figures that its scripts computed for each episode.

``[{key, num_sub_goals, osm_path_length, methods: {METHOD: {status, nav_metrics: {navigation_error,
success, oracle_success, sdtw, ndtw, ...}}}}]``; a method that was not run has the status
``MISSING``, and what could not be computed stands there as ``Infinity``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.texts import as_flag, as_list, as_mapping, as_number, id_text, say_unlike
from navviz.metrics.score import Figures
from navviz.support.guarded import note_problem, read_json

_FIELDS = {
    "NE": "navigation_error",
    "SR": "success",
    "OSR": "oracle_success",
    "SDTW_groke": "sdtw",
    "nDTW_groke": "ndtw",
}

_KINDS = {"object": "entry", "id": "key", "values of object": "methods"}


def read_individual_results(path: Path) -> Mapping[str, Figures]:
    """Return the finite published figures by method, episode and metric (our names).

    Raises `InputError` when the file is no ``individual_results.json``.
    """
    try:
        # strict JSON knows no Infinity, and would refuse the whole file
        raw = read_json(path, lenient=True)
    except InputError as error:
        raise InputError(
            error.problem.what, "choose individual_results.json", file=path.name
        ) from error
    results: dict[str, dict[str, dict[str, float]]] = {}
    problems = Problems()
    for number, entry in enumerate(map(as_mapping, as_list(raw)), start=1):
        where = Problem("", "", f"{path.name}, entry {number}")
        say_unlike({"entry": as_list(raw)[number - 1], **entry}, _KINDS, where, problems)
        for method, result in as_mapping(entry.get("methods")).items():
            metrics = as_mapping(as_mapping(result).get("nav_metrics"))
            where = Problem("", "", path.name, str(entry.get("key")))
            say_unlike(as_mapping(result), {"object": "nav_metrics"}, where, problems)
            say_unlike(metrics, {"figure": ", ".join(_FIELDS.values())}, where, problems)
            missing = [field for field in _FIELDS.values() if metrics and field not in metrics]
            for field in missing:
                problems.add(
                    replace(where, what="is missing", do="get the file again", field=field)
                )
            figures = dict(_figures(metrics))
            # a method that is MISSING has no finite figure, and must not appear as one that was run
            if figures and "key" in entry:
                results.setdefault(method, {})[id_text(entry["key"])] = figures
    for problem in problems.kept:
        note_problem(path, f"{problem.episode} {problem.field}: {problem.what}", problem.do)
    if not results:
        raise InputError(
            "holds no figures by episode and method",
            "choose individual_results.json",
            file=path.name,
        )
    return results


def _figures(metrics: Mapping[str, Json]) -> Iterator[tuple[str, float]]:
    for name, field in _FIELDS.items():
        value = metrics.get(field)
        number = as_number(value)
        # SR and OSR are written as true and false
        flag = as_flag(value) if number is None else None
        if flag is not None:
            number = float(flag)
        if number is not None:
            yield name, number
