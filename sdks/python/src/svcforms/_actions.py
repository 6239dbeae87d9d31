"""What the adapters for agent frameworks share: one task for each tool call, bound to its arguments."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ._async.client import AsyncSvcForms
from ._coroutines import wait_for
from ._request import to_json
from ._sync.client import SvcForms
from .approval import raise_unless_approved, refusal
from .errors import APIStatusError, ApprovalError, UnprocessableError
from .models import Task, TaskPriority


@dataclass(frozen=True)
class ToolCall:
    """A tool call of a model."""

    tool: str
    args: Mapping[str, Any]
    """The arguments as they run: JSON values."""
    key: Sequence[str | None]
    """What identifies the call in the same way before and after a restart of the program."""


class NotApprovableError(ValueError):
    """No task can show the arguments of a call, because they aren't JSON. The message is for the model."""


class ActionApprovals:
    """Asks people to approve tool calls. Each call has one task, also over restarts of the program.

    The reviewer sees the tool and its arguments as they will run. The call runs once: right before,
    the adapter redeems the receipt of the approval for exactly these arguments.
    """

    def __init__(
        self,
        client: SvcForms | AsyncSvcForms,
        template_id: str,
        *,
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
            client: the client that creates the tasks and redeems the receipts. The key needs
                `tasks:create` and `tasks:read`.
            template_id: id of the tasks' form.
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
            scope: a part of the tasks' dedupe keys, such as the id of the conversation. Needed only
                for models whose ids of tool calls aren't unique.
        """
        self._client = client
        self._template_id = template_id
        self._title = title
        self._description = description
        self._prefill = prefill
        self._scope = scope
        self._options = {
            "priority": priority,
            "assignee": assignee,
            "policy": policy,
            "expires_in_seconds": expires_in_seconds,
            "require_comment": require_comment,
            "reject_options": reject_options,
            "metadata": metadata,
        }

    def _question(self, call: ToolCall) -> dict[str, Any]:
        def of_call(value: Any) -> Any:
            return value(call.tool, call.args) if callable(value) else value

        refuse_not_approvable(call)
        identity = json.dumps([self._scope, call.tool, *call.key])
        return {
            "title": of_call(self._title) or f"Run {call.tool}?",
            "description": of_call(self._description),
            "prefill": of_call(self._prefill),
            "action": {"tool": call.tool, "args": call.args},
            # Without the arguments: another call with this key is refused instead of approved
            # again.
            "dedupe_key": f"action-{hashlib.sha256(identity.encode()).hexdigest()}",
            **self._options,
        }

    def _blocking_client(self) -> SvcForms:
        if not isinstance(self._client, SvcForms):
            raise TypeError(
                "An asynchronous client can't be used here; pass a SvcForms client, or await the async method"
            )
        return self._client

    def _request_approval(self, call: ToolCall) -> Task:
        return self._blocking_client().tasks.create(self._template_id, **self._question(call))

    async def _request_approval_async(self, call: ToolCall) -> Task:
        if isinstance(self._client, AsyncSvcForms):
            return await self._client.tasks.create(self._template_id, **self._question(call))
        return await asyncio.to_thread(self._request_approval, call)

    async def _wait_async(self, task: Task, timeout: float | None) -> Task:
        return task if task.is_settled else await self._wait_for_async(task.id, timeout)

    async def _wait_for_async(self, task_id: str, timeout: float | None) -> Task:
        return await wait_for(self._client, task_id, timeout)

    def _redeem(self, call: ToolCall, task: Task) -> None:
        receipt = _receipt(call, task)
        try:
            self._blocking_client().receipts.redeem(receipt, call.args)
        except APIStatusError as error:
            raise refusal(call.tool, task, error) from error

    async def _redeem_async(self, call: ToolCall, task: Task) -> None:
        if not isinstance(self._client, AsyncSvcForms):
            return await asyncio.to_thread(self._redeem, call, task)
        receipt = _receipt(call, task)
        try:
            await self._client.receipts.redeem(receipt, call.args)
        except APIStatusError as error:
            raise refusal(call.tool, task, error) from error
        return None

    async def _run_once_async(self, call: ToolCall) -> None:
        """Redeems the approval of a call that is about to run.

        Raises:
            ApprovalError: the call must not run.
        """
        await self._redeem_async(call, await self._request_approval_async(call))


def _receipt(call: ToolCall, task: Task) -> str:
    if not task.is_settled:
        raise ApprovalError(f"{call.tool} was not approved yet (task {task.id})", task)
    raise_unless_approved(call.tool, task)
    if task.receipt is None:
        raise ApprovalError(f"{call.tool} was approved without a receipt (task {task.id})", task)
    return task.receipt


def refuse_not_approvable(call: ToolCall) -> None:
    """Parsers of JSON in Python, including those of frameworks, accept NaN, Infinity and 1e999.

    Raises:
        NotApprovableError: an argument is such a number.
    """
    try:
        json.dumps(to_json(call.args), allow_nan=False)
    except ValueError as error:
        raise NotApprovableError(
            f"{call.tool} did not run, because nobody can approve these arguments: NaN and infinite numbers aren't JSON"
        ) from error


def why_not_approvable(tool: str, error: UnprocessableError) -> str:
    """Returns the reason for the model why nobody can approve its call: no task can show these
    arguments.

    Raises:
        UnprocessableError: the error, if anything other than the arguments is invalid.
    """
    if not error.issues or any(not issue.pointer.startswith("/action/args") for issue in error.issues):
        raise error
    issues = "; ".join(f"{issue.pointer.removeprefix('/action/args')} {issue.message}" for issue in error.issues)
    return f"{tool} did not run, because nobody can approve these arguments: {issues}"


def why_not(tool: str, task: Task) -> str | None:
    """Returns the reason for the model why the call may not run, or None if it may."""
    try:
        raise_unless_approved(tool, task)
    except ApprovalError as error:
        return str(error)
    return None
