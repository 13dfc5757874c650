"""GROKE (Shami et al. 2026): a street agent with sub-goals and a visible area in five text formats.

Exact: file formats, prompts of the five formats, metrics of the released scripts. The model is whichever you name.
"""

from navviz.support.systems import RatingImporter, Reader, System

__all__ = ["SYSTEM"]

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
    rating_importers={
        "groke": RatingImporter(
            "navviz.systems.groke.ratings:read_groke_ratings",
            "GROKE ratings (correctness_hardness.json)",
        ),
        "groke_failures": RatingImporter(
            "navviz.systems.groke.failures:read_groke_failures",
            "GROKE failure labels (explorer_annotations.json)",
            about_run=True,
        ),
    },
)
