"""Nothing but `navviz.support.guarded` opens, unpacks or decodes what NavViz did not write
itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import navviz

ROOT = Path(navviz.__file__).parent
READERS = {
    "json": {"load", "loads", "JSONDecoder"},
    "csv": {"reader", "DictReader"},
    "gzip": {"open", "GzipFile", "decompress"},
    "bz2": {"open", "BZ2File", "decompress"},
    "zipfile": {"ZipFile"},
    "io": {"open"},
    "Image": {"open"},
    "pd": {"read_csv", "read_json", "read_excel", "read_pickle", "read_parquet"},
    "np": {"load", "loadtxt", "genfromtxt", "fromfile"},
    "yaml": {"load", "safe_load"},
    "pickle": {"load", "loads"},
    "ET": {"parse", "fromstring", "iterparse"},
    "osmnx": {"load_graphml"},
    "nx": {"read_graphml", "read_gpickle"},
}
ASKED = {"is_file", "is_dir", "exists"}
"""They raise for a locked folder and for a name that is too long; forbidden where users name files.
"""
GUARDED_ROOMS = {"formats", "runs", "cli", "systems"}
METHODS = {"read_text", "read_bytes"}
_WORDS = re.compile(rf"\b({'|'.join({'open'}.union(ASKED, METHODS, *READERS.values()))})\b")
OWN = "reads a file of the installation"
ALLOWED = {
    "formats/files.py": "says what is wrong with a text that `opened_text` gave",
    "formats/mapping/reader.py": OWN,
    "formats/mapping/guess_order.py": OWN,
    "formats/osm/graphml.py": "its GraphML is checked by `refuse_large` and read by osmnx",
    "formats/world_cache.py": "its arrays come out of `opened_bytes`, without pickles",
    "datasets/fetching.py": "its archives were written by the download, and each member is checked",
    "views/player/files.py": OWN,
    "observations/pictures/films.py": "reads the copies of pictures that it has kept in the cache",
    "analysis/alike.py": "its arrays come out of `opened_bytes`, without pickles",
    "analysis/causes/counting.py": "reads the causes that it has kept in the cache",
    "views/player/writer.py": "unpacks the texts that it has packed itself",
    "views/player/film.py": "puts together pictures that the browser has just taken",
    "records/provider_messages.py": "decodes the arguments of one function call, as a text",
    "records/recorder.py": "stands alone: it is copied into other projects",
    "annotation/tickets.py": "reads the key that it has made, as bytes",
    "ui/replay/page.py": "takes the film that it has just had made, out of a temporary folder",
    **dict.fromkeys(
        ("runner/batches.py", "runner/plan.py", "runner/store.py"),
        "reads what the runner itself wrote beside a run",
    ),
    "language/placing/scoring.py": OWN,
    "systems/rules/indoors/weights.py": OWN,
}


def _bare_reads(tree: ast.AST, *, guards: bool = True) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func
        if isinstance(name, ast.Name) and name.id == "open":
            yield node.lineno, "open"
        elif isinstance(name, ast.Attribute):
            owner = name.value.id if isinstance(name.value, ast.Name) else ""
            if (
                name.attr in METHODS
                or name.attr in READERS.get(owner, set())
                or (name.attr in ASKED and not node.args and guards)
            ):
                yield node.lineno, f"{owner}.{name.attr}"
            elif name.attr == "open" and _reads(node):
                yield node.lineno, f"{owner}.open"


def _reads(call: ast.Call) -> bool:
    """Whether a call of ``.open`` reads: no mode is given, or one that is not for writing alone."""
    given = [*call.args, *(each.value for each in call.keywords if each.arg == "mode")]
    modes = [
        each.value for each in ast.walk(ast.Tuple(elts=given)) if isinstance(each, ast.Constant)
    ]
    text = [mode for mode in modes if isinstance(mode, str)]
    if not all(isinstance(each, ast.Constant) for each in call.args):
        return False  # no path: `FileSpatial.open(file, episode)`, `Image.open(io.BytesIO(...))`
    return not text or any(set(mode) <= set("rb") for mode in text)


def _modules() -> list[Path]:
    return sorted(
        path for path in ROOT.rglob("*.py") if ROOT / "support" / "guarded" not in path.parents
    )


def test_no_module_reads_files_by_itself():
    bare, idle = {}, []
    for path in _modules():
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        # parsing takes longer than all the rest, and a file without one of the words reads nothing
        reads = []
        if _WORDS.search(text):
            guards = path.relative_to(ROOT).parts[0] in GUARDED_ROOMS
            reads = list(_bare_reads(ast.parse(text), guards=guards))
        if name not in ALLOWED and reads:
            bare[name] = reads
        elif name in ALLOWED and not reads:
            idle.append(name)
    assert bare == {}
    assert idle == [], "these read nothing by themselves any more: take them off the list"


def test_the_guard_notices_a_bare_read():
    text = "open('a')\npath.open()\npath.open('rb')\njson.loads(x)\npath.read_text()\ncsv.reader(f)\npath.open('a')\npath.exists()\n"
    assert [line for line, _ in _bare_reads(ast.parse(text))] == [1, 2, 3, 4, 5, 6, 8]
