"""Tasks: questions to a human."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import PrivateAttr

from ._base import Model, Open

TaskStatus = Literal["awaiting", "approved", "rejected", "submitted", "expired", "cancelled"]
TaskOutcome = Literal["approved", "rejected", "submitted"]
TaskPriority = Literal["low", "normal", "high", "urgent"]
DecisionMode = Literal["approval", "form"]
ExpiryRule = Literal["expire", "approve", "reject"]
CallbackState = Literal["pending", "sending", "delivered", "failed", "unknown"]


class CallbackAttempt(Model):
    """One POST to the callback address."""

    at: datetime
    status: int | None = None
    error: str | None = None
    duration_ms: float
    response_body: str


class TaskCallback(Model):
    """What became of telling the callback address."""

    url: str
    state: Open[CallbackState]
    attempts: list[CallbackAttempt]


class TaskClaim(Model):
    """Somebody is at it."""

    by: str
    until: datetime


class Task(Model):
    """A question to a human."""

    id: str
    hitl_task_id: str
    template_id: str
    """The form that it is about."""
    title: str | None = None
    description: str | None = None
    prefill: dict[str, Any]
    editable_fields: list[str] | None = None
    decision_mode: Open[DecisionMode]
    priority: Open[TaskPriority]
    status: Open[TaskStatus]
    outcome: Open[TaskOutcome] | None = None
    form_data: dict[str, Any] | None = None
    """The settled values."""
    comment: str | None = None
    reject_option: str | None = None
    submission_id: str | None = None
    created_by: str
    decided_by: str | None = None
    assignee: str | None = None
    claim: TaskClaim | None = None
    expires_at: datetime
    on_expiry: Open[ExpiryRule]
    resolved_by: Open[Literal["human", "expiry"]] | None = None
    require_comment: list[str] | None = None
    reject_options: list[str] | None = None
    callback: TaskCallback | None = None
    metadata: dict[str, Any]
    created_at: datetime
    settled_at: datetime | None = None
    erased_at: datetime | None = None
    """When its values were erased, with its submission."""

    _event_cursor: str | None = PrivateAttr(default=None)

    @property
    def event_cursor(self) -> str | None:
        """A position of the event stream from before the task; only on what `tasks.create` returned.

        `events.stream("hitl.task.completed", last_event_id=task.event_cursor)` misses nothing of this task.
        """
        return self._event_cursor

    @property
    def is_settled(self) -> bool:
        """Whether it is over: decided, expired or cancelled."""
        return self.status != "awaiting"


class TaskHistoryEntry(Model):
    """Something that happened to a task."""

    at: datetime
    event: Open[Literal["created", "claimed", "released", "decided", "expired", "cancelled", "callback"]]
    by: str | None = None
    outcome: Open[TaskOutcome] | None = None
    comment: str | None = None
    reason: str | None = None
    state: Open[CallbackState] | None = None
    status: int | None = None
    error: str | None = None
