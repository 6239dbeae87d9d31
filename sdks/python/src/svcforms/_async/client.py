"""The client."""

from __future__ import annotations

import copy
from types import TracebackType

import httpx
from typing_extensions import Self

from .._settings import Settings, read_settings
from ..errors import ConfigurationError
from .resource import AsyncRawClient, AsyncResource
from .resources.account_webhooks import AsyncAccountWebhooks
from .resources.audit_log import AsyncAuditLog
from .resources.erasures import AsyncErasures
from .resources.events import AsyncEvents
from .resources.forms import AsyncForms
from .resources.groups import AsyncGroups
from .resources.inbound import AsyncInbound
from .resources.keys import AsyncKeys
from .resources.notification_addresses import AsyncNotificationAddresses
from .resources.receipts import AsyncReceipts
from .resources.submissions import AsyncSubmissions
from .resources.tasks import AsyncTasks
from .resources.webhooks import AsyncWebhooks
from .transport import AsyncTransport


class AsyncSvcForms:
    """A client for the API of one server, with one API key. Close it, or use it in `async with`.

    The client retries connection errors and the statuses 408, 429 and 5xx except 508 with
    exponential backoff. Each POST carries an `Idempotency-Key`, so the server runs it once. The
    client logs to the logger `svcforms`, without keys or bodies.

    Example:
        ```python
        async with AsyncSvcForms() as client:
            task = await client.tasks.request_and_wait(form_id, title="Refund 120 €?", prefill={"amount": 120})
        ```
    """

    tasks: AsyncTasks
    """Tasks: approval by a human."""
    forms: AsyncForms
    """Forms."""
    submissions: AsyncSubmissions
    """Submissions of forms."""
    webhooks: AsyncWebhooks
    """Webhooks and their deliveries."""
    account_webhooks: AsyncAccountWebhooks
    """Webhooks of the account and their deliveries."""
    inbound: AsyncInbound
    """Inbound endpoints: submissions from other systems."""
    events: AsyncEvents
    """The event stream."""
    groups: AsyncGroups
    """Groups of users, for the policies of tasks."""
    keys: AsyncKeys
    """API keys."""
    audit_log: AsyncAuditLog
    """The audit log."""
    notification_addresses: AsyncNotificationAddresses
    """Email addresses for notifications about new submissions."""
    receipts: AsyncReceipts
    """Receipts of approved actions."""
    erasures: AsyncErasures
    """Erasure of a person's data."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | httpx.Timeout | None = None,
        max_retries: int = 4,
        transport: httpx.AsyncBaseTransport | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Creates a client without sending a request.

        Args:
            api_key: an API key (`svc_key_…`). Default: the environment variable `SVC_API_KEY`.
            base_url: URL of the server. Default: `SVC_BASE_URL`, or http://localhost:8080.
            timeout: seconds to wait for a connection and for each read. Default: 5 and 30.
            max_retries: maximum retries for each request; 0 disables retries.
            transport: a custom `httpx` transport, for proxies, certificates or tests.
            http_client: your own `httpx` client instead, which you close yourself. Its timeout is
                used if you configured one and don't pass `timeout`.

        Raises:
            ConfigurationError: the API key is missing, the base URL is invalid, or there are both a
                `transport` and an `http_client`.
        """
        if transport is not None and http_client is not None:
            raise ConfigurationError("Pass either transport or http_client; the client already has a transport")
        settings = read_settings(api_key, base_url)
        self._use(
            settings,
            AsyncTransport(
                settings, timeout=timeout, max_retries=max_retries, transport=transport, http_client=http_client
            ),
        )

    def _use(self, settings: Settings, transport: AsyncTransport) -> None:
        self._settings = settings
        self._transport = transport
        self.tasks = AsyncTasks(self._transport)
        self.forms = AsyncForms(self._transport)
        self.submissions = AsyncSubmissions(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)
        self.account_webhooks = AsyncAccountWebhooks(self._transport)
        self.inbound = AsyncInbound(self._transport)
        self.events = AsyncEvents(self._transport)
        self.groups = AsyncGroups(self._transport)
        self.keys = AsyncKeys(self._transport)
        self.audit_log = AsyncAuditLog(self._transport)
        self.notification_addresses = AsyncNotificationAddresses(self._transport)
        self.receipts = AsyncReceipts(self._transport)
        self.erasures = AsyncErasures(self._transport)

    def with_options(self, *, timeout: float | httpx.Timeout | None = None, max_retries: int | None = None) -> Self:
        """Returns a client with other options, for one request or for many:
        `client.with_options(timeout=5, max_retries=0).tasks.get(task_id)`.

        It uses the connections of this client, which you close.

        Args:
            timeout: seconds to wait for a connection and for each read. Default: as this client.
            max_retries: maximum retries for each request. Default: as this client.
        """
        other = copy.copy(self)
        other._use(self._settings, self._transport.with_options(timeout=timeout, max_retries=max_retries))
        return other

    @property
    def with_raw_response(self) -> AsyncRawClient:
        """The resources with methods that return a `RawResponse`:
        `client.with_raw_response.tasks.get(task_id).headers`. Resources have it too:
        `client.tasks.with_raw_response`.
        """
        return AsyncRawClient({name: one for name, one in vars(self).items() if isinstance(one, AsyncResource)})

    @property
    def base_url(self) -> str:
        """The URL of the server."""
        return self._settings.base_url

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncSvcForms(base_url={self.base_url!r}, api_key={self._settings.masked_key!r})"
