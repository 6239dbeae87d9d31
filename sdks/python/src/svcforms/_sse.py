"""Parses server-sent events, as the WHATWG HTML standard specifies, and the comments of our server."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\n|\r")
_POSITION = "position "


@dataclass(frozen=True)
class Frame:
    """One frame of the stream."""

    id: str
    """The last event id, from this frame or an earlier one; empty before the first id."""
    event: str
    data: str


class FrameDecoder:
    """Decodes a stream from chunks of any size. Lines end with LF, CR or CRLF only."""

    def __init__(self) -> None:
        self.last_id = ""
        """The id of the last complete frame, or the position that the server reported after it."""
        self.retry_seconds: float | None = None
        """The reconnection delay that the server requested."""
        self._rest = b""
        self._id = ""
        self._event = ""
        self._data: list[str] = []
        self._at_start = True

    def feed(self, chunk: bytes) -> list[Frame]:
        """Returns the frames that this chunk completes."""
        buffer = self._rest + chunk
        if self._at_start and len(buffer) >= 3:
            self._at_start = False
            buffer = buffer.removeprefix(b"\xef\xbb\xbf")
        if self._at_start:
            self._rest = buffer
            return []
        # A CR at the end may be the first half of a CRLF.
        trailing = b"\r" if buffer.endswith(b"\r") else b""
        lines = _LINE_END.split(buffer[: len(buffer) - len(trailing)])
        self._rest = lines.pop() + trailing
        frames = (self._take(line.decode(errors="replace")) for line in lines)
        return [frame for frame in frames if frame is not None]

    def _take(self, line: str) -> Frame | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not name and value.startswith(_POSITION):
            # The server reports positions between events in comments.
            self.last_id = self._id = value.removeprefix(_POSITION)
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry_seconds = int(value) / 1000
        return None

    def _dispatch(self) -> Frame | None:
        self.last_id = self._id
        event, data = self._event, self._data
        self._event, self._data = "", []
        return Frame(self.last_id, event or "message", "\n".join(data)) if data else None
