"""Write the sample study of the town: ``python assets/samples/build/make_study.py``.

Three invented annotators (their names begin with ``sample-``) rate the town's episodes and label
the failures of the run written by hand, so that Annotate and Study have something to show. The
ratings are written by hand, with the disagreements that real ones have; they are no result.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from navviz.annotation.exchange import Imported  # noqa: E402 - the checkout's own package, installed or not
from navviz.annotation.records import (  # noqa: E402
    Difficulty,
    FailureLabel,
    Failures,
    Item,
    Mention,
    Mentions,
    Navigability,
)
from navviz.formats import open_episodes  # noqa: E402

WORLD = HERE.parent / "harbour"
RUN = "harbour/groke-by-hand"
HERON, OTTER, WREN = "sample-heron", "sample-otter", "sample-wren"

NAVIGABLE: dict[str, str] = {
    HERON: "yyyyyyyyynynyy",
    OTTER: "yyyyynynyyyyyn",
    WREN: "yyyyyyynyynnyy",
}
"""One letter an episode, 1 to 14."""
CONFIDENCE = {HERON: "55454443523344", OTTER: "54453334432343", WREN: "44543325433254"}
AXES: dict[str, tuple[tuple[int, int, int], ...]] = {
    HERON: (
        (2, 2, 3), (3, 2, 3), (5, 4, 5), (2, 3, 3), (4, 3, 4), (5, 6, 5), (7, 8, 6),
        (6, 7, 7), (4, 6, 5), (4, 7, 6), (8, 8, 8), (5, 6, 7), (5, 6, 7), (7, 4, 7),
    ),
    OTTER: (
        (1, 2, 2), (3, 3, 3), (6, 4, 6), (3, 3, 3), (4, 4, 5), (4, 7, 6), (8, 9, 7),
        (6, 6, 7), (3, 6, 5), (5, 8, 6), (8, 7, 9), (5, 6, 6), (6, 5, 7), (6, 4, 8),
    ),
    WREN: (
        (2, 1, 2), (2, 2, 3), (5, 5, 5), (2, 2, 2), (5, 3, 4), (5, 6, 6), (7, 9, 7),
        (5, 7, 6), (4, 5, 6), (4, 8, 7), (9, 8, 8), (4, 5, 7), (5, 6, 8), (8, 3, 7),
    ),
}  # fmt: skip
"""Linguistic, topological and operational difficulty, episodes 1 to 14."""
LABELS: dict[str, dict[str, tuple[tuple[str, int | None], ...]]] = {
    "7": {HERON: (("E1.1", 2), ("A2.1", 2)), OTTER: (("E1.1", 2), ("T1.1", None))},
    "8": {HERON: (("E2.1", 6),), OTTER: (("E2.1", 6), ("A4.1", 5))},
    "3": {HERON: (("E2.2", 5),), OTTER: (("E2.2", 5), ("L2.2", None))},
    "9": {HERON: (("E2.1", 7),), OTTER: (("E2.1", 7), ("A3.4", 7))},
    "13": {HERON: (("A4.2", 5), ("E3.4", 8)), OTTER: (("A4.2", 5),)},
    "10": {HERON: (("E3.1", 3),), OTTER: (("E3.1", 3), ("T1.4", 3))},
}
"""Codes with their steps, by episode."""
MENTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "1": {
        HERON: ("traffic lights", "pharmacy", "Barrel House pub", "ice cream shop"),
        OTTER: ("traffic lights", "pharmacy", "Barrel House", "side street", "ice cream shop"),
    },
    "4": {
        HERON: ("bridge", "doctor's surgery", "lights", "fire station"),
        OTTER: ("bridge", "harbour", "doctor's surgery", "lights", "fire station"),
    },
    "7": {
        HERON: ("Old Post Office", "lights", "town hall", "antique shop", "theatre"),
        OTTER: ("Old Post Office", "five-way crossing", "town hall", "antique shop", "theatre"),
    },
}
COMMENTS: dict[str, dict[str, str]] = {
    HERON: {
        "10": "Straight across a roundabout: which way out is that?",
        "12": "The first way out on the left: counted from where?",
    },
    OTTER: {"6": "On a roundabout I would not say left.", "14": "Too much to keep in mind."},
    WREN: {"8": "The next side street after the hotel, or after the lights?"},
}
"""What they say of whether one can follow it, by episode."""
PACE = {HERON: 1.0, OTTER: 0.7, WREN: 1.35}
"""How fast each works, against the first."""
LONG = {(HERON, "10"), (OTTER, "14")}
"""Where somebody had to think long."""


def _seconds(name: str, task: str, episode: str, start_s: float) -> float:
    """Invent a time at work in s: it grows with the difficulty that the annotators gave the
    episode.
    """
    hard = sum(sum(rows[int(episode) - 1]) for rows in AXES.values()) / len(AXES)
    long = 4.0 if task == "navigability" and (name, episode) in LONG else 1.0
    return round(PACE[name] * (start_s + hard) * long, 1)


def _item(episode: str, run: str = "") -> Item:
    return Item(dataset="harbour", episode=episode, run=run)


def _mention(text: str, words: str) -> Mention:
    start = text.index(words)
    return Mention(start=start, end=start + len(words), text=words)


def ratings(texts: dict[str, str]) -> Iterator[Imported]:
    """Make all ratings of the study; `texts` are the instructions by episode."""
    for name, answers in NAVIGABLE.items():
        for number, (answer, sure) in enumerate(
            zip(answers, CONFIDENCE[name], strict=True), start=1
        ):
            said = COMMENTS[name].get(str(number), "")
            value = Navigability(navigable=answer == "y", confidence=int(sure), comment=said)
            taken = _seconds(name, "navigability", str(number), 5)
            yield Imported(item=_item(str(number)), annotator=name, value=value, seconds=taken)
    for name, rows in AXES.items():
        for number, (linguistic, topological, operational) in enumerate(rows, start=1):
            hard = Difficulty(
                linguistic=linguistic, topological=topological, operational=operational
            )
            taken = _seconds(name, "difficulty", str(number), 12)
            yield Imported(item=_item(str(number)), annotator=name, value=hard, seconds=taken)
    for episode, people in LABELS.items():
        for name, codes in people.items():
            labels = tuple(FailureLabel(code=code, step=step) for code, step in codes)
            failures = Failures(taxonomy="navviz-failures", taxonomy_version=1, labels=labels)
            taken = _seconds(name, "failure", episode, 30)
            yield Imported(item=_item(episode, RUN), annotator=name, value=failures, seconds=taken)
    for episode, marks in MENTIONS.items():
        for name, words in marks.items():
            mentions = sorted(
                (_mention(texts[episode], each) for each in words),
                key=lambda mention: mention.start,
            )
            taken = _seconds(name, "mentions", episode, 20)
            yield Imported(
                item=_item(episode),
                annotator=name,
                value=Mentions(mentions=tuple(mentions)),
                seconds=taken,
            )


def main() -> None:
    """Write the file."""
    episodes = open_episodes(WORLD / "splits" / "sample.json").episodes
    texts = {key: episode.instruction for key, episode in episodes.items()}
    about = "Invented ratings, written by hand to show the pages; no result."
    lines: list[dict[str, Any]] = [{"type": "navviz-annotations", "version": 1, "note": about}]
    for one in ratings(texts):
        value = one.value.model_dump(mode="json")
        told = {
            "task": one.value.task,
            "annotator": one.annotator,
            "seconds": one.seconds,
            "value": value,
        }
        rating = {**one.item.model_dump(), **told}
        lines.append({"type": "rating", **rating})
    target = WORLD / "study.jsonl"
    target.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
    )
    print(f"{len(lines) - 1} ratings in {target}")


if __name__ == "__main__":
    main()
