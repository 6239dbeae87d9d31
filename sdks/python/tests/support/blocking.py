from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Coroutine, Iterator
from typing import Any, cast

from svcforms import AsyncSvcForms, SvcForms


class Loop:
    """An event loop in its own thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def close(self) -> None:
        self.run(self._loop.shutdown_asyncgens())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Blocking:
    """Wraps an asynchronous object in the interface of its synchronous counterpart, so that tests
    run with both.
    """

    def __init__(self, wrapped: object, loop: Loop) -> None:
        self._wrapped = wrapped
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        loop = self._loop
        member = getattr(self._wrapped, "aclose" if name == "close" else name)
        if not callable(member):
            return Blocking(member, loop) if type(member).__module__.startswith("svcforms._async") else member

        def call(*args: Any, **kwargs: Any) -> Any:
            result = member(*args, **kwargs)
            if inspect.iscoroutine(result):
                return loop.run(result)
            is_asynchronous = hasattr(result, "__aiter__") or isinstance(result, AsyncSvcForms)
            return Blocking(result, loop) if is_asynchronous else result

        return call

    def __iter__(self) -> Iterator[Any]:
        iterator = cast("Any", self._wrapped).__aiter__()
        try:
            while True:
                yield self._loop.run(_next(iterator))
        except StopAsyncIteration:
            return
        finally:
            # The garbage collector closes the synchronous counterpart here.
            if iterator is not self._wrapped:
                self._loop.run(iterator.aclose())

    def __enter__(self) -> Blocking:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def _next(iterator: Any) -> Any:
    try:
        return await iterator.__anext__()
    except StopIteration as error:
        raise RuntimeError from error


def blocking(client: AsyncSvcForms, loop: Loop) -> SvcForms:
    return cast("SvcForms", Blocking(client, loop))
