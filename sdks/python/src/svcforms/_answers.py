"""From answers to values and exceptions."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

import httpx
from pydantic import BaseModel, ValidationError

from . import errors

M = TypeVar("M", bound=BaseModel)

_BY_CODE: Mapping[str, type[errors.APIStatusError]] = {
    "TASK_ALREADY_SETTLED": errors.TaskAlreadySettledError,
    "TASK_EXPIRED": errors.TaskExpiredError,
    "TASK_CLAIMED": errors.TaskClaimedError,
    "DEDUPE_KEY_REUSED": errors.DedupeKeyReusedError,
}
_BY_STATUS: Mapping[int, type[errors.APIStatusError]] = {
    400: errors.BadRequestError,
    401: errors.AuthenticationError,
    403: errors.PermissionDeniedError,
    404: errors.NotFoundError,
    409: errors.ConflictError,
    422: errors.UnprocessableError,
    429: errors.RateLimitError,
}


@dataclass(frozen=True)
class Page(Generic[M]):
    """One page of a list."""

    items: list[M]
    """The entries, in the order of the list."""
    next_cursor: str | None
    """`cursor` of the page that follows; None on the last one."""
    limit: int
    """Entries that a page has at most."""


def read_data(response: httpx.Response) -> dict[str, Any]:
    """`data` of a success that is one object."""
    data = _success(response).get("data")
    if not isinstance(data, dict):
        raise _unexpected(response, "no data")
    return cast("dict[str, Any]", data)


def read_model(model: type[M], response: httpx.Response) -> M:
    """`data` of a success, as a model."""
    return _as_model(model, read_data(response), response)


def read_list(model: type[M], response: httpx.Response) -> list[M]:
    """`data` of a success that is a list."""
    data = _success(response).get("data")
    if not isinstance(data, list):
        raise _unexpected(response, "no list")
    return [_as_model(model, entry, response) for entry in cast("Sequence[Any]", data)]


def read_page(model: type[M], response: httpx.Response) -> Page[M]:
    """A success that is one page of a list."""
    pagination = cast("dict[str, Any]", _success(response).get("pagination") or {})
    items = read_list(model, response)
    return Page(items, pagination.get("nextCursor"), int(pagination.get("limit") or len(items)))


def status_error(response: httpx.Response) -> errors.APIStatusError:
    """The exception for an answer that is no success. Its body has been read."""
    try:
        parsed: Any = json.loads(response.content)
    except ValueError:
        parsed = None
    problem = cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}
    code = problem.get("code")
    kind = _BY_CODE.get(str(code)) or _BY_STATUS.get(response.status_code)
    if kind is None:
        kind = errors.ServerError if response.status_code >= 500 else errors.APIStatusError
    message = problem.get("message") or f"{response.request.url} answered {response.reason_phrase or 'so'}"
    if response.is_redirect:
        message = f"{message}; the base URL should be that of {response.headers.get('location')}"
    return kind(
        status=response.status_code,
        message=str(message),
        code=code if isinstance(code, str) else None,
        request_id=problem.get("requestId") or response.headers.get("x-request-id"),
        issues=[
            errors.Issue(str(issue.get("pointer", "")), str(issue.get("message", "")))
            for issue in cast("list[dict[str, Any]]", problem.get("errors") or [])
        ],
        problem=problem,
        retry_after=_retry_after(response.headers.get("retry-after")),
    )


def connection_error(error: httpx.RequestError, call: str) -> errors.APIConnectionError:
    """The exception for an answer that didn't come."""
    if isinstance(error, httpx.TimeoutException):
        return errors.APITimeoutError(f"{call}: no answer in time ({type(error).__name__})")
    return errors.APIConnectionError(f"{call}: {error or type(error).__name__}")


def never_arrived(error: httpx.RequestError) -> bool:
    """Whether the server can't have seen the request."""
    return isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def _success(response: httpx.Response) -> dict[str, Any]:
    try:
        body: Any = json.loads(response.content)
    except ValueError as error:
        raise _unexpected(response, "no JSON") from error
    if not isinstance(body, dict):
        raise _unexpected(response, "no JSON object")
    return cast("dict[str, Any]", body)


def _as_model(model: type[M], value: object, response: httpx.Response) -> M:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        # pydantic's own text would repeat values, which may be secrets.
        places = ", ".join(".".join(map(str, one["loc"])) for one in error.errors(include_input=False))
        raise _unexpected(response, f"a {model.__name__} with something else at {places}") from None


def _unexpected(response: httpx.Response, what: str) -> errors.UnexpectedAnswerError:
    request = response.request
    return errors.UnexpectedAnswerError(
        f"{request.method} {request.url.path} was answered {response.status_code} with {what}; "
        f"is {request.url.scheme}://{request.url.netloc.decode()} the right server, and this package as new as it?"
    )


def _retry_after(value: str | None) -> float | None:
    """Seconds; the header holds seconds or a date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
