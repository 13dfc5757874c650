"""SkillNav (Ma et al. 2025): reorder the instruction, find the part that is due, choose a skill,
let its agent act.

Exact: prompts of the three text modules and the file formats. The five skill agents are stand-ins,
or yours over HTTP.
"""

from navviz.support.systems import MetricFamily, PagePart, PromptSource, Reader, System

__all__ = ["SYSTEM"]

_PAGE = "navviz.ui.systems.skillnav"

SYSTEM = System(
    name="skillnav",
    title="SkillNav",
    paper="Ma et al. 2025, SkillNav, arXiv:2508.07642; Wang et al. 2024, NavNuances",
    order=30,
    episode_readers=(
        Reader("navviz.systems.skillnav.logs.episodes:NuancesEpisodes", 50),
        Reader("navviz.systems.skillnav.logs.episodes:ReorderedEpisodes", 60),
    ),
    results_readers=(
        Reader("navviz.systems.skillnav.logs.router_log:RouterLogs", 60),
        Reader("navviz.systems.skillnav.logs.router_log:SkillNavDetails", 70),
    ),
    navigators={
        "skillnav": "navviz.systems.skillnav.navigator:SkillNav",
        "skillnav-rules": "navviz.systems.skillnav.navigator:SkillNavRules",
    },
    commands={"skillnav": "navviz.systems.skillnav.commands:register"},
    prompt_sources=(
        PromptSource(
            "skillnav-agents",
            "skillnav",
            "HLR/SkillNav",
            note="the paper's skill agents are trained networks without a prompt",
        ),
    ),
    metric_families=(MetricFamily("navviz.systems.skillnav.nuances", 40),),
    group_tables={"nuances": "navviz.systems.skillnav.nuances_table:groups_of_run"},
    page_parts=(
        PagePart("explore", "Skills", f"{_PAGE}:skills", f"{_PAGE}:has_skill_steps"),
        PagePart("explore", "Instruction tags", f"{_PAGE}:tags", f"{_PAGE}:has_tags_alone"),
        PagePart("explore", "NavNuances", f"{_PAGE}:nuances", f"{_PAGE}:has_nuances"),
    ),
)
