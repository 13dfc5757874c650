"""What ``navviz.replay`` returns: it shows itself in a notebook and saves itself as one file."""

from __future__ import annotations

import contextlib
import secrets
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import anywidget
import traitlets

from navviz.errors import InputError, NavVizError
from navviz.records import Trace
from navviz.support.guarded import write_whole
from navviz.support.installation.extras import extra_hint, needs_extra
from navviz.support.installation.files import asset
from navviz.views.player.html import SceneScript, document_json, frame_page, packed_plotly
from navviz.views.player.pictures import FILE_BYTES, PictureTable, with_data
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.analysis.what_if.kept import EpisodeWhatIf
    from navviz.observations.pictures.films import WalkPictures

_LOOK_S = 0.5


@dataclass(frozen=True)
class Replay:
    """A replay that shows itself in a notebook and saves itself as one HTML file.

    With the extra ``notebook`` its output is a widget, whose state `widget` holds; what is saved of
    a notebook is the same player without a kernel.
    """

    trace: Trace
    graph: Graph
    height_px: int = 640
    alone: bool = False
    """Whether the output of a house holds plotly's script itself, whatever other outputs hold."""
    pictures: WalkPictures | None = None
    """Finds what the agent saw, where the walk comes from a run."""
    step: int | None = None
    """Where it starts: counted from 1; 0 is before the first step."""
    episodes: Sequence[str] = field(default=(), repr=False)
    """Ids of the run's episodes, to which the widget can go."""
    open_episode: Callable[[str], Replay] | None = field(default=None, repr=False, compare=False)
    """Returns the replay of another one of them."""
    newer: Callable[[], Replay | None] | None = field(default=None, repr=False, compare=False)
    """Returns the replay of the same walk once it has grown; ``None`` while it has not."""
    find_what_if: Callable[[], EpisodeWhatIf | None] | None = field(
        default=None, repr=False, compare=False
    )
    """Returns how it ends after other links, where that is kept or quickly worked out."""

    def __post_init__(self) -> None:
        """Refuse a step that the walk does not have."""
        self.check_step(self.first_step)

    @property
    def first_step(self) -> int:
        """Where it starts."""
        return min(1, len(self.trace.steps)) if self.step is None else self.step

    def check_step(self, step: int) -> None:
        """Raise `InputError` for a step that the walk does not have."""
        count = len(self.trace.steps)
        if not 0 <= step <= count:
            raise InputError(
                f"the walk has no step {step}",
                f"choose 0 to {count}",
                episode=self.trace.episode.id,
                field="step",
            )

    @cached_property
    def widget(self) -> ReplayWidget:
        """The widget, with the traitlets ``step``, ``episode``, ``selection`` and ``playing``.

        Raises
        ------
        MissingExtraError
            Without the extra ``notebook`` (anywidget).
        """
        with needs_extra("notebook"):
            pass
        return ReplayWidget(self)

    def follow(self) -> Replay:
        """Play the walk on while another process writes it, until it ends; returns itself.

        Raises
        ------
        InputError
            For a trace without its run, whose file is not known.
        MissingExtraError
            Without the extra ``notebook`` (anywidget).
        """
        if self.newer is None:
            raise InputError(
                "has no file that could grow",
                "open its run: navviz.replay(navviz.open_run(PATH), ID).follow()",
                episode=self.trace.episode.id,
            )
        threading.Thread(target=self.widget.follow, name="navviz-follow", daemon=True).start()
        return self

    def html(self) -> str:
        """Return a whole HTML page that needs no network: with pictures at most 20 MB."""
        from navviz.views.player.html import illustrated_page
        from navviz.views.player.pictures import PictureTable

        table = PictureTable(self.pictures)
        return illustrated_page(self.document(table), table, step=self.step)

    def document(self, table: PictureTable) -> dict[str, Any]:
        """Return what the player shows; pictures are named, and stand in `table`."""
        # causes bring all detectors; a script waits only for what it calls
        from navviz.analysis.replays import explained_document

        what_if = None if self.find_what_if is None else self.find_what_if()
        return explained_document(self.trace, self.graph, pictures=table, what_if=what_if)

    def save(self, path: str | Path) -> Path:
        """Write `html` to a file, with its folder, and return its path; raises `StoreError`."""
        target = Path(path)
        write_whole(target, self.html())
        return target

    def _ipython_display_(self) -> None:
        """Show the player in a kernel, and the widget that follows it, where the extra is there.

        They are two outputs. One output of both forms would be saved as both, and JupyterLab shows
        an error in place of a widget whose kernel is gone, not the other form.
        """
        # IPython in a terminal has no kernel
        ipython = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython is not None else None
        if getattr(shell, "kernel", None) is None or extra_hint("notebook") is not None:
            raise NotImplementedError  # IPython then takes `_repr_html_`
        from IPython.display import display

        widget = dict(self.widget._repr_mimebundle_()[0])
        if "google.colab" in sys.modules:
            # there each output is a page of its own: a widget cannot find the frame of another
            display({**widget, "text/html": self._repr_html_()}, raw=True)
            return
        name = self.widget.frame_name
        # the widget shows nothing itself; without a kernel its place would show an error
        rule = f'.jp-OutputArea-child:has([data-navviz="{name}"])+.jp-OutputArea-child'
        style = f"<style>{rule}{{display:none}}</style>"
        display({"text/html": style + self._html(name), "text/plain": repr(self)}, raw=True)
        display({**widget, "text/plain": ""}, raw=True)

    def _display_(self) -> Any:  # noqa: ANN401 - what marimo shows in place of this
        """Show the widget in marimo, else the static player."""
        import marimo

        return marimo.Html(self._repr_html_()) if extra_hint("notebook") else self.widget

    def _repr_html_(self) -> str:
        return self._html()

    def _html(self, live: str = "") -> str:
        from navviz.views.player.html import SCRIPTS, plotly_carrier, replay_frame
        from navviz.views.player.pictures import FILE_BYTES, PictureTable, with_data

        table = PictureTable(self.pictures)
        document = with_data(self.document(table), table, FILE_BYTES // 2)
        frame = replay_frame(
            document,
            self.height_px,
            scene="own" if self.alone else "shared",
            step=self.step,
            live=live,
            episodes=bool(live) and len(self.episodes) > 1,
        )
        carries = self.graph.frame == "metric" and not self.alone and SCRIPTS.carries_plotly()
        return frame + plotly_carrier() if carries else frame


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
    def newer(self) -> Callable[[], ShownReplay | None] | None: ...  # noqa: D102
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
    _doc = traitlets.Unicode("").tag(sync=True)
    """A newer document of the walk that `_page` or the output shows."""
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

    def follow(self) -> None:
        """Take what is written of the walk, until it has ended; a thread does so."""
        while self._replay.trace.end is None and self._replay.newer is not None:
            time.sleep(_LOOK_S)
            # a last line may be cut in the middle: the next look has it whole
            with contextlib.suppress(NavVizError):
                newer = self._replay.newer()
                if newer is not None and newer.trace.episode.id == self.episode:
                    self._replay = newer
                    self._doc = document_json(self._document())

    def _document(self) -> dict[str, Any]:
        table = PictureTable(self._replay.pictures)
        return with_data(self._replay.document(table), table, FILE_BYTES // 2)

    def _show(self) -> None:
        """Send the page of the episode; the first one is in the output already, if there is one."""
        replay = self._replay
        document = self._document()
        scene: SceneScript = "own" if replay.alone else "shared"
        several = len(self._episodes) > 1
        self._doc = ""
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
