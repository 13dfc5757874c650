"""What Beacon brings works: no network, no key."""

import json

import navviz
from navviz.formats import open_episodes, open_graph, open_results
from navviz.llm.scripted import Scripted
from navviz.metrics.score import score_trace
from navviz.records import TraceHeader
from navviz.records.trace_files import fold
from navviz.systems.registry import with_panels
from navviz.systems.registry import get_navigator

FOLDER = navviz.samples_dir() / "harbour"
GRAPH = open_graph(FOLDER / "osm" / "graph")
EPISODES = open_episodes(next((FOLDER / "splits").iterdir())).episodes


def test_it_walks_and_is_measured():
    episode, walker = next(iter(EPISODES.values())), get_navigator("beacon")
    way = GRAPH.neighbours(episode.start)[0]
    model = Scripted([json.dumps({"go": way}), '{"go": "stop"}'])
    events = list(walker.navigate(episode, GRAPH, model, walker.settings_type()))
    trace = fold([TraceHeader(episode=episode, navigator="beacon"), *events])
    assert trace.path == (episode.start, way)
    assert score_trace(trace, GRAPH)["new_beacon"] == 1.0


def test_its_log_opens(tmp_path):
    episode = next(iter(EPISODES.values()))
    log = tmp_path / "run.jsonl"
    log.write_text(json.dumps({"beacon": episode.id, "path": list(episode.reference_path)}))
    (run,) = open_results(log, GRAPH, EPISODES)
    trace = run.traces[episode.id]
    assert trace.path == episode.reference_path
    assert with_panels(trace, GRAPH).steps[0].panels[0].title == "Ways"
