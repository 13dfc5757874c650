"""``navviz data``: what a folder of data holds, what of it is read, and how to record more."""

from __future__ import annotations

import inspect
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.data_floor import draw_floors
from navviz.cli.data_map import map_log
from navviz.cli.options import EpisodeFile, Format, Graphs, open_named
from navviz.cli.output import (
    FAILED,
    Form,
    add_command,
    columns_of,
    new_group,
    print_data,
    print_json,
    print_records,
    print_table_as,
)
from navviz.errors import SettingsError
from navviz.support.notes import tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from navviz.runner.provenance import Provenance
    from navviz.runs.account import FileAccount, FolderAccount, PartAccount


_What = Annotated[
    str,
    typer.Argument(
        help=(
            "An extract (.osm, .osm.pbf, .osm.bz2, .osm.gz, .graphml), a place as Nominatim knows"
            " it, or a box west,south,east,north in degrees. Places and boxes are downloaded."
        ),
        show_default=False,
    ),
]

_Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        help="Folder of the world; in the workspace's data folder if not given.",
        show_default=False,
    ),
]


def register_world(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "world",
        _world,
        "Make a world of any place on OpenStreetMap.",
        'navviz data world "Piedmont, California"',
        "navviz data world town.osm.pbf --out worlds/town",
    )


def _world(what: _What, out: _Out = None) -> None:
    from navviz.datasets.places import make_world

    folder, graph = make_world(what, out)
    tell(
        f"{folder}: {len(graph):,} street nodes, {len(graph.targets):,} links, {len(graph.pois):,}"
        " POIs"
    )


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


_SHOWN = 20
"""Reasons that are printed of one part."""

_HEAD = ("", "found", "read", "skipped")

_RECORD = ("part", "kind", "format", "file", "files", "found", "read", "skipped", "note")

_SCHEMA_HEAD = ("record", "field", "type", "required", "what it is")

_Path = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="Folder with graphs, episodes and results, or one file; with --provenance, a run.",
        show_default=False,
    ),
]

_Provenance = Annotated[
    bool,
    typer.Option(
        "--provenance",
        help="Say instead where a run's figures come from: code, settings, model, data files.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the group with its commands."""
    data = new_group("Look at data before it is opened, and make worlds of it.")
    add_command(
        data,
        "check",
        _check,
        "Say what a folder holds, and what of it is read, skipped and changed.",
        "navviz data check runs",
        "navviz data check runs/mine --provenance",
        "navviz data check runs --format json",
    )
    add_command(
        data,
        "map",
        map_log,
        "Say what the fields of an unknown log are, and save it.",
        "navviz data map results.json",
        "navviz data map results.json --graphs town --set episode.id=name --save",
    )
    register_world(data)
    add_command(
        data,
        "prompts",
        _prompts,
        "Keep the prompts in a checkout of a paper's code, for --prompts and Live.",
        "navviz data prompts navgpt CHECKOUT",
        "navviz data prompts groke CHECKOUT --format json",
    )
    add_command(
        data,
        "floor",
        draw_floors,
        "Draw a picture of each floor from the mesh of a house.",
        "navviz data floor HOUSE.glb --graphs house/connectivity --out floors",
    )
    add_command(
        data,
        "schema",
        _schema,
        "Print the JSON Schema of a trace file's lines (*.trace.jsonl).",
        "navviz data schema > trace.schema.json",
        "navviz data schema --format md",
    )
    add_command(
        data,
        "recorder",
        _recorder,
        "Print the recorder for Habitat evaluations, one file for Python 3.6 on.",
        "navviz data recorder > navviz_recorder.py",
    )
    app.add_typer(data, name="data")


def _prompts(
    system: Annotated[
        str, typer.Argument(help="groke, navgpt, msnav (MapGPT's), skillnav, lhvln.")
    ],
    path: Annotated[
        Path, typer.Argument(help="Folder of the checkout: github.com says which code is whose.")
    ],
    form: Format = Form.TABLE,
) -> None:
    from navviz.runner.prompt_versions import keep_published

    kept, missing = keep_published(system, path)
    names = ("name", "navigator", "sha256", "commit", "characters")
    rows, lines = [], []
    for version in kept:
        figures = (version.name, version.navigator, version.sha256, version.commit)
        rows.append(dict(zip(names, (*figures, len(version.text)), strict=True)))
        lines.append(f"{version.name:<14} {version.sha256[:7]}  {len(version.text):,} characters")
    print_records(form, names, rows, lines)
    for sentence in missing:
        tell(sentence)


def _check(
    path: _Path,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    form: Format = Form.TABLE,
    *,
    provenance: _Provenance = False,
) -> None:
    from navviz.runs.account import check_folder

    if provenance:
        print_provenance(path, graphs, episode_file, form)
        return
    # an option that is passed over would look as if it had worked
    if graphs is not None or episode_file is not None:
        raise SettingsError("--graphs and --episodes belong to --provenance; leave them out.")
    account = check_folder(Path(path))
    if form.is_data:
        print_data(form, _RECORD, _records(account), _as_dict(account))
    elif form is Form.TABLE:
        from navviz.cli.output import print_table

        rows, notes = _rows(account)
        if rows:
            print_table(_HEAD, rows, notes)
        for part in account.parts:
            _print_reasons(part)
        for problem in account.not_read:
            tell(f"not read: {problem}")
        if account.others:
            endings = ", ".join(
                f"{count} {ending}" for ending, count in list(account.others.items())[:8]
            )
            tell(f"Other files, which are no data: {endings}.")
        tell(_sum(account))
    else:
        rows, notes = _rows(account)
        cells = [(*row, text) for row, text in zip(rows, notes, strict=True)]
        print_table_as(form, ("part", *_HEAD[1:], "note"), cells)
    # a script must notice whatever is named
    if account.lost or account.named:
        raise typer.Exit(FAILED)


def _schema(form: Format = Form.JSON) -> None:
    from navviz.records.trace_files import event_schema

    schema = event_schema()
    if form is Form.JSON:
        # indented: it is read by people and kept in files
        tell(*json.dumps(schema, indent=2, ensure_ascii=False).split("\n"))
        return
    rows = list(_fields(schema))
    if form.is_data:
        print_data(form, _SCHEMA_HEAD, (dict(zip(_SCHEMA_HEAD, row, strict=True)) for row in rows))
    elif form is Form.TABLE:
        from navviz.cli.output import print_table

        print_table(_SCHEMA_HEAD[:-1], [row[:-1] for row in rows], [row[-1] for row in rows])
    else:
        print_table_as(form, _SCHEMA_HEAD, rows)


def _fields(schema: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each record of a JSON Schema, and one for each of its fields."""
    for record, entry in schema["$defs"].items():
        about = " ".join(entry.get("description", "").split())
        yield record, "", _type(entry), "", about
        needed = entry.get("required", [])
        for name, field in entry.get("properties", {}).items():
            must = "yes" if name in needed else ""
            yield record, name, _type(field), must, " ".join(field.get("description", "").split())


def _type(field: Mapping[str, Any]) -> str:
    """Name the type of a field in a few words."""
    if "anyOf" in field or "oneOf" in field:
        return " or ".join(_type(each) for each in field.get("anyOf", field.get("oneOf", ())))
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if "const" in field:
        return json.dumps(field["const"])
    if "enum" in field:
        return " or ".join(json.dumps(value) for value in field["enum"])
    kind = str(field.get("type", "any"))
    if "items" in field:
        return f"{kind} of {_type(field['items'])}"
    return kind


def _recorder() -> None:
    from navviz.records import recorder

    # the file itself: it is copied to machines that have no NavViz
    tell(*inspect.getsource(recorder).splitlines())


def _rows(account: FolderAccount) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return a row for each part and each of its files, and a note for each row."""
    rows, notes = list[tuple[str, ...]](), list[str]()
    for part in account.parts:
        rows.append((f"{part.path} ({part.format or part.kind})", "", "", ""))
        notes.append(part.sentence)
        for file in part.files:
            rows.append(
                (f"  {file.name}", f"{file.entries:,}", f"{file.read:,}", f"{file.skipped:,}")
            )
            notes.append("; ".join(f"{what}: {count:,}" for what, count in file.changed.items()))
    return rows, notes


def _records(account: FolderAccount) -> Iterator[dict[str, Any]]:
    """Yield a record for each file of each part, for empty parts, and for files left over."""
    for part in account.parts:
        head = {"part": part.path, "kind": part.kind, "format": part.format}
        if part.failed or not part.files:
            yield head | {"note": part.sentence}
        for file in part.files:
            counts = {"files": file.files, "found": file.entries, "read": file.read}
            changed = "; ".join(f"{what}: {count}" for what, count in file.changed.items())
            yield head | {"file": file.name} | counts | {"skipped": file.skipped, "note": changed}
    for problem in account.not_read:
        yield {"file": problem.file, "read": 0, "note": str(problem)}


def _print_reasons(part: PartAccount) -> None:
    for check in part.checked:
        tell(f"{part.path}: checked: {check}")
    for problem in part.problems.kept[:_SHOWN]:
        tell(f"{part.path}: {problem}")
    if part.problems.count > _SHOWN:
        tell(f"{part.path}: and {part.problems.count - _SHOWN:,} more")


def _sum(account: FolderAccount) -> str:
    from navviz.records.base import plural

    entries = files = read = 0
    for part in account.parts:
        for file in part.files:
            entries += file.entries
            files += file.files
            read += file.read
    if not account.lost:
        named = f" {plural(account.named, 'sentence')} above." if account.named else ""
        return f"All {entries:,} entries of {files:,} files are read.{named}"
    failed = sum(part.failed for part in account.parts) + len(account.not_read)
    whole = f"; not read at all: {plural(failed, 'file')}" if failed else ""
    return f"{read:,} of {entries:,} entries of {plural(files, 'file')} are read{whole}."


def _as_dict(account: FolderAccount) -> dict[str, Any]:
    return {
        "folder": str(account.folder),
        "lost": account.lost,
        "named": account.named,
        "parts": [_part(part) for part in account.parts],
        "not_read": [asdict(problem) | {"sentence": str(problem)} for problem in account.not_read],
        "others": dict(account.others),
    }


def _part(part: PartAccount) -> dict[str, Any]:
    return {
        "path": part.path,
        "kind": part.kind,
        "format": part.format,
        "read": part.sentence if not part.failed else None,
        "fault": part.sentence if part.failed else None,
        "lost": part.lost,
        "checked": list(part.checked),
        "files": [_file(file) for file in part.files],
        "problems": {
            "count": part.problems.count,
            "sentences": [str(problem) for problem in part.problems.kept],
        },
    }


def _file(file: FileAccount) -> dict[str, Any]:
    return {
        "name": file.name,
        "files": file.files,
        "found": file.entries,
        "read": file.read,
        "skipped": file.skipped,
        "changed": dict(file.changed),
    }
