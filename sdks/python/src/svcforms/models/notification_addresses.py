"""Addresses for notifications."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ._base import Model, Open

AddressStatus = Literal["pending", "verified", "unsubscribed"]


class NotificationAddress(Model):
    """An address for emails about new submissions."""

    id: str
    email: str
    """In lower case."""
    status: Open[AddressStatus]
    """`pending` has not confirmed the verification email, `unsubscribed` wants no emails."""
    verified_at: datetime | None
    """None where it was not confirmed, and for a user of the account."""
    created_at: datetime
