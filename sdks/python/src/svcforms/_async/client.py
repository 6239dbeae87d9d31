"""The client."""

from __future__ import annotations

from types import TracebackType

import httpx
from typing_extensions import Self

from .._settings import read_settings
from .resources.audit_log import AsyncAuditLog
from .resources.erasures import AsyncErasures
from .resources.events import AsyncEvents
from .resources.forms import AsyncForms
from .resources.inbound import AsyncInbound
from .resources.keys import AsyncKeys
from .resources.notification_addresses import AsyncNotificationAddresses
from .resources.submissions import AsyncSubmissions
from .resources.tasks import AsyncTasks
from .resources.webhooks import AsyncWebhooks
from .transport import AsyncTransport


class AsyncSvcForms:
    """The API of one server, for one key. It keeps connections; close it, or use it in `async with`.

    Requests that fail in passing (no connection, 408, 429, 5xx) are made again, with pauses that grow; a POST
    carries an `Idempotency-Key`, so that it is done once however often it was sent. Logs go to the logger
    `svcforms`, without keys or bodies.

    Example:
        ```python
        async with AsyncSvcForms() as client:
            task = await client.tasks.request_and_wait(form_id, title="Refund 120 €?", prefill={"amount": 120})
        ```
    """

    tasks: AsyncTasks
    """Asking a human."""
    forms: AsyncForms
    """Forms."""
    submissions: AsyncSubmissions
    """What was submitted."""
    webhooks: AsyncWebhooks
    """Webhooks and their deliveries."""
    inbound: AsyncInbound
    """Submissions from other systems."""
    events: AsyncEvents
    """The stream of events."""
    keys: AsyncKeys
    """API keys."""
    audit_log: AsyncAuditLog
    """Who changed what."""
    notification_addresses: AsyncNotificationAddresses
    """Who gets emails about new submissions."""
    erasures: AsyncErasures
    """Erasing a person's data."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | httpx.Timeout | None = None,
        max_retries: int = 4,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Makes no request yet.

        Args:
            api_key: `svc_key_…`; absent: `SVC_API_KEY` of the environment.
            base_url: where the server is; absent: `SVC_BASE_URL`, or else http://localhost:8080.
            timeout: seconds that a connection, and each wait for bytes, may take; absent: 5 and 30.
            max_retries: how many more tries a request has; 0: none.
            transport: an `httpx` transport of your own, for proxies, certificates or tests.

        Raises:
            ConfigurationError: there is no API key, or the base URL is none.
        """
        self._settings = read_settings(api_key, base_url)
        self._transport = AsyncTransport(self._settings, timeout=timeout, max_retries=max_retries, transport=transport)
        self.tasks = AsyncTasks(self._transport)
        self.forms = AsyncForms(self._transport)
        self.submissions = AsyncSubmissions(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)
        self.inbound = AsyncInbound(self._transport)
        self.events = AsyncEvents(self._transport)
        self.keys = AsyncKeys(self._transport)
        self.audit_log = AsyncAuditLog(self._transport)
        self.notification_addresses = AsyncNotificationAddresses(self._transport)
        self.erasures = AsyncErasures(self._transport)

    @property
    def base_url(self) -> str:
        """Where the server is."""
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
