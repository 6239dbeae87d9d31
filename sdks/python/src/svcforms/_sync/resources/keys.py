"""API keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ... import _call as call
from ..._answers import read_data
from ...models import ApiKey, ApiKeyCreated, Scope
from ..pages import Pager
from ..transport import Transport


class Keys:
    """`client.keys`. Scope: `keys:manage`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, name: str, scopes: Sequence[Scope], *, expires_at: datetime | None = None) -> ApiKeyCreated:
        """Creates a key; `key` of the result is told this once.

        Args:
            name: what it is for.
            scopes: what it may do; no more than the key that calls. An agent that must not decide its own
                requests gets no `tasks:decide`.
            expires_at: when it stops working; absent: never.
        """
        body = call.given(name=name, scopes=scopes, expires_at=expires_at)
        while True:
            data = read_data(self._transport.send(call.create("/api/keys", body)))
            if data.get("key") is not None:
                return ApiKeyCreated.model_validate(data)
            # The first answer was lost, and the key with it: nobody has it, so it goes.
            self.delete(str(data.get("id")))

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> Pager[ApiKey]:
        """The keys of the account, newest first."""
        return Pager(self._transport, call.get("/api/keys", {"limit": limit, "cursor": cursor}), ApiKey)

    def delete(self, key_id: str) -> None:
        """Deletes a key; streams that it opened end within seconds."""
        self._transport.send(call.delete(call.path("/api/keys/{}", key_id)))
