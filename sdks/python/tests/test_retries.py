"""Tests of retries, with a proxy that simulates network faults."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable
from email.utils import formatdate
from itertools import pairwise
from typing import Literal

import httpx
import pytest

from svcforms import (
    APIConnectionError,
    APITimeoutError,
    ConflictError,
    Form,
    NotFoundError,
    RateLimitError,
    ServerError,
    SvcForms,
    UnexpectedAnswerError,
)

from .conftest import MakeClient
from .support.proxy import Proxy
from .support.server import Server, free_port
from .support.webhook_endpoint import WebhookEndpoint


def form_ids_named(client: SvcForms, name: str) -> list[str]:
    return [form.id for form in client.forms.list(q=name)]


def test_a_retried_post_runs_once(client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    proxy.drop_responses(2)
    created = proxied.forms.create(f"once {form.id}")
    assert proxy.requests == ["POST /api/forms HTTP/1.1"] * 3
    assert form_ids_named(client, f"once {form.id}") == [created.id]

    proxy.drop_responses()
    submission_id = proxied.submissions.create(form.id, {"email": "ada@example.com"})
    assert client.submissions.get(submission_id).form_id == form.id


def test_a_lost_response_loses_no_secrets(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form, client_for: MakeClient, server: Server
) -> None:
    proxy.drop_responses()
    hook = proxied.webhooks.create(form.id, "http://127.0.0.1:9/", ["form.submission.new"])
    assert [(one.id, one.secret_last4) for one in client.webhooks.list(form.id)] == [(hook.id, hook.secret[-4:])]

    proxy.drop_responses()
    endpoint = proxied.inbound.create(form.id, secret=True)
    client.inbound.send(form.id, endpoint.token, {"email": "ada@example.com"}, secret=endpoint.secret)

    proxy.drop_responses()
    key = proxied.keys.create(f"once {form.id}", ["forms:read"])
    client_for(key.key, server.url).forms.get(form.id)
    assert [one.id for one in client.keys.list() if one.name == f"once {form.id}"] == [key.id]


def test_a_post_without_deduplication_is_not_retried(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form, webhook_endpoint: WebhookEndpoint
) -> None:
    hook = client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"])
    proxy.drop_responses()
    with pytest.raises(APIConnectionError):
        proxied.webhooks.test(form.id, hook.id)
    proxy.respond("502 Bad Gateway")
    with pytest.raises(ServerError):
        proxied.webhooks.test(form.id, hook.id)
    assert len(proxy.requests) == 2
    # The client retries a refused request, because the server didn't run it.
    proxy.respond("429 Too Many Requests", "Retry-After: 0")
    assert proxied.webhooks.test(form.id, hook.id).delivered
    webhook_endpoint.next(), webhook_endpoint.next()


def test_a_replacement_with_a_version_is_not_retried(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form
) -> None:
    proxy.drop_responses()
    with pytest.raises(APIConnectionError):
        proxied.forms.replace(form.id, name="new", if_version=form.version)
    assert client.forms.get(form.id).version == form.version + 1
    proxy.drop_responses()
    assert proxied.forms.replace(form.id, name="newer").name == "newer"


def test_the_end_of_a_draft_with_an_etag_is_not_retried(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form
) -> None:
    draft = client.forms.replace(form.id, name="new", draft=True).draft
    assert draft is not None
    with pytest.raises(ConflictError):
        client.forms.discard_draft(form.id, if_match='"1-x"')
    proxy.drop_responses()
    # A second attempt would be refused: the draft with the ETag is gone.
    with pytest.raises(APIConnectionError):
        proxied.forms.discard_draft(form.id, if_match=draft.etag)
    assert len(proxy.requests) == 1
    assert client.forms.get(form.id, draft=True).draft is None


def test_the_deletion_of_the_oldest_inbound_endpoint_is_not_retried(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form
) -> None:
    client.inbound.create(form.id)
    second = client.inbound.endpoints.create(form.id)
    proxy.drop_responses()
    # A second attempt would delete the other endpoint, which is the oldest one by then.
    with pytest.raises(APIConnectionError):
        proxied.inbound.delete(form.id)
    assert len(proxy.requests) == 1
    assert [endpoint.id for endpoint in client.inbound.endpoints.list(form.id)] == [second.id]
    proxy.drop_responses()
    proxied.inbound.endpoints.delete(form.id, second.id)


def test_a_retried_delete_accepts_404(proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    proxy.drop_responses()
    proxied.forms.delete(form.id)
    assert len(proxy.requests) == 2
    with pytest.raises(NotFoundError):
        proxied.forms.delete(form.id)


def test_the_page_of_a_proxy_is_no_successful_deletion(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form
) -> None:
    for delete in (proxied.forms.delete, proxied.forms.discard_draft):
        proxy.respond("200 OK", "Content-Type: text/html", body="<html>login</html>")
        with pytest.raises(UnexpectedAnswerError, match=f"returned 200 instead of 204. Check that {proxy.url} is"):
            delete(form.id)
    assert client.forms.get(form.id).id == form.id


@pytest.mark.parametrize(("format_", "content_type"), [("csv", "text/csv"), ("ndjson", "application/x-ndjson")])
def test_the_page_of_a_proxy_is_no_export(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form, format_: Literal["csv", "ndjson"], content_type: str
) -> None:
    proxy.respond("200 OK", "Content-Type: text/html", body="<html>login</html>")
    with pytest.raises(UnexpectedAnswerError, match=f"without {content_type}. Check that {proxy.url} is"):
        list(proxied.submissions.export(form.id, format=format_))
    client.submissions.create(form.id, {"email": "ada@example.com"})
    assert b"ada@example.com" in b"".join(proxied.submissions.export(form.id, format=format_))


def test_retries_respect_retry_after(proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    proxy.respond("429 Too Many Requests", "Retry-After: 1")
    started = time.monotonic()
    assert proxied.forms.get(form.id).id == form.id
    assert 1.0 <= time.monotonic() - started < 2.5

    proxy.respond("503 Service Unavailable", f"Retry-After: {formatdate(time.time() + 2, usegmt=True)}")
    started = time.monotonic()
    proxied.forms.get(form.id)
    assert 0.9 <= time.monotonic() - started < 3.5


def test_the_client_waits_for_the_rate_limit(own_server: Callable[..., Server], client_for: MakeClient) -> None:
    server = own_server(SVC_RATE_LIMIT_KEY="120")
    impatient = client_for(server.api_key, server.url, max_retries=0)

    def hurry() -> None:
        while True:
            list(impatient.forms.list())

    with pytest.raises(RateLimitError) as caught:
        hurry()
    assert caught.value.code == "RATE_LIMITED"
    assert caught.value.retry_after is not None
    assert list(client_for(server.api_key, server.url).forms.list()) == []


def test_a_retry_after_of_hours_raises(proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    proxy.respond("429 Too Many Requests", "Retry-After: 7200")
    with pytest.raises(RateLimitError) as caught:
        proxied.forms.get(form.id)
    assert caught.value.retry_after == 7200
    assert len(proxy.requests) == 1


@pytest.mark.parametrize("status", ["408 Request Timeout", "429 Too Many Requests", "500 X", "502 X", "503 X", "504 X"])
def test_transient_failures_are_retried(proxied: SvcForms, proxy: Proxy, form: Form, status: str) -> None:
    proxy.respond(status, "Retry-After: 0", times=2)
    assert proxied.forms.get(form.id).id == form.id
    assert len(proxy.requests) == 3


@pytest.mark.parametrize("status", ["400 X", "401 X", "403 X", "404 X", "409 X", "413 X", "422 X", "508 X", "301 X"])
def test_refusals_are_not_retried(proxied: SvcForms, proxy: Proxy, form: Form, status: str) -> None:
    proxy.respond(status, body="<html>")
    with pytest.raises(Exception, match=status[:3]) as caught:
        proxied.forms.get(form.id)
    assert getattr(caught.value, "code", "") is None
    assert len(proxy.requests) == 1


def test_the_client_waits_for_a_request_in_progress(proxied: SvcForms, proxy: Proxy) -> None:
    problem = '{"code":"IDEMPOTENCY_IN_PROGRESS","message":"still running"}'
    proxy.respond("409 Conflict", "Retry-After: 0", body=problem, times=2)
    assert proxied.forms.create("x").name == "x"
    proxy.respond("409 Conflict", body='{"code":"CONFLICT","message":"x"}')
    with pytest.raises(ConflictError):
        proxied.forms.create("x")


class Clock:
    """A clock whose sleeps end at once."""

    def __init__(self) -> None:
        self.now = 1000.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "sleep", clock.sleep)
    monkeypatch.setattr(time, "monotonic", clock.monotonic)
    return clock


IN_PROGRESS = {"code": "IDEMPOTENCY_IN_PROGRESS", "message": "still running"}


@pytest.mark.parametrize("is_lost", [True, False], ids=["of a lost response", "of another call"])
def test_the_wait_for_a_request_in_progress_begins_with_its_start(clock: Clock, is_lost: bool) -> None:
    times: list[float] = []

    def handle(request: httpx.Request) -> httpx.Response:
        times.append(clock.now)
        if len(times) == 1:
            return httpx.Response(429, headers={"retry-after": "60"})
        if is_lost and len(times) == 2:
            raise httpx.ReadError("lost", request=request)
        if clock.now - times[1] < 30:
            return httpx.Response(409, json=IN_PROGRESS)
        return httpx.Response(201, json={"data": {"submissionId": "sub_1"}})

    with SvcForms("svc_key_x", transport=httpx.MockTransport(handle)) as client:
        assert client.submissions.create("frm_1", {}) == "sub_1"


def test_the_wait_for_a_request_in_progress_ends_after_40_seconds(clock: Clock) -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(409, json=IN_PROGRESS))
    with SvcForms("svc_key_x", transport=transport) as client, pytest.raises(ConflictError):
        client.submissions.create("frm_1", {})
    assert clock.now == 1040


def test_calls_that_go_on_until_they_are_ended_wait_two_minutes_at_most(clock: Clock) -> None:
    times: list[float] = []

    def handle(request: httpx.Request) -> httpx.Response:
        times.append(clock.now)
        if "events" in request.url.path and len(times) == 1:
            return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=b": position x-1\n\n")
        if len(times) < 4:
            return httpx.Response(503, headers={"retry-after": "7200"})
        return httpx.Response(404, json={"code": "NOT_FOUND"})

    with SvcForms("svc_key_x", transport=httpx.MockTransport(handle)) as client:
        with pytest.raises(NotFoundError):
            client.tasks.wait_for("tsk_1")
        assert [later - time for time, later in pairwise(times)] == [120, 120, 120]
        times.clear()
        with pytest.raises(NotFoundError):
            next(iter(client.events.stream()))
        assert times[-1] - times[1] == 240


def test_retries_are_limited(
    client_for: MakeClient, server: Server, proxy: Proxy, form: Form, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="svcforms")
    client = client_for(server.api_key, proxy.url, max_retries=2)
    proxy.respond("500 X", times=3)
    with pytest.raises(ServerError):
        client.forms.get(form.id)
    assert len(proxy.requests) == 3
    assert caplog.text.count("retrying in") == 2
    proxy.respond("500 X")
    with pytest.raises(ServerError):
        client_for(server.api_key, proxy.url, max_retries=0).forms.get(form.id)


def test_an_unreachable_server_raises(client_for: MakeClient) -> None:
    client = client_for("svc_key_x", f"http://127.0.0.1:{free_port()}", max_retries=1)
    with pytest.raises(APIConnectionError, match="GET /api/forms/frm_1: "):
        client.forms.get("frm_1")


def test_a_silent_server_times_out(client_for: MakeClient, server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = client_for(server.api_key, f"http://127.0.0.1:{silent.getsockname()[1]}", max_retries=0, timeout=0.2)
        with pytest.raises(APITimeoutError) as caught:
            client.forms.get("frm_1")
    assert isinstance(caught.value, TimeoutError)


def test_a_request_survives_a_server_restart(own_server: Callable[..., Server], client_for: MakeClient) -> None:
    server = own_server()
    client = client_for(server.api_key, server.url, max_retries=8)
    server.kill()
    back = threading.Thread(target=server.start)
    back.start()
    assert client.forms.create("x").name == "x"
    back.join()


@pytest.mark.parametrize(
    "body",
    [
        '{"errors":{"name":["is wrong"]}}',
        '{"errors":["down"],"message":{"text":"down"}}',
        '{"errors":1,"code":[1],"requestId":7,"message":5}',
        '{"errors":[{"pointer":1,"message":null}]}',
    ],
)
def test_an_error_in_the_json_of_another_system_is_retried(
    body: str, proxied: SvcForms, proxy: Proxy, form: Form
) -> None:
    proxy.respond("503 Service Unavailable", "Retry-After: 0", body=body)
    assert proxied.forms.get(form.id).id == form.id
    proxy.respond("404 Not Found", body=body)
    with pytest.raises(NotFoundError, match="returned 404 Not Found") as caught:
        proxied.forms.get(form.id)
    assert caught.value.code is None
    assert all(isinstance(one.pointer, str) for one in caught.value.issues)
