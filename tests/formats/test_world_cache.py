"""The cache of large worlds: the same graph, read anew where a byte differs or the cache is no
good.
"""

from __future__ import annotations

import numpy as np
import pytest

from navviz.errors import InputError
from navviz.formats import open_graph, world_cache
from navviz.formats.map2seq import splits
from tests.grids import write_grid


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(world_cache, "LARGE_BYTES", 1)
    return tmp_path / "cache" / "worlds"


@pytest.fixture
def world(tmp_path):
    folder = write_grid(tmp_path / "town")
    with (folder / "graph" / "links.txt").open("a") as file:
        file.write("r0c0,90,nowhere\n")
    return folder


def _refuse_to_read(monkeypatch):
    def refuse(folder, name):
        raise InputError("was read anew")

    monkeypatch.setattr(splits, "_read", refuse)


def test_the_second_time_a_world_comes_from_the_cache_and_is_the_same(world, cache, monkeypatch):
    first = open_graph(world)
    assert len(list(cache.glob("*.npz"))) == 1
    _refuse_to_read(monkeypatch)
    again = open_graph(world)
    assert (again.name, again.ids, dict(again.pois)) == (first.name, first.ids, dict(first.pois))
    for array in (
        "positions",
        "sources",
        "targets",
        "headings_deg",
        "poi_link_nodes",
        "poi_link_positions",
    ):
        np.testing.assert_array_equal(getattr(again, array), getattr(first, array))
    assert again.links("r0c0") == first.links("r0c0")
    assert again.poi_links("r0c0") == first.poi_links("r0c0")
    assert again.info.problems == first.info.problems
    assert again.info.problems.count == 1
    assert again.info.source == first.info.source


def test_lengths_and_shapes_come_from_the_cache_too(world, cache, monkeypatch):
    (world / "graph" / "link_shapes.txt").write_text(
        "r0c0,r1c0,40.5,54.0001 10.0002;54.0003 10.0002\n"
    )
    first = open_graph(world)
    assert first.link_m("r0c0", "r1c0") == 40.5
    _refuse_to_read(monkeypatch)
    again = open_graph(world)
    np.testing.assert_array_equal(again.given_lengths_m, first.given_lengths_m)
    assert again.bends("r0c0", "r1c0").tolist() == [[54.0001, 10.0002], [54.0003, 10.0002]]
    assert len(again.bends("r1c0", "r0c0")) == 0


def test_a_world_without_lengths_keeps_none_in_the_cache(world, cache):
    open_graph(world)
    (path,) = cache.glob("*.npz")
    with np.load(path) as kept:
        assert not {"given_lengths_m", "bends", "bends_begin"} & set(kept.files)
    assert open_graph(world).given_lengths_m is None


def test_other_shapes_are_another_world(world, cache, monkeypatch):
    open_graph(world)
    (world / "graph" / "link_shapes.txt").write_text("r0c0,r1c0,40.5,\n")
    assert open_graph(world).link_m("r0c0", "r1c0") == 40.5


def test_one_other_byte_is_another_world(world, cache, monkeypatch):
    open_graph(world)
    links = world / "graph" / "links.txt"
    links.write_bytes(links.read_bytes().replace(b"nowhere", b"elsewhe"))
    _refuse_to_read(monkeypatch)
    with pytest.raises(InputError, match="read anew"):
        open_graph(world)


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other"])
def test_a_damaged_cache_is_not_there(world, cache, damage):
    first = open_graph(world)
    (path,) = cache.glob("*.npz")
    whole = path.read_bytes()
    flipped = bytearray(whole)
    place = whole.index(b"r3c3")
    flipped[place] ^= 1
    path.write_bytes(
        {"cut": whole[:-500], "flip": bytes(flipped), "empty": b"", "other": b"PK no archive"}[
            damage
        ]
    )
    again = open_graph(world)
    assert again.ids == first.ids
    assert path.read_bytes() != b""


def test_nothing_is_kept_of_small_worlds_or_where_one_may_not_write(
    world, cache, monkeypatch, tmp_path
):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("NAVVIZ_CACHE", str(blocked))
    assert len(open_graph(world)) == 49
    assert blocked.read_text() == "no folder"
    monkeypatch.setenv("NAVVIZ_CACHE", str(cache.parent))
    monkeypatch.setattr(world_cache, "LARGE_BYTES", 10**9)
    open_graph(world)
    assert not cache.exists()


def test_the_oldest_worlds_make_room(cache, monkeypatch):
    monkeypatch.setattr(world_cache, "_KEPT", 2)
    for key in ("a", "b", "c"):
        world_cache.save(key, {"x": np.arange(3)})
    assert len(list(cache.glob("*.npz"))) == 2
    assert not list(cache.glob("*.part"))
