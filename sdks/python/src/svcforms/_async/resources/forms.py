"""Forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from ... import _request as api
from ..._responses import read_list, read_model
from ...models import Form, FormField, FormSettings, FormStats, FormSummary, FormTemplate, StatsDay
from ..pages import AsyncPager
from ..transport import AsyncTransport

Fields = Sequence[FormField | Mapping[str, Any]]
Settings = FormSettings | Mapping[str, Any]


class AsyncForms:
    """`client.forms`. Scopes: `forms:read`, `forms:write`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        name: str,
        *,
        fields: Fields = (),
        settings: Settings | None = None,
        description: str | None = None,
        title: str | None = None,
        intro: str | None = None,
        idempotency_key: str | None = None,
    ) -> Form:
        """Creates a form.

        Args:
            name: name for the team, 1 to 200 characters.
            fields: fields, as `FormField` objects or as JSON objects of the API. A form may have no
                fields.
            settings: settings, as `FormSettings` or as a JSON object of the API.
            description: description for the team.
            title: what visitors see instead of the name.
            intro: text below the title, as Markdown.
            idempotency_key: a second request with the same key (within a day) returns the first
                form.
        """
        body = api.body(name=name, fields=fields, settings=settings, description=description, title=title, intro=intro)
        return read_model(
            Form, await self._transport.send(api.create("/api/forms", body, idempotency_key=idempotency_key))
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

    async def get(self, form_id: str) -> Form:
        """Returns one form."""
        return read_model(Form, await self._transport.send(api.get(api.path("/api/forms/{}", form_id))))

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
        if_version: int | None = None,
    ) -> Form:
        """Replaces a form. Omitted arguments reset the properties to their defaults.

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
            if_version: replace only this `version` of the form.

        Raises:
            ConflictError: the form has changed since `if_version`.
        """
        body = api.body(name=name, fields=fields, settings=settings, description=description, title=title, intro=intro)
        request = api.put(api.path("/api/forms/{}", form_id), body, if_version=if_version)
        return read_model(Form, await self._transport.send(request))

    async def delete(self, form_id: str) -> None:
        """Deletes a form with its webhooks, inbound endpoint and submissions, and stops their
        deliveries.
        """
        await self._transport.send(api.delete(api.path("/api/forms/{}", form_id)))

    async def duplicate(self, form_id: str, *, name: str | None = None, idempotency_key: str | None = None) -> Form:
        """Creates a copy of a form, optionally with another name."""
        path = api.path("/api/forms/{}/duplicate", form_id)
        request = api.create(path, api.body(name=name), idempotency_key=idempotency_key)
        return read_model(Form, await self._transport.send(request))

    async def export(self, form_id: str) -> FormTemplate:
        """Exports a form without its ids and times. `import_` accepts the result, also on another
        server.
        """
        path = api.path("/api/forms/{}/export", form_id)
        return read_model(FormTemplate, await self._transport.send(api.get(path)))

    async def import_(self, template: FormTemplate | Mapping[str, Any], *, idempotency_key: str | None = None) -> Form:
        """Creates a form from a template that `export` or `templates` returned."""
        request = api.create("/api/forms/import", template, idempotency_key=idempotency_key)
        return read_model(Form, await self._transport.send(request))

    def templates(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[FormTemplate]:
        """Lists the built-in templates for `import_`."""
        query = {"limit": limit, "cursor": cursor}
        return AsyncPager(self._transport, api.get("/api/templates", query), FormTemplate)

    async def stats(self, form_id: str, *, since: date | None = None, until: date | None = None) -> Sequence[StatsDay]:
        """Returns impressions, conversions, declines and submissions for each day (UTC).

        Args:
            form_id: id of the form.
            since: the first day.
            until: the last day.
        """
        path = api.path("/api/forms/{}/stats", form_id)
        return read_list(StatsDay, await self._transport.send(api.get(path, _period(since, until))))

    async def summary(self, form_id: str, *, since: date | None = None, until: date | None = None) -> FormSummary:
        """Summarizes the submissions of a period by question, page and device.
        Scope: `submissions:read`.

        Args:
            form_id: id of the form.
            since: the first day.
            until: the last day.
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
            since: the first day.
            until: the last day.
        """
        query = {"formIds": ",".join(form_ids), **_period(since, until)}
        return read_list(FormStats, await self._transport.send(api.get("/api/stats", query)))


def _period(since: date | None, until: date | None) -> dict[str, str | None]:
    return {
        "from": since.isoformat() if since else None,
        "to": until.isoformat() if until else None,
    }
