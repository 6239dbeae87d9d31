"""The base of all resources, and their raw responses."""

from __future__ import annotations

from typing import Any, ClassVar, cast

import httpx

from .._responses import RawResponse
from .pages import AsyncPager
from .transport import AsyncTransport


class AsyncResource:
    """Methods for one kind of objects."""

    _streaming: ClassVar[frozenset[str]] = frozenset()
    """Methods whose response isn't one body."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    @property
    def with_raw_response(self) -> AsyncRawMethods:
        """The same methods, which return a `RawResponse`: the HTTP response and the parsed value.

        A list returns its first page. A method that sends several requests, such as
        `tasks.wait_for`, returns the last response.
        """
        return AsyncRawMethods(type(self), self._transport)


class AsyncRawMethods:
    """The methods of a resource that return a `RawResponse`."""

    def __init__(self, resource: type[AsyncResource], transport: AsyncTransport) -> None:
        self._resource = resource
        self._of_transport = transport

    def __getattr__(self, name: str) -> Any:
        kind = self._resource
        # Attributes of the resource that are resources themselves have raw responses too.
        part = None if name.startswith("_") or hasattr(kind, name) else vars(kind(self._of_transport)).get(name)
        if isinstance(part, AsyncResource):
            return part.with_raw_response
        if name.startswith("_") or name in kind._streaming or not callable(getattr(kind, name, None)):
            raise AttributeError(f"{kind.__name__} has no method {name} with a raw response")

        async def call(*args: Any, **kwargs: Any) -> RawResponse[Any]:
            responses: list[httpx.Response] = []
            result: Any = getattr(kind(self._of_transport.recording(responses)), name)(*args, **kwargs)
            parsed: Any = await (cast("Any", result).first_page() if isinstance(result, AsyncPager) else result)
            return RawResponse(responses[-1], parsed)

        return call


class AsyncRawClient:
    """The resources of a client, with methods that return a `RawResponse`."""

    def __init__(self, resources: dict[str, AsyncResource]) -> None:
        self._resources = resources

    def __getattr__(self, name: str) -> AsyncRawMethods:
        if name.startswith("_") or name not in self._resources:
            raise AttributeError(f"the client has no resource {name}")
        return self._resources[name].with_raw_response
