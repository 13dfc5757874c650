"""MSNav (Liu et al. 2025) and, without its three modules, MapGPT (Chen et al. 2024).

Exact: the map of places, its pruning rules and map efficiency. Words stand in for pictures ("text
variant").
"""

from navviz.support.systems import (
    MetricFamily,
    PanelChoice,
    PromptSource,
    Reader,
    System,
    TablePreset,
)

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="msnav",
    title="MSNav",
    paper="Liu et al. 2025, MSNav, arXiv:2508.16654; Chen et al. 2024, MapGPT, arXiv:2401.07314",
    order=50,
    results_readers=(Reader("navviz.systems.msnav.logs.logs:MapGptLogs", 50),),
    navigators={"msnav": "navviz.systems.msnav.navigator:Msnav"},
    causes={"pruned-way": "navviz.systems.msnav.causes:PrunedWay"},
    metric_families=(MetricFamily("navviz.systems.msnav.replayed", 20),),
    panels={"map efficiency": "navviz.systems.msnav.replayed:with_map_efficiency"},
    choices={
        "memory": PanelChoice(
            "navviz.systems.msnav.replayed:with_chosen_memory",
            "navviz.systems.msnav.replayed:can_show_memory",
            label="Memory",
            title="MSNav's memory beside this walk",
            help="The map and the pruning that MSNav would make on this walk.",
            options={
                "paper": "the paper's numbers",
                "script": "the published run script's (no distance term)",
                "parser": "the published parser's",
                "never": "a map that is never pruned (MapGPT)",
            },
        )
    },
    answer_scores={"objects": "navviz.systems.msnav.object_lists:scored_objects"},
    exporters={"mapgpt": "navviz.systems.msnav.logs.predictions:predictions_text"},
    prompt_sources=(
        PromptSource(
            "msnav-mapgpt",
            "msnav",
            "chen-judge/MapGPT",
            "GPT/one_stage_prompt_manager.py",
            system="OneStagePromptManager.make_r2r_json_prompts.task_description",
            user="{situation}\n\n{views}",
            settings={"preset": ("mapgpt",)},
            note="the parts of the user's message keep NavViz's labels",
        ),
    ),
    table_presets=(
        TablePreset(
            "msnav",
            "MSNav: zero-shot agents with their map efficiency",
            ("run",),
            ("episodes", "SR", "SPL", "OSR", "NE:2", "ME%"),
            totals=False,
            note=(
                "ME counts explored and seen places still on the map; the paper does not say which"
            ),
        ),
        TablePreset(
            "msnav-5",
            "MSNav, Table 5: agents with and without its modules",
            ("run",),
            ("episodes", "SR", "SPL%", "OSR", "NE:2"),
            totals=False,
            note="rows called paper are printed, on R2R-ZS",
            printed=(
                ("NavGPT", "216 36.1 31.6 40.3 6.26"),
                ("NavGPT + Spatial", "216 38.9 34.1 43.1 5.96"),
                ("MapGPT", "216 45.8 37.6 56.5 5.31"),
                ("MapGPT + Spatial", "216 48.1 39.6 58.3 5.11"),
                ("MSNav", "216 50.9 42.6 63.9 5.02"),
                ("MSNav without view selection", "216 49.5 41.4 62.5 5.17"),
                ("MSNav without Memory", "216 48.1 40.1 58.8 5.32"),
                ("MSNav without Spatial", "216 47.7 39.6 61.1 5.37"),
            ),
        ),
    ),
)
