"""Baselines of the papers: random walker, action sampling, regex heuristic, the oracle.

Outdoors they are those of GROKE's Table 2; indoors the oracle and the random walker of
Room-to-Room.
"""

from navviz.support.systems import System

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="baselines",
    title="Baselines",
    paper="Shami et al. 2026, GROKE, Table 2; Anderson et al. 2018, doi:10.1109/CVPR.2018.00387",
    order=70,
    navigators={
        "shortest-path-oracle": "navviz.systems.baselines.outdoors:ShortestPathOracle",
        "random-walker-indoors": "navviz.systems.baselines.outdoors:RandomWalkerIndoors",
        "random-walker": "navviz.systems.baselines.outdoors:RandomWalker",
        "random-walker-route-length": "navviz.systems.baselines.outdoors:RandomWalkerRouteLength",
        "action-sampling": "navviz.systems.baselines.outdoors:ActionSampling",
        "action-sampling-route-length": (
            "navviz.systems.baselines.outdoors:ActionSamplingRouteLength"
        ),
        "regex-heuristic": "navviz.systems.baselines.outdoors:RegexHeuristic",
        "regex-heuristic-route-length": (
            "navviz.systems.baselines.outdoors:RegexHeuristicRouteLength"
        ),
    },
)
