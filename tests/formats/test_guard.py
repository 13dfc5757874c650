"""What no file may do: raise anything but an `InputError`, wait, fill the memory, or become wrong
data unsaid.
"""

from __future__ import annotations

import bz2
import gzip
import json
import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from navviz.errors import InputError, Problem, Problems, RecordError
from navviz.formats import discover, files, open_episodes, open_graph, open_results
from navviz.llm.prices import load_prices
from navviz.llm.scripted import Scripted
from navviz.records import Price
from navviz.runner.config import read_config
from navviz.support import guarded
from navviz.support.guarded import archives
from tests.grids import grid, split_item, straight, write_grid, write_json

DEEP = "[" * 100_000
LONG = "9" * 5000


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (DEEP.encode(), "nested too deeply"),
        (b'{"a": NaN}', "holds NaN"),
        (b'{"a": [-Infinity]}', "holds -Infinity"),
        (b'{"a": 1e999}', "holds the number 1e999"),
        (f'{{"a": {LONG}}}'.encode(), "an integer of 5,000 digits"),
        (f'{{"a": {"9" * 309}}}'.encode(), "an integer of 309 digits"),
        (b'{"a": "\\ud83d"}', r"half a character \(\\ud83d alone\)"),
        (b'{"\\udc00": 1}', "half a character"),
        (b'{"a": "\xff"}', "no text in UTF-8"),
        (b'{"a": ', "is no JSON"),
        (b"", "is no JSON"),
    ],
)
def test_json_that_nothing_can_take_is_one_sentence_that_names_the_file(
    tmp_path: Path, raw: bytes, said: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(raw)
    with pytest.raises(InputError, match=said) as caught:
        guarded.read_json(path)
    assert str(caught.value).startswith("bad.json: ")
    assert len(str(caught.value)) <= 400


def test_what_other_programs_logged_is_kept_without_the_numbers_that_are_none() -> None:
    text = f'{{"a": NaN, "b": 1e999, "c": {LONG}, "d": "x\\ud83d", "e": "\\ud83d\\ude00", "f": [1, 2.5]}}'
    assert guarded.parse_json(text, "log", lenient=True) == {
        "a": None, "b": None, "c": None, "d": "x\ufffd", "e": "\U0001f600", "f": [1, 2.5],
    }  # fmt: skip
    assert guarded.parse_json('"\\ud83d\\ude00"', "log") == "\U0001f600"


def _opened(path: Path) -> None:
    for opened in (open_graph, open_episodes, lambda p: open_results(p, grid()), discover):
        with pytest.raises(InputError) as caught:
            opened(path)
        assert len(str(caught.value)) <= 400


def test_pipes_devices_and_names_that_are_no_paths_are_refused_and_not_waited_for(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "run.json")
    _opened(tmp_path / "run.json")
    _opened(Path("/dev/zero"))
    _opened(tmp_path / ("x" * 300))
    with pytest.raises(InputError, match=r"run\.json: is a pipe"):
        guarded.read_json(tmp_path / "run.json")
    with pytest.raises(InputError, match="is a folder"):
        guarded.read_json(tmp_path)


def test_a_folder_is_listed_past_pipes_and_sparse_files(tmp_path: Path) -> None:
    write_json(tmp_path / "split.json", [split_item(straight(), 1)])
    os.mkfifo(tmp_path / "a.json")
    with (tmp_path / "b.jsonl").open("wb") as file:
        file.truncate(1 << 40)
    assert discover(tmp_path).episodes == (tmp_path / "split.json",)


def test_a_folder_that_is_locked_spoils_none_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_json(tmp_path / "split.json", [split_item(straight(), 1)])
    locked = tmp_path / "locked"
    locked.mkdir()
    stat = Path.stat

    def refused(self: Path, **more: bool) -> os.stat_result:
        if locked in self.parents:
            raise PermissionError(13, "Permission denied")
        return stat(self, **more)

    monkeypatch.setattr(Path, "stat", refused)
    assert discover(tmp_path).episodes == (tmp_path / "split.json",)
    with pytest.raises(InputError, match=r"cannot be opened \(Permission denied\)"):
        open_episodes(locked / "split.json")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("honest", [True, False])
def test_a_packed_bomb_stops_where_it_is_larger_than_data_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes], *, honest: bool
) -> None:
    monkeypatch.setattr(archives, "UNPACKED_BYTES", 1 << 20)
    line = json.dumps({"a": "x" * 1000}).encode() + b"\n"
    raw = pack(line * 4000)
    path = tmp_path / f"bomb.jsonl.{'gz' if pack is gzip.compress else 'bz2'}"
    path.write_bytes(raw if honest else raw[:-4] + bytes(4))
    problems = Problems()
    if honest and pack is gzip.compress:  # its end tells what it unpacks to: it is not even begun
        with pytest.raises(
            InputError, match="unpacks to more than 1 MB, the limit for a packed file of its size"
        ):
            next(files.json_lines(path, problems))
        return
    count = sum(1 for _ in files.json_lines(path, problems))
    assert 0 < count <= (1 << 20) // len(line)
    assert "unpacks to more than 1 MB" in str(problems.kept[-1])


@pytest.mark.parametrize(("pack", "ending"), [(gzip.compress, "gz"), (bz2.compress, "bz2")])
def test_a_packed_map_that_is_a_bomb_or_cut_off_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes], ending: str
) -> None:
    monkeypatch.setattr(archives, "UNPACKED_BYTES", 1 << 20)
    path = tmp_path / f"town.osm.{ending}"
    path.write_bytes(pack(b"<osm>" + b" " * (1 << 22) + b"</osm>"))
    with pytest.raises(InputError, match="unpacks to more than 1 MB"):
        open_graph(path)
    path.write_bytes(pack(b"<osm>" + os.urandom(1000).hex().encode() + b"</osm>")[:-12])
    with pytest.raises(InputError, match=r"is a damaged (gzip|bzip2) file|is broken OSM XML"):
        open_graph(path)


def test_a_line_without_end_ends_the_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "ITEM_BYTES", 1000)
    (tmp_path / "long.jsonl").write_text('{"a": 1}\n' + "\0" * 50_000)
    problems = Problems()
    assert [value for _, value in files.json_lines(tmp_path / "long.jsonl", problems)] == [{"a": 1}]
    assert problems.count == 1


def test_halves_of_characters_do_not_come_out_of_items_and_lines(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('["\\ud83d", "\\ud83d\\ude00"]')
    (tmp_path / "a.jsonl").write_text('{"k": "\\uDC00"}\n')
    assert [value for _, value in files.json_items(tmp_path / "a.json", Problems())] == [
        "\ufffd",
        "\U0001f600",
    ]
    assert [value for _, value in files.json_lines(tmp_path / "a.jsonl", Problems())] == [
        {"k": "\ufffd"}
    ]


def test_what_a_reader_did_not_foresee_is_a_sentence_and_a_log_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_json(tmp_path / "split.json", [split_item(straight(), 1)])

    def broken(*_: object) -> None:
        raise ZeroDivisionError("x" * 1_000_000)

    monkeypatch.setattr("navviz.formats.map2seq.splits.Map2SeqSplit.read", broken)
    with (
        caplog.at_level(logging.ERROR),
        pytest.raises(InputError, match="ZeroDivisionError") as caught,
    ):
        open_episodes(path)
    assert len(str(caught.value)) <= 400
    assert "broke" in caplog.text


def test_a_sentence_has_at_most_400_characters_and_still_says_where_and_what_to_do() -> None:
    said = str(
        Problem("w" * 20_000_000, "d" * 900, "/long/" * 90 + "run.jsonl:12", "e" * 500, "f" * 500)
    )
    assert len(said) <= 400
    assert "run.jsonl:12, episode e" in said
    assert "; ddd" in said
    assert len(Problem("w" * 20_000_000).what) <= 400


@pytest.mark.parametrize("price", ["NaN", "-1", "Infinity", "1e999"])
def test_a_price_that_would_let_a_budget_never_end_is_refused(tmp_path: Path, price: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(f'{{"m": {{"prompt_usd": {price}, "output_usd": 1}}}}')
    with pytest.raises(InputError, match="is no table of prices"):
        load_prices(path)
    with pytest.raises(RecordError):
        Price(prompt_usd=float(price), output_usd=1.0)


@pytest.mark.parametrize("raw", [b"\xff\xfe", DEEP.encode(), b"{}", b'{"graphs": NaN}'])
def test_our_own_files_are_guarded_too(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "run.json").write_bytes(raw)
    for read in (lambda p: read_config(p.parent), load_prices, Scripted.from_file):
        if raw == b"{}" and read is load_prices:
            continue
        with pytest.raises(InputError):
            read(tmp_path / "run.json")


def test_a_graph_without_links_is_told(tmp_path: Path) -> None:
    folder = write_grid(tmp_path / "town")
    (folder / "graph" / "links.txt").write_text("")
    assert any(
        "links.txt: holds no link" in str(problem)
        for problem in open_graph(folder).info.problems.kept
    )


_OSM = """<osm>{nodes}<way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><tag k="highway" v="footway"/></way>
<way id="2"><nd ref="4"/><nd ref="5"/><tag k="highway" v="footway"/></way></osm>"""
_PLACES = {
    1: (48.0, 11.0), 2: (48.001, 11.0), 3: (48.002, 11.0), 4: (48.003, 11.0), 5: (48.004, 11.0),
}  # fmt: skip


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ((0.0, 0.0), "node 3 lies at 0,0"),
        ((11.0, 48.002), "node 3 has latitude and longitude swapped"),
        ((95.0, 11.0), "node 3 is no position in degrees"),
        ((48.002, 12.0), "a street jumps 74 km"),
    ],
)
def test_an_osm_node_out_of_place_is_told_and_invents_no_streets(
    tmp_path: Path, place: tuple[float, float], said: str
) -> None:
    places = {**_PLACES, 3: place}
    nodes = "".join(
        f'<node id="{key}" lat="{lat}" lon="{lon}"/>' for key, (lat, lon) in places.items()
    )
    path = tmp_path / "town.osm"
    path.write_text(_OSM.format(nodes=nodes))
    graph = open_graph(path)
    assert any(said in str(problem) for problem in graph.info.problems.kept)
    assert len(graph.ids) < 60


@pytest.mark.parametrize(
    ("lat", "said"),
    [
        ("9" * 200, "node 7 has no position; write lat and lon in degrees"),
        ("0", "place n7 lies at 0,0; correct its position"),
        ("11.0", "place n7 has latitude and longitude swapped; correct its position"),
    ],
)
def test_a_place_nowhere_near_the_streets_is_left_out_and_named(
    tmp_path: Path, lat: str, said: str
) -> None:
    places = {str(key): (str(lat), str(lon)) for key, (lat, lon) in _PLACES.items()}
    places["7"] = (lat, {"0": "0", "11.0": "48.0"}.get(lat, "11.0"))
    shop = '<tag k="shop" v="bakery"/>'
    nodes = "".join(
        f'<node id="{key}" lat="{lat}" lon="{lon}">{shop if key in {"2", "7"} else ""}</node>'
        for key, (lat, lon) in places.items()
    )
    path = tmp_path / "town.osm"
    path.write_text(_OSM.format(nodes=nodes))
    graph = open_graph(path)
    assert list(graph.pois) == ["n2"]
    assert [str(problem) for problem in graph.info.problems.kept] == [
        f"town.osm: {said}; it is left out."
    ]


def test_one_heading_that_is_no_number_does_not_turn_the_others_to_degrees(tmp_path: Path) -> None:
    from navviz.formats.trajectories import _in_degrees, _walk

    items = [{"trajectory": [["a", 1.5, 0.0], ["b", float("nan"), 0.0], ["c", 10**400, 0.0]]}]
    problems = Problems()
    assert _in_degrees([(item, _walk(item)) for item in items], "submit.json", problems) is False
    assert [str(problem) for problem in problems.kept] == [
        "submit.json, field trajectory: 2 headings are no finite numbers; they are shown as missing."
    ]
