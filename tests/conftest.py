"""Fixtures that all tiers share."""

from __future__ import annotations

import gc
import itertools
import os
import socket
import tempfile
from collections.abc import Generator
from pathlib import Path

import certifi
import pytest
from hypothesis import HealthCheck, settings
from pytest_rerunfailures import ClientStatusDB

from navviz.formats import open_graph
from navviz.support.installation import plugins
from tests import zygote
from tests.chromium import NIGHT_LIMIT_S, TEST_LIMIT_S, Limit, chromium, within
from tests.paths import ROOT, SAMPLES
from tests.thirdparty.site import beacon, broken_plugins

collect_ignore_glob = ["thirdparty/navviz-*"]  # packages of others, which bring tests of their own

__all__ = ["beacon", "broken_plugins", "chromium"]

REQUIRED = os.environ.get("NAVVIZ_REQUIRE_ALL") == "1"
"""Set by ``.ci/run``: a missing browser or data set then fails instead of skipping."""

LIMIT = pytest.StashKey[Limit]()

# A busy machine is no fault of the code: nothing in the ordinary run is measured in seconds.
settings.register_profile(
    "day", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40
)
settings.register_profile("night", parent=settings.get_profile("day"), max_examples=200)
settings.load_profile(os.environ.get("NAVVIZ_TEST_EXAMPLES", "day"))


def pytest_configure(config: pytest.Config) -> None:
    """Keep a process that forks servers and commands, one for all workers, and one cache, which the
    user's own never notices.
    """
    if not hasattr(config, "workerinput"):
        cache = tempfile.TemporaryDirectory(prefix="navviz-cache-", ignore_cleanup_errors=True)
        config.add_cleanup(cache.cleanup)
        os.environ["NAVVIZ_CACHE"] = cache.name
        config.add_cleanup(zygote.begin())


@pytest.fixture(scope="session")
def house():
    """The sample house, with what can be seen there."""
    return open_graph(SAMPLES / "house" / "connectivity")


def missing(reason: str) -> None:
    """Skip, or fail where everything is required."""
    if REQUIRED:
        pytest.fail(f"{reason} (required by NAVVIZ_REQUIRE_ALL=1)")
    pytest.skip(reason)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Send at once what a worker asks the controller before each test: whether an earlier worker
    died of it.

    With `--reruns` pytest-rerunfailures writes two small packets, the second of which waited for
    the first's receipt: 44 ms of the clock and 2 ms of processor time for each of 4,900 tests.
    """
    result = getattr(session.config, "failures_db", None)
    if isinstance(result, ClientStatusDB):
        result.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while all modules are imported, and never look through them later: a
    second of each, a worker.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put browser tests first, whatever the order within: their files take longest, and one alone
    must not be the last.
    """
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Give a test with a browser a limit of time, and the next test a page that answers."""
    if item.get_closest_marker("browser") is None:
        return (yield)
    is_nightly = item.get_closest_marker("nightly") is not None
    with within(NIGHT_LIMIT_S if is_nightly else TEST_LIMIT_S) as limit:
        item.stash[LIMIT] = limit
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, object, object]:
    """Say why the pages of a test are gone."""
    limit = item.stash.get(LIMIT, None)
    if limit is not None and limit.met:
        words = "It took longer than a test may, so its pages were ended (tests/chromium.py)."
        item.add_report_section("call", "time limit", words)
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why a test was tried twice: pytest counts a rerun, and shows nothing of the first try."""
    for report in terminalreporter.stats.get("rerun", []):
        crash = getattr(report.longrepr, "reprcrash", None)
        reason = str(report.longrepr if crash is None else crash.message)
        terminalreporter.line(
            f"RERUN {report.nodeid} after {report.duration:.0f} s: {reason[:600]}"
        )


@pytest.fixture(scope="session")
def data_dir():
    """The public research data beside the checkout (see its README.md); never committed."""
    folder = Path(os.environ.get("NAVVIZ_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        missing(f"no public data at {folder}: set NAVVIZ_TEST_DATA to run the tests on real data")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _one_authority(tmp_path_factory):
    """Trust one certificate authority: no test leaves the machine, and each model client would load
    140, for 20 ms.
    """
    end = "-----END CERTIFICATE-----\n"
    first, mark, _ = certifi.contents().partition(end)
    path = tmp_path_factory.mktemp("authority") / "one.pem"
    path.write_text(first + mark, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(path))
        yield


@pytest.fixture(scope="session")
def _workspaces(tmp_path_factory):
    """Folders for the workspaces of all tests: pytest's own way looks through all earlier ones for
    the next number, which takes longer than most tests once there are thousands.
    """
    parent = tmp_path_factory.mktemp("workspaces")
    return (parent / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_workspace(_workspaces, monkeypatch):
    """No test writes into the user's workspace, nor reads the user's keys."""
    folder = next(_workspaces)
    folder.mkdir()
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(folder))
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY", "NAVVIZ_DB"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _notices_stay_with_their_test():
    """What is wrong with one test's plug-ins is no warning of the next test's commands."""
    before = dict(plugins._noticed)
    yield
    plugins._noticed.clear()
    plugins._noticed.update(before)
