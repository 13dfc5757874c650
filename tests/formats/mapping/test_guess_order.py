"""Latitude or longitude first: told by names, numbers or a map, else a doubt that is said."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from navviz.cli.data_map import map_log
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.structure import structure
from navviz.runs.unknown_logs import GraphsByName, preview

TEXT = "Walk straight on and turn left at the church."
TOWNS = {
    "munich": (48.1374, 11.5755),
    "york": (40.7484, -73.9855),
    "tokyo": (35.6812, 139.7671),
    "london": (51.5074, -0.1278),
    "quito": (-0.1807, -78.4678),
}
DOUBT = "nothing in it says which comes first"


def _log(folder: Path, town: str, first: str, second: str) -> Path:
    """Write walks as lists (no names), as objects, or as columns that end in .csv."""
    lat, lon = TOWNS[town]
    track: list[Any] = []
    for k in range(6):
        place = {"lat": lat + k * 1e-4, "lon": lon + (k % 3) * 1e-4}
        place |= {"x": place["lon"], "y": place["lat"]}
        pair = [place[first.strip("[.]")], place[second.strip("[.]")]]
        track.append(pair if first.startswith("[") else {first: pair[0], second: pair[1]})
    if not first.startswith("."):
        path = folder / "walks.json"
        # lists under "coordinates" are GeoJSON's; objects there are not
        key = "track" if first.startswith("[") else "coordinates"
        entries = [{"id": name, "text": TEXT, key: track} for name in "ab"]
        path.write_text(json.dumps(entries))
        return path
    path = folder / "walks.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", first[1:], second[1:]])
        for name in "ab":
            writer.writerows([name, TEXT, *place.values()] for place in track)
    return path


def _read(path: Path) -> tuple[str, str]:
    mapping = guess(structure(path))
    seen = preview(mapping, path, GraphsByName((), lambda _path, _world: pytest.fail("no map")))
    return mapping.walk.frame, seen.sentence


@pytest.mark.parametrize("town", TOWNS)
def test_names_tell_the_order_wherever_they_stand(tmp_path: Path, town: str) -> None:
    """Objects with lat and lon under "coordinates" were read as GeoJSON's lists: swapped."""
    for first, second in (("lat", "lon"), ("lon", "lat"), (".lat", ".lon"), (".lon", ".lat")):
        frame, sentence = _read(_log(tmp_path, town, first, second))
        assert (frame, DOUBT in sentence) == ("latlon", False), (first, second)
    # programs of maps write the longitude as x
    for first, second in (("x", "y"), (".x", ".y")):
        assert _read(_log(tmp_path, town, first, second))[0] == "lonlat"


def test_numbers_tell_the_order_of_lists_or_a_doubt_is_said(tmp_path: Path) -> None:
    for town, (_, lon) in TOWNS.items():
        # swapped, London and Quito would lie in the sea or beyond where people live
        certain = not -56 < lon < 72 or town == "london"
        for first, frame in (("[lat]", "latlon"), ("[lon]", "lonlat")):
            second = {"[lat]": "[lon]", "[lon]": "[lat]"}[first]
            taken, sentence = _read(_log(tmp_path, town, first, second))
            if certain:
                assert (taken, DOUBT in sentence) == (frame, False), town
            elif taken == "latlon":
                assert DOUBT in sentence, town
                assert sentence.endswith("or set walk.frame=lonlat.")


def test_the_command_says_the_doubt_until_somebody_has_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _log(tmp_path, "munich", "[lon]", "[lat]")
    map_log(path)
    assert DOUBT in capsys.readouterr().out
    map_log(path, corrections=["walk.frame=lonlat"], save=True)
    map_log(path)
    assert DOUBT not in capsys.readouterr().out
