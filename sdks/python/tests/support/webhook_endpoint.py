from __future__ import annotations

import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue


@dataclass(frozen=True)
class Received:
    headers: dict[str, str]
    """Lower-case name → value."""
    body: bytes

    @property
    def signature(self) -> str:
        return self.headers["svc-signature"]


class WebhookEndpoint:
    """Receives webhooks and callbacks."""

    def __init__(self) -> None:
        self._received: Queue[Received] = Queue()
        received = self._received

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                received.put(Received({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hooks"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def next(self) -> Received:
        return self._received.get(timeout=30)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
