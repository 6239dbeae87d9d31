"""Sends calls, and sends them again where that may help."""

from __future__ import annotations

import asyncio
import logging
import time

import httpx

from .._answers import connection_error, never_arrived, status_error
from .._call import Call
from .._retry import Failure, RetryPolicy
from .._settings import DEFAULT_TIMEOUT, Settings

log = logging.getLogger("svcforms")


class AsyncOpenAnswer:
    """An answer whose body is still coming."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._chunks = response.aiter_bytes()

    async def next(self) -> bytes | None:
        """The bytes that come next; None at the end.

        Raises:
            APIConnectionError: it broke off.
        """
        try:
            return await anext(self._chunks, None)
        except httpx.RequestError as error:
            raise connection_error(error, f"GET {self.response.request.url.path}") from error

    async def aclose(self) -> None:
        """Ends it."""
        await self.response.aclose()


class AsyncTransport:
    """The connection to one server."""

    def __init__(
        self,
        settings: Settings,
        *,
        timeout: float | httpx.Timeout | None,
        max_retries: int,
        transport: httpx.AsyncBaseTransport | None,
    ) -> None:
        self._base_url = settings.base_url
        self._policy = RetryPolicy(max_retries)
        self._timeout = DEFAULT_TIMEOUT if timeout is None else httpx.Timeout(timeout)
        self._client = httpx.AsyncClient(
            headers=settings.headers, timeout=self._timeout, transport=transport, follow_redirects=False
        )

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def send(self, call: Call) -> httpx.Response:
        """The answer of success, its body read.

        Raises:
            APIStatusError: the server refused.
            APIConnectionError: no answer came.
        """
        return await self._send(call, stream=False)

    async def open(self, call: Call) -> AsyncOpenAnswer:
        """The same, its body to be read bit by bit. It has to be closed."""
        return AsyncOpenAnswer(await self._send(call, stream=True))

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)

    async def _send(self, call: Call, *, stream: bool) -> httpx.Response:
        began, tries, was_open = time.monotonic(), 0, False
        while True:
            tries += 1
            outcome = await self._try(call, stream=stream)
            if isinstance(outcome, httpx.Response):
                if outcome.is_success:
                    return outcome
                if call.method == "DELETE" and outcome.status_code == 404 and was_open:
                    return outcome
                failure = Failure(status_error(outcome))
            else:
                failure = outcome
            was_open = was_open or not failure.was_refused
            pause = self._policy.pause(call, failure, tries=tries, elapsed=time.monotonic() - began)
            if pause is None:
                raise failure.error
            log.info("%s %s: %s; again in %.1f s", call.method, call.path, _line(failure.error), pause)
            await self.sleep(pause)

    async def _try(self, call: Call, *, stream: bool) -> httpx.Response | Failure:
        timeout = self._timeout
        if call.read_timeout is not None:
            timeout = httpx.Timeout(
                connect=timeout.connect, read=call.read_timeout, write=timeout.write, pool=timeout.pool
            )
        request = self._client.build_request(
            call.method,
            self._base_url + call.path,
            params=call.query or None,
            content=call.content,
            headers=call.headers,
            timeout=timeout,
        )
        began = time.monotonic()
        try:
            response = await self._client.send(request, stream=stream)
            if stream and not response.is_success:
                await response.aread()
                await response.aclose()
        except httpx.RequestError as error:
            failure = connection_error(error, f"{call.method} {call.path}")
            failure.__cause__ = error
            return Failure(failure, arrived=not never_arrived(error))
        log.debug(
            "%s %s: %d in %.0f ms (request %s)",
            call.method,
            call.path,
            response.status_code,
            (time.monotonic() - began) * 1000,
            response.headers.get("x-request-id", "?"),
        )
        return response


def _line(error: Exception) -> str:
    return str(error).splitlines()[0]
