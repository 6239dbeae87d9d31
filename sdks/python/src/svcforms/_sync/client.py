"""The client."""

from __future__ import annotations

import copy
from types import TracebackType

import httpx
from typing_extensions import Self

from .._settings import Settings, read_settings
from ..errors import ConfigurationError
from .resource import RawClient, Resource
from .resources.account_webhooks import AccountWebhooks
from .resources.audit_log import AuditLog
from .resources.erasures import Erasures
from .resources.events import Events
from .resources.forms import Forms
from .resources.groups import Groups
from .resources.inbound import Inbound
from .resources.keys import Keys
from .resources.notification_addresses import NotificationAddresses
from .resources.receipts import Receipts
from .resources.submissions import Submissions
from .resources.tasks import Tasks
from .resources.webhooks import Webhooks
from .transport import Transport


class SvcForms:
    """A client for the API of one server, with one API key. Close it, or use it in `with`.

    The client retries connection errors and the statuses 408, 429 and 5xx except 508 with
    exponential backoff. Each POST carries an `Idempotency-Key`, so the server runs it once. The
    client logs to the logger `svcforms`, without keys or bodies.

    Example:
        ```python
        with SvcForms() as client:
            task = client.tasks.request_and_wait(form_id, title="Refund 120 €?", prefill={"amount": 120})
        ```
    """

    tasks: Tasks
    """Tasks: approval by a human."""
    forms: Forms
    """Forms."""
    submissions: Submissions
    """Submissions of forms."""
    webhooks: Webhooks
    """Webhooks and their deliveries."""
    account_webhooks: AccountWebhooks
    """Webhooks of the account and their deliveries."""
    inbound: Inbound
    """Inbound endpoints: submissions from other systems."""
    events: Events
    """The event stream."""
    groups: Groups
    """Groups of users, for the policies of tasks."""
    keys: Keys
    """API keys."""
    audit_log: AuditLog
    """The audit log."""
    notification_addresses: NotificationAddresses
    """Email addresses for notifications about new submissions."""
    receipts: Receipts
    """Receipts of approved actions."""
    erasures: Erasures
    """Erasure of a person's data."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | httpx.Timeout | None = None,
        max_retries: int = 4,
        transport: httpx.BaseTransport | None = None,
        http_client: httpx.Client | None = None,
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
            Transport(settings, timeout=timeout, max_retries=max_retries, transport=transport, http_client=http_client),
        )

    def _use(self, settings: Settings, transport: Transport) -> None:
        self._settings = settings
        self._transport = transport
        self.tasks = Tasks(self._transport)
        self.forms = Forms(self._transport)
        self.submissions = Submissions(self._transport)
        self.webhooks = Webhooks(self._transport)
        self.account_webhooks = AccountWebhooks(self._transport)
        self.inbound = Inbound(self._transport)
        self.events = Events(self._transport)
        self.groups = Groups(self._transport)
        self.keys = Keys(self._transport)
        self.audit_log = AuditLog(self._transport)
        self.notification_addresses = NotificationAddresses(self._transport)
        self.receipts = Receipts(self._transport)
        self.erasures = Erasures(self._transport)

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
    def with_raw_response(self) -> RawClient:
        """The resources with methods that return a `RawResponse`:
        `client.with_raw_response.tasks.get(task_id).headers`. Resources have it too:
        `client.tasks.with_raw_response`.
        """
        return RawClient({name: one for name, one in vars(self).items() if isinstance(one, Resource)})

    @property
    def base_url(self) -> str:
        """The URL of the server."""
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
