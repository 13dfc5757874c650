"""The same traces in the spellings of other programs, in one file or in many, give the same run."""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz.formats import Run, open_episodes, open_graph, open_results
from navviz.metrics.score import score_run
from navviz.records.trace_files import natural
from navviz.support.installation.files import samples_dir
from navviz.world.graph import Graph
from tests.records.spellings import PACKINGS, SPELLINGS

HARBOUR = samples_dir() / "harbour"
WALKS = HARBOUR / "runs" / "rules"
FILES = sorted(WALKS.glob("*.trace.jsonl"), key=lambda file: natural(file.name))


@pytest.fixture(scope="module")
def graph() -> Graph:
    return open_graph(HARBOUR / "osm" / "graph")


@pytest.fixture(scope="module")
def expected(graph: Graph) -> Run:
    (run,) = open_results(WALKS, graph)
    assert len(run) == len(FILES) == 14
    return run


def _check(path: Path, graph: Graph, expected: Run) -> None:
    (run,) = open_results(path, graph)
    assert list(map(str, run.problems.kept)) == []
    assert dict(run.traces) == dict(expected.traces)
    one, other = (score_run(each, lambda _world: graph) for each in (run, expected))
    assert (dict(one.rows), one.means) == (dict(other.rows), other.means)
    assert open_episodes(path).episodes == expected.episodes


@pytest.mark.parametrize("name", SPELLINGS)
def test_joined_episodes_are_as_many_episodes(
    name: str, tmp_path: Path, graph: Graph, expected: Run
) -> None:
    path = tmp_path / "all.jsonl"
    path.write_bytes(SPELLINGS[name](b"".join(file.read_bytes() for file in FILES)))
    _check(path, graph, expected)


@pytest.mark.parametrize("ending", PACKINGS)
@pytest.mark.parametrize("name", ["own", "type last"])
def test_packed_files_too(
    name: str, ending: str, tmp_path: Path, graph: Graph, expected: Run
) -> None:
    packed, spelled = PACKINGS[ending], SPELLINGS[name]
    folder = tmp_path / "folder"
    folder.mkdir()
    for file in FILES:
        (folder / f"{file.name}{ending}").write_bytes(packed(spelled(file.read_bytes())))
    path = tmp_path / f"all.jsonl{ending}"
    path.write_bytes(packed(spelled(b"".join(file.read_bytes() for file in FILES))))
    _check(folder, graph, expected)
    _check(path, graph, expected)


def test_each_of_the_joined_files_may_begin_with_a_byte_order_mark(
    tmp_path: Path, graph: Graph, expected: Run
) -> None:
    path = tmp_path / "all.jsonl"
    path.write_bytes(b"".join(b"\xef\xbb\xbf" + file.read_bytes() for file in FILES))
    _check(path, graph, expected)


def test_a_file_of_several_may_lie_among_files_of_one(
    tmp_path: Path, graph: Graph, expected: Run
) -> None:
    first, second, *others = FILES
    (tmp_path / first.name).write_bytes(
        first.read_bytes() + SPELLINGS["type last"](second.read_bytes())
    )
    for file in others:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    _check(tmp_path, graph, expected)


def test_a_name_without_the_usual_ending_is_no_matter(
    tmp_path: Path, graph: Graph, expected: Run
) -> None:
    path = tmp_path / "all.txt"
    path.write_bytes(SPELLINGS["sorted keys"](b"".join(file.read_bytes() for file in FILES)))
    _check(path, graph, expected)
