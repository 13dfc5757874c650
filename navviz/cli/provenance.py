"""``navviz data check RUN --provenance``: where the figures of a run come from."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from navviz.cli.named_run import open_named
from navviz.cli.output import Form, columns_of, print_json, print_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from navviz.runner.provenance import Provenance


def print_provenance(run: str, graphs: Path | None, episode_file: Path | None, form: Form) -> None:
    """Print code, settings, model and data files behind a run; JSON has the run's figures, too."""
    from navviz.runner.provenance import UsedFile, provenance_of

    _, opened = open_named(run, graphs, episodes=episode_file)
    provenance = provenance_of(opened)
    if form is Form.JSON:
        document = {**asdict(provenance), "figures": opened.scores.figures}
        print_json(document)
        return
    files = [asdict(file) for file in provenance.files]
    print_records(form, columns_of(UsedFile), files, _lines(provenance))


def _lines(provenance: Provenance) -> Iterator[str]:
    from navviz.runner.provenance import counted_names

    yield f"run         {provenance.run}, {provenance.episodes} episodes"
    yield f"navigator   {counted_names(provenance.navigators)}"
    yield f"model       {counted_names(provenance.models) or 'none'}"
    yield f"walked with {counted_names(provenance.code_versions)}"
    if provenance.package_version:
        yield f"package     navviz {provenance.package_version}"
    yield f"begun       {provenance.created or 'at an unknown time'}"
    yield f"scored with {provenance.scored_with}"
    for settings, count in provenance.settings.items():
        yield f"settings    {settings}" + (f" ({count})" if len(provenance.settings) > 1 else "")
    for file in provenance.files:
        state = "  CHANGED since the run began" if file.changed else ""
        yield f"{file.role:<11} {file.sha256 or 'not hashed':<64}  {file.path}{state}"
