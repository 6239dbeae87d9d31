"""Submissions."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from datetime import datetime
from typing import Any, Literal

from ... import _call as call
from ..._answers import read_model
from ...models import Submission, SubmissionCreated, SubmittedVia
from ..pages import AsyncPager
from ..transport import AsyncTransport


class AsyncSubmissions:
    """`client.submissions`. Scopes: `submissions:read`, `submissions:write`; `create` needs none."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        form_id: str,
        data: Mapping[str, Any],
        *,
        page: str | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """Submits a form as a visitor does; gives the submission's id.

        Args:
            form_id: which form.
            data: field name → value, checked against the fields; other keys are dropped.
            page: address of the page that showed the form.
            idempotency_key: a second call with the same key (within a day) gives the submission of the first one.
        """
        path = call.path("/api/forms/{}/submissions", form_id)
        request = call.create(path, call.given(data=data, page=page), idempotency_key=idempotency_key)
        return read_model(SubmissionCreated, await self._transport.send(request)).submission_id

    def list(
        self,
        form_id: str,
        *,
        q: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        via: SubmittedVia | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPager[Submission]:
        """The submissions of a form, newest first.

        Args:
            form_id: which form.
            q: text that a value contains.
            since: accepted from then on, …
            until: … before then.
            via: how they came.
            limit: how many are fetched at a time, 1 to 100.
            cursor: where to begin.
        """
        query: call.Query = {
            "q": q,
            "since": since,
            "until": until,
            "via": via,
            "limit": limit,
            "cursor": cursor,
        }
        path = call.path("/api/forms/{}/submissions", form_id)
        return AsyncPager(self._transport, call.get(path, query), Submission)

    async def get(self, submission_id: str) -> Submission:
        """One submission."""
        path = call.path("/api/submissions/{}", submission_id)
        return read_model(Submission, await self._transport.send(call.get(path)))

    async def delete(self, submission_id: str) -> None:
        """Deletes a submission and erases its values, wherever they went."""
        await self._transport.send(call.delete(call.path("/api/submissions/{}", submission_id)))

    async def export(
        self,
        form_id: str,
        *,
        format: Literal["csv", "ndjson"] = "csv",  # noqa: A002
        q: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        via: SubmittedVia | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """The submissions of a form as a file, in pieces, so that it may be larger than the memory.

        Args:
            form_id: which form.
            format: `csv` for spreadsheets, `ndjson` for programs: one JSON object a line.
            q: as in `list`, like the others.
            since: accepted from then on, …
            until: … before then.
            via: how they came.
        """
        path = call.path("/api/forms/{}/submissions/export", form_id)
        query: call.Query = {"format": format, "q": q, "since": since, "until": until, "via": via}
        answer = await self._transport.open(call.get(path, query))
        try:
            while chunk := await answer.next():
                yield chunk
        finally:
            await answer.aclose()
