"""The audit log."""

from __future__ import annotations

from datetime import datetime

from ... import _call as call
from ...models import AuditAction, AuditEntry
from ..pages import Pager
from ..transport import Transport


class AuditLog:
    """`client.audit_log`. Scope: `audit:read`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        actor: str | None = None,
        action: AuditAction | None = None,
        target: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pager[AuditEntry]:
        """Who changed what, newest first.

        Args:
            actor: id of the user or key that made the change.
            action: what happened.
            target: id of the resource.
            since: from this time on (inclusive).
            until: before this time (exclusive).
            limit: how many are fetched at a time, 1 to 100.
            cursor: where to begin.
        """
        query: call.Query = {
            "actor": actor,
            "action": action,
            "target": target,
            "since": since,
            "until": until,
            "limit": limit,
            "cursor": cursor,
        }
        return Pager(self._transport, call.get("/api/audit-log", query), AuditEntry)
