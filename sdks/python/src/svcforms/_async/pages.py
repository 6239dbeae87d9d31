"""Lists, page after page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Generic, TypeVar

from pydantic import BaseModel

from .._answers import Page, read_page
from .._call import Call
from .transport import AsyncTransport

M = TypeVar("M", bound=BaseModel)


class AsyncPager(Generic[M]):
    """A list that is fetched while it is walked through: `async for entry in pager`, or its `pages()`."""

    def __init__(self, transport: AsyncTransport, call: Call, entry: type[M]) -> None:
        self._transport = transport
        self._call = call
        self._entry = entry

    async def __aiter__(self) -> AsyncIterator[M]:
        async for page in self.pages():
            for entry in page.items:
                yield entry

    async def pages(self) -> AsyncIterator[Page[M]]:
        """The pages; `next_cursor` of one is where a later `list(cursor=…)` goes on.

        A page of a text search may be empty and still have a `next_cursor`.
        """
        call = self._call
        while True:
            page = read_page(self._entry, await self._transport.send(call))
            yield page
            if page.next_cursor is None:
                return
            call = self._call.with_query(cursor=page.next_cursor)
