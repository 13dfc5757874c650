"""SkillNav (Ma et al. 2025): reorder the instruction, find the part that is due, choose a skill,
let its agent act.

Exact: prompts of the three text modules and the file formats. The five skill agents are stand-ins,
or yours over HTTP.
"""

from navviz.support.systems import MetricFamily, PagePart, Reader, System

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="skillnav",
    title="SkillNav",
    paper="Ma et al. 2025, SkillNav, arXiv:2508.07642; Wang et al. 2024, NavNuances",
    order=30,
    episode_readers=(
        Reader("navviz.systems.skillnav.logs.nuances:NuancesEpisodes", 50),
        Reader("navviz.systems.skillnav.logs.reordered:ReorderedEpisodes", 60),
    ),
    results_readers=(
        Reader("navviz.systems.skillnav.logs.router_log:RouterLogs", 60),
        Reader("navviz.systems.skillnav.logs.details:SkillNavDetails", 70),
    ),
    navigators={
        "skillnav": "navviz.systems.skillnav.navigator:SkillNav",
        "skillnav-rules": "navviz.systems.skillnav.navigator:SkillNavRules",
    },
    metric_families=(MetricFamily("navviz.systems.skillnav.nuances", 40),),
    page_parts=(
        PagePart("study", "Skills", "navviz.ui.systems.skillnav:skills"),
        PagePart("study", "Nuances", "navviz.ui.systems.skillnav:nuances"),
    ),
)
