"""Erasure of a person's data."""

from __future__ import annotations

from ... import _request as api
from ..._responses import read_model
from ...models import Erasure
from ..resource import AsyncResource


class AsyncErasures(AsyncResource):
    """`client.erasures`. Scopes: `submissions:write` and `tasks:manage`, both."""

    async def create(self, value: str) -> Erasure:
        """Erases the submissions, tasks and deliveries that contain an exact field value.

        The API doesn't return the data anymore when this method returns. The server erases it from
        the event log, emails and files within a minute. The server doesn't store the report, so the
        client doesn't retry this request when its response is lost. A second request erases and
        reports the remaining data.

        Args:
            value: the whole value of a field, such as an email address. The comparison is
                case-sensitive.
        """
        request = api.act("/api/erasures", api.body(value=value))
        return read_model(Erasure, await self._transport.send(request))
