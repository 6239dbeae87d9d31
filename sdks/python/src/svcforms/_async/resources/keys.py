"""API keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ... import _request as api
from ..._responses import read_data
from ...models import ApiKey, ApiKeyCreated, Scope
from ..pages import AsyncPager
from ..resource import AsyncResource


class AsyncKeys(AsyncResource):
    """`client.keys`. Scope: `keys:manage`."""

    async def create(self, name: str, scopes: Sequence[Scope], *, expires_at: datetime | None = None) -> ApiKeyCreated:
        """Creates an API key. Only this result contains the `key`.

        Args:
            name: name of the key.
            scopes: scopes of the key, at most those of the client's own key. Without
                `tasks:decide`, an agent can't decide its own tasks.
            expires_at: when the key stops working. Default: never.
        """
        body = api.body(name=name, scopes=scopes, expires_at=expires_at)
        while True:
            data = read_data(await self._transport.send(api.create("/api/keys", body)))
            if data.get("key") is not None:
                return ApiKeyCreated.model_validate(data)
            # The first response was lost together with the key. Nobody can use that key, so delete
            # it.
            await self.delete(str(data.get("id")))

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[ApiKey]:
        """Lists the keys of the account, newest first."""
        return AsyncPager(self._transport, api.get("/api/keys", {"limit": limit, "cursor": cursor}), ApiKey)

    async def delete(self, key_id: str) -> None:
        """Deletes a key. The server closes the key's event streams within seconds."""
        await self._transport.send(api.delete(api.path("/api/keys/{}", key_id)))
