"""Which faults of a model server are worth another try, and how long to wait before it."""

from __future__ import annotations

import email.utils
import random
import re
import threading
import time
from collections.abc import Mapping

import tenacity
from pydantic import BaseModel, ConfigDict, Field

_NO_CONNECTION_TRIES = 3
"""A server that is down for longer than these tries (about 2 s) is not back in half a minute
either.
"""


class RetryPolicy(BaseModel):
    """How often and how patiently to ask again (429, 5xx, timeouts, lost or cut streams)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    attempts: int = Field(default=6, ge=1, description="How often a call is tried in all")
    first_wait_s: float = Field(
        default=1.0, ge=0, description="Wait before the second try, doubled for each further one"
    )
    longest_wait_s: float = Field(
        default=60.0, ge=0, description="Longest wait of our own choosing"
    )
    longest_server_wait_s: float = Field(
        default=180.0, ge=0, description="Longest wait that a server may ask for"
    )


class TransientError(Exception):
    """A fault that may be gone in a moment; its text is one sentence without a key in it."""

    def __init__(
        self, sentence: str, server_wait_s: float | None = None, fault: str = "no answer"
    ) -> None:
        super().__init__(sentence)
        self.server_wait_s = server_wait_s
        """Seconds that the server asked to wait."""
        self.fault = fault
        """The same in a word or two, see `Call.service_fault`."""


class NoConnectionError(TransientError):
    """Nobody listens at the server's address: it is down, or the address is wrong."""


class StoppedError(Exception):
    """The caller does not want the answer any more."""


def attempts(policy: RetryPolicy, cancel: threading.Event) -> tenacity.Retrying:
    """Iterate over attempts, with backoff and jitter or the server's wait; `cancel` ends it.

    The last `TransientError` is raised when the attempts are used up, or when the server asks for
    more patience than `RetryPolicy.longest_server_wait_s`.
    """

    def wait_s(state: tenacity.RetryCallState) -> float:
        own = min(policy.longest_wait_s, policy.first_wait_s * 2.0 ** (state.attempt_number - 1))
        spread = random.uniform(0.0, own / 2)  # noqa: S311 - spreads clients in time, nothing secret
        server_s = _server_wait_s(state)
        # half of the wait is fixed and half is chance, so that workers that failed together do not
        # come back together; never sooner than the server asked
        return own / 2 + spread if server_s is None else server_s + min(spread, 1.0)

    return tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(TransientError),
        stop=tenacity.stop_after_attempt(policy.attempts)
        | _ServerWaitTooLong(policy.longest_server_wait_s)
        | _NobodyListens()
        | tenacity.stop_when_event_set(cancel),
        wait=wait_s,
        sleep=tenacity.sleep_using_event(cancel),
        reraise=True,
    )


class _ServerWaitTooLong(tenacity.stop.stop_base):
    """Give up when the server asks for more patience than we have."""

    def __init__(self, longest_s: float) -> None:
        self._longest_s = longest_s

    def __call__(self, retry_state: tenacity.RetryCallState) -> bool:
        server_wait_s = _server_wait_s(retry_state)
        return server_wait_s is not None and server_wait_s > self._longest_s


class _NobodyListens(tenacity.stop.stop_base):
    """Give up soon where no connection can be made at all."""

    def __call__(self, retry_state: tenacity.RetryCallState) -> bool:
        error = retry_state.outcome.exception() if retry_state.outcome is not None else None
        tried = retry_state.attempt_number >= _NO_CONNECTION_TRIES
        return tried and isinstance(error, NoConnectionError)


def _server_wait_s(state: tenacity.RetryCallState) -> float | None:
    error = state.outcome.exception() if state.outcome is not None else None
    return error.server_wait_s if isinstance(error, TransientError) else None


def parse_retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds in ``retry-after-ms`` or ``Retry-After`` (number or date, RFC 9110, 10.2.3)."""
    by_name = {name.lower(): value.strip() for name, value in headers.items()}
    # the header in milliseconds is no standard, but the more exact one where a server sends both
    for name, unit_s in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            return max(0.0, float(by_name[name]) * unit_s)
        except (KeyError, ValueError):
            continue
    try:
        at = email.utils.parsedate_to_datetime(by_name["retry-after"])
        return max(0.0, at.timestamp() - time.time())
    except (KeyError, ValueError, TypeError):
        return None


def parse_retry_info_s(details: object) -> float | None:
    """Seconds in the ``google.rpc.RetryInfo`` of an error body (``"retryDelay": "34s"``)."""
    parts: list[object] = [details]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            delay = part.get("retryDelay")
            if isinstance(delay, str) and (match := re.fullmatch(r"(\d+(?:\.\d+)?)s", delay)):
                return float(match[1])
            parts.extend(part.values())
        elif isinstance(part, list):
            parts.extend(part)
    return None


# by name, since an HTTP library that no client uses is not installed
_HTTP_LIBRARIES = frozenset({"aiohttp", "h11", "httpcore", "httpcore2", "httpx", "httpx2"})

_NO_CONNECTION = frozenset(
    {
        "ClientConnectorDNSError",
        "ClientConnectorError",
        "ConnectError",
        "ConnectionRefusedError",
        "gaierror",
    }
)


def connection_fault(error: BaseException, sentence: str) -> TransientError | None:
    """Return a `TransientError` for a fault of the transport, else ``None``.

    `sentence`: what could not be reached, without a full stop.
    """
    packages = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
    transport = not packages.isdisjoint(_HTTP_LIBRARIES)
    if not transport and not isinstance(error, OSError | EOFError):
        return None
    message = f"{sentence} ({_short_name(error)}); check the address and the network."
    if type(error).__name__ in _NO_CONNECTION:
        return NoConnectionError(message, fault="no connection")
    return TransientError(message, fault="connection lost")


def redirected(vendor: str, status: int) -> str:
    """Say that a server wanted to send a request, and its key, on to another one."""
    return (
        f"{vendor} sent the request on to another address ({status}), and NavViz follows no"
        " redirect, so that the key stays where it belongs; write the address that answers itself."
    )


def _short_name(error: BaseException) -> str:
    # names of classes mean nothing to users
    names = {
        "ConnectError": "no connection",
        "ConnectTimeout": "no connection in time",
        "ReadError": "the connection was lost",
        "ReadTimeout": "no answer in time",
        "RemoteProtocolError": "the answer was cut off",
        "ServerDisconnectedError": "the connection was lost",
    }
    return names.get(type(error).__name__, type(error).__name__)
