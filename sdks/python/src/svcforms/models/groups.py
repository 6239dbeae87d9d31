"""Groups of users."""

from __future__ import annotations

from datetime import datetime

from ._base import Model


class Group(Model):
    """A group of users, for the policies of tasks."""

    id: str
    name: str
    members: list[str]
    """Ids of users."""
    created_at: datetime
    updated_at: datetime
