"""Hold the figures of a paper against those of its published runs, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from navviz.analysis.measures import Treatment, cell_of, figures_of, measure
from navviz.analysis.published import PAPERS, PublishedRow, PublishedTable
from navviz.analysis.walks import Difficulties, ScoredWalk, difficulties_beside, walks_of
from navviz.errors import InputError, SettingsError
from navviz.formats.texts import as_mapping, as_number
from navviz.metrics.correlation import correlate
from navviz.runs.opened import OpenRun, open_run
from navviz.support.guarded import is_regular, read_json

CellState = Literal["equal", "differs", "no data"]
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
    """Why it differs, or has no data."""

    @property
    def sentence(self) -> str:
        """The cell in words."""
        where = ", ".join(part for part in (self.table, self.row, self.column) if part)
        if self.state == "equal":
            return f"{where}: equal ({self.printed})"
        if self.state == "no data":
            return f"{where}: no data ({self.why})"
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
    """Return a line a table: how many of its cells are equal, differ and have no data."""
    lines = []
    for table in dict.fromkeys(cell.table for cell in cells):
        own = [cell.state for cell in cells if cell.table == table]
        counts = (
            f"{own.count('equal')} equal",
            f"{own.count('differs')} differ",
            f"{own.count('no data')} no data",
        )
        lines.append(f"{table}: {', '.join(counts)}")
    return lines


def check_paper(paper: str, folder: Path, graphs: Path | None = None) -> Iterator[CellCheck]:
    """Compare each cell of a paper's tables with the runs in a folder.

    Parameters
    ----------
    paper
        A name of `navviz.analysis.published.PAPERS`.
    folder
        Holds the published state files, at any depth, and
        ``annotations/correctness_hardness.json``.
    graphs
        The street graph; else the one of Map2Seq in a folder beside.

    Raises
    ------
    SettingsError
        For another paper.
    InputError
        Where the folder or the graph is missing.
    """
    if paper not in PAPERS:
        raise SettingsError(f"There is no paper {paper!r}: choose one of {', '.join(PAPERS)}.")
    if not folder.is_dir():
        raise InputError("is no folder", "name the folder of the published runs", file=str(folder))
    # in reverse, so that of several files of one name the first by its path stays
    files = {path.name: path for path in sorted(folder.rglob("*.json"), reverse=True)}
    runs = _Runs(files, graphs if graphs is not None else street_graph(folder))
    for table in PAPERS[paper]:
        yield from _checked(table, runs)


def street_graph(folder: Path) -> Path:
    """Return the folder of Map2Seq's graph in a folder, beside it or beside one of the two above
    it.

    Raises
    ------
    InputError
        Where none is found.
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
        self._opened: dict[tuple[str, str], OpenRun] = {}
        self._walks: dict[tuple[str, str], list[ScoredWalk]] = {}

    def walks(self, row: PublishedRow) -> list[ScoredWalk] | None:
        """Return the walks of a row's run in its band; ``None`` where its file is not in the
        folder.
        """
        key = (row.file, row.method)
        if row.file not in self.files:
            return None
        # several rows and tables are of one run
        if key not in self._walks:
            run = open_run(self.files[row.file], graphs=self.graphs, method=row.method)
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


def _checked(table: PublishedTable, runs: _Runs) -> Iterator[CellCheck]:
    if not table.rows:
        yield CellCheck(
            table.name,
            "",
            "",
            "no data",
            why="NavViz knows neither its printed figures nor its runs",
        )
    for row in table.rows:
        walks = runs.walks(row)
        ours = None if walks is None else _computer(table, row, walks, runs)
        for column in table.columns:
            yield _cell(table, row, column, ours)


_Computer = Callable[[str, Treatment], str | None]
"""Computes a measure by its name, as it is printed; ``None`` where there is nothing to compute it
of.
"""


def _computer(
    table: PublishedTable, row: PublishedRow, walks: Sequence[ScoredWalk], runs: _Runs
) -> _Computer:
    if table.correlations:
        annotations = runs.annotations()
        method: Literal["pearson", "spearman"] = "pearson" if row.name == "Pearson" else "spearman"

        def correlated(name: str, _treatment: Treatment) -> str | None:
            values = {walk.key: as_number(walk.scores.get(name)) for walk in walks}
            value = correlate(annotations, values, metric=name, method=method).value
            return None if value is None else f"{value:.4f}"

        return correlated

    def averaged(name: str, treatment: Treatment) -> str | None:
        cell = cell_of(walks, measure(name), figures_of(walks, treatment))
        return None if cell.value is None else cell.text

    return averaged


def _cell(
    table: PublishedTable, row: PublishedRow, column: str, compute: _Computer | None
) -> CellCheck:
    printed, name = row.figures.get(column), table.columns[column]
    if compute is None:
        why = f"{row.file} is not in the folder"
        return CellCheck(table.name, row.name, column, "no data", printed, why=why)
    ours = compute(name, table.treatment)
    if printed is None or ours is None:
        why = (
            "NavViz does not know its printed figure"
            if printed is None
            else "its ratings are not in the folder"
        )
        note = why if ours is None else f"{why}; here {ours}"
        return CellCheck(table.name, row.name, column, "no data", printed, ours, note)
    # as texts: what the paper rounds away cannot differ
    if ours == printed:
        return CellCheck(table.name, row.name, column, "equal", printed, ours)
    return CellCheck(
        table.name, row.name, column, "differs", printed, ours, _why(table, name, printed, compute)
    )


def _why(table: PublishedTable, name: str, printed: str, compute: _Computer) -> str:
    """Return the other way to compute a figure that gives the print."""
    for words, other, treatment in _OTHERS:
        if compute(other or name, treatment or table.treatment) == printed:
            return words
    return "no other treatment gives the print: the runs are other ones"
