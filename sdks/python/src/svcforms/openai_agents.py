"""Approvals for tools of the OpenAI Agents SDK: `pip install 'svcforms[openai-agents]'`.

Tools that need approval interrupt the run. Store its state, so that a restarted program continues
with the same tasks: see `examples/openai_agents_refund.py`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, cast

try:
    from agents import FunctionTool, RunState, ToolApprovalItem, function_tool
    from agents.tool_context import ToolContext
except ImportError as error:
    raise type(error)(
        "svcforms.openai_agents needs the OpenAI Agents SDK: pip install 'svcforms[openai-agents]'"
    ) from error

from ._actions import ActionApprovals, ToolCall, why_not, why_not_approvable
from .errors import ApprovalError, UnprocessableError

__all__ = ["Approvals"]


class Approvals(ActionApprovals):
    """Tools that run once after a person approved their arguments.

    Example:
        ```python
        approvals = Approvals(AsyncSvcForms(), form_id)
        agent = Agent(name="Refunds", tools=[approvals.tool(refund)])
        result = await Runner.run(agent, "Refund order A-17")
        while result.interruptions:
            state = result.to_state()  # store state.to_string()
            result = await Runner.run(agent, await approvals.resolve(state))
        ```
    """

    def tool(self, tool: FunctionTool | Callable[..., Any]) -> FunctionTool:
        """Returns a tool that needs approval, of a tool or a function."""
        wrapped = tool if isinstance(tool, FunctionTool) else function_tool(tool)

        async def invoke(context: ToolContext[Any], arguments: str) -> Any:
            args = _parse(arguments)
            if args is None:
                return _not_json(wrapped.name)
            try:
                await self._run_once_async(ToolCall(wrapped.name, args, [context.tool_call_id]))
            except ApprovalError as error:
                return str(error)
            except UnprocessableError as error:
                return why_not_approvable(wrapped.name, error)
            return await wrapped.on_invoke_tool(context, arguments)

        return dataclasses.replace(wrapped, needs_approval=True, on_invoke_tool=invoke)

    async def resolve(self, state: RunState[Any, Any], *, timeout: float | None = None) -> RunState[Any, Any]:
        """Waits for the decisions on all calls of functions and adds them to the state.

        Other interruptions stay pending, such as those of a `ShellTool`, because no task shows what
        they would do. Decide them with `state.approve` and `state.reject` before the next run.

        Args:
            state: the state of an interrupted run.
            timeout: maximum seconds to wait. Default: until the tasks are resolved or expire.

        Returns:
            the same state, for `Runner.run(agent, state)`.

        Raises:
            TaskTimeoutError: a task isn't resolved yet. The tasks stay open: call this method again.
        """

        async def decide(item: ToolApprovalItem, arguments: str) -> None:
            tool, args = str(item.tool_name), _parse(arguments)
            if args is None:
                state.reject(item, rejection_message=_not_json(tool))
                return
            try:
                task = await self._request_approval_async(ToolCall(tool, args, [item.call_id]))
            except UnprocessableError as error:
                reason: str | None = why_not_approvable(tool, error)
            else:
                reason = why_not(tool, await self._wait_async(task, timeout))
            if reason is None:
                state.approve(item)
            else:
                state.reject(item, rejection_message=reason)

        calls = [item for item in state.get_interruptions() if _is_function_call(item)]
        await asyncio.gather(*(decide(item, item.arguments) for item in calls if item.arguments is not None))
        return state


def _is_function_call(item: ToolApprovalItem) -> bool:
    """Whether the interruption is of a function, whose arguments are all that it gets."""
    raw: Any = item.raw_item
    kind = cast("Mapping[str, Any]", raw).get("type") if isinstance(raw, Mapping) else getattr(raw, "type", None)
    return kind == "function_call"


def _not_json(tool: str) -> str:
    return f"The arguments of {tool} must be a JSON object."


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(number)
    return value


def _parse(arguments: str) -> dict[str, Any] | None:
    try:
        # A function without parameters can be called with an empty text. NaN isn't JSON, and 1e999
        # has no value.
        args = json.loads(arguments or "{}", parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", args) if isinstance(args, dict) else None
