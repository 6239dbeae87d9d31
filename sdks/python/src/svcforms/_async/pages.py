"""Paginated lists."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Generic, TypeVar

from pydantic import BaseModel

from .._request import ApiRequest
from .._responses import Page, read_page
from .transport import AsyncTransport

M = TypeVar("M", bound=BaseModel)


class AsyncPager(Generic[M]):
    """A list that loads its pages during iteration over it, or over its `pages()`."""

    def __init__(self, transport: AsyncTransport, request: ApiRequest, entry: type[M]) -> None:
        self._transport = transport
        self._request = request
        self._entry = entry

    async def __aiter__(self) -> AsyncIterator[M]:
        async for page in self.pages():
            for entry in page.items:
                yield entry

    async def first_page(self) -> Page[M]:
        """Returns the page at the `cursor` of the list, by default the first one."""
        return read_page(self._entry, await self._transport.send(self._request))

    async def pages(self) -> AsyncIterator[Page[M]]:
        """Iterates over pages. Pass a page's `next_cursor` to `list(cursor=…)` to continue after
        it.

        A page of a text search may be empty and still have a `next_cursor`.
        """
        request = self._request
        while True:
            page = read_page(self._entry, await self._transport.send(request))
            yield page
            if page.next_cursor is None:
                return
            request = self._request.with_query(cursor=page.next_cursor)
