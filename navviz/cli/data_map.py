"""``navviz data map``: what the fields of an unknown log are, guessed and corrected."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.options import Format
from navviz.cli.output import Form, print_data, print_json, print_table_as
from navviz.errors import Problems, SettingsError
from navviz.support.notes import note, tell

if TYPE_CHECKING:
    from navviz.formats.mapping.model import Mapping

_Path = Annotated[Path, typer.Argument(metavar="FILE", help="File or folder of an unknown log.")]
_Graphs = Annotated[
    Path | None, typer.Option("--graphs", help="Graphs: their nodes and bounds help to guess.")
]
_Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="Correct a field, such as walk.positions=trajectory[*]."),
]
_Save = Annotated[bool, typer.Option("--save", help="Write the mapping beside the data.")]
_MOST_WORLDS = 100
_FIELDS = ("path", "found", "types", "example")


def map_log(
    path: _Path,
    graphs: _Graphs = None,
    corrections: _Set = None,
    form: Format = Form.TABLE,
    *,
    save: _Save = False,
) -> None:
    """Print what an unknown log holds and what its fields are; with --save, open it so from now."""
    from navviz.cli.output import print_table
    from navviz.formats.mapping.guess import guess
    from navviz.formats.mapping.guess_checks import checks_of
    from navviz.formats.mapping.model import as_toml, save_mapping, saved_mapping
    from navviz.formats.mapping.structure import lines_of, structure
    from navviz.formats.passed_over import check_exists

    check_exists(path, "file")
    layout = structure(path)
    # a person has looked at what was saved; a guess never replaces it
    saved = saved_mapping(path)
    mapping = saved or guess(layout, _graphs(graphs))
    mapping = corrected(mapping, corrections or ())
    given = any(each.strip().startswith("walk.frame=") for each in corrections or ())
    is_guess = saved is None and not given
    lines = lines_of(layout)
    checks = checks_of(layout, mapping)
    if form is Form.JSON:
        document = {
            "file": str(path),
            "fields": [dict(zip(_FIELDS, line, strict=True)) for line in lines],
            "mapping": mapping.model_dump(mode="json", exclude_none=True),
            "checked": checks,
            "reads": _read(mapping, path, graphs, is_guess=is_guess),
            "saved": str(save_mapping(mapping, path)) if save else None,
        }
        print_json(document)
        return
    if form is not Form.TABLE:
        # the fields alone are a table; what they mean is in JSON and in words
        if form.is_data:
            print_data(form, _FIELDS, (dict(zip(_FIELDS, line, strict=True)) for line in lines))
        else:
            print_table_as(form, _FIELDS, lines, _read(mapping, path, graphs, is_guess=is_guess))
        if save:
            note(f"Saved as {save_mapping(mapping, path)}; the file opens with it from now on.")
        return
    rows = [line[:3] for line in lines]
    print_table(("path", "found", "types"), rows, [line[3] for line in lines])
    tell("", f"# {path.name}: what is what. Correct it with --set FIELD=PATH.")
    tell(*as_toml(mapping).split("\n"))
    if checks:
        tell("Checked:", *(f"- {check}" for check in checks), "")
    tell(_read(mapping, path, graphs, is_guess=is_guess))
    if save:
        tell(f"Saved as {save_mapping(mapping, path)}; the file opens with it from now on.")


def corrected(mapping: Mapping, corrections: Sequence[str]) -> Mapping:
    """Return a mapping with fields that are set by ``field=value``; raises where one is none."""
    from navviz.formats.mapping.model import mapping_of

    fields: dict[str, Any] = mapping.model_dump(mode="json")
    for correction in corrections:
        name, equals, value = correction.partition("=")
        if not equals:
            raise SettingsError(f"--set {correction}: write FIELD=PATH, such as episode.id=name.")
        table = fields
        *above, last = name.strip().split(".")
        for part in above:
            inner = table.get(part)
            table = inner if isinstance(inner, dict) else table.setdefault(part, {})
        # these fields take several paths; in the others a comma belongs to the value
        several = last in {"positions", "start", "goal", "reference", "group_by", "headings"}
        table[last] = [each for each in value.split(",") if each] if several else value
    return mapping_of(fields, "--set")


def _graphs(folder: Path | None) -> list[Any]:
    from navviz.formats import open_worlds

    if folder is None:
        return []
    worlds = open_worlds(folder)
    return [worlds(name) for name in worlds.names[:_MOST_WORLDS]]


def _read(mapping: Mapping, path: Path, graphs: Path | None, *, is_guess: bool) -> str:
    """Say what the mapping reads of the file."""
    from navviz.errors import InputError
    from navviz.formats import open_worlds
    from navviz.formats.mapping.engine import read_log, walked_of
    from navviz.records.base import plural
    from navviz.runs.unknown_logs import LogPreview, doubt_of

    problems = Problems()
    try:
        graph_of = None if graphs is None else open_worlds(graphs)
        traces = read_log(mapping, path, graph_of, None, problems)
    except InputError as error:
        # the guess may be wrong, and this sentence helps to correct it
        return str(error)
    walked = walked_of(traces)
    sentence = f"It reads {plural(len(traces), 'episode')}, {walked:,} of them with a walk"
    kept = "".join(f"\n{problem}" for problem in problems.kept[:10])
    read = f"{sentence}; {problems.count:,} left out or changed.{kept}"
    # `LogPreview` finds the first walk, as the mapping view does
    first = LogPreview(traces, problems).first
    doubt = doubt_of(mapping, path, first) if is_guess else ""
    return f"{read}\n{doubt}" if doubt else read
