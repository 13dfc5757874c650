"""``navviz new-system NAME``: write a package that brings a system of your own, with tests that
pass.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from navviz.cli.output import add_command
from navviz.errors import InputError, SettingsError
from navviz.support.guarded import is_there, read_text, writing_folder
from navviz.support.installation.files import asset
from navviz.support.notes import tell
from navviz.support.systems import own_systems

_Name = Annotated[str, typer.Argument(help="Lower case letters, digits and hyphens: my-agent.")]
_Out = Annotated[
    Path | None,
    typer.Option("--out", help="Folder to write into; NAME in this folder if not given."),
]
_VALID = re.compile(r"[a-z][a-z0-9-]*")


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "new-system",
        _new_system,
        "Write a package that brings a system of your own.",
        "navviz new-system my-agent",
        "navviz new-system my-agent --out code/my-agent",
    )


def _new_system(name: _Name, out: _Out = None) -> None:
    folder = Path(name) if out is None else out
    for path in write_system(name, folder):
        tell(str(path))
    # the app has no pytest, and an environment of uv no pip
    tell(f"Now: pip install -e {folder} pytest && python -m pytest {folder}")
    tell(f"(with uv: uv pip install -e {folder} pytest && python -m pytest {folder})")


def write_system(name: str, folder: Path) -> list[Path]:
    """Write the package of a new system.

    Raises `SettingsError` when the name is none, or one of NavViz's own systems has it;
    `InputError` when the folder is there already; `StoreError` when it cannot be written; nothing
    is there then.
    """
    if not _VALID.fullmatch(name):
        raise SettingsError(
            f"{name!r} is no name of a system: write lower case letters, digits and hyphens."
        )
    if name in {system.name for system in own_systems()}:
        raise SettingsError(f"{name} is one of NavViz's own systems; choose another name.")
    if is_there(folder):
        raise InputError("is there already", "choose another folder with --out", file=folder)
    package = name.replace("-", "_")
    title = name.replace("-", " ").capitalize()
    values = {"name": name, "package": package, "title": title}
    written = []
    with writing_folder(folder) as made:
        for template in sorted(asset("new-system").glob("*.txt")):
            file = template.stem
            # tests and project files stand beside the package, which is installed without them
            inside = file.endswith(".py") and not file.startswith("test_")
            path = made / package / file if inside else made / file.replace("system", package)
            path.parent.mkdir(exist_ok=True)
            # `substitute` fails where a template misspells a name
            text = Template(read_text(template)).substitute(values)
            (made / path.relative_to(made)).write_bytes(text.encode())
            written.append(folder / path.relative_to(made))
    return written
