"""Addresses for notifications."""

from __future__ import annotations

from ... import _call as call
from ..._answers import read_data
from ...models import NotificationAddress
from ..pages import Pager
from ..transport import Transport


class NotificationAddresses:
    """`client.notification_addresses`: who gets emails about new submissions. Scopes: `forms:read`, `forms:write`.

    An address outside the users of the account gets them once its owner has followed the link of a verification
    email, which is sent when a form names the address for the first time.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> Pager[NotificationAddress]:
        """The addresses that forms of the account have named, newest first."""
        path = "/api/notification-addresses"
        return Pager(self._transport, call.get(path, {"limit": limit, "cursor": cursor}), NotificationAddress)

    def verify(self, address_id: str) -> NotificationAddress:
        """Sends another verification email: at most one an hour, three a day and six in 30 days.

        Raises:
            ConflictError: the address is verified already.
            RateLimitError: there were too many.
        """
        path = call.path("/api/notification-addresses/{}/verification", address_id)
        return NotificationAddress.model_validate(read_data(self._transport.send(call.act(path))))
