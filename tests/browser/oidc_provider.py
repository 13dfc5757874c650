"""A small OpenID provider on 127.0.0.1: it signs in whoever comes, under the name it was told."""

from __future__ import annotations

import json
import threading
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from joserfc import jwk, jwt

CLIENT = ("navviz", "a secret of the test")


@dataclass
class Provider:
    """What the provider says of who signs in; a test changes it."""

    address: str = ""
    claims: dict[str, Any] = field(
        default_factory=lambda: {"sub": "1", "name": "fox", "email": "fox@lab.example"}
    )
    wrong: dict[str, Any] = field(default_factory=dict)
    """Claims that replace the right ones, such as ``aud`` and ``iss``."""
    forged: bool = False
    """Sign with a key that the provider does not publish."""
    nonces: dict[str, str] = field(default_factory=dict)
    key: jwk.RSAKey = field(
        default_factory=lambda: jwk.RSAKey.generate_key(2048, {"kid": "k", "use": "sig"})
    )
    other: jwk.RSAKey = field(
        default_factory=lambda: jwk.RSAKey.generate_key(2048, {"kid": "k", "use": "sig"})
    )

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def token(self, code: str) -> dict[str, Any]:
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": CLIENT[0],
            "iat": now,
            "exp": now + 600,
            "nonce": self.nonces.pop(code),
        }
        signed = jwt.encode(
            {"alg": "RS256", "kid": "k"},
            claims | self.claims | self.wrong,
            self.other if self.forged else self.key,
        )
        return {
            "access_token": "unused",
            "token_type": "Bearer",
            "expires_in": 600,
            "id_token": signed,
        }


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            address = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(address.query).items()}
            if address.path == "/.well-known/openid-configuration":
                self._answer(provider.metadata())
            elif address.path == "/keys":
                self._answer({"keys": [provider.key.as_dict(private=False)]})
            elif address.path == "/authorize":
                code = f"code-{len(provider.nonces)}-{time.monotonic_ns()}"
                provider.nonces[code] = query["nonce"]
                self.send_response(302)
                self.send_header(
                    "Location",
                    f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}",
                )
                self.end_headers()
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            body = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            header = self.headers.get("Authorization", "")
            name, _, secret = b64decode(header.removeprefix("Basic ")).decode().partition(":")
            if (unquote(name), unquote(secret).replace("+", " ")) != CLIENT:
                self.send_error(401)
                return
            self._answer(provider.token(body["code"][0]))

        def _answer(self, value: object) -> None:
            text = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    return Handler


@contextmanager
def providing() -> Iterator[Provider]:
    """Run the provider on a free port."""
    provider = Provider()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(provider))
    provider.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
