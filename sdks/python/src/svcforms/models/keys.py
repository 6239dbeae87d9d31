"""API keys."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from ._base import Model, Open

Scope = Literal[
    "forms:read",
    "forms:write",
    "forms:draft",
    "forms:webhooks:manage",
    "forms:inbound:manage",
    "submissions:read",
    "submissions:write",
    "tasks:create",
    "tasks:read",
    "tasks:manage",
    "tasks:decide",
    "events:read",
    "keys:manage",
    "audit:read",
    "users:manage",
    "*",
]


class ApiKey(Model):
    """An API key, without its secret value."""

    id: str
    name: str
    last4: str
    """The last characters of the key, to identify it."""
    scopes: list[Open[Scope]]
    expires_at: datetime | None
    created_at: datetime
    created_by: str | None
    """Id of the user or key that created it; `None` when unknown."""
    last_used_at: datetime | None
    """When it was last used, to the minute; `None` when unknown."""


class ApiKeyCreated(ApiKey):
    """A new API key with its secret value. Only this result contains it."""

    key: str = Field(repr=False)
