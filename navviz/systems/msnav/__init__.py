"""MSNav (Liu et al. 2025) and, without its three modules, MapGPT (Chen et al. 2024).

Exact: the map of places, its pruning rules and map efficiency. Words stand in for pictures ("text
variant").
"""

from navviz.support.systems import MetricFamily, PanelChoice, Reader, System, TablePreset

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
    answer_scores={"objects": "navviz.systems.msnav.object_scores:scored_objects"},
    exporters={"mapgpt": "navviz.systems.msnav.logs.predictions:predictions_text"},
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
    ),
)
