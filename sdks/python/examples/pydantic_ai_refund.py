"""A Pydantic AI agent whose refunds a person approves. A file stores where it waits."""

import asyncio
import os
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests, FunctionToolset, ModelMessage
from scripted_models import pydantic_ai_model

from svcforms import AsyncSvcForms
from svcforms.pydantic_ai import Approvals

stored = Path("run.json")
Run = TypeAdapter(tuple[list[ModelMessage], DeferredToolRequests])


def refund(order: str, amount: float) -> str:
    """Refunds an order."""
    with Path("refunds.log").open("a") as log:
        log.write(f"{order} {amount:g}\n")
    return f"refunded {amount:g} for {order}"


async def main() -> None:
    async with AsyncSvcForms() as client:
        approvals = Approvals(
            client, os.environ["FORM_ID"], title=lambda tool, args: f"Run {tool} of {args['amount']}?"
        )
        tools = approvals.toolset(FunctionToolset([refund]))
        agent = Agent(pydantic_ai_model(), toolsets=[tools], output_type=[str, DeferredToolRequests])
        print("started", flush=True)
        if stored.exists():
            messages, requests = Run.validate_json(stored.read_bytes())
        else:
            result = await agent.run("Refund order A-17")
            if not isinstance(result.output, DeferredToolRequests):
                return print(result.output, flush=True)
            messages, requests = result.all_messages(), result.output
        while True:
            # Replacing the file is atomic, so a crash can't leave half a run.
            stored.with_suffix(".new").write_bytes(Run.dump_json((messages, requests)))
            stored.with_suffix(".new").replace(stored)
            answers = await approvals.resolve(requests)
            result = await agent.run(message_history=messages, deferred_tool_results=answers)
            if not isinstance(result.output, DeferredToolRequests):
                return print(result.output, flush=True)
            messages, requests = result.all_messages(), result.output


asyncio.run(main())
