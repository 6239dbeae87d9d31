"""Converts responses to models and exceptions."""

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
T = TypeVar("T")

_BY_CODE: Mapping[str, type[errors.APIStatusError]] = {
    "TASK_ALREADY_SETTLED": errors.TaskAlreadySettledError,
    "TASK_EXPIRED": errors.TaskExpiredError,
    "NOT_A_REVIEWER": errors.NotAReviewerError,
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
    """The `cursor` of the next page; None on the last page."""
    limit: int
    """The maximum number of entries on a page."""


class RawResponse(Generic[T]):
    """The HTTP response of a method, from `with_raw_response`."""

    def __init__(self, http_response: httpx.Response, parsed: T) -> None:
        self.http_response = http_response
        """The whole response of httpx."""
        self._parsed = parsed

    @property
    def status_code(self) -> int:
        """HTTP status."""
        return self.http_response.status_code

    @property
    def headers(self) -> httpx.Headers:
        """The headers, with names in any case."""
        return self.http_response.headers

    @property
    def content(self) -> bytes:
        """The body."""
        return self.http_response.content

    @property
    def request_id(self) -> str | None:
        """The id of this request in the server's log."""
        found: str | None = self.http_response.headers.get("x-request-id")
        return found

    def json(self) -> Any:
        """Returns the body as JSON, in the API's names."""
        return self.http_response.json()

    def parse(self) -> T:
        """Returns what the method without `with_raw_response` returns; of a list, its first page."""
        return self._parsed

    def __repr__(self) -> str:
        # Bodies may contain secrets.
        return f"RawResponse(status_code={self.status_code})"


def read_data(response: httpx.Response) -> dict[str, Any]:
    """Returns `data` of a successful response as an object."""
    data = _success(response).get("data")
    if not isinstance(data, dict):
        raise unexpected(response, "without data")
    return cast("dict[str, Any]", data)


def read_model(model: type[M], response: httpx.Response) -> M:
    """Returns `data` of a successful response as a model."""
    return _as_model(model, read_data(response), response)


def read_list(model: type[M], response: httpx.Response) -> list[M]:
    """Returns `data` of a successful response as a list of models."""
    data = _success(response).get("data")
    if not isinstance(data, list):
        raise unexpected(response, "without a list")
    return [_as_model(model, entry, response) for entry in cast("Sequence[Any]", data)]


def read_page(model: type[M], response: httpx.Response) -> Page[M]:
    """Returns a successful response as a page of a list."""
    pagination = cast("dict[str, Any]", _success(response).get("pagination") or {})
    items = read_list(model, response)
    return Page(items, pagination.get("nextCursor"), int(pagination.get("limit") or len(items)))


def status_error(response: httpx.Response) -> errors.APIStatusError:
    """Returns the exception for an unsuccessful response. The body must have been read."""
    try:
        parsed: Any = json.loads(response.content)
    except ValueError:
        parsed = None
    problem = cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}
    code = _text(problem.get("code"))
    kind = _BY_CODE.get(code) or _BY_STATUS.get(response.status_code)
    if kind is None:
        kind = errors.ServerError if response.status_code >= 500 else errors.APIStatusError
    # A proxy or another server can respond with JSON of its own.
    message = _text(problem.get("message")) or (
        f"{response.request.url} returned {response.status_code} {response.reason_phrase}".rstrip()
    )
    if response.is_redirect:
        message = f"{message}, a redirect; set the base URL to the server of {response.headers.get('location')}"
    return kind(
        status=response.status_code,
        message=message,
        code=code or None,
        request_id=_text(problem.get("requestId")) or response.headers.get("x-request-id"),
        issues=[
            errors.Issue(_text(issue.get("pointer")), _text(issue.get("message")))
            for issue in _objects(problem.get("errors"))
        ],
        problem=problem,
        retry_after=_retry_after(response.headers.get("retry-after")),
    )


def connection_error(error: httpx.RequestError, request: str) -> errors.APIConnectionError:
    """Returns the exception for a request without a response."""
    if isinstance(error, httpx.TimeoutException):
        return errors.APITimeoutError(f"{request}: the request timed out ({type(error).__name__})")
    return errors.APIConnectionError(f"{request}: {error or type(error).__name__}")


def never_reached_server(error: httpx.RequestError) -> bool:
    """Whether the request certainly didn't reach the server."""
    return isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _objects(value: object) -> list[dict[str, Any]]:
    entries = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", entry) for entry in entries if isinstance(entry, dict)]


def _success(response: httpx.Response) -> dict[str, Any]:
    try:
        body: Any = json.loads(response.content)
    except ValueError as error:
        raise unexpected(response, "without JSON") from error
    if not isinstance(body, dict):
        raise unexpected(response, "without a JSON object")
    return cast("dict[str, Any]", body)


def _as_model(model: type[M], value: object, response: httpx.Response) -> M:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        # The message of pydantic contains the values, which may be secrets.
        paths = ", ".join(".".join(map(str, one["loc"])) for one in error.errors(include_input=False))
        raise unexpected(response, f"an invalid {model.__name__} (at {paths})") from None


def unexpected(response: httpx.Response, problem: str) -> errors.UnexpectedAnswerError:
    """Returns the exception for a successful response that isn't the API's."""
    request = response.request
    return errors.UnexpectedAnswerError(
        f"{request.method} {request.url.path} returned {response.status_code} {problem}. Check that "
        f"{request.url.scheme}://{request.url.netloc.decode()} is the right server and that this package is up to date"
    )


def _retry_after(value: str | None) -> float | None:
    """Returns the seconds to wait. The header contains seconds or a date."""
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
