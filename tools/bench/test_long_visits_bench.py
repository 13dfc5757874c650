"""Long visits: twenty sessions beside two browsers for half an hour, and one session of 20,000
steps, with memory.

``NAVVIZ_BENCH_MINUTES`` and ``NAVVIZ_BENCH_STEPS`` make them shorter. Goals: 1.5 s for 95 of 100
pages, and at most 10 % more memory at the end than after the first tenth.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.browser.server import started
from tools.bench.test_visitors_bench import GOAL_S, THINK_S, VISITORS, _steps
from tools.bench.visitors import Visitor, percentile

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.data

MINUTES = float(os.environ.get("NAVVIZ_BENCH_MINUTES", "30"))
STEPS = int(os.environ.get("NAVVIZ_BENCH_STEPS", "20000"))
GOAL_GROWTH = 1.10


def _memory_mb(group: int) -> float:
    """Resident memory of all processes of a group, without what they share with files."""
    pages = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(_fields(path.parent)[2]) == group:
                _, resident, shared, *_ = path.with_name("statm").read_text().split()
                pages += int(resident) - int(shared)
        except OSError:
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _fields(process: Path) -> list[str]:
    """What ``stat`` tells of a process after its name: state, parent, group ..."""
    return (process / "stat").read_text().rpartition(")")[2].split()


def _stand_back(server: int) -> None:
    """Give this process and its browsers less of the processor than the server.

    Visitors work on machines of their own. Here they share two cores with the server, and a
    browser without a graphics card takes a whole core: the server would wait for its visitors.
    """
    ours = {os.getpid()}
    # children have higher numbers than their parents, until numbers begin anew
    for process in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            _, parent, group, *_ = _fields(process)
        except OSError:
            continue
        if int(parent) in ours and int(group) != server:
            ours.add(int(process.name))
    for number in ours:
        os.setpriority(os.PRIO_PROCESS, number, 10)


def _published(data_dir: Path) -> tuple[list[str], tuple[str, ...]]:
    published = data_dir / "groke" / "paper_results" / "test_seen.json"
    arguments = ("--graphs", str(data_dir / "map2seq"), str(published))
    return list(json.loads(published.read_text())), arguments


async def _until(end_s: float, visitors: list[Visitor], firsts: list[str]) -> None:
    async def visit(visitor: Visitor, first: str) -> None:
        while time.monotonic() < end_s:
            await visitor.visit(_steps("test_seen/json", "test_seen/textual", first), 1, THINK_S)

    async with asyncio.TaskGroup() as group:
        for visitor, first in zip(visitors, firsts, strict=True):
            group.create_task(visit(visitor, first))
            await asyncio.sleep(THINK_S / len(visitors))


def _look(page: Page, url: str, episode: str) -> None:
    page.goto(f"{url}/replay?run=test_seen/json&episode={episode}")
    page.get_by_role("button", name="Replay as one HTML file").wait_for()


def test_twenty_sessions_beside_two_browsers(
    benchmark: BenchmarkFixture, chromium: Browser, data_dir: Path, tmp_path: Path
) -> None:
    ids, arguments = _published(data_dir)
    visitors, memory = [Visitor("") for _ in range(VISITORS)], []
    with started(*arguments, workspace=tmp_path, cold=True) as (port, process):
        url = f"http://127.0.0.1:{port}"
        for visitor in visitors:
            visitor.url = url
        pages = [chromium.new_page() for _ in range(2)]
        _stand_back(process.pid)
        began_s = time.monotonic()
        end_s = began_s + 60 * MINUTES
        sessions = Thread(
            target=lambda: asyncio.run(_until(end_s, visitors, ids[2 : 2 + VISITORS]))
        )

        def both() -> None:
            sessions.start()
            looks = 0
            while sessions.is_alive():
                _look(pages[looks % 2], url, ids[looks % len(ids)])
                memory.append((time.monotonic() - began_s, _memory_mb(process.pid)))
                looks += 1
                sessions.join(THINK_S / 2)

        benchmark.pedantic(both, rounds=1)
    times = [seconds for visitor in visitors for _, seconds in visitor.times]
    early = max(mb for at_s, mb in memory if at_s <= max(memory[0][0], 6 * MINUTES))
    figures: dict[str, object] = {
        "pages": len(times),
        "p50_s": percentile(times, 0.5),
        "p95_s": percentile(times, 0.95),
    }
    figures |= {
        "memory_early_mb": early,
        "memory_end_mb": memory[-1][1],
        "looks_of_browsers": len(memory),
        "memory_mb_each_tenth": [mb for _, mb in memory[:: max(1, len(memory) // 10)]],
    }
    for name in sorted({name for visitor in visitors for name, _ in visitor.times}):
        of_page = [s for visitor in visitors for page, s in visitor.times if page == name]
        figures[f"p95_s {name}"] = percentile(of_page, 0.95)
    print(figures)
    benchmark.extra_info |= figures
    assert not [text for visitor in visitors for text in visitor.exceptions]
    assert percentile(times, 0.95) < GOAL_S
    assert memory[-1][1] <= GOAL_GROWTH * early


def test_twenty_thousand_steps_of_one_session(
    benchmark: BenchmarkFixture, data_dir: Path, tmp_path: Path
) -> None:
    ids, arguments = _published(data_dir)
    memory: list[float] = []
    with started(*arguments, workspace=tmp_path, cold=True) as (port, process):
        visitor = Visitor(f"http://127.0.0.1:{port}")
        steps = [
            ("replay", "replay", {"run": "test_seen/json", "episode": episode}) for episode in ids
        ]
        each = max(1, STEPS // 20)

        async def walk() -> None:
            for begin in range(0, STEPS, each):
                part = [steps[number % len(steps)] for number in range(begin, begin + each)]
                await visitor.visit(part, 1, 0.0)
                memory.append(_memory_mb(process.pid))

        benchmark.pedantic(lambda: asyncio.run(walk()), rounds=1)
    times = [seconds for _, seconds in visitor.times]
    figures = {
        "steps": len(times),
        "p95_s": percentile(times, 0.95),
        f"memory_mb_each_{each}": memory,
    }
    print(figures)
    benchmark.extra_info |= figures
    assert visitor.exceptions == []
    assert memory[-1] <= GOAL_GROWTH * memory[max(1, len(memory) // 10)]
