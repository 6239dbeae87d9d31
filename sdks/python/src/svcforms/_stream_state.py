"""The state of an event stream across its connections. The transport connects."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from . import _request as api
from ._request import ApiRequest
from ._retry import backoff, requested_delay
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

#: The server sends a line every 15 seconds, so a connection without three of them is dead.
SILENCE = 45.0
FIRST_RETRY_SECONDS = 3.0
#: A connection of at least this length resets the backoff, even without events.
STABLE = 5.0
REMEMBERED_IDS = 4096


class StreamState:
    """The position of a stream: the last delivered event, and the id after which the next
    connection continues.
    """

    def __init__(self, types: str | Sequence[str], last_event_id: str | None, on_gap: OnGap) -> None:
        names = [types] if isinstance(types, str) else list(types)
        if not names:
            raise ValueError("types must contain at least one event type, or be *")
        if last_event_id == "":
            # The server treats an empty id as absent, which would skip all earlier events.
            raise ValueError("last_event_id is empty; pass the id of an event, or None")
        self._path = api.path("/api/mcp/events/{}", ",".join(names)).replace("%2C", ",").replace("%2A", "*")
        self._on_gap = on_gap
        self.resume_after = last_event_id
        """The id after which the next connection continues."""
        self.last_delivered = last_event_id
        """The position up to which the caller received every event."""
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._decoder = FrameDecoder()
        self._failures = 0
        self._opened_at = 0.0

    def next_request(self) -> ApiRequest:
        """Builds the request that opens the next connection."""
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if self.resume_after is not None:
            headers["Last-Event-ID"] = self.resume_after
        return ApiRequest("GET", self._path, headers=headers, read_timeout=SILENCE)

    def on_open(self) -> None:
        """Starts to read a new connection."""
        self._opened_at = time.monotonic()
        retry = self._decoder.retry_seconds
        self._decoder = FrameDecoder()
        self._decoder.retry_seconds = retry

    def events(self, chunk: bytes) -> Iterator[Event]:
        """Returns the events that this chunk completes, without duplicates.

        Raises:
            StreamGapError: the server can't continue after the last event.
        """
        for frame in self._decoder.feed(chunk):
            event = self._parse(frame)
            if event is not None:
                self._failures = 0
                yield event
        self.resume_after = self._decoder.last_id or self.resume_after

    def on_delivered(self) -> None:
        """Moves to the position that the server reported last. The caller has received all events."""
        self.last_delivered = self.resume_after

    def _parse(self, frame: Frame) -> Event | None:
        try:
            content: Any = json.loads(frame.data)
            if frame.event == "stream.reset":
                self._on_reset(content["data"])
                return None
            event = Event.model_validate({**content, "id": frame.id})
        except (ValueError, TypeError, KeyError) as error:
            raise UnexpectedAnswerError(f"The stream sent an invalid event after {frame.id}") from error
        if frame.id in self._seen:
            return None
        self._seen[frame.id] = None
        if len(self._seen) > REMEMBERED_IDS:
            self._seen.popitem(last=False)
        return event

    def _on_reset(self, data: dict[str, Any]) -> None:
        if self._on_gap == "raise":
            raise StreamGapError(str(data.get("reason")), data.get("requestedId"), data.get("firstAvailableId"))

    def reconnect_delay(self, error: SvcFormsError | None) -> float:
        """Returns the seconds until the next connection. `error` is None when the server closed the
        last one normally.

        Raises:
            SvcFormsError: a new connection would fail too.
        """
        if self.resume_after is None and self._on_gap == "raise":
            # The server sends the start position when a stream opens, and this connection broke
            # before that.
            raise StreamGapError("unknown", None, None) from error
        if time.monotonic() - self._opened_at > STABLE:
            self._failures = 0
            if error is None:
                return 0.0
        if isinstance(error, APIStatusError):
            if error.status not in (408, 429) and error.status < 500:
                raise error
            delay = requested_delay(error)
            if delay is not None:
                return delay
        elif error is not None and not isinstance(error, APIConnectionError):
            raise error
        self._failures += 1
        requested = self._decoder.retry_seconds or FIRST_RETRY_SECONDS
        # The backoff starts below the requested delay, because a restarting server is back soon.
        return min(requested, backoff(self._failures))
