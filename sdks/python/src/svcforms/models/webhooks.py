"""Webhooks, their deliveries, and the events that they carry."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from ._base import Model, Open
from .events import StreamEventType

WebhookEventType = Literal[
    "form.submission.new",
    "submission.created",
    "decision.requested",
    "decision.approved",
    "decision.rejected",
]
WebhookFilter = dict[str, Any]
"""`{"all": [{"path": "/data/plan", "op": "eq", "value": "team"}]}`; `all` or `any`, nested up to three deep."""

DeliveryStatus = Literal["pending", "delivering", "delivered", "failed", "held"]


class WebhookHeader(Model):
    """A custom header of a webhook, without its value."""

    name: str
    last4: str | None
    """The last four characters of the value; None for a short value."""


PayloadFormat = Literal["envelope", "data", "template", "slack", "discord", "teams", "google-chat"]


class WebhookPayload(Model):
    """What a webhook sends as body. Methods take it as an argument, too."""

    format: Open[PayloadFormat]
    template: str | None = None
    """A Liquid template of a JSON body; only with the format `template`."""


class PayloadError(Model):
    """Why a payload could not be rendered."""

    message: str
    in_: Open[Literal["template", "body"]] = Field(alias="in")
    """What `line` and `column` refer to: the template, or the body that it rendered."""
    line: int | None = None
    column: int | None = None


class PayloadPreview(Model):
    """The body that a webhook would send."""

    event_type: Open[StreamEventType]
    content_type: str
    body: str | None
    error: PayloadError | None


class _WebhookBase(Model):
    id: str
    url: str
    is_enabled: bool
    description: str | None = None
    rate_limit_per_second: int | None
    filter: WebhookFilter | None = None
    """Which of the events are sent; None for all."""
    filtered_count: int | None = None
    """Events that the filter excluded since it was last changed."""
    last_filtered_at: datetime | None = None
    payload: WebhookPayload | None = None
    """What it sends as body; None for the envelope."""
    secret_last4: str
    headers: list[WebhookHeader] = Field(default_factory=list[WebhookHeader])
    is_public_key_signed: bool = False
    public_key_id: str | None = None
    public_key: str | None = None
    """The public key for `verify_webhook`; None without a public-key signature."""
    disabled_reason: Open[Literal["manual", "failures", "gone"]] | None
    disabled_at: datetime | None
    failing_since: datetime | None
    consecutive_failures: int
    last_attempt_at: datetime | None
    last_status: int | None
    created_at: datetime
    updated_at: datetime


class Webhook(_WebhookBase):
    """A webhook of a form."""

    form_id: str
    events: list[Open[WebhookEventType]]


class WebhookCreated(Webhook):
    """A webhook with its whole signing secret. Only this result contains it."""

    secret: str = Field(repr=False)


class AccountWebhook(_WebhookBase):
    """A webhook of the account."""

    events: list[Open[StreamEventType]]
    forms: list[str] | None = None
    """Ids of the forms whose events it receives; None for all forms of the account."""


class AccountWebhookCreated(AccountWebhook):
    """An account webhook with its whole signing secret. Only this result contains it."""

    secret: str = Field(repr=False)


class WebhookTest(Model):
    """The result of a test event."""

    delivery_id: str | None = None
    """The delivery that has the request and the response of the test."""
    delivered: bool
    status: int | None
    duration_ms: float
    error: str | None = None
    passes_filter: bool | None = None
    """Whether the webhook's filter would let this event pass; None without a filter."""
    message: str | None = None
    """With the error `template`: what is wrong, and where."""


class PreviewedEvent(Model):
    """A recent event, and whether a filter lets it pass."""

    event_type: Open[StreamEventType]
    form_id: str
    submission_id: str | None = None
    task_id: str | None = None
    timestamp: datetime
    sample: bool
    """Whether it is a sample, because there is no recent event of its type."""
    passes: bool
    decided_by: str | None
    """JSON pointer, within the filter, to the condition that decided; None if several did together."""
    found: str | None
    """What the path of that condition leads to, as JSON of at most 200 characters."""


class FilterPreview(Model):
    """What a filter does with recent events."""

    passing: int
    events: list[PreviewedEvent]


class Recovery(Model):
    """The number of deliveries that the server sends again."""

    count: int
    dry_run: bool


class DeliveryAttempt(Model):
    """One attempt to deliver an event."""

    at: datetime
    status: int | None = None
    error: str | None = None
    message: str | None = None
    """With the error `template`: what is wrong with the payload, and where."""
    duration_ms: float
    response_body: str


class Delivery(Model):
    """The delivery of an event to a webhook."""

    id: str
    webhook_id: str
    event_id: str
    event_type: Open[StreamEventType]
    form_id: str | None = None
    submission_id: str | None = None
    """None if the event has no submission."""
    task_id: str | None = None
    """None if the event has no task."""
    is_test: bool = False
    status: Open[DeliveryStatus]
    attempts: list[DeliveryAttempt]
    next_attempt_at: datetime | None
    created_at: datetime
    erased_at: datetime | None = None
    """When the delivery's data was erased. The server doesn't send an erased delivery anymore."""


class DeliveryRequest(Model):
    """The request that an attempt of a delivery would send now, without signatures."""

    url: str
    headers: dict[str, str]
    """Custom headers show their last 4 characters only."""
    body: str | None
    """None if it was erased or can't be rendered."""
    message: str | None = None
    """Why the body can't be rendered."""


class DeliveryDetail(Delivery):
    """The delivery of an event to a webhook, and its request."""

    request: DeliveryRequest | None = None
    """None without `include="request"`."""


class WebhookHealthTotals(Model):
    """All attempts of a webhook in a period."""

    attempts: int
    succeeded: int
    failed: int
    success_rate: float | None
    """From 0 to 1; None without attempts."""
    p50_ms: int | None
    """Latency in milliseconds that half of the attempts that reached the endpoint did not exceed."""
    p95_ms: int | None
    """The same of 95 % of them."""


class WebhookHealthHour(WebhookHealthTotals):
    """The attempts of a webhook in one hour."""

    hour: datetime
    """When the hour begins, in UTC."""


class WebhookHealth(Model):
    """Attempts, success rate and latency of a webhook by hour."""

    from_: datetime = Field(alias="from")
    to: datetime
    """The time of the response. The last hour is not over yet."""
    totals: WebhookHealthTotals
    hours: list[WebhookHealthHour]
    """Every hour of the period, oldest first, including hours without attempts."""


class WebhookEvent(Model):
    """The body of a webhook. Decisions have their `form_id` and `submission_id` in `data`; events of tasks have
    `templateId`, the form.
    """

    event_type: str
    timestamp: datetime
    form_id: str | None = None
    submission_id: str | None = None
    task_id: str | None = None
    data: dict[str, Any]
    metadata: dict[str, Any] | None = None
