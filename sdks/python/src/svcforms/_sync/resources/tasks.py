"""Tasks: asking a human, and waiting for the answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from ... import _call as call
from ..._answers import read_list, read_model
from ..._waiting import Waiting
from ...errors import APIConnectionError, RateLimitError, ServerError
from ...models import (
    DecisionMode,
    ExpiryRule,
    Task,
    TaskHistoryEntry,
    TaskOutcome,
    TaskPriority,
    TaskStatus,
)
from ..pages import Pager
from ..transport import Transport

log = logging.getLogger("svcforms")


class Tasks:
    """`client.tasks`. Scopes: `tasks:create`, `tasks:read`, `tasks:decide`, `tasks:manage`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        template_id: str,
        *,
        title: str | None = None,
        description: str | None = None,
        prefill: Mapping[str, Any] | None = None,
        editable_fields: Sequence[str] | None = None,
        decision_mode: DecisionMode = "approval",
        priority: TaskPriority = "normal",
        expires_at: datetime | None = None,
        expires_in_seconds: int | None = None,
        on_expiry: ExpiryRule = "expire",
        callback_url: str | None = None,
        callback_secret: str | None = None,
        assignee: str | None = None,
        require_comment: Sequence[Literal["approved", "rejected"]] | None = None,
        reject_options: Sequence[str] | None = None,
        dedupe_key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Task:
        """Asks a human, and doesn't wait.

        Args:
            template_id: id of the form that the task is about.
            title: what is asked, in a line.
            description: all that the reviewer should know, as Markdown.
            prefill: field name → value to begin with.
            editable_fields: fields that the reviewer may change. Absent: all in form mode, none in approval mode.
            decision_mode: `approval` is approved or rejected; `form` is filled in and submitted.
            priority: how urgent it is.
            expires_at: when it expires, at least 60 seconds from now; or give `expires_in_seconds`.
            expires_in_seconds: 60 to 31 536 000; absent, as `expires_at`: a week.
            on_expiry: what happens to a task that nobody decided in time; all but `expire` needs `tasks:decide`.
            callback_url: public HTTPS address that is told once, when the task is completed.
            callback_secret: signs the callback; `verify_webhook` checks it.
            assignee: id or e-mail of the user who should decide.
            require_comment: outcomes that need a comment.
            reject_options: reasons that a rejection can pick from.
            dedupe_key: a second request with the same key gets the first task, forever; with another template, title,
                description, prefill, editable fields or decision mode it raises `DedupeKeyReusedError`.
            metadata: whatever you want to find again; at most 16 KiB as JSON.
            idempotency_key: a second call with the same key (within a day) gives the task of the first one.
        """
        body = call.given(
            template_id=template_id,
            title=title,
            description=description,
            prefill=prefill,
            editable_fields=editable_fields,
            decision_mode=decision_mode,
            priority=priority,
            expires_at=expires_at,
            expires_in_seconds=expires_in_seconds,
            on_expiry=on_expiry,
            callback_url=callback_url,
            callback_secret=callback_secret,
            assignee=assignee,
            require_comment=require_comment,
            reject_options=reject_options,
            dedupe_key=dedupe_key,
            metadata=metadata,
        )
        request = call.create("/api/mcp/tasks", body, idempotency_key=idempotency_key)
        response = self._transport.send(request)
        task = read_model(Task, response)
        task._event_cursor = response.headers.get("svc-event-cursor")
        return task

    def list(
        self,
        *,
        status: TaskStatus | None = None,
        priority: TaskPriority | None = None,
        template_id: str | None = None,
        assignee: str | None = None,
        q: str | None = None,
        sort: Literal["createdAt", "priority", "expiresAt"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pager[Task]:
        """Tasks, by default newest first.

        Args:
            status: where they are.
            priority: how urgent they are.
            template_id: about which form.
            assignee: id of the user who should decide.
            q: text that the title or the description contains.
            sort: newest, most urgent, or soonest to expire first.
            limit: how many are fetched at a time, 1 to 100.
            cursor: where to begin.
        """
        query = {
            "status": status,
            "priority": priority,
            "templateId": template_id,
            "assignee": assignee,
            "q": q,
            "sort": sort,
            "limit": limit,
            "cursor": cursor,
        }
        return Pager(self._transport, call.get("/api/mcp/tasks", query), Task)

    def get(self, task_id: str) -> Task:
        """One task as it is now."""
        return read_model(Task, self._transport.send(call.get(_path(task_id))))

    def wait_for(self, task_id: str, timeout: float | None = None) -> Task:
        """Waits until the task is settled: approved, rejected, submitted, expired or cancelled.

        It goes on through restarts of the server and broken connections.

        Args:
            task_id: which task.
            timeout: how many seconds at most; None: until it is settled, which it is at `expires_at` at the latest.

        Raises:
            TaskTimeoutError: it isn't settled yet; `error.task` is the task as it is.
        """
        waiting = Waiting(task_id, timeout)
        while True:
            try:
                task = read_model(Task, self._transport.send(waiting.next_call()))
            except (APIConnectionError, ServerError, RateLimitError) as error:
                pause = waiting.pause_after(error)
                log.info("waiting for task %s: %s", task_id, str(error).splitlines()[0])
            else:
                if waiting.saw(task):
                    return task
                pause = waiting.pause()
            self._transport.sleep(pause)

    def request_and_wait(
        self,
        template_id: str,
        *,
        timeout: float | None = None,
        title: str | None = None,
        description: str | None = None,
        prefill: Mapping[str, Any] | None = None,
        editable_fields: Sequence[str] | None = None,
        decision_mode: DecisionMode = "approval",
        priority: TaskPriority = "normal",
        expires_at: datetime | None = None,
        expires_in_seconds: int | None = None,
        on_expiry: ExpiryRule = "expire",
        callback_url: str | None = None,
        callback_secret: str | None = None,
        assignee: str | None = None,
        require_comment: Sequence[Literal["approved", "rejected"]] | None = None,
        reject_options: Sequence[str] | None = None,
        dedupe_key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Task:
        """Asks a human and waits for the answer: `create`, then `wait_for`. Arguments are those of the two.

        With a `dedupe_key`, a program that was restarted finds the question that it asked before.

        Raises:
            TaskTimeoutError: it isn't settled yet; `error.task.id` can be waited for again.
        """
        began = time.monotonic()
        task = self.create(
            template_id,
            title=title,
            description=description,
            prefill=prefill,
            editable_fields=editable_fields,
            decision_mode=decision_mode,
            priority=priority,
            expires_at=expires_at,
            expires_in_seconds=expires_in_seconds,
            on_expiry=on_expiry,
            callback_url=callback_url,
            callback_secret=callback_secret,
            assignee=assignee,
            require_comment=require_comment,
            reject_options=reject_options,
            dedupe_key=dedupe_key,
            metadata=metadata,
            idempotency_key=idempotency_key,
        )
        if task.is_settled:
            return task
        rest = None if timeout is None else max(0.0, timeout - (time.monotonic() - began))
        return self.wait_for(task.id, rest)

    def claim(self, task_id: str) -> Task:
        """Keeps others from deciding for 15 minutes.

        Raises:
            TaskClaimedError: somebody else is at it.
        """
        # Once: a second claim is refused, also to whoever holds the task.
        request = call.act(_path(task_id, "/claim"))
        return read_model(Task, self._transport.send(request))

    def release(self, task_id: str) -> Task:
        """Gives a claimed task back."""
        request = call.act(_path(task_id, "/release"), repeatable=True)
        return read_model(Task, self._transport.send(request))

    def decide(
        self,
        task_id: str,
        outcome: TaskOutcome,
        *,
        fields: Mapping[str, Any] | None = None,
        comment: str | None = None,
        reject_option: str | None = None,
    ) -> Task:
        """Settles a task. It is not sent twice: after an `APIConnectionError`, `get` tells whether it was settled.

        Args:
            task_id: which task.
            outcome: `submitted` in form mode; `approved` or `rejected` in approval mode.
            fields: changed values by field name, of the editable fields.
            comment: why.
            reject_option: one of the task's reject options.

        Raises:
            TaskAlreadySettledError: somebody was faster.
            TaskExpiredError: time was faster.
            TaskClaimedError: somebody else is at it.
            UnprocessableError: a field that may not be changed, or values that the form doesn't take.
        """
        body = call.given(outcome=outcome, fields=fields, comment=comment, reject_option=reject_option)
        return read_model(Task, self._transport.send(call.act(_path(task_id, "/decision"), body)))

    def cancel(self, task_id: str, *, reason: str | None = None) -> Task:
        """Takes the question back; a second time changes nothing."""
        request = call.act(_path(task_id, "/cancel"), call.given(reason=reason), repeatable=True)
        return read_model(Task, self._transport.send(request))

    def delete(self, task_id: str) -> None:
        """Deletes a task with the submission that it made, and erases their values."""
        self._transport.send(call.delete(_path(task_id)))

    def redeliver_callback(self, task_id: str) -> Task:
        """POSTs to the callback address once more."""
        request = call.act(_path(task_id, "/callback/redeliver"))
        return read_model(Task, self._transport.send(request))

    def history(self, task_id: str) -> Sequence[TaskHistoryEntry]:
        """Who did what, and when; oldest first."""
        response = self._transport.send(call.get(_path(task_id, "/history")))
        return read_list(TaskHistoryEntry, response)


def _path(task_id: str, rest: str = "") -> str:
    return call.path("/api/mcp/tasks/{}" + rest, task_id)
