"""The navigators that need no model: `rules` and `rules-local` outdoors, two more indoors.

They are ours: a grammar, landmark grounding and a search with learned weights; ``MODEL.md`` has the
equations.
"""

from navviz.support.systems import System

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="rules",
    title="Rules",
    paper="none: NavViz's own, navviz/systems/rules/MODEL.md",
    order=10,
    navigators={
        "rules": "navviz.systems.rules.navigator:Rules",
        "rules-indoors": "navviz.systems.rules.indoors.navigator:RulesIndoors",
        "rules-indoors-map": "navviz.systems.rules.indoors.navigator:RulesIndoorsMap",
        "rules-local": "navviz.systems.rules.local_navigator:RulesLocal",
    },
    branches={"rules-local": "navviz.systems.rules.branches:LocalBranches"},
)
