"""Inbound endpoints, and requests to them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ... import _request as api
from ..._request import UNSET, Unset
from ..._responses import read_data, read_list, read_model
from ..._secrets import check_may_generate
from ...errors import SvcFormsError
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
from ..resource import AsyncResource
from ..transport import AsyncTransport

Secret = str | Literal[True] | None


class AsyncInbound(AsyncResource):
    """`client.inbound`. Scope: `forms:inbound:manage`; `send` needs the endpoint's token instead.

    A form can have several inbound endpoints: `client.inbound.endpoints` manages them. Methods here
    that take only a form use its oldest endpoint.
    """

    endpoints: AsyncInboundEndpoints

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
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
        idempotency_key: str | None = None,
    ) -> InboundEndpointCreated:
        """Creates the first inbound endpoint of a form. Only this result contains the `token`.

        Args:
            form_id: id of the form.
            name: a name that distinguishes the endpoints of a form.
            secret: signing secret of 16 to 256 characters; True generates one. Default: requests
                need no signature.
            require_timestamp: whether the signature must cover a timestamp from the last 300
                seconds; needs a secret.
            field_mapping: inbound key → field name. Unmapped keys go to the field with the same
                name. If the body doesn't contain a key, the key is read as a dotted path:
                `customer.mail`, `items.0.sku`.
            is_enabled: whether the endpoint accepts requests.
            idempotency_key: a second request with the same key (within a day) creates nothing, and
                raises an error, because only the first result contains the token.

        Raises:
            ConflictError: the form already has an inbound endpoint.
            ValueError: there is an `idempotency_key`, and `secret` is True.
            SvcFormsError: an earlier call with the same `idempotency_key` got the token.
        """
        body = api.body(
            name=name, require_timestamp=require_timestamp, field_mapping=field_mapping, is_enabled=is_enabled
        )
        return await self.endpoints._create_at(_path(form_id), form_id, secret, body, idempotency_key)

    async def get(self, form_id: str) -> InboundEndpoint:
        """Returns the inbound endpoint of a form."""
        return read_model(InboundEndpoint, await self._transport.send(api.get(_path(form_id))))

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
        """Updates the given properties and keeps the others.

        Args:
            form_id: id of the form.
            name: the new name.
            secret: the new signing secret. True generates one; None removes it together with
                `require_timestamp`.
            require_timestamp: whether the signature must cover a timestamp.
            field_mapping: the whole new mapping.
            is_enabled: whether the endpoint accepts requests.
        """
        body = api.patch_body(
            name=name, require_timestamp=require_timestamp, field_mapping=field_mapping, is_enabled=is_enabled
        )
        return await self.endpoints._update_at(_path(form_id), secret, body)

    async def delete(self, form_id: str) -> None:
        """Deletes the inbound endpoint of a form. The client doesn't retry this: if only the response
        was lost, the next-oldest endpoint would be deleted too.
        """
        await self._transport.send(replace(api.delete(_path(form_id)), is_retryable=False))

    async def rotate(self, form_id: str) -> InboundEndpointRotated:
        """Replaces the token. The old token stops working immediately."""
        request = api.act(_path(form_id, "/rotate"), is_retryable=True)
        return read_model(InboundEndpointRotated, await self._transport.send(request))

    async def requests(self, form_id: str) -> Sequence[InboundRequest]:
        """Returns the last 50 requests, including refused ones, newest first.

        The log includes requests with an unknown token.
        """
        response = await self._transport.send(api.get(_path(form_id, "/requests")))
        return read_list(InboundRequest, response)

    async def send(
        self,
        form_id: str,
        token: str,
        data: Mapping[str, Any],
        *,
        secret: str | None = None,
        timestamped: bool = False,
        hops: int | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """Sends a submission to the inbound endpoint and returns its id. The request doesn't
        contain the API key.

        Args:
            form_id: id of the form.
            token: the endpoint's token.
            data: inbound key → value.
            secret: the endpoint's signing secret, if it has one.
            timestamped: whether to send and sign a timestamp, for an endpoint with
                `require_timestamp`.
            hops: `hops` of the verified webhook that led to this submission, so that the server
                ends a loop.
            idempotency_key: a second request with the same key (within a day) returns the first
                submission.

        Raises:
            ValueError: `timestamped` without a secret.
        """
        if timestamped and secret is None:
            raise ValueError("timestamped needs a secret to sign the timestamp")
        path = api.path("/api/inbound/{}", form_id)
        request = api.create(path, data, idempotency_key=idempotency_key, hops=hops)
        headers = {**request.headers, "Authorization": f"Bearer {token}"}
        timestamp = int(time.time()) if timestamped else None
        if timestamp is not None:
            headers["X-SvcForms-Timestamp"] = str(timestamp)
        if secret is not None:
            headers["X-SvcForms-Signature-256"] = sign_inbound(request.content or b"", secret, timestamp=timestamp)
        response = await self._transport.send(replace(request, headers=headers))
        return read_model(SubmissionCreated, response).submission_id


class AsyncInboundEndpoints(AsyncResource):
    """`client.inbound.endpoints`: the inbound endpoints of a form, at most 20. Scope:
    `forms:inbound:manage`.
    """

    async def create(
        self,
        form_id: str,
        *,
        name: str | None = None,
        secret: str | Literal[True] | None = None,
        require_timestamp: bool | None = None,
        field_mapping: Mapping[str, str] | None = None,
        is_enabled: bool = True,
        idempotency_key: str | None = None,
    ) -> InboundEndpointCreated:
        """Adds an inbound endpoint to a form. Only this result contains the `token`.

        Args:
            form_id: id of the form.
            name: a name that distinguishes the endpoints of a form.
            secret: signing secret of 16 to 256 characters; True generates one. Default: requests
                need no signature.
            require_timestamp: whether the signature must cover a timestamp from the last 300
                seconds; needs a secret.
            field_mapping: inbound key, or dotted path, → field name.
            is_enabled: whether the endpoint accepts requests.
            idempotency_key: a second request with the same key (within a day) creates nothing, and
                raises an error, because only the first result contains the token.

        Raises:
            ValueError: there is an `idempotency_key`, and `secret` is True.
            SvcFormsError: an earlier call with the same `idempotency_key` got the token.
        """
        body = api.body(
            name=name, require_timestamp=require_timestamp, field_mapping=field_mapping, is_enabled=is_enabled
        )
        return await self._create_at(_path(form_id, "/endpoints"), form_id, secret, body, idempotency_key)

    def list(self, form_id: str, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[InboundEndpoint]:
        """Lists the inbound endpoints of a form, newest first."""
        request = api.get(_path(form_id, "/endpoints"), {"limit": limit, "cursor": cursor})
        return AsyncPager(self._transport, request, InboundEndpoint)

    async def get(self, form_id: str, inbound_id: str) -> InboundEndpoint:
        """Returns one inbound endpoint."""
        return read_model(InboundEndpoint, await self._transport.send(api.get(_one(form_id, inbound_id))))

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
        """Updates the given properties and keeps the others, like `inbound.update`."""
        body = api.patch_body(
            name=name, require_timestamp=require_timestamp, field_mapping=field_mapping, is_enabled=is_enabled
        )
        return await self._update_at(_one(form_id, inbound_id), secret, body)

    async def delete(self, form_id: str, inbound_id: str) -> None:
        """Deletes an inbound endpoint and its request log."""
        await self._transport.send(api.delete(_one(form_id, inbound_id)))

    async def rotate(self, form_id: str, inbound_id: str) -> InboundEndpointRotated:
        """Replaces the token. The old token stops working immediately."""
        request = api.act(_one(form_id, inbound_id, "/rotate"), is_retryable=True)
        return read_model(InboundEndpointRotated, await self._transport.send(request))

    async def requests(self, form_id: str, inbound_id: str) -> Sequence[InboundRequest]:
        """Returns the last 50 requests with the endpoint's token, including refused ones, newest
        first.
        """
        response = await self._transport.send(api.get(_one(form_id, inbound_id, "/requests")))
        return read_list(InboundRequest, response)

    async def _create_at(
        self, path: str, form_id: str, secret: Secret, body: dict[str, Any], idempotency_key: str | None
    ) -> InboundEndpointCreated:
        if secret is True:
            check_may_generate(idempotency_key)
        sent, generated = _secret(secret)
        request = api.create(path, {**body, **api.body(secret=sent)}, idempotency_key=idempotency_key)
        data = read_data(await self._transport.send(request))
        if data.get("token") is None:
            # An earlier call may have got the token, and a new one would stop it from working.
            if idempotency_key is not None:
                raise SvcFormsError(
                    f"An earlier request with this idempotency_key created the inbound endpoint {data['id']} and got "
                    "its token; if it is lost, replace it with inbound.endpoints.rotate"
                )
            # The first response was lost together with the token, so nobody uses that token.
            data = {**data, "token": (await self.rotate(form_id, data["id"])).token}
        return InboundEndpointCreated.model_validate({**data, "secret": generated})

    async def _update_at(self, path: str, secret: Secret | Unset, body: dict[str, Any]) -> InboundEndpointPatched:
        sent, generated = (UNSET, None) if isinstance(secret, Unset) else _secret(secret)
        request = api.patch(path, {**body, **api.patch_body(secret=sent)})
        data = read_data(await self._transport.send(request))
        return InboundEndpointPatched.model_validate({**data, "secret": generated})


def _path(form_id: str, rest: str = "") -> str:
    return api.path("/api/forms/{}/inbound" + rest, form_id)


def _one(form_id: str, inbound_id: str, rest: str = "") -> str:
    return api.path("/api/forms/{}/inbound/endpoints/{}" + rest, form_id, inbound_id)


def _secret(secret: Secret) -> tuple[str | None, str | None]:
    """Returns the secret to send and the generated one. The client generates it, so a lost response
    can't lose it.
    """
    if secret is True:
        generated = secrets.token_hex(32)
        return generated, generated
    return secret, None
