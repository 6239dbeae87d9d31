"""Waits for tasks in coroutines, with either client.

A thread can't be cancelled, and an event loop has few of them. So with a synchronous client, a
thread sends one short request at a time, and the coroutine sleeps in between.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ._async.client import AsyncSvcForms
from ._sync.client import SvcForms
from ._task_wait import TaskWait, deadline_of
from .models import Task


async def request_and_wait(
    client: SvcForms | AsyncSvcForms, template_id: str, *, timeout: float | None, **options: Any
) -> Task:
    """`client.tasks.request_and_wait`."""
    if isinstance(client, AsyncSvcForms):
        return await client.tasks.request_and_wait(template_id, timeout=timeout, **options)
    deadline = deadline_of(timeout)
    task = await asyncio.to_thread(client.tasks._until(deadline).create, template_id, **options)
    return task if task.is_settled else await _finish(client, client.tasks._wait_until(deadline, task, is_held=False))


async def wait_for(client: SvcForms | AsyncSvcForms, task_id: str, timeout: float | None) -> Task:
    """`client.tasks.wait_for`."""
    if isinstance(client, AsyncSvcForms):
        return await client.tasks.wait_for(task_id, timeout)
    wait = TaskWait(task_id, timeout, max_retries=client._transport.max_retries, is_held=False)
    return await _finish(client, wait)


async def _finish(client: SvcForms, wait: TaskWait) -> Task:
    while not isinstance(step := await asyncio.to_thread(client.tasks._step, wait), Task):
        await asyncio.sleep(step)
    return step
