"""An agent of the OpenAI Agents SDK whose refunds a person approves. A file stores where it waits."""

import asyncio
import os
from pathlib import Path

from agents import Agent, Runner, RunState
from scripted_models import openai_agents_model

from svcforms import AsyncSvcForms
from svcforms.openai_agents import Approvals

stored = Path("run.json")


def refund(order: str, amount: float) -> str:
    """Refunds an order."""
    with Path("refunds.log").open("a") as log:
        log.write(f"{order} {amount}\n")
    return f"refunded {amount} for {order}"


def store(state: RunState) -> None:
    # Replacing the file is atomic, so a crash can't leave half a state.
    stored.with_suffix(".new").write_text(state.to_string())
    stored.with_suffix(".new").replace(stored)


async def main() -> None:
    async with AsyncSvcForms() as client:
        approvals = Approvals(
            client, os.environ["FORM_ID"], title=lambda tool, args: f"Run {tool} of {args['amount']}?"
        )
        agent = Agent(name="Refunds", model=openai_agents_model(), tools=[approvals.tool(refund)])
        print("started", flush=True)
        if stored.exists():
            state = await RunState.from_string(agent, stored.read_text())
            result = await Runner.run(agent, await approvals.resolve(state))
        else:
            result = await Runner.run(agent, "Refund order A-17")
        while result.interruptions:
            state = result.to_state()
            store(state)
            result = await Runner.run(agent, await approvals.resolve(state))
        print(result.final_output, flush=True)


asyncio.run(main())
