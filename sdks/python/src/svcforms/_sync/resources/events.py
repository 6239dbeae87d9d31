"""The stream of events."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from types import TracebackType

from typing_extensions import Self

from ..._stream import OnGap, StreamState
from ...errors import SvcFormsError
from ...models import Event, StreamEventType
from ..transport import OpenAnswer, Transport

log = logging.getLogger("svcforms")


class Events:
    """`client.events`. Scope: `events:read`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def stream(
        self,
        types: StreamEventType | str | Sequence[StreamEventType | str] = "*",
        *,
        last_event_id: str | None = None,
        on_gap: OnGap = "raise",
    ) -> EventStream:
        """Events as they happen, for ever: connections that end or break are made again where they ended.

        Args:
            types: an event type or several; `hitl.task.*` and `*` stand for many.
            last_event_id: go on after this event (`event.id`, `stream.last_event_id`, `task.event_cursor`).
                Absent: only what happens from now on.
            on_gap: what to do when the server no longer has what happened in between: raise, or go on.

        Raises:
            StreamGapError: while iterating; there was a gap.
            APIStatusError: while iterating; the key isn't valid (any more), or there is no such event type.
            APIConnectionError: while iterating, only before the first connection stood.

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
    """An iterator over events that outlives its connections. Close it, or use it in `with`."""

    def __init__(self, transport: Transport, state: StreamState) -> None:
        self._transport = transport
        self._state = state
        self._answer: OpenAnswer | None = None
        self._waiting: deque[Event] = deque()
        self._failure: SvcFormsError | None = None
        self._stood = False
        self._is_over = False

    @property
    def last_event_id(self) -> str | None:
        """The id of the last event that was handed out: where another stream would go on."""
        return self._state.handed_out

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        # No generator: what interrupts the wait for an event, such as a timeout, must not end the stream.
        while not self._waiting:
            if self._is_over:
                raise StopIteration
            try:
                self._read_on()
            except SvcFormsError:
                self.close()
                raise
        event = self._waiting.popleft()
        self._state.handed_out = event.id
        return event

    def close(self) -> None:
        """Ends the connection, and the iterator with it."""
        self._is_over = True
        self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read_on(self) -> None:
        """One step: connects, reads what comes next, or waits to connect again."""
        if self._failure is not None:
            raise self._failure
        problem: SvcFormsError | None = None
        try:
            if self._answer is None:
                self._answer = self._transport.open(self._state.connection())
                self._state.opened(self._answer.response)
                self._stood = True
            chunk = self._answer.next()
            if chunk is not None:
                self._take(chunk)
                return
        except SvcFormsError as error:
            if not self._stood:
                raise
            problem = error
        self._disconnect()
        pause = self._state.pause_after(problem)
        log.info("event stream: %s; again in %.1f s", problem or "ended by the server", pause)
        self._transport.sleep(pause)

    def _take(self, chunk: bytes) -> None:
        try:
            self._waiting.extend(self._state.events(chunk))
        except SvcFormsError as error:
            # What came before it is handed out first.
            self._failure = error

    def _disconnect(self) -> None:
        answer, self._answer = self._answer, None
        if answer is not None:
            answer.close()
