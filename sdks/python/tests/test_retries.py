"""What the client does about failures on the way, made by a proxy of the tests' own."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable
from email.utils import formatdate

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
)

from .conftest import MakeClient
from .support.listener import Listener
from .support.proxy import Proxy
from .support.server import Server, free_port


def forms_called(client: SvcForms, name: str) -> list[str]:
    return [form.id for form in client.forms.list(q=name)]


def test_a_post_whose_answer_was_lost_is_not_made_twice(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form
) -> None:
    proxy.lose_answers(2)
    made = proxied.forms.create(f"once {form.id}")
    assert proxy.requests == ["POST /api/forms HTTP/1.1"] * 3
    assert forms_called(client, f"once {form.id}") == [made.id]

    proxy.lose_answers()
    submission_id = proxied.submissions.create(form.id, {"email": "ada@example.com"})
    assert client.submissions.get(submission_id).form_id == form.id


def test_secrets_survive_the_loss_of_the_answer_that_told_them(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form, client_for: MakeClient, server: Server
) -> None:
    proxy.lose_answers()
    hook = proxied.webhooks.create(form.id, "http://127.0.0.1:9/", ["form.submission.new"])
    assert [(one.id, one.secret_last4) for one in client.webhooks.list(form.id)] == [(hook.id, hook.secret[-4:])]

    proxy.lose_answers()
    endpoint = proxied.inbound.create(form.id, secret=True)
    client.inbound.send(form.id, endpoint.token, {"email": "ada@example.com"}, secret=endpoint.secret)

    proxy.lose_answers()
    key = proxied.keys.create(f"once {form.id}", ["forms:read"])
    client_for(key.key, server.url).forms.get(form.id)
    assert [one.id for one in client.keys.list() if one.name == f"once {form.id}"] == [key.id]


def test_a_post_that_the_server_cannot_recognize_is_not_repeated(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form, listener: Listener
) -> None:
    hook = client.webhooks.create(form.id, listener.url, ["form.submission.new"])
    proxy.lose_answers()
    with pytest.raises(APIConnectionError):
        proxied.webhooks.test(form.id, hook.id)
    proxy.answer("502 Bad Gateway")
    with pytest.raises(ServerError):
        proxied.webhooks.test(form.id, hook.id)
    assert len(proxy.requests) == 2
    # But one that was refused was not done.
    proxy.answer("429 Too Many Requests", "Retry-After: 0")
    assert proxied.webhooks.test(form.id, hook.id).delivered
    listener.next(), listener.next()


def test_a_replacement_for_a_version_is_not_repeated(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form
) -> None:
    proxy.lose_answers()
    with pytest.raises(APIConnectionError):
        proxied.forms.replace(form.id, name="new", if_version=form.version)
    assert client.forms.get(form.id).version == form.version + 1
    proxy.lose_answers()
    assert proxied.forms.replace(form.id, name="newer").name == "newer"


def test_what_is_gone_at_a_second_try_was_deleted(proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    proxy.lose_answers()
    proxied.forms.delete(form.id)
    assert len(proxy.requests) == 2
    with pytest.raises(NotFoundError):
        proxied.forms.delete(form.id)


def test_a_server_that_wants_to_be_left_alone_is(proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    proxy.answer("429 Too Many Requests", "Retry-After: 1")
    began = time.monotonic()
    assert proxied.forms.get(form.id).id == form.id
    assert 1.0 <= time.monotonic() - began < 2.5

    proxy.answer("503 Service Unavailable", f"Retry-After: {formatdate(time.time() + 2, usegmt=True)}")
    began = time.monotonic()
    proxied.forms.get(form.id)
    assert 0.9 <= time.monotonic() - began < 3.5


def test_the_servers_own_rate_limit_is_lived_with(own_server: Callable[..., Server], client_for: MakeClient) -> None:
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


def test_a_pause_of_hours_is_told_instead_of_slept(proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    proxy.answer("429 Too Many Requests", "Retry-After: 7200")
    with pytest.raises(RateLimitError) as caught:
        proxied.forms.get(form.id)
    assert caught.value.retry_after == 7200
    assert len(proxy.requests) == 1


@pytest.mark.parametrize("status", ["408 Request Timeout", "429 Too Many Requests", "500 X", "502 X", "503 X", "504 X"])
def test_failures_that_may_pass_are_tried_again(proxied: SvcForms, proxy: Proxy, form: Form, status: str) -> None:
    proxy.answer(status, "Retry-After: 0", times=2)
    assert proxied.forms.get(form.id).id == form.id
    assert len(proxy.requests) == 3


@pytest.mark.parametrize("status", ["400 X", "401 X", "403 X", "404 X", "409 X", "413 X", "422 X", "301 X"])
def test_refusals_are_not_tried_again(proxied: SvcForms, proxy: Proxy, form: Form, status: str) -> None:
    proxy.answer(status, body="<html>")
    with pytest.raises(Exception, match=status[:3]) as caught:
        proxied.forms.get(form.id)
    assert getattr(caught.value, "code", "") is None
    assert len(proxy.requests) == 1


def test_a_first_request_that_still_runs_is_waited_for(proxied: SvcForms, proxy: Proxy) -> None:
    problem = '{"code":"IDEMPOTENCY_IN_PROGRESS","message":"still running"}'
    proxy.answer("409 Conflict", "Retry-After: 0", body=problem, times=2)
    assert proxied.forms.create("x").name == "x"
    proxy.answer("409 Conflict", body='{"code":"CONFLICT","message":"x"}')
    with pytest.raises(ConflictError):
        proxied.forms.create("x")


def test_tries_have_an_end(
    client_for: MakeClient, server: Server, proxy: Proxy, form: Form, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="svcforms")
    client = client_for(server.api_key, proxy.url, max_retries=2)
    proxy.answer("500 X", times=3)
    with pytest.raises(ServerError):
        client.forms.get(form.id)
    assert len(proxy.requests) == 3
    assert caplog.text.count("again in") == 2
    proxy.answer("500 X")
    with pytest.raises(ServerError):
        client_for(server.api_key, proxy.url, max_retries=0).forms.get(form.id)


def test_nobody_there(client_for: MakeClient) -> None:
    client = client_for("svc_key_x", f"http://127.0.0.1:{free_port()}", max_retries=1)
    with pytest.raises(APIConnectionError, match="GET /api/forms/frm_1: "):
        client.forms.get("frm_1")


def test_no_answer_in_time(client_for: MakeClient, server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = client_for(server.api_key, f"http://127.0.0.1:{silent.getsockname()[1]}", max_retries=0, timeout=0.2)
        with pytest.raises(APITimeoutError) as caught:
            client.forms.get("frm_1")
    assert isinstance(caught.value, TimeoutError)


def test_a_call_lives_through_a_restart(own_server: Callable[..., Server], client_for: MakeClient) -> None:
    server = own_server()
    client = client_for(server.api_key, server.url, max_retries=8)
    server.kill()
    back = threading.Thread(target=server.start)
    back.start()
    assert client.forms.create("x").name == "x"
    back.join()
