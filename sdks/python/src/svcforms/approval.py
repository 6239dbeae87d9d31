"""Functions that run only when a human has said yes."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import inspect
import json
import math
import pprint
import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, cast

from ._async.client import AsyncSvcForms
from ._sync.client import SvcForms
from .errors import ApprovalCancelledError, ApprovalError, ApprovalExpiredError, ApprovalRejectedError
from .models import Task, TaskPriority

P = ParamSpec("P")
R = TypeVar("R")

SHORTEST_EXPIRY = 60
LONGEST_SHOWN = 500


def require_approval(
    client: SvcForms | AsyncSvcForms,
    template_id: str,
    *,
    title: str | Callable[..., str] | None = None,
    description: str | Callable[..., str] | None = None,
    prefill: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
    editable_fields: Sequence[str] = (),
    priority: TaskPriority = "normal",
    assignee: str | None = None,
    timeout: float | None = None,
    require_comment: Sequence[Literal["approved", "rejected"]] | None = None,
    reject_options: Sequence[str] | None = None,
    dedupe_key: Callable[..., str] | Literal["arguments"] | None = "arguments",
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator: each call asks a human first, and runs only when approved.

    Functions may be `async def` or not. A synchronous client waits in a thread where the function is `async def`;
    an asynchronous client needs such a function. Where a callable is taken, it gets the call's own arguments.

    Args:
        client: who asks.
        template_id: id of the form that the tasks are about.
        title: what is asked; absent: the function's name.
        description: Markdown; absent: the call with its arguments, so that the reviewer sees what will run.
        prefill: field name → value; absent: the `editable_fields` with the values of their arguments.
        editable_fields: parameters of the function that the reviewer may change. They are fields of the form too,
            and the function runs with what was approved.
        priority: how urgent it is.
        assignee: id or e-mail of the user who should decide.
        timeout: how many seconds to wait (and then for the task to expire, though not before a minute, so that
            nobody approves what no one waits for); absent: a week.
        require_comment: outcomes that need a comment.
        reject_options: reasons that a rejection can pick from.
        dedupe_key: the same key is the same question, forever, whatever its answer was: a program that was restarted
            finds the task. `arguments`: derived from the function, all its arguments (which must be JSON values) and
            what is asked. A callable: your own key; the same key with another question is refused. None: every call
            asks again.

    Raises:
        ApprovalRejectedError: from the call; the reviewer said no.
        ApprovalExpiredError: from the call; nobody decided in time.
        ApprovalCancelledError: from the call; the task was cancelled.
        TaskTimeoutError: from the call; the timeout came before the task's own expiry.
        DedupeKeyReusedError: from the call; your own key belongs to another question.
        TypeError: at decoration; an editable field is no parameter, or a plain function has an asynchronous client.
            From the call; an argument is no JSON value, and there is no `dedupe_key` of your own.

    Example:
        ```python
        @require_approval(client, form_id, title="Refund?", editable_fields=["amount"])
        def refund(order: str, amount: float) -> None: ...
        ```
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        unknown = [name for name in editable_fields if name not in signature.parameters]
        if unknown:
            raise TypeError(f"{function.__qualname__} has no parameter {', '.join(unknown)} (editable_fields)")

        def request(values: Mapping[str, Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
            def of_call(value: Any) -> Any:
                return value(*args, **kwargs) if callable(value) else value

            question = {
                "title": of_call(title) or f"Run {function.__qualname__}?",
                "description": of_call(description) or _shown(function.__qualname__, values),
                "prefill": of_call(prefill) or {name: values[name] for name in editable_fields},
                "editable_fields": list(editable_fields),
            }
            if dedupe_key == "arguments":
                key = _derived_key(function, values, {"template_id": template_id, **question})
            else:
                key = of_call(dedupe_key)
            return {
                **question,
                "priority": priority,
                "assignee": assignee,
                "expires_in_seconds": None if timeout is None else max(SHORTEST_EXPIRY, math.ceil(timeout)),
                "require_comment": require_comment,
                "reject_options": reject_options,
                "dedupe_key": key,
                "timeout": timeout,
            }

        def bind(args: Any, kwargs: Any) -> inspect.BoundArguments:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            return bound

        def settle(bound: inspect.BoundArguments, task: Task) -> None:
            _refuse_unless_approved(function.__qualname__, task)
            approved = task.form_data or {}
            bound.arguments.update({name: approved[name] for name in editable_fields if name in approved})

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def run_later(*args: P.args, **kwargs: P.kwargs) -> Any:
                bound = bind(args, kwargs)
                asked = request(bound.arguments, args, kwargs)
                if isinstance(client, AsyncSvcForms):
                    task = await client.tasks.request_and_wait(template_id, **asked)
                else:
                    task = await asyncio.to_thread(client.tasks.request_and_wait, template_id, **asked)
                settle(bound, task)
                return await cast("Callable[..., Coroutine[Any, Any, Any]]", function)(*bound.args, **bound.kwargs)

            return cast("Callable[P, R]", run_later)

        if not isinstance(client, SvcForms):
            raise TypeError(
                f"{function.__qualname__} is no coroutine function, so it can't wait for an asynchronous client; "
                "make it async def, or give a SvcForms client"
            )

        tasks = client.tasks

        @functools.wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = bind(args, kwargs)
            settle(bound, tasks.request_and_wait(template_id, **request(bound.arguments, args, kwargs)))
            return cast("Callable[..., R]", function)(*bound.args, **bound.kwargs)

        return run

    return decorate


_FAILURES: Mapping[str, tuple[type[ApprovalError], str]] = {
    "rejected": (ApprovalRejectedError, "was rejected"),
    "expired": (ApprovalExpiredError, "was not approved in time"),
    "cancelled": (ApprovalCancelledError, "was cancelled"),
}


def _refuse_unless_approved(name: str, task: Task) -> None:
    if task.status == "approved":
        return
    kind, what = _FAILURES.get(task.status, (ApprovalError, f"was {task.status}"))
    reasons = "; ".join(reason for reason in (task.reject_option, task.comment) if reason)
    raise kind(f"{name} {what} (task {task.id}){': ' + reasons if reasons else ''}", task)


def _derived_key(function: Callable[..., Any], arguments: Mapping[str, Any], question: Mapping[str, Any]) -> str:
    """The same for the same function, arguments and question, in every process."""
    name = function.__qualname__

    def canonical(what: str, value: Any) -> str:
        try:
            _refuse_other_keys(value)
            return json.dumps(value, sort_keys=True, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise TypeError(
                f"{name}: {what} is no JSON value ({error}), so no dedupe key can be derived from it; pass dedupe_key= "
                "a function that names the call by its arguments, or None to ask at every call"
            ) from error

    parts = [function.__module__, name]
    parts += [canonical(f"the argument {parameter}", {parameter: value}) for parameter, value in arguments.items()]
    parts += [canonical(f"the {part}", {part: value}) for part, value in question.items()]
    return f"call-{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}"


def _refuse_other_keys(value: Any) -> None:
    """`json` writes 1 and "1" as the same key."""
    if isinstance(value, dict):
        for key, member in value.items():  # pyright: ignore[reportUnknownVariableType]
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is no string")
            _refuse_other_keys(member)
    elif isinstance(value, list | tuple):
        for member in cast("list[Any]", value):
            _refuse_other_keys(member)


def _shown(name: str, arguments: Mapping[str, Any]) -> str:
    """The call as Markdown code, indented, so that no argument can end the block.

    It is the same in every process, because the server compares it: keys are sorted, addresses left out.
    """
    lines = [f"    {name}("]
    for parameter, value in arguments.items():
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", pprint.saferepr(value))
        shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}… ({len(text)} characters)"
        lines.append(f"        {parameter}={' '.join(shown.splitlines())},")
    return "\n".join([*lines, "    )"])
