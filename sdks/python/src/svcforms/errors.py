"""What can go wrong. Catch `SvcFormsError` for all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .models import Task

#: Every `code` of the API with its HTTP status. A newer server may answer codes that are not here.
ERROR_CODES: Mapping[str, int] = MappingProxyType(
    {
        "INVALID_BODY": 400,
        "UNAUTHORIZED": 401,
        "INVALID_SIGNATURE": 401,
        "ENDPOINT_DISABLED": 403,
        "PLAN_RESTRICTED": 403,
        "NOT_FOUND": 404,
        "ERASED": 410,
        "VALIDATION_FAILED": 422,
        "INSUFFICIENT_SCOPE": 403,
        "REAUTHENTICATION_REQUIRED": 403,
        "ORIGIN_NOT_ALLOWED": 403,
        "METHOD_NOT_ALLOWED": 405,
        "CONFLICT": 409,
        "PAYLOAD_TOO_LARGE": 413,
        "UNSUPPORTED_MEDIA_TYPE": 415,
        "RATE_LIMITED": 429,
        "IDEMPOTENCY_KEY_REUSED": 422,
        "DEDUPE_KEY_REUSED": 422,
        "IDEMPOTENCY_IN_PROGRESS": 409,
        "UNKNOWN_EVENT_TYPE": 400,
        "TOO_MANY_STREAMS": 429,
        "TASK_ALREADY_SETTLED": 409,
        "TASK_EXPIRED": 409,
        "TASK_CLAIMED": 409,
        "LOOP_DETECTED": 508,
        "UNAVAILABLE": 503,
        "INTERNAL": 500,
    }
)


class SvcFormsError(Exception):
    """The base of every exception that this package raises on purpose."""


class ConfigurationError(SvcFormsError, ValueError):
    """The client was made with settings that can't work: no API key, or a base URL that is none."""


class APIConnectionError(SvcFormsError):
    """No answer came: the server couldn't be reached, or the connection broke. `__cause__` says more."""


class APITimeoutError(APIConnectionError, TimeoutError):
    """No answer came in time."""


class UnexpectedAnswerError(SvcFormsError):
    """An answer came that is not of this API: something else listens at the base URL, or it is too new."""


@dataclass(frozen=True)
class Issue:
    """A value that was refused."""

    pointer: str
    """Where it stands in the body, as a JSON pointer; for a query its name after a slash."""
    message: str
    """What is expected there."""


class APIStatusError(SvcFormsError):
    """The server refused. The subclasses go by HTTP status; `code` is the finer distinction."""

    status: int
    """HTTP status."""
    code: str | None
    """One of `ERROR_CODES`; None where the answer is not the API's own, such as that of a proxy."""
    message: str
    """What was wrong and what to do instead, for people."""
    request_id: str | None
    """What the server's log calls this request."""
    issues: Sequence[Issue]
    """The refused values."""
    problem: Mapping[str, Any]
    """The whole problem object (RFC 9457), with further members such as `requiredScope`."""
    retry_after: float | None
    """Seconds that the server asked to wait."""

    def __init__(
        self,
        *,
        status: int,
        message: str,
        code: str | None = None,
        request_id: str | None = None,
        issues: Sequence[Issue] = (),
        problem: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.status = status
        self.code = code
        self.message = message
        self.request_id = request_id
        self.issues = tuple(issues)
        self.problem = dict(problem or {})
        self.retry_after = retry_after
        super().__init__(message)

    def __str__(self) -> str:
        known = " ".join(part for part in (str(self.status), self.code) if part)
        asked = f" (request {self.request_id})" if self.request_id else ""
        more = "".join(f"\n  {issue.pointer or '/'}: {issue.message}" for issue in self.issues[1:])
        return f"{known}: {self.message}{asked}{more}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), dict(self.__dict__))


def _restore(kind: type[APIStatusError], members: dict[str, Any]) -> APIStatusError:
    """For `pickle`, which process pools use; exceptions with keyword arguments don't manage by themselves."""
    return kind(**members)


class BadRequestError(APIStatusError):
    """400: the body is not what the call takes, or an event type that there isn't."""


class AuthenticationError(APIStatusError):
    """401: the API key (or an inbound token or signature) is missing or not valid."""


class PermissionDeniedError(APIStatusError):
    """403: the key lacks a scope, or the plan or the form doesn't allow it."""

    @property
    def required_scope(self) -> str | None:
        """The scope that the key lacks, if that is why."""
        return self.problem.get("requiredScope")


class NotFoundError(APIStatusError):
    """404: there is no such thing, or it belongs to another account."""


class ConflictError(APIStatusError):
    """409: it doesn't fit the present state."""


class TaskAlreadySettledError(ConflictError):
    """409 TASK_ALREADY_SETTLED: somebody (or time) was faster."""


class TaskExpiredError(ConflictError):
    """409 TASK_EXPIRED: nobody decided in time."""


class TaskClaimedError(ConflictError):
    """409 TASK_CLAIMED: somebody else is at it."""


class UnprocessableError(APIStatusError):
    """422: some values are not taken; `issues` names each."""


class DedupeKeyReusedError(UnprocessableError):
    """422 DEDUPE_KEY_REUSED: the key belongs to a task that asks for something else; `issues` names what differs."""


class RateLimitError(APIStatusError):
    """429: too many requests, or too many open streams."""


class ServerError(APIStatusError):
    """5xx: it went wrong on the server's side, or it is not possible at the moment."""


class StreamGapError(SvcFormsError):
    """Events between the last one that was seen and the next one can't be had any more."""

    def __init__(self, reason: str, requested_id: str | None, first_available_id: str | None) -> None:
        self.reason = reason
        """`expired` (too long ago), `unknown` (not an id of this server's log)."""
        self.requested_id = requested_id
        """The id that the stream was to go on after."""
        self.first_available_id = first_available_id
        """The oldest event that is still there, if any."""
        super().__init__(
            f"Events after {requested_id} are missing ({reason}); the first one still there is "
            f"{first_available_id}. Look up what you missed (tasks.list), then open a new stream"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.requested_id, self.first_available_id)


SignatureProblem = Literal["ill_formed", "no_match", "too_old", "too_new"]


class SignatureVerificationError(SvcFormsError):
    """The bytes were not signed with this secret, or not lately. Answer 400 or 401, and use nothing of them."""

    def __init__(self, code: SignatureProblem, message: str) -> None:
        self.code: SignatureProblem = code
        """What is wrong with the signature."""
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, str(self))


class _TaskError(SvcFormsError):
    def __init__(self, message: str, task: Task) -> None:
        self.task = task
        """The task as it was seen last."""
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.task)


class TaskTimeoutError(_TaskError, TimeoutError):
    """The task wasn't settled in the time that was given. It goes on: `wait_for(error.task.id)` waits again."""


class ApprovalError(_TaskError):
    """A function that needs approval did not run."""


class ApprovalRejectedError(ApprovalError):
    """The reviewer said no; `task.comment` and `task.reject_option` may say why."""


class ApprovalExpiredError(ApprovalError):
    """Nobody decided before the task expired."""


class ApprovalCancelledError(ApprovalError):
    """The task was cancelled before anybody decided."""
