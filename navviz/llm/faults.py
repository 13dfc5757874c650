"""Lost connections, told apart from programming errors whichever HTTP library a client is built on."""

from __future__ import annotations

from navviz.llm.retries import TransientError

__all__ = ["connection_fault"]

_HTTP_LIBRARIES = frozenset({"aiohttp", "h11", "httpcore", "httpcore2", "httpx", "httpx2"})


def connection_fault(error: BaseException, sentence: str) -> TransientError | None:
    """Return a `TransientError` for a fault of the transport, else ``None``.

    Parameters
    ----------
    error
        What the client library raised.
    sentence
        What could not be reached, without a full stop.
    """
    transport = any(kind.__module__.partition(".")[0] in _HTTP_LIBRARIES for kind in type(error).__mro__)
    if not transport and not isinstance(error, OSError | EOFError):
        return None
    return TransientError(f"{sentence} ({_short_name(error)}); check the address and the network.")


def _short_name(error: BaseException) -> str:
    names = {
        "ConnectError": "no connection",
        "ConnectTimeout": "no connection in time",
        "ReadError": "the connection was lost",
        "ReadTimeout": "no answer in time",
        "RemoteProtocolError": "the answer was cut off",
        "ServerDisconnectedError": "the connection was lost",
    }
    return names.get(type(error).__name__, type(error).__name__)
