"""Measure the traces of an index: ``python -m navviz.runs.index [--nice] FOLDER GRAPHS``."""

from __future__ import annotations

import sys

from navviz.runs.index.build import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
