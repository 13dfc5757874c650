"""NavGPT (Zhou et al. 2023): eight directions as text, reason and act, a summarised history.

Exact with ``as_published``: the text of each viewpoint, letter by letter. The model is whichever
you name.
"""

from navviz.support.systems import PromptSource, Reader, System, TablePreset

__all__ = ["SYSTEM"]

_HOLES = {
    "action_plan": "{task}",
    "init_observation": "{observation}",
    "agent_scratchpad": "{turns}",
    "tool_names": "action_maker",
    "tool_descriptions": "action_maker: @MAKE_ACTION_TOOL_DESCRIPTION",
}
_METRICS = ("episodes", "TL", "NE", "OSR", "SR", "SPL%")
_NOTE = (
    "rows called paper are printed: GPT-3.5 on one path each of 72 houses, whose list is not public"
)

SYSTEM = System(
    name="navgpt",
    title="NavGPT",
    paper="Zhou et al. 2023, NavGPT, arXiv:2305.16986",
    order=40,
    results_readers=(Reader("navviz.systems.navgpt.logs:NavGptLogs", 40),),
    navigators={"navgpt": "navviz.systems.navgpt.navigator:NavGpt"},
    causes={"navgpt-left-out-way": "navviz.systems.navgpt.causes:LeftOutWay"},
    panels={
        "hidden ways": "navviz.systems.navgpt.prompts.text:with_hidden_ways",
        "written instruction": "navviz.systems.navgpt.extras:with_reference",
    },
    remarks={"hidden ways": "navviz.systems.navgpt.prompts.text:hidden_ways_remark"},
    prompt_sources=tuple(
        PromptSource(
            f"navgpt-{name}",
            "navgpt",
            "GengzeZhou/NavGPT",
            "nav_src/prompt/planner_prompt.py",
            constant,
            holes=_HOLES,
            settings={"granularity": ("fov45-24",)},
        )
        for name, constant in (("gpt-4", "VLN_GPT4_PROMPT"), ("gpt-3.5", "VLN_GPT35_PROMPT"))
    ),
    table_presets=(
        TablePreset(
            "navgpt-2",
            "NavGPT, Table 2: granularity of the views",
            ("set.granularity",),
            _METRICS,
            totals=False,
            note=_NOTE,
            printed=(
                ("FoV 60, 12 views", "216 12.38 9.07 14.35 10.19 6.52"),
                ("FoV 30, 36 views", "216 12.67 8.92 15.28 13.89 9.12"),
                ("FoV 45, 24 views", "216 12.18 8.02 26.39 16.67 13.00"),
            ),
        ),
        TablePreset(
            "navgpt-3",
            "NavGPT, Table 3: what is told of objects",
            ("set.objects",),
            _METRICS,
            totals=False,
            note=_NOTE,
            printed=(
                ("captions alone", "216 16.11 9.83 15.28 11.11 6.92"),
                ("+ objects", "216 11.07 8.88 23.34 15.97 11.71"),
                ("+ objects and distances", "216 12.18 8.02 26.39 16.67 13.00"),
            ),
        ),
    ),
)
