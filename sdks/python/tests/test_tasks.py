"""Tests of tasks and of waiting for them, also during server and network failures."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from svcforms import (
    APIConnectionError,
    APITimeoutError,
    DedupeKeyReusedError,
    Form,
    NotFoundError,
    PermissionDeniedError,
    SvcForms,
    Task,
    TaskAlreadySettledError,
    TaskClaimedError,
    TaskTimeoutError,
    UnprocessableError,
    verify_webhook,
)

from .conftest import FIELDS, MakeClient
from .support.proxy import Proxy
from .support.server import Server, free_port, poll
from .support.webhook_endpoint import WebhookEndpoint

PREFILL = {"email": "ada@example.com", "message": "Hello"}


@pytest.fixture
def reviewer(server: Server) -> Iterator[SvcForms]:
    with SvcForms(server.api_key, base_url=server.url) as reviewer:
        yield reviewer


@contextmanager
def meanwhile(work: Callable[[], Any]) -> Iterator[None]:
    """Runs `work` in another thread. Its failure fails the test."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    yield
    thread.join()
    if failures:
        raise failures[0]


def pending_task(reviewer: SvcForms, template_id: str) -> Task:
    """Waits for the task of the form."""
    found: list[Task] = []

    def look() -> bool:
        found[:] = list(reviewer.tasks.list(template_id=template_id, status="awaiting"))
        return bool(found)

    poll(look, "a pending task")
    return found[0]


def test_create_returns_the_requested_task(client: SvcForms, form: Form) -> None:
    expires_at = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(hours=1)
    task = client.tasks.create(
        form.id,
        title="Answer her?",
        description="**Urgent**",
        prefill=PREFILL,
        editable_fields=["message"],
        priority="high",
        expires_at=expires_at,
        require_comment=["rejected"],
        reject_options=["Spam"],
        metadata={"run": 7},
    )
    assert task.id.startswith("tsk_")
    assert (task.hitl_task_id, task.template_id, task.status) == (task.id, form.id, "awaiting")
    assert (task.prefill, task.editable_fields, task.priority) == (PREFILL, ["message"], "high")
    assert (task.expires_at, task.metadata, task.decision_mode) == (expires_at, {"run": 7}, "approval")
    assert (task.require_comment, task.reject_options) == (["rejected"], ["Spam"])
    assert not task.is_settled
    assert task.event_cursor
    assert client.tasks.get(task.id).model_dump() == task.model_dump()


def test_a_dedupe_key_returns_the_first_task(client: SvcForms, form: Form) -> None:
    key = f"refund-{form.id}"
    first = client.tasks.create(form.id, prefill=PREFILL, dedupe_key=key)
    assert client.tasks.create(form.id, prefill=PREFILL, priority="high", dedupe_key=key).id == first.id
    with pytest.raises(DedupeKeyReusedError, match="title") as caught:
        client.tasks.create(form.id, prefill=PREFILL, title="other", dedupe_key=key)
    assert (caught.value.status, caught.value.code) == (422, "DEDUPE_KEY_REUSED")


def test_an_agent_cannot_decide_by_expiry(client: SvcForms, form: Form, client_for: MakeClient, server: Server) -> None:
    key = client.keys.create("agent", ["tasks:create"]).key
    agent = client_for(key, server.url)
    with pytest.raises(PermissionDeniedError) as caught:
        agent.tasks.create(form.id, prefill=PREFILL, on_expiry="approve")
    assert caught.value.required_scope == "tasks:decide"


def test_list_filters_and_sorts_tasks(client: SvcForms, form: Form) -> None:
    low = client.tasks.create(form.id, prefill=PREFILL, priority="low", title="one")
    urgent = client.tasks.create(form.id, prefill=PREFILL, priority="urgent", title="two")
    assert [task.id for task in client.tasks.list(template_id=form.id, limit=1)] == [urgent.id, low.id]
    assert [task.id for task in client.tasks.list(template_id=form.id, priority="low")] == [low.id]
    assert [task.id for task in client.tasks.list(template_id=form.id, q="two")] == [urgent.id]
    client.tasks.cancel(low.id)
    assert [task.id for task in client.tasks.list(template_id=form.id, status="awaiting")] == [urgent.id]


def test_decide_resolves_a_task(client: SvcForms, form: Form) -> None:
    task = client.tasks.create(form.id, prefill=PREFILL, editable_fields=["message"], reject_options=["Spam"])
    with pytest.raises(UnprocessableError):
        client.tasks.decide(task.id, "approved", fields={"email": "b@example.com"})
    resolved = client.tasks.decide(task.id, "approved", fields={"message": "Bye"}, comment="Fine")
    assert (resolved.status, resolved.outcome, resolved.comment) == ("approved", "approved", "Fine")
    assert resolved.form_data == {**PREFILL, "message": "Bye"}
    assert resolved.submission_id
    assert client.submissions.get(resolved.submission_id).metadata.task_id == task.id
    with pytest.raises(TaskAlreadySettledError) as caught:
        client.tasks.decide(task.id, "rejected", reject_option="Spam")
    assert caught.value.code == "TASK_ALREADY_SETTLED"
    assert [entry.event for entry in client.tasks.history(task.id)][:2] == ["created", "decided"]


def test_decide_submits_a_form(client: SvcForms, form: Form) -> None:
    task = client.tasks.create(form.id, decision_mode="form", prefill={"email": "ada@example.com"})
    resolved = client.tasks.decide(task.id, "submitted", fields={"message": "Done"})
    assert (resolved.status, resolved.form_data) == ("submitted", {"email": "ada@example.com", "message": "Done"})


def test_a_claim_blocks_others(client: SvcForms, form: Form, client_for: MakeClient, server: Server) -> None:
    key = client.keys.create("reviewer", ["tasks:read", "tasks:decide"])
    other = client_for(key.key, server.url)
    task = client.tasks.create(form.id, prefill=PREFILL)
    claimed = client.tasks.claim(task.id)
    assert claimed.claim is not None
    with pytest.raises(TaskClaimedError):
        other.tasks.claim(task.id)
    assert client.tasks.release(task.id).claim is None
    assert other.tasks.claim(task.id).claim is not None


def test_cancel_is_idempotent(client: SvcForms, form: Form) -> None:
    task = client.tasks.create(form.id, prefill=PREFILL)
    assert client.tasks.cancel(task.id, reason="No longer needed").status == "cancelled"
    assert client.tasks.cancel(task.id).status == "cancelled"


def test_an_agent_cannot_decide_its_own_request(
    client: SvcForms, form: Form, client_for: MakeClient, server: Server
) -> None:
    key = client.keys.create("agent", ["tasks:create", "tasks:read"])
    agent = client_for(key.key, server.url)
    task = agent.tasks.create(form.id, prefill=PREFILL)
    with pytest.raises(PermissionDeniedError) as caught:
        agent.tasks.decide(task.id, "approved")
    assert caught.value.required_scope == "tasks:decide"


def test_an_agent_cancels_the_tasks_that_it_created_and_no_others(
    client: SvcForms, form: Form, client_for: MakeClient, server: Server
) -> None:
    agent = client_for(client.keys.create("agent", ["tasks:create"]).key, server.url)
    assert agent.tasks.cancel(agent.tasks.create(form.id, prefill=PREFILL).id).status == "cancelled"
    with pytest.raises(PermissionDeniedError) as caught:
        agent.tasks.cancel(client.tasks.create(form.id, prefill=PREFILL).id)
    assert caught.value.required_scope == "tasks:manage"


def test_a_cancellation_is_a_callback_that_may_be_repeated(
    client: SvcForms, form: Form, webhook_endpoint: WebhookEndpoint
) -> None:
    secret = "whsec_" + "c" * 40
    task = client.tasks.create(
        form.id,
        prefill=PREFILL,
        callback_url=webhook_endpoint.url,
        callback_secret=secret,
        callback_retries=True,
    )
    assert task.callback is not None
    assert task.callback.retries
    client.tasks.cancel(task.id, reason="No longer needed")
    received = webhook_endpoint.next()
    event = verify_webhook(received.body, received.signature, secret).event
    assert (event.event_type, event.task_id) == ("hitl.task.cancelled", task.id)
    assert (event.data["status"], event.data["metadata"]["reason"]) == ("cancelled", "No longer needed")


def test_the_callback_has_a_valid_signature(client: SvcForms, form: Form, webhook_endpoint: WebhookEndpoint) -> None:
    secret = "whsec_" + "c" * 40
    task = client.tasks.create(
        form.id, prefill=PREFILL, callback_url=webhook_endpoint.url, callback_secret=secret, metadata={"run": 7}
    )
    client.tasks.decide(task.id, "approved")
    received = webhook_endpoint.next()
    event = verify_webhook(received.body, received.signature, secret).event
    assert (event.event_type, event.task_id) == ("hitl.task.completed", task.id)
    assert event.data["formData"] == PREFILL
    assert event.data["metadata"]["custom"] == {"run": 7}

    def is_delivered() -> bool:
        callback = client.tasks.get(task.id).callback
        return callback is not None and callback.state == "delivered"

    poll(is_delivered, "the delivery of the callback")
    client.tasks.redeliver_callback(task.id)
    assert webhook_endpoint.next().body == received.body


def test_wait_for_returns_after_the_decision(client: SvcForms, form: Form, reviewer: SvcForms) -> None:
    task = client.tasks.create(form.id, prefill=PREFILL)
    started = time.monotonic()

    def decide() -> None:
        time.sleep(0.5)
        reviewer.tasks.decide(task.id, "rejected")

    with meanwhile(decide):
        assert client.tasks.wait_for(task.id).status == "rejected"
    assert 0.5 <= time.monotonic() - started < 2.5
    assert client.tasks.wait_for(task.id, timeout=0).status == "rejected"


@pytest.mark.parametrize("timeout", [0, 0.3, 1.4])
def test_wait_for_times_out(client: SvcForms, form: Form, timeout: float) -> None:
    task = client.tasks.create(form.id, prefill=PREFILL)
    started = time.monotonic()
    with pytest.raises(TaskTimeoutError) as caught:
        client.tasks.wait_for(task.id, timeout)
    assert timeout <= time.monotonic() - started < timeout + 1
    assert caught.value.task.model_dump() == task.model_dump()
    assert isinstance(caught.value, TimeoutError)


def test_wait_for_raises_for_unknown_tasks_and_unreachable_servers(client: SvcForms, client_for: MakeClient) -> None:
    with pytest.raises(NotFoundError):
        client.tasks.wait_for("tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y")
    nobody = client_for("svc_key_x", f"http://127.0.0.1:{free_port()}")
    started = time.monotonic()
    with pytest.raises(APIConnectionError):
        nobody.tasks.wait_for("tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y", timeout=1)
    assert time.monotonic() - started < 2


def test_request_and_wait_returns_the_resolved_task(client: SvcForms, form: Form, reviewer: SvcForms) -> None:
    with meanwhile(lambda: reviewer.tasks.decide(pending_task(reviewer, form.id).id, "approved")):
        task = client.tasks.request_and_wait(form.id, title="Answer her?", prefill=PREFILL, timeout=30)
    assert (task.status, task.title, task.form_data) == ("approved", "Answer her?", PREFILL)
    with pytest.raises(TaskTimeoutError) as caught:
        client.tasks.request_and_wait(form.id, prefill=PREFILL, timeout=0.2, dedupe_key=f"again-{form.id}")
    assert f"{caught.value.task.id} was not resolved within the timeout; call wait_for" in str(caught.value)
    reviewer.tasks.decide(caught.value.task.id, "rejected")
    assert client.tasks.request_and_wait(form.id, prefill=PREFILL, dedupe_key=f"again-{form.id}").status == "rejected"


def test_wait_for_raises_when_the_server_never_responds(client_for: MakeClient) -> None:
    client = client_for("svc_key_x", f"http://127.0.0.1:{free_port()}", max_retries=1)
    with pytest.raises(APIConnectionError):
        client.tasks.wait_for("tsk_1")


def test_request_and_wait_ends_soon_after_its_timeout_when_the_server_is_silent(client_for: MakeClient) -> None:
    # The backlog accepts the connections, and nobody reads them.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = client_for("svc_key_x", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(APITimeoutError):
            client.tasks.request_and_wait("frm_1", timeout=0.1)
        silent.accept()[0].close()
        # There was one attempt.
        silent.setblocking(False)
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_a_lost_response_creates_one_task(client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    proxy.drop_responses()
    task = proxied.tasks.create(form.id, prefill=PREFILL)
    assert [one.id for one in client.tasks.list(template_id=form.id)] == [task.id]


def test_a_decision_is_not_retried(client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    task = client.tasks.create(form.id, prefill=PREFILL)
    proxy.drop_responses()
    with pytest.raises(APIConnectionError):
        proxied.tasks.decide(task.id, "approved")
    assert len(proxy.requests) == 1
    assert client.tasks.get(task.id).status == "approved"


def test_a_claim_is_not_retried(client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form) -> None:
    task = client.tasks.create(form.id, prefill=PREFILL)
    proxy.drop_responses()
    with pytest.raises(APIConnectionError):
        proxied.tasks.claim(task.id)
    assert len(proxy.requests) == 1
    assert client.tasks.get(task.id).claim is not None


def test_wait_for_survives_broken_connections(
    client: SvcForms, proxied: SvcForms, proxy: Proxy, form: Form, reviewer: SvcForms
) -> None:
    task = client.tasks.create(form.id, prefill=PREFILL)

    def wait_for_request(number: int) -> None:
        poll(lambda: len(proxy.requests) >= number, f"request {number}")
        time.sleep(0.1)

    def trouble() -> None:
        wait_for_request(1)
        proxy.cut()
        wait_for_request(2)
        proxy.cut()
        proxy.respond("503 X", "Retry-After: 0")
        proxy.respond("429 X", "Retry-After: 0")
        proxy.respond("408 X", "Retry-After: 0")
        wait_for_request(6)
        reviewer.tasks.decide(task.id, "approved")

    with meanwhile(trouble):
        assert proxied.tasks.wait_for(task.id, timeout=30).status == "approved"


def test_wait_for_survives_a_killed_server(own_server: Callable[..., Server], client_for: MakeClient) -> None:
    server = own_server()
    client = client_for(server.api_key, server.url)
    form = client.forms.create("Contact", fields=FIELDS)
    task = client.tasks.create(form.id, prefill=PREFILL)

    def kill_and_decide() -> None:
        time.sleep(0.3)
        server.restart()
        with SvcForms(server.api_key, base_url=server.url) as reviewer:
            reviewer.tasks.decide(task.id, "approved")
        server.restart()

    with meanwhile(kill_and_decide):
        assert client.tasks.wait_for(task.id).status == "approved"
