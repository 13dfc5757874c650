"""What notebooks and scripts call beside ``navviz.open_run``: replay, score, why, to_folium ..."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

from navviz.errors import InputError
from navviz.notebook.shown import Replay
from navviz.records import Explanation, Trace
from navviz.runs.sources import check_run, named_runs
from navviz.world.graph import Graph

if TYPE_CHECKING:
    import folium  # noqa: TID251 - the type of what `to_folium` returns
    import networkx as nx
    import pandas as pd

    from navviz.analysis.compare import Comparison
    from navviz.analysis.counterfactuals.report import RepairReport
    from navviz.analysis.what_if.kept import EpisodeWhatIf
    from navviz.llm.base import LanguageModel
    from navviz.metrics.score import RunScore
    from navviz.notebook.walking import Walking
    from navviz.records import Episode
    from navviz.records.breakpoint import Breakpoint
    from navviz.records.finding import RepairKind
    from navviz.runs.opened import OpenRun
    from navviz.systems.base import Navigator


def open_run(
    results: str | Path,
    *,
    graphs: str | Path | Graph | nx.Graph | None = None,
    episodes: str | Path | None = None,
    method: str | None = None,
    pictures: str | Path | None = None,
) -> OpenRun:
    """Open a run: what any reader of NavViz reads, whoever made it.

    Parameters
    ----------
    results
        A result file, a folder of traces, or a folder that holds graph, episodes and results
        together, or an address of one (``s3://``, ``hf://``; extra ``remote``); of several result
        files in such a folder the first one that has `method`.
    graphs
        Where the graph lies, if not beside the results; or the graph itself, from
        ``navviz.open_graph``, networkx or osmnx.
    episodes
        The episode file, if not beside the results.
    method
        One of several methods in the results.
    pictures
        Folder of what the agent saw, if not beside the results.

    Returns
    -------
    OpenRun
        With ``.traces``, ``.episodes``, ``.scores``, ``.divergences`` and ``.table()``, a
        DataFrame.

    Raises
    ------
    InputError
        Where nothing of it can be read; what could not be read of the rest stands in ``.problems``.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> run
    OpenRun('rules', navigator='rules', 14 episodes)
    >>> f"{run.scores.means['SR']:.3f}"
    '0.714'
    >>> len(run.table())
    14
    """
    if not isinstance(results, str | PathLike):
        what = f"must be a path, not {type(results).__name__}"
        raise InputError(what, "name a file or folder of results", field="results")
    # runs and views take 2 s to import; a script waits only for what it calls
    from navviz.runs.folder_states import state_of
    from navviz.runs.opened import open_run as opened
    from navviz.runs.remote import keep_up, local_path

    path = local_path(results)
    before = state_of(path).digest

    def again() -> OpenRun | None:
        keep_up(path)
        if state_of(path).digest == before:
            return None
        return open_run(path, graphs=graphs, episodes=episodes, method=method, pictures=pictures)

    run = opened(path, graphs=graphs, episodes=episodes, method=method, pictures=pictures)
    run.reasons, run.cells_of, run.again = _reasons, _cells_of, again
    return run


def _cells_of(run: OpenRun, episode: str) -> pd.DataFrame:
    from navviz.analysis.what_if.kept import what_if_of
    from navviz.analysis.what_if.tables import cells_table

    return cells_table(episode, what_if_of(run, episode))


def _reasons(run: OpenRun) -> Mapping[str, tuple[str | None, str | None]]:
    from navviz.analysis.questions import reasons_of

    return reasons_of(run)


def replay(
    what: Trace | OpenRun,
    episode: str | int | None = None,
    graph: Graph | None = None,
    *,
    step: int | None = None,
    memory: bool = False,
    alone: bool = False,
) -> Replay:
    """Show a trace in a notebook.

    Parameters
    ----------
    what
        A run (then `episode` says which of its traces) or a trace.
    episode
        Episode id; without one, the run's first.
    graph
        The graph that the trace was walked on; known for a trace that ``navviz.open_run`` read.
    step
        Where the replay starts, counted from 1; 0 is before the first step.
    memory
        Whether an indoor walk is shown with MSNav's map and pruning beside it, as MSNav would keep
        them.
    alone
        Of a house: whether the output holds plotly's script for the 3-D scene itself (2 MB).
        Without it the first output of a house holds it for the whole notebook; one that shows each
        output as a page of its own (Colab) has the floor plan alone.

    Returns
    -------
    Replay
        It shows itself; ``.save(PATH)`` writes one file, and ``.widget`` has the traitlets
        ``step``, ``episode``, ``selection`` and ``playing`` (extra ``notebook``).

    Raises
    ------
    InputError
        For an episode that the run does not have, a step that the walk does not have, and for a
        trace of elsewhere without its graph.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> navviz.replay(run, "1").save("replay.html").name
    'replay.html'
    """
    if not isinstance(what, Trace) and episode is None:
        check_run(what)
        episode = next(iter(what.traces), None)
    trace, walked_on = _walk(what, episode, graph)
    # runs and views take 2 s to import; a script waits only for what it calls
    from navviz.support.systems import offered
    from navviz.systems.registry import with_panels

    trace = with_panels(trace, walked_on)
    if memory:
        part = offered("choices")["memory"]
        trace = part.load()(trace, walked_on, next(iter(part.entry.options)))
    if isinstance(what, Trace) or episode is None:
        return Replay(trace, walked_on, alone=alone, step=step)
    return Replay(
        trace,
        walked_on,
        alone=alone,
        pictures=what.pictures(episode),
        step=step,
        episodes=tuple(what.traces),
        open_episode=partial(_other_episode, what, memory=memory, alone=alone),
        newer=partial(_newer, what, str(episode), memory=memory, alone=alone),
        find_what_if=partial(_quick_what_if, what, str(episode)),
    )


def _newer(run: OpenRun, episode: str, *, memory: bool, alone: bool) -> Replay | None:
    return replay(run, episode, memory=memory, alone=alone) if run.refresh() else None


def walk(
    episode: Episode | Trace,
    graph: Graph,
    navigator: str | Navigator,
    *,
    llm: LanguageModel | str | None = None,
    settings: Mapping[str, Any] | None = None,
    breakpoints: Iterable[Breakpoint] = (),
    step: int | None = None,
    out: str | Path | None = None,
    run: str = "notebook",
) -> Walking:
    """Walk an episode event by event, and pause where a breakpoint says.

    Parameters
    ----------
    episode
        The episode; or a trace, from whose `step` a fork goes on while the trace stays as it is.
    graph, navigator
        Where, and who: a name as on the command line, or a navigator of your own.
    llm, settings
        A model or its name (``openai:MODEL@URL``), and settings other than the defaults.
    breakpoints
        ``navviz.Breakpoint(at="call")``, ``Breakpoint(node="b")``, ``Breakpoint(reply="left")`` ...
    out, run
        Folder of runs, and name of the run, that the trace is written to; without a folder it stays
        in memory.

    Returns
    -------
    Walking
        Iterate over it; ``.trace`` is the walk so far. An event of the type ``pause`` takes edits
        (`navviz.runner.debugging.Pause`): ``edit``, ``hide``, ``show``, ``one_step``.

    Raises
    ------
    InputError
        For a trace without that step.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> stops = [navviz.Breakpoint(at="decision", step=1)]
    >>> walking = navviz.walk(run.episodes["1"], run.graph("1"), "rules", breakpoints=stops)
    >>> for event in walking:
    ...     if event.type == "pause":
    ...         event.edit("decision", "stop")
    >>> len(walking.trace.steps), len(walking.trace.edits)
    (1, 1)
    """
    # the runner brings every way to ask a model: 0.3 s, which other names need not wait for
    from navviz.notebook.walking import walk as begin

    return begin(
        episode,
        graph,
        navigator,
        llm=llm,
        settings=settings,
        breakpoints=breakpoints,
        step=step,
        out=out,
        run=run,
    )


def _quick_what_if(run: OpenRun, episode: str) -> EpisodeWhatIf | None:
    from navviz.analysis.what_if.kept import quick_what_if

    return quick_what_if(run, episode)


def _other_episode(run: OpenRun, episode: str, *, memory: bool, alone: bool) -> Replay:
    return replay(run, episode, memory=memory, alone=alone)


def _walk(
    what: Trace | OpenRun, episode: str | int | None, graph: Graph | None
) -> tuple[Trace, Graph]:
    """Return the trace that is meant, and its graph."""
    if isinstance(what, Trace):
        # runs and views take 2 s to import; a script waits only for what it calls
        from navviz.metrics.walked import walked_graph
        from navviz.runs.opened import graph_walked_on

        walked_on = graph if graph is not None else graph_walked_on(what)
        if walked_on is None:
            raise InputError(
                "navviz.open_run did not read this trace, so that its graph is missing",
                "give graph=..., the graph that it was walked on",
                field="graph",
            )
        # poses of a free walk are in no map, and without one they are all there is to draw
        return what, walked_graph(what, walked_on)
    check_run(what)
    key = episode if episode is not None else next(iter(what.traces), None)
    if key is None:
        raise InputError("holds no episode", "open results, not episodes alone", field="run")
    return what.trace(key), what.graph(key)


def to_folium(
    what: Trace | OpenRun,
    episode: str | int | None = None,
    graph: Graph | None = None,
    *,
    online: bool = False,
) -> folium.Map:
    """Draw one episode on a plain `folium.Map`, to add layers of your own to.

    Parameters
    ----------
    what, episode, graph
        As in `replay`.
    online
        Load Leaflet and what else folium knows from its CDN; without it the map needs no network,
        but `folium.Icon` and some plug-ins of folium do not work.

    Examples
    --------
    >>> import folium, navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> chart = navviz.to_folium(run, "1")
    >>> _ = folium.Circle(run.graph("1").position(run.trace("1").path[-1]), radius=25).add_to(chart)
    >>> chart.save("map.html")
    """
    # runs and views take 2 s to import; a script waits only for what it calls
    from navviz.views.episode_map import episode_map

    trace, walked_on = _walk(what, episode, graph)
    return episode_map(trace, walked_on, online=online)


def score(
    results: str | Path,
    graphs: str | Path | Graph | nx.Graph | None = None,
    *,
    episodes: str | Path | None = None,
    method: str | None = None,
    as_walked: bool = False,
) -> RunScore:
    """Score a run: the same as ``navviz.open_run(...).score()``, and as the command ``navviz
    score`` says.

    Parameters
    ----------
    results, graphs, episodes, method
        As in `navviz.open_run`.
    as_walked
        Score every node walked; without it, published logs are scored as their own scripts do.

    Returns
    -------
    RunScore
        ``.means`` by metric (rates as fractions, lengths in metres), ``.rows`` by episode.

    Examples
    --------
    >>> import navviz
    >>> harbour = navviz.samples_dir() / "harbour"
    >>> scores = navviz.score(harbour / "runs" / "rules", harbour)
    >>> f"{scores.means['SR']:.3f}", f"{scores.rows['1']['NE']:.1f} m"
    ('0.714', '0.0 m')
    """
    # runs and views take 2 s to import; a script waits only for what it calls
    from navviz.runs.opened import open_run

    return open_run(results, graphs=graphs, episodes=episodes, method=method).score(
        as_walked=as_walked
    )


@overload
def why(run: OpenRun) -> pd.DataFrame: ...


@overload
def why(run: OpenRun, episode: str | int) -> tuple[Explanation, ...]: ...


def why(run: OpenRun, episode: str | int | None = None) -> pd.DataFrame | tuple[Explanation, ...]:
    """Find the act that each failure of a run did not do, and what explains it, with proof.

    Parameters
    ----------
    run
        From ``navviz.open_run``.
    episode
        An episode's id, for its causes alone.

    Returns
    -------
    DataFrame or tuple of Explanation
        One row a cause, the likely one of each episode marked; for one episode its causes by time.

    Raises
    ------
    InputError
        For an episode that the run does not have.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
    >>> table = navviz.why(run)
    >>> list(table.columns[:4])
    ['episode', 'success', 'act', 'act_sentence']
    """
    # causes bring all detectors; a script waits only for what it calls
    from navviz.analysis.causes.counting import causes_table, explained_run
    from navviz.analysis.causes.engine import explain_episode

    check_run(run)
    if episode is None:
        return causes_table(explained_run(run))
    return explain_episode(run.trace(episode), run.graph(episode)).causes


def what_if(run: OpenRun, *, every: bool = False) -> pd.DataFrame:
    """Find at which steps of a run's failures another link mends the walk.

    Parameters
    ----------
    run
        From ``navviz.open_run``. Of a navigator without a model, it walks on itself; of others
        ``rules`` reads on from each step.
    every
        The successes, too: how many other links ruin each.

    Returns
    -------
    DataFrame
        One row an episode; columns and types are `navviz.analysis.what_if.tables.EPISODE_SCHEMA`.
        ``run.what_if(ID)`` has one row a link.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules-local")
    >>> table = navviz.what_if(run)
    >>> bool(table["decisive"].notna().any())
    True
    """
    # the runner brings every way to ask a model: 0.3 s, which other names need not wait for
    from navviz.analysis.what_if.kept import what_ifs
    from navviz.analysis.what_if.tables import episodes_table

    check_run(run)
    return episodes_table(what_ifs(run, every=every).episodes)


def information(run: OpenRun) -> pd.DataFrame:
    """Say for each step of a run whether its prompt holds what tells the right way.

    Parameters
    ----------
    run
        From ``navviz.open_run``, on streets, with logged prompts.

    Returns
    -------
    DataFrame
        One row a step before a junction, by `navviz.analysis.informed.STEP_COLUMNS`.

    Examples
    --------
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "groke-by-hand")
    >>> bool((navviz.information(run)["verdict"] == "enough").any())
    True
    """
    from navviz.analysis.informed import STEP_COLUMNS, run_information, step_row
    from navviz.runs.schema import frame_of_rows

    check_run(run)
    return frame_of_rows(STEP_COLUMNS, map(step_row, run_information(run)))


def repair(
    run: OpenRun,
    *,
    cause: str | None = None,
    kind: RepairKind | None = None,
    limit: int | None = None,
    seed: int = 0,
    llm: LanguageModel | None = None,
    out: Path | str | None = None,
    workers: int = 1,
    budget_usd: float | None = None,
    blind: bool = False,
) -> RepairReport:
    """Repair the cause of each failure and walk again, beside chance and a placebo.

    Parameters
    ----------
    run
        From ``navviz.open_run``.
    cause
        Only failures with this likely cause.
    kind
        Only this kind of repair; ``take_link`` gives every failure the right link once.
    limit, seed
        A seeded sample of so many failures.
    llm
        The model that walked, where the navigator asks one.
    out
        Folder of runs for the walks, which a second call goes on with; the workspace's if not
        given.
    workers, budget_usd
        Episodes at the same time, and the limit of new calls in US dollars.
    blind
        Walk too where nothing describes the views; such walks are marked.

    Returns
    -------
    RepairReport
        ``rows`` with counts and intervals, ``table()`` as a DataFrame, ``note``.

    Examples
    --------
    >>> import tempfile
    >>> import navviz
    >>> run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules-local")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = navviz.repair(run, kind="take_link", limit=1, out=folder)
    >>> report.deterministic
    True
    """
    # the runner brings every way to ask a model: 0.3 s, which other names need not wait for
    from navviz.analysis.causes.counting import explained_run
    from navviz.analysis.counterfactuals.report import walk_repairs
    from navviz.analysis.counterfactuals.trials import plan_repairs
    from navviz.analysis.counterfactuals.walking import run_walker
    from navviz.runner.budget import Budget

    check_run(run)
    budget = None if budget_usd is None else Budget(budget_usd)
    folder = None if out is None else Path(out)
    walker = run_walker(run, llm=llm, out=folder, workers=workers, budget=budget, blind=blind)
    plans = plan_repairs(
        run,
        walker.navigator,
        explained_run(run),
        cause=cause,
        kind=kind,
        limit=limit,
        seed=seed,
    )
    return walk_repairs(run, plans, walker)


@overload
def compare(runs: Iterable[OpenRun] | Mapping[str, OpenRun]) -> Comparison: ...


@overload
def compare(runs: OpenRun, other: OpenRun, /, *more: OpenRun) -> Comparison: ...


def compare(
    runs: OpenRun | Iterable[OpenRun] | Mapping[str, OpenRun], *others: OpenRun
) -> Comparison:
    """Compare runs on the episodes that all of them walked: means by metric, and paired
    differences.

    Parameters
    ----------
    runs, others
        Two or more, from ``navviz.open_run``: one by one, in a list, or by the names that they
        shall have. Runs of R2R and of VLN-CE are paired by path and instruction, see
        ``Comparison.notes``.

    Raises
    ------
    InputError
        For fewer than two runs, or runs without a common episode.

    Examples
    --------
    >>> import navviz
    >>> folder = navviz.samples_dir() / "harbour" / "runs"
    >>> runs = [navviz.open_run(folder / name) for name in ("random-walker", "rules")]
    >>> compared = navviz.compare(*runs)
    >>> compared
    Comparison(random-walker, rules; 14 shared episodes)
    >>> rates = compared.table().loc["SR"]
    >>> rates["mean"].round(3).to_dict()
    {'random-walker': 0.143, 'rules': 0.714}
    """
    # paired runs bring the runner's readers; a script waits only for what it calls
    from navviz.analysis.paired_runs import compare_runs

    named: Mapping[str, OpenRun]
    if isinstance(runs, Mapping) and not others:
        named = runs
    else:
        # a list with runs behind it, or a path, is refused by `named_runs`, which looks at each
        several = [runs, *others] if others else runs
        named = named_runs(cast("Iterable[OpenRun]", several))
    for run in named.values():
        check_run(run)
    return compare_runs(named)
