"""Groups of users."""

from __future__ import annotations

from collections.abc import Sequence

from ... import _request as api
from ..._responses import read_model
from ...models import Group
from ..pages import AsyncPager
from ..resource import AsyncResource


class AsyncGroups(AsyncResource):
    """`client.groups`. Scope: `users:manage`."""

    async def create(self, name: str, *, members: Sequence[str] = (), idempotency_key: str | None = None) -> Group:
        """Creates a group.

        Args:
            name: name of the group, unique in the account.
            members: ids of users.
            idempotency_key: a second request with the same key (within a day) returns the first
                group.
        """
        request = api.create("/api/groups", api.body(name=name, members=members), idempotency_key=idempotency_key)
        return read_model(Group, await self._transport.send(request))

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[Group]:
        """Lists the groups of the account, newest first."""
        return AsyncPager(self._transport, api.get("/api/groups", {"limit": limit, "cursor": cursor}), Group)

    async def get(self, group_id: str) -> Group:
        """Returns one group."""
        return read_model(Group, await self._transport.send(api.get(_path(group_id))))

    async def update(self, group_id: str, *, name: str | None = None, members: Sequence[str] | None = None) -> Group:
        """Changes a group. `members` replaces all members."""
        request = api.patch(_path(group_id), api.body(name=name, members=members))
        return read_model(Group, await self._transport.send(request))

    async def delete(self, group_id: str) -> None:
        """Deletes a group that no form uses."""
        await self._transport.send(api.delete(_path(group_id)))


def _path(group_id: str) -> str:
    return api.path("/api/groups/{}", group_id)
