"""Notification addresses."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ._base import Model, Open

AddressStatus = Literal["pending", "verified", "unsubscribed"]


class NotificationAddress(Model):
    """An email address for notifications about new submissions."""

    id: str
    email: str
    """The address in lower case."""
    status: Open[AddressStatus]
    """`pending` until the owner confirms the verification email; `unsubscribed` if the owner
    refuses emails.
    """
    verified_at: datetime | None
    """When the owner confirmed the verification email; None before that, and for users of the
    account.
    """
    created_at: datetime
