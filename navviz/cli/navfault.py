"""``navviz navfault``: walks with one known fault, and how often an explainer finds it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.options import EpisodeFile, Format, Graphs, Run, Seed
from navviz.cli.output import Counting, Form, add_command, new_group, print_data, print_frame
from navviz.errors import SettingsError
from navviz.support.notes import tell

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

_Truth = Annotated[Path, typer.Option("--out", help="The truth.jsonl to write.")]


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
    add_command(
        navfault,
        "proof",
        _proof,
        "Write the steps that what-ifs prove decisive, as truth to score against.",
        "navviz navfault proof runs/mine --out truth.jsonl",
    )
    app.add_typer(navfault, name="navfault")


def _harbour() -> Path:
    """Return the bundled sample."""
    from navviz.support.installation.files import samples_dir

    return samples_dir() / "harbour"


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

    if (episodes is None) != (graphs is None):
        raise SettingsError("--episodes and --graphs go together; name both, or neither.")
    chosen = voices_in(voices or OWN)
    if only:
        unknown = sorted(set(only) - {voice.name for voice in chosen})
        if unknown:
            names = ", ".join(voice.name for voice in chosen)
            raise SettingsError(f"--voice {unknown[0]}: is none of {names}.")
        chosen = tuple(voice for voice in chosen if voice.name in only)
    source = open_episodes(episodes or _harbour() / "splits" / "sample.json")
    worlds = open_worlds(graphs or _harbour())
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
    from navviz.analysis.navfault.scoring import own_answer, read_answers, read_truth, score_rows
    from navviz.cli.options import open_named

    truth = read_truth(folder)
    if answers is not None:
        given = read_answers(answers, truth)
    else:
        place = run or str(folder / "logs")
        _, opened = open_named(place, graphs or (None if run else _harbour()), episode_file)
        given = {}
        with Counting("Explaining", len(truth)) as bar:
            for name in truth:
                given[name] = own_answer(opened.trace(name), opened.graph(name))
                bar.advance()
    rows = score_rows(truth, given)
    if form.is_data:
        print_data(form, tuple(rows[0]), rows)
    else:
        import pandas as pd

        from navviz.analysis.navfault.scoring import COLUMNS

        cells = []
        for row in rows:
            line: dict[str, str] = {"logs of": row["name"]}
            for column in COLUMNS:
                share, low, high = row[column], row[f"{column}_low"], row[f"{column}_high"]
                text = "–" if share is None else f"{100 * share:.0f} %"
                if low is not None:
                    text += f" [{100 * low:.0f}, {100 * high:.0f}] n {row[f'{column}_n']}"
                line[column.replace("_", " ")] = text
            cells.append(line)
        print_frame(pd.DataFrame(cells).set_index("logs of"), form, _NOTE)


def _proof(
    run: Run,
    out: _Truth,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
) -> None:
    from navviz.analysis.navfault.scoring import proven_truth
    from navviz.cli.options import open_named
    from navviz.support.guarded import writing

    _, opened = open_named(run, graphs, episode_file)
    truths = proven_truth(opened)
    with writing(out) as part:
        part.write_text("".join(f"{one.model_dump_json()}\n" for one in truths), encoding="utf-8")
    tell(f"{out}: {len(truths)} failures with a proven decisive step")


_NOTE = (
    "Shares with 95 % interval and n. act: its words are those that were not done. step ±0, ±1:"
    " the step that ruined the walk. named: the fault's kind, as likely or as a hint; other:"
    " another kind. faultless: any kind on a log without a fault. may lead: without contradict,"
    " which is a hint, past, which the act says, and service, which is an outcome."
)
