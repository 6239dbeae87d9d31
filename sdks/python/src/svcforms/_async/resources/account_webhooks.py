"""Webhooks of the account and their deliveries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from ... import _request as api
from ..._request import UNSET, Unset
from ..._responses import read_data, read_model
from ..._secrets import new_secret
from ...models import (
    AccountWebhook,
    AccountWebhookCreated,
    Delivery,
    DeliveryDetail,
    DeliveryStatus,
    FilterPreview,
    PayloadPreview,
    Recovery,
    StreamEventType,
    WebhookFilter,
    WebhookHealth,
    WebhookPayload,
    WebhookTest,
)
from ..pages import AsyncPager
from ..resource import AsyncResource


class AsyncAccountWebhooks(AsyncResource):
    """`client.account_webhooks`: webhooks that receive events of all forms. Scope:
    `forms:webhooks:manage`.
    """

    async def create(
        self,
        url: str,
        events: Sequence[StreamEventType],
        *,
        forms: Sequence[str] | None = None,
        secret: str | None = None,
        is_enabled: bool = True,
        description: str | None = None,
        rate_limit_per_second: int | None = None,
        headers: Mapping[str, str] | None = None,
        is_public_key_signed: bool | None = None,
        filter: WebhookFilter | None = None,  # noqa: A002
        payload: WebhookPayload | Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> AccountWebhookCreated:
        """Creates an account webhook. Pass the `secret` of the result to `verify_webhook`.

        Args:
            url: public HTTPS URL of the webhook endpoint.
            events: event types to send; also those of tasks (`hitl.task.*`).
            forms: ids of the forms whose events the webhook receives. Default: all forms of the
                account, including those created later.
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
            forms=forms,
            secret=key,
            isEnabled=is_enabled,
            description=description,
            rateLimitPerSecond=rate_limit_per_second,
            headers=headers,
            is_public_key_signed=is_public_key_signed,
            filter=filter,
            payload=payload,
        )
        return await self._with_secret(api.create("/api/webhooks", body, idempotency_key=idempotency_key), key)

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[AccountWebhook]:
        """Lists the webhooks of the account, newest first."""
        return AsyncPager(self._transport, api.get("/api/webhooks", {"limit": limit, "cursor": cursor}), AccountWebhook)

    async def get(self, webhook_id: str) -> AccountWebhook:
        """Returns one webhook."""
        return read_model(AccountWebhook, await self._transport.send(api.get(_path(webhook_id))))

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | Unset = UNSET,
        events: Sequence[StreamEventType] | Unset = UNSET,
        forms: Sequence[str] | Unset | None = UNSET,
        is_enabled: bool | Unset = UNSET,
        description: str | Unset | None = UNSET,
        rate_limit_per_second: int | Unset | None = UNSET,
        headers: Mapping[str, str | None] | Unset | None = UNSET,
        is_public_key_signed: bool | Unset = UNSET,
        filter: WebhookFilter | Unset | None = UNSET,  # noqa: A002
        payload: WebhookPayload | Mapping[str, Any] | Unset | None = UNSET,
    ) -> AccountWebhook:
        """Updates the given properties and keeps the others. `forms=None` stands for all forms;
        `is_enabled=True` also resets the failure count. In `headers`, None removes a header, and
        others stay; `headers=None` removes all, `filter=None` the filter, and `payload=None` the
        payload format. `is_public_key_signed=False` deletes the key pair.
        """
        body = api.patch_body(
            url=url,
            events=events,
            forms=forms,
            is_enabled=is_enabled,
            description=description,
            rate_limit_per_second=rate_limit_per_second,
            headers=headers,
            is_public_key_signed=is_public_key_signed,
            filter=filter,
            payload=payload,
        )
        return read_model(AccountWebhook, await self._transport.send(api.patch(_path(webhook_id), body)))

    async def delete(self, webhook_id: str) -> None:
        """Deletes a webhook and its deliveries."""
        await self._transport.send(api.delete(_path(webhook_id)))

    async def rotate_secret(
        self,
        webhook_id: str,
        *,
        secret: str | None = None,
        overlap_hours: float | None = None,
        idempotency_key: str | None = None,
    ) -> AccountWebhookCreated:
        """Replaces the signing secret. During the overlap, the server signs deliveries with both
        secrets.

        Args:
            webhook_id: id of the webhook.
            secret: signing secret of 16 to 256 characters. Default: the client generates one.
            overlap_hours: 0 to 168. Default: 24.
            idempotency_key: a second request with the same key (within a day) returns the first
                result. It needs a `secret` of your own.

        Raises:
            ValueError: there is an `idempotency_key`, but no `secret`.
        """
        key = secret or new_secret(idempotency_key)
        path = _path(webhook_id, "/rotate-secret")
        body = api.body(secret=key, overlap_hours=overlap_hours)
        return await self._with_secret(api.create(path, body, idempotency_key=idempotency_key), key)

    async def test(self, webhook_id: str, *, event_type: StreamEventType | None = None) -> WebhookTest:
        """Sends a test event now and returns its result."""
        request = api.act(_path(webhook_id, "/test"), api.body(event_type=event_type))
        return read_model(WebhookTest, await self._transport.send(request))

    async def preview_filter(
        self,
        *,
        filter: WebhookFilter | None = None,  # noqa: A002
        webhook_id: str | None = None,
        events: Sequence[StreamEventType] | None = None,
        forms: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> FilterPreview:
        """Says which recent events a filter lets pass. Also needs the scope `submissions:read`, and
        `tasks:read` for the events of tasks.

        Args:
            filter: the filter to try. Default: that of the webhook.
            webhook_id: webhook whose saved values stand for those that you don't pass.
            events: event types to try. Default: those of the webhook.
            forms: ids of the forms whose events to try. Default: those of the webhook, or all.
            limit: maximum number of events to return. Default: 20.
        """
        body = api.body(filter=filter, webhook_id=webhook_id, events=events, forms=forms, limit=limit)
        request = api.act("/api/webhooks/filter/preview", body, is_retryable=True)
        return read_model(FilterPreview, await self._transport.send(request))

    async def preview_payload(
        self,
        payload: WebhookPayload | Mapping[str, Any],
        *,
        delivery_id: str | None = None,
        event_type: StreamEventType | None = None,
    ) -> PayloadPreview:
        """Renders a payload setting, saved or not, without sending it.

        Args:
            payload: the setting to try.
            delivery_id: id of the delivery whose event is rendered. Default: a sample event.
            event_type: type of the sample event. Default: `form.submission.new`.
        """
        body = api.body(payload=payload, delivery_id=delivery_id, event_type=event_type)
        request = api.act("/api/webhooks/payload/preview", body, is_retryable=True)
        return read_model(PayloadPreview, await self._transport.send(request))

    async def recover(
        self,
        webhook_id: str,
        *,
        since: datetime,
        until: datetime | None = None,
        dry_run: bool = False,
    ) -> Recovery:
        """Sends the failed and held deliveries of a period again. Skips delivered ones.

        Args:
            webhook_id: id of the webhook.
            since: start of the period in which the deliveries were created (inclusive).
            until: end of the period (exclusive). Default: now.
            dry_run: whether to count the deliveries without sending them.
        """
        body = api.body(since=since, until=until, dry_run=dry_run)
        request = api.act(_path(webhook_id, "/recover"), body, is_retryable=dry_run)
        return read_model(Recovery, await self._transport.send(request))

    async def health(self, webhook_id: str, *, days: int | None = None) -> WebhookHealth:
        """Returns the attempts, success rate and latency of a webhook by hour. The server writes
        them about once a second.

        Args:
            webhook_id: id of the webhook.
            days: length of the period up to now, 1 to 7. Default: 7.
        """
        path = _path(webhook_id, "/health")
        return read_model(WebhookHealth, await self._transport.send(api.get(path, {"days": days})))

    def deliveries(
        self,
        webhook_id: str,
        *,
        status: DeliveryStatus | None = None,
        event_type: StreamEventType | None = None,
        tests: Literal["exclude", "include"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPager[Delivery]:
        """Lists the deliveries of a webhook, newest first. `tests="include"`: also test events."""
        query = {"status": status, "eventType": event_type, "tests": tests, "limit": limit, "cursor": cursor}
        path = _path(webhook_id, "/deliveries")
        return AsyncPager(self._transport, api.get(path, query), Delivery)

    async def delivery(
        self, webhook_id: str, delivery_id: str, *, include: Literal["request"] | None = None
    ) -> DeliveryDetail:
        """Returns one delivery with all its attempts. `include="request"` adds its request."""
        path = _path(webhook_id, "/deliveries/{}", delivery_id)
        return read_model(DeliveryDetail, await self._transport.send(api.get(path, {"include": include})))

    async def redeliver(self, webhook_id: str, delivery_id: str) -> Delivery:
        """Sends a delivery again with the same event id and a new signature."""
        path = _path(webhook_id, "/deliveries/{}/redeliver", delivery_id)
        return read_model(Delivery, await self._transport.send(api.act(path)))

    async def _with_secret(self, request: api.ApiRequest, secret: str) -> AccountWebhookCreated:
        # The server returns a secret once. The response to a retried request contains null.
        response = await self._transport.send(request)
        return AccountWebhookCreated.model_validate({**read_data(response), "secret": secret})


def _path(webhook_id: str, rest: str = "", *ids: str) -> str:
    return api.path("/api/webhooks/{}" + rest, webhook_id, *ids)
