"""Inbound endpoints, and sending to them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ... import _call as call
from ..._answers import read_data, read_list, read_model
from ..._call import UNSET, Unset
from ...models import (
    InboundEndpoint,
    InboundEndpointCreated,
    InboundEndpointPatched,
    InboundEndpointRotated,
    InboundRequest,
    SubmissionCreated,
)
from ...signatures import sign_inbound
from ..pages import AsyncPager
from ..transport import AsyncTransport


class AsyncInbound:
    """`client.inbound`. Scope: `forms:inbound:manage`; `send` needs the endpoint's token instead.

    A form may have several inbound endpoints: `client.inbound.endpoints` manages them. The methods here that take a
    form alone mean its oldest endpoint.
    """

    endpoints: AsyncInboundEndpoints

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.endpoints = AsyncInboundEndpoints(transport)

    async def create(
        self,
        form_id: str,
        *,
        name: str | None = None,
        secret: str | Literal[True] | None = None,
        require_timestamp: bool | None = None,
        field_mapping: Mapping[str, str] | None = None,
        is_enabled: bool = True,
    ) -> InboundEndpointCreated:
        """Creates the first inbound endpoint of a form; `token` of the result is told this once.

        Args:
            form_id: which form; a `ConflictError` says that it has an endpoint.
            name: tells the endpoints of a form apart.
            secret: 16 to 256 characters that requests must be signed with; True makes a random one.
            require_timestamp: whether the signature covers a timestamp of at most 300 seconds; needs a secret.
            field_mapping: inbound key → name of the field; other keys go to the field of the same name. A key that
                isn't sent as it is, is read as a dotted path: `customer.mail`, `items.0.sku`.
            is_enabled: whether requests are accepted.
        """
        given, made = _secret(secret)
        body = call.given(
            name=name,
            secret=given,
            require_timestamp=require_timestamp,
            field_mapping=field_mapping,
            is_enabled=is_enabled,
        )
        data = read_data(await self._transport.send(call.create(_path(form_id), body)))
        if data.get("token") is None:
            # The first answer was lost, and the token with it: nobody has it, so nobody misses it.
            data = {**data, "token": (await self.endpoints.rotate(form_id, data["id"])).token}
        return InboundEndpointCreated.model_validate({**data, "secret": made})

    async def get(self, form_id: str) -> InboundEndpoint:
        """The inbound endpoint of a form."""
        return read_model(InboundEndpoint, await self._transport.send(call.get(_path(form_id))))

    async def update(
        self,
        form_id: str,
        *,
        name: str | Unset = UNSET,
        secret: str | Literal[True] | Unset | None = UNSET,
        require_timestamp: bool | Unset = UNSET,
        field_mapping: Mapping[str, str] | Unset = UNSET,
        is_enabled: bool | Unset = UNSET,
    ) -> InboundEndpointPatched:
        """Changes what is given and leaves the rest.

        Args:
            form_id: which form.
            name: a new name.
            secret: a new signing secret; True makes a random one, None removes it, and `require_timestamp` with it.
            require_timestamp: whether the signature covers a timestamp.
            field_mapping: the whole mapping.
            is_enabled: whether requests are accepted.
        """
        given, made = (UNSET, None) if secret is UNSET else _secret(secret)
        body = call.body_of(
            name=name,
            secret=given,
            require_timestamp=require_timestamp,
            field_mapping=field_mapping,
            is_enabled=is_enabled,
        )
        data = read_data(await self._transport.send(call.patch(_path(form_id), body)))
        return InboundEndpointPatched.model_validate({**data, "secret": made})

    async def delete(self, form_id: str) -> None:
        """Deletes the inbound endpoint of a form."""
        await self._transport.send(call.delete(_path(form_id)))

    async def rotate(self, form_id: str) -> InboundEndpointRotated:
        """Gives it a new token; the old one stops working immediately."""
        request = call.act(_path(form_id, "/rotate"), repeatable=True)
        return read_model(InboundEndpointRotated, await self._transport.send(request))

    async def requests(self, form_id: str) -> Sequence[InboundRequest]:
        """The last 50 requests, refused ones too, newest first.

        Requests that show the token of no endpoint are here as well.
        """
        response = await self._transport.send(call.get(_path(form_id, "/requests")))
        return read_list(InboundRequest, response)

    async def send(
        self,
        form_id: str,
        token: str,
        data: Mapping[str, Any],
        *,
        secret: str | None = None,
        timestamped: bool = False,
        idempotency_key: str | None = None,
    ) -> str:
        """Makes a submission as another system does; gives its id. The API key isn't sent.

        Args:
            form_id: which form.
            token: the endpoint's token.
            data: inbound key → value.
            secret: the endpoint's signing secret, if it has one.
            timestamped: whether the endpoint has `require_timestamp`: the time is sent, and signed with the body.
            idempotency_key: a second call with the same key (within a day) gives the submission of the first one.

        Raises:
            ValueError: `timestamped` without a secret.
        """
        if timestamped and secret is None:
            raise ValueError("timestamped needs the secret that signs the timestamp")
        path = call.path("/api/inbound/{}", form_id)
        request = call.create(path, data, idempotency_key=idempotency_key)
        headers = {**request.headers, "Authorization": f"Bearer {token}"}
        timestamp = int(time.time()) if timestamped else None
        if timestamp is not None:
            headers["X-SvcForms-Timestamp"] = str(timestamp)
        if secret is not None:
            headers["X-SvcForms-Signature-256"] = sign_inbound(request.content or b"", secret, timestamp=timestamp)
        response = await self._transport.send(replace(request, headers=headers))
        return read_model(SubmissionCreated, response).submission_id


class AsyncInboundEndpoints:
    """`client.inbound.endpoints`: the inbound endpoints of a form, at most 20. Scope: `forms:inbound:manage`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        form_id: str,
        *,
        name: str | None = None,
        secret: str | Literal[True] | None = None,
        require_timestamp: bool | None = None,
        field_mapping: Mapping[str, str] | None = None,
        is_enabled: bool = True,
    ) -> InboundEndpointCreated:
        """Adds an inbound endpoint to a form; `token` of the result is told this once.

        Args:
            form_id: which form.
            name: tells the endpoints of a form apart.
            secret: 16 to 256 characters that requests must be signed with; True makes a random one.
            require_timestamp: whether the signature covers a timestamp of at most 300 seconds; needs a secret.
            field_mapping: inbound key, or dotted path, → name of the field.
            is_enabled: whether requests are accepted.
        """
        given, made = _secret(secret)
        body = call.given(
            name=name,
            secret=given,
            require_timestamp=require_timestamp,
            field_mapping=field_mapping,
            is_enabled=is_enabled,
        )
        data = read_data(await self._transport.send(call.create(_path(form_id, "/endpoints"), body)))
        if data.get("token") is None:
            data = {**data, "token": (await self.rotate(form_id, data["id"])).token}
        return InboundEndpointCreated.model_validate({**data, "secret": made})

    def list(self, form_id: str, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[InboundEndpoint]:
        """The inbound endpoints of a form, newest first."""
        request = call.get(_path(form_id, "/endpoints"), {"limit": limit, "cursor": cursor})
        return AsyncPager(self._transport, request, InboundEndpoint)

    async def get(self, form_id: str, inbound_id: str) -> InboundEndpoint:
        """One inbound endpoint."""
        return read_model(InboundEndpoint, await self._transport.send(call.get(_one(form_id, inbound_id))))

    async def update(
        self,
        form_id: str,
        inbound_id: str,
        *,
        name: str | Unset = UNSET,
        secret: str | Literal[True] | Unset | None = UNSET,
        require_timestamp: bool | Unset = UNSET,
        field_mapping: Mapping[str, str] | Unset = UNSET,
        is_enabled: bool | Unset = UNSET,
    ) -> InboundEndpointPatched:
        """Changes what is given and leaves the rest, as `inbound.update` does."""
        given, made = (UNSET, None) if secret is UNSET else _secret(secret)
        body = call.body_of(
            name=name,
            secret=given,
            require_timestamp=require_timestamp,
            field_mapping=field_mapping,
            is_enabled=is_enabled,
        )
        data = read_data(await self._transport.send(call.patch(_one(form_id, inbound_id), body)))
        return InboundEndpointPatched.model_validate({**data, "secret": made})

    async def delete(self, form_id: str, inbound_id: str) -> None:
        """Deletes an inbound endpoint and its request log."""
        await self._transport.send(call.delete(_one(form_id, inbound_id)))

    async def rotate(self, form_id: str, inbound_id: str) -> InboundEndpointRotated:
        """Gives it a new token; the old one stops working immediately."""
        request = call.act(_one(form_id, inbound_id, "/rotate"), repeatable=True)
        return read_model(InboundEndpointRotated, await self._transport.send(request))

    async def requests(self, form_id: str, inbound_id: str) -> Sequence[InboundRequest]:
        """The last 50 requests with its token, refused ones too, newest first."""
        response = await self._transport.send(call.get(_one(form_id, inbound_id, "/requests")))
        return read_list(InboundRequest, response)


def _path(form_id: str, rest: str = "") -> str:
    return call.path("/api/forms/{}/inbound" + rest, form_id)


def _one(form_id: str, inbound_id: str, rest: str = "") -> str:
    return call.path("/api/forms/{}/inbound/endpoints/{}" + rest, form_id, inbound_id)


def _secret(secret: str | Literal[True] | None) -> tuple[str | None, str | None]:
    """What is sent, and what is told: a random one is made here, so that it can't be lost with an answer."""
    if secret is True:
        made = secrets.token_hex(32)
        return made, made
    return secret, None
