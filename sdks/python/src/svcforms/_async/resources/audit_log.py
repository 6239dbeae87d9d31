"""The audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ... import _request as api
from ...models import AuditAction, AuditEntry
from ..pages import AsyncPager
from ..resource import AsyncResource


class AsyncAuditLog(AsyncResource):
    """`client.audit_log`. Scope: `audit:read`."""

    def list(
        self,
        *,
        actor: str | None = None,
        action: AuditAction | None = None,
        target: str | None = None,
        include: Literal["resource"] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPager[AuditEntry]:
        """Lists changes and logins, newest first.

        Args:
            actor: id of the user or key that made the change.
            action: the type of change.
            target: id of the resource.
            include: `resource` adds the target as it is now.
            since: start of the period (inclusive).
            until: end of the period (exclusive).
            limit: page size, 1 to 100.
            cursor: the position to start from.
        """
        query: api.Query = {
            "actor": actor,
            "action": action,
            "target": target,
            "include": include,
            "since": since,
            "until": until,
            "limit": limit,
            "cursor": cursor,
        }
        return AsyncPager(self._transport, api.get("/api/audit-log", query), AuditEntry)
