"""What the player shows beside each step."""

from navviz.records import Panel

REACH_M = 25.0


def sights(graph, node):
    """Names of the landmarks near a node, the nearest first."""
    near = graph.pois_near(graph.position(node), REACH_M)
    return [poi.tags.get("name", poi.id) for poi in near]


def ways_panel(graph, node):
    rows = []
    for way in graph.neighbours(node):
        rows.append([way, f"{graph.heading_deg(node, way):.0f}", ", ".join(sights(graph, way))])
    columns = ["way", "degrees", "landmarks"]
    return Panel(kind="table", title="Ways", data={"columns": columns, "rows": rows})


def with_ways(trace, graph):
    """Add the panel to the steps of a log; walks of others and of the navigator stay as they are."""
    if trace.header.navigator != "beacon" or any(step.panels for step in trace.steps):
        return trace
    steps = []
    for step in trace.steps:
        steps.append(step.model_copy(update={"panels": (ways_panel(graph, step.node),)}))
    return trace.model_copy(update={"steps": tuple(steps)})
