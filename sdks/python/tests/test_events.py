"""Tests of the event stream: no lost or duplicate events, despite kills and broken connections."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest

from svcforms import (
    APIConnectionError,
    AsyncSvcForms,
    AuthenticationError,
    BadRequestError,
    Event,
    Form,
    PermissionDeniedError,
    StreamGapError,
    SvcForms,
    SvcFormsError,
)

from .conftest import FIELDS, MakeClient
from .support.proxy import Proxy
from .support.server import Server, free_port, poll

ADA = {"email": "ada@example.com"}


class Reader:
    """Reads a stream in a thread."""

    def __init__(self, stream: Any) -> None:
        self._events: queue.Queue[Event | BaseException] = queue.Queue()
        self.seen: list[Event] = []
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: Any) -> None:
        try:
            for event in stream:
                self._events.put(event)
        except BaseException as error:
            self._events.put(error)

    def next(self) -> Event:
        item = self._events.get(timeout=30)
        if isinstance(item, BaseException):
            raise item
        self.seen.append(item)
        return item

    def take(self, count: int) -> list[str | None]:
        """Returns the task ids of the next events."""
        return [self.next().task_id for _ in range(count)]

    def has_no_more(self) -> bool:
        with suppress(queue.Empty):
            raise AssertionError(f"unexpected event: {self._events.get(timeout=0.5)}")
        return True


@pytest.fixture
def cursor(client: SvcForms, form: Form) -> str:
    """The current position of the stream."""
    cursor = client.tasks.create(form.id, prefill=ADA, title="before").event_cursor
    assert cursor
    return cursor


def test_events_arrive_in_order_with_their_ids(client: SvcForms, form: Form, cursor: str) -> None:
    task = client.tasks.create(form.id, prefill=ADA, priority="high")
    client.tasks.decide(task.id, "approved")
    with client.events.stream("hitl.task.*", last_event_id=cursor) as stream:
        assert stream.last_event_id == cursor
        events = iter(stream)
        before, created, completed = next(events), next(events), next(events)
        assert stream.last_event_id == completed.id
    assert [event.type for event in (before, created, completed)] == [
        "hitl.task.created",
        "hitl.task.created",
        "hitl.task.completed",
    ]
    assert created.task_id == completed.task_id == task.id
    assert (created.data["templateId"], created.data["priority"]) == (form.id, "high")
    assert (completed.submission_id, completed.data["submission"]) == (
        completed.data["submissionId"],
        {"email": "ada@example.com"},
    )
    with client.events.stream(["hitl.task.created", "hitl.task.completed"], last_event_id=before.id) as stream:
        assert [next(iter(stream)).id for _ in range(2)] == [created.id, completed.id]


def test_a_stream_continues_from_the_cursor_of_a_task(client: SvcForms, form: Form) -> None:
    task = client.tasks.create(form.id, prefill=ADA)
    client.tasks.decide(task.id, "rejected")
    with client.events.stream("decision.rejected", last_event_id=task.event_cursor) as stream:
        event = next(iter(stream))
    assert (event.type, event.task_id) == ("decision.rejected", task.id)


def test_without_a_last_event_id_only_new_events_arrive(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form
) -> None:
    client.tasks.create(form.id, prefill=ADA)
    reader = Reader(proxied.events.stream("hitl.task.created"))
    opened(proxy, 1)
    task = client.tasks.create(form.id, prefill=ADA)
    assert reader.take(1) == [task.id]


def test_a_connection_that_breaks_before_the_first_event_loses_no_events(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form
) -> None:
    reader = Reader(proxied.events.stream("hitl.task.created"))
    opened(proxy, 1)
    proxy.refuse(True)
    proxy.cut()
    missed = [client.tasks.create(form.id, prefill=ADA).id for _ in range(3)]
    proxy.refuse(False)
    assert reader.take(3) == missed


def test_broken_connections_lose_and_duplicate_no_events(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form, cursor: str
) -> None:
    reader = Reader(proxied.events.stream("hitl.task.created", last_event_id=cursor))
    assert len(reader.take(1)) == 1
    created: list[str] = []
    for round_ in range(5):
        created += [client.tasks.create(form.id, prefill=ADA).id for _ in range(5)]
        # Breaks in the middle of a frame, between frames, and before the first frame.
        proxy.cut_after(700 + 61 * round_)
        if round_ % 2:
            proxy.cut()
        created += [client.tasks.create(form.id, prefill=ADA).id for _ in range(5)]
    assert reader.take(len(created)) == created
    assert reader.has_no_more()
    assert len({event.id for event in reader.seen}) == len(reader.seen)


def test_repeated_frames_arrive_once(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form, cursor: str
) -> None:
    event = '{"type":"hitl.task.created","timestamp":"2026-01-01T00:00:00Z","data":{"taskId":"tsk_1"}}'
    frame = f"id: x-1\nevent: hitl.task.created\ndata: {event}\n\n"
    proxy.respond("200 OK", "Content-Type: text/event-stream", body=frame * 2, times=2)
    reader = Reader(proxied.events.stream("hitl.task.created", last_event_id=cursor))
    assert reader.take(1) == ["tsk_1"]
    # The third connection reaches the server, which doesn't know that id.
    with pytest.raises(StreamGapError):
        reader.next()
    assert len(proxy.requests) == 3


def test_killed_servers_lose_and_duplicate_no_events(own_server: Callable[..., Server], client_for: MakeClient) -> None:
    server = own_server()
    client = client_for(server.api_key, server.url)
    creator = SvcForms(server.api_key, base_url=server.url, max_retries=10)
    form = creator.forms.create("Contact", fields=FIELDS)
    first = creator.tasks.create(form.id, prefill=ADA)
    reader = Reader(client.events.stream("hitl.task.created", last_event_id=first.event_cursor))
    assert reader.take(1) == [first.id]
    created: list[str] = []
    for _ in range(3):
        created += [creator.tasks.create(form.id, prefill=ADA).id for _ in range(5)]
        server.kill()
        back = threading.Thread(target=server.start)
        back.start()
        created += [creator.tasks.create(form.id, prefill=ADA).id for _ in range(5)]
        back.join()
    assert sorted(map(str, reader.take(len(created)))) == sorted(created)
    assert reader.has_no_more()
    creator.close()


def test_a_gap_raises(client: SvcForms, cursor: str) -> None:
    unknown = f"another-{cursor.rsplit('-', 1)[1]}"
    with client.events.stream("*", last_event_id=unknown) as stream, pytest.raises(StreamGapError) as caught:
        next(iter(stream))
    assert (caught.value.reason, caught.value.requested_id) == ("unknown", unknown)
    assert caught.value.first_available_id
    with client.events.stream("*", last_event_id=unknown, on_gap="continue") as stream:
        assert next(iter(stream)).id


def test_refusals_end_the_stream(client: SvcForms, client_for: MakeClient, server: Server) -> None:
    with pytest.raises(BadRequestError) as unknown:
        next(iter(client.events.stream("no.such.event")))
    assert unknown.value.code == "UNKNOWN_EVENT_TYPE"
    with pytest.raises(PermissionDeniedError):
        next(iter(client_for(client.keys.create("x", ["forms:read"]).key, server.url).events.stream()))
    nobody = client_for(server.api_key, f"http://127.0.0.1:{free_port()}", max_retries=0)
    with pytest.raises(APIConnectionError):
        next(iter(nobody.events.stream()))
    with pytest.raises(ValueError, match="at least one"):
        client.events.stream([])
    with pytest.raises(ValueError, match="is empty"):
        client.events.stream(last_event_id="")


def test_a_deleted_key_ends_the_stream(client: SvcForms, client_for: MakeClient, server: Server, proxy: Proxy) -> None:
    key = client.keys.create("watcher", ["events:read"])
    reader = Reader(client_for(key.key, proxy.url).events.stream())
    opened(proxy, 1)
    client.keys.delete(key.id)

    def read_on() -> None:
        # Events of other tests may arrive first.
        while True:
            reader.next()

    with pytest.raises(AuthenticationError):
        read_on()


def test_the_stream_retries_when_limited(client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    reader = Reader(proxied.events.stream("hitl.task.created"))
    opened(proxy, 1)
    proxy.respond("429 X", "Retry-After: 0", body='{"code":"TOO_MANY_STREAMS"}')
    proxy.respond("503 X")
    proxy.cut()
    opened(proxy, 4)
    task = client.tasks.create(form.id, prefill=ADA)
    assert reader.take(1) == [task.id]


def test_the_stream_pauses_when_a_proxy_says_retry_after_0(server: Server) -> None:
    times: list[float] = []

    def handle(_: httpx.Request) -> httpx.Response:
        times.append(time.monotonic())
        if len(times) == 1:
            return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=b": position x-1\n\n")
        return httpx.Response(503 if len(times) < 5 else 403, headers={"retry-after": "0"})

    with (
        SvcForms(server.api_key, max_retries=0, transport=httpx.MockTransport(handle)) as client,
        pytest.raises(PermissionDeniedError),
    ):
        next(iter(client.events.stream()))
    assert times[3] - times[2] > 0.2


def test_a_response_that_is_not_a_stream_raises(proxied: SvcForms, proxy: Proxy) -> None:
    proxy.respond("200 OK", "Content-Type: text/html", body="<html>")
    with pytest.raises(SvcFormsError, match="returned 200 without text/event-stream"):
        next(iter(proxied.events.stream()))


def test_a_closed_stream_returns_no_more_events_of_the_same_chunk(proxied: SvcForms, proxy: Proxy) -> None:
    event = '{"type":"x","timestamp":"2026-01-01T00:00:00Z","data":{}}'
    frames = [f"id: {id_}\ndata: {event}\n\n" for id_ in ("x-1", "x-2", "x-3")]
    proxy.respond("200 OK", "Content-Type: text/event-stream", body="".join(frames))
    stream = proxied.events.stream("x", last_event_id="x-0")
    seen: list[str] = []
    for one in stream:
        seen.append(one.id)
        stream.close()
    assert seen == ["x-1"]
    assert stream.last_event_id == "x-1"


def test_a_stream_moves_to_reported_positions_but_not_past_an_event_that_it_still_has(
    proxied: SvcForms, proxy: Proxy
) -> None:
    event = '{"type":"x","timestamp":"2026-01-01T00:00:00Z","data":{}}'
    frames = "".join(f"id: {id_}\ndata: {event}\n\n" for id_ in ("x-1", "x-2"))
    proxy.respond("200 OK", "Content-Type: text/event-stream", body=f"{frames}: position x-3\n\n")
    stream = proxied.events.stream("hitl.task.created", last_event_id="x-0")
    events = iter(stream)
    for id_ in ("x-1", "x-2"):
        assert next(events).id == id_
        assert stream.last_event_id == id_
    # The next connection reaches the server, which doesn't know the position.
    with pytest.raises(StreamGapError):
        next(events)
    assert stream.last_event_id == "x-3"


def test_a_cancelled_wait_does_not_end_the_stream(server: Server) -> None:
    async def watch() -> list[str | None]:
        async with AsyncSvcForms(server.api_key, base_url=server.url) as client:
            form = await client.forms.create("Contact")
            task = await client.tasks.create(form.id)
            stream = client.events.stream("hitl.task.created", last_event_id=task.event_cursor)
            seen = [(await anext(stream)).task_id]
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(anext(stream), 0.3)
            seen.append((await client.tasks.create(form.id)).id)
            assert (await anext(stream)).task_id == seen[1]
            await stream.aclose()
            with pytest.raises(StopAsyncIteration):
                await anext(stream)
            return seen

    assert len(set(asyncio.run(watch()))) == 2


def opened(proxy: Proxy, count: int) -> None:
    """Waits until this many requests have arrived, and the response to the last one has started."""
    poll(lambda: len(proxy.requests) >= count, "the stream to be open")
    poll(lambda: proxy.is_responding, "the stream to begin")
    time.sleep(0.1)
