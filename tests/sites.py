"""Small published sites for tests, and what stands in their chunks."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

from navviz.analysis.site.publish import PublishedSite, SiteOptions, publish_runs
from navviz.errors import Problems
from navviz.formats import Run
from navviz.runs.run import OpenRun
from navviz.runs.source import Source
from tests.replays import full_trace, tiny_graph

_CALL = re.compile(r'navviz_chunk\((".*?"),(\[.*\])\);\n', re.DOTALL)


def tiny_run(name: str = "tiny", text: str = "", episode: str = "ep-1") -> OpenRun:
    """One walk with prompts, thoughts and panels, all of which hold `text`."""
    trace = full_trace(text=text)
    header = trace.header.model_copy(
        update={"episode": trace.episode.model_copy(update={"id": episode})}
    )
    traces = {episode: trace.model_copy(update={"header": header})}
    graph = tiny_graph(poi_name=text or "Blue Door Café")
    source = Source(name, "opened", (), None, Path("tiny.trace.jsonl"))
    run = Run(name, "rules", None, traces, Problems(), Path("tiny.trace.jsonl"))
    return OpenRun(source, run, lambda _world: graph)


def site_of(out: Path, *runs: OpenRun, **options: Any) -> PublishedSite:
    """Publish runs by their names."""
    return publish_runs({run.name: run for run in runs}, out, SiteOptions(**options))


def parts_in(path: Path) -> list[Any]:
    """What a chunk holds, unpacked."""
    match = _CALL.fullmatch(path.read_text(encoding="utf-8"))
    assert match, path
    assert json.loads(match[1]) == path.stem
    unpacked = [gzip.decompress(base64.b64decode(part)) for part in json.loads(match[2])]
    return [json.loads(text) for text in unpacked]
