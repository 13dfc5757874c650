"""One annotator's process: rates many items one after the other, saying each that is saved.

``python worker.py URL NAME COUNT``
"""

from __future__ import annotations

import sys

from navviz.annotation.records import Item, Navigability
from navviz.annotation.store import AnnotationStore


def main(url: str, name: str, count: int) -> None:
    desk = AnnotationStore(url).sign_in(name)
    print("ready", flush=True)
    sys.stdin.readline()
    for i in range(count):
        desk.save(
            Item(dataset="sample", episode=str(i)),
            Navigability(navigable=i % 3 > 0, confidence=i % 5 + 1),
            seen=0,
        )
        print(i, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
