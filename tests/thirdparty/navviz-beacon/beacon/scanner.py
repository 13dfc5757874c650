"""Find steps into places without a landmark."""

from beacon.panels import sights
from navviz.analysis.scanners.registry import hit_of


class DarkSteps:
    name, title, help = "dark-steps", "Dark steps", "Steps that end where no landmark is near."

    def scan(self, trace, graph):
        for step in trace.steps:
            if step.path and not sights(graph, step.path[-1]):
                yield hit_of(self, trace, step.index, "No landmark is near.")
