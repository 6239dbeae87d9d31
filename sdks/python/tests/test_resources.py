"""Tests every area of the API with both clients against the running product."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta, timezone
from typing import Any, cast

import httpx
import pytest

from svcforms import (
    AuthenticationError,
    ConflictError,
    Form,
    NotFoundError,
    PermissionDeniedError,
    SvcForms,
    SvcFormsError,
    UnprocessableError,
    verify_webhook,
)
from svcforms.models import (
    FormField,
    FormSettings,
    Popup,
    PopupCondition,
    SpamSettings,
    Theme,
    WebhookEvent,
    WebhookFilter,
    WebhookHealth,
    WebhookPayload,
)

from .conftest import FIELDS, MakeClient
from .support.server import Server, poll
from .support.webhook_endpoint import WebhookEndpoint


def test_a_form_round_trips(client: SvcForms) -> None:
    settings = FormSettings(
        popup=Popup(
            enabled=True,
            trigger="all",
            and_=[PopupCondition(trigger="exit"), PopupCondition(trigger="delay", delay_ms=5)],
        ),
        theme=Theme(radius=8),
        submit_label="Los",
    )
    created = client.forms.create(
        "Wünsche", fields=[FormField(name="n", type="number", min=1, max=2.5)], settings=settings, description="x"
    )
    assert created.id.startswith("frm_")
    assert created.created_at.tzinfo is not None
    assert created.settings.to_api() == settings.to_api()
    assert "delayMs" not in (created.settings.popup or Popup()).to_api()
    assert created.fields[0].to_api() == {"name": "n", "type": "number", "min": 1, "max": 2.5}

    again = client.forms.replace(
        created.id, name=created.name, fields=created.fields, settings=created.settings, description=created.description
    )
    assert again.model_dump(exclude={"updated_at", "version"}) == created.model_dump(exclude={"updated_at", "version"})
    assert client.forms.get(created.id) == again


def test_none_removes_a_trigger_parameter(client: SvcForms) -> None:
    popup = {"enabled": True, "trigger": "delay", "delayMs": 7, "selector": "#a"}
    created = client.forms.create("x", settings={"popup": popup})
    kept = client.forms.replace(created.id, name="x", settings={"popup": {"enabled": True, "trigger": "delay"}})
    assert kept.settings.popup is not None
    assert (kept.settings.popup.delay_ms, kept.settings.popup.selector) == (7, "#a")
    removed = client.forms.replace(
        created.id, name="x", settings=FormSettings(popup=Popup(enabled=True, trigger="delay", selector=None))
    )
    assert removed.settings.popup is not None
    assert removed.settings.popup.selector is None


def test_replace_refuses_an_outdated_version(client: SvcForms) -> None:
    created = client.forms.create("first")
    saved = client.forms.replace(created.id, name="second", if_version=created.version)
    with pytest.raises(ConflictError) as caught:
        client.forms.replace(created.id, name="third", if_version=created.version)
    assert caught.value.code == "CONFLICT"
    assert client.forms.get(created.id).name == saved.name == "second"


def test_lists_load_their_pages(client: SvcForms) -> None:
    created = [client.forms.create(f"walk {n}").id for n in range(5)]
    assert [form.id for form in client.forms.list(q="walk", limit=2)] == created[::-1]
    pages = list(client.forms.list(q="walk", limit=2).pages())
    assert [len(page.items) for page in pages] == [2, 2, 1]
    assert [form.id for form in client.forms.list(q="walk", limit=2, cursor=pages[1].next_cursor)] == created[:1]
    assert list(client.forms.list(q="no form is called so")) == []
    with pytest.raises(UnprocessableError):
        list(client.forms.list(cursor="nonsense"))
    for form_id in created:
        client.forms.delete(form_id)


def test_a_deleted_form_is_not_found(client: SvcForms, form: Form) -> None:
    client.forms.delete(form.id)
    for call in (client.forms.get, client.forms.delete):
        with pytest.raises(NotFoundError) as caught:
            call(form.id)
        assert caught.value.code == "NOT_FOUND"


def test_invalid_values_are_listed(client: SvcForms) -> None:
    with pytest.raises(UnprocessableError) as caught:
        client.forms.create("", fields=[{"name": "a"}])
    error = caught.value
    assert (error.status, error.code) == (422, "VALIDATION_FAILED")
    assert [issue.pointer for issue in error.issues] == ["/name", "/fields/0/type"]
    assert error.request_id
    assert str(error).startswith("422 VALIDATION_FAILED: /name")
    assert "/fields/0/type: " in str(error)


def test_unknown_keys_and_missing_scopes_raise(client_for: MakeClient, client: SvcForms, server: Server) -> None:
    with pytest.raises(AuthenticationError):
        list(client_for("svc_key_unknown", server.url).forms.list())
    key = client.keys.create("reads", ["forms:read"])
    with pytest.raises(PermissionDeniedError) as caught:
        client_for(key.key, server.url).forms.create("x")
    assert (caught.value.code, caught.value.required_scope) == ("INSUFFICIENT_SCOPE", "forms:write")


def test_keys_are_created_listed_and_deleted(client: SvcForms, client_for: MakeClient, server: Server) -> None:
    expires_at = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=1)
    created = client.keys.create("agent", ["tasks:create", "forms:read"], expires_at=expires_at)
    assert created.expires_at == expires_at
    assert created.key.startswith("svc_key_")
    assert created.key not in repr(created)
    assert created.key.endswith(created.last4)
    assert [key.scopes for key in client.keys.list() if key.id == created.id] == [["tasks:create", "forms:read"]]
    other = client_for(created.key, server.url)
    assert isinstance(list(other.forms.list(limit=1)), list)
    client.keys.delete(created.id)
    with pytest.raises(AuthenticationError):
        list(other.forms.list(limit=1))


def test_the_audit_log_lists_changes(client: SvcForms) -> None:
    created = client.keys.create("audited", ["forms:read"])
    assert created.created_by is not None
    client.keys.delete(created.id)
    rows = list(client.audit_log.list(target=created.id))
    assert [row.action for row in rows] == ["key.deleted", "key.created"]
    assert {(row.actor.type, row.actor.id, row.target.name) for row in rows} == {("key", created.created_by, "audited")}
    assert rows[1].changes["scopes"] == {"from": None, "to": ["forms:read"]}
    assert [row.id for row in client.audit_log.list(target=created.id, action="key.created", limit=1)] == [rows[1].id]


def test_an_erasure_deletes_matching_data(client: SvcForms, form: Form) -> None:
    email = f"{form.id}@example.com"
    submission_id = client.submissions.create(form.id, {"email": email})
    task = client.tasks.create(form.id, prefill={"email": email})
    report = client.erasures.create(email)
    assert (report.submission_ids, report.task_ids) == ([submission_id], [task.id])
    assert report.endpoints == []
    with pytest.raises(NotFoundError):
        client.tasks.get(task.id)


def test_a_deleted_task_is_not_found(client: SvcForms, form: Form) -> None:
    task = client.tasks.create(form.id, prefill={"email": "ada@example.com"})
    client.tasks.delete(task.id)
    with pytest.raises(NotFoundError):
        client.tasks.get(task.id)


def test_submissions_are_stored_and_validated(client: SvcForms, form: Form) -> None:
    submission_id = client.submissions.create(form.id, {"email": "ada@example.com"}, page="https://example.com/pricing")
    submission = client.submissions.get(submission_id)
    assert submission.data == {"email": "ada@example.com"}
    assert (submission.metadata.submitted_via, submission.metadata.page) == ("web", "https://example.com/pricing")
    assert submission.form_id == form.id
    with pytest.raises(UnprocessableError) as caught:
        client.submissions.create(form.id, {"email": "nonsense"})
    assert caught.value.issues[0].pointer == "/data/email"


def test_an_idempotency_key_creates_one_submission(client: SvcForms, form: Form) -> None:
    data = {"email": "ada@example.com"}
    first = client.submissions.create(form.id, data, idempotency_key=f"key-{form.id}")
    assert client.submissions.create(form.id, data, idempotency_key=f"key-{form.id}") == first
    with pytest.raises(UnprocessableError) as caught:
        client.submissions.create(form.id, {"email": "b@example.com"}, idempotency_key=f"key-{form.id}")
    assert caught.value.code == "IDEMPOTENCY_KEY_REUSED"
    assert client.submissions.create(form.id, data) != first


def test_an_inbound_endpoint_accepts_and_refuses_requests(client: SvcForms, form: Form) -> None:
    endpoint = client.inbound.create(form.id, field_mapping={"customer.mail": "email"})
    assert (endpoint.has_secret, endpoint.secret) == (False, None)
    submission_id = client.inbound.send(form.id, endpoint.token, {"customer.mail": "ada@example.com"})
    submission = client.submissions.get(submission_id)
    assert (submission.data, submission.metadata.submitted_via) == ({"email": "ada@example.com"}, "inbound")

    signed = client.inbound.update(form.id, secret=True)
    assert signed.has_secret
    assert signed.secret
    with pytest.raises(AuthenticationError) as caught:
        client.inbound.send(form.id, endpoint.token, {"email": "ada@example.com"})
    assert caught.value.code == "INVALID_SIGNATURE"
    client.inbound.send(form.id, endpoint.token, {"email": "zoë@example.com"}, secret=signed.secret)
    unsigned = client.inbound.update(form.id, secret=None, field_mapping={})
    assert (unsigned.has_secret, unsigned.field_mapping, unsigned.secret) == (False, {}, None)

    rotated = client.inbound.rotate(form.id)
    with pytest.raises(AuthenticationError):
        client.inbound.send(form.id, endpoint.token, {"email": "ada@example.com"})
    client.inbound.send(form.id, rotated.token, {"email": "ada@example.com"})

    assert client.inbound.update(form.id, is_enabled=False).is_enabled is False
    with pytest.raises(PermissionDeniedError) as refused:
        client.inbound.send(form.id, rotated.token, {"email": "ada@example.com"})
    assert refused.value.code == "ENDPOINT_DISABLED"
    assert client.inbound.get(form.id).token_last4 == rotated.token[-4:]
    with pytest.raises(ConflictError):
        client.inbound.create(form.id)
    client.inbound.delete(form.id)
    with pytest.raises(NotFoundError):
        client.inbound.get(form.id)


def test_a_form_has_several_inbound_endpoints(client: SvcForms, form: Form) -> None:
    first = client.inbound.create(form.id)
    shop = client.inbound.endpoints.create(
        form.id, name="Shop", secret=True, require_timestamp=True, field_mapping={"customer.mail": "email"}
    )
    assert (first.name, shop.name, shop.require_timestamp) == ("Inbound endpoint", "Shop", True)
    assert shop.token.startswith("svc_inb_")
    assert [one.id for one in client.inbound.endpoints.list(form.id, limit=1)] == [shop.id, first.id]
    assert client.inbound.get(form.id).id == first.id

    data = {"customer": {"mail": "zoë@example.com"}}
    with pytest.raises(AuthenticationError) as unstamped:
        client.inbound.send(form.id, shop.token, data, secret=shop.secret)
    assert unstamped.value.code == "INVALID_SIGNATURE"
    submission_id = client.inbound.send(form.id, shop.token, data, secret=shop.secret, timestamped=True)
    assert client.submissions.get(submission_id).data == {"email": "zoë@example.com", **data}
    with pytest.raises(ValueError, match="timestamped"):
        client.inbound.send(form.id, shop.token, data, timestamped=True)
    poll(lambda: len(client.inbound.endpoints.requests(form.id, shop.id)) == 2, "both requests in the log")

    changed = client.inbound.endpoints.update(form.id, shop.id, name="Store", secret=None)
    assert (changed.name, changed.has_secret, changed.require_timestamp) == ("Store", False, False)
    rotated = client.inbound.endpoints.rotate(form.id, shop.id)
    with pytest.raises(AuthenticationError):
        client.inbound.send(form.id, shop.token, data)
    client.inbound.send(form.id, rotated.token, data)
    client.inbound.endpoints.delete(form.id, shop.id)
    with pytest.raises(NotFoundError):
        client.inbound.endpoints.get(form.id, shop.id)
    client.inbound.send(form.id, first.token, {"email": "ada@example.com"})


def test_an_inbound_endpoint_is_created_with_a_secret(client: SvcForms, form: Form) -> None:
    created = client.inbound.create(form.id, secret=True)
    assert created.secret
    client.inbound.send(form.id, created.token, {"email": "ada@example.com"}, secret=created.secret)
    client.inbound.delete(form.id)
    given = client.inbound.create(form.id, secret="sixteen or more characters", is_enabled=False)
    assert (given.has_secret, given.secret, given.is_enabled) == (True, None, False)


def test_webhooks_deliver_events(client: SvcForms, form: Form, webhook_endpoint: WebhookEndpoint) -> None:
    hook = client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"], description="CRM")
    assert hook.secret.startswith("whsec_")
    assert hook.secret.endswith(hook.secret_last4)
    client.submissions.create(form.id, {"email": "ada@example.com"})
    event_id = webhook_endpoint.next().headers["svc-event-id"]

    def delivered() -> bool:
        return any(one.status == "delivered" for one in client.webhooks.deliveries(form.id, hook.id))

    poll(delivered, "the delivery to be recorded")
    (delivery,) = list(
        client.webhooks.deliveries(form.id, hook.id, status="delivered", event_type="form.submission.new")
    )
    assert (delivery.event_id, delivery.attempts[0].status) == (event_id, 204)
    detail = client.webhooks.delivery(form.id, hook.id, delivery.id, include="request")
    assert (detail.id, detail.attempts, detail.form_id) == (delivery.id, delivery.attempts, form.id)
    assert detail.request is not None
    assert detail.request.headers["Svc-Event-Id"] == event_id
    client.webhooks.redeliver(form.id, hook.id, delivery.id)
    assert webhook_endpoint.next().headers["svc-event-id"] == event_id

    test = client.webhooks.test(form.id, hook.id, event_type="form.submission.new")
    assert test.delivered
    assert "svc-test" in webhook_endpoint.next().headers
    listed = list(client.webhooks.deliveries(form.id, hook.id, tests="include"))
    assert [one.is_test for one in listed if one.id == test.delivery_id] == [True]
    since = datetime.now(timezone.utc) - timedelta(hours=1)
    recovery = client.webhooks.recover(form.id, hook.id, since=since, dry_run=True)
    assert (recovery.count, recovery.dry_run) == (0, True)


def test_webhooks_have_their_health_by_hour(client: SvcForms, form: Form, webhook_endpoint: WebhookEndpoint) -> None:
    of_form = client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"])
    of_account = client.account_webhooks.create(webhook_endpoint.url, ["form.submission.new"], forms=[form.id])
    client.submissions.create(form.id, {"email": "ada@example.com"})

    def read() -> list[WebhookHealth]:
        return [client.webhooks.health(form.id, of_form.id), client.account_webhooks.health(of_account.id, days=1)]

    poll(lambda: all(one.totals.attempts == 1 for one in read()), "the attempts to be counted")
    week, day = read()
    assert (len(week.hours), len(day.hours)) == (7 * 24, 24)
    assert week.from_ == week.hours[0].hour < day.from_ < week.to
    assert (week.totals.succeeded, week.totals.failed, week.totals.success_rate) == (1, 0, 1)
    assert sum(one.attempts for one in week.hours) == 1
    assert week.hours[0].p95_ms is None
    assert week.totals.p50_ms == week.totals.p95_ms is not None
    with pytest.raises(UnprocessableError, match="from 1 to 7"):
        client.webhooks.health(form.id, of_form.id, days=8)
    client.account_webhooks.delete(of_account.id)


def test_webhook_updates_keep_other_properties(client: SvcForms, form: Form) -> None:
    hook = client.webhooks.create(form.id, "http://127.0.0.1:9/a", ["submission.created"], description="CRM")
    assert client.webhooks.update(form.id, hook.id, url="http://127.0.0.1:9/b").description == "CRM"
    changed = client.webhooks.update(form.id, hook.id, description=None, is_enabled=False)
    assert (changed.description, changed.disabled_reason, changed.url) == (None, "manual", "http://127.0.0.1:9/b")
    assert [one.id for one in client.webhooks.list(form.id)] == [hook.id]
    assert client.webhooks.get(form.id, hook.id) == changed
    client.webhooks.delete(form.id, hook.id)
    with pytest.raises(NotFoundError):
        client.webhooks.get(form.id, hook.id)
    given = client.webhooks.create(form.id, "http://127.0.0.1:9/a", ["submission.created"], secret="x" * 16)
    assert given.secret == "x" * 16
    with pytest.raises(UnprocessableError, match="/api/webhooks"):
        client.webhooks.create(form.id, "http://127.0.0.1:9/a", ["hitl.task.created"])  # type: ignore[list-item]


def test_webhooks_send_custom_headers(client: SvcForms, form: Form, webhook_endpoint: WebhookEndpoint) -> None:
    headers = {"X-Api-Key": "k3y-0f-th3-3ndp01nt", "X-Short": "short"}
    url = webhook_endpoint.url
    of_form = client.webhooks.create(form.id, url, ["form.submission.new"], headers=headers)
    of_account = client.account_webhooks.create(url, ["form.submission.new"], headers=headers)
    for hook in (of_form, of_account):
        assert [(one.name, one.last4) for one in hook.headers] == [("X-Api-Key", "01nt"), ("X-Short", None)]
        assert headers["X-Api-Key"] not in repr(hook)
    assert client.webhooks.test(form.id, of_form.id).delivered
    assert webhook_endpoint.next().headers["x-api-key"] == headers["X-Api-Key"]
    changed = client.webhooks.update(form.id, of_form.id, headers={"X-Short": None, "X-New": "new"})
    assert [one.name for one in changed.headers] == ["X-Api-Key", "X-New"]
    assert client.webhooks.update(form.id, of_form.id, description="CRM").headers == changed.headers
    assert client.account_webhooks.test(of_account.id).delivered
    assert webhook_endpoint.next().headers["x-short"] == "short"
    assert client.account_webhooks.update(of_account.id, headers=None).headers == []
    with pytest.raises(UnprocessableError, match="Content-Type"):
        client.webhooks.update(form.id, of_form.id, headers={"Content-Type": "text/plain"})
    client.account_webhooks.delete(of_account.id)


def test_webhooks_send_and_preview_payload_formats(
    client: SvcForms, form: Form, webhook_endpoint: WebhookEndpoint
) -> None:
    payload = WebhookPayload(format="template", template='{"from": "{{ data.email }}"}')
    hook = client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"], payload=payload)
    assert hook.payload == payload
    client.submissions.create(form.id, {"email": "ada@example.com"})
    assert webhook_endpoint.next().body == b'{"from": "ada@example.com"}'
    shown = client.webhooks.preview_payload(form.id, {"format": "template", "template": '{"a":\n {{ data.x }}}'})
    assert shown.error is not None
    assert (shown.error.in_, shown.error.line, shown.content_type) == ("body", 2, "application/json")
    assert client.account_webhooks.preview_payload({"format": "slack"}, event_type="hitl.task.expired").error is None
    assert client.webhooks.update(form.id, hook.id, description="x").payload == payload
    assert client.webhooks.update(form.id, hook.id, payload=None).payload is None


def test_event_types_describe_payloads(client: SvcForms) -> None:
    types = {one.type: one for one in client.events.types()}
    created = types["hitl.task.created"]
    assert (created.version, created.example["eventType"]) == ("1", "hitl.task.created")
    assert "title" not in created.minimal_example["data"]
    assert created.json_schema["properties"]["data"]["required"][:2] == ["taskId", "hitlTaskId"]
    assert WebhookEvent.model_validate(types["decision.approved"].example).data["decision"]["outcome"] == "approved"


def test_account_webhooks_deliver_events_of_forms_and_tasks(
    client: SvcForms, form: Form, webhook_endpoint: WebhookEndpoint
) -> None:
    hooks = client.account_webhooks
    hook = hooks.create(webhook_endpoint.url, ["hitl.task.created"], forms=[form.id], description="CRM")
    assert (hook.forms, hook.secret[-4:]) == ([form.id], hook.secret_last4)
    task = client.tasks.create(form.id, title="Refund", prefill={"email": "ada@example.com"})
    received = webhook_endpoint.next()
    event = verify_webhook(received.body, received.headers, hook.secret).event
    assert (event.event_type, event.data["taskId"], event.data["title"]) == ("hitl.task.created", task.id, "Refund")

    def delivered() -> bool:
        return any(one.status == "delivered" for one in hooks.deliveries(hook.id))

    poll(delivered, "the delivery to be recorded")
    (delivery,) = list(hooks.deliveries(hook.id, status="delivered", event_type="hitl.task.created"))
    assert hooks.delivery(hook.id, delivery.id).attempts == delivery.attempts
    hooks.redeliver(hook.id, delivery.id)
    assert webhook_endpoint.next().headers["svc-event-id"] == delivery.event_id
    assert hooks.test(hook.id, event_type="hitl.task.expired").delivered
    since = datetime.now(timezone.utc) - timedelta(hours=1)
    assert hooks.recover(hook.id, since=since, dry_run=True).count == 0
    assert hooks.rotate_secret(hook.id, overlap_hours=0).secret != hook.secret
    assert hooks.update(hook.id, is_enabled=False).forms == [form.id]
    changed = hooks.update(hook.id, forms=None)
    assert (changed.forms, changed.description) == (None, "CRM")
    # The dispatcher writes these about once a second.
    attempts = {name: getattr(changed, name) for name in ("last_attempt_at", "last_status")}
    assert hooks.get(hook.id).model_copy(update=attempts) == changed
    assert hook.id in [one.id for one in hooks.list()]
    hooks.delete(hook.id)
    with pytest.raises(NotFoundError):
        hooks.get(hook.id)


def test_filters_choose_the_events_of_webhooks(client: SvcForms, form: Form, webhook_endpoint: WebhookEndpoint) -> None:
    only_ada: WebhookFilter = {"all": [{"path": "/data/email", "op": "eq", "value": "ada@example.com"}]}
    hook = client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"], filter=only_ada)
    assert (hook.filter, hook.filtered_count, hook.last_filtered_at) == (only_ada, 0, None)
    assert client.webhooks.test(form.id, hook.id).passes_filter
    webhook_endpoint.next()
    preview = client.webhooks.preview_filter(form.id, webhook_id=hook.id, limit=5)
    (event,) = preview.events
    assert (preview.passing, event.sample, event.decided_by, event.found) == (1, True, "/all/0", '"ada@example.com"')
    nobody: WebhookFilter = {"any": [{"path": "/data/email", "op": "exists", "value": False}]}
    unsaved = client.account_webhooks.preview_filter(filter=nobody, forms=[form.id], events=["form.submission.new"])
    assert (unsaved.passing, unsaved.events[0].form_id) == (0, form.id)
    assert client.webhooks.update(form.id, hook.id, filter=nobody).filter == nobody
    removed = client.webhooks.update(form.id, hook.id, filter=None)
    assert (removed.filter, removed.filtered_count) == (None, None)
    of_account = client.account_webhooks.create(webhook_endpoint.url, ["hitl.task.created"], filter=only_ada)
    assert client.account_webhooks.update(of_account.id, filter=None).filter is None
    client.account_webhooks.delete(of_account.id)
    with pytest.raises(UnprocessableError, match="JSON pointer"):
        client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"], filter={"all": [{"path": "a"}]})


def test_fields_and_settings_can_be_json_objects(client: SvcForms) -> None:
    created = client.forms.create("x", fields=FIELDS, settings={"thankYou": {"redirectUrl": "https://example.com"}})
    assert created.fields[0].required is True
    assert created.settings.thank_you is not None
    assert created.settings.thank_you.redirect_url == "https://example.com"


def test_forms_are_copied(client: SvcForms, form: Form) -> None:
    assert client.forms.duplicate(form.id, name="Copy").name == "Copy"
    assert client.forms.duplicate(form.id).fields == form.fields
    assert client.forms.duplicate(form.id, draft=True).version == 0
    template = client.forms.export(form.id)
    again = client.forms.import_(template)
    assert (again.id != form.id, again.name, again.fields) == (True, form.name, form.fields)
    assert client.forms.export(again.id) == template
    assert client.forms.import_(template, draft=True).version == 0
    templates = list(client.forms.templates())
    assert len(templates) >= 6
    assert client.forms.import_(templates[0]).name == templates[0].name


def test_submissions_are_found_exported_and_deleted(client: SvcForms, form: Form) -> None:
    created = [client.submissions.create(form.id, {"email": f"{name}@example.com"}) for name in ("ada", "bob")]
    assert [one.id for one in client.submissions.list(form.id, limit=1)] == created[::-1]
    assert [one.id for one in client.submissions.list(form.id, q="ada@", via="web")] == created[:1]
    assert list(client.submissions.list(form.id, until=form.created_at)) == []
    lines = b"".join(client.submissions.export(form.id, format="ndjson", q="bob@")).splitlines()
    assert [json.loads(line)["id"] for line in lines] == created[1:]
    assert b"ada@example.com" in b"".join(client.submissions.export(form.id))
    client.submissions.delete(created[0])
    with pytest.raises(NotFoundError):
        client.submissions.get(created[0])


def test_submissions_are_released_from_quarantine(client: SvcForms, server: Server) -> None:
    form = client.forms.create(
        "Protected",
        fields=[{"name": "email", "type": "email"}],
        settings=FormSettings(spam=SpamSettings(is_enabled=True, block_list=["spam.example"])),
    )
    assert form.settings.spam is not None
    assert form.settings.spam.block_list == ["spam.example"]
    # The client sends its key, and a visitor has none.
    path = f"{server.url}/api/forms/{form.id}/submissions"
    httpx.post(path, json={"data": {"email": "ada@spam.example"}}).raise_for_status()
    assert list(client.submissions.list(form.id)) == []
    (spam,) = client.submissions.list(form.id, status="quarantined")
    assert (spam.status, spam.quarantine_reason) == ("quarantined", "blocked_domain")
    assert b"blocked_domain" in b"".join(client.submissions.export(form.id, status="quarantined"))
    assert client.submissions.release(spam.id).status == "accepted"
    with pytest.raises(ConflictError):
        client.submissions.release(spam.id)


def test_stats_count_submissions(client: SvcForms, form: Form) -> None:
    client.submissions.create(form.id, {"email": "ada@example.com"})
    today = datetime.now(timezone.utc).date()
    days = client.forms.stats(form.id, since=today - timedelta(days=2), until=today)
    assert [day.date for day in days] == [str(today - timedelta(days=ago)) for ago in (2, 1, 0)]
    assert sum(day.submissions for day in client.forms.stats(form.id)) == 1
    (counted,) = client.forms.stats_of([form.id, "frm_" + "0" * 26], since=today)
    assert (counted.form_id, counted.total_submissions) == (form.id, 1)
    assert [(day.date, day.shown) for day in counted.days] == [(str(today), 0)]


def test_inbound_requests_are_logged(client: SvcForms, form: Form) -> None:
    endpoint = client.inbound.create(form.id)
    client.inbound.send(form.id, endpoint.token, {"email": "ada@example.com"})
    with pytest.raises(AuthenticationError):
        client.inbound.send(form.id, "svc_inb_wrong", {"email": "ada@example.com"})
    poll(lambda: len(client.inbound.requests(form.id)) == 2, "both requests in the log")
    refused, accepted = client.inbound.requests(form.id)
    assert (refused.status, refused.code, accepted.status, accepted.code) == (401, "UNAUTHORIZED", 202, None)


def test_statistics_of_a_time_are_those_of_its_day_in_utc(client: SvcForms, form: Form) -> None:
    # The first hour of a day in Tokyo is the day before in UTC.
    since = datetime(2026, 1, 2, 0, 30, tzinfo=timezone(timedelta(hours=9)))
    stats = client.forms.stats(form.id, since=since, until=since)
    assert [day.date for day in stats] == ["2026-01-01"]
    assert client.forms.summary(form.id, since=since, until=since).submissions == 0
    assert [one.form_id for one in client.forms.stats_of([form.id], since=since, until=since)] == [form.id]
    with pytest.raises(ValueError, match="has no time zone"):
        client.forms.stats(form.id, since=datetime(2026, 1, 2))


def test_a_date_is_refused_where_a_time_is_needed(client: SvcForms, form: Form) -> None:
    with pytest.raises(TypeError, match="has no time; use an aware datetime"):
        list(client.submissions.list(form.id, since=cast("Any", date(2026, 1, 2))))


def test_an_idempotency_key_creates_one_webhook_and_one_inbound_endpoint(client: SvcForms, form: Form) -> None:
    secret = "a secret of a webhook"
    url = "http://127.0.0.1:9/hooks"

    def create() -> list[str]:
        hook = client.webhooks.create(
            form.id, url, ["form.submission.new"], secret=secret, idempotency_key=f"hook {form.id}"
        )
        of_account = client.account_webhooks.create(
            url, ["form.submission.new"], secret=secret, idempotency_key=f"account {form.id}"
        )
        client.webhooks.rotate_secret(form.id, hook.id, secret=secret * 2, idempotency_key=f"rotate {form.id}")
        client.account_webhooks.rotate_secret(
            of_account.id, secret=secret * 2, idempotency_key=f"rotate account {form.id}"
        )
        return [hook.id, of_account.id]

    ids = create()
    assert create() == ids
    client.account_webhooks.delete(ids[1])
    client.inbound.create(form.id, idempotency_key=f"inbound {form.id}")
    with pytest.raises(SvcFormsError, match="got its token"):
        client.inbound.create(form.id, idempotency_key=f"inbound {form.id}")
    client.inbound.endpoints.create(form.id, idempotency_key=f"second {form.id}")
    with pytest.raises(SvcFormsError, match="got its token"):
        client.inbound.endpoints.create(form.id, idempotency_key=f"second {form.id}")
    with pytest.raises(ValueError, match="a secret of your own"):
        client.webhooks.create(form.id, url, ["form.submission.new"], idempotency_key=f"other {form.id}")
    with pytest.raises(ValueError, match="a secret of your own"):
        client.inbound.endpoints.create(form.id, secret=True, idempotency_key=f"other {form.id}")
