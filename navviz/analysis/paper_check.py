"""Hold the figures of a paper against those of its published runs, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, Protocol, cast

from navviz.analysis.grouped import preset
from navviz.analysis.measures import USAGE, Treatment, cell_of, figures_of, measure
from navviz.analysis.walks import Difficulties, ScoredWalk, difficulties_beside, walks_of
from navviz.errors import InputError, SettingsError
from navviz.formats.texts import as_mapping, as_number
from navviz.metrics.agreement import Method, correlate
from navviz.runs.opened import open_run
from navviz.support.guarded import is_regular, read_json
from navviz.support.systems import PaperRow, PaperTable, offered, working

CellState = Literal["equal", "differs", "partial", "no data"]
_OTHERS: Final[tuple[tuple[str, str | None, Treatment | None], ...]] = (
    ("our own treatment of episodes that never moved gives the print", None, "own"),
    ("GROKE's treatment of episodes that never moved gives the print", None, "authors"),
    ("it is nDTW that gives the print", "nDTW_groke", None),
    ("it is SDTW that gives the print", "SDTW_groke", None),
    ("nDTW after Ilharco et al. gives the print", "nDTW", None),
    ("SDTW after Ilharco et al. gives the print", "SDTW", None),
)
"""Other ways to compute a figure, tried where the first one does not give the print: words,
measure, treatment.
"""
_LOGGED: Final = frozenset(each.name for each in USAGE)
"""Measures that only a log of calls has: the steps of a state file are its waypoints."""


@dataclass(frozen=True, slots=True)
class CellCheck:
    """One cell of a table."""

    table: str
    row: str
    column: str
    state: CellState
    printed: str | None = None
    ours: str | None = None
    why: str | None = None
    """Why it differs, is of a part of the episodes, or has no data."""
    n: int | None = None
    """How many episodes our figure is over."""

    @property
    def sentence(self) -> str:
        """The cell in words."""
        where = ", ".join(part for part in (self.table, self.row, self.column) if part)
        if self.state == "equal":
            return f"{where}: equal ({self.printed})"
        if self.state == "no data":
            return f"{where}: no data ({self.why}; printed {self.printed})"
        if self.state == "partial":
            return f"{where}: partial, printed {self.printed}, here {self.ours} ({self.why})"
        return (
            f"{where}: differs by {self._apart}: printed {self.printed}, here {self.ours}"
            f" ({self.why})"
        )

    @property
    def _apart(self) -> str:
        printed, ours = _number(self.printed), _number(self.ours)
        if printed is None or ours is None or self.printed is None:
            return "all of it"
        # no finer than the paper prints
        digits = len(self.printed.partition(".")[2])
        return f"{ours - printed:+.{digits}f}"


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text.replace(",", ""))
    except ValueError:
        return None


def summary_of(cells: Sequence[CellCheck]) -> list[str]:
    """Return a line a table: how many cells are equal, differ, are partial, or lack data."""
    lines = []
    for table in dict.fromkeys(cell.table for cell in cells):
        own = [cell.state for cell in cells if cell.table == table]
        counts = (
            f"{own.count('equal')} equal",
            f"{own.count('differs')} differ",
            f"{own.count('partial')} partial",
            f"{own.count('no data')} no data",
        )
        lines.append(f"{table}: {', '.join(counts)}")
    return lines


def papers() -> dict[str, tuple[PaperTable, ...]]:
    """Return the printed tables of each system that brings them, by the system's name."""
    tables: dict[str, tuple[PaperTable, ...]] = {}
    for part, printed in working(offered("paper_tables", tuple).values()):
        if all(isinstance(table, PaperTable) for table in printed):
            tables[part.name] = printed
        else:
            part.refused(f"names {part.target}, which is no tuple of PaperTable")
    return tables


def check_paper(paper: str, folder: Path, graphs: Path | None = None) -> Iterator[CellCheck]:
    """Compare each cell of a paper's tables with the runs in a folder.

    Raises `SettingsError` for another paper; `InputError` where the folder or the graph is missing.
    """
    tables = papers()
    if paper not in tables:
        raise SettingsError(f"There is no paper {paper!r}: choose one of {', '.join(tables)}.")
    if not folder.is_dir():
        raise InputError("is no folder", "name the folder of the published runs", file=str(folder))
    # in reverse, so that of several files of one name the first by its path stays
    files = {path.name: path for path in sorted(folder.rglob("*.json"), reverse=True)}
    logs = {path.parent.name: path.parent for path in sorted(folder.rglob("*.jsonl"), reverse=True)}
    runs = _Runs({**logs, **files}, graphs if graphs is not None else street_graph(folder))
    for table in tables[paper]:
        for row in table.rows:
            printed = table.printed(row)
            for column in printed:
                yield _cell(table, row, column, printed[column], runs)


def street_graph(folder: Path) -> Path:
    """Return the folder of Map2Seq's graph in a folder, beside it or beside one of the two above
    it.

    Raises `InputError` where none is found.
    """
    whole = folder.resolve()
    for base in (whole, *list(whole.parents)[:3]):
        for place in (base, *sorted(path for path in base.iterdir() if path.is_dir())):
            if is_regular(place / "osm" / "graph" / "nodes.txt"):
                return place
    raise InputError(
        "no graph of Map2Seq lies near it", "name its folder with --graphs", file=str(folder)
    )


class _Runs:
    """The published runs in a folder, each opened once."""

    def __init__(self, files: Mapping[str, Path], graphs: Path) -> None:
        self.files = files
        self.graphs = graphs
        self.difficulties: Difficulties | None = difficulties_beside(files.values())
        self._walks: dict[tuple[str, str], list[ScoredWalk]] = {}

    def walks(self, file: str, row: PaperRow) -> list[ScoredWalk]:
        """Return the walks of a run in the band of a row."""
        key = (file, row.method)
        # several rows and tables are of one run
        if key not in self._walks:
            run = open_run(self.files[file], graphs=self.graphs, method=row.method)
            self._walks[key] = walks_of({row.name: run}, self.difficulties)
        return [walk for walk in self._walks[key] if row.band in {"", walk.difficulty}]

    def annotations(self) -> dict[str, float]:
        """Return the human annotation of each episode; empty where it is not in the folder."""
        path = self.files.get("correctness_hardness.json")
        raw = read_json(path) if path is not None else {}
        items = as_mapping(raw).items()
        ratings = {
            key: item.get("human_annotation") for key, item in items if isinstance(item, dict)
        }
        numbers = {key: _number(str(value)) for key, value in ratings.items()}
        return {key: number for key, number in numbers.items() if number is not None}


class _Computer(Protocol):
    """Computes a measure by its name, as it is printed; ``None`` where nothing gives it."""

    def __call__(self, name: str, treatment: Treatment) -> str | None: ...


def _correlated(
    walks: Sequence[ScoredWalk],
    annotations: Mapping[str, float],
    metric: str,
    name: str,
    treatment: Treatment,
) -> str | None:
    del treatment
    method, _, p = name.partition("_")
    values = {walk.key: as_number(walk.scores.get(metric)) for walk in walks}
    correlation = correlate(annotations, values, metric=metric, method=cast("Method", method))
    value = correlation.p if p else correlation.value
    return None if value is None else f"{value:.4f}"


def _averaged(walks: Sequence[ScoredWalk], name: str, treatment: Treatment) -> str | None:
    cell = cell_of(walks, measure(name), figures_of(walks, treatment))
    return None if cell.value is None else cell.text


def _cell(table: PaperTable, row: PaperRow, column: str, printed: str, runs: _Runs) -> CellCheck:
    name = table.columns[column]
    no_data = partial(CellCheck, table.name, row.name, column, "no data", printed)
    file = row.logs if name in _LOGGED else row.run
    if not file:
        return no_data(why=f"no published file is known for the run of {row.name}")
    if file not in runs.files:
        what = f"the step logs of {file} are" if name in _LOGGED else f"{file} is"
        return no_data(why=f"{what} not in the folder")
    walks = runs.walks(file, row)
    compute: _Computer = partial(_averaged, walks)
    if row.correlated:
        compute = partial(_correlated, walks, runs.annotations(), row.correlated)
    treatment = preset(table.preset).treatment if table.preset else "authors"
    ours = compute(name, treatment)
    if ours is None:
        return no_data(why="its ratings are not in the folder", n=len(walks))
    check = partial(CellCheck, table.name, row.name, column, printed=printed, ours=ours)
    if len(walks) < row.episodes:
        why = f"{file} holds {len(walks)} of the {row.episodes} episodes"
        return check(state="partial", why=why, n=len(walks))
    # as texts: what the paper rounds away cannot differ
    if ours == printed:
        return check(state="equal", n=len(walks))
    return check(state="differs", why=_why(compute, name, treatment, printed), n=len(walks))


def _why(compute: _Computer, name: str, treatment: Treatment, printed: str) -> str:
    """Return the other way to compute a figure that gives the print."""
    for words, other, treated in _OTHERS:
        if compute(other or name, treated or treatment) == printed:
            return words
    return "no other treatment gives the print: the runs are other ones"
