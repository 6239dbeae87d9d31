"""Forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from ... import _request as api
from ..._responses import read_list, read_model
from ...models import (
    Form,
    FormField,
    FormSettings,
    FormStats,
    FormSummary,
    FormTemplate,
    FormVersion,
    FormVersionDetail,
    StatsDay,
)
from ..pages import AsyncPager
from ..resource import AsyncResource

Fields = Sequence[FormField | Mapping[str, Any]]
Settings = FormSettings | Mapping[str, Any]


class AsyncForms(AsyncResource):
    """`client.forms`. Scopes: `forms:read`, `forms:write`; `forms:draft` for drafts only."""

    async def create(
        self,
        name: str,
        *,
        fields: Fields = (),
        settings: Settings | None = None,
        description: str | None = None,
        title: str | None = None,
        intro: str | None = None,
        draft: bool = False,
        idempotency_key: str | None = None,
    ) -> Form:
        """Creates a form and publishes it.

        Args:
            name: name for the team, 1 to 200 characters.
            fields: fields, as `FormField` objects or as JSON objects of the API. A form may have no
                fields.
            settings: settings, as `FormSettings` or as a JSON object of the API.
            description: description for the team.
            title: what visitors see instead of the name.
            intro: text below the title, as Markdown.
            draft: create a draft, which nobody sees until `publish`.
            idempotency_key: a second request with the same key (within a day) returns the first
                form.
        """
        body = api.body(name=name, fields=fields, settings=settings, description=description, title=title, intro=intro)
        return read_model(
            Form,
            await self._transport.send(api.create(_draft("/api/forms", draft), body, idempotency_key=idempotency_key)),
        )

    def list(self, *, q: str | None = None, limit: int | None = None, cursor: str | None = None) -> AsyncPager[Form]:
        """Lists forms, newest first.

        Args:
            q: only forms whose name contains this text.
            limit: page size, 1 to 100.
            cursor: the position to start from.
        """
        query = {"q": q, "limit": limit, "cursor": cursor}
        return AsyncPager(self._transport, api.get("/api/forms", query), Form)

    async def get(self, form_id: str, *, draft: bool = False) -> Form:
        """Returns one form.

        Args:
            form_id: id of the form.
            draft: return its draft, or the published form if there is none.
        """
        path = api.path("/api/forms/{}", form_id)
        return read_model(Form, await self._transport.send(api.get(_draft(path, draft))))

    async def replace(
        self,
        form_id: str,
        *,
        name: str,
        fields: Fields = (),
        settings: Settings | None = None,
        description: str | None = None,
        title: str | None = None,
        intro: str | None = None,
        draft: bool = False,
        if_version: int | None = None,
        if_match: str | None = None,
    ) -> Form:
        """Replaces a form and publishes that as its next version. Omitted arguments reset the
        properties to their defaults.

        Trigger parameters of `settings.popup` are the exception: an omitted one stays, and None
        removes it.

        Args:
            form_id: id of the form.
            name: name for the team, 1 to 200 characters.
            fields: all fields.
            settings: all settings.
            description: description for the team.
            title: what visitors see instead of the name.
            intro: text below the title, as Markdown.
            draft: save a draft instead, which nobody sees until `publish`.
            if_version: replace only this `version` of the form. One that was never published needs `if_match`.
            if_match: replace only the draft with this `draft.etag`.

        Raises:
            ConflictError: the form or its draft has changed since.
        """
        body = api.body(name=name, fields=fields, settings=settings, description=description, title=title, intro=intro)
        path = _draft(api.path("/api/forms/{}", form_id), draft)
        request = api.put(path, body, if_version=if_version, if_match=if_match)
        return read_model(Form, await self._transport.send(request))

    async def publish(self, form_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Form:
        """Publishes the draft of a form as its next version.

        Args:
            form_id: id of the form.
            if_match: publish only the draft with this `draft.etag`.
            idempotency_key: a second request with the same key (within a day) publishes nothing.

        Raises:
            ConflictError: there is no draft, or it has another ETag.
        """
        path = api.path("/api/forms/{}/publish", form_id)
        request = api.create(path, idempotency_key=idempotency_key, if_match=if_match)
        return read_model(Form, await self._transport.send(request))

    async def discard_draft(self, form_id: str, *, if_match: str | None = None) -> None:
        """Discards the draft of a form. The published form stays.

        Args:
            form_id: id of the form.
            if_match: discard only the draft with this `draft.etag`.

        Raises:
            ConflictError: the draft has another ETag.
        """
        path = api.path("/api/forms/{}/draft", form_id)
        # The server refuses the ETag after the first attempt.
        is_retryable = if_match is None
        await self._transport.send(api.delete(path, if_match=if_match, is_retryable=is_retryable))

    def versions(self, form_id: str, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[FormVersion]:
        """Lists the published versions of a form, newest first: the current one, and the last 100
        that it replaced.
        """
        query = {"limit": limit, "cursor": cursor}
        return AsyncPager(self._transport, api.get(api.path("/api/forms/{}/versions", form_id), query), FormVersion)

    async def version(self, form_id: str, version: int) -> FormVersionDetail:
        """Returns a published version with its content."""
        path = api.path("/api/forms/{}/versions/{}", form_id, str(version))
        return read_model(FormVersionDetail, await self._transport.send(api.get(path)))

    async def restore(
        self, form_id: str, version: int, *, if_match: str | None = None, idempotency_key: str | None = None
    ) -> Form:
        """Makes a published version the draft; `publish` then goes back to it.

        Args:
            form_id: id of the form.
            version: number of the version.
            if_match: replace only the draft with this `draft.etag`.
            idempotency_key: a second request with the same key (within a day) changes nothing.
        """
        path = api.path("/api/forms/{}/versions/{}/restore", form_id, str(version))
        request = api.create(path, idempotency_key=idempotency_key, if_match=if_match)
        return read_model(Form, await self._transport.send(request))

    async def delete(self, form_id: str, *, if_match: str | None = None) -> None:
        """Deletes a form with its webhooks, inbound endpoints, submissions, tasks and deliveries.

        Args:
            form_id: id of the form.
            if_match: delete only the form with this ETag.

        Raises:
            ConflictError: the form has another ETag.
        """
        await self._transport.send(api.delete(api.path("/api/forms/{}", form_id), if_match=if_match))

    async def duplicate(
        self,
        form_id: str,
        *,
        name: str | None = None,
        draft: bool = False,
        idempotency_key: str | None = None,
    ) -> Form:
        """Creates a copy of a form, optionally with another name, and publishes it. With `draft`, it
        creates a draft, which nobody sees until `publish`.
        """
        path = _draft(api.path("/api/forms/{}/duplicate", form_id), draft)
        request = api.create(path, api.body(name=name), idempotency_key=idempotency_key)
        return read_model(Form, await self._transport.send(request))

    async def export(self, form_id: str) -> FormTemplate:
        """Exports a form without its ids and times. `import_` accepts the result, even on another
        server.
        """
        path = api.path("/api/forms/{}/export", form_id)
        return read_model(FormTemplate, await self._transport.send(api.get(path)))

    async def import_(
        self,
        template: FormTemplate | Mapping[str, Any],
        *,
        draft: bool = False,
        idempotency_key: str | None = None,
    ) -> Form:
        """Creates a form from a template that `export` or `templates` returned, and publishes it.
        With `draft`, it creates a draft, which nobody sees until `publish`.
        """
        request = api.create(_draft("/api/forms/import", draft), template, idempotency_key=idempotency_key)
        return read_model(Form, await self._transport.send(request))

    def templates(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[FormTemplate]:
        """Lists the built-in templates for `import_`."""
        query = {"limit": limit, "cursor": cursor}
        return AsyncPager(self._transport, api.get("/api/templates", query), FormTemplate)

    async def stats(self, form_id: str, *, since: date | None = None, until: date | None = None) -> Sequence[StatsDay]:
        """Returns impressions, conversions, declines and submissions for each day (UTC).

        Args:
            form_id: id of the form.
            since: the first day (UTC); a time stands for its day.
            until: the last day (UTC).
        """
        path = api.path("/api/forms/{}/stats", form_id)
        return read_list(StatsDay, await self._transport.send(api.get(path, _period(since, until))))

    async def summary(self, form_id: str, *, since: date | None = None, until: date | None = None) -> FormSummary:
        """Summarizes the submissions of a period by question, page and device.
        Scope: `submissions:read`.

        Args:
            form_id: id of the form.
            since: the first day (UTC); a time stands for its day.
            until: the last day (UTC).
        """
        path = api.path("/api/forms/{}/summary", form_id)
        return read_model(FormSummary, await self._transport.send(api.get(path, _period(since, until))))

    async def stats_of(
        self, form_ids: Sequence[str], *, since: date | None = None, until: date | None = None
    ) -> Sequence[FormStats]:
        """Returns popup statistics for each day (UTC), and the total number of submissions, for
        several forms.

        Args:
            form_ids: ids of at most 100 forms. The result leaves out unknown forms.
            since: the first day (UTC); a time stands for its day.
            until: the last day (UTC).
        """
        query = {"formIds": ",".join(form_ids), **_period(since, until)}
        return read_list(FormStats, await self._transport.send(api.get("/api/stats", query)))


def _draft(path: str, draft: bool) -> str:
    return f"{path}?draft=true" if draft else path


def _period(since: date | None, until: date | None) -> dict[str, str | None]:
    return {
        "from": api.iso_day(since) if since else None,
        "to": api.iso_day(until) if until else None,
    }
