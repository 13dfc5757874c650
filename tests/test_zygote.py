"""A forked Python is what a started one would be, and sees nothing of those before it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.zygote import ADDRESS, Forked, forked

pytestmark = pytest.mark.skipif(
    ADDRESS not in os.environ, reason="processes are started here, not forked"
)

LOOK = """
import gc, json, os, signal, sys, threading
def inner(): return __name__
print(json.dumps({
    "argv": sys.argv, "path": sys.path, "name": inner(), "main": vars(sys.modules["__main__"]).get("LOOKED"),
    "folder": os.getcwd(), "environment": dict(os.environ), "input": sys.stdin.read(), "leads": os.getpid() == os.getsid(0),
    "threads": [threading.active_count(), len(os.listdir("/proc/self/task"))], "garbage": gc.isenabled(),
    "signals": {number: str(signal.getsignal(number)) for number in (2, 13, 15, 17)}, "wakeup": signal.set_wakeup_fd(-1),
    "files": [name for name in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + name)],
}))
print("said", file=sys.stderr)
"""


def look(
    kind: type[subprocess.Popen[str]], arguments: list[str], folder: Path, *, session: bool
) -> tuple[object, str]:
    process = kind(
        [sys.executable, *arguments],
        cwd=folder,
        env={
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(folder),
            "NAVVIZ_WORKSPACE": str(folder / "mine"),
        },
        start_new_session=session,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said, noise = process.communicate("from the test")
    assert process.returncode == 0, noise
    return json.loads(said), noise


@pytest.mark.parametrize("way", [["-c", LOOK], ["-m", "look"], ["-P", "-m", "look"], ["look.py"]])
def test_it_is_what_a_started_one_would_be(way: list[str], tmp_path: Path) -> None:
    (tmp_path / "look.py").write_text("LOOKED = 1\n" + LOOK)
    arguments = [*way, "--an", "option"]
    cold = look(subprocess.Popen, arguments, tmp_path, session=True)
    assert look(Forked, arguments, tmp_path, session=True) == cold


def test_it_becomes_another_python_as_if_it_were_started(tmp_path: Path) -> None:
    code = f"import os, sys; os.execve(sys.executable, [sys.executable, '-P', '-c', {LOOK!r}, 'x'], {{'LC_ALL': 'C.UTF-8'}})"
    cold = look(subprocess.Popen, ["-c", code], tmp_path, session=False)
    assert look(Forked, ["-c", code], tmp_path, session=False) == cold


@pytest.mark.parametrize(("code", "ended", "said"), [
    ("pass", 0, ""),
    ("raise SystemExit", 0, ""),
    ("raise SystemExit(3)", 3, ""),
    ("raise SystemExit('no')", 1, "no"),
    ("raise ValueError('bad')", 1, "ValueError: bad"),
    ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -9, ""),
    ("import atexit; atexit.register(print, 'at the end', file=__import__('sys').stderr)", 0, "at the end"),
    ("import threading; threading.Timer(0.1, print, ['later'], {'file': __import__('sys').stderr}).start()",
        0, "later"),
])  # fmt: skip
def test_it_ends_as_a_started_one_would(code: str, ended: int, said: str) -> None:
    done = forked([sys.executable, "-c", code], text=True)
    assert done.returncode == ended
    assert done.stderr.strip().rpartition("\n")[2] == said


def test_it_is_waited_for_and_killed() -> None:
    with Forked([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.01)
        process.kill()
        assert process.wait() == process.poll() == -signal.SIGKILL
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def test_nothing_of_one_is_seen_by_the_next(tmp_path: Path) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text("[server]\nport = 4711\n")
    mark = "import os, navviz; navviz.MARK = 1; os.environ['MARK'] = '1'\n"
    look = "import os, navviz, streamlit as st; print(vars(navviz).get('MARK'), 'MARK' in os.environ, st.get_option('server.port'))"
    first = forked([sys.executable, "-c", mark + look], cwd=tmp_path, text=True)
    assert first.stdout.split() == ["1", "True", "4711"]
    second = forked([sys.executable, "-c", look], cwd=ROOT, text=True)
    assert second.stdout.split() == ["None", "False", "8501"]


def test_nothing_was_read_kept_or_registered_beforehand() -> None:
    """Caches of our functions may depend on the environment, Streamlit's settings do, and
    components need a server.
    """
    code = (
        "import functools, json, os, sys, streamlit.config as config, streamlit.runtime as runtime\n"
        "ours = {name: module for name, module in sys.modules.items() if name.startswith('navviz')}\n"
        "functions = [value for module in ours.values() for value in vars(module).values()]\n"
        "caches = [value for value in functions if isinstance(value, functools._lru_cache_wrapper)]\n"
        # a word has the same stem everywhere, a path the same parts, and our own files do not change
        "same = {'_stem', '_clause_stem', 'parse_path', 'own_file'}\n"
        "caches = [one for one in caches if one.__name__ not in same]\n"
        "late = {'streamlit_folium', 'navviz.ui.explore.atlas'} & set(sys.modules)\n"
        "print(len(ours) > 300, len(caches) > 10, sum(one.cache_info().currsize for one in caches))\n"
        "print(config._config_options, runtime.exists(), late, len(os.listdir('/proc/self/task')))"
    )
    completed = forked([sys.executable, "-c", code], text=True, cwd=ROOT)
    assert completed.stdout.splitlines() == ["True True 0", "None False set() 1"], completed.stderr
