"""Read logs of one JSON line an episode: {"beacon": "EPISODE ID", "path": ["NODE", ...]}."""

import json

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import Run
from navviz.records import Step, Trace, TraceHeader
from navviz.support.guarded import head_text, parse_json, read_text


class Logs:
    name = "Beacon logs"

    @classmethod
    def handles(cls, path):
        return path.is_file() and head_text(path, 99).startswith('{"beacon"')

    @classmethod
    def read(cls, path, graph_of, episodes=None):
        problems, traces = Problems(), {}
        for number, line in enumerate(read_text(path).splitlines(), start=1):
            entry = parse_json(line, path.name)
            episode = (episodes or {}).get(str(entry["beacon"]))
            if episode is None:
                where = f"{path.name}:{number}"
                problems.add(Problem("its episode is unknown", "give the episodes file", where))
                continue
            nodes = [str(node) for node in entry["path"]]
            moves = enumerate(zip(nodes, nodes[1:]), start=1)
            steps = tuple(Step(index=k, node=a, path=(a, b)) for k, (a, b) in moves)
            header = TraceHeader(run=path.stem, episode=episode, navigator="beacon")
            traces[episode.id] = Trace(header=header, steps=steps)
        if not traces:
            raise InputError("holds no known episode", "give the episodes file", file=path.name)
        return [Run(path.stem, "beacon", None, traces, problems, path)]


def written(traces):
    """The same log of other traces, for ``navviz export --format beacon``."""
    for trace in traces:
        yield json.dumps({"beacon": trace.episode.id, "path": list(trace.path)}) + "\n"
