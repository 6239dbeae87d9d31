"""Approvals for tools of Pydantic AI: `pip install 'svcforms[pydantic-ai]'`.

A run with tools that need approval ends with `DeferredToolRequests`. Store them with the messages,
so that a restarted program continues with the same tasks: see `examples/pydantic_ai_refund.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

try:
    from pydantic_ai import (
        AbstractToolset,
        ApprovalRequired,
        DeferredToolRequests,
        DeferredToolResults,
        RunContext,
        ToolDenied,
        WrapperToolset,
    )
    from pydantic_ai.messages import ToolCallPart
    from pydantic_ai.toolsets import ToolsetTool
except ImportError as error:
    raise type(error)("svcforms.pydantic_ai needs Pydantic AI: pip install 'svcforms[pydantic-ai]'") from error

from ._actions import ActionApprovals, NotApprovableError, ToolCall, refuse_not_approvable, why_not, why_not_approvable
from .errors import ApprovalError, UnprocessableError

__all__ = ["Approvals"]

_METADATA = "svcforms"


class Approvals(ActionApprovals):
    """Toolsets whose tools run once after a person approved their arguments.

    Example:
        ```python
        approvals = Approvals(AsyncSvcForms(), form_id)
        tools = approvals.toolset(FunctionToolset([refund]))
        agent = Agent(model, toolsets=[tools], output_type=[str, DeferredToolRequests])
        result = await agent.run("Refund order A-17")
        while isinstance(result.output, DeferredToolRequests):
            results = await approvals.resolve(result.output)  # store the messages and requests before
            result = await agent.run(message_history=result.all_messages(), deferred_tool_results=results)
        ```
    """

    def toolset(self, tools: AbstractToolset[Any]) -> AbstractToolset[Any]:
        """Returns a toolset with the same tools, which need approval."""
        return _ApprovedToolset(tools, self)

    async def resolve(self, requests: DeferredToolRequests, *, timeout: float | None = None) -> DeferredToolResults:
        """Waits for the decisions on the calls of these toolsets. Add results for other deferred
        tools with `update`.

        Args:
            requests: the output of the run.
            timeout: maximum seconds to wait. Default: until the tasks are resolved or expire.

        Raises:
            TaskTimeoutError: a task isn't resolved yet. The tasks stay open: call this method again.
        """

        async def decide(part: ToolCallPart, own: Mapping[str, Any]) -> tuple[str, bool | ToolDenied]:
            # Metadata of older versions has no name.
            tool = own.get("tool", part.tool_name)
            try:
                task = await self._request_approval_async(ToolCall(tool, own["args"], [part.tool_call_id]))
            except UnprocessableError as error:
                return part.tool_call_id, ToolDenied(why_not_approvable(tool, error))
            reason = why_not(tool, await self._wait_async(task, timeout))
            return part.tool_call_id, True if reason is None else ToolDenied(reason)

        # The name and the arguments as this toolset gets them: others around it can rename the
        # tool.
        own = [(part, requests.metadata.get(part.tool_call_id, {}).get(_METADATA)) for part in requests.approvals]
        decisions = await asyncio.gather(*(decide(part, call) for part, call in own if call is not None))
        return DeferredToolResults(approvals=dict(decisions))


@dataclass
class _ApprovedToolset(WrapperToolset[Any]):
    approvals: Approvals

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        args: dict[str, Any] = to_jsonable_python(tool_args)
        call = ToolCall(name, args, [ctx.tool_call_id])
        try:
            if not ctx.tool_call_approved:
                # Before the program stores the request, which turns NaN into null.
                refuse_not_approvable(call)
                raise ApprovalRequired(metadata={_METADATA: {"tool": name, "args": args}})
            await self.approvals._run_once_async(call)
        except (ApprovalError, NotApprovableError) as error:
            return str(error)
        except UnprocessableError as error:
            return why_not_approvable(name, error)
        return await super().call_tool(name, tool_args, ctx, tool)
