"""The event stream."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from types import TracebackType

from typing_extensions import Self

from ... import _request as api
from ..._responses import read_list
from ..._stream_state import OnGap, StreamState
from ...errors import SvcFormsError
from ...models import Event, EventType, StreamEventType
from ..resource import Resource
from ..transport import StreamedResponse, Transport

log = logging.getLogger("svcforms")


class Events(Resource):
    """`client.events`. Scope of the stream: `events:read`."""

    _streaming = frozenset({"stream"})

    def types(self) -> Sequence[EventType]:
        """Returns every event type with an example and the JSON Schema of the payload that webhooks get."""
        return read_list(EventType, self._transport.send(api.get("/api/event-types")))

    def stream(
        self,
        types: StreamEventType | str | Sequence[StreamEventType | str] = "*",
        *,
        last_event_id: str | None = None,
        on_gap: OnGap = "raise",
    ) -> EventStream:
        """Opens an endless stream of events. The stream connects when you ask for the first event,
        reconnects, and continues after the last event.

        Args:
            types: one or more event types; `hitl.task.*`, `form.*` and `*` are wildcards.
            last_event_id: continue after this event (`event.id`, `stream.last_event_id`,
                `task.event_cursor`). Default: only events after the stream has connected.
            on_gap: whether to raise or continue when the server no longer has some of the events.

        Raises:
            StreamGapError: during iteration: the server no longer has some of the events.
            APIStatusError: during iteration: the API key is invalid, or an event type doesn't
                exist.
            APIConnectionError: during iteration: the first connection failed.

        Example:
            ```python
            with client.events.stream("hitl.task.completed", last_event_id=saved) as events:
                for event in events:
                    handle(event)
                    saved = event.id
            ```
        """
        return EventStream(self._transport, StreamState(types, last_event_id, on_gap))


class EventStream:
    """An iterator over events that reconnects. Close it, or use it in `with`."""

    def __init__(self, transport: Transport, state: StreamState) -> None:
        self._transport = transport
        self._state = state
        self._response: StreamedResponse | None = None
        self._buffer: deque[Event] = deque()
        self._failure: SvcFormsError | None = None
        self._has_connected = False
        self._is_closed = False

    @property
    def last_event_id(self) -> str | None:
        """The id of the last event that you received, or a later position that the server reported
        since. Pass it to `stream` to continue after it.
        """
        return self._state.last_delivered

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        # This isn't a generator, because a cancelled wait (such as a timeout) would end a
        # generator.
        while True:
            # Also with events in the buffer: one chunk can contain many.
            if self._is_closed:
                raise StopIteration
            if self._buffer:
                event = self._buffer.popleft()
                self._state.last_delivered = event.id
                return event
            try:
                self._advance()
            except SvcFormsError:
                self.close()
                raise

    def close(self) -> None:
        """Closes the connection and ends the iterator."""
        self._is_closed = True
        self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _advance(self) -> None:
        """Connects, reads the next chunk, or waits before it reconnects."""
        if self._failure is not None:
            raise self._failure
        self._state.on_delivered()
        problem: SvcFormsError | None = None
        try:
            if self._response is None:
                self._response = self._transport.open(self._state.next_request(), "text/event-stream")
                self._state.on_open()
                self._has_connected = True
            chunk = self._response.next()
            if chunk is not None:
                self._buffer_events(chunk)
                return
        except SvcFormsError as error:
            if not self._has_connected:
                raise
            problem = error
        self._disconnect()
        delay = self._state.reconnect_delay(problem)
        log.info("event stream: %s; reconnecting in %.1f s", problem or "closed by the server", delay)
        self._transport.sleep(delay)

    def _buffer_events(self, chunk: bytes) -> None:
        try:
            self._buffer.extend(self._state.events(chunk))
        except SvcFormsError as error:
            # The caller receives the events before the failure first.
            self._failure = error

    def _disconnect(self) -> None:
        response, self._response = self._response, None
        if response is not None:
            response.close()
