"""The base of all resources, and their raw responses."""

from __future__ import annotations

from typing import Any, ClassVar, cast

import httpx

from .._responses import RawResponse
from .pages import Pager
from .transport import Transport


class Resource:
    """Methods for one kind of objects."""

    _streaming: ClassVar[frozenset[str]] = frozenset()
    """Methods whose response isn't one body."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def with_raw_response(self) -> RawMethods:
        """The same methods, which return a `RawResponse`: the HTTP response and the parsed value.

        A list returns its first page. A method that sends several requests, such as
        `tasks.wait_for`, returns the last response.
        """
        return RawMethods(type(self), self._transport)


class RawMethods:
    """The methods of a resource that return a `RawResponse`."""

    def __init__(self, resource: type[Resource], transport: Transport) -> None:
        self._resource = resource
        self._of_transport = transport

    def __getattr__(self, name: str) -> Any:
        kind = self._resource
        # Attributes of the resource that are resources themselves have raw responses too.
        part = None if name.startswith("_") or hasattr(kind, name) else vars(kind(self._of_transport)).get(name)
        if isinstance(part, Resource):
            return part.with_raw_response
        if name.startswith("_") or name in kind._streaming or not callable(getattr(kind, name, None)):
            raise AttributeError(f"{kind.__name__} has no method {name} with a raw response")

        def call(*args: Any, **kwargs: Any) -> RawResponse[Any]:
            responses: list[httpx.Response] = []
            result: Any = getattr(kind(self._of_transport.recording(responses)), name)(*args, **kwargs)
            parsed: Any = cast("Any", result).first_page() if isinstance(result, Pager) else result
            return RawResponse(responses[-1], parsed)

        return call


class RawClient:
    """The resources of a client, with methods that return a `RawResponse`."""

    def __init__(self, resources: dict[str, Resource]) -> None:
        self._resources = resources

    def __getattr__(self, name: str) -> RawMethods:
        if name.startswith("_") or name not in self._resources:
            raise AttributeError(f"the client has no resource {name}")
        return self._resources[name].with_raw_response
