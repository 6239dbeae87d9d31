"""Tests that the generated files are up to date, and that the package covers the whole API."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import types
import typing
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from svcforms import ERROR_CODES, AsyncSvcForms, models

from .support.server import ROOT

PROJECT = Path(__file__).resolve().parent.parent
API: dict[str, Any] = json.loads((ROOT / "docs/openapi.json").read_text())
SCHEMAS: dict[str, dict[str, Any]] = API["components"]["schemas"]

#: Operation of the API → method.
METHODS = {
    "POST /api/forms": "forms.create",
    "GET /api/forms": "forms.list",
    "GET /api/forms/{formId}": "forms.get",
    "PUT /api/forms/{formId}": "forms.replace",
    "DELETE /api/forms/{formId}": "forms.delete",
    "DELETE /api/forms/{formId}/draft": "forms.discard_draft",
    "POST /api/forms/{formId}/publish": "forms.publish",
    "GET /api/forms/{formId}/versions": "forms.versions",
    "GET /api/forms/{formId}/versions/{version}": "forms.version",
    "POST /api/forms/{formId}/versions/{version}/restore": "forms.restore",
    "POST /api/forms/{formId}/duplicate": "forms.duplicate",
    "GET /api/forms/{formId}/export": "forms.export",
    "POST /api/forms/import": "forms.import_",
    "GET /api/forms/{formId}/stats": "forms.stats",
    "GET /api/forms/{formId}/summary": "forms.summary",
    "GET /api/stats": "forms.stats_of",
    "GET /api/templates": "forms.templates",
    "POST /api/forms/{formId}/submissions": "submissions.create",
    "GET /api/forms/{formId}/submissions": "submissions.list",
    "GET /api/forms/{formId}/submissions/export": "submissions.export",
    "GET /api/submissions/{submissionId}": "submissions.get",
    "POST /api/submissions/{submissionId}/release": "submissions.release",
    "GET /api/submissions/{submissionId}/deliveries": "submissions.deliveries",
    "DELETE /api/submissions/{submissionId}": "submissions.delete",
    "POST /api/forms/{formId}/inbound": "inbound.create",
    "GET /api/forms/{formId}/inbound": "inbound.get",
    "PATCH /api/forms/{formId}/inbound": "inbound.update",
    "DELETE /api/forms/{formId}/inbound": "inbound.delete",
    "POST /api/forms/{formId}/inbound/rotate": "inbound.rotate",
    "GET /api/forms/{formId}/inbound/requests": "inbound.requests",
    "POST /api/forms/{formId}/inbound/endpoints": "inbound.endpoints.create",
    "GET /api/forms/{formId}/inbound/endpoints": "inbound.endpoints.list",
    "GET /api/forms/{formId}/inbound/endpoints/{inboundId}": "inbound.endpoints.get",
    "PATCH /api/forms/{formId}/inbound/endpoints/{inboundId}": "inbound.endpoints.update",
    "DELETE /api/forms/{formId}/inbound/endpoints/{inboundId}": "inbound.endpoints.delete",
    "POST /api/forms/{formId}/inbound/endpoints/{inboundId}/rotate": "inbound.endpoints.rotate",
    "GET /api/forms/{formId}/inbound/endpoints/{inboundId}/requests": "inbound.endpoints.requests",
    "POST /api/inbound/{formId}": "inbound.send",
    "POST /api/forms/{formId}/webhooks": "webhooks.create",
    "GET /api/forms/{formId}/webhooks": "webhooks.list",
    "POST /api/forms/{formId}/webhooks/filter/preview": "webhooks.preview_filter",
    "GET /api/forms/{formId}/webhooks/{webhookId}": "webhooks.get",
    "PATCH /api/forms/{formId}/webhooks/{webhookId}": "webhooks.update",
    "DELETE /api/forms/{formId}/webhooks/{webhookId}": "webhooks.delete",
    "POST /api/forms/{formId}/webhooks/{webhookId}/rotate-secret": "webhooks.rotate_secret",
    "POST /api/forms/{formId}/webhooks/{webhookId}/test": "webhooks.test",
    "POST /api/forms/{formId}/webhooks/payload/preview": "webhooks.preview_payload",
    "POST /api/forms/{formId}/webhooks/{webhookId}/recover": "webhooks.recover",
    "GET /api/forms/{formId}/webhooks/{webhookId}/health": "webhooks.health",
    "GET /api/forms/{formId}/webhooks/{webhookId}/deliveries": "webhooks.deliveries",
    "GET /api/forms/{formId}/webhooks/{webhookId}/deliveries/{deliveryId}": "webhooks.delivery",
    "GET /api/forms/{formId}/webhooks/deliveries/{deliveryId}": "webhooks.delivery",
    "POST /api/forms/{formId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": "webhooks.redeliver",
    "POST /api/forms/{formId}/webhooks/deliveries/{deliveryId}/redeliver": "webhooks.redeliver",
    "POST /api/webhooks": "account_webhooks.create",
    "GET /api/webhooks": "account_webhooks.list",
    "POST /api/webhooks/filter/preview": "account_webhooks.preview_filter",
    "GET /api/webhooks/{webhookId}": "account_webhooks.get",
    "PATCH /api/webhooks/{webhookId}": "account_webhooks.update",
    "DELETE /api/webhooks/{webhookId}": "account_webhooks.delete",
    "POST /api/webhooks/{webhookId}/rotate-secret": "account_webhooks.rotate_secret",
    "POST /api/webhooks/{webhookId}/test": "account_webhooks.test",
    "POST /api/webhooks/payload/preview": "account_webhooks.preview_payload",
    "POST /api/webhooks/{webhookId}/recover": "account_webhooks.recover",
    "GET /api/webhooks/{webhookId}/health": "account_webhooks.health",
    "GET /api/webhooks/{webhookId}/deliveries": "account_webhooks.deliveries",
    "GET /api/webhooks/{webhookId}/deliveries/{deliveryId}": "account_webhooks.delivery",
    "POST /api/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": "account_webhooks.redeliver",
    "POST /api/mcp/tasks": "tasks.create",
    "GET /api/mcp/tasks": "tasks.list",
    "GET /api/mcp/tasks/{taskId}": "tasks.get",
    "GET /api/mcp/tasks/{taskId}/history": "tasks.history",
    "POST /api/mcp/tasks/{taskId}/claim": "tasks.claim",
    "POST /api/mcp/tasks/{taskId}/release": "tasks.release",
    "POST /api/mcp/tasks/{taskId}/decision": "tasks.decide",
    "POST /api/mcp/tasks/{taskId}/delegate": "tasks.delegate",
    "POST /api/mcp/tasks/{taskId}/cancel": "tasks.cancel",
    "POST /api/mcp/receipts/redeem": "receipts.redeem",
    "DELETE /api/mcp/tasks/{taskId}": "tasks.delete",
    "POST /api/erasures": "erasures.create",
    "POST /api/mcp/tasks/{taskId}/callback/redeliver": "tasks.redeliver_callback",
    "GET /api/mcp/events/{eventType}": "events.stream",
    "GET /api/event-types": "events.types",
    "GET /api/notification-addresses": "notification_addresses.list",
    "POST /api/notification-addresses/{addressId}/verification": "notification_addresses.verify",
    "POST /api/groups": "groups.create",
    "GET /api/groups": "groups.list",
    "GET /api/groups/{groupId}": "groups.get",
    "PATCH /api/groups/{groupId}": "groups.update",
    "DELETE /api/groups/{groupId}": "groups.delete",
    "POST /api/keys": "keys.create",
    "GET /api/keys": "keys.list",
    "DELETE /api/keys/{keyId}": "keys.delete",
    "GET /api/audit-log": "audit_log.list",
}
#: Operations that aren't for programs with an API key, and their users.
OTHER_OPERATIONS = {
    r".* /api/(auth|users|account|agents|invitations|oauth)\b.*": "people who log in",
    r".* /api/mcp$": "MCP clients",
    r"(GET /embed|GET /f/|POST /api/forms/\{formId\}/events|GET /api/forms/\{formId\}/submission-token).*": "browsers",
}
#: Parameters whose Python name differs from the API's name in snake case; None if the method
#: doesn't take them.
PARAMETERS: dict[str, str | None] = {
    "GET /api/forms/{formId}/summary from": "since",
    "GET /api/forms/{formId}/summary to": "until",
    "GET /api/forms/{formId}/stats from": "since",
    "GET /api/forms/{formId}/stats to": "until",
    "GET /api/stats from": "since",
    "GET /api/stats to": "until",
    # Only browsers send these: the time that a visitor took, and the honeypot field.
    "POST /api/forms/{formId}/submissions elapsedMs": None,
    "POST /api/forms/{formId}/submissions hp": None,
    "POST /api/forms/{formId}/submissions token": None,
    "POST /api/forms/{formId}/submissions proof": None,
    "POST /api/forms/{formId}/submissions metadata": None,
    # Links in emails to reviewers have it, for the dashboard.
    "POST /api/mcp/tasks/{taskId}/decision mailLink": None,
    # `wait_for` sends it.
    "GET /api/mcp/tasks/{taskId} wait": None,
    "GET /api/mcp/events/{eventType} eventType": "types",
    # For programs that forward the bodies of webhooks, such as `svcforms listen`.
    "GET /api/mcp/events/{eventType} format": None,
    # The template is the whole body.
    "POST /api/forms/import template": "template",
    **{
        f"POST /api/forms/import {name}": "template"
        for name in ("name", "description", "title", "intro", "fields", "settings")
    },
    # The server ignores these, so that clients can send a form back.
    **{
        f"{operation} {name}": None
        for operation in ("POST /api/forms", "PUT /api/forms/{formId}")
        for name in ("id", "accountId", "createdAt", "updatedAt", "version", "scriptLastSeen")
    },
}
#: Headers that the SDK chooses, or derives from the secret.
OWN_HEADERS = {"Idempotency-Key", "X-SvcForms-Signature-256", "X-SvcForms-Timestamp"}
#: Schemas without a model: request bodies, account screens, what only the script of a page fetches,
#: the envelope of responses, filters, which are dicts, and the payloads of webhooks, which are
#: `WebhookEvent`.
NO_MODELS = re.compile(
    r"Account|Agent\w*|Me|User\w*|WebhookFilter\w*|(Form|Submission|Decision|HitlTask)\w+Payload|Invitation\w*|Totp\w*|SecondFactorIn|Slack\w+|Login\w+|ProofChallenge|SubmissionToken|Pagination|Problem|.*(In|Patch|Input)"
)
#: Schemas with a model. A list is represented by its entries.
RESPONSES = [name for name, one in SCHEMAS.items() if not NO_MODELS.fullmatch(name) and one.get("type") != "array"]


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, item in API["paths"].items()
        for method, operation in item.items()
        if method in {"get", "post", "put", "patch", "delete"}
    ]


@pytest.mark.parametrize(("name", "operation"), operations(), ids=[name for name, _ in operations()])
def test_every_operation_has_a_method_with_all_parameters(name: str, operation: dict[str, Any]) -> None:
    if name not in METHODS:
        assert any(re.fullmatch(pattern, name) for pattern in OTHER_OPERATIONS), f"no method for {name}"
        return
    takes = inspect.signature(method_of(METHODS[name])).parameters
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    parameters = [*map(resolved, operation.get("parameters", []))]
    headers = {one["name"] for one in parameters if one["in"] == "header"} - OWN_HEADERS
    sent = [
        *properties(schema),
        *(one["name"] for one in parameters if one["in"] == "query"),
        *(name.removeprefix("Svc-").replace("-", "_").lower() for name in headers),
    ]
    missing = [one for one in sent if (own := parameter(name, one)) is not None and own not in takes]
    assert missing == []


def test_every_method_has_an_operation() -> None:
    known = {name for name, _ in operations()}
    assert [name for name in METHODS if name not in known] == []


@pytest.mark.parametrize("name", RESPONSES)
def test_every_property_of_a_response_is_in_its_model(name: str) -> None:
    model: type[BaseModel] = getattr(models, name)
    own = {field.serialization_alias or key: field for key, field in model.model_fields.items()}
    schema = SCHEMAS[name]
    assert sorted(set(properties(schema)) - set(own)) == []
    assert sorted(set(own) - set(properties(schema))) == [], "the API doesn't have these properties"
    optional = {key for key, field in own.items() if not field.is_required()}
    kinds = schema.get("oneOf", [schema])
    always = set(properties(schema)).intersection(*(kind.get("required", []) for kind in kinds))
    assert sorted(set(properties(schema)) - always - optional) == [], "these properties are optional"


def values_of(schema: dict[str, Any]) -> list[str]:
    """Returns every enum value of a schema, including its lists and alternatives."""
    inner = [*([schema["items"]] if "items" in schema else []), *schema.get("anyOf", []), *schema.get("oneOf", [])]
    return [*schema.get("enum", []), *(value for one in inner if "$ref" not in one for value in values_of(one))]


@pytest.mark.parametrize("name", RESPONSES)
def test_every_enum_value_is_known(name: str) -> None:
    model: type[BaseModel] = getattr(models, name)
    known = {field.serialization_alias or key: literals(field.annotation) for key, field in model.model_fields.items()}
    for key, schema in SCHEMAS[name].get("properties", {}).items():
        texts = {value for value in values_of(schema) if isinstance(value, str)}
        if texts and known.get(key):
            assert texts == known[key], f"{name}.{key}"


def literals(annotation: Any) -> set[str]:
    if typing.get_origin(annotation) is typing.Literal:
        return set(typing.get_args(annotation))
    found = [literals(one) for one in typing.get_args(annotation) if not isinstance(one, str)]
    return set().union(*found)


def test_every_error_code_has_its_status() -> None:
    codes = set(SCHEMAS["Problem"]["properties"]["code"]["enum"])
    assert codes == set(ERROR_CODES)
    page = (ROOT / "docs/errors.md").read_text()
    statuses = {code: int(status) for code, status in re.findall(r"^## (\w+)\n\n(\d{3})\b", page, re.MULTILINE)}
    assert statuses == dict(ERROR_CODES)


@pytest.mark.parametrize("script", ["generate_sync.py", "generate_reference.py"])
def test_generated_files_are_up_to_date(script: str) -> None:
    done = subprocess.run(
        [sys.executable, PROJECT / "scripts" / script, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def method_of(name: str) -> types.FunctionType:
    *resources, method = name.split(".")
    kind: type = AsyncSvcForms
    for resource in resources:
        kind = vars(inspect.getmodule(kind))[kind.__annotations__[resource]]
    function: types.FunctionType = getattr(kind, method)
    return function


def parameter(operation: str, name: str) -> str | None:
    return PARAMETERS.get(f"{operation} {name}", re.sub(r"([A-Z])", lambda found: "_" + found[1].lower(), name))


def properties(schema: dict[str, Any]) -> list[str]:
    schema = resolved(schema)
    alternatives = (key for one in schema.get("oneOf", schema.get("anyOf", [])) for key in properties(one))
    return list(dict.fromkeys([*schema.get("properties", {}), *alternatives]))


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """Follows references."""
    if "$ref" not in part:
        return part
    found: Any = API
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return resolved(found)
