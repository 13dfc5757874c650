"""NavGPT (Zhou et al. 2023): eight directions as text, reason and act, a summarised history.

Exact with ``as_published``: the text of each viewpoint, letter by letter. The model is whichever
you name.
"""

from navviz.support.systems import Reader, System

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="navgpt",
    title="NavGPT",
    paper="Zhou et al. 2023, NavGPT, arXiv:2305.16986",
    order=40,
    results_readers=(Reader("navviz.systems.navgpt.logs:NavGptLogs", 40),),
    navigators={"navgpt": "navviz.systems.navgpt.navigator:NavGpt"},
    causes={"navgpt-left-out-way": "navviz.systems.navgpt.causes:LeftOutWay"},
    panels={"hidden ways": "navviz.systems.navgpt.prompts.text:with_hidden_ways"},
    remarks={"hidden ways": "navviz.systems.navgpt.prompts.text:hidden_ways_remark"},
)
