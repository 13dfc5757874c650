"""Pages that come from the code: the commands with their options, and the schema of trace files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from navviz.cli import application
from navviz.cli.output import ENDINGS
from navviz.records.trace_files import event_schema

_ENDINGS = """`navviz COMMAND --help` prints the same as this page. A command ends with one of these codes, and says why in one sentence on stderr:

| code | when |
|---|---|
{codes}

RUN is a result file or a folder of traces, `METHOD@FILE` one method of several. Every result has `--format` with the same
words:

| `--format` | what is printed |
|---|---|
| `table` | lines for people (the default) |
| `json` | one document: a list where there may be many records, `[]` where there are none |
| `jsonl` | one record a line; nothing where there are none |
| `csv` | the same records with a head: numbers alone, rates as fractions, a figure's low, high and n in columns of their own |
| `md`, `tex` | a table of words for a text |

`navviz why` is counted in CSV and has one record an episode in JSON; `navviz table` writes CSV with the digits that it
prints. Every command has `--quiet`, and `NO_COLOR` is honoured.
"""  # noqa: E501


def write_generated(folder: Path) -> None:
    """Write all generated pages into a folder, which git ignores."""
    folder.mkdir(exist_ok=True)
    schema = json.dumps(event_schema(), indent=2, ensure_ascii=False)
    _write(folder / "trace.schema.json", schema + "\n")
    _write(folder / "commands.md", commands_page())


def _write(path: Path, text: str) -> None:
    """Write a file that changed; the time of one that did not stays, so that Sphinx does not read
    it again.
    """
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def commands_page() -> str:
    """Return the page of all commands, each with its arguments and options."""
    root = typer.main.get_command(application())
    codes = "\n".join(f"| {code} | {when} |" for code, when in ENDINGS.items())
    parts = [
        "# Commands\n",
        _ENDINGS.format(codes=codes),
    ]
    for name, command in root.commands.items():
        parts.append(_section(f"navviz {name}", command, "##"))
    return "\n".join(parts)


def _section(name: str, command: Any, level: str) -> str:  # noqa: ANN401 - a command of click, without types
    lines = [f"{level} {name}\n", f"{command.help or ''}\n"]
    inner = getattr(command, "commands", {})
    shown = [each for each in command.params if each.name != "help"]
    rows = [_row(each) for each in shown if not getattr(each, "hidden", False)]
    if rows and not inner:
        lines += ["| argument or option | what it is |", "|---|---|", *rows, ""]
    if command.epilog:
        # the first line is the word "Examples:"
        lines += ["```bash", *command.epilog.split("\n\n")[1:], "```", ""]
    lines += [_section(f"{name} {key}", each, level + "#") for key, each in inner.items()]
    return "\n".join(lines)


def _row(parameter: Any) -> str:  # noqa: ANN401
    names = ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
    if parameter.param_type_name == "argument":
        names = f"`{parameter.metavar or parameter.name.upper()}`"
    text = (getattr(parameter, "help", None) or "").replace("|", "\\|").replace("\n", " ")
    return f"| {names} | {text} |"
