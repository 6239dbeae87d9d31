"""One call of the API, before it is sent."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
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
"""An argument that was not given, where None says something else."""

Query = Mapping[str, "str | int | datetime | None"]


@dataclass(frozen=True)
class Call:
    """One call of the API. Repeated, it is the same bytes."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True
    """Whether it may be sent again when nobody knows if the server did it the first time."""
    read_timeout: float | None = None
    """Seconds without a byte; None: the client's own."""
    single: bool = False
    """Whether it is the caller who tries again."""

    def with_query(self, **more: str) -> Call:
        """The same with further parameters."""
        return replace(self, query={**self.query, **more})


def get(path: str, query: Query | None = None) -> Call:
    """A call that reads."""
    return Call("GET", path, query=_query(query or {}))


def create(path: str, body: object = None, *, idempotency_key: str | None = None) -> Call:
    """A POST that the server does once for each key, however often it arrives."""
    key = idempotency_key or str(uuid.uuid4())
    return _with_body("POST", path, body, headers={"Idempotency-Key": key})


def act(path: str, body: object = None, *, repeatable: bool = False) -> Call:
    """A POST whose key the server doesn't look at; `repeatable` where twice is as good as once."""
    return _with_body("POST", path, body, headers={"Idempotency-Key": str(uuid.uuid4())}, repeatable=repeatable)


def put(path: str, body: object, *, if_version: int | None = None) -> Call:
    """Replaces. With a version it isn't repeatable: the first try may have moved the version on."""
    headers = {} if if_version is None else {"If-Match": f'"{if_version}"'}
    return _with_body("PUT", path, body, headers=headers, repeatable=if_version is None)


def patch(path: str, body: object) -> Call:
    """Sets values; twice is as good as once."""
    return _with_body("PATCH", path, body)


def delete(path: str) -> Call:
    """Deletes; that it is gone at a second try counts as success."""
    return Call("DELETE", path)


def path(template: str, *ids: str) -> str:
    """The path with ids in the places of `{}`.

    Raises:
        ValueError: an id is empty or would lead to another path.
    """
    for one in ids:
        if not one or one.strip(".") == "":
            raise ValueError(f"{one!r} is no id (for {template})")
    return template.format(*(quote(one, safe="") for one in ids))


def body_of(**members: object) -> dict[str, Any]:
    """The JSON object of arguments in Python's spelling; those that are UNSET stay out."""
    return {_camel(name): plain(value) for name, value in members.items() if value is not UNSET}


def given(**members: object) -> dict[str, Any]:
    """The same, where None too means that nothing was given."""
    return body_of(**{name: value for name, value in members.items() if value is not None})


def plain(value: object) -> object:
    """The value as JSON holds it. Models go as the API spells them, without what was never set."""
    if isinstance(value, Model):
        return value.to_api()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return to_jsonable_python(value)


def moment(value: datetime) -> str:
    """ISO 8601 with the offset, which the API demands.

    Raises:
        ValueError: the time has no time zone, so nobody knows which moment it is.
    """
    if value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone; take datetime.now(timezone.utc) or the like")
    return value.isoformat(timespec="milliseconds")


def _with_body(
    method: Literal["POST", "PUT", "PATCH"],
    path: str,
    body: object,
    *,
    headers: Mapping[str, str] | None = None,
    repeatable: bool = True,
) -> Call:
    if body is None:
        return Call(method, path, headers=headers or {}, repeatable=repeatable)
    content = json.dumps(plain(body), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    all_headers = {"Content-Type": "application/json", **(headers or {})}
    return Call(method, path, content=content, headers=all_headers, repeatable=repeatable)


def _query(query: Query) -> dict[str, str]:
    return {
        name: moment(value) if isinstance(value, datetime) else str(value)
        for name, value in query.items()
        if value is not None
    }


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
