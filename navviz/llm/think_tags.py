"""Thoughts that a server leaves in the reply, between ``<think>`` and ``</think>``."""

from __future__ import annotations

_OPEN, _CLOSE = "<think>", "</think>"


class ThinkTags:
    """Splits a streaming reply that begins with ``<think>``; other replies pass unchanged."""

    def __init__(self) -> None:
        self._waiting = ""
        self._state = "start"

    def split(self, text: str) -> tuple[str, str]:
        """Take the next piece; return what it adds to (thoughts, reply)."""
        if self._state == "after":  # blank lines between thoughts and reply belong to neither
            text = text.lstrip("\n")
            self._state = "reply" if text else "after"
        if self._state in {"reply", "after"} or not text:
            return "", text
        self._waiting += text
        if self._state == "start" and not self._begin():
            return "", ""
        return self._inside() if self._state == "inside" else ("", self._release())

    def _begin(self) -> bool:
        """Leave the state ``start`` once it is clear how the reply begins."""
        begin = self._waiting.lstrip()
        if begin.startswith(_OPEN):
            self._state, self._waiting = "inside", begin[len(_OPEN) :].lstrip("\n")
        # a piece may end within the tag, so the state stays open as long as a tag is possible
        elif not _OPEN.startswith(begin):
            self._state = "reply"
        return self._state != "start"

    def _inside(self) -> tuple[str, str]:
        thoughts, tag, reply = self._waiting.partition(_CLOSE)
        if tag:
            reply = reply.lstrip("\n")
            self._state, self._waiting = ("reply" if reply else "after"), ""
            return thoughts, reply
        # the piece may end with the first letters of the closing tag; they wait for the next piece
        keep = next(
            (n for n in range(len(_CLOSE) - 1, 0, -1) if self._waiting.endswith(_CLOSE[:n])), 0
        )
        cut = len(self._waiting) - keep
        thoughts, self._waiting = self._waiting[:cut], self._waiting[cut:]
        return thoughts, ""

    def _release(self) -> str:
        text, self._waiting = self._waiting, ""
        return text

    def rest(self) -> tuple[str, str]:
        """Return what was held back when the stream ended, as (thoughts, reply)."""
        text = self._release()
        return (text, "") if self._state == "inside" else ("", text)
