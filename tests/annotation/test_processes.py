"""Many processes at once, processes that are killed, and databases that fail: nothing lost, nothing
doubled.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable

import pytest

from navviz.annotation.records import Item, Navigability
from navviz.annotation.store import AnnotationStore
from navviz.errors import StoreError
from tests.annotation import postgres
from tests.conftest import missing
from tests.paths import ROOT
from tests.zygote import Forked

Opened = Callable[[str], AnnotationStore]
ONE = Item(dataset="sample", episode="1")


def annotator(url: str, name: str, count: int) -> subprocess.Popen[str]:
    return Forked(
        [sys.executable, "-m", "tests.annotation.worker", url, name, str(count)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip


def go(process: subprocess.Popen[str]) -> None:
    process.stdin.write("go\n")
    process.stdin.flush()


@pytest.mark.parametrize(
    ("annotators", "each"), [(3, 60), pytest.param(8, 500, marks=pytest.mark.nightly)]
)
def test_annotators_save_many_ratings_at_once(url, opened, annotators, each):
    processes = [annotator(url, f"annotator {i}", each) for i in range(annotators)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        go(process)
    saved = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0] * annotators
    assert all(len(numbers) == each for numbers in saved)
    study = opened(url).study()
    keys = Counter((rating.annotator, rating.item.episode) for rating in study.ratings())
    assert keys == {(f"annotator {i}", str(k)): 1 for i in range(annotators) for k in range(each)}
    assert len(study.history()) == annotators * each


def test_two_processes_of_one_annotator_rate_each_item_once(url, opened):
    processes = [annotator(url, "fox", 100) for _ in range(2)]
    for process in processes:
        process.stdout.readline()
        go(process)
    for process in processes:
        process.communicate()
        assert process.returncode == 0  # the same values: saved once, and no conflict
    study = opened(url).study()
    assert Counter(rating.item.episode for rating in study.ratings()) == {
        str(k): 1 for k in range(100)
    }
    assert len(study.history()) == 100


def test_kill_9_in_the_middle_of_saving_loses_at_most_the_rating_in_flight(url, opened):
    process = annotator(url, "fox", 100_000)
    process.stdout.readline()
    go(process)
    seen = [process.stdout.readline() for _ in range(40)]
    process.send_signal(signal.SIGKILL)
    # `communicate` would lose what was read ahead with the lines before
    seen += process.stdout.read().splitlines()
    process.communicate()
    said = {line.strip() for line in seen if line.strip()}
    store = opened(url)
    kept = {rating.item.episode for rating in store.study().ratings()}
    assert said <= kept
    assert len(kept - said) <= 1
    assert len(store.study().history()) == len(kept)
    store.sign_in("owl").save(ONE, Navigability(navigable=True), seen=0)  # nothing stays locked


def test_a_read_only_file_can_be_read_and_says_why_it_is_not_written(tmp_path, opened):
    file = tmp_path / "a.sqlite3"
    writable = opened(f"sqlite:///{file}")
    writable.sign_in("fox").save(ONE, Navigability(navigable=True), seen=0)
    read_only = opened(f"sqlite:///file:{file}?mode=ro&uri=true")
    desk = read_only.sign_in("fox")
    assert len(desk.ratings()) == 1
    with pytest.raises(StoreError, match=r"is read-only; make the file and its folder writable"):
        desk.save(ONE, Navigability(navigable=False), seen=1)


def test_a_full_disk_is_told_and_loses_nothing(tmp_path, opened):
    store = opened(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    desk = store.sign_in("fox")
    kept = desk.save(ONE, Navigability(navigable=True), seen=0)
    raw = store._database._engine.raw_connection()
    pages = raw.cursor().execute("PRAGMA page_count").fetchone()[0]
    # SQLite answers as on a disk with no room left
    raw.cursor().execute(f"PRAGMA max_page_count={pages}")
    raw.close()
    with pytest.raises(
        StoreError, match=r"no room left on its disk; free some space and save again"
    ):
        desk.save(ONE, Navigability(navigable=False, comment="x" * 100_000), seen=1)
    assert desk.rating(ONE, "navigability") == kept


def test_a_file_that_is_no_database(tmp_path, opened):
    file = tmp_path / "a.sqlite3"
    file.write_text("not a database, but long enough to look at " * 50)
    with pytest.raises(StoreError, match="is no NavViz database"):
        opened(f"sqlite:///{file}")
    assert file.read_text().startswith("not a database")


def test_a_lost_connection_is_told_without_the_password_and_mends_itself(opened):
    programs = postgres.binaries()
    if programs is None:
        missing("no PostgreSQL here: apt-get install postgresql")
    with postgres.running(programs) as server:
        store = opened(server.url.replace("navviz@", "navviz:hush-hush@"))
        desk = store.sign_in("fox")
        kept = desk.save(ONE, Navigability(navigable=True), seen=0)
        server.stop()
        with pytest.raises(StoreError, match="cannot be reached") as caught:
            desk.save(ONE, Navigability(navigable=False), seen=1)
        assert "hush" not in str(caught.value)
        server.start()
        assert desk.rating(ONE, "navigability") == kept
        assert desk.save(ONE, Navigability(navigable=False), seen=1).revision == 2


def test_a_database_of_a_later_version_is_refused(url, opened):
    store = opened(url)
    with store._database.write() as connection:
        connection.exec_driver_sql("UPDATE meta SET value = '99' WHERE key = 'version'")
    with pytest.raises(StoreError, match=r"version 99, this NavViz reads \d+; update NavViz"):
        opened(url)
