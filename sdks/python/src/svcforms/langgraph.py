"""Approvals for tools of LangGraph: `pip install 'svcforms[langgraph]'`.

A tool call that needs approval interrupts the graph, whose checkpointer stores it. A restarted
program continues with the same tasks: see `examples/langgraph_refund.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Literal, TypeVar, cast

try:
    from langchain_core.messages import ToolMessage
    from langgraph.config import get_config
    from langgraph.prebuilt.tool_node import ToolCallRequest
    from langgraph.types import Command, interrupt
except ImportError as error:
    raise type(error)("svcforms.langgraph needs LangGraph: pip install 'svcforms[langgraph]'") from error

from ._actions import ActionApprovals, NotApprovableError, ToolCall, why_not_approvable
from ._async.client import AsyncSvcForms
from ._sync.client import SvcForms
from .errors import ApprovalError, UnprocessableError
from .models import Task, TaskPriority

__all__ = ["Approvals"]

R = TypeVar("R")
_VALUE = "svcforms"


class Approvals(ActionApprovals):
    """Tool calls that run once after a person approved their arguments.

    The graph needs a checkpointer, and each run a `thread_id`.

    Example:
        ```python
        approvals = Approvals(SvcForms(), form_id)
        tools = ToolNode([refund], wrap_tool_call=approvals.wrap_tool_call)
        graph = builder.add_node("tools", tools).compile(checkpointer=checkpointer)
        state = approvals.invoke(graph, {"messages": [("user", "Refund order A-17")]}, config)
        ```
    """

    def __init__(
        self,
        client: SvcForms | AsyncSvcForms,
        template_id: str,
        *,
        tools: Collection[str] | None = None,
        title: str | Callable[[str, Mapping[str, Any]], str] | None = None,
        description: str | Callable[[str, Mapping[str, Any]], str] | None = None,
        prefill: Mapping[str, Any] | Callable[[str, Mapping[str, Any]], Mapping[str, Any]] | None = None,
        priority: TaskPriority = "normal",
        assignee: str | None = None,
        policy: Mapping[str, Any] | None = None,
        expires_in_seconds: int | None = None,
        require_comment: Sequence[Literal["approved", "rejected"]] | None = None,
        reject_options: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        scope: str = "",
    ) -> None:
        """Configures the tasks of the calls. Callable options get the tool and its arguments.

        Args:
            client: the client that creates the tasks and redeems the receipts. An asynchronous one
                serves `awrap_tool_call`, `aapprove` and `ainvoke` only.
            template_id: id of the tasks' form.
            tools: names of the tools that need approval. Default: all. The other calls of a message
                run when all of its calls are decided.
            title: the question. Default: `Run refund?` with the name of the tool.
            description: context for the reviewer, as Markdown. They see the arguments anyway.
            prefill: field name → value, for the required fields of the form.
            priority: the tasks' priority.
            assignee: id or email of the user who should decide.
            policy: who decides, and how many people must approve.
            expires_in_seconds: 60 to 31 536 000. Default: a week.
            require_comment: outcomes that need a comment.
            reject_options: reasons that a reviewer can select for a rejection.
            metadata: your own data.
            scope: a part of the tasks' dedupe keys, beside the id of the thread.
        """
        super().__init__(
            client,
            template_id,
            title=title,
            description=description,
            prefill=prefill,
            priority=priority,
            assignee=assignee,
            policy=policy,
            expires_in_seconds=expires_in_seconds,
            require_comment=require_comment,
            reject_options=reject_options,
            metadata=metadata,
            scope=scope,
        )
        self._tools = None if tools is None else frozenset(tools)

    def wrap_tool_call(self, request: ToolCallRequest, execute: Callable[[ToolCallRequest], R]) -> R | ToolMessage:
        """For `ToolNode(tools, wrap_tool_call=…)` and LangChain's middleware of this name.

        A call that isn't approved doesn't run; the model gets the reason.
        """
        call, siblings = self._calls(request)
        if call is None:
            self._decided([], siblings)
            return execute(request)
        try:
            task = self._decided([call], siblings)[0]
            self._redeem(call, task)
        except (ApprovalError, NotApprovableError) as error:
            return _refused(request, str(error))
        except UnprocessableError as error:
            return _refused(request, why_not_approvable(call.tool, error))
        return execute(request)

    async def awrap_tool_call(
        self, request: ToolCallRequest, execute: Callable[[ToolCallRequest], Awaitable[R]]
    ) -> R | ToolMessage:
        """`wrap_tool_call` for asynchronous graphs: `ToolNode(tools, awrap_tool_call=…)`."""
        call, siblings = self._calls(request)
        if call is None:
            await self._decided_async([], siblings)
            return await execute(request)
        try:
            task = (await self._decided_async([call], siblings))[0]
            await self._redeem_async(call, task)
        except (ApprovalError, NotApprovableError) as error:
            return _refused(request, str(error))
        except UnprocessableError as error:
            return _refused(request, why_not_approvable(call.tool, error))
        return await execute(request)

    def approve(self, tool: str, args: Mapping[str, Any], *, key: str = "") -> Task:
        """Interrupts the node until a person approved the action; returns when it may run now.

        LangGraph runs the node again from its start, so don't put code before this call that must not
        run twice. For the same reason, approve one action in each run of a node: a second one would run
        the node again after the first has used its approval. Use a node, or a `Send`, for each action.

        Args:
            tool: name of the action.
            args: its arguments, as they will run.
            key: a part of the task's dedupe key, if the node chooses between actions with the same
                tool.

        Raises:
            ApprovalError: the action must not run: it was rejected, expired, was cancelled, or its
                approval was already used.
        """
        call = _node_call(tool, args, key)
        (task,) = self._decided([call], [])
        self._redeem(call, task)
        return task

    async def aapprove(self, tool: str, args: Mapping[str, Any], *, key: str = "") -> Task:
        """`approve` for asynchronous nodes."""
        call = _node_call(tool, args, key)
        (task,) = await self._decided_async([call], [])
        await self._redeem_async(call, task)
        return task

    def wait(self, graph: Any, config: Any, *, timeout: float | None = None) -> Command[Any] | None:
        """Waits until the tasks for which the thread is interrupted are resolved.

        Args:
            graph: the compiled graph.
            config: the configuration with the `thread_id`.
            timeout: maximum seconds to wait for each task. Default: until they are resolved or
                expire.

        Returns:
            what resumes the graph: `graph.invoke(command, config)`. None if it waits for no task.

        Raises:
            TaskTimeoutError: a task isn't resolved yet. The tasks stay open: call this method again.
        """
        waiting = _tasks_by_interrupt(graph.get_state(config).interrupts)
        client = self._blocking_client()
        for ids in waiting.values():
            for task_id in ids:
                client.tasks.wait_for(task_id, timeout)
        return Command(resume=waiting) if waiting else None

    async def await_tasks(self, graph: Any, config: Any, *, timeout: float | None = None) -> Command[Any] | None:
        """`wait` for asynchronous programs."""
        waiting = _tasks_by_interrupt((await graph.aget_state(config)).interrupts)
        await asyncio.gather(*(self._wait_for_async(task_id, timeout) for ids in waiting.values() for task_id in ids))
        return Command(resume=waiting) if waiting else None

    def invoke(self, graph: Any, input: Any, config: Any, *, timeout: float | None = None) -> dict[str, Any]:  # noqa: A002
        """Starts the thread, or continues it after a restart, and waits for its tasks until it ends
        or is interrupted by something else.

        Args:
            graph: the compiled graph.
            input: the input of a thread that hasn't started.
            config: the configuration with the `thread_id`.
            timeout: as in `wait`.

        Returns:
            the values of the thread's state.
        """
        state = graph.get_state(config)
        if not state.values:
            graph.invoke(input, config)
        elif state.next and not state.interrupts:
            graph.invoke(None, config)
        while (command := self.wait(graph, config, timeout=timeout)) is not None:
            graph.invoke(command, config)
        return cast("dict[str, Any]", graph.get_state(config).values)

    async def ainvoke(self, graph: Any, input: Any, config: Any, *, timeout: float | None = None) -> dict[str, Any]:  # noqa: A002
        """`invoke` for asynchronous programs."""
        state = await graph.aget_state(config)
        if not state.values:
            await graph.ainvoke(input, config)
        elif state.next and not state.interrupts:
            await graph.ainvoke(None, config)
        while (command := await self.await_tasks(graph, config, timeout=timeout)) is not None:
            await graph.ainvoke(command, config)
        return cast("dict[str, Any]", (await graph.aget_state(config)).values)

    def _decided(self, calls: list[ToolCall], siblings: list[ToolCall]) -> list[Task]:
        """Interrupts until all tasks are resolved. The server decides, not the value that resumes."""
        while True:
            asked = [*map(self._request_approval, calls), *map(self._request_sibling_approval, siblings)]
            tasks = [task for task in asked if task is not None]
            if all(task.is_settled for task in tasks):
                return tasks
            _interrupt_for(tasks)

    async def _decided_async(self, calls: list[ToolCall], siblings: list[ToolCall]) -> list[Task]:
        while True:
            asked = await asyncio.gather(
                *map(self._request_approval_async, calls), *map(self._request_sibling_approval_async, siblings)
            )
            tasks = [task for task in asked if task is not None]
            if all(task.is_settled for task in tasks):
                return tasks
            _interrupt_for(tasks)

    def _request_sibling_approval(self, call: ToolCall) -> Task | None:
        """Returns None for a call that nobody can approve. It gets its reason where it runs."""
        try:
            return self._request_approval(call)
        except NotApprovableError:
            return None
        except UnprocessableError as error:
            why_not_approvable(call.tool, error)
            return None

    async def _request_sibling_approval_async(self, call: ToolCall) -> Task | None:
        try:
            return await self._request_approval_async(call)
        except NotApprovableError:
            return None
        except UnprocessableError as error:
            why_not_approvable(call.tool, error)
            return None

    def _calls(self, request: ToolCallRequest) -> tuple[ToolCall | None, list[ToolCall]]:
        """Returns the call, if it needs approval, and the others of the same message that need it.

        No call of the message runs before all are decided, because an interrupt discards the
        results of a node: a call that had run would run again.
        """
        runtime: Any = cast("Any", request).runtime
        thread = runtime.config.get("configurable", {}).get("thread_id")
        own = request.tool_call["id"]
        messages = _messages(request.state)
        message = next((one for one in reversed(messages) if own in _ids_of(one)), None)
        others = [one for one in getattr(message, "tool_calls", []) if one["id"] != own]
        siblings = [_tool_call(thread, one) for one in others if self._needs_approval(one["name"])]
        if not self._needs_approval(request.tool_call["name"]):
            return None, siblings
        return _tool_call(thread, request.tool_call), siblings

    def _needs_approval(self, tool: str) -> bool:
        return self._tools is None or tool in self._tools


def _messages(state: Any) -> list[Any]:
    if isinstance(state, Sequence):
        return list(cast("Sequence[object]", state))
    return _member(state, "messages") or []


def _member(state: Any, name: str) -> Any:
    return cast("Mapping[str, Any]", state).get(name) if isinstance(state, Mapping) else getattr(state, name, None)


def _ids_of(message: Any) -> list[Any]:
    return [one["id"] for one in getattr(message, "tool_calls", [])]


def _tool_call(thread: Any, call: Mapping[str, Any]) -> ToolCall:
    return ToolCall(call["name"], call["args"], [_required(thread), call["id"]])


def _node_call(tool: str, args: Mapping[str, Any], key: str) -> ToolCall:
    configurable = get_config().get("configurable", {})
    # The namespace identifies this run of the node, and stays the same when it resumes.
    return ToolCall(tool, args, [_required(configurable.get("thread_id")), configurable.get("checkpoint_ns"), key])


def _required(thread: Any) -> str:
    if not thread:
        raise TypeError('Approvals need a checkpointer and config={"configurable": {"thread_id": …}}')
    return str(thread)


def _interrupt_for(tasks: Sequence[Task]) -> None:
    waiting = [task for task in tasks if not task.is_settled]
    interrupt(
        {
            _VALUE: [
                {"task_id": one.id, "title": one.title, "action": one.action and one.action.to_api()} for one in waiting
            ]
        }
    )


def _tasks_by_interrupt(interrupts: Sequence[Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in interrupts:
        value: Any = one.value
        tasks: Any = _member(value, _VALUE) if isinstance(value, Mapping) else None
        if tasks is not None:
            found[one.id] = [task["task_id"] for task in tasks]
    return found


def _refused(request: ToolCallRequest, reason: str) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(reason, name=call["name"], tool_call_id=call["id"], status="error")
