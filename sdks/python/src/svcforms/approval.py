"""Functions that run only after a human approves the call."""

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
from ._coroutines import request_and_wait
from ._sync.client import SvcForms
from .errors import (
    APIStatusError,
    ApprovalCancelledError,
    ApprovalError,
    ApprovalExpiredError,
    ApprovalRejectedError,
    ApprovalUsedError,
)
from .models import Task, TaskPriority

P = ParamSpec("P")
R = TypeVar("R")

SHORTEST_EXPIRY = 60
#: Seconds to wait for the expiry beyond the timeout: the task is created after the call starts.
EXPIRY_GRACE = 30
LONGEST_VALUE = 500


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
    policy: Mapping[str, Any] | None = None,
    once: bool = False,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator that creates a task for each call and runs the function only after approval.

    It accepts plain functions and `async def` functions. For an `async def` function, a synchronous
    client asks for the resolution every few seconds, in a thread. An asynchronous client requires
    an `async def` function. The decorator calls each callable option with the arguments of the call.

    Args:
        client: the client that creates the tasks.
        template_id: id of the tasks' form.
        title: the question. Default: the function's name.
        description: context for the reviewer, as Markdown. Default: the call with its arguments.
        prefill: field name → value. Default: the `editable_fields` with the values of their
            arguments.
        editable_fields: parameters that the reviewer may edit. The form needs fields with the same
            names. The function runs with the approved values. One that the reviewer cleared is
            None, or an empty text if the argument was text.
        priority: the task's priority.
        assignee: id or email of the user who should decide.
        timeout: seconds to wait. The task expires at the same time, but after a minute at the
            earliest. Default: wait for the resolution; the task expires after a week.
        require_comment: outcomes that need a comment.
        reject_options: reasons that a reviewer can select for a rejection.
        dedupe_key: calls with the same key share one task and its resolution, so a restarted
            program finds its task. `arguments` derives the key from the function, its arguments
            (which must be JSON values) and the question. A callable returns your own key; the
            server refuses the same key for another question. None creates a task for every call.
        policy: who decides, and how many people must approve.
        once: binds the approval to the function and its arguments (which must be JSON values), and
            lets it run once. The reviewer sees the arguments as they will run, so they can't edit
            them. Right before the function runs, the call redeems the receipt of the approval.

    Raises:
        ApprovalRejectedError: from the call: the reviewer rejected the task.
        ApprovalExpiredError: from the call: nobody decided in time.
        ApprovalCancelledError: from the call: the task was cancelled.
        ApprovalUsedError: from the call, with `once`: an earlier call has used the approval.
        TaskTimeoutError: from the call: the timeout is shorter than a minute and ended before the
            task expired, or the server was unavailable when it expired.
        DedupeKeyReusedError: from the call: your own key belongs to a task with another question.
        TypeError: from the decorator: an editable field isn't a parameter, there are editable
            fields with `once`, or the client is asynchronous and the function isn't. From the call:
            an argument isn't a JSON value, and `dedupe_key` is the default or `once` is set.

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
        if once and editable_fields:
            raise TypeError(f"{function.__qualname__}: with once, nobody can edit the arguments (editable_fields)")

        def request(values: Mapping[str, Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
            def of_call(value: Any) -> Any:
                return value(*args, **kwargs) if callable(value) else value

            question = {
                "title": of_call(title) or f"Run {function.__qualname__}?",
                "description": of_call(description) or _format_call(function.__qualname__, values),
                "prefill": of_call(prefill) or {name: values[name] for name in editable_fields},
                "editable_fields": list(editable_fields),
            }
            # Absent by default, so that keys of earlier versions stay the same.
            bound_to = {name: value for name, value in {"policy": policy, "once": once}.items() if value}
            if dedupe_key == "arguments":
                key = _derived_key(function, values, {"template_id": template_id, **question, **bound_to})
            else:
                key = of_call(dedupe_key)
            return {
                **question,
                "action": {"tool": function.__qualname__, "args": action_args(values)} if once else None,
                "policy": policy,
                "priority": priority,
                "assignee": assignee,
                "require_comment": require_comment,
                "reject_options": reject_options,
                "dedupe_key": key,
                **_limits(timeout),
            }

        def action_args(values: Mapping[str, Any]) -> dict[str, Any]:
            return {name: json.loads(_canonical(function, f"the argument {name}", values[name])) for name in values}

        def bind(args: Any, kwargs: Any) -> inspect.BoundArguments:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            return bound

        def apply_approval(bound: inspect.BoundArguments, task: Task) -> None:
            raise_unless_approved(function.__qualname__, task)
            approved = task.form_data or {}
            for name in editable_fields:
                if name in approved:
                    is_cleared = approved[name] == "" and not isinstance(bound.arguments[name], str)
                    bound.arguments[name] = None if is_cleared else approved[name]

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def run_async(*args: P.args, **kwargs: P.kwargs) -> Any:
                bound = bind(args, kwargs)
                options = request(bound.arguments, args, kwargs)
                task = await request_and_wait(client, template_id, **options)
                apply_approval(bound, task)
                if once:
                    try:
                        if isinstance(client, AsyncSvcForms):
                            await client.receipts.redeem(_receipt(task), action_args(bound.arguments))
                        else:
                            await asyncio.to_thread(
                                client.receipts.redeem, _receipt(task), action_args(bound.arguments)
                            )
                    except APIStatusError as error:
                        raise refusal(function.__qualname__, task, error) from error
                return await cast("Callable[..., Coroutine[Any, Any, Any]]", function)(*bound.args, **bound.kwargs)

            return cast("Callable[P, R]", run_async)

        if not isinstance(client, SvcForms):
            raise TypeError(
                f"{function.__qualname__} is not a coroutine function, so it can't use an asynchronous client; "
                "make it async def, or pass a SvcForms client"
            )

        tasks, receipts = client.tasks, client.receipts

        @functools.wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = bind(args, kwargs)
            task = tasks.request_and_wait(template_id, **request(bound.arguments, args, kwargs))
            apply_approval(bound, task)
            if once:
                try:
                    receipts.redeem(_receipt(task), action_args(bound.arguments))
                except APIStatusError as error:
                    raise refusal(function.__qualname__, task, error) from error
            return cast("Callable[..., R]", function)(*bound.args, **bound.kwargs)

        return run

    return decorate


_FAILURES: Mapping[str, tuple[type[ApprovalError], str]] = {
    "rejected": (ApprovalRejectedError, "was rejected"),
    "expired": (ApprovalExpiredError, "was not approved in time"),
    "cancelled": (ApprovalCancelledError, "was cancelled"),
}


def raise_unless_approved(name: str, task: Task) -> None:
    """Raises the `ApprovalError` for a resolution that isn't an approval."""
    if task.status == "approved":
        return
    kind, resolution = _FAILURES.get(task.status, (ApprovalError, f"was {task.status}"))
    reasons = "; ".join(reason for reason in (task.reject_option, task.comment) if reason)
    raise kind(f"{name} {resolution} (task {task.id}){': ' + reasons if reasons else ''}", task)


def _limits(timeout: float | None) -> dict[str, Any]:
    """Returns when the task expires, and how long the call waits for its resolution.

    If the task expires at the timeout, the expiry ends the wait, so that the caller hears of it.
    """
    if timeout is None:
        return {"expires_in_seconds": None, "timeout": None}
    expiry = max(SHORTEST_EXPIRY, math.ceil(timeout))
    return {"expires_in_seconds": expiry, "timeout": timeout if timeout < SHORTEST_EXPIRY else expiry + EXPIRY_GRACE}


def _derived_key(function: Callable[..., Any], arguments: Mapping[str, Any], question: Mapping[str, Any]) -> str:
    """Derives a key that is the same in every process for the same function, arguments and
    question.
    """
    parts = [function.__module__, function.__qualname__]
    parts += [_canonical(function, f"the argument {name}", {name: value}) for name, value in arguments.items()]
    parts += [_canonical(function, f"the {part}", {part: value}) for part, value in question.items()]
    return f"call-{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}"


def _canonical(function: Callable[..., Any], subject: str, value: Any) -> str:
    try:
        _check_keys(value)
        return json.dumps(value, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(
            f"{function.__qualname__}: {subject} is not a JSON value ({error}), so the dedupe key can't be derived "
            "from it; pass dedupe_key= a function that returns a key for the arguments, or None to create a task for "
            "every call. `once` always needs JSON values"
        ) from error


def _receipt(task: Task) -> str:
    if task.receipt is None:
        raise ApprovalError(f"Task {task.id} was approved without a receipt", task)
    return task.receipt


#: The codes of `POST /api/mcp/receipts/redeem` that say why the action must not run.
_REFUSALS = {"ACTION_CHANGED", "RECEIPT_EXPIRED", "INVALID_RECEIPT"}


def refusal(tool: str, task: Task, error: APIStatusError) -> Exception:
    """Returns the exception for a receipt that couldn't be redeemed."""
    if error.code == "RECEIPT_REDEEMED":
        return ApprovalUsedError(
            f"{tool} did not run again (task {task.id}): an earlier call has used the approval. "
            "That call may have run; check before you request it again",
            task,
        )
    if error.code in _REFUSALS:
        return ApprovalError(f"{tool} did not run (task {task.id}): {error.message}", task)
    return error


def _check_keys(value: Any) -> None:
    """Refuses keys that aren't strings, because `json` serializes the keys 1 and "1" the same."""
    if isinstance(value, dict):
        for key, member in value.items():  # pyright: ignore[reportUnknownVariableType]
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is not a string")
            _check_keys(member)
    elif isinstance(value, list | tuple):
        for member in cast("list[Any]", value):
            _check_keys(member)


def _format_call(name: str, arguments: Mapping[str, Any]) -> str:
    """Formats the call as an indented Markdown code block, which no argument can close.

    The server compares the text, so it is the same in every process: sorted keys and members of
    sets (except where a `repr` of their own writes them), no memory addresses.
    """
    lines = [f"    {name}("]
    for parameter, value in arguments.items():
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", _Printer().format(value, {}, 0, 0)[0])
        short = text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}… ({len(text)} characters)"
        lines.append(f"        {parameter}={' '.join(short.splitlines())},")
    return "\n".join([*lines, "    )"])


class _Printer(pprint.PrettyPrinter):
    """`pprint.saferepr`, which sorts keys, but not sets: their order differs in each process."""

    def format(self, object: Any, context: dict[int, int], maxlevels: int, level: int) -> tuple[str, bool, bool]:  # noqa: A002
        value: Any = object
        if not isinstance(value, set | frozenset) or not value:
            return super().format(object, context, maxlevels, level)
        texts = [self.format(one, context, maxlevels, level)[0] for one in cast("Any", value)]
        text = f"{{{', '.join(sorted(texts))}}}"
        return text if isinstance(value, set) else f"frozenset({text})", False, False
