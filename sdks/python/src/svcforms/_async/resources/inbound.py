"""Inbound endpoints, and sending to them."""

from __future__ import annotations

import secrets
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
from ..transport import AsyncTransport


class AsyncInbound:
    """`client.inbound`. Scope: `forms:inbound:manage`; `send` needs the endpoint's token instead."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        form_id: str,
        *,
        secret: str | Literal[True] | None = None,
        field_mapping: Mapping[str, str] | None = None,
        is_enabled: bool = True,
    ) -> InboundEndpointCreated:
        """Creates the inbound endpoint of a form; `token` of the result is told this once.

        Args:
            form_id: which form; it has at most one endpoint.
            secret: 8 to 256 characters that requests must be signed with; True makes a random one.
            field_mapping: inbound key → name of the field; other keys go to the field of the same name.
            is_enabled: whether requests are accepted.
        """
        given, made = _secret(secret)
        body = call.given(secret=given, field_mapping=field_mapping, is_enabled=is_enabled)
        data = read_data(await self._transport.send(call.create(_path(form_id), body)))
        if data.get("token") is None:
            # The first answer was lost, and the token with it: nobody has it, so nobody misses it.
            data = {**data, "token": (await self.rotate(form_id)).token}
        return InboundEndpointCreated.model_validate({**data, "secret": made})

    async def get(self, form_id: str) -> InboundEndpoint:
        """The inbound endpoint of a form."""
        return read_model(InboundEndpoint, await self._transport.send(call.get(_path(form_id))))

    async def update(
        self,
        form_id: str,
        *,
        secret: str | Literal[True] | Unset | None = UNSET,
        field_mapping: Mapping[str, str] | Unset = UNSET,
        is_enabled: bool | Unset = UNSET,
    ) -> InboundEndpointPatched:
        """Changes what is given and leaves the rest.

        Args:
            form_id: which form.
            secret: a new signing secret; True makes a random one, None removes it.
            field_mapping: the whole mapping.
            is_enabled: whether requests are accepted.
        """
        given, made = (UNSET, None) if secret is UNSET else _secret(secret)
        body = call.body_of(secret=given, field_mapping=field_mapping, is_enabled=is_enabled)
        data = read_data(await self._transport.send(call.patch(_path(form_id), body)))
        return InboundEndpointPatched.model_validate({**data, "secret": made})

    async def delete(self, form_id: str) -> None:
        """Deletes the inbound endpoint of a form."""
        await self._transport.send(call.delete(_path(form_id)))

    async def rotate(self, form_id: str) -> InboundEndpointRotated:
        """Gives it a new token; the old one is dead at once."""
        request = call.act(_path(form_id, "/rotate"), repeatable=True)
        return read_model(InboundEndpointRotated, await self._transport.send(request))

    async def requests(self, form_id: str) -> Sequence[InboundRequest]:
        """The last 50 requests, refused ones too, newest first."""
        response = await self._transport.send(call.get(_path(form_id, "/requests")))
        return read_list(InboundRequest, response)

    async def send(
        self,
        form_id: str,
        token: str,
        data: Mapping[str, Any],
        *,
        secret: str | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """Makes a submission as another system does; gives its id. The API key isn't sent.

        Args:
            form_id: which form.
            token: the endpoint's token.
            data: inbound key → value.
            secret: the endpoint's signing secret, if it has one.
            idempotency_key: a second call with the same key (within a day) gives the submission of the first one.
        """
        path = call.path("/api/inbound/{}", form_id)
        request = call.create(path, data, idempotency_key=idempotency_key)
        headers = {**request.headers, "Authorization": f"Bearer {token}"}
        if secret is not None:
            headers["X-SvcForms-Signature-256"] = sign_inbound(request.content or b"", secret)
        response = await self._transport.send(replace(request, headers=headers))
        return read_model(SubmissionCreated, response).submission_id


def _path(form_id: str, rest: str = "") -> str:
    return call.path("/api/forms/{}/inbound" + rest, form_id)


def _secret(secret: str | Literal[True] | None) -> tuple[str | None, str | None]:
    """What is sent, and what is told: a random one is made here, so that it can't be lost with an answer."""
    if secret is True:
        made = secrets.token_hex(32)
        return made, made
    return secret, None
