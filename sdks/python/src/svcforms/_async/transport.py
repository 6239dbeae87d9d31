"""Sends requests and retries them."""

from __future__ import annotations

import asyncio
import copy
import logging
import time

import httpx
from typing_extensions import Self

from .._http_clients import client_per_loop
from .._request import ApiRequest, checked_headers
from .._responses import connection_error, never_reached_server, status_error, unexpected
from .._retry import Failure, RetryPolicy
from .._settings import Settings, choose_timeout

log = logging.getLogger("svcforms")

#: Seconds that an attempt may take that starts just before the deadline.
SHORTEST_TIMEOUT = 5.0


class AsyncStreamedResponse:
    """A response whose body is read in chunks."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._chunks = response.aiter_bytes()

    async def next(self) -> bytes | None:
        """Returns the next chunk, or None at the end of the body.

        Raises:
            APIConnectionError: the connection broke.
        """
        try:
            return await anext(self._chunks, None)
        except httpx.RequestError as error:
            raise connection_error(error, f"GET {self._response.request.url.path}") from error

    async def aclose(self) -> None:
        """Closes the connection."""
        await self._response.aclose()


class AsyncTransport:
    """Connections to one server."""

    def __init__(
        self,
        settings: Settings,
        *,
        timeout: float | httpx.Timeout | None,
        max_retries: int,
        transport: httpx.AsyncBaseTransport | None,
        http_client: httpx.AsyncClient | None,
    ) -> None:
        self._base_url = settings.base_url
        self._headers = settings.headers
        self._policy = RetryPolicy(max_retries)
        self._timeout = choose_timeout(timeout, None if http_client is None else http_client.timeout)
        self._owns_client = http_client is None
        chosen = self._timeout
        self._client = (
            client_per_loop(lambda: httpx.AsyncClient(timeout=chosen, transport=transport))
            if http_client is None
            else lambda: http_client
        )
        self._responses: list[httpx.Response] | None = None
        self._deadline = float("inf")

    @property
    def max_retries(self) -> int:
        """The maximum retries for each request."""
        return self._policy.max_retries

    def with_options(self, *, timeout: float | httpx.Timeout | None, max_retries: int | None) -> Self:
        """Returns a transport with the same connections, which it doesn't close. None keeps the
        value.
        """
        other = self._borrowing()
        if timeout is not None:
            other._timeout = choose_timeout(timeout, None)
        if max_retries is not None:
            other._policy = RetryPolicy(max_retries)
        return other

    def recording(self, responses: list[httpx.Response]) -> Self:
        """Returns a transport with the same connections that adds the successful responses to a
        list.
        """
        other = self._borrowing()
        other._responses = responses
        return other

    def until(self, deadline: float) -> Self:
        """Returns a transport with the same connections that starts no attempt after a time of
        `time.monotonic()`. The last one may take a few seconds longer.
        """
        other = self._borrowing()
        other._deadline = deadline
        return other

    def _borrowing(self) -> Self:
        other = copy.copy(self)
        other._owns_client = False
        return other

    async def aclose(self) -> None:
        """Closes the connections, unless they belong to somebody else."""
        if self._owns_client:
            await self._client().aclose()

    async def send(self, request: ApiRequest) -> httpx.Response:
        """Returns the successful response with its whole body.

        Raises:
            APIStatusError: the server refused the request.
            APIConnectionError: the server didn't respond.
            UnexpectedAnswerError: the response to a deletion isn't the server's.
        """
        response = await self._send(request, stream=False)
        # A proxy or another server can respond with a page and delete nothing.
        if request.method == "DELETE" and response.status_code not in (204, 404):
            raise unexpected(response, "instead of 204")
        if self._responses is not None:
            self._responses.append(response)
        return response

    async def open(self, request: ApiRequest, content_type: str) -> AsyncStreamedResponse:
        """Returns the successful response of a content type before its body is read. The caller
        closes it.

        Raises:
            UnexpectedAnswerError: the response has another content type.
        """
        response = await self._send(request, stream=True)
        if not response.headers.get("content-type", "").startswith(content_type):
            await response.aclose()
            raise unexpected(response, f"without {content_type}")
        return AsyncStreamedResponse(response)

    async def sleep(self, seconds: float) -> None:
        """Sleeps."""
        await asyncio.sleep(seconds)

    async def _send(self, request: ApiRequest, *, stream: bool) -> httpx.Response:
        attempts = 0
        # The start of the last attempt that the server may still process.
        running_since: float | None = None
        while True:
            attempts += 1
            started = time.monotonic()
            outcome = await self._attempt(request, stream=stream)
            if isinstance(outcome, httpx.Response):
                if outcome.is_success:
                    return outcome
                if request.method == "DELETE" and outcome.status_code == 404 and running_since is not None:
                    return outcome
                failure = Failure(status_error(outcome))
            else:
                failure = outcome
            # A request in progress before may also be another call with the same key.
            if not failure.was_refused or (running_since is None and failure.is_in_progress):
                running_since = started
            running = time.monotonic() - (started if running_since is None else running_since)
            delay = self._policy.delay(request, failure, attempts=attempts, running=running)
            if delay is None or time.monotonic() + delay > self._deadline:
                raise failure.error
            log.info("%s %s: %s; retrying in %.1f s", request.method, request.path, _first_line(failure.error), delay)
            await self.sleep(delay)

    async def _attempt(self, request: ApiRequest, *, stream: bool) -> httpx.Response | Failure:
        timeout = self._timeout
        if request.read_timeout is not None:
            timeout = httpx.Timeout(
                connect=timeout.connect, read=request.read_timeout, write=timeout.write, pool=timeout.pool
            )
        remaining = max(SHORTEST_TIMEOUT, self._deadline - time.monotonic())
        if remaining < float("inf"):
            limits = timeout.as_dict().items()
            timeout = httpx.Timeout(**{name: min(limit or remaining, remaining) for name, limit in limits})
        client = self._client()
        http_request = client.build_request(
            request.method,
            self._base_url + request.path,
            params=request.query or None,
            content=request.content,
            headers=checked_headers({**self._headers, **request.headers}),
            timeout=timeout,
        )
        started = time.monotonic()
        try:
            response = await client.send(http_request, stream=stream, follow_redirects=False)
            if stream and not response.is_success:
                await response.aread()
                await response.aclose()
        except httpx.RequestError as error:
            failure = connection_error(error, f"{request.method} {request.path}")
            failure.__cause__ = error
            return Failure(failure, reached_server=not never_reached_server(error))
        log.debug(
            "%s %s: %d in %.0f ms (request %s)",
            request.method,
            request.path,
            response.status_code,
            (time.monotonic() - started) * 1000,
            response.headers.get("x-request-id", "?"),
        )
        return response


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
