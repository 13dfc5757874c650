"""Faults that are planted into sound episodes, to measure what the check of instructions finds."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from navviz.analysis.contradictions import (
    Claim,
    ClaimKind,
    contradictions,
    find_place,
    side_of_place,
)
from navviz.analysis.described_route import align_turns, described_sides, described_turns
from navviz.analysis.turns import first_heading_deg, route_turns
from navviz.formats import open_episodes, open_graph
from navviz.records import Episode
from navviz.world.graph import Graph

OTHER = {"left": "right", "right": "left"}


@dataclass(frozen=True)
class Fault:
    """One fault in one episode."""

    kind: ClaimKind
    episode: Episode
    """The episode with the fault."""
    place: int | None
    """Where in the text it was planted."""

    def is_found_by(self, claim: Claim) -> bool:
        """Tell whether a claim names this fault, where it is."""
        if claim.kind != self.kind:
            return False
        if self.place is None or claim.words is None:
            return self.place is None
        start, end = claim.words
        return start <= self.place < end


def swap(text: str, start: int, end: int) -> str:
    """Turn a word's left into right, or back."""
    word = text[start:end]
    side = "left" if word.lower().startswith("left") else "right"
    other = word.lower().replace(side, OTHER[side])
    if word[0].isupper():
        other = other.capitalize()
    return f"{text[:start]}{other}{text[end:]}"


def with_text(episode: Episode, text: str) -> Episode:
    return episode.model_copy(update={"instruction": text})


def clear_turns(episode: Episode, graph: Graph) -> list[tuple[int, int]]:
    """Where in the text the words of clear turns stand."""
    described = described_turns(episode.instruction)
    made = route_turns(episode.reference_path, graph, episode.start_heading_deg)
    words = []
    for i, j in align_turns(described, made).pairs:
        turn = described[i]
        certain = turn.certainty == "certain" and made[j].clear
        if certain and turn.side == made[j].side:
            words.append((turn.start, turn.end))
    return words


def swapped_turn(episode: Episode, graph: Graph, chance: random.Random) -> Fault | None:
    words = clear_turns(episode, graph)
    if not words:
        return None
    start, end = chance.choice(words)
    text = swap(episode.instruction, start, end)
    return Fault("turn", with_text(episode, text), start)


def lost_turn(episode: Episode, graph: Graph, chance: random.Random) -> Fault | None:
    """The words before a side, from the verb on, become "continue"."""
    words = clear_turns(episode, graph)
    if not words:
        return None
    start, end = chance.choice(words)
    text = episode.instruction
    verbs = ("turn", "take", "make", "head", "go ", "hang", "hook")
    begin = max(text.lower().rfind(verb, 0, start) for verb in verbs)
    if begin < start - 25:
        return None
    return Fault("missing", with_text(episode, f"{text[:begin]}continue{text[end:]}"), begin)


def swapped_side(episode: Episode, graph: Graph, chance: random.Random) -> Fault | None:
    """The side of a place that the map confirms."""
    path = episode.reference_path
    turns = route_turns(path, graph, episode.start_heading_deg)
    confirmed = []
    for described in described_sides(episode.instruction):
        place = find_place(described.name, path, graph)
        seen = side_of_place(place, path, turns, graph) if place is not None else None
        if seen is not None and seen.side == described.side:
            confirmed.append(described)
    if not confirmed:
        return None
    described = chance.choice(confirmed)
    text = swap(episode.instruction, described.side_start, described.side_end)
    return Fault("landmark", with_text(episode, text), described.side_start)


def turned_start(episode: Episode, graph: Graph, chance: random.Random) -> Fault | None:
    heading_deg = first_heading_deg(episode.reference_path, graph) + chance.uniform(80.0, 280.0)
    turned = episode.model_copy(update={"start_heading_deg": heading_deg % 360.0})
    return Fault("heading", turned, None)


Planter = Callable[[Episode, Graph, random.Random], Fault | None]
PLANTERS: tuple[Planter, ...] = (swapped_turn, lost_turn, swapped_side, turned_start)


def planted(
    plant: Planter, episodes: Iterable[Episode], graph: Graph, most: int
) -> Iterator[Fault]:
    """Plant one fault in each of `most` episodes, in a seeded order."""
    chance = random.Random(18)
    shuffled = list(episodes)
    chance.shuffle(shuffled)
    count = 0
    for episode in shuffled:
        fault = plant(episode, graph, chance)
        if fault is None or count == most:
            continue
        count += 1
        yield fault


def map2seq_episodes(data: Path) -> dict[str, Episode]:
    """The 1,305 episodes of the splits `test_seen` (GROKE's 700) and `val`."""
    tests = open_episodes(data / "groke" / "paper_results" / "main_test_seen.json").episodes
    validation = open_episodes(data / "map2seq" / "splits" / "val.json").episodes
    return {**tests, **validation}


def panorama_world(data: Path, streets: Graph) -> tuple[Graph, dict[str, Episode]]:
    """Map2Seq's 641 other episodes, on the panorama graph with the street map's places."""
    graph = open_graph(data / "map2seq_pano" / "graph")
    graph = dataclasses.replace(graph, pois=streets.pois)
    read = map2seq_episodes(data)
    episodes = {}
    lines = (data / "map2seq_pano" / "data" / "dev.json").read_text(encoding="utf-8")
    for line in lines.splitlines():
        item = json.loads(line)
        key, path = str(item["instructions_id"]), tuple(item["route_panoids"])
        if key in read:
            continue
        episodes[key] = Episode(
            id=key,
            dataset="map2seq",
            instruction=item["navigation_text"],
            start=path[0],
            start_heading_deg=item["start_heading"],
            reference_path=path,
            goal=path[-1],
        )
    return graph, episodes


def claims_of(fault: Fault, graph: Graph) -> tuple[Claim, ...]:
    return contradictions(fault.episode, graph)
