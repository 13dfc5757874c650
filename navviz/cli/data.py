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
from navviz.cli.ending import FAILED, with_exit_code

if TYPE_CHECKING:
    from navviz.runs.account import FileAccount, FolderAccount, PartAccount

_SAID = 20
"""Reasons that are printed of one part."""

_Folder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="Folder with graphs, episodes and results.")
]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]


def register(app: typer.Typer) -> None:
    """Add the group with its commands."""
    data = typer.Typer(no_args_is_help=True, help="Look at data before it is opened.")
    check = data.command(
        "check", help="Say what a folder holds, and what of it is read, skipped and changed."
    )
    check(with_exit_code(_check))
    recorder = data.command(
        "recorder", help="Print the recorder for Habitat evaluations, one file for Python 3.6 on."
    )
    recorder(with_exit_code(_recorder))
    mapped = data.command("map", help="Say what the fields of an unknown log are, and save it.")
    mapped(with_exit_code(map_log))
    floor = data.command("floor", help="Draw a picture of each floor from the mesh of a house.")
    floor(with_exit_code(draw_floors))
    app.add_typer(data, name="data")


def _check(folder: _Folder, *, as_json: _Json = False) -> None:
    from navviz.runs.account import check_folder

    account = check_folder(folder)
    if as_json:
        typer.echo(json.dumps(_as_dict(account), indent=2, ensure_ascii=False))
    else:
        _print(account)
    if account.lost:
        raise typer.Exit(FAILED)


def _recorder() -> None:
    from navviz.records import recorder

    typer.echo(inspect.getsource(recorder), nl=False)


def _print(account: FolderAccount) -> None:
    from navviz.cli.console import print_table

    rows, notes = list[tuple[str, ...]](), list[str]()
    for part in account.parts:
        rows.append((f"{part.path} ({part.format or part.kind})", "", "", ""))
        notes.append(part.sentence)
        for file in part.files:
            rows.append(
                (f"  {file.name}", f"{file.entries:,}", f"{file.read:,}", f"{file.skipped:,}")
            )
            notes.append("; ".join(f"{what}: {count:,}" for what, count in file.changed.items()))
    if rows:
        print_table(("", "found", "read", "skipped"), rows, notes)
    for part in account.parts:
        _print_reasons(part)
    for problem in account.not_read:
        typer.echo(f"not read: {problem}")
    if account.others:
        endings = ", ".join(
            f"{count} {ending}" for ending, count in list(account.others.items())[:8]
        )
        typer.echo(f"Other files, which are no data: {endings}.")
    typer.echo(_sum(account))


def _print_reasons(part: PartAccount) -> None:
    for problem in part.problems.kept[:_SAID]:
        typer.echo(f"{part.path}: {problem}")
    if part.problems.count > _SAID:
        typer.echo(f"{part.path}: and {part.problems.count - _SAID:,} more")


def _sum(account: FolderAccount) -> str:
    from navviz.records.plural import plural

    entries = files = read = 0
    for part in account.parts:
        for file in part.files:
            entries += file.entries
            files += file.files
            read += file.read
    if not account.lost:
        return f"All {entries:,} entries of {files:,} files are read."
    failed = sum(part.failed for part in account.parts) + len(account.not_read)
    whole = f"; not read at all: {plural(failed, 'file')}" if failed else ""
    return f"{read:,} of {entries:,} entries of {plural(files, 'file')} are read{whole}."


def _as_dict(account: FolderAccount) -> dict[str, Any]:
    return {
        "folder": str(account.folder),
        "lost": account.lost,
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
