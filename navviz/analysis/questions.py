"""What a notebook or a script asks of a run: ``navviz.slices``, ``scan``, ``figure``, ``atlas`` ...

Each is the command of its name as a function; ``navviz.check`` looks at a folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from navviz.errors import InputError, SettingsError
from navviz.runs.sources import check_run, named_runs

if TYPE_CHECKING:
    import folium  # noqa: TID251 - the type of what `atlas` returns
    import pandas as pd
    from matplotlib.figure import Figure

    from navviz.analysis.slices import Slice
    from navviz.runs.account import FolderAccount
    from navviz.runs.run import OpenRun


def reasons_of(run: OpenRun) -> dict[str, tuple[str | None, str | None]]:
    """Return how each failure's act was missed, and the name of its likely cause, else of its first
    hint, by episode.

    ``None`` stands for what did not fail, and for a failure that nothing explains.
    """
    from navviz.analysis.act_counts import act_slugs
    from navviz.analysis.causes.counting import cause_name, explained_run

    explained = explained_run(run)
    slugs = act_slugs(explained)
    reasons: dict[str, tuple[str | None, str | None]] = {}
    for key, one in explained.items():
        leading = one.leading if one.success is False else None
        reasons[key] = (slugs[key], None if leading is None else cause_name(leading))
    return reasons


def slices(
    run: OpenRun,
    other: OpenRun | None = None,
    *,
    by: Literal["episode", "junction"] = "episode",
    causes: bool = False,
) -> pd.DataFrame:
    """Say on what a run fails more often than on the rest; as ``navviz diagnose slices``.

    Parameters
    ----------
    run
        From ``navviz.open_run``.
    other
        Another run: on what the first one is worse than it.
    by
        Count episodes that fail, or junctions where the agent leaves the route.
    causes
        Whether causes count among the features.

    Returns
    -------
    DataFrame
        One row a feature: ``feature``, counts with and without it, odds ratio with its 95 %
        interval (``low``, ``high``), p, p adjusted for all rows (Benjamini and Hochberg), and a
        ``sentence``; of two runs their names, too.

    Raises
    ------
    SettingsError
        For another `by`, and for causes or two runs by junction.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> navviz.slices(run).columns[0]
    'feature'
    """
    import pandas as pd

    from navviz.analysis.slices import Slice

    rows = []
    for row in _slices(run, other, by, causes=causes):
        rows.append(row.record() | {"sentence": row.sentence})
    names = [field.name for field in fields(Slice)]
    if other is None:
        names.remove("runs")
    return pd.DataFrame(rows, columns=[*names, "low", "high", "sentence"])


def _slices(run: OpenRun, other: OpenRun | None, by: str, *, causes: bool) -> list[Slice]:
    from navviz.analysis.kept.marks import marks_of
    from navviz.analysis.slices import failed_episodes, worse_slices

    for each in (run, other):
        if each is not None:
            check_run(each)
    if by not in {"episode", "junction"}:
        raise SettingsError(f"There is no by={by!r}; choose of: episode, junction.")
    if (other is not None or causes) and by == "junction":
        raise SettingsError("Two runs and causes are counted by episode; leave out by='junction'.")
    if other is not None and causes:
        raise SettingsError("Causes are those of one run's episodes; leave out the other run.")
    if causes:
        from navviz.analysis.causes.counting import explained_run, slices_with_causes

        return [*slices_with_causes(run, explained_run(run))]
    marks = marks_of(run)
    if other is None:
        return [*(marks.departures if by == "junction" else marks.slices)]
    failed, others = failed_episodes(run.scores), failed_episodes(other.scores)
    return [*worse_slices(marks.features, failed, others, (run.name, other.name))]


def _several(names: str | Iterable[str]) -> list[str]:
    """Return names as a list; one alone is no sequence of letters."""
    return [names] if isinstance(names, str) else list(names)


def scan(run: OpenRun, scanners: str | Iterable[str] = ()) -> pd.DataFrame:
    """Point at what is odd in a run's transcripts; as the command ``navviz diagnose scan``.

    Parameters
    ----------
    run
        From ``navviz.open_run``.
    scanners
        Name of a scanner, or several; all, where none is named.

    Returns
    -------
    DataFrame
        One row a hit: ``scanner``, ``episode`` (id), ``step`` (counted from 1), ``sentence``,
        ``code``.

    Raises
    ------
    SettingsError
        For a scanner that there is not; the sentence lists those that there are.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> list(navviz.scan(run).columns)
    ['scanner', 'episode', 'step', 'sentence', 'code']
    """
    import pandas as pd

    from navviz.analysis.scanners.registry import HIT_COLUMNS, get_scanners, hit_row, scan_run

    check_run(run)
    by_scanner = scan_run(run.traces, run.graph_of, get_scanners(_several(scanners)))
    rows = map(hit_row, chain.from_iterable(by_scanner.values()))
    return pd.DataFrame(list(rows), columns=list(HIT_COLUMNS))


def similar(run: OpenRun, text: str, *, of: str = "thoughts", count: int = 10) -> pd.DataFrame:
    """Find what is like some words, by meaning and without a model.

    Parameters
    ----------
    run
        From ``navviz.open_run``.
    text
        Words, or a whole thought.
    of
        ``thoughts``, ``replies`` (a row a step) or ``instructions`` (a row an episode).
    count
        Rows at most.

    Returns
    -------
    DataFrame
        ``episode``, ``step``, ``likeness`` (cosine) and ``text``, the nearest first.

    Raises
    ------
    InputError
        When no two texts of the run share a word.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> list(navviz.similar(run, "turn left at the church", of="instructions").columns)
    ['episode', 'step', 'likeness', 'text']
    """
    # scipy's solvers and pandas; a script waits only for what it calls
    import pandas as pd

    from navviz.analysis.meaning import Meaning, check_source, passages_of

    check_run(run)
    hits = Meaning(passages_of(run, check_source(of))).similar(text, count)
    rows = [(hit.passage.episode, hit.passage.step, hit.likeness, hit.passage.text) for hit in hits]
    frame = pd.DataFrame(rows, columns=["episode", "step", "likeness", "text"])
    # with a capital I: instructions have no step
    return frame.astype({"step": "Int64"})


def figure(
    run: OpenRun,
    *episodes: str | int,
    width: Literal["single", "double"] = "single",
    labels: bool | Iterable[str] = True,
    steps: Iterable[int] = (),
) -> Figure:
    """Draw episodes as a figure for a paper; as the command ``navviz figure``.

    Parameters
    ----------
    run
        From ``navviz.open_run``.
    episodes
        Ids; the run's first where none is given.
    width
        Of one column of a paper, or of two.
    labels
        Whether landmarks are named, or which.
    steps
        Steps to number on the agent's path.

    Returns
    -------
    matplotlib.figure.Figure
        As wide as printed: 3.5 or 7.16 inches. Save it with ``savefig``.

    Raises
    ------
    InputError
        For an episode that the run does not have, or a step that the walk does not have.
    MissingExtraError
        Without the extra ``figures`` (matplotlib).

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> navviz.figure(run, 1, width="double").savefig("figure.pdf")
    """
    from navviz.analysis.paper_figure import figure_of
    from navviz.views.figures.figure import WIDTHS_IN, episodes_figure

    check_run(run)
    if width not in WIDTHS_IN:
        raise SettingsError(f"There is no width={width!r}; choose of: {', '.join(WIDTHS_IN)}.")
    chosen = episodes or tuple(run.traces)[:1]
    names = None if isinstance(labels, bool) else list(labels)
    drawn = []
    # an id may come as a number and as text; each episode is drawn once
    for key in dict.fromkeys(map(str, chosen)):
        drawn.append(figure_of(run.trace(key), run.graph(key), steps=tuple(steps), names=names))
    shows_labels = labels if isinstance(labels, bool) else True
    return episodes_figure(drawn, width=width, labels=shows_labels)


def atlas(run: OpenRun, world: str | None = None, *, floor: int | None = None) -> folium.Map:
    """Draw all episodes of a run in one world on a map; as the command ``navviz atlas``.

    Parameters
    ----------
    run
        From ``navviz.open_run``.
    world
        One of ``run.worlds``; the one with the most episodes where not given.
    floor
        Of a house, counted from 1; all floors on one another where not given.

    Returns
    -------
    folium.Map
        Without tiles; it needs no network.

    Raises
    ------
    InputError
        For a world without an episode, or a floor that the house does not have.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> navviz.atlas(run).save("atlas.html")
    """
    from navviz.views.figures.atlas import atlas_map
    from navviz.world.floors import find_floors

    check_run(run)
    chosen = world if world is not None else next(iter(run.worlds), "")
    if chosen not in run.worlds:
        # a street map alone has no name
        names = ", ".join(repr(name) for name in list(run.worlds)[:12]) or "none"
        raise InputError(f"no episode lies in {chosen}", f"choose one of: {names}", field="world")
    graph, walks = run.map_walks(chosen)
    if floor is not None and graph.frame == "metric":
        floors = len(find_floors(graph))
        if not 1 <= floor <= floors:
            do = f"choose 1 to {floors}"
            raise InputError(f"{chosen} has no floor {floor}", do, field="floor")
    return atlas_map(graph, walks, floor=None if floor is None else floor - 1)


def check(folder: Path | str) -> FolderAccount:
    """Say what a folder holds, and what of it is read; as the command ``navviz data check``.

    Parameters
    ----------
    folder
        Any folder, with folders within it.

    Returns
    -------
    FolderAccount
        ``parts`` (what each reader takes), ``not_read`` (files that nothing takes) and ``lost``,
        the number of entries and files that are not shown.

    Raises
    ------
    InputError
        Where there is no such folder.

    Examples
    --------
    >>> import navviz
    >>> account = navviz.check(navviz.samples_dir() / "harbour")
    >>> account.lost
    0
    """
    from navviz.runs.account import check_folder

    return check_folder(Path(folder))


def publish(
    runs: OpenRun | Iterable[OpenRun] | Mapping[str, OpenRun],
    out: Path | str = "site",
    *,
    title: str = "",
    authors: str = "",
    url: str = "",
    licence: str = "",
    source: str = "",
    bibtex: str = "",
    without: str | Iterable[str] = (),
) -> Path:
    """Write runs as a static site that opens from a disk and from any static host.

    Parameters
    ----------
    runs
        One or several, from ``navviz.open_run``; or by the names that they shall have.
    out
        A folder that is not there, is empty, or holds an older site, which it replaces.
    title, authors, url, licence, source
        What the site says about itself; see the command ``navviz publish``.
    bibtex
        An entry to show instead of one about the site.
    without
        ``prompts``, ``thoughts`` or ``pictures``, which are left out.

    Returns
    -------
    Path
        Of the page to open.

    Raises
    ------
    SettingsError
        For a folder that holds something else, or an unknown name in `without`.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> navviz.publish(run, "site", title="Rules in the harbour").name
    'index.html'
    """
    from navviz.analysis.site.publish import SiteOptions, publish_runs
    from navviz.analysis.site.redaction import check_parts
    from navviz.runs.run import OpenRun

    options = SiteOptions(
        title=title,
        authors=authors,
        url=url,
        licence=licence,
        source=source,
        bibtex=bibtex,
        without=check_parts(_several(without)),
    )
    several = [runs] if isinstance(runs, OpenRun) else runs
    named = several if isinstance(several, Mapping) else named_runs(several)
    return publish_runs(named, Path(out), options).index
