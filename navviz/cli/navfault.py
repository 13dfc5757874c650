"""``navviz navfault``: walks with one known fault, and how often an explainer finds it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.options import EpisodeFile, Format, Graphs, Seed
from navviz.cli.output import Counting, Form, add_command, new_group, print_data, print_frame
from navviz.errors import SettingsError
from navviz.support.notes import tell

if TYPE_CHECKING:
    import pandas as pd

    from navviz.analysis.navfault.scoring import Answer, Truth

_Out = Annotated[Path, typer.Argument(metavar="FOLDER", help="New folder for logs and truth.")]
_Set = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="Folder of logs and truth, or a truth.jsonl.")
]
_Run = Annotated[
    str | None,
    typer.Argument(metavar="RUN", help="The run that a truth.jsonl of its own is about."),
]
_Logs = Annotated[int, typer.Option("--logs", min=1, help="Logs with a fault.")]
_Voices = Annotated[
    Path | None, typer.Option("--voices", help="Folder of voices (*.toml); ours if not given.")
]
_Only = Annotated[
    list[str] | None, typer.Option("--voice", help="Only this voice; may be given several times.")
]
_Answers = Annotated[
    Path | None,
    typer.Option(
        "--answers",
        help="JSON lines of an explainer: episode, step, kind; NavViz's own if not given.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    navfault = new_group("Make walks with one known fault, and score who explains them.")
    add_command(
        navfault,
        "make",
        _make,
        "Write walks with one known fault, and the same logs without it.",
        "navviz navfault make faults --logs 24",
        "navviz navfault make navfault-500 --episodes test_seen.json --graphs map2seq",
    )
    add_command(
        navfault,
        "score",
        _score,
        "Say how often an explainer names act, step and kind of the fault.",
        "navviz navfault score navfault-500 --graphs map2seq",
        "navviz navfault score navfault-500 --answers mine.jsonl --format json",
    )
    app.add_typer(navfault, name="navfault")


def _make(
    folder: _Out,
    episodes: EpisodeFile = None,
    graphs: Graphs = None,
    logs: _Logs = 500,
    voices: _Voices = None,
    only: _Only = None,
    seed: Seed = 0,
) -> None:
    from navviz.analysis.navfault.making import make_logs, write_logs
    from navviz.analysis.navfault.voices import OWN, voices_in
    from navviz.formats import open_episodes, open_worlds
    from navviz.support.installation.files import samples_dir

    if (episodes is None) != (graphs is None):
        raise SettingsError("--episodes and --graphs go together; name both, or neither.")
    chosen = voices_in(voices or OWN)
    if only:
        unknown = sorted(set(only) - {voice.name for voice in chosen})
        if unknown:
            names = ", ".join(voice.name for voice in chosen)
            raise SettingsError(f"--voice {unknown[0]}: is none of {names}.")
        chosen = tuple(voice for voice in chosen if voice.name in only)
    harbour = samples_dir() / "harbour"
    source = open_episodes(episodes or harbour / "splits" / "sample.json")
    worlds = open_worlds(graphs or harbour)
    with Counting("Proving faults", logs) as bar:
        made = make_logs(
            source.episodes.values(),
            worlds,
            chosen,
            logs,
            seed=seed,
            on_made=lambda _: bar.advance(),
        )
    digest = write_logs(made, folder, seed=seed)
    faults = sum(log.fault is not None for log in made)
    tell(f"{folder}: {faults} logs with a fault, {len(made) - faults} without; sha256 {digest}")
    if faults < logs:
        tell(f"The episodes have room for {faults} of {logs} logs; take more episodes or voices.")


def _score(
    folder: _Set,
    run: _Run = None,
    answers: _Answers = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    form: Format = Form.TABLE,
) -> None:
    from navviz.analysis.navfault.scoring import judge, read_answers, read_truth, score_rows

    truth = read_truth(folder)
    given = (
        _own(folder, run, truth, graphs, episode_file)
        if answers is None
        else read_answers(answers, truth)
    )
    rows = score_rows(judge(truth, given))
    if form.is_data:
        print_data(form, tuple(rows[0]), rows)
        return
    print_frame(_frame(rows), form, _NOTE)


def _own(
    folder: Path,
    run: str | None,
    truth: dict[str, Truth],
    graphs: Path | None,
    episode_file: Path | None,
) -> dict[str, Answer]:
    """Ask NavViz's own explainer about each log of the set."""
    from navviz.analysis.navfault.scoring import own_answer
    from navviz.cli.options import open_named
    from navviz.support.installation.files import samples_dir

    _, opened = open_named(
        run or str(folder / "logs"), graphs or samples_dir() / "harbour", episode_file
    )
    found = {}
    with Counting("Explaining", len(truth)) as bar:
        for name in truth:
            trace = opened.trace(name)
            found[name] = own_answer(trace, opened.graph(name))
            bar.advance()
    return found


_NOTE = (
    "Shares with 95 % interval and n. act: its words are those that were not done. step ±0, ±1:"
    " the step that ruined the walk. named: the fault's kind, as likely or as a hint; other:"
    " another kind. faultless: any kind on a log without a fault. may lead: without contradict,"
    " which is a hint, and service, which is an outcome."
)


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    from navviz.analysis.navfault.scoring import COLUMNS

    cells = []
    for row in rows:
        line: dict[str, str] = {"logs of": row["name"]}
        for column, _, _ in COLUMNS:
            share, low, high = (row[column + end] for end in ("", "_low", "_high"))
            text = "–" if share is None else f"{100 * share:.0f} %"
            if low is not None:
                text += f" [{100 * low:.0f}, {100 * high:.0f}] n {row[column + '_n']}"
            line[column.replace("_", " ")] = text
        cells.append(line)
    return pd.DataFrame(cells).set_index("logs of")
