"""Tasks: request an approval from a human, and wait for the resolution."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from typing_extensions import Self

from ... import _request as api
from ..._responses import read_list, read_model
from ..._retry import Failure
from ..._task_wait import TaskWait, deadline_of
from ...errors import APIConnectionError, APIStatusError
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
from ..resource import Resource

log = logging.getLogger("svcforms")


class Tasks(Resource):
    """`client.tasks`. Scopes: `tasks:create`, `tasks:read`, `tasks:decide`, `tasks:manage`."""

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
        callback_retries: bool | None = None,
        assignee: str | None = None,
        policy: Mapping[str, Any] | None = None,
        remind_after_seconds: int | None = None,
        escalate_after_seconds: int | None = None,
        escalate_to: str | None = None,
        require_comment: Sequence[Literal["approved", "rejected"]] | None = None,
        reject_options: Sequence[str] | None = None,
        dedupe_key: str | None = None,
        action: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Task:
        """Creates a task without waiting for its resolution.

        Args:
            template_id: id of the task's form.
            title: the question, in one line.
            description: context for the reviewer, as Markdown.
            prefill: field name → initial value.
            editable_fields: fields that the reviewer may edit. Default: all in form mode, none in
                approval mode.
            decision_mode: the reviewer approves or rejects (`approval`), or submits the form
                (`form`).
            priority: the task's priority.
            expires_at: when the task expires, at least 60 seconds from now; alternative to
                `expires_in_seconds`.
            expires_in_seconds: 60 to 31 536 000. Default: a week.
            on_expiry: what happens when nobody decides in time. All values except `expire` need
                `tasks:decide`.
            callback_url: public HTTPS URL. The server sends one request to it when the task
                ends: when it is decided, expires or is cancelled.
            callback_secret: secret that signs the callback; check it with `verify_webhook`.
            callback_retries: whether the server repeats a callback that failed, on the retry
                schedule of webhooks. Each attempt has the same `webhook-id`.
            assignee: id or email of the user who should decide.
            policy: who decides, and how many people must approve:
                `{"approvals": 2, "users": [ids], "groups": [ids]}`. Default: the policy of the form.
            remind_after_seconds: seconds until those who haven't voted get one reminder.
            escalate_after_seconds: seconds until the members of `escalate_to` may decide too.
            escalate_to: id of the group.
            require_comment: outcomes that need a comment.
            reject_options: reasons that a reviewer can select for a rejection.
            dedupe_key: a second request with the same key always returns the first task. It raises
                `DedupeKeyReusedError` if the template, title, description, prefill, editable fields,
                decision mode, action or policy differs.
            action: `{"tool": …, "args": {…}}`, what runs after the approval. The reviewer sees it,
                and `task.receipt` of the approved task is bound to it; see `receipts.redeem`.
            metadata: your own data, at most 16 KiB as JSON.
            idempotency_key: a second request with the same key (within a day) returns the first
                task.
        """
        body = api.body(
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
            callback_retries=callback_retries,
            assignee=assignee,
            policy=policy,
            remind_after_seconds=remind_after_seconds,
            escalate_after_seconds=escalate_after_seconds,
            escalate_to=escalate_to,
            require_comment=require_comment,
            reject_options=reject_options,
            dedupe_key=dedupe_key,
            action=action,
            metadata=metadata,
        )
        request = api.create("/api/mcp/tasks", body, idempotency_key=idempotency_key)
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
        """Lists tasks, newest first by default.

        Args:
            status: only tasks with this status.
            priority: only tasks with this priority.
            template_id: only tasks of this form.
            assignee: only tasks assigned to the user with this id.
            q: only tasks whose title or description contains this text.
            sort: newest, highest priority, or earliest expiry first.
            limit: page size, 1 to 100.
            cursor: the position to start from.
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
        return Pager(self._transport, api.get("/api/mcp/tasks", query), Task)

    def get(self, task_id: str) -> Task:
        """Returns one task."""
        return read_model(Task, self._transport.send(api.get(_path(task_id))))

    def wait_for(self, task_id: str, timeout: float | None = None) -> Task:
        """Waits until the task is resolved: approved, rejected, submitted, expired or cancelled.

        The wait survives server restarts and broken connections.

        Args:
            task_id: id of the task.
            timeout: maximum seconds to wait. None waits until the task is
                resolved or expires.

        Raises:
            TaskTimeoutError: the task isn't resolved yet; `error.task` is its last known state.
            APIConnectionError: the server didn't respond to the first request and its retries.
        """
        return self._finish(TaskWait(task_id, timeout, max_retries=self._transport.max_retries))

    def _finish(self, wait: TaskWait) -> Task:
        while not isinstance(step := self._step(wait), Task):
            self._transport.sleep(step)
        return step

    def _step(self, wait: TaskWait) -> Task | float:
        """Sends one request of a wait. Returns the resolved task, or the seconds until the next
        request.
        """
        try:
            task = read_model(Task, self._transport.send(wait.next_request()))
        except (APIConnectionError, APIStatusError) as error:
            if not Failure(error).is_transient:
                raise
            delay = wait.delay_after(error)
            reason = str(error).splitlines()[0]
            log.info("waiting for task %s: %s; retrying in %.1f s", wait.task_id, reason, delay)
            return delay
        return task if wait.is_over(task) else wait.delay()

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
        callback_retries: bool | None = None,
        assignee: str | None = None,
        policy: Mapping[str, Any] | None = None,
        remind_after_seconds: int | None = None,
        escalate_after_seconds: int | None = None,
        escalate_to: str | None = None,
        require_comment: Sequence[Literal["approved", "rejected"]] | None = None,
        reject_options: Sequence[str] | None = None,
        dedupe_key: str | None = None,
        action: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Task:
        """Creates a task and waits for its resolution. Takes the arguments of `create` and
        `wait_for`.

        With a `dedupe_key`, a restarted program finds its earlier task.

        Raises:
            TaskTimeoutError: the task isn't resolved yet. Pass `error.task.id` to `wait_for` to
                wait again.
            APIConnectionError: the server didn't respond to the creation within the timeout, or 5
                seconds if that is longer.
        """
        deadline = deadline_of(timeout)
        task = self._until(deadline).create(
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
            callback_retries=callback_retries,
            assignee=assignee,
            policy=policy,
            remind_after_seconds=remind_after_seconds,
            escalate_after_seconds=escalate_after_seconds,
            escalate_to=escalate_to,
            require_comment=require_comment,
            reject_options=reject_options,
            dedupe_key=dedupe_key,
            action=action,
            metadata=metadata,
            idempotency_key=idempotency_key,
        )
        return task if task.is_settled else self._finish(self._wait_until(deadline, task))

    def _until(self, deadline: float) -> Self:
        return type(self)(self._transport.until(deadline))

    def _wait_until(self, deadline: float, task: Task, *, is_held: bool = True) -> TaskWait:
        """Starts the wait for a task that was just created."""
        timeout = deadline - time.monotonic()
        return TaskWait(task.id, timeout, max_retries=self._transport.max_retries, task=task, is_held=is_held)

    def claim(self, task_id: str) -> Task:
        """Claims a task, so that nobody else can decide it for 15 minutes.

        Raises:
            TaskClaimedError: somebody else has claimed the task.
        """
        # Not retryable: the server refuses a second claim, even from the holder of the first.
        request = api.act(_path(task_id, "/claim"))
        return read_model(Task, self._transport.send(request))

    def release(self, task_id: str) -> Task:
        """Releases a claimed task."""
        request = api.act(_path(task_id, "/release"), is_retryable=True)
        return read_model(Task, self._transport.send(request))

    def decide(
        self,
        task_id: str,
        outcome: TaskOutcome,
        *,
        fields: Mapping[str, Any] | None = None,
        comment: str | None = None,
        reject_option: str | None = None,
        values_digest: str | None = None,
    ) -> Task:
        """Decides a task, or votes on it: with a policy, the returned task can still be awaiting.

        The client doesn't retry this: after an `APIConnectionError`, check the task with `get`.

        Args:
            task_id: id of the task.
            outcome: `submitted` in form mode; `approved` or `rejected` in approval mode.
            fields: field name → new value, for editable fields.
            comment: the reviewer's comment.
            reject_option: one of the task's reject options.
            values_digest: that of the task as the reviewer saw it.

        Raises:
            TaskAlreadySettledError: the task is already resolved.
            TaskExpiredError: the task has expired.
            TaskClaimedError: somebody else has claimed the task.
            NotAReviewerError: the policy of the task doesn't let the caller vote.
            ConflictError: a vote changed the values since `values_digest`.
            UnprocessableError: a field isn't editable, or a value is invalid.
        """
        body = api.body(
            outcome=outcome,
            fields=fields,
            comment=comment,
            reject_option=reject_option,
            values_digest=values_digest,
        )
        return read_model(Task, self._transport.send(api.act(_path(task_id, "/decision"), body)))

    def delegate(self, task_id: str, to: str, *, comment: str | None = None) -> Task:
        """Hands your vote on a task with a policy to somebody else.

        Args:
            task_id: id of the task.
            to: id or email of the user who votes instead.
            comment: shown in the task's activity.

        Raises:
            NotAReviewerError: the policy of the task doesn't let the caller vote.
        """
        body = api.body(to=to, comment=comment)
        return read_model(Task, self._transport.send(api.act(_path(task_id, "/delegate"), body)))

    def cancel(self, task_id: str, *, reason: str | None = None) -> Task:
        """Cancels a task. A second cancellation changes nothing.

        Needs `tasks:manage`, or `tasks:create` for tasks that this key created.
        """
        request = api.act(_path(task_id, "/cancel"), api.body(reason=reason), is_retryable=True)
        return read_model(Task, self._transport.send(request))

    def delete(self, task_id: str) -> None:
        """Deletes a task and its submission, and erases their values."""
        self._transport.send(api.delete(_path(task_id)))

    def redeliver_callback(self, task_id: str) -> Task:
        """Sends the callback again.

        Needs `tasks:manage`, or `tasks:create` for tasks that this key created.
        """
        request = api.act(_path(task_id, "/callback/redeliver"))
        return read_model(Task, self._transport.send(request))

    def history(self, task_id: str) -> Sequence[TaskHistoryEntry]:
        """Returns the task's activity, oldest first."""
        response = self._transport.send(api.get(_path(task_id, "/history")))
        return read_list(TaskHistoryEntry, response)


def _path(task_id: str, rest: str = "") -> str:
    return api.path("/api/mcp/tasks/{}" + rest, task_id)
