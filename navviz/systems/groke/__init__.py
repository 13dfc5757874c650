"""GROKE (Shami et al. 2026): a street agent with sub-goals and a visible area in five text formats.

Exact: file formats, prompts of the five formats, metrics of the released scripts. The model is
whichever you name.

Tables: in 5, 7, 9 and 10 the paper's column that is headed nDTW holds SDTW; here it is headed SDTW.
Their figures are those of the authors' scripts, which leave episodes that never moved out of NE:
the grid of table 5 has such.
"""

from typing import Literal, get_args

from navviz.support.systems import PromptSource, RatingImporter, Reader, System, TablePreset

__all__ = ["FORMATS", "SYSTEM", "Format"]

# here, since the command line names them before it needs a map: their renderers bring numpy
Format = Literal["json", "json-optimised", "textual", "graphviz", "grid"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""The five formats in which a view can be shown to a model."""

_GROKE = ("NE", "SR", "OSR", "SDTW_groke")
_EFFORT = ("steps", "tokens", "thoughts_tokens", "cost_usd")
_TABLE_10 = ("steps", "tokens", "thoughts_tokens", "prompt_tokens")
_OURS = "SDTW is GROKE's"
_SDTW = "SDTW is GROKE's; the paper's tables 5, 7, 9 and 10 head this column nDTW"


def _banded(number: int, *, effort: bool = False) -> TablePreset:
    title = f"GROKE, table {number}: runs by difficulty band"
    metrics: tuple[str, ...] = _GROKE
    if effort:
        title += " and effort"
        metrics = (*_GROKE, *_TABLE_10)
    rows = ("run", "difficulty")
    return TablePreset(f"groke-{number}", title, rows, metrics, treatment="authors", note=_SDTW)


_TABLES = (
    TablePreset("groke-2", "GROKE, table 2: systems on a split", ("run",), _GROKE, note=_OURS),
    TablePreset(
        "groke-3",
        "GROKE, table 3: runs with their effort",
        ("run",),
        (*_GROKE, *_EFFORT),
        note=_OURS,
    ),
    _banded(5),
    _banded(7),
    _banded(9),
    _banded(10, effort=True),
    TablePreset(
        "groke-a1",
        "GROKE, figure 5 (appendix A.1): representations",
        ("run",),
        ("NE", "SR", "OSR", "nDTW_groke", "SDTW_groke"),
        treatment="authors",
        note=(
            "nDTW and SDTW are GROKE's; episodes that never moved count as its scripts do: out of"
            " NE, 1 in nDTW"
        ),
    ),
)

_PROMPTS = {
    "json": ("JSON_NAVIGATOR_PROMPT", "```json\n{map}\n```", ("json", "json-optimised")),
    "textual": ("TEXTUAL_NAVIGATOR_PROMPT", "{map}", ("textual",)),
    "graphviz": ("GRAPH_VIS_NAVIGATOR_PROMPT", "{map}", ("graphviz",)),
}
_HOLES = {
    "navigation_instruction": "{instruction}",
    "navigator_message": "{sub_goal}",
    "landmarks": "{landmark_line}",
    "planning_state": "{published_plan}",
}

SYSTEM = System(
    name="groke",
    title="GROKE",
    paper="Shami et al. 2026, GROKE",
    order=20,
    episode_readers=(Reader("navviz.systems.groke.logs.states:GrokeEpisodes", 30),),
    results_readers=(
        Reader("navviz.systems.groke.logs.states:GrokeStates", 10),
        Reader("navviz.systems.groke.logs.steps:GrokeSteps", 20),
    ),
    navigators={"groke": "navviz.systems.groke.navigator:Groke"},
    prompt_sources=(
        *(
            PromptSource(
                f"groke-{name}",
                "groke",
                "fuzsh/groke",
                "groke/prompts.py",
                constant,
                holes=_HOLES | {"navigation_context": shown},
                settings={"format": formats},
            )
            for name, (constant, shown, formats) in _PROMPTS.items()
        ),
        PromptSource(
            "groke-grid",
            "groke",
            "fuzsh/groke",
            note="the grid's prompt tells position and legends apart, NavViz's grid in one text",
        ),
    ),
    table_presets=_TABLES,
    published="navviz.systems.groke.published",
    paper_tables="navviz.systems.groke.printed:TABLES",
    rating_importers={
        "groke": RatingImporter(
            "navviz.systems.groke.ratings:read_groke_ratings",
            "GROKE ratings (correctness_hardness.json)",
        ),
        "groke_failures": RatingImporter(
            "navviz.systems.groke.ratings:read_groke_failures",
            "GROKE failure labels (explorer_annotations.json)",
            about_run=True,
        ),
    },
)
