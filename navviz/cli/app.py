"""``navviz app``: open the app in a browser."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Annotated, get_args

import typer
from pydantic import ValidationError

from navviz.cli import window
from navviz.cli.options import EpisodeFile, Graphs, Pictures
from navviz.cli.output import add_command
from navviz.errors import MissingExtraError, SettingsError
from navviz.observations.pictures.files import check_has_pictures
from navviz.records.trace_files import is_trace_name
from navviz.support.addresses import is_address
from navviz.support.guarded import is_folder, is_there
from navviz.support.installation.extras import extra_hint
from navviz.support.installation.processes import child_environment
from navviz.support.installation.serving import (
    RIGHTS,
    SERVER_VARIABLE,
    Door,
    Right,
    Serving,
    is_loopback,
    salted,
)
from navviz.support.notes import note, tell

PASSWORD_VARIABLE = "NAVVIZ_PASSWORD"  # noqa: S105 - the variable's name
"""Holds the password of the door; the command line would show it to everybody on the machine."""
OPERATOR_VARIABLE = "NAVVIZ_OPERATOR_PASSWORD"
"""Holds the operator's own password of the door."""
_SHORTEST_PASSWORD = 8
_PORT = 8501
_HEAPS_VARIABLE = "MALLOC_ARENA_MAX"
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:\d+)?")

_Path = Annotated[
    str | None,
    typer.Argument(
        metavar="RUN",
        help="Result file or folder of traces; or a folder with graphs, episodes and results; or an"
        " address of one (s3://...).",
        show_default=False,
    ),
]
_Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        help="Port on this machine; 8501, or with --window the next free one.",
        show_default=False,
    ),
]
_Address = Annotated[
    str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in (with --door).")
]
_DoorOption = Annotated[
    str | None,
    typer.Option(
        help=(
            f"Who comes in from other machines: password ({PASSWORD_VARIABLE} holds it), tokens (of"
            " the study's annotators) or oidc (.streamlit/secrets.toml names the provider)."
        )
    ),
]
_Operator = Annotated[
    str,
    typer.Option(
        help=(
            "Who sees and stops the runs of all, with commas: pseudonyms that have a token for"
            " --door tokens, sub:SUBJECT or verified addresses for --door oidc; --door password"
            f" takes {OPERATOR_VARIABLE} instead."
        )
    ),
]
_Open = Annotated[bool, typer.Option("--open-to-all", help="Let in whoever reaches the address.")]
_Allow = Annotated[
    str,
    typer.Option(
        help="Rights of visitors, with commas: "
        + "; ".join(f"{k} ({v})" for k, v in RIGHTS.items())
    ),
]
_UploadMb = Annotated[
    float, typer.Option(help="Megabytes that one visitor may upload in one visit.")
]
_Tokens = Annotated[
    int, typer.Option(help="Tokens that models may use for one visitor, over restarts.")
]
_Workers = Annotated[
    int, typer.Option(help="Episodes that one visitor's batches walk at a time; the rest waits.")
]
_RequestS = Annotated[
    float, typer.Option(help="Seconds that one page may compute for one visitor.")
]
_Embed = Annotated[
    str,
    typer.Option(
        help="Origins whose pages may show NavViz in a frame, with commas: https://lab.example"
    ),
]
_Window = Annotated[
    bool, typer.Option("--window", help="Show the app in a window of its own, which ends it.")
]
_NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open a browser window.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "app",
        _open,
        "Open the app on a run; without arguments, on the bundled samples.",
        "navviz app",
        "navviz app results.json --graphs town",
        "navviz app runs/mine/1.trace.jsonl --window",
        "navviz app --port 8600 --no-browser",
    )


def _open(
    run: _Path = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    pictures: Pictures = None,
    port: _Port = None,
    address: _Address = "127.0.0.1",
    *,
    window_of_its_own: _Window = False,
    no_browser: _NoBrowser = False,
    door: _DoorOption = None,
    operator: _Operator = "",
    open_to_all: _Open = False,
    allow: _Allow = "",
    upload_mb: _UploadMb = 50.0,
    visitor_tokens: _Tokens = 200_000,
    visitor_workers: _Workers = 8,
    request_s: _RequestS = 120.0,
    embed_by: _Embed = "",
) -> None:
    given = {"episodes": episode_file, "graphs": graphs, "pictures": pictures}
    place = None if run is None else Path(run)
    if run is not None and is_address(run):
        from navviz.runs.remote import local_path

        note(f"Copying {run} …")
        place = local_path(run)
    # before the server starts: its error would stand in a page
    for name, path in (*given.items(), ("", place)):
        if path is not None and not is_there(path):
            raise SettingsError(
                f"{f'--{name} ' if name else ''}{path}: is not there; check the path."
            )
    if pictures is not None:
        check_has_pictures(pictures)
    paths = given | _placed(place, alone=graphs is None and episode_file is None)
    rules = _rules(
        address,
        "open" if open_to_all else door,
        allow,
        upload_mb=upload_mb,
        tokens=visitor_tokens,
        workers=visitor_workers,
        request_s=request_s,
        operator=operator,
        embed_by=embed_by,
    )
    environment = child_environment(_environment(paths), keys=True)
    if rules is not None and rules.door == "tokens":
        _check_tokens(rules.operators, Path(environment["NAVVIZ_WORKSPACE"]), port or _PORT)
    _warn_of_read_only(Path(environment["NAVVIZ_WORKSPACE"]))
    for secret in (PASSWORD_VARIABLE, OPERATOR_VARIABLE):  # the server needs only their hashes
        environment.pop(secret, None)
    # a variable of the shell must not give this server other rules than its options
    environment.pop(SERVER_VARIABLE, None)
    if rules is not None:
        environment[SERVER_VARIABLE] = rules.model_dump_json()
    # one listens on 0.0.0.0, but cannot ask it
    host = "127.0.0.1" if address == "0.0.0.0" else address  # noqa: S104 - asked of ourselves
    shown = window_of_its_own and _can_show(no_browser=no_browser)
    if port is None:
        port = window.next_free(host, _PORT) if shown else _PORT
    # -P: a file of the current folder (types.py, a data set called pandas ...) must not shadow a
    # module
    command = [sys.executable, "-P", "-m", "navviz.ui.server.serve", "--server.port", str(port)]
    headless = "true" if no_browser or shown else "false"
    command += ["--server.address", address, "--server.headless", headless]
    # Streamlit would watch every folder below app.py: a checkout with .venv and node_modules in it
    # kept a core busy for each server (133 s of processor time in 195 s). To edit pages, use
    # `streamlit run app.py`, which reloads.
    command += ["--server.fileWatcherType", "none"]
    if shown:
        raise typer.Exit(window.show_window(command, environment, host=host, port=port))
    _become(command, environment)


def _warn_of_read_only(workspace: Path) -> None:
    """Say where nothing can be kept; runs are shown all the same."""
    # a folder that is not there yet is made below the first one that is
    folder = next(place for place in (workspace, *workspace.parents) if is_there(place))
    if not is_folder(folder) or not os.access(folder, os.W_OK | os.X_OK):
        note(
            f"The workspace {workspace} cannot be written: runs are shown, and nothing is kept"
            " there. NAVVIZ_WORKSPACE names another folder."
        )


def _can_show(*, no_browser: bool) -> bool:
    """Whether there is something that shows a window; says what to install where there is none."""
    if no_browser:
        raise SettingsError("--window and --no-browser contradict each other; leave one out.")
    if window.has_window():
        return True
    note(window.no_window_sentence())
    return False


def _placed(run: Path | None, *, alone: bool) -> dict[str, Path]:
    """Return what a path is: results, or a folder in which everything lies together."""
    if run is None:
        return {}
    # a folder of traces is a run, and one next to --graphs or --episodes holds results alone;
    # no file is opened here: the pages do that while the browser starts
    if alone and is_folder(run) and not any(is_trace_name(path.name) for path in run.iterdir()):
        return {"data": run}
    return {"results": run}


def _rules(
    address: str,
    door: str | None,
    allow: str,
    *,
    upload_mb: float,
    tokens: int,
    request_s: float,
    workers: int = 8,
    operator: str = "",
    embed_by: str = "",
) -> Serving | None:
    """Return the rules of a server."""
    if door is None:
        if is_loopback(address):
            return None
        raise SettingsError(
            f"--address {address} lets other machines in. Say who may come: --door password (with"
            f" {PASSWORD_VARIABLE} set), --door tokens, --door oidc, or --open-to-all."
        )
    if door not in get_args(Door):
        raise SettingsError(f"--door {door}: is none of password, tokens, oidc.")
    rights = {part.strip() for part in allow.split(",") if part.strip()}
    unknown = sorted(rights - set(get_args(Right)))
    if unknown:
        raise SettingsError(f"--allow {unknown[0]}: is none of {', '.join(get_args(Right))}.")
    if door == "oidc" and (hint := extra_hint("oidc")) is not None:
        raise MissingExtraError(hint)
    password = os.environ.get(PASSWORD_VARIABLE, "")
    if door == "password" and len(password) < _SHORTEST_PASSWORD:
        raise SettingsError(
            f"--door password needs {PASSWORD_VARIABLE} in the environment, of {_SHORTEST_PASSWORD}"
            " characters or more."
        )
    operators, operator_password = _operators(door, operator)
    try:
        return Serving.model_validate(
            {
                "door": door,
                "password": salted(password) if door == "password" else "",
                "operator_password": salted(operator_password) if operator_password else "",
                "operators": operators,
                "allow": rights,
                "upload_mb": upload_mb,
                "tokens": tokens,
                "workers": workers,
                "embedders": _origins(embed_by),
                "request_s": request_s,
            }
        )
    except ValidationError as error:
        fault = error.errors()[0]
        raise SettingsError(f"{fault['loc'][0]}: {fault['msg']}.") from error


def _origins(named: str) -> set[str]:
    """Return the origins of ``--embed-by``; raises `SettingsError` where one is none."""
    origins = {part.strip().rstrip("/") for part in named.split(",") if part.strip()}
    for origin in sorted(origins):
        if not _ORIGIN.fullmatch(origin):
            raise SettingsError(
                f"--embed-by {origin}: is no origin; write https://HOST or http://HOST:PORT."
            )
    return origins


def _operators(door: str, named: str) -> tuple[set[str], str]:
    """Return the operators' names, and the operator's own password; raises `SettingsError` where
    the door has none.
    """
    names = {part.strip() for part in named.split(",") if part.strip()}
    if names and door not in {"tokens", "oidc"}:
        raise SettingsError(
            f"--operator {named}: only --door tokens and --door oidc know names; set"
            f" {OPERATOR_VARIABLE} for --door password."
        )
    for name in sorted(names) if door == "oidc" else ():
        # some providers let people choose a subject: it must never pass for an address, or for one
        if name == "sub:" or ("@" not in name and not name.startswith("sub:")):
            raise SettingsError(
                f"--operator {name}: write sub:SUBJECT, or an address that the provider verifies."
            )
    password = os.environ.get(OPERATOR_VARIABLE, "") if door == "password" else ""
    # with one password for both, every visitor would be the operator
    is_shared = password == os.environ.get(PASSWORD_VARIABLE)
    if password and (is_shared or len(password) < _SHORTEST_PASSWORD):
        raise SettingsError(
            f"{OPERATOR_VARIABLE} needs {_SHORTEST_PASSWORD} characters or more, and another one"
            " than the visitors."
        )
    return names, password


def _check_tokens(operators: frozenset[str], workspace: Path, port: int) -> None:
    """Invite the leads of an empty study, once; else raise `SettingsError` where an operator's name
    has no token: the name alone would be the operator's.
    """
    # 0.6 s of SQLAlchemy
    from navviz.annotation.invitations import invite
    from navviz.annotation.store import AnnotationStore, database_url

    store = AnnotationStore(database_url(workspace))
    try:
        annotators = store.as_operator().annotators
        if not annotators.all():
            names, address = sorted(operators) or ["lead"], f"http://localhost:{port}"
            for each in invite(annotators, names, address, is_lead=True):
                tell(f"The study is empty. The link of {each.name}, shown once: {each.link}")
        missing = store.without_token(operators)
    finally:
        store.close()
    if missing:
        raise SettingsError(
            f"--operator {missing[0]}: this name has no token; start navviz app without --door on"
            f" this machine, make a link for {missing[0]} on Study > Set up, then start the server."
        )


def _become(command: list[str], environment: dict[str, str]) -> None:
    """Go on as another program, so that a kill of this process frees the server's port."""
    if os.name == "posix":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execve(command[0], command, environment)  # noqa: S606 - our own app, no shell
    # Windows has no exec that keeps the process: there the server is a child, and only Ctrl+C ends
    # both.
    try:
        code = subprocess.run(command, env=environment, check=False).returncode  # noqa: S603 - our own app
    except KeyboardInterrupt:
        code = 0
    raise typer.Exit(code)


def _environment(given: dict[str, Path | None]) -> dict[str, str]:
    """Return the app's environment, with absolute paths: links outlive the current folder."""
    workspace = Path(os.environ.get("NAVVIZ_WORKSPACE", "workspace")).expanduser().resolve()
    paths = {name: str(path.resolve()) for name, path in given.items() if path is not None}
    environment = {"NAVVIZ_WORKSPACE": str(workspace)}
    # Each thread that runs a page would get a heap of its own from glibc, and what a page frees
    # there serves no other page: with two heaps 150 episodes took 317 MB, without a bound 349 MB.
    environment[_HEAPS_VARIABLE] = os.environ.get(_HEAPS_VARIABLE, "2")
    if paths:
        environment["NAVVIZ_OPEN"] = json.dumps(paths)
    return environment
