"""Which `httpx` client sends a request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import httpx


def client_per_loop(create: Callable[[], httpx.AsyncClient]) -> Callable[[], httpx.AsyncClient]:
    """Returns a function that returns the client of the running event loop.

    Connections work in one loop only, and each `asyncio.run` has a new loop.
    """
    clients: dict[asyncio.AbstractEventLoop, httpx.AsyncClient] = {}

    def current() -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if loop not in clients:
            for other in [one for one in list(clients) if one.is_closed()]:
                clients.pop(other, None)
            clients[loop] = create()
        return clients[loop]

    return current


def single_client(create: Callable[[], httpx.Client]) -> Callable[[], httpx.Client]:
    """Returns a function that returns the same client in all threads."""
    client = create()
    return lambda: client
