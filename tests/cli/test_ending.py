"""All commands end with the same code for the same error."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from docs.generated_pages import commands_page
from navviz import cli as commands
from navviz import errors
from navviz.cli import output
from navviz.cli.output import exit_code, with_exit_code
from navviz.errors import Problem
from navviz.support.installation import plugins
from tests.paths import ROOT
from tests.worlds import write_world


def _ending_with(error: BaseException) -> typer.Typer:
    app = typer.Typer()

    def fail(name: str = "x") -> None:
        raise error

    app.command()(with_exit_code(fail))
    return app


@pytest.mark.parametrize(("error", "code", "said"), [
    (errors.InputError("is no graph", "choose another", file="a.txt"), 2,
        "a.txt: is no graph; choose another.\n"),
    (errors.UnknownFormatError("is unknown"), 2, "is unknown.\n"),
    (errors.SettingsError("--x is wrong."), 2, "--x is wrong.\n"),
    (errors.MissingExtraError("install it"), 2, "install it\n"),
    (errors.ModelRefusedError("the key is wrong"), 1, "the key is wrong\n"),
    (errors.StoreError("the disk is full"), 1, "the disk is full\n"),
    (KeyboardInterrupt(), 130, "Stopped; run the same command again to go on.\n"),
])  # fmt: skip
def test_an_error_decides_the_code(error, code, said):
    done = CliRunner().invoke(_ending_with(error), ["--name", "a"])
    assert (done.exit_code, done.stderr) == (code, said)


def test_one_table_lists_every_code():
    codes = {output.FAILED, output.WRONG, output.PARTIAL, output.STOPPED}
    assert set(output.ENDINGS) == {0, *codes}
    page = commands_page()
    for code, when in output.ENDINGS.items():
        assert f"| {code} | {when} |" in page


def test_every_error_of_ours_has_a_code():
    kinds = [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.NavVizError)
    ]
    assert len(kinds) >= 10
    assert {exit_code(kind("x")) for kind in kinds} == {1, 2}


def test_every_command_ends_this_way():
    app = typer.Typer()
    for name in commands._MODULES:
        importlib.import_module(f"navviz.cli.{name}").register(app)
    callbacks = {command.name: command.callback for command in app.registered_commands}
    assert {"app", "score", "fetch", "run"} <= set(callbacks)
    assert not [name for name, call in callbacks.items() if not hasattr(call, "__wrapped__")]


@pytest.mark.parametrize("name", commands._MODULES)
def test_a_command_is_named_as_its_module(name):
    app = typer.Typer()
    importlib.import_module(f"navviz.cli.{name}").register(app)
    added = [*app.registered_commands, *app.registered_groups]
    assert [each.name for each in added] == [name.replace("_", "-")]
    assert commands._needed([name.replace("_", "-")]) == (name,)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["nonsense"], ["go_on"]])
def test_help_and_slips_know_all_commands(arguments):
    assert commands._needed(arguments) == commands._MODULES


def test_help_waits_for_nothing_that_only_a_command_needs():
    script = (
        "import sys; from navviz import cli as commands; sys.argv = ['navviz', '--help']\n"
        "try: commands.main()\n"
        "except SystemExit: print(*({'numpy', 'pandas', 'scipy', 'streamlit', 'pyarrow'} & set(sys.modules)), 'helped')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.splitlines()[-1] == "helped", done.stderr[-2000:]


def test_the_app_is_started_without_what_it_does_not_need():
    """It becomes the server: what is imported before is imported for nothing, and one waits for
    it.
    """
    script = (
        "import sys; from navviz import cli as commands; from navviz.cli import app\n"
        "def become(command, environment): print(*({'numpy', 'pandas', 'scipy', 'streamlit'} & set(sys.modules)), 'begun')\n"
        "app._become = become; sys.argv = ['navviz', 'app', '--no-browser']; commands.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stdout) == (0, "begun\n"), done.stderr[-2000:]


def test_a_missing_graph_is_told_alike_by_all(tmp_path):
    write_world(tmp_path)
    app = typer.Typer()
    for name in ("score", "run", "show_context"):
        importlib.import_module(f"navviz.cli.{name}").register(app)
    split, gone = str(tmp_path / "splits" / "tiny.json"), str(tmp_path / "gone")
    calls = (
        ["score", split, "--graphs", gone],
        ["run", "--navigator", "rules", "--episodes", split, "--graphs", gone],
        ["context", "--episodes", split, "--episode", "1", "--graphs", gone],
    )
    done = [CliRunner().invoke(app, call) for call in calls]
    assert {each.exit_code for each in done} == {2}
    assert len({each.stderr for each in done}) == 1


def test_a_broken_plug_in_is_named(monkeypatch):
    monkeypatch.setattr(
        plugins,
        "_noticed",
        {("navviz.llm", "grump"): Problem("the plug-in grump is broken", "mend it")},
    )
    done = CliRunner().invoke(_ending_with(errors.SettingsError("other")), [])
    assert done.stderr == "other\nwarning: the plug-in grump is broken; mend it.\n"
