"""Tests of client settings, logs and the public interface."""

from __future__ import annotations

import inspect
import logging
import pickle
from datetime import datetime
from typing import Any

import httpx
import pytest

import svcforms
from svcforms import AsyncSvcForms, ConfigurationError, Form, NotFoundError, SvcForms, UnexpectedAnswerError

from .conftest import MakeClient
from .support.server import Server

KEY = "svc_key_" + "a" * 39 + "Zm9y"


def test_the_client_reads_settings_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_API_KEY", f"{KEY}\n")
    monkeypatch.setenv("SVC_BASE_URL", "https://forms.example.com/")
    assert repr(SvcForms()) == "SvcForms(base_url='https://forms.example.com', api_key='svc_key_…Zm9y')"


def test_arguments_override_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_API_KEY", "other")
    monkeypatch.setenv("SVC_BASE_URL", "https://other.example.com")
    assert repr(AsyncSvcForms(KEY, base_url="http://localhost:9")).startswith(
        "AsyncSvcForms(base_url='http://localhost:9'"
    )


def test_the_default_base_url_is_localhost() -> None:
    assert SvcForms(KEY).base_url == "http://localhost:8080"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "pass api_key, or set SVC_API_KEY"),
        ({"api_key": "  "}, "pass api_key, or set SVC_API_KEY"),
        ({"api_key": "svc_key_ä"}, "invalid characters"),
        ({"api_key": "svc_key_a\nb"}, "invalid characters"),
        ({"api_key": KEY, "base_url": "forms.example.com"}, "must look like https://forms.example.com"),
        ({"api_key": KEY, "base_url": "ftp://forms.example.com"}, "must look like https://forms.example.com"),
        ({"api_key": KEY, "base_url": "https://a:b@forms.example.com"}, "without credentials"),
        ({"api_key": KEY, "base_url": "https://forms.example.com?a=b"}, "or a query"),
        ({"api_key": KEY, "base_url": "http://[::1"}, "is not a URL"),
    ],
)
@pytest.mark.parametrize("kind", [SvcForms, AsyncSvcForms])
def test_invalid_settings_raise(kind: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        kind(**options)
    assert KEY not in str(caught.value)
    assert "a:b" not in str(caught.value)


@pytest.mark.parametrize("secret", [KEY, "x" * 60, "short"])
def test_no_repr_contains_the_api_key(secret: str) -> None:
    client = SvcForms(secret)
    for value in (client, client.tasks, client._settings, client._transport, vars(client)):
        assert secret not in repr(value)


def test_both_clients_have_the_same_methods() -> None:
    def surface(kind: type) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, annotation in inspect.get_annotations(kind, eval_str=False).items():
            resource = vars(inspect.getmodule(kind))[annotation]
            for method, function in inspect.getmembers(resource, inspect.isfunction):
                if not method.startswith("_"):
                    text = str(inspect.signature(function)).replace("Async", "").replace(", None, None]", ", None]")
                    found[f"{name}.{method}"] = text
        return found

    assert surface(SvcForms) == surface(AsyncSvcForms)
    assert {name.split(".")[0] for name in surface(SvcForms)} == {
        "tasks",
        "forms",
        "submissions",
        "webhooks",
        "account_webhooks",
        "inbound",
        "events",
        "keys",
        "audit_log",
        "erasures",
        "notification_addresses",
        "receipts",
        "groups",
    }


def test_every_exported_name_exists() -> None:
    assert all(hasattr(svcforms, name) for name in svcforms.__all__)
    assert svcforms.__version__ == "0.1.0"


def test_the_client_uses_a_custom_transport() -> None:
    seen: list[httpx.Request] = []

    class Recording(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            seen.append(request)
            return httpx.Response(200, text="<html>")

    with SvcForms(KEY, transport=Recording()) as client, pytest.raises(UnexpectedAnswerError, match="right server"):
        client.forms.get("frm_1")
    assert seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert seen[0].headers["user-agent"] == "svcforms-python/0.1.0"


@pytest.mark.parametrize("form_id", ["", ".", ".."])
def test_an_id_that_changes_the_path_is_refused(client: SvcForms, form_id: str) -> None:
    with pytest.raises(ValueError, match="is not a valid id"):
        client.forms.delete(form_id)


def test_an_id_is_one_path_segment(client: SvcForms, form: Form) -> None:
    with pytest.raises(NotFoundError):
        client.forms.get(f"{form.id}/inbound?x=#y")


def test_a_time_without_a_time_zone_is_refused(client: SvcForms) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        client.keys.create("x", ["*"], expires_at=datetime(2030, 1, 1))


def test_errors_can_be_pickled(client: SvcForms) -> None:
    with pytest.raises(NotFoundError) as caught:
        client.forms.get("frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.code, copy.status, str(copy)) == ("NOT_FOUND", 404, str(caught.value))


def test_logs_contain_requests_but_no_secrets(
    client_for: MakeClient, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client = client_for(server.api_key, server.url)
    form = client.forms.create("Secret name")
    endpoint = client.inbound.create(form.id, secret=True)
    hook = client.webhooks.create(form.id, "http://127.0.0.1:9/", ["form.submission.new"])
    assert "POST /api/forms: 201 in" in caplog.text
    for secret in (server.api_key, endpoint.token, endpoint.secret, hook.secret, "Secret name"):
        assert secret
        assert secret not in caplog.text
        assert secret not in repr([endpoint, hook])
