"""Give a live run a name, so that it is found among the runs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from navviz.errors import SettingsError
from navviz.records.trace_files import read_trace, write_trace
from navviz.records.view import views_folder
from navviz.runner.config import RunConfig, parted_settings, read_config, write_config
from navviz.runner.episode import trace_path
from navviz.runs.owners import Ownership, claim
from navviz.support.guarded import is_folder, writing_folder

_NAME = re.compile(r"[\w .+-]{1,80}")


def is_run_name(name: str) -> bool:
    """Whether a run may be called so: it is a folder's name on every system, and no way out of
    one.
    """
    return _NAME.fullmatch(name) is not None and not name.startswith(".")


def keep_run(trace_file: Path, out: Path, name: str, ownership: Ownership | None = None) -> Path:
    """Copy a live run's trace into the run `name`, which may hold other episodes made the same way.

    Parameters
    ----------
    trace_file
        The live run's trace, with its ``run.json`` beside it.
    out
        Folder of runs.
    name
        Letters, digits, blanks and ``. + - _``.
    ownership
        Whose the run is to be; ``None`` for the operator's.

    Returns
    -------
    Where the trace is now.

    Raises
    ------
    SettingsError
        When the name cannot be one, or that run was made otherwise or has the episode already.
    ConflictError
        When there is a run of that name, and it is another's.
    """
    name = name.strip()
    if not is_run_name(name):
        raise SettingsError(
            "A run's name has up to 80 letters, digits, blanks and . + - _; choose another one."
        )
    # before anything of that run is read: another's must not even tell which episodes it holds
    claim(out / name, ownership)
    trace = read_trace(trace_file)
    target = trace_path(out, name, trace.episode.id)
    if target.exists():
        raise SettingsError(
            f"The run {name} has episode {trace.episode.id} already; choose another name."
        )
    config = read_config(trace_file.parent)
    if config is None:
        header = trace.header
        settings, options = parted_settings(header.settings)
        config = RunConfig(
            run=name,
            navigator=header.navigator,
            settings=settings,
            model=header.model,
            model_options=options,
        )
    write_config(out / name, config.model_copy(update={"run": name}))
    write_trace(
        trace.model_copy(update={"header": trace.header.model_copy(update={"run": name})}), target
    )
    # what was sent stands beside the trace: without it, the kept run shows grey boxes
    views, kept_views = views_folder(trace_file), views_folder(target)
    if is_folder(views):
        with writing_folder(kept_views) as made:
            shutil.copytree(views, made, dirs_exist_ok=True)
    return target
