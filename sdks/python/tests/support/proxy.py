from __future__ import annotations

import socket
import threading
from collections import deque
from contextlib import suppress


class Proxy:
    """A TCP proxy before the server, which does to requests and answers what networks do."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._answers: deque[bytes] = deque()
        self._lost_answers = 0
        self._broken_after: int | None = None
        self._refuses = False
        self.is_answering = False
        """Whether bytes of an answer have come since the last request."""
        self.requests: list[str] = []
        """The first lines of all requests, those that were not let through too."""
        threading.Thread(target=self._accept, daemon=True).start()

    def answer(self, status: str, *headers: str, body: str = "", times: int = 1) -> None:
        """Answers the next requests itself; they don't reach the server."""
        lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body.encode())}", "Connection: close"]
        for _ in range(times):
            self._answers.append(("\r\n".join(lines) + "\r\n\r\n" + body).encode())

    def lose_answers(self, count: int = 1) -> None:
        """The next requests reach the server, and are done; the connection breaks instead of bringing an answer."""
        self._lost_answers = count

    def break_after(self, bytes_of_answers: int) -> None:
        """Breaks the next connection that has brought so many bytes of answers."""
        self._broken_after = bytes_of_answers

    def refuse(self, refuses: bool) -> None:
        """Whether new connections are closed at once."""
        self._refuses = refuses

    def cut(self) -> None:
        """Breaks every connection that is open now."""
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
                if self._begins_request(chunk):
                    self.is_answering = False
                    self.requests.append(chunk.split(b"\r\n", 1)[0].decode())
                    if self._answers:
                        _read_rest(client, chunk)
                        client.sendall(self._answers.popleft())
                        return
                if server is None:
                    server = socket.create_connection(self._target)
                    threading.Thread(target=self._bring_back, args=(server, client), daemon=True).start()
                server.sendall(chunk)
        except OSError:
            pass
        finally:
            self._end(client, server)

    def _bring_back(self, server: socket.socket, client: socket.socket) -> None:
        brought = 0
        try:
            while chunk := server.recv(65_536):
                if self._lost_answers > 0:
                    self._lost_answers -= 1
                    break
                brought += len(chunk)
                self.is_answering = True
                if self._broken_after is not None and brought >= self._broken_after:
                    client.sendall(chunk[: len(chunk) - (brought - self._broken_after)])
                    self._broken_after = None
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
    def _begins_request(chunk: bytes) -> bool:
        return chunk.split(b" ", 1)[0] in {b"GET", b"POST", b"PUT", b"PATCH", b"DELETE"}


def _read_rest(client: socket.socket, begun: bytes) -> None:
    """What follows in the body, so that closing doesn't reset the connection before the answer is read."""
    head, _, body = begun.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    missing = int(lengths[0]) - len(body) if lengths else 0
    while missing > 0 and (chunk := client.recv(65_536)):
        missing -= len(chunk)


def _reset(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
