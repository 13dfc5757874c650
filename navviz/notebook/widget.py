"""A replay as a widget of a notebook: step, playing, selection and episode are traitlets, two ways.

Needs the extra ``notebook`` (anywidget). The player stays in the same frame as in a saved notebook;
`assets/notebook.js` passes its state on.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import anywidget
import traitlets

from navviz.errors import InputError
from navviz.support.installation.files import asset
from navviz.views.player.frame import SceneScript, frame_page, packed_plotly
from navviz.views.player.pictures import FILE_BYTES, PictureTable, with_data

if TYPE_CHECKING:
    from navviz.observations.pictures.episode import WalkPictures
    from navviz.records import Trace


class ShownReplay(Protocol):
    """What a widget shows: a `navviz.Replay`, which makes the widget and so cannot be imported."""

    @property
    def trace(self) -> Trace: ...  # noqa: D102
    @property
    def height_px(self) -> int: ...  # noqa: D102
    @property
    def alone(self) -> bool: ...  # noqa: D102
    @property
    def pictures(self) -> WalkPictures | None: ...  # noqa: D102
    @property
    def first_step(self) -> int: ...  # noqa: D102
    @property
    def episodes(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def open_episode(self) -> Callable[[str], ShownReplay] | None: ...  # noqa: D102
    def check_step(self, step: int) -> None: ...  # noqa: D102
    def document(self, table: PictureTable) -> dict[str, Any]: ...  # noqa: D102


class ReplayWidget(anywidget.AnyWidget):
    """The player, whose state a notebook reads, sets and observes.

    ``widget.observe(handler, "step")`` calls a handler at each step; ``widget.step = 5`` goes to
    that step.

    Raises
    ------
    InputError
        When an episode that the run does not have, or a step that the walk does not have, is set.
    """

    _esm = asset("notebook.js")

    episode = traitlets.Unicode("").tag(sync=True)
    """Id; another one of the run shows that one, from its first step."""
    step = traitlets.Int(1).tag(sync=True)
    """Counted from 1; 0 is before the first step."""
    playing = traitlets.Bool(False).tag(sync=True)  # noqa: FBT003 - traitlets' own signature
    selection = traitlets.Unicode("").tag(sync=True)
    """Id of the node, or name of the landmark, that was clicked; empty for none."""
    height_px = traitlets.Int(640).tag(sync=True)
    _frame = traitlets.Unicode("").tag(sync=True)
    _page = traitlets.Unicode("").tag(sync=True)
    _title = traitlets.Unicode("").tag(sync=True)

    def __init__(self, replay: ShownReplay) -> None:
        self._replay: ShownReplay = replay
        self._episodes = tuple(replay.episodes)
        super().__init__(
            episode=replay.trace.episode.id,
            step=replay.first_step,
            height_px=replay.height_px,
            _frame=secrets.token_hex(8),
        )
        self.on_msg(self._answer)

    @property
    def frame_name(self) -> str:
        """What the front end finds the frame of an output by; without one it makes its own."""
        return str(self._frame)

    def _show(self) -> None:
        """Send the page of the episode; the first one is in the output already, if there is one."""
        replay = self._replay
        table = PictureTable(replay.pictures)
        document = with_data(replay.document(table), table, FILE_BYTES // 2)
        scene: SceneScript = "own" if replay.alone else "shared"
        several = len(self._episodes) > 1
        self._title = f"NavViz replay of {document.get('title', 'an episode')}"
        self._page = frame_page(
            document, scene=scene, step=replay.first_step, live=True, episodes=several
        )

    @traitlets.validate("step")
    def _check_step(self, proposal: Any) -> int:  # noqa: ANN401 - traitlets' dictionary
        step = int(proposal["value"])
        self._replay.check_step(step)
        return step

    @traitlets.validate("episode")
    def _check_episode(self, proposal: Any) -> str:  # noqa: ANN401 - traitlets' dictionary
        wanted = str(proposal["value"])
        if wanted not in {self._replay.trace.episode.id, *self._episodes}:
            raise InputError("is not in this run", "choose one of its table", episode=wanted)
        return wanted

    @traitlets.observe("episode")
    def _change_episode(self, change: Any) -> None:  # noqa: ANN401 - traitlets' dictionary
        if change["new"] == self._replay.trace.episode.id:
            return
        if self._replay.open_episode is None:  # `_check_episode` lets no other id pass
            return
        self._replay = self._replay.open_episode(change["new"])
        # in one message: the front end must not put the new step into the old page
        with self.hold_sync():
            self.selection, self.playing = "", False
            self.step = self._replay.first_step
            self._show()

    def _answer(self, _widget: object, content: Any, _buffers: object) -> None:  # noqa: ANN401 - JSON
        """Answer the front end: plotly's script for a house, another episode."""
        wanted = content.get("navviz") if isinstance(content, dict) else None
        if wanted == "page?":
            self._show()
        elif wanted == "plotly?":
            self.send({"navviz": "plotly", "packed": packed_plotly()})
        elif wanted in {"next", "previous"} and self.episode in self._episodes:
            place = self._episodes.index(self.episode) + (1 if wanted == "next" else -1)
            if 0 <= place < len(self._episodes):
                self.episode = self._episodes[place]
