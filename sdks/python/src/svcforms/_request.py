"""Builds requests to the API."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timezone
from enum import Enum
from typing import Any, Final, Literal
from urllib.parse import quote

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from .models import Model


class Unset(Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""The default of an argument for which None has a meaning."""

_HEADER_VALUE = re.compile(r"[!-~]([ -~]*[!-~])?")

Query = Mapping[str, "str | int | datetime | Sequence[str] | None"]
"""A sequence repeats the parameter."""


@dataclass(frozen=True)
class ApiRequest:
    """A request to the API. Each attempt sends the same bytes."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    query: Mapping[str, str | list[str]] = field(default_factory=dict[str, "str | list[str]"])
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    is_retryable: bool = True
    """Whether the client may retry it when it is unknown if the server processed it."""
    read_timeout: float | None = None
    """The read timeout in seconds; None selects the client's timeout."""
    caller_retries: bool = False
    """Whether the caller retries it instead of the transport."""

    def with_query(self, **more: str) -> ApiRequest:
        """Returns the same request with more query parameters."""
        return replace(self, query={**self.query, **more})


def get(path: str, query: Query | None = None) -> ApiRequest:
    """Builds a GET request."""
    return ApiRequest("GET", path, query=_query(query or {}))


def create(
    path: str,
    body: object = None,
    *,
    idempotency_key: str | None = None,
    if_match: str | None = None,
    hops: int | None = None,
) -> ApiRequest:
    """Builds a POST request that the server runs once per idempotency key."""
    headers = {
        "Idempotency-Key": str(uuid.uuid4()) if idempotency_key is None else idempotency_key,
        **_if_match(if_match),
        **({"Svc-Hops": str(hops)} if hops else {}),
    }
    return _with_body("POST", path, body, headers=headers)


def act(path: str, body: object = None, *, is_retryable: bool = False) -> ApiRequest:
    """Builds a POST request for which the server ignores the idempotency key."""
    return _with_body("POST", path, body, headers={"Idempotency-Key": str(uuid.uuid4())}, is_retryable=is_retryable)


def put(path: str, body: object, *, if_version: int | None = None, if_match: str | None = None) -> ApiRequest:
    """Builds a PUT request. With a version or an ETag it isn't retryable, because the first attempt
    may change them.
    """
    tag = if_match if if_version is None else f'"{if_version}"'
    return _with_body("PUT", path, body, headers=_if_match(tag), is_retryable=tag is None)


def _if_match(tag: str | None) -> dict[str, str]:
    return {} if tag is None else {"If-Match": tag}


def patch(path: str, body: object) -> ApiRequest:
    """Builds a PATCH request, which is idempotent."""
    return _with_body("PATCH", path, body)


def delete(path: str, *, if_match: str | None = None, is_retryable: bool = True) -> ApiRequest:
    """Builds a DELETE request. A retry that returns 404 counts as success."""
    return ApiRequest("DELETE", path, headers=_if_match(if_match), is_retryable=is_retryable)


def path(template: str, *ids: str) -> str:
    """Replaces each `{}` of the template with an id.

    Raises:
        ValueError: an id is empty, or would change the path.
    """
    for one in ids:
        if not one or one.strip(".") == "":
            raise ValueError(f"{one!r} is not a valid id for {template}")
    return template.format(*(quote(one, safe="") for one in ids))


def checked_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Returns the headers of a request.

    Raises:
        ValueError: HTTP can't transmit the value of one. The message doesn't contain it, because it
            may be a token.
    """
    for name, value in headers.items():
        if not _HEADER_VALUE.fullmatch(value):
            raise ValueError(
                f"{name} must consist of printable ASCII characters and neither be empty nor start or end with a space"
            )
    return headers


def patch_body(**members: object) -> dict[str, Any]:
    """Builds the JSON object of the arguments that aren't UNSET. Converts names to camel case."""
    return {_camel(name): to_json(value) for name, value in members.items() if value is not UNSET}


def body(**members: object) -> dict[str, Any]:
    """Builds the JSON object of the arguments that aren't None or UNSET."""
    return patch_body(**{name: value for name, value in members.items() if value is not None})


def to_json(value: object) -> object:
    """Converts a value to JSON. Models use the API's names and leave out unset attributes."""
    if isinstance(value, Model):
        return value.to_api()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, datetime):
        return iso_time(value)
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [to_json(item) for item in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return to_jsonable_python(value)


def iso_time(value: date) -> str:
    """Formats a time as ISO 8601 with its offset, which the API requires.

    Raises:
        TypeError: it is a date without a time.
        ValueError: the time has no time zone.
    """
    if not isinstance(value, datetime):
        raise TypeError(f"{value!r} has no time; use an aware datetime such as datetime.now(timezone.utc)")
    _check_zone(value)
    return value.isoformat(timespec="milliseconds")


def iso_day(value: date) -> str:
    """Formats a date, or the date of a time in UTC, as ISO 8601.

    Raises:
        ValueError: the time has no time zone.
    """
    if not isinstance(value, datetime):
        return value.isoformat()
    _check_zone(value)
    return value.astimezone(timezone.utc).date().isoformat()


def _check_zone(value: datetime) -> None:
    if value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone; use an aware datetime such as datetime.now(timezone.utc)")


def _with_body(
    method: Literal["POST", "PUT", "PATCH"],
    path: str,
    body: object,
    *,
    headers: Mapping[str, str] | None = None,
    is_retryable: bool = True,
) -> ApiRequest:
    if body is None:
        return ApiRequest(method, path, headers=headers or {}, is_retryable=is_retryable)
    text = json.dumps(to_json(body), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Half of a surrogate pair isn't UTF-8. Escaped, it is JSON, and the server says where it is.
    content = text.encode(errors="backslashreplace")
    all_headers = {"Content-Type": "application/json", **(headers or {})}
    return ApiRequest(method, path, content=content, headers=all_headers, is_retryable=is_retryable)


def _query(query: Query) -> dict[str, str | list[str]]:
    return {name: _parameter(value) for name, value in query.items() if value is not None}


def _parameter(value: str | int | date | Sequence[str]) -> str | list[str]:
    if isinstance(value, date):
        return iso_time(value)
    return str(value) if isinstance(value, str | int) else list(value)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
