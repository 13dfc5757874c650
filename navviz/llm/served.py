"""Ask a part of a navigator that somebody serves: one JSON record posted, one JSON object back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import requests

from navviz.errors import ModelError
from navviz.llm.addresses import check_address


def ask_served(
    url: str, record: Mapping[str, Any], what: str, timeout_s: float = 60.0
) -> dict[str, Any]:
    """Post a record and return the answer.

    `url`: where to post; checked as a model's address is. `what`: what is served, for the sentence
    of an error: ``agent``. `timeout_s`: how long to wait for the answer. Raises `SettingsError`
    when the address is none, or one that this server trusts not; `ModelError` when there is no
    answer, or one that is no JSON object; the sentence says which.
    """
    address = check_address(url) + ("/" if url.endswith("/") else "")
    try:
        # whoever answers there could send it on to another server
        answer = requests.post(address, json=record, timeout=timeout_s, allow_redirects=False)
        if answer.is_redirect or 300 <= answer.status_code < 400:
            raise ModelError(
                f"The {what} at {url} sent the request on to another address"
                f" ({answer.status_code}), and NavViz follows no redirect; write the address that"
                " answers itself."
            )
        answer.raise_for_status()
        reply = answer.json()
    except requests.JSONDecodeError as error:
        raise ModelError(f"The {what} at {url} answered with something that is no JSON.") from error
    except requests.HTTPError as error:
        status = error.response.status_code if error.response is not None else "unknown"
        raise ModelError(
            f"The {what} at {url} answered with status {status}; look at its log."
        ) from error
    except requests.RequestException as error:
        raise ModelError(
            f"The {what} at {url} did not answer ({type(error).__name__}); start it, or check the"
            " address."
        ) from error
    if not isinstance(reply, dict):
        raise ModelError(f"The {what} at {url} answered with no JSON object.")
    return reply
