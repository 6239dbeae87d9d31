"""Tasks: requests for approval."""

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
    """One attempt to send the callback."""

    at: datetime
    status: int | None = None
    error: str | None = None
    duration_ms: float
    response_body: str


class TaskCallback(Model):
    """The callback of a task."""

    url: str
    state: Open[CallbackState]
    attempts: list[CallbackAttempt]
    retries: bool = False
    """Whether the server repeats failed attempts."""
    next_attempt_at: datetime | None = None
    """When the server repeats a failed attempt."""


class TaskClaim(Model):
    """A reviewer's claim on a task."""

    by: str
    until: datetime


class TaskAction(Model):
    """The action that a task asks to approve."""

    tool: str
    args: dict[str, Any]


class RedeemedReceipt(Model):
    """A receipt that was redeemed for the action of a task."""

    task_id: str
    tool: str
    action_digest: str
    approved_by: list[str]
    approved_at: datetime
    redeemed_at: datetime


class TaskPolicy(Model):
    """Who decides a task, and how many people must approve it."""

    approvals: int | Literal["all"] | None = None
    """1 to 10, or all reviewers."""
    users: list[str] | None = None
    groups: list[str] | None = None
    """Ids of users and groups. Without both, everybody who may decide tasks."""


class TaskVote(Model):
    """A vote that counts."""

    by: str
    by_name: str | None = None
    outcome: Open[TaskOutcome]
    at: datetime
    comment: str | None = None
    via: str | None = None
    """The API key of the user with which they voted."""


class TaskReviewer(Model):
    """A person who may vote."""

    id: str
    name: str


class TaskProgress(Model):
    """The votes that a pending task still needs."""

    required: int
    approved: int
    remaining: int
    eligible: int
    waiting_for: list[TaskReviewer]
    """People who may vote and haven't, at most 100."""
    is_blocked: bool
    """Whether too few people are left to approve the task."""


class TaskEscalation(Model):
    """The escalation of a task."""

    to: str
    """Id of the group."""
    at: datetime
    is_done: bool


class Task(Model):
    """A request for approval by a human."""

    id: str
    hitl_task_id: str
    template_id: str
    """Id of the form."""
    title: str | None = None
    description: str | None = None
    prefill: dict[str, Any]
    editable_fields: list[str] | None = None
    decision_mode: Open[DecisionMode]
    priority: Open[TaskPriority]
    status: Open[TaskStatus]
    outcome: Open[TaskOutcome] | None = None
    form_data: dict[str, Any] | None = None
    """The values after the resolution; while votes are missing, those that a reviewer changed."""
    values_digest: str | None = None
    """Changes when a vote changes the values. Only of a pending task."""
    comment: str | None = None
    reject_option: str | None = None
    submission_id: str | None = None
    created_by: str
    created_by_name: str | None = None
    """The name of the key or user at that time. Tasks of older versions have none."""
    decided_by: str | None = None
    assignee: str | None = None
    policy: TaskPolicy | None = None
    votes: list[TaskVote] | None = None
    """Only with a policy."""
    progress: TaskProgress | None = None
    remind_at: datetime | None = None
    escalation: TaskEscalation | None = None
    claim: TaskClaim | None = None
    expires_at: datetime
    on_expiry: Open[ExpiryRule]
    resolved_by: Open[Literal["human", "expiry"]] | None = None
    require_comment: list[str] | None = None
    reject_options: list[str] | None = None
    callback: TaskCallback | None = None
    action: TaskAction | None = None
    action_digest: str | None = None
    receipt: str | None = None
    """The receipt of an approved action (EdDSA JWT); `receipts.redeem` redeems it once."""
    receipt_redeemed_at: datetime | None = None
    metadata: dict[str, Any]
    created_at: datetime
    settled_at: datetime | None = None
    erased_at: datetime | None = None
    """When the values of the task and its submission were erased."""

    _event_cursor: str | None = PrivateAttr(default=None)

    @property
    def event_cursor(self) -> str | None:
        """A position of the event stream before the task's first event. Only results of
        `tasks.create` contain it.

        `events.stream("hitl.task.completed", last_event_id=task.event_cursor)` misses no event of
        this task. `None` if the event bus was unavailable, and for a repeat of a task that an
        older version or the MCP server created: read the task then.
        """
        return self._event_cursor

    @property
    def is_settled(self) -> bool:
        """Whether the task is resolved: decided, expired or cancelled."""
        return self.status != "awaiting"


class TaskHistoryEntry(Model):
    """An entry of a task's activity."""

    at: datetime
    event: Open[
        Literal[
            "created",
            "claimed",
            "released",
            "voted",
            "votes_reset",
            "delegated",
            "reminded",
            "escalated",
            "blocked",
            "unblocked",
            "decided",
            "expired",
            "cancelled",
            "callback",
            "redeemed",
        ]
    ]
    by: str | None = None
    to: str | None = None
    """The person with the delegated vote, or the group of an escalation."""
    outcome: Open[TaskOutcome] | None = None
    channel: Open[Literal["dashboard", "mail", "slack", "api"]] | None = None
    """Where a person decided or voted."""
    proof: Open[Literal["session", "api_key", "mail_link", "slack_user"]] | None = None
    """What proved who it was."""
    comment: str | None = None
    reason: str | None = None
    state: Open[CallbackState] | None = None
    status: int | None = None
    error: str | None = None
