from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from svcforms import AsyncSvcForms, Form, SvcForms

from .support.blocking import Loop, blocking
from .support.proxy import Proxy
from .support.server import Server
from .support.webhook_endpoint import WebhookEndpoint

MakeClient = Callable[..., SvcForms]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes variables that would change where the clients connect."""
    for name in ("SVC_API_KEY", "SVC_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server, shared by the tests that only send requests."""
    server = Server()
    yield server
    server.close()


@pytest.fixture
def own_server() -> Iterator[Callable[..., Server]]:
    """Starts servers for tests that kill them or need other settings."""
    servers: list[Server] = []

    def start(**settings: str) -> Server:
        servers.append(Server(**settings))
        return servers[-1]

    yield start
    for one in servers:
        one.close()


@pytest.fixture
def proxy_to() -> Iterator[Callable[[Server], Proxy]]:
    proxies: list[Proxy] = []

    def start(server: Server) -> Proxy:
        proxies.append(Proxy(server.port))
        return proxies[-1]

    yield start
    for one in proxies:
        one.close()


@pytest.fixture
def proxy(server: Server, proxy_to: Callable[[Server], Proxy]) -> Proxy:
    return proxy_to(server)


@pytest.fixture(params=["sync", "async"])
def client_for(request: pytest.FixtureRequest) -> Iterator[MakeClient]:
    """Creates clients. Each test that uses it runs with both kinds of client."""
    loop = Loop()
    clients: list[SvcForms] = []

    def make(api_key: str, base_url: str, **options: Any) -> SvcForms:
        if request.param == "sync":
            client = SvcForms(api_key, base_url=base_url, **options)
        else:
            client = blocking(AsyncSvcForms(api_key, base_url=base_url, **options), loop)
        clients.append(client)
        return client

    yield make
    for one in clients:
        one.close()
    loop.close()


@pytest.fixture
def client(client_for: MakeClient, server: Server) -> SvcForms:
    return client_for(server.api_key, server.url)


@pytest.fixture
def proxied(client_for: MakeClient, server: Server, proxy: Proxy) -> SvcForms:
    """A client that connects through the proxy."""
    return client_for(server.api_key, proxy.url)


FIELDS: list[dict[str, Any]] = [
    {"name": "email", "type": "email", "required": True},
    {"name": "message", "type": "textarea"},
]


@pytest.fixture
def form(client: SvcForms) -> Form:
    return client.forms.create("Contact", fields=FIELDS)


@pytest.fixture
def webhook_endpoint() -> Iterator[WebhookEndpoint]:
    webhook_endpoint = WebhookEndpoint()
    yield webhook_endpoint
    webhook_endpoint.close()
