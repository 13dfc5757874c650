"""VELMA (Schumann et al. 2024): a language model walks Street View by a text of what it passes.

Read are its outputs, with the text of every step; its agent is not rebuilt. Exact: the forms of the
files. The metrics follow the paper's words. No output of its authors could be tested here.
"""

from navviz.support.systems import MetricFamily, Reader, System

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="velma",
    title="VELMA",
    paper="Schumann et al. 2024, VELMA, arXiv:2307.06082",
    order=70,
    episode_readers=(Reader("navviz.systems.velma.logs:VelmaEpisodes", 55),),
    results_readers=(Reader("navviz.systems.velma.logs:VelmaOutputs", 55),),
    metric_families=(MetricFamily("navviz.systems.velma.metrics", 45),),
    exporters={"velma": "navviz.systems.velma.logs:outputs_text"},
)
