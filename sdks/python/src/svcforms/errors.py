"""Exceptions. `SvcFormsError` is the base class of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .models import Task

#: Every `code` of the API with its HTTP status. A newer server may return other codes too.
ERROR_CODES: Mapping[str, int] = MappingProxyType(
    {
        "INVALID_BODY": 400,
        "UNAUTHORIZED": 401,
        "SECOND_FACTOR_REQUIRED": 401,
        "INVALID_SIGNATURE": 401,
        "ENDPOINT_DISABLED": 403,
        "PLAN_RESTRICTED": 403,
        "NOT_FOUND": 404,
        "ERASED": 410,
        "VALIDATION_FAILED": 422,
        "INSUFFICIENT_SCOPE": 403,
        "REAUTHENTICATION_REQUIRED": 403,
        "PASSWORD_CHANGE_REQUIRED": 403,
        "SINGLE_SIGN_ON_REQUIRED": 403,
        "FORM_CLOSED": 403,
        "ORIGIN_NOT_ALLOWED": 403,
        "METHOD_NOT_ALLOWED": 405,
        "CONFLICT": 409,
        "PAYLOAD_TOO_LARGE": 413,
        "UNSUPPORTED_MEDIA_TYPE": 415,
        "RATE_LIMITED": 429,
        "IDEMPOTENCY_KEY_REUSED": 422,
        "DEDUPE_KEY_REUSED": 422,
        "INVALID_RECEIPT": 422,
        "RECEIPT_EXPIRED": 422,
        "ACTION_CHANGED": 422,
        "RECEIPT_REDEEMED": 409,
        "IDEMPOTENCY_IN_PROGRESS": 409,
        "UNKNOWN_EVENT_TYPE": 400,
        "TOO_MANY_STREAMS": 429,
        "TASK_ALREADY_SETTLED": 409,
        "TASK_EXPIRED": 409,
        "NOT_A_REVIEWER": 403,
        "TASK_CLAIMED": 409,
        "LOOP_DETECTED": 508,
        "UNAVAILABLE": 503,
        "INTERNAL": 500,
    }
)


class SvcFormsError(Exception):
    """The base class of this package's exceptions."""


class ConfigurationError(SvcFormsError, ValueError):
    """Invalid settings: the API key is missing, or the base URL isn't a URL."""


class APIConnectionError(SvcFormsError):
    """The server didn't respond: it is unreachable, or the connection broke. `__cause__` contains
    the reason.
    """


class APITimeoutError(APIConnectionError, TimeoutError):
    """The request timed out."""


class UnexpectedAnswerError(SvcFormsError):
    """The response isn't one of this API: the base URL is wrong, or the server is newer than this
    package.
    """


@dataclass(frozen=True)
class Issue:
    """An invalid value of a request."""

    pointer: str
    """JSON pointer to the value in the body, or a slash and the name of a query parameter."""
    message: str
    """What the server expects."""


class APIStatusError(SvcFormsError):
    """The server refused the request. Each status has a subclass; `code` identifies the error."""

    status: int
    """HTTP status."""
    code: str | None
    """One of `ERROR_CODES`; None if the response isn't the API's own, for example a proxy's."""
    message: str
    """A readable explanation."""
    request_id: str | None
    """The id of this request in the server's log."""
    issues: Sequence[Issue]
    """The invalid values."""
    problem: Mapping[str, Any]
    """The whole problem object (RFC 9457), with additional members such as `requiredScope`."""
    retry_after: float | None
    """The seconds that the server asks the client to wait."""

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
        prefix = " ".join(part for part in (str(self.status), self.code) if part)
        request = f" (request {self.request_id})" if self.request_id else ""
        more = "".join(f"\n  {issue.pointer or '/'}: {issue.message}" for issue in self.issues[1:])
        return f"{prefix}: {self.message}{request}{more}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), dict(self.__dict__))


def _restore(kind: type[APIStatusError], members: dict[str, Any]) -> APIStatusError:
    """Restores a pickled exception, because `pickle` alone can't pass keyword arguments."""
    return kind(**members)


class BadRequestError(APIStatusError):
    """400: the body is malformed, or the event type doesn't exist."""


class AuthenticationError(APIStatusError):
    """401: the API key, inbound token or signature is missing or invalid."""


class PermissionDeniedError(APIStatusError):
    """403: the API key lacks a scope, or the plan or the form doesn't allow the request."""

    @property
    def required_scope(self) -> str | None:
        """The scope that the API key lacks, if a missing scope is the reason."""
        return self.problem.get("requiredScope")


class NotAReviewerError(PermissionDeniedError):
    """403 NOT_A_REVIEWER: the policy of the task doesn't let the caller vote."""

    @property
    def reason(self) -> str | None:
        """`not_listed`, `creator` or `not_a_person`."""
        return self.problem.get("reason")


class NotFoundError(APIStatusError):
    """404: the resource doesn't exist in this account."""


class ConflictError(APIStatusError):
    """409: the request conflicts with the current state of the resource."""


class TaskAlreadySettledError(ConflictError):
    """409 TASK_ALREADY_SETTLED: the task is already resolved."""


class TaskExpiredError(ConflictError):
    """409 TASK_EXPIRED: the task expired before a decision."""


class TaskClaimedError(ConflictError):
    """409 TASK_CLAIMED: somebody else has claimed the task."""


class UnprocessableError(APIStatusError):
    """422: some values are invalid; `issues` lists them."""


class DedupeKeyReusedError(UnprocessableError):
    """422 DEDUPE_KEY_REUSED: the key belongs to a task with another question; `issues` lists the
    differences.
    """


class RateLimitError(APIStatusError):
    """429: too many requests, or too many open streams."""


class ServerError(APIStatusError):
    """5xx: the server failed, or is unavailable."""


class StreamGapError(SvcFormsError):
    """The server no longer has some of the events after the last one."""

    def __init__(self, reason: str, requested_id: str | None, first_available_id: str | None) -> None:
        self.reason = reason
        """`expired` (the event is too old) or `unknown` (the id isn't in this server's log)."""
        self.requested_id = requested_id
        """The id after which the stream should have continued."""
        self.first_available_id = first_available_id
        """The id of the oldest available event, if any."""
        super().__init__(
            f"Events after {requested_id} are missing ({reason}); the oldest available event is {first_available_id}. "
            "Check what you missed with tasks.list, then open a new stream"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.requested_id, self.first_available_id)


SignatureProblem = Literal["ill_formed", "no_match", "too_old", "too_new"]


class SignatureVerificationError(SvcFormsError):
    """The signature doesn't match the body, or is too old. Discard the request and return 400 or
    401.
    """

    def __init__(self, code: SignatureProblem, message: str) -> None:
        self.code: SignatureProblem = code
        """The reason, for programs."""
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, str(self))


class _TaskError(SvcFormsError):
    def __init__(self, message: str, task: Task) -> None:
        self.task = task
        """The last known state of the task."""
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.task)


class TaskTimeoutError(_TaskError, TimeoutError):
    """The task wasn't resolved within the timeout. It stays open: `wait_for(error.task.id)` waits
    again.
    """


class ApprovalError(_TaskError):
    """A function that requires approval did not run."""


class ApprovalRejectedError(ApprovalError):
    """The reviewer rejected the task. `task.comment` and `task.reject_option` may contain the
    reason.
    """


class ApprovalExpiredError(ApprovalError):
    """Nobody decided before the task expired."""


class ApprovalCancelledError(ApprovalError):
    """The task was cancelled before a decision."""


class ApprovalUsedError(ApprovalError):
    """An earlier call has redeemed the receipt of the approval. It may have run; this one did not."""
