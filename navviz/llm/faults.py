"""Tell lost connections from programming errors.

Clients of different packages raise different classes for the same fault of the transport.
"""

from __future__ import annotations

from navviz.llm.retries import NoConnectionError, TransientError

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

    Parameters
    ----------
    error
        What the client library raised.
    sentence
        What could not be reached, without a full stop.
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
