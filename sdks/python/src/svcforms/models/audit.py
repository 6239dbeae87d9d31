"""The audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ._base import Model, Open

AuditAction = Literal[
    "account.created",
    "account.updated",
    "account.slack_tested",
    "account.plan_changed",
    "account.exported",
    "account.imported",
    "login.succeeded",
    "login.failed",
    "session.ended",
    "session.reauthenticated",
    "key.created",
    "key.deleted",
    "agent.connected",
    "agent.disconnected",
    "user.created",
    "user.updated",
    "user.role_changed",
    "user.deleted",
    "user.password_reset_requested",
    "user.password_reset",
    "user.slack_connected",
    "user.slack_disconnected",
    "totp.enabled",
    "totp.disabled",
    "totp.recovery_codes_replaced",
    "account.login_policy_changed",
    "invitation.created",
    "invitation.resent",
    "invitation.revoked",
    "invitation.accepted",
    "group.created",
    "group.updated",
    "group.deleted",
    "form.created",
    "form.updated",
    "form.draft_saved",
    "form.draft_discarded",
    "form.published",
    "form.version_restored",
    "form.deleted",
    "submission.released",
    "submission.deleted",
    "inbound.created",
    "inbound.updated",
    "inbound.deleted",
    "inbound.token_rotated",
    "webhook.created",
    "webhook.updated",
    "webhook.deleted",
    "webhook.secret_rotated",
    "webhook.tested",
    "webhook.recovered",
    "delivery.retried",
    "notification_address.verification_sent",
    "erasure.created",
    "task.created",
    "task.claimed",
    "task.released",
    "task.voted",
    "task.delegated",
    "task.decided",
    "task.cancelled",
    "task.deleted",
    "task.callback_redelivered",
    "receipt.redeemed",
]
AuditActorType = Literal["user", "key", "agent", "anonymous", "system"]


class AuditActor(Model):
    """Who made the change."""

    type: Open[AuditActorType]
    id: str | None
    name: str | None
    """Name of the user or key at that time."""


class AuditTarget(Model):
    """The resource."""

    type: str
    id: str | None
    name: str | None
    """Name of the resource at that time; `None` if it has none."""


class AuditResource(Model):
    """The resource as it is now."""

    name: str | None
    """Its current name; of a task the title, of a webhook or delivery the host.

    `None` if it has none.
    """
    form_id: str | None
    """The form that it belongs to; `None` if it belongs to the account."""
    form_name: str | None
    webhook_id: str | None
    """The webhook; `None` if it is neither a webhook nor a delivery."""


class AuditEntry(Model):
    """An entry of the audit log."""

    id: str
    created_at: datetime
    actor: AuditActor
    ip: str | None
    """The client's IP address; `None` for commands."""
    action: Open[AuditAction]
    target: AuditTarget
    resource: AuditResource | None = None
    """With `include`: the target as it is now; `None` if it was deleted, or the scopes don't cover it."""
    changes: dict[str, dict[str, Any]]
    """Property → `from` and `to`, which are absent for secret or large values."""
