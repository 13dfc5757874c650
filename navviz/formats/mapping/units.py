"""What a log writes in other units than its mapping says, or in no number: read so, and said.

Two writers of one form differ: one gives success in percent, headings in degrees, or figures as
texts. Read as the other one's they would be wrong by a factor of 57 or 100, and nobody would see.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from navviz.errors import Problem, Problems
from navviz.formats.mapping import values
from navviz.formats.mapping.entries import MappedEntry
from navviz.formats.mapping.model import FigureField, Mapping, first_value, key_text, series
from navviz.formats.texts import as_mapping
from navviz.metrics.free_walks import FRACTIONS, RECORDED
from navviz.records import Trace
from navviz.records.trace import UNSAID_STOP
from navviz.support.guarded import Json

_LOOKED_AT = 5_000
"""Entries whose figures are looked at, which takes 10 ms."""
_WALKS = 100
"""Entries whose headings are looked at; a writer does not change the unit within a file."""
_TURN_RAD = 2 * math.pi + 1e-3
"""A full turn and a rounding error."""
_SPACE = 3
_APART_M = 1.0
"""Farther from its episode's start no walk begins: logs that leave out the first pose are a step
of 0.25 m off.
"""


def in_its_units(
    mapping: Mapping, entries: Sequence[MappedEntry], file: str, problems: Problems
) -> Mapping:
    """Return the mapping with the units that the entries are written in; changes are reported."""
    update: dict[str, object] = {}
    if _headings_in_degrees(mapping, entries, file, problems):
        update["walk"] = mapping.walk.model_copy(update={"heading_unit": "degrees"})
    figures = dict(mapping.figures)
    for name, given in mapping.figures.items():
        # a unit that somebody chose stands
        if name in RECORDED and not given.unit:
            figures[name] = _figure(name, given.path, entries, file, problems) or given
    if mapping.all_figures:
        # what is a number in one entry is a figure in all
        numeric = set()
        for entry in entries[:_LOOKED_AT]:
            fields = as_mapping(entry.value)
            numeric |= {key for key, value in fields.items() if isinstance(value, int | float)}
        names = (RECORDED | numeric).difference(mapping.figures, mapping.not_figures)
        for name in sorted(names):
            figure = _figure(name, key_text(name), entries, file, problems)
            if figure is not None:
                figures[name] = figure
    update["figures"] = figures
    return mapping.model_copy(update=update)


def _headings_in_degrees(
    mapping: Mapping, entries: Sequence[MappedEntry], file: str, problems: Problems
) -> bool:
    walk = mapping.walk
    if not walk.headings or walk.heading_unit != "radians":
        return False
    wild = 0
    for entry in entries[:_WALKS]:
        angles = map(values.number, series(entry.value, walk.headings[0]))
        wild += sum(angle is not None and abs(angle) > _TURN_RAD for angle in angles)
    if wild:
        what = f"{wild} headings exceed 2 pi: they are in degrees where radians are due"
        do = "all headings of this log are read as degrees"
        problems.add(Problem(what, do, file, field=walk.headings[0]))
    return wild > 0


def _figure(
    name: str, path: str, entries: Sequence[MappedEntry], file: str, problems: Problems
) -> FigureField | None:
    """Return how one figure is read where a plain number is not all that there is."""
    looked_at = entries[:_LOOKED_AT]
    read = [(entry, values.figure(each, ""), each) for entry, each in _given(path, looked_at)]
    given = [each for _, _, each in read]
    numbers = [number for _, number, _ in read if number is not None]
    lost = [entry.where for entry, number, _ in read if number is None]
    if lost:
        what = f"{len(lost)} of {len(given)} values are no finite numbers"
        do = "they are missing in the figures, and no part of a mean"
        problems.add(Problem(what, do, lost[0], field=path))
    # a rounding error above 1 is no percentage
    if name in FRACTIONS and max(numbers, default=0.0) > 1.001:
        what = f"values up to {max(numbers):g} where a fraction is due"
        do = "all of this figure are read as percent"
        problems.add(Problem(what, do, file, field=path))
        return FigureField(path=path, unit="percent")
    return FigureField(path=path) if any(isinstance(each, str) for each in given) else None


def _given(path: str, entries: Iterable[MappedEntry]) -> Iterator[tuple[MappedEntry, Json]]:
    for entry in entries:
        value = first_value(entry.value, path) if isinstance(entry.value, dict) else None
        if value is not None:
            yield entry, value


def say_doubts(mapping: Mapping, traces: Iterable[Trace], file: str, problems: Problems) -> None:
    """Report walks that begin elsewhere than their episodes, and those that never say who stopped.

    The former are of another frame, or of other episodes.
    """
    unsaid, apart = 0, list[tuple[float, str]]()
    for trace in traces:
        unsaid += trace.end is not None and trace.end.reason == UNSAID_STOP
        start = trace.episode.places.get(trace.episode.start)
        here = trace.steps[0].position if trace.steps else None
        # on a street map positions are degrees
        if start is not None and here is not None and len(start) == len(here) == _SPACE:
            apart.append((math.dist(start, here), trace.episode.id))
    far = [each for each in apart if each[0] > _APART_M]
    if far:
        most_m, name = max(far)
        what = f"{len(far)} of {len(apart)} walks start elsewhere than their episodes"
        do = f"check the frame and the episodes ({name} starts {most_m:.1f} m away)"
        problems.add(Problem(what, do, file, field="positions"))
    # people's own tracks have no such field, and nothing lacks there
    if unsaid and mapping.walk.stop:
        what = f"{unsaid} walks do not say whether the agent stopped"
        do = "no success is estimated for them"
        problems.add(Problem(what, do, file, field=mapping.walk.stop))
