"""API keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ... import _call as call
from ..._answers import read_data
from ...models import ApiKey, ApiKeyCreated, Scope
from ..pages import AsyncPager
from ..transport import AsyncTransport


class AsyncKeys:
    """`client.keys`. Scope: `keys:manage`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, name: str, scopes: Sequence[Scope], *, expires_at: datetime | None = None) -> ApiKeyCreated:
        """Creates a key; `key` of the result is told this once.

        Args:
            name: what it is for.
            scopes: what it may do; no more than the key that calls. An agent that must not decide its own
                requests gets no `tasks:decide`.
            expires_at: when it stops working; absent: never.
        """
        body = call.given(name=name, scopes=scopes, expires_at=expires_at)
        while True:
            data = read_data(await self._transport.send(call.create("/api/keys", body)))
            if data.get("key") is not None:
                return ApiKeyCreated.model_validate(data)
            # The first answer was lost, and the key with it: nobody has it, so it goes.
            await self.delete(str(data.get("id")))

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[ApiKey]:
        """The keys of the account, newest first."""
        return AsyncPager(self._transport, call.get("/api/keys", {"limit": limit, "cursor": cursor}), ApiKey)

    async def delete(self, key_id: str) -> None:
        """Deletes a key; streams that it opened end within seconds."""
        await self._transport.send(call.delete(call.path("/api/keys/{}", key_id)))
