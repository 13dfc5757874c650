"""Whether a walk's model was shown pictures: said once, in heads, tables and documents."""

import pytest

from navviz.records import TraceHeader
from navviz.records.walker import eyes
from navviz.systems.lhvln.mgdm.navigator import MgdmSettings
from navviz.systems.msnav.settings import MsnavSettings
from navviz.systems.navgpt.navigator import NavGptSettings
from navviz.systems.skillnav.settings import SkillNavSettings
from navviz.views.player.document import replay_document
from tests.grids import episode, grid, straight, trace

WAY = straight(0, 0, 2)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (MsnavSettings(), "text variant"),
        (MsnavSettings(views="pictures"), "pictures"),
        (MgdmSettings(), "text variant"),
        (MgdmSettings(views="pictures"), "pictures"),
        # whatever a user writes there, it follows from what is shown
        (MgdmSettings.model_validate({"variant": "pictures", "views": "text"}), "text variant"),
        (NavGptSettings(views="pictures"), "pictures"),
        # NavGPT on texts is the paper's own agent
        (NavGptSettings(), None),
        (SkillNavSettings(localiser_views="pictures"), "pictures"),
    ],
)
def test_settings_say_what_the_model_was_shown(settings, said):
    header = TraceHeader(
        episode=episode(WAY), navigator="any", settings=settings.model_dump(mode="json")
    )
    assert eyes(header) == said
    walked = trace(episode(WAY), [WAY[:2], WAY[1:3]]).model_copy(update={"header": header})
    assert replay_document(walked, grid()).get("eyes") == said
