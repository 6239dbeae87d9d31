"""Submissions."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from ... import _request as api
from ..._responses import read_model
from ...models import Delivery, Submission, SubmissionCreated, SubmissionStatus, SubmittedVia
from ..pages import Pager
from ..resource import Resource


class Submissions(Resource):
    """`client.submissions`. Scopes: `submissions:read`, `submissions:write`. `create` needs no
    scope, but spam protection can quarantine what a key without `submissions:write` submits.
    """

    _streaming = frozenset({"export"})

    def create(
        self,
        form_id: str,
        data: Mapping[str, Any],
        *,
        page: str | None = None,
        hops: int | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """Submits a form like a visitor and returns the submission's id.

        Args:
            form_id: id of the form.
            data: field name → value. The server validates values and drops unknown keys.
            page: URL of the page that showed the form.
            hops: `hops` of the verified webhook that led to this submission, so that the server
                ends a loop.
            idempotency_key: a second request with the same key (within a day) returns the first
                submission.
        """
        path = api.path("/api/forms/{}/submissions", form_id)
        request = api.create(path, api.body(data=data, page=page), idempotency_key=idempotency_key, hops=hops)
        return read_model(SubmissionCreated, self._transport.send(request)).submission_id

    def list(
        self,
        form_id: str,
        *,
        q: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        via: SubmittedVia | None = None,
        status: SubmissionStatus | None = None,
        where: Sequence[str] | None = None,
        sort: Literal["-createdAt", "createdAt"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Pager[Submission]:
        """Lists the submissions of a form, newest first unless `sort` says otherwise.

        Args:
            form_id: id of the form.
            q: only submissions with a value that contains this text.
            since: start of the period (inclusive).
            until: end of the period (exclusive).
            via: only submissions from this source.
            status: `quarantined` for those in quarantine instead of the accepted ones.
            where: conditions such as `size:large`: the field contains the text or, for choices,
                numbers, dates, times and checkboxes, equals it. All must match.
            sort: `createdAt` for the oldest first.
            limit: page size, 1 to 100.
            cursor: the position to start from.
        """
        query: api.Query = {
            "q": q,
            "since": since,
            "until": until,
            "via": via,
            "status": status,
            "where": where,
            "sort": sort,
            "limit": limit,
            "cursor": cursor,
        }
        path = api.path("/api/forms/{}/submissions", form_id)
        return Pager(self._transport, api.get(path, query), Submission)

    def get(self, submission_id: str) -> Submission:
        """Returns one submission."""
        path = api.path("/api/submissions/{}", submission_id)
        return read_model(Submission, self._transport.send(api.get(path)))

    def release(self, submission_id: str) -> Submission:
        """Releases a submission from quarantine, which publishes its events, and returns it.

        A submission that isn't in quarantine raises a `ConflictError`.
        """
        path = api.path("/api/submissions/{}/release", submission_id)
        return read_model(Submission, self._transport.send(api.act(path)))

    def deliveries(self, submission_id: str) -> Pager[Delivery]:
        """Lists the deliveries of a submission to all webhooks, newest first.
        Scope: `forms:webhooks:manage`.
        """
        path = api.path("/api/submissions/{}/deliveries", submission_id)
        return Pager(self._transport, api.get(path, {}), Delivery)

    def delete(self, submission_id: str) -> None:
        """Deletes a submission and erases its values everywhere in the product."""
        self._transport.send(api.delete(api.path("/api/submissions/{}", submission_id)))

    def export(
        self,
        form_id: str,
        *,
        format: Literal["csv", "ndjson"] = "csv",  # noqa: A002
        q: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        via: SubmittedVia | None = None,
        status: SubmissionStatus | None = None,
        where: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
    ) -> Generator[bytes, None, None]:
        """Exports the submissions of a form as a stream of chunks, so that a large file needs
        little memory.

        Args:
            form_id: id of the form.
            format: `csv` for spreadsheets, or `ndjson` (one JSON object per line) for programs.
            q: only submissions with a value that contains this text.
            since: start of the period (inclusive).
            until: end of the period (exclusive).
            via: only submissions from this source.
            status: `quarantined` for those in quarantine instead of the accepted ones.
            where: conditions, as for `list`.
            ids: only these submissions, at most 200.
        """
        path = api.path("/api/forms/{}/submissions/export", form_id)
        query: api.Query = {
            "format": format,
            "q": q,
            "since": since,
            "until": until,
            "via": via,
            "status": status,
            "where": where,
            "ids": None if ids is None else ",".join(ids),
        }
        content_type = "application/x-ndjson" if format == "ndjson" else "text/csv"
        response = self._transport.open(api.get(path, query), content_type)
        try:
            while chunk := response.next():
                yield chunk
        finally:
            response.close()
