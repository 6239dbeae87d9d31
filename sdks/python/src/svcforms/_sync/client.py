"""The client."""

from __future__ import annotations

from types import TracebackType

import httpx
from typing_extensions import Self

from .._settings import read_settings
from .resources.audit_log import AuditLog
from .resources.erasures import Erasures
from .resources.events import Events
from .resources.forms import Forms
from .resources.inbound import Inbound
from .resources.keys import Keys
from .resources.notification_addresses import NotificationAddresses
from .resources.submissions import Submissions
from .resources.tasks import Tasks
from .resources.webhooks import Webhooks
from .transport import Transport


class SvcForms:
    """The API of one server, for one key. It keeps connections; close it, or use it in `with`.

    Requests that fail in passing (no connection, 408, 429, 5xx) are made again, with pauses that grow; a POST
    carries an `Idempotency-Key`, so that it is done once however often it was sent. Logs go to the logger
    `svcforms`, without keys or bodies.

    Example:
        ```python
        with SvcForms() as client:
            task = client.tasks.request_and_wait(form_id, title="Refund 120 €?", prefill={"amount": 120})
        ```
    """

    tasks: Tasks
    """Asking a human."""
    forms: Forms
    """Forms."""
    submissions: Submissions
    """What was submitted."""
    webhooks: Webhooks
    """Webhooks and their deliveries."""
    inbound: Inbound
    """Submissions from other systems."""
    events: Events
    """The stream of events."""
    keys: Keys
    """API keys."""
    audit_log: AuditLog
    """Who changed what."""
    notification_addresses: NotificationAddresses
    """Who gets emails about new submissions."""
    erasures: Erasures
    """Erasing a person's data."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | httpx.Timeout | None = None,
        max_retries: int = 4,
        transport: httpx.BaseTransport | None = None,
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
        self._transport = Transport(self._settings, timeout=timeout, max_retries=max_retries, transport=transport)
        self.tasks = Tasks(self._transport)
        self.forms = Forms(self._transport)
        self.submissions = Submissions(self._transport)
        self.webhooks = Webhooks(self._transport)
        self.inbound = Inbound(self._transport)
        self.events = Events(self._transport)
        self.keys = Keys(self._transport)
        self.audit_log = AuditLog(self._transport)
        self.notification_addresses = NotificationAddresses(self._transport)
        self.erasures = Erasures(self._transport)

    @property
    def base_url(self) -> str:
        """Where the server is."""
        return self._settings.base_url

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"SvcForms(base_url={self.base_url!r}, api_key={self._settings.masked_key!r})"
