"""LH-VLN (Song et al. 2025): long-horizon tasks of several parts, NavGen, MGDM and their files.

Exact: file formats, metrics and NavGen's rules. MGDM is a text variant, not the trained model of
the paper.
"""

from navviz.support.systems import PagePart, PromptSource, Reader, System, TablePreset

__all__ = ["SYSTEM"]

_PAGE = "navviz.ui.systems.lhvln"

SYSTEM = System(
    name="lhvln",
    title="LH-VLN",
    paper="Song et al. 2025, Towards Long-Horizon Vision-Language Navigation, arXiv:2412.09082",
    order=60,
    graph_readers=(Reader("navviz.systems.lhvln.logs.scenes:SceneLists", 50),),
    episode_readers=(
        Reader("navviz.systems.lhvln.logs.subtasks:EasiEpisodes", 90),
        Reader("navviz.systems.lhvln.logs.folders:EpisodeArchives", 100),
        Reader("navviz.systems.lhvln.logs.folders:TaskFoldersEpisodes", 110),
        Reader("navviz.systems.lhvln.logs.subtasks:StepTaskEpisodes", 120),
    ),
    results_readers=(
        Reader("navviz.systems.lhvln.logs.folders:TaskFolders", 90),
        Reader("navviz.systems.lhvln.logs.easi:EasiRuns", 100),
    ),
    navigators={"mgdm": "navviz.systems.lhvln.mgdm.navigator:Mgdm"},
    wrappers={"staged": "navviz.systems.lhvln.staged:staged"},
    prompt_sources=(
        PromptSource(
            "lhvln-mgdm",
            "mgdm",
            "HCPLab-SYSU/LH-VLN",
            note="MGDM's text holds places for embeddings of pictures, which no text model reads",
        ),
    ),
    commands={"navgen": "navviz.systems.lhvln.commands:register"},
    worlds={"hm3d:": "navviz.systems.lhvln.logs.folders:SceneWorlds"},
    group_tables={"tasks": "navviz.systems.lhvln.long_horizon_table:groups_of_run"},
    page_parts=(
        PagePart("explore", "Long-horizon figures", "navviz.ui.systems.lhvln_explore:tables"),
        PagePart("live", "Write a task", f"{_PAGE}:forward", f"{_PAGE}:has_sub_tasks"),
        PagePart("live", "Cut a walk", f"{_PAGE}:backward", f"{_PAGE}:has_sub_tasks"),
    ),
    table_presets=(
        TablePreset(
            "lhvln",
            "LH-VLN: by number of sub-tasks",
            ("run",),
            ("episodes", "SR:2", "NE:2", "ISR:2", "CSR:2", "CGT:2", "TAR%:2"),
            columns="sub-tasks",
            note="ISR and TAR are pooled over sub-tasks, as LH-VLN's code does",
        ),
        TablePreset(
            "lhvln-step",
            "LH-VLN, Table 3: step tasks",
            ("run",),
            ("episodes", "SR:2", "OSR:2", "SPL%:2", "NE:2"),
            totals=False,
            note="rows called paper are printed",
            printed=(
                ("Random", "– 0 0 0 8.59"),
                ("GLM-4v", "– 0 11.1 0 6.50"),
                ("NaviLLM", "– 6.67 6.67 2.86 10.17"),
                ("MGDM", "– 0 26.92 0 1.70"),
            ),
        ),
    ),
)
