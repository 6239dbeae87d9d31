"""What a stream of events remembers over its connections. Decides only; the transport connects."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import httpx

from . import _call as call
from ._call import Call
from ._retry import backoff
from ._sse import Frame, FrameDecoder
from .errors import (
    APIConnectionError,
    APIStatusError,
    StreamGapError,
    SvcFormsError,
    UnexpectedAnswerError,
)
from .models import Event

OnGap = Literal["raise", "continue"]

#: The server sends a line every 15 seconds; three of them missing, the connection is dead.
SILENCE = 45.0
FIRST_RETRY_SECONDS = 3.0
#: A connection that held for so long was a good one, also when it brought nothing.
STABLE = 5.0
REMEMBERED_IDS = 4096


class StreamState:
    """Where a stream is: what it has handed out, and where its next connection begins."""

    def __init__(self, types: str | Sequence[str], last_event_id: str | None, on_gap: OnGap) -> None:
        names = [types] if isinstance(types, str) else list(types)
        if not names:
            raise ValueError("types must name at least one event type, or be *")
        if last_event_id == "":
            # The server would take it for none, and begin with what comes next.
            raise ValueError("last_event_id must be the id of an event, or None; it is empty")
        self._path = call.path("/api/mcp/events/{}", ",".join(names)).replace("%2C", ",").replace("%2A", "*")
        self._on_gap = on_gap
        self.position = last_event_id
        """The id after which the next connection goes on."""
        self.handed_out = last_event_id
        """The id of the last event that was handed out."""
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._decoder = FrameDecoder()
        self._failures = 0
        self._opened_at = 0.0

    def connection(self) -> Call:
        """The call that opens the next connection."""
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if self.position is not None:
            headers["Last-Event-ID"] = self.position
        return Call("GET", self._path, headers=headers, read_timeout=SILENCE)

    def opened(self, response: httpx.Response) -> None:
        """Looks at the answer of a new connection."""
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            raise UnexpectedAnswerError(f"{response.request.url} did not answer with an event stream")
        self._opened_at = time.monotonic()
        retry = self._decoder.retry_seconds
        self._decoder = FrameDecoder()
        self._decoder.retry_seconds = retry

    def events(self, chunk: bytes) -> Iterator[Event]:
        """The events that are complete with these bytes, each only once.

        Raises:
            StreamGapError: the server can't go on where this stream ended.
        """
        for frame in self._decoder.feed(chunk):
            event = self._take(frame)
            if event is not None:
                self._failures = 0
                yield event
        self.position = self._decoder.last_id or self.position

    def _take(self, frame: Frame) -> Event | None:
        try:
            content: Any = json.loads(frame.data)
            if frame.event == "stream.reset":
                self._gap(content["data"])
                return None
            event = Event.model_validate({**content, "id": frame.id})
        except (ValueError, TypeError, KeyError) as error:
            raise UnexpectedAnswerError(f"The stream sent a frame that is no event, at {frame.id}") from error
        if frame.id in self._seen:
            return None
        self._seen[frame.id] = None
        if len(self._seen) > REMEMBERED_IDS:
            self._seen.popitem(last=False)
        return event

    def _gap(self, data: dict[str, Any]) -> None:
        if self._on_gap == "raise":
            raise StreamGapError(str(data.get("reason")), data.get("requestedId"), data.get("firstAvailableId"))

    def pause_after(self, error: SvcFormsError | None) -> float:
        """Seconds until the next connection; None as error: the server ended this one as it always does.

        Raises:
            SvcFormsError: it won't be better the next time.
        """
        if self.position is None and self._on_gap == "raise":
            # The server says where a stream begins as it opens it; this one broke before.
            raise StreamGapError("unknown", None, None) from error
        if time.monotonic() - self._opened_at > STABLE:
            self._failures = 0
            if error is None:
                return 0.0
        if isinstance(error, APIStatusError):
            if error.status not in (408, 429) and error.status < 500:
                raise error
            if error.retry_after is not None:
                return error.retry_after
        elif error is not None and not isinstance(error, APIConnectionError):
            raise error
        self._failures += 1
        wanted = self._decoder.retry_seconds or FIRST_RETRY_SECONDS
        # At once after a break, as servers that restart are back soon; then as slowly as they wish.
        return min(wanted, backoff(self._failures))
