"""Work out what goes wrong in a large run: ``python -m navviz.analysis.kept [--nice] FOLDER
GRAPHS``.
"""

from __future__ import annotations

import sys

from navviz.analysis.kept.marks import keep_marks, marks_place
from navviz.runs.index.build import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], keep_marks, marks_place))
