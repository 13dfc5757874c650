"""Visitors of a running app who have no browser: they speak Streamlit's websocket protocol with its
own messages.

A browser takes more of the machine than what it visits; twenty of them would measure each other.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

Rerun = tuple[str, float]
"""What was asked for, and the seconds until its script had ended."""

_LARGE = 1 << 28
_WAITS_S = 120.0


@dataclass
class Visitor:
    """One session: what the page has on it, and how long each run of its script took."""

    url: str
    times: list[Rerun] = field(default_factory=list)
    buttons: dict[str, str] = field(default_factory=dict)
    """Ids of buttons by label."""
    query: dict[str, str] = field(default_factory=dict)
    page: str = ""
    exceptions: list[str] = field(default_factory=list)
    received_bytes: int = 0

    async def visit(
        self, steps: list[tuple[str, str, dict[str, str]]], rounds: int, think_s: float
    ) -> None:
        """Do each ``(name, page or button, query)`` in turn; a button is written ``[Label]``."""
        address = f"ws{self.url.removeprefix('http')}/_stcore/stream"
        async with connect(
            address,
            subprotocols=["streamlit"],
            max_size=_LARGE,
            origin=self.url,
            open_timeout=_WAITS_S,
        ) as socket:
            for _ in range(rounds):
                for name, target, query in steps:
                    await self._do(socket, name, target, query)
                    await asyncio.sleep(think_s)

    async def _do(
        self, socket: ClientConnection, name: str, target: str, query: dict[str, str]
    ) -> None:
        message = BackMsg()
        value = message.rerun_script
        if target.startswith("["):
            label = target[1:-1]
            state = WidgetState(id=self.buttons[label], trigger_value=True)
            value.widget_states.widgets.append(state)
        else:
            self.page, self.query = target, dict(query)
            self.buttons.clear()
        value.query_string, value.page_name = urlencode(self.query), self.page
        value.context_info.url = f"{self.url}/{self.page}"
        began = time.monotonic()
        await socket.send(message.SerializeToString())
        await asyncio.wait_for(self._end(socket), _WAITS_S)
        self.times.append((name, time.monotonic() - began))

    async def _end(self, socket: ClientConnection) -> None:
        """Wait until the script has ended; one that is run again at once ends with the second
        run.
        """
        while True:
            raw = await socket.recv()
            self.received_bytes += len(raw)
            message = ForwardMsg.FromString(raw if isinstance(raw, bytes) else raw.encode())
            kind = message.WhichOneof("type")
            if kind == "delta":
                self._take(message)
            elif kind == "page_info_changed":
                pairs = (
                    pair.partition("=")
                    for pair in message.page_info_changed.query_string.split("&")
                    if pair
                )
                self.query = {key: value for key, _, value in pairs}
            elif (
                kind == "script_finished"
                and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            ):
                return

    def _take(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "button":
            self.buttons[element.button.label] = element.button.id
        elif kind == "exception":
            self.exceptions.append(element.exception.message)


def percentile(times: list[float], part: float) -> float:
    """Return the smallest time that at least this part of all is not above."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, max(0, round(part * len(ordered) + 0.5) - 1))]
