from __future__ import annotations

import socket
import threading
from collections import deque
from contextlib import suppress


class Proxy:
    """A TCP proxy in front of the server that simulates network faults."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._responses: deque[bytes] = deque()
        self._dropped_responses = 0
        self._cut_after: int | None = None
        self._refuses = False
        self.is_responding = False
        """Whether the response to the last request has started."""
        self.requests: list[str] = []
        """The first lines of all requests, including those that the proxy didn't forward."""
        threading.Thread(target=self._accept, daemon=True).start()

    def respond(self, status: str, *headers: str, body: str = "", times: int = 1) -> None:
        """Responds to the next requests without forwarding them."""
        lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body.encode())}", "Connection: close"]
        for _ in range(times):
            self._responses.append(("\r\n".join(lines) + "\r\n\r\n" + body).encode())

    def drop_responses(self, count: int = 1) -> None:
        """Forwards the next requests, but closes the connections instead of forwarding the
        responses.
        """
        self._dropped_responses = count

    def cut_after(self, response_bytes: int) -> None:
        """Closes the next connection that has forwarded this many response bytes."""
        self._cut_after = response_bytes

    def refuse(self, refuses: bool) -> None:
        """Sets whether the proxy closes new connections immediately."""
        self._refuses = refuses

    def cut(self) -> None:
        """Closes all open connections."""
        with self._lock:
            for end in self._open:
                _reset(end)

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        if self._refuses:
            client.close()
            return
        with self._lock:
            self._open.add(client)
        server: socket.socket | None = None
        try:
            while chunk := client.recv(65_536):
                if self._is_request_start(chunk):
                    self.is_responding = False
                    self.requests.append(chunk.split(b"\r\n", 1)[0].decode())
                    if self._responses:
                        _read_rest(client, chunk)
                        client.sendall(self._responses.popleft())
                        return
                if server is None:
                    server = socket.create_connection(self._target)
                    threading.Thread(target=self._forward_responses, args=(server, client), daemon=True).start()
                server.sendall(chunk)
        except OSError:
            pass
        finally:
            self._end(client, server)

    def _forward_responses(self, server: socket.socket, client: socket.socket) -> None:
        forwarded = 0
        try:
            while chunk := server.recv(65_536):
                if self._dropped_responses > 0:
                    self._dropped_responses -= 1
                    break
                forwarded += len(chunk)
                self.is_responding = True
                if self._cut_after is not None and forwarded >= self._cut_after:
                    client.sendall(chunk[: len(chunk) - (forwarded - self._cut_after)])
                    self._cut_after = None
                    break
                client.sendall(chunk)
        except OSError:
            pass
        finally:
            self._end(client, server)

    def _end(self, client: socket.socket, server: socket.socket | None) -> None:
        with self._lock:
            self._open.discard(client)
        for end in (client, server):
            if end is not None:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    @staticmethod
    def _is_request_start(chunk: bytes) -> bool:
        return chunk.split(b" ", 1)[0] in {b"GET", b"POST", b"PUT", b"PATCH", b"DELETE"}


def _read_rest(client: socket.socket, start: bytes) -> None:
    """Reads the rest of the body, because closing earlier would reset the connection."""
    head, _, body = start.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    missing = int(lengths[0]) - len(body) if lengths else 0
    while missing > 0 and (chunk := client.recv(65_536)):
        missing -= len(chunk)


def _reset(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
