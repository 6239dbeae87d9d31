"""Notification addresses."""

from __future__ import annotations

from ... import _request as api
from ..._responses import read_data
from ...models import NotificationAddress
from ..pages import Pager
from ..resource import Resource


class NotificationAddresses(Resource):
    """`client.notification_addresses`: recipients of emails about new submissions.

    Scopes: `forms:read`, `forms:write`. The server sends a verification email when a form first
        uses an address. An
    address that belongs to no user of the account receives notifications after its owner confirms
    that email.
    """

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> Pager[NotificationAddress]:
        """Lists the addresses that the account's forms have used, newest first."""
        path = "/api/notification-addresses"
        return Pager(self._transport, api.get(path, {"limit": limit, "cursor": cursor}), NotificationAddress)

    def verify(self, address_id: str) -> NotificationAddress:
        """Sends another verification email: at most one per hour, three per day and six in 30 days.

        Raises:
            ConflictError: the address is already verified.
            RateLimitError: the limit is reached.
        """
        path = api.path("/api/notification-addresses/{}/verification", address_id)
        return NotificationAddress.model_validate(read_data(self._transport.send(api.act(path))))
