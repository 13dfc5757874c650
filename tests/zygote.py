"""Python processes that are forked from one that has imported everything: `Forked` in place of
``subprocess.Popen``.

A ``python -m navviz`` takes 0.4 to 3 seconds of processor time to import what it needs, and the
tests start a hundred of them. One process, the zygote, imports all of it, once for all workers of a
run, when the first one asks. For each request it forks a child, which takes on folder, environment,
files, session and arguments, and goes on as ``python`` with these arguments would. The zygote
itself runs nothing and has one thread, so that no child sees anything of another one.

What is about a fresh interpreter (imports, ``PYTHONHASHSEED``, a shadowing file) stays with
``subprocess``. So does everything where there is no zygote: outside of Linux, and where no pytest
has started one.
"""

from __future__ import annotations

import atexit
import gc
import inspect
import json
import logging
import os
import pkgutil
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from streamlit.components.v2 import manifest_scanner

import navviz

ROOT = Path(__file__).parents[1]
ADDRESS = "NAVVIZ_TEST_ZYGOTE"
"""Tells the workers of a run where the zygote listens."""
_NUMBER = struct.Struct("i")
_ALONE = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""NumPy and PyArrow start threads where they are imported."""

# --- in the tests


def begin() -> Callable[[], None]:
    """Start a zygote for this process and all that inherit its environment; returns what ends
    it.
    """
    stack = ExitStack()
    if sys.platform != "linux":
        return stack.close
    address = str(
        Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="navviz-"))) / "zygote"
    )
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        number = listener.fileno()
        command = [sys.executable, "-m", "tests.zygote", str(number)]
        # it ends with its standard input, however this process ends
        stack.enter_context(
            subprocess.Popen(
                command,
                cwd=ROOT,
                env=os.environ | _ALONE,
                stdin=subprocess.PIPE,
                pass_fds=[number],
                start_new_session=True,
            )
        )
    os.environ[ADDRESS] = address
    stack.callback(os.environ.pop, ADDRESS)
    return stack.close


class Forked(subprocess.Popen[Any]):
    """Be ``subprocess.Popen`` of ``[sys.executable, "-m", ...]``, forked instead of started.

    ``-P``, ``-u``, ``-c`` and the path of a script are known, too. Of the arguments, `cwd`, `env`,
    `start_new_session` and what is about files have their meaning. Not this process but the zygote
    is the parent; it passes on how the child ended.
    """

    hidden = frozenset({ADDRESS})
    """Variables that the child does not see: it forks none itself."""
    _zygote: socket.socket | None = None

    def _execute_child(self, *given: Any) -> None:
        value = inspect.signature(super()._execute_child).bind(*given).arguments  # type: ignore[misc]
        if ADDRESS not in os.environ or value["args"][0] != sys.executable:
            super()._execute_child(*given)  # type: ignore[misc]
        else:
            self._ask(value)

    def _ask(self, request: Mapping[str, Any]) -> None:
        ends = [request["p2cread"], request["c2pwrite"], request["errwrite"]]
        environment = os.environ if request["env"] is None else request["env"]
        fields = {
            "arguments": [str(argument) for argument in request["args"][1:]],
            "folder": str(request["cwd"] or Path.cwd()),
            "environment": {key: environment[key] for key in environment.keys() - self.hidden},
            "session": request["start_new_session"],
        }
        self._zygote = socket.socket(socket.AF_UNIX)
        self._zygote.connect(os.environ[ADDRESS])
        socket.send_fds(
            self._zygote, [b"!"], [end if end != -1 else own for own, end in enumerate(ends)]
        )
        self._zygote.sendall(json.dumps(fields).encode())
        self._zygote.shutdown(socket.SHUT_WR)
        self.pid = self._told()
        self._child_created = True
        self._close_pipe_fds(*(request[name] for name in _PIPES))  # type: ignore[attr-defined]

    def _told(self) -> int:
        assert self._zygote is not None
        result = self._zygote.recv(_NUMBER.size, socket.MSG_WAITALL)
        if not result:
            raise RuntimeError(
                "the zygote of tests/zygote.py has ended; what it said stands in the log"
            )
        return int(_NUMBER.unpack(result)[0])

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if self._zygote is None:
            return super()._try_wait(wait_flags)  # type: ignore[misc, no-any-return]
        if wait_flags == os.WNOHANG and not select.select([self._zygote], [], [], 0)[0]:
            return 0, 0
        with self._zygote:
            return self.pid, self._told()

    def _internal_poll(self, *given: Any, **more: Any) -> int | None:
        if self._zygote is None:
            return super()._internal_poll(*given, **more)  # type: ignore[misc, no-any-return]
        with suppress(subprocess.TimeoutExpired):
            self.wait(timeout=0)
        return self.returncode


_PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")


def forked(command: Sequence[str], **more: Any) -> subprocess.CompletedProcess[Any]:
    """Be ``subprocess.run`` with its ``capture_output`` of a command that is forked."""
    with Forked(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more) as process:
        said = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, *said)


# --- in the zygote


_LATER = (
    "anyio._backends._asyncio", "matplotlib.backends.backend_agg",
    "openai.resources.chat.completions", "pandas.io.formats.style", "psycopg", "scipy.stats",
    "sqlalchemy.dialects.sqlite", "streamlit.hello.streamlit_app",
    "streamlit.runtime.scriptrunner.magic_funcs", "streamlit.web.cli", "uvicorn.lifespan.on",
    "uvicorn.protocols.http.h11_impl", "uvicorn.protocols.websockets.websockets_sansio_impl",
)  # fmt: skip
"""What servers and commands import when they first need it."""
_IN_THE_CHILD = {"navviz.ui.explore.atlas", "navviz.ui.server.serve"}
"""Components are registered within a running server, and a program is run rather than imported."""


def preload() -> None:
    """Import what servers and commands import; nothing of it starts a thread, or reads settings or
    the environment.
    """
    # Streamlit warns of caches outside of its runtime; they look for it again whenever they are
    # used
    logging.disable()
    ours = (module.name for module in pkgutil.walk_packages(navviz.__path__, "navviz."))
    for name in (*_LATER, *ours):
        if name not in _IN_THE_CHILD and not name.endswith("__main__"):
            with suppress(ImportError):  # an extra that is not installed is told by what needs it
                import_module(name)
    _scan_once()
    logging.disable(logging.NOTSET)


class _AtOnce(Executor):
    """Run what is submitted in the thread that submits it: a process of several cannot be forked."""

    def submit(self, task: Callable[..., Any], /, *given: Any, **more: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(task(*given, **more))
        return future


def _scan_once() -> None:
    """Look through the installed packages for components of Streamlit: each server does that where
    it starts, for 0.2 seconds of processor time.
    """
    usual = manifest_scanner.ThreadPoolExecutor
    manifest_scanner.ThreadPoolExecutor = lambda **_more: _AtOnce()
    found = manifest_scanner.scan_component_manifests()
    manifest_scanner.ThreadPoolExecutor = usual
    manifest_scanner.scan_component_manifests = lambda *_, **_more: list(found)


def main(listening: int) -> None:
    """Fork a child for each connection, and tell it the child's number and how it ended, until the
    input ends.
    """
    listener = socket.socket(fileno=listening)
    ended, ending = socket.socketpair()
    ending.setblocking(False)  # noqa: FBT003 - it is all of its signature
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(ending.fileno())
    asking: dict[int, socket.socket] = {}
    gc.disable()
    while True:
        ready, _, _ = select.select([sys.stdin, listener, ended], [], [])
        if sys.stdin in ready:
            return
        if ended in ready:
            ended.recv(4096)
            _tell(asking)
        if listener in ready:
            if not gc.get_freeze_count():
                preload()
                assert len([*Path("/proc/self/task").iterdir()]) == 1, (
                    "only a process of one thread can be forked"
                )
                gc.freeze()  # a child that collects garbage would copy all of it
            asker = listener.accept()[0]
            try:
                _, ends, _, _ = socket.recv_fds(asker, 1, 3)
                with asker.makefile("rb") as request:
                    result = json.load(request)
            except (OSError, ValueError):  # who asked has ended
                asker.close()
                continue
            pid = os.fork()
            if pid == 0:
                for other in (listener, ended, ending, asker, *asking.values()):
                    other.close()
                _live(result, ends)
            for end in ends:
                os.close(end)
            asking[pid] = asker
            _send(asker, pid)


def _tell(asking: dict[int, socket.socket]) -> None:
    """Tell of all children that have ended."""
    with suppress(ChildProcessError):
        while (one := os.waitpid(-1, os.WNOHANG))[0]:
            with asking.pop(one[0]) as asker:
                _send(asker, one[1])


def _send(asker: socket.socket, number: int) -> None:
    with suppress(OSError):  # who asked has ended
        asker.sendall(_NUMBER.pack(number))


def _live(request: Mapping[str, Any], ends: Sequence[int]) -> NoReturn:
    """Be the child: a Python of its own from here to its end."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if request["session"]:
        os.setsid()
    else:
        os.setpgid(0, 0)  # who kills its group must not kill the zygote
    for own, end in enumerate(ends):
        os.dup2(end, own)
        os.close(end)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays
    os.chdir(request["folder"])
    gc.enable()
    os.execve = _execve  # type: ignore[assignment]
    _python(request["arguments"], request["environment"])


def _execve(program: str, command: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Go on as another Python without starting anew: ``navviz app`` becomes Streamlit so."""
    if program != sys.executable:
        _EXECVE(program, [*command], environment)
    _python(command[1:], environment)


_EXECVE = os.execve


def _python(arguments: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Be ``python ARGUMENTS``, and end."""
    os.environ.clear()
    os.environ.update(environment)
    sys.excepthook = sys.__excepthook__
    safe = arguments[0] == "-P"
    # of -u too, which execnet gives: it writes to files of its own, without a buffer
    what, *rest = arguments[arguments[0] in {"-P", "-u"} :]
    where = {"-m": str(Path.cwd()), "-c": ""}.get(what)
    if where is None:
        where = str(Path(what).resolve().parent)
    else:
        name, *rest = rest
    sys.argv = [what, *rest]
    result = _told_path()
    sys.path[:] = [
        *([] if safe else [where]),
        *result,
        *(place for place in _PATH if place not in result),
    ]
    code = 0
    try:
        if what == "-m":
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        elif what == "-c":
            sys.modules["__main__"] = ModuleType("__main__")
            exec(name, vars(sys.modules["__main__"]))
        else:
            runpy.run_path(what, run_name="__main__")
    except SystemExit as end:
        code = _code(end.code)
    except BaseException:  # noqa: BLE001 - all that ends a Python
        sys.excepthook(*sys.exc_info())
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # what a Python tears down at its end is all that the zygote has imported


def _told_path() -> list[str]:
    return [place for place in os.environ.get("PYTHONPATH", "").split(":") if place]


def _code(said: object) -> int:
    if isinstance(said, int):
        return said & 0xFF
    if said is not None:
        print(said, file=sys.stderr)
    return 0 if said is None else 1


_PATH: list[str] = []
"""Where Python looks whatever it runs."""

if __name__ == "__main__":
    _PATH[:] = sys.path[1 + len(_told_path()) :]  # the first is where -m was called
    main(int(sys.argv[1]))
    os._exit(0)
