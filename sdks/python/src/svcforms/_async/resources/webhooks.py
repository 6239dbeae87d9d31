"""Webhooks and their deliveries."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from datetime import datetime

from ... import _call as call
from ..._answers import read_data, read_model
from ..._call import UNSET, Unset
from ...models import (
    Delivery,
    DeliveryStatus,
    Recovery,
    Webhook,
    WebhookCreated,
    WebhookEventType,
    WebhookTest,
)
from ..pages import AsyncPager
from ..transport import AsyncTransport


class AsyncWebhooks:
    """`client.webhooks`. Scope: `forms:webhooks:manage`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        form_id: str,
        url: str,
        events: Sequence[WebhookEventType],
        *,
        secret: str | None = None,
        is_enabled: bool = True,
        description: str | None = None,
    ) -> WebhookCreated:
        """Creates a webhook; `secret` of the result is what `verify_webhook` takes.

        Args:
            form_id: form whose events it gets.
            url: public HTTPS address of the listener.
            events: what to send.
            secret: 16 to 256 characters. Absent: a random one is made here, so that it can't be lost with an answer.
            is_enabled: whether events are sent to it.
            description: a note for its owners.
        """
        key = secret or _new_secret()
        body = call.given(url=url, events=events, secret=key, isEnabled=is_enabled, description=description)
        path = call.path("/api/forms/{}/webhooks", form_id)
        return await self._with_secret(call.create(path, body), key)

    def list(self, form_id: str, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[Webhook]:
        """The webhooks of a form, newest first."""
        path = call.path("/api/forms/{}/webhooks", form_id)
        return AsyncPager(self._transport, call.get(path, {"limit": limit, "cursor": cursor}), Webhook)

    async def get(self, form_id: str, webhook_id: str) -> Webhook:
        """One webhook."""
        return read_model(Webhook, await self._transport.send(call.get(_path(form_id, webhook_id))))

    async def update(
        self,
        form_id: str,
        webhook_id: str,
        *,
        url: str | Unset = UNSET,
        events: Sequence[WebhookEventType] | Unset = UNSET,
        is_enabled: bool | Unset = UNSET,
        description: str | Unset | None = UNSET,
    ) -> Webhook:
        """Changes what is given and leaves the rest. `is_enabled=True` also forgets its failures."""
        body = call.body_of(url=url, events=events, is_enabled=is_enabled, description=description)
        return read_model(Webhook, await self._transport.send(call.patch(_path(form_id, webhook_id), body)))

    async def delete(self, form_id: str, webhook_id: str) -> None:
        """Deletes a webhook and its deliveries."""
        await self._transport.send(call.delete(_path(form_id, webhook_id)))

    async def rotate_secret(
        self, form_id: str, webhook_id: str, *, secret: str | None = None, overlap_hours: float | None = None
    ) -> WebhookCreated:
        """Gives it a new secret; during the overlap every delivery is signed with both.

        Args:
            form_id: which form.
            webhook_id: which webhook.
            secret: 16 to 256 characters. Absent: a random one is made here.
            overlap_hours: 0 to 168; absent: 24.
        """
        key = secret or _new_secret()
        path = _path(form_id, webhook_id, "/rotate-secret")
        return await self._with_secret(call.create(path, call.given(secret=key, overlap_hours=overlap_hours)), key)

    async def test(self, form_id: str, webhook_id: str, *, event_type: WebhookEventType | None = None) -> WebhookTest:
        """Sends a sample now, and tells what came of it."""
        request = call.act(_path(form_id, webhook_id, "/test"), call.given(event_type=event_type))
        return read_model(WebhookTest, await self._transport.send(request))

    async def recover(
        self,
        form_id: str,
        webhook_id: str,
        *,
        since: datetime,
        until: datetime | None = None,
        dry_run: bool = False,
    ) -> Recovery:
        """Sends failed and held deliveries of a time again; never one that was delivered.

        Args:
            form_id: which form.
            webhook_id: which webhook.
            since: deliveries made from then on, …
            until: … before then; absent: until now.
            dry_run: only count them.
        """
        body = call.given(since=since, until=until, dry_run=dry_run)
        request = call.act(_path(form_id, webhook_id, "/recover"), body, repeatable=dry_run)
        return read_model(Recovery, await self._transport.send(request))

    def deliveries(
        self,
        form_id: str,
        webhook_id: str,
        *,
        status: DeliveryStatus | None = None,
        event_type: WebhookEventType | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPager[Delivery]:
        """What was sent or is waiting, newest first."""
        query = {"status": status, "eventType": event_type, "limit": limit, "cursor": cursor}
        path = _path(form_id, webhook_id, "/deliveries")
        return AsyncPager(self._transport, call.get(path, query), Delivery)

    async def delivery(self, form_id: str, webhook_id: str, delivery_id: str) -> Delivery:
        """One delivery with all its attempts."""
        path = _path(form_id, webhook_id, "/deliveries/{}", delivery_id)
        return read_model(Delivery, await self._transport.send(call.get(path)))

    async def redeliver(self, form_id: str, webhook_id: str, delivery_id: str) -> Delivery:
        """Sends a delivery again: the same event id, a new signature."""
        path = _path(form_id, webhook_id, "/deliveries/{}/redeliver", delivery_id)
        return read_model(Delivery, await self._transport.send(call.act(path)))

    async def _with_secret(self, request: call.Call, secret: str) -> WebhookCreated:
        # The server tells a secret once; where this is the answer to a repeated request, it is null.
        response = await self._transport.send(request)
        return WebhookCreated.model_validate({**read_data(response), "secret": secret})


def _path(form_id: str, webhook_id: str, rest: str = "", *ids: str) -> str:
    return call.path("/api/forms/{}/webhooks/{}" + rest, form_id, webhook_id, *ids)


def _new_secret() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
