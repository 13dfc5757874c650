"""NavViz without what only POSIX systems have: it can be imported, and opens and walks runs."""

from __future__ import annotations

import ast
import os
import re
import sys

import pytest

from tests.paths import ROOT, SAMPLES
from tests.zygote import forked

MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "readline"}
NAMES = {
    "os": {
        "fork", "forkpty", "register_at_fork", "getuid", "geteuid", "getgid", "getpgid", "killpg", "setsid", "nice",
        "chown", "fchmod", "fchown", "mkfifo", "pread", "preadv", "pwrite", "sched_getaffinity", "statvfs", "uname",
        "wait3", "wait4", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG",
    },
    "signal": {
        "SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIG_BLOCK", "SIG_SETMASK",
        "SIG_UNBLOCK", "alarm", "pause", "pthread_sigmask", "setitimer", "sigwait",
    },
}  # fmt: skip
"""What Windows lacks."""
_WORDS = re.compile(rf"\b({'|'.join(sorted(MODULES.union(*NAMES.values())))})\b")
"""A file without one of these words need not be parsed: few have one."""

_ANEW = """
import sys
for name in [name for name in sys.modules if name.partition(".")[0] == "navviz"]:
    del sys.modules[name]
"""
_HIDE = f"""
import asyncio, filelock, multiprocessing, os, pkgutil, shutil, signal, subprocess, sys, tarfile, tempfile
for name in {sorted(MODULES)!r}:
    sys.modules[name] = None  # an import of it fails from here on
# other packages need the rest: they take another way on Windows by sys.platform
del os.O_NOFOLLOW, os.O_NONBLOCK, os.pread, os.register_at_fork, os.fork, signal.pthread_sigmask
"""
_IMPORT = """
import logging
logging.disable()
import navviz
for module in pkgutil.walk_packages(navviz.__path__, "navviz."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
print(len([name for name in sys.modules if name.startswith("navviz")]))
"""
_WALK = """
from pathlib import Path
import navviz
from navviz.cli import main
harbour, episodes, out = map(Path, sys.argv[1:])
sys.argv = ["navviz", "run", "--navigator", "rules", "--graphs", str(harbour), "--episodes", str(episodes),
            "r", "--ids", "1", "--out", str(out)]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
run = navviz.open_run(out / "r", graphs=harbour)
print(list(run.traces), run.trace("1").header.navigator)
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What one Python prints that imports every module, and walks and opens a run: to import them
    all takes longer than all the rest.

    Forked, it has other packages already, and imports NavViz anew: 2 instead of 8 seconds.
    """
    home, harbour = tmp_path_factory.mktemp("home"), SAMPLES / "harbour"
    places = (harbour, harbour / "splits" / "sample.json", home / "out")
    code = "import warnings; warnings.simplefilter('ignore')\n" + _ANEW + _HIDE + _IMPORT + _WALK
    done = forked(
        [sys.executable, "-c", code, *map(str, places)],
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(home)},
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def _guarded(tree: ast.AST) -> set[str]:
    """Names that a file asks for by `hasattr` or `getattr` before it uses them."""
    return {
        call.args[1].value
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in {"hasattr", "getattr"}
        and isinstance(call.args[1], ast.Constant)
    }


def test_no_file_uses_what_windows_lacks():
    wrong = []
    for path in (ROOT / "navviz").rglob("*.py"):
        text = path.read_text()
        if not _WORDS.search(text):
            continue
        tree = ast.parse(text)
        guarded = _guarded(tree)
        masks = (
            {"SIG_BLOCK", "SIG_SETMASK", "SIG_UNBLOCK"} if "pthread_sigmask" in guarded else set()
        )
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                wrong += [(path.name, alias.name) for alias in node.names if alias.name in MODULES]
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                lacking = NAMES.get(node.value.id, set()) - guarded - masks
                if node.attr in lacking:
                    wrong.append((path.name, f"{node.value.id}.{node.attr}"))
    assert not wrong


def test_every_module_can_be_imported_without_them(printed):
    assert int(printed[0]) > 500


def test_a_run_is_walked_and_opened_without_them(printed):
    assert printed[-1] == "['1'] rules"
