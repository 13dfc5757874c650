"""Logs in several files, one a rank or chunk; and the means that their evaluator wrote itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as Pairs
from functools import lru_cache
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.mapping.model import Mapping, MeansFields, first_value
from navviz.formats.texts import as_number
from navviz.records import Trace
from navviz.support.guarded import Json, is_regular, read_json

MOST_PARTS = 512


@lru_cache(maxsize=256)
def _pattern(name: str) -> re.Pattern[str]:
    pattern = re.escape(name)
    for field, form in (("stem", r".+"), ("part", r"\d{1,4}"), ("count", r"\d{1,4}")):
        pattern = pattern.replace(re.escape(f"{{{field}}}"), f"(?P<{field}>{form})")
    # a part may be packed; the others are then packed, too
    return re.compile(rf"{pattern}(?P<packed>\.gz)?", re.DOTALL | re.IGNORECASE)


def _match(path: Path, names: Iterable[str]) -> tuple[str, re.Match[str]] | None:
    for name in names:
        match = _pattern(name).fullmatch(path.name)
        if match is not None and 1 <= int(match["count"]) <= MOST_PARTS:
            return name, match
    return None


def run_name(path: Path, names: Iterable[str]) -> str:
    """Return the name of a run: of its file, without the number of the part."""
    matched = _match(path, names)
    return path.name.split(".")[0] if matched is None else matched[1]["stem"]


def parts_of(path: Path, names: Iterable[str]) -> tuple[list[Path], int]:
    """Return the files of all parts of an evaluation, and how many are missing."""
    matched = _match(path, names)
    if matched is None or int(matched[1]["count"]) == 1:
        return [path], 0
    name, match = matched
    # files copied from another system may end in .JSON, some of them or all
    by_name = {each.name.lower(): each for each in path.parent.iterdir()}
    there, count = list[Path](), int(match["count"])
    for part in range(count):
        other = name.replace("{part}", str(part)).replace("{count}", str(count))
        other = other.replace("{stem}", match["stem"])
        file = by_name.get((other + (match["packed"] or "")).lower())
        if file is not None and is_regular(file) and _is_beside(file, path):
            there.append(file)
    if path not in there:
        # counted from 1, or with leading zeros: what was opened is shown in any case
        there.append(path)
    return there, max(count - len(there), 0)


def _is_beside(file: Path, path: Path) -> bool:
    """Tell whether a file lies in the folder of another; a link may lead elsewhere."""
    return file.resolve().parent == path.resolve().parent


def check_means(
    mapping: Mapping,
    path: Path,
    lines: Iterable[Json],
    traces: Pairs[str, Trace],
    problems: Problems,
) -> None:
    """Report where the evaluator's own means differ from those of the episodes."""
    for line in lines:
        _compare(mapping.means, line, "line", path.name, traces, problems)
    means_file = _file_of_means(mapping, path)
    if means_file is None:
        return
    try:
        written = read_json(means_file, lenient=True)
    except InputError:
        return  # a file of this name that holds something else
    _compare(mapping.means, written, "file", means_file.name, traces, problems)


def _file_of_means(mapping: Mapping, path: Path) -> Path | None:
    means = mapping.means
    stem = run_name(path, mapping.parts)
    if not means.file:
        return None
    if means.replace is not None:
        old, new = means.replace
        if old not in stem:
            return None
        stem = stem.replace(old, new)
    name = means.file.replace("{stem}", stem)
    # a replacement may leave nothing of the name, or the name of a folder
    if name in {"", ".", ".."}:
        return None
    means_file = path.with_name(name)
    there = means_file != path and is_regular(means_file) and _is_beside(means_file, path)
    return means_file if there else None


def _compare(
    fields: MeansFields,
    written: Json,
    kind: str,
    where: str,
    traces: Pairs[str, Trace],
    problems: Problems,
) -> None:
    if not isinstance(written, dict):
        return
    by_figure = fields.figures or {name: (name,) for name in written}
    for name, paths in by_figure.items():
        stated = next((first_value(written, path) for path in paths if path in written), None)
        number, mean = as_number(stated), _mean(traces, name)
        if number is None or mean is None:
            continue
        if abs(mean - number) <= fields.tolerance * max(1.0, abs(number)):
            continue
        what = f"the mean of {name} is {mean:.6g}, the {kind} of means says {number:.6g}"
        problems.add(Problem(what, "check that both are of one evaluation", where))


def _mean(traces: Pairs[str, Trace], name: str) -> float | None:
    numbers = []
    for trace in traces.values():
        figure = None if trace.end is None else trace.end.figures.get(name)
        if figure is not None:
            numbers.append(figure)
    return sum(numbers) / len(numbers) if numbers else None
