"""Webhooks and their deliveries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from ... import _request as api
from ..._request import UNSET, Unset
from ..._responses import read_data, read_model
from ..._secrets import new_secret
from ...models import (
    Delivery,
    DeliveryDetail,
    DeliveryStatus,
    FilterPreview,
    PayloadPreview,
    Recovery,
    Webhook,
    WebhookCreated,
    WebhookEventType,
    WebhookFilter,
    WebhookHealth,
    WebhookPayload,
    WebhookTest,
)
from ..pages import Pager
from ..resource import Resource


class Webhooks(Resource):
    """`client.webhooks`. Scope: `forms:webhooks:manage`."""

    def create(
        self,
        form_id: str,
        url: str,
        events: Sequence[WebhookEventType],
        *,
        secret: str | None = None,
        is_enabled: bool = True,
        description: str | None = None,
        rate_limit_per_second: int | None = None,
        headers: Mapping[str, str] | None = None,
        is_public_key_signed: bool | None = None,
        filter: WebhookFilter | None = None,  # noqa: A002
        payload: WebhookPayload | Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookCreated:
        """Creates a webhook. Pass the `secret` of the result to `verify_webhook`.

        Args:
            form_id: id of the form whose events the webhook receives.
            url: public HTTPS URL of the webhook endpoint.
            events: event types to send.
            secret: signing secret of 16 to 256 characters. Default: the client generates one, so
                that a lost response can't lose it.
            is_enabled: whether the server sends events.
            description: description for the team.
            rate_limit_per_second: maximum requests per second to the endpoint, 1 to 1,000. Default: no limit.
            headers: custom headers of the requests, at most 20. No response contains their values.
            is_public_key_signed: whether requests also have a signature that `public_key` of the
                result verifies.
            filter: which of the events are sent. Default: all.
            payload: what to send as body, such as `{"format": "slack"}`. Default: the envelope.
            idempotency_key: a second request with the same key (within a day) returns the first
                result. It needs a `secret` of your own.

        Raises:
            ValueError: there is an `idempotency_key`, but no `secret`.
        """
        key = secret or new_secret(idempotency_key)
        body = api.body(
            url=url,
            events=events,
            secret=key,
            isEnabled=is_enabled,
            description=description,
            rateLimitPerSecond=rate_limit_per_second,
            headers=headers,
            is_public_key_signed=is_public_key_signed,
            filter=filter,
            payload=payload,
        )
        path = api.path("/api/forms/{}/webhooks", form_id)
        return self._with_secret(api.create(path, body, idempotency_key=idempotency_key), key)

    def list(self, form_id: str, *, limit: int | None = None, cursor: str | None = None) -> Pager[Webhook]:
        """Lists the webhooks of a form, newest first."""
        path = api.path("/api/forms/{}/webhooks", form_id)
        return Pager(self._transport, api.get(path, {"limit": limit, "cursor": cursor}), Webhook)

    def get(self, form_id: str, webhook_id: str) -> Webhook:
        """Returns one webhook."""
        return read_model(Webhook, self._transport.send(api.get(_path(form_id, webhook_id))))

    def update(
        self,
        form_id: str,
        webhook_id: str,
        *,
        url: str | Unset = UNSET,
        events: Sequence[WebhookEventType] | Unset = UNSET,
        is_enabled: bool | Unset = UNSET,
        description: str | Unset | None = UNSET,
        rate_limit_per_second: int | Unset | None = UNSET,
        headers: Mapping[str, str | None] | Unset | None = UNSET,
        is_public_key_signed: bool | Unset = UNSET,
        filter: WebhookFilter | Unset | None = UNSET,  # noqa: A002
        payload: WebhookPayload | Mapping[str, Any] | Unset | None = UNSET,
    ) -> Webhook:
        """Updates the given properties and keeps the others. `is_enabled=True` also resets the
        failure count. In `headers`, None removes a header, and others stay; `headers=None` removes
        all, `filter=None` the filter, and `payload=None` the payload format.
        `is_public_key_signed=False` deletes the key pair.
        """
        body = api.patch_body(
            url=url,
            events=events,
            is_enabled=is_enabled,
            description=description,
            rate_limit_per_second=rate_limit_per_second,
            headers=headers,
            is_public_key_signed=is_public_key_signed,
            filter=filter,
            payload=payload,
        )
        return read_model(Webhook, self._transport.send(api.patch(_path(form_id, webhook_id), body)))

    def delete(self, form_id: str, webhook_id: str) -> None:
        """Deletes a webhook and its deliveries."""
        self._transport.send(api.delete(_path(form_id, webhook_id)))

    def rotate_secret(
        self,
        form_id: str,
        webhook_id: str,
        *,
        secret: str | None = None,
        overlap_hours: float | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookCreated:
        """Replaces the signing secret. During the overlap, the server signs deliveries with both
        secrets.

        Args:
            form_id: id of the form.
            webhook_id: id of the webhook.
            secret: signing secret of 16 to 256 characters. Default: the client generates one.
            overlap_hours: 0 to 168. Default: 24.
            idempotency_key: a second request with the same key (within a day) returns the first
                result. It needs a `secret` of your own.

        Raises:
            ValueError: there is an `idempotency_key`, but no `secret`.
        """
        key = secret or new_secret(idempotency_key)
        path = _path(form_id, webhook_id, "/rotate-secret")
        body = api.body(secret=key, overlap_hours=overlap_hours)
        return self._with_secret(api.create(path, body, idempotency_key=idempotency_key), key)

    def test(self, form_id: str, webhook_id: str, *, event_type: WebhookEventType | None = None) -> WebhookTest:
        """Sends a test event now and returns its result."""
        request = api.act(_path(form_id, webhook_id, "/test"), api.body(event_type=event_type))
        return read_model(WebhookTest, self._transport.send(request))

    def preview_filter(
        self,
        form_id: str,
        *,
        filter: WebhookFilter | None = None,  # noqa: A002
        webhook_id: str | None = None,
        events: Sequence[WebhookEventType] | None = None,
        limit: int | None = None,
    ) -> FilterPreview:
        """Says which recent events of a form a filter lets pass. Also needs the scope
        `submissions:read`, and `tasks:read` for the events of tasks.

        Args:
            form_id: id of the form.
            filter: the filter to try. Default: that of the webhook.
            webhook_id: webhook whose saved values stand for those that you don't pass.
            events: event types to try. Default: those of the webhook.
            limit: maximum number of events to return. Default: 20.
        """
        body = api.body(filter=filter, webhook_id=webhook_id, events=events, limit=limit)
        path = api.path("/api/forms/{}/webhooks/filter/preview", form_id)
        return read_model(FilterPreview, self._transport.send(api.act(path, body, is_retryable=True)))

    def preview_payload(
        self,
        form_id: str,
        payload: WebhookPayload | Mapping[str, Any],
        *,
        delivery_id: str | None = None,
        event_type: WebhookEventType | None = None,
    ) -> PayloadPreview:
        """Renders a payload setting, saved or not, without sending it.

        Args:
            form_id: id of the form.
            payload: the setting to try.
            delivery_id: id of the delivery whose event is rendered. Default: a sample event.
            event_type: type of the sample event. Default: `form.submission.new`.
        """
        body = api.body(payload=payload, delivery_id=delivery_id, event_type=event_type)
        request = api.act(api.path("/api/forms/{}/webhooks/payload/preview", form_id), body, is_retryable=True)
        return read_model(PayloadPreview, self._transport.send(request))

    def recover(
        self,
        form_id: str,
        webhook_id: str,
        *,
        since: datetime,
        until: datetime | None = None,
        dry_run: bool = False,
    ) -> Recovery:
        """Sends the failed and held deliveries of a period again. Skips delivered ones.

        Args:
            form_id: id of the form.
            webhook_id: id of the webhook.
            since: start of the period in which the deliveries were created (inclusive).
            until: end of the period (exclusive). Default: now.
            dry_run: whether to count the deliveries without sending them.
        """
        body = api.body(since=since, until=until, dry_run=dry_run)
        request = api.act(_path(form_id, webhook_id, "/recover"), body, is_retryable=dry_run)
        return read_model(Recovery, self._transport.send(request))

    def health(self, form_id: str, webhook_id: str, *, days: int | None = None) -> WebhookHealth:
        """Returns the attempts, success rate and latency of a webhook by hour. The server writes
        them about once a second.

        Args:
            form_id: id of the form.
            webhook_id: id of the webhook.
            days: length of the period up to now, 1 to 7. Default: 7.
        """
        path = _path(form_id, webhook_id, "/health")
        return read_model(WebhookHealth, self._transport.send(api.get(path, {"days": days})))

    def deliveries(
        self,
        form_id: str,
        webhook_id: str,
        *,
        status: DeliveryStatus | None = None,
        event_type: WebhookEventType | None = None,
        tests: Literal["exclude", "include"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pager[Delivery]:
        """Lists the deliveries of a webhook, newest first. `tests="include"`: also test events."""
        query = {"status": status, "eventType": event_type, "tests": tests, "limit": limit, "cursor": cursor}
        path = _path(form_id, webhook_id, "/deliveries")
        return Pager(self._transport, api.get(path, query), Delivery)

    def delivery(
        self, form_id: str, webhook_id: str, delivery_id: str, *, include: Literal["request"] | None = None
    ) -> DeliveryDetail:
        """Returns one delivery with all its attempts. `include="request"` adds its request."""
        path = _path(form_id, webhook_id, "/deliveries/{}", delivery_id)
        return read_model(DeliveryDetail, self._transport.send(api.get(path, {"include": include})))

    def redeliver(self, form_id: str, webhook_id: str, delivery_id: str) -> Delivery:
        """Sends a delivery again with the same event id and a new signature."""
        path = _path(form_id, webhook_id, "/deliveries/{}/redeliver", delivery_id)
        return read_model(Delivery, self._transport.send(api.act(path)))

    def _with_secret(self, request: api.ApiRequest, secret: str) -> WebhookCreated:
        # The server returns a secret once. The response to a retried request contains null.
        response = self._transport.send(request)
        return WebhookCreated.model_validate({**read_data(response), "secret": secret})


def _path(form_id: str, webhook_id: str, rest: str = "", *ids: str) -> str:
    return api.path("/api/forms/{}/webhooks/{}" + rest, form_id, webhook_id, *ids)
