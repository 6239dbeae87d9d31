"""Waits for tasks in coroutines, with either client.

A thread can't be cancelled, and an event loop has few of them. So with a synchronous client, a
thread sends one short request at a time, and the coroutine sleeps in between.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from ._async.client import AsyncSvcForms
from ._sync.client import SvcForms
from ._task_wait import TaskWait
from .models import Task


async def request_and_wait(
    client: SvcForms | AsyncSvcForms, template_id: str, *, timeout: float | None, **options: Any
) -> Task:
    """`client.tasks.request_and_wait`."""
    if isinstance(client, AsyncSvcForms):
        return await client.tasks.request_and_wait(template_id, timeout=timeout, **options)
    started = time.monotonic()
    task = await asyncio.to_thread(client.tasks.create, template_id, **options)
    if task.is_settled:
        return task
    remaining = None if timeout is None else max(0.0, timeout - (time.monotonic() - started))
    return await wait_for(client, task.id, remaining)


async def wait_for(client: SvcForms | AsyncSvcForms, task_id: str, timeout: float | None) -> Task:
    """`client.tasks.wait_for`."""
    if isinstance(client, AsyncSvcForms):
        return await client.tasks.wait_for(task_id, timeout)
    wait = TaskWait(task_id, timeout, is_held=False)
    while not isinstance(step := await asyncio.to_thread(client.tasks._step, wait), Task):
        await asyncio.sleep(step)
    return step
