"""Every part of the API, with both clients, against the running product."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest

from svcforms import (
    AuthenticationError,
    ConflictError,
    Form,
    NotFoundError,
    PermissionDeniedError,
    SvcForms,
    UnprocessableError,
)
from svcforms.models import FormField, FormSettings, Popup, PopupCondition, Theme

from .conftest import FIELDS, MakeClient
from .support.listener import Listener
from .support.server import Server, poll


def test_a_form_comes_back_as_it_was_sent(client: SvcForms) -> None:
    settings = FormSettings(
        popup=Popup(
            enabled=True,
            trigger="all",
            and_=[PopupCondition(trigger="exit"), PopupCondition(trigger="delay", delay_ms=5)],
        ),
        theme=Theme(radius=8),
        submit_label="Los",
    )
    made = client.forms.create(
        "Wünsche", fields=[FormField(name="n", type="number", min=1, max=2.5)], settings=settings, description="x"
    )
    assert made.id.startswith("frm_")
    assert made.created_at.tzinfo is not None
    assert made.settings.to_api() == settings.to_api()
    assert "delayMs" not in (made.settings.popup or Popup()).to_api()
    assert made.fields[0].to_api() == {"name": "n", "type": "number", "min": 1, "max": 2.5}

    again = client.forms.replace(
        made.id, name=made.name, fields=made.fields, settings=made.settings, description=made.description
    )
    assert again.model_dump(exclude={"updated_at", "version"}) == made.model_dump(exclude={"updated_at", "version"})
    assert client.forms.get(made.id) == again


def test_a_trigger_parameter_is_removed_with_none(client: SvcForms) -> None:
    popup = {"enabled": True, "trigger": "delay", "delayMs": 7, "selector": "#a"}
    made = client.forms.create("x", settings={"popup": popup})
    kept = client.forms.replace(made.id, name="x", settings={"popup": {"enabled": True, "trigger": "delay"}})
    assert kept.settings.popup is not None
    assert (kept.settings.popup.delay_ms, kept.settings.popup.selector) == (7, "#a")
    removed = client.forms.replace(
        made.id, name="x", settings=FormSettings(popup=Popup(enabled=True, trigger="delay", selector=None))
    )
    assert removed.settings.popup is not None
    assert removed.settings.popup.selector is None


def test_a_form_that_was_saved_meanwhile_is_not_overwritten(client: SvcForms) -> None:
    made = client.forms.create("first")
    saved = client.forms.replace(made.id, name="second", if_version=made.version)
    with pytest.raises(ConflictError) as caught:
        client.forms.replace(made.id, name="third", if_version=made.version)
    assert caught.value.code == "CONFLICT"
    assert client.forms.get(made.id).name == saved.name == "second"


def test_lists_are_walked_through_page_after_page(client: SvcForms) -> None:
    made = [client.forms.create(f"walk {n}").id for n in range(5)]
    assert [form.id for form in client.forms.list(q="walk", limit=2)] == made[::-1]
    pages = list(client.forms.list(q="walk", limit=2).pages())
    assert [len(page.items) for page in pages] == [2, 2, 1]
    assert [form.id for form in client.forms.list(q="walk", limit=2, cursor=pages[1].next_cursor)] == made[:1]
    assert list(client.forms.list(q="no form is called so")) == []
    with pytest.raises(UnprocessableError):
        list(client.forms.list(cursor="nonsense"))
    for form_id in made:
        client.forms.delete(form_id)


def test_a_deleted_form_is_not_found(client: SvcForms, form: Form) -> None:
    client.forms.delete(form.id)
    for call in (client.forms.get, client.forms.delete):
        with pytest.raises(NotFoundError) as caught:
            call(form.id)
        assert caught.value.code == "NOT_FOUND"


def test_refused_values_are_told_one_by_one(client: SvcForms) -> None:
    with pytest.raises(UnprocessableError) as caught:
        client.forms.create("", fields=[{"name": "a"}])
    error = caught.value
    assert (error.status, error.code) == (422, "VALIDATION_FAILED")
    assert [issue.pointer for issue in error.issues] == ["/name", "/fields/0/type"]
    assert error.request_id
    assert str(error).startswith("422 VALIDATION_FAILED: /name")
    assert "/fields/0/type: " in str(error)


def test_credentials_that_do_not_do(client_for: MakeClient, client: SvcForms, server: Server) -> None:
    with pytest.raises(AuthenticationError):
        list(client_for("svc_key_unknown", server.url).forms.list())
    key = client.keys.create("reads", ["forms:read"])
    with pytest.raises(PermissionDeniedError) as caught:
        client_for(key.key, server.url).forms.create("x")
    assert (caught.value.code, caught.value.required_scope) == ("INSUFFICIENT_SCOPE", "forms:write")


def test_keys(client: SvcForms, client_for: MakeClient, server: Server) -> None:
    expires_at = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=1)
    made = client.keys.create("agent", ["tasks:create", "forms:read"], expires_at=expires_at)
    assert made.expires_at == expires_at
    assert made.key.startswith("svc_key_")
    assert made.key not in repr(made)
    assert made.key.endswith(made.last4)
    assert [key.scopes for key in client.keys.list() if key.id == made.id] == [["tasks:create", "forms:read"]]
    other = client_for(made.key, server.url)
    assert isinstance(list(other.forms.list(limit=1)), list)
    client.keys.delete(made.id)
    with pytest.raises(AuthenticationError):
        list(other.forms.list(limit=1))


def test_audit_log(client: SvcForms) -> None:
    made = client.keys.create("audited", ["forms:read"])
    assert made.created_by is not None
    client.keys.delete(made.id)
    rows = list(client.audit_log.list(target=made.id))
    assert [row.action for row in rows] == ["key.deleted", "key.created"]
    assert {(row.actor.type, row.actor.id, row.target.name) for row in rows} == {("key", made.created_by, "audited")}
    assert rows[1].changes["scopes"] == {"from": None, "to": ["forms:read"]}
    assert [row.id for row in client.audit_log.list(target=made.id, action="key.created", limit=1)] == [rows[1].id]


def test_a_person_is_erased(client: SvcForms, form: Form) -> None:
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


def test_submissions(client: SvcForms, form: Form) -> None:
    submission_id = client.submissions.create(form.id, {"email": "ada@example.com"}, page="https://example.com/pricing")
    submission = client.submissions.get(submission_id)
    assert submission.data == {"email": "ada@example.com"}
    assert (submission.metadata.submitted_via, submission.metadata.page) == ("web", "https://example.com/pricing")
    assert submission.form_id == form.id
    with pytest.raises(UnprocessableError) as caught:
        client.submissions.create(form.id, {"email": "nonsense"})
    assert caught.value.issues[0].pointer == "/data/email"


def test_an_idempotency_key_makes_one_thing(client: SvcForms, form: Form) -> None:
    data = {"email": "ada@example.com"}
    first = client.submissions.create(form.id, data, idempotency_key=f"key-{form.id}")
    assert client.submissions.create(form.id, data, idempotency_key=f"key-{form.id}") == first
    with pytest.raises(UnprocessableError) as caught:
        client.submissions.create(form.id, {"email": "b@example.com"}, idempotency_key=f"key-{form.id}")
    assert caught.value.code == "IDEMPOTENCY_KEY_REUSED"
    assert client.submissions.create(form.id, data) != first


def test_inbound(client: SvcForms, form: Form) -> None:
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


def test_several_inbound_endpoints(client: SvcForms, form: Form) -> None:
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


def test_inbound_with_a_secret_from_the_start(client: SvcForms, form: Form) -> None:
    made = client.inbound.create(form.id, secret=True)
    assert made.secret
    client.inbound.send(form.id, made.token, {"email": "ada@example.com"}, secret=made.secret)
    client.inbound.delete(form.id)
    given = client.inbound.create(form.id, secret="sixteen or more characters", is_enabled=False)
    assert (given.has_secret, given.secret, given.is_enabled) == (True, None, False)


def test_webhooks_and_their_deliveries(client: SvcForms, form: Form, listener: Listener) -> None:
    hook = client.webhooks.create(form.id, listener.url, ["form.submission.new"], description="CRM")
    assert hook.secret.startswith("whsec_")
    assert hook.secret.endswith(hook.secret_last4)
    client.submissions.create(form.id, {"email": "ada@example.com"})
    event_id = listener.next().headers["svc-event-id"]

    def delivered() -> bool:
        return any(one.status == "delivered" for one in client.webhooks.deliveries(form.id, hook.id))

    poll(delivered, "the delivery to be recorded")
    (delivery,) = list(
        client.webhooks.deliveries(form.id, hook.id, status="delivered", event_type="form.submission.new")
    )
    assert (delivery.event_id, delivery.attempts[0].status) == (event_id, 204)
    assert client.webhooks.delivery(form.id, hook.id, delivery.id) == delivery
    client.webhooks.redeliver(form.id, hook.id, delivery.id)
    assert listener.next().headers["svc-event-id"] == event_id

    assert client.webhooks.test(form.id, hook.id, event_type="form.submission.new").delivered
    assert "svc-test" in listener.next().headers
    since = datetime.now(timezone.utc) - timedelta(hours=1)
    recovery = client.webhooks.recover(form.id, hook.id, since=since, dry_run=True)
    assert (recovery.count, recovery.dry_run) == (0, True)


def test_webhooks_are_changed_where_something_is_given(client: SvcForms, form: Form) -> None:
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
    with pytest.raises(UnprocessableError, match="event stream"):
        client.webhooks.create(form.id, "http://127.0.0.1:9/a", ["hitl.task.created"])  # type: ignore[list-item]


def test_fields_may_be_given_as_the_api_has_them(client: SvcForms) -> None:
    made = client.forms.create("x", fields=FIELDS, settings={"thankYou": {"redirectUrl": "https://example.com"}})
    assert made.fields[0].required is True
    assert made.settings.thank_you is not None
    assert made.settings.thank_you.redirect_url == "https://example.com"


def test_forms_are_copied(client: SvcForms, form: Form) -> None:
    assert client.forms.duplicate(form.id, name="Copy").name == "Copy"
    assert client.forms.duplicate(form.id).fields == form.fields
    template = client.forms.export(form.id)
    again = client.forms.import_(template)
    assert (again.id != form.id, again.name, again.fields) == (True, form.name, form.fields)
    assert client.forms.export(again.id) == template
    templates = list(client.forms.templates())
    assert len(templates) >= 6
    assert client.forms.import_(templates[0]).name == templates[0].name


def test_submissions_are_found_exported_and_deleted(client: SvcForms, form: Form) -> None:
    made = [client.submissions.create(form.id, {"email": f"{name}@example.com"}) for name in ("ada", "bob")]
    assert [one.id for one in client.submissions.list(form.id, limit=1)] == made[::-1]
    assert [one.id for one in client.submissions.list(form.id, q="ada@", via="web")] == made[:1]
    assert list(client.submissions.list(form.id, until=form.created_at)) == []
    lines = b"".join(client.submissions.export(form.id, format="ndjson", q="bob@")).splitlines()
    assert [json.loads(line)["id"] for line in lines] == made[1:]
    assert b"ada@example.com" in b"".join(client.submissions.export(form.id))
    client.submissions.delete(made[0])
    with pytest.raises(NotFoundError):
        client.submissions.get(made[0])


def test_what_came_of_a_form_is_counted(client: SvcForms, form: Form) -> None:
    client.submissions.create(form.id, {"email": "ada@example.com"})
    today = datetime.now(timezone.utc).date()
    days = client.forms.stats(form.id, since=today - timedelta(days=2), until=today)
    assert [day.date for day in days] == [str(today - timedelta(days=ago)) for ago in (2, 1, 0)]
    assert sum(day.submissions for day in client.forms.stats(form.id)) == 1
    (counted,) = client.forms.stats_of([form.id, "frm_" + "0" * 26], since=today)
    assert (counted.form_id, counted.total_submissions) == (form.id, 1)
    assert [(day.date, day.shown) for day in counted.days] == [(str(today), 0)]


def test_inbound_requests_are_looked_up(client: SvcForms, form: Form) -> None:
    endpoint = client.inbound.create(form.id)
    client.inbound.send(form.id, endpoint.token, {"email": "ada@example.com"})
    with pytest.raises(AuthenticationError):
        client.inbound.send(form.id, "svc_inb_wrong", {"email": "ada@example.com"})
    poll(lambda: len(client.inbound.requests(form.id)) == 2, "both requests in the log")
    refused, accepted = client.inbound.requests(form.id)
    assert (refused.status, refused.code, accepted.status, accepted.code) == (401, "UNAUTHORIZED", 202, None)
