"""Erasing a person's data."""

from __future__ import annotations

from ... import _call as call
from ..._answers import read_model
from ...models import Erasure
from ..transport import AsyncTransport


class AsyncErasures:
    """`client.erasures`. Scopes: `submissions:write` and `tasks:manage`, both."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, value: str) -> Erasure:
        """Erases a person's submissions, tasks and deliveries, found by an exact field value.

        The API shows none of it when this returns; the event log, emails and files follow within a minute. The server
        keeps no report, so this isn't sent twice when its answer is lost. Calling it again erases and reports what is
        left.

        Args:
            value: the whole value of a field, such as an email address; upper and lower case differ.
        """
        request = call.act("/api/erasures", call.given(value=value))
        return read_model(Erasure, await self._transport.send(request))
