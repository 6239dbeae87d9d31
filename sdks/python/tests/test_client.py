"""Tests of client settings, logs and the public interface."""

from __future__ import annotations

import asyncio
import gc
import inspect
import logging
import pickle
from collections.abc import Callable
from datetime import datetime
from typing import Any

import httpx
import pytest

import svcforms
from svcforms import (
    APIStatusError,
    AsyncSvcForms,
    ConfigurationError,
    Form,
    NotFoundError,
    ServerError,
    SvcForms,
    UnexpectedAnswerError,
    UnprocessableError,
)

from .conftest import MakeClient
from .support.proxy import Proxy
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


@pytest.mark.parametrize("key", ["", "a\nb", "a\x7f", " a", "ä", "\ud83d"])
def test_a_header_that_http_cannot_transmit_is_refused_at_once(proxied: SvcForms, proxy: Proxy, key: str) -> None:
    with pytest.raises(ValueError, match=r"^Idempotency-Key must consist of printable ASCII characters") as caught:
        proxied.forms.create("A", fields=[{"name": "a", "type": "text"}], idempotency_key=key)
    assert not isinstance(caught.value, UnicodeError)
    with pytest.raises(ValueError, match=r"^Authorization must") as caught:
        proxied.inbound.send("frm_1", f"token{key}\n", {})
    assert "token" not in str(caught.value)
    assert proxy.requests == []


def test_half_of_a_surrogate_pair_is_refused_with_its_position(client: SvcForms, form: Form) -> None:
    with pytest.raises(UnprocessableError) as caught:
        client.tasks.create(form.id, metadata={"mood": "half a smile \ud83d"})
    assert [issue.pointer for issue in caught.value.issues] == ["/metadata/mood"]


# Nobody can close a connection whose loop is closed.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_asynchronous_client_works_in_several_event_loops(server: Server) -> None:
    client = AsyncSvcForms(server.api_key, base_url=server.url, max_retries=0)

    async def create(name: str) -> str:
        return (await client.forms.create(name, fields=[{"name": "a", "type": "text"}])).id

    ids = [asyncio.run(create(name)) for name in "abc"]
    assert asyncio.run(client.with_options(timeout=5).forms.get(ids[1])).name == "b"

    async def closed() -> None:
        await create("d")
        await client.aclose()
        await create("e")

    with pytest.raises(RuntimeError, match="closed"):
        asyncio.run(closed())
    gc.collect()


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


def recording(
    kind: str, seen: list[httpx.Request], respond: Callable[[httpx.Request], httpx.Response]
) -> httpx.Client | httpx.AsyncClient:
    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return respond(request)

    if kind == "sync":
        return httpx.Client(transport=httpx.MockTransport(handle), headers={"x-proxy": "yes"}, timeout=7)
    return httpx.AsyncClient(transport=httpx.MockTransport(handle), headers={"x-proxy": "yes"}, timeout=7)


@pytest.fixture
def http_client(request: pytest.FixtureRequest) -> str:
    """The kind of client that `client_for` creates."""
    return str(request.node.callspec.params["client_for"])


def test_the_client_uses_your_http_client_and_leaves_it_open(client_for: MakeClient, http_client: str) -> None:
    seen: list[httpx.Request] = []
    own = recording(http_client, seen, lambda _: httpx.Response(503, headers={"retry-after": "0"}))
    client = client_for(KEY, "https://forms.example.com", http_client=own, max_retries=1)
    with pytest.raises(ServerError):
        client.forms.get("frm_1")
    assert len(seen) == 2
    assert seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert seen[0].headers["x-proxy"] == "yes"
    assert seen[0].extensions["timeout"]["read"] == 7
    client.close()
    assert not own.is_closed


def test_your_http_client_does_not_follow_redirects(client_for: MakeClient, http_client: str) -> None:
    seen: list[httpx.Request] = []
    own = recording(http_client, seen, lambda _: httpx.Response(307, headers={"location": "https://other.example.com"}))
    own.follow_redirects = True
    with pytest.raises(APIStatusError, match="a redirect"):
        client_for(KEY, "https://forms.example.com", http_client=own).forms.get("frm_1")
    assert len(seen) == 1


def test_a_transport_beside_an_http_client_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="either transport or http_client"):
        SvcForms(KEY, transport=httpx.MockTransport(lambda _: httpx.Response(200)), http_client=httpx.Client())


def test_options_apply_to_the_copy_only(client_for: MakeClient, http_client: str) -> None:
    seen: list[httpx.Request] = []
    own = recording(http_client, seen, lambda _: httpx.Response(503, headers={"retry-after": "0"}))
    client = client_for(KEY, "https://forms.example.com", http_client=own, timeout=30, max_retries=2)

    def requests_of(one: SvcForms) -> list[float]:
        seen.clear()
        with pytest.raises(ServerError):
            one.forms.get("frm_1")
        return [request.extensions["timeout"]["read"] for request in seen]

    fast = client.with_options(timeout=1.5, max_retries=0)
    assert requests_of(fast) == [1.5]
    assert requests_of(fast.with_options(max_retries=1)) == [1.5, 1.5]
    assert requests_of(client.with_options(timeout=httpx.Timeout(9))) == [9, 9, 9]
    assert requests_of(client) == [30, 30, 30]


def test_a_copy_does_not_close_the_connections(client: SvcForms, form: Form) -> None:
    with client.with_options(timeout=5) as copy:
        assert copy.forms.get(form.id).id == form.id
    assert client.forms.get(form.id).id == form.id


def test_a_raw_response_has_the_http_response_and_the_value(client: SvcForms, form: Form) -> None:
    raw = client.with_raw_response.forms.get(form.id)
    assert (raw.status_code, raw.parse()) == (200, client.forms.get(form.id))
    assert raw.headers["ETag"] == '"1"'
    assert raw.json()["data"]["id"] == form.id
    assert raw.request_id == raw.headers["X-Request-Id"]
    assert form.id.encode() in raw.content
    assert form.id not in repr(raw)
    created = client.forms.with_raw_response.create("Other", fields=[])
    assert (created.status_code, created.parse().name) == (201, "Other")


def test_a_raw_list_is_its_first_page(client: SvcForms, form: Form) -> None:
    raw = client.with_raw_response.forms.list(limit=1)
    page = raw.parse()
    assert ([one.name for one in page.items], page.limit) == (["Contact"], 1)
    assert raw.json()["pagination"]["limit"] == 1


def test_raw_responses_reach_parts_of_resources_and_raise_errors(client: SvcForms, form: Form) -> None:
    assert client.with_raw_response.inbound.endpoints.list(form.id, limit=1).status_code == 200
    with pytest.raises(NotFoundError):
        client.with_raw_response.forms.get("frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y")
    assert client.with_raw_response.forms.delete(form.id).parse() is None


@pytest.mark.parametrize("path", ["events.stream", "submissions.export", "forms.missing", "missing.get", "forms._x"])
def test_what_has_no_raw_response_raises(path: str) -> None:
    resource, method = path.split(".")
    for kind in (SvcForms, AsyncSvcForms):
        with pytest.raises(AttributeError, match="has no"):
            getattr(getattr(kind(KEY).with_raw_response, resource), method)
