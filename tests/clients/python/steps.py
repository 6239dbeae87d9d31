"""What every client does: it lists the tools, asks for an approval, reports the task id, and waits."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

URL = os.environ["MCP_URL"]
HEADERS = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
FORM_ID = os.environ["FORM_ID"]


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


async def ask_and_wait(tools: list[str], call: Callable[[str, dict[str, Any]], Awaitable[Any]]) -> None:
    key = f"python-{os.getpid()}"
    task = await call("request_approval", {"formId": FORM_ID, "title": "Refund?", "dedupeKey": key})
    say(tools=tools, taskId=task["id"])
    while task.get("pending"):
        task = await call("wait_for_task", {"taskId": task["id"]})
    say(outcome=task["outcome"])
