"""Forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from ... import _call as call
from ..._answers import read_list, read_model
from ...models import Form, FormField, FormSettings, FormStats, FormTemplate, StatsDay
from ..pages import Pager
from ..transport import Transport

Fields = Sequence[FormField | Mapping[str, Any]]
Settings = FormSettings | Mapping[str, Any]


class Forms:
    """`client.forms`. Scopes: `forms:read`, `forms:write`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        name: str,
        *,
        fields: Fields = (),
        settings: Settings | None = None,
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> Form:
        """Creates a form.

        Args:
            name: 1 to 200 characters, for its owners.
            fields: what it asks, as `FormField` or as the API's own JSON objects; a form may have none.
            settings: everything else, likewise.
            description: for its owners.
            idempotency_key: a second call with the same key (within a day) gives the form of the first one.
        """
        body = call.given(name=name, fields=fields, settings=settings, description=description)
        return read_model(Form, self._transport.send(call.create("/api/forms", body, idempotency_key=idempotency_key)))

    def list(self, *, q: str | None = None, limit: int | None = None, cursor: str | None = None) -> Pager[Form]:
        """The forms, newest first; those whose name contains `q`.

        Args:
            q: text that the name contains.
            limit: how many are fetched at a time, 1 to 100.
            cursor: where to begin.
        """
        query = {"q": q, "limit": limit, "cursor": cursor}
        return Pager(self._transport, call.get("/api/forms", query), Form)

    def get(self, form_id: str) -> Form:
        """One form."""
        return read_model(Form, self._transport.send(call.get(call.path("/api/forms/{}", form_id))))

    def replace(
        self,
        form_id: str,
        *,
        name: str,
        fields: Fields = (),
        settings: Settings | None = None,
        description: str | None = None,
        if_version: int | None = None,
    ) -> Form:
        """Puts another form in the place of the saved one: what is not given is gone afterwards.

        Trigger parameters of `settings.popup` are the exception: absent, they stay; None removes one.

        Args:
            form_id: which form.
            name: as in `create`, like the others.
            fields: what it asks.
            settings: everything else.
            description: for its owners.
            if_version: the `version` that it was read with.

        Raises:
            ConflictError: the form was saved by somebody else since `if_version`.
        """
        body = call.given(name=name, fields=fields, settings=settings, description=description)
        request = call.put(call.path("/api/forms/{}", form_id), body, if_version=if_version)
        return read_model(Form, self._transport.send(request))

    def delete(self, form_id: str) -> None:
        """Deletes a form with its webhooks, inbound endpoint and submissions, and stops their deliveries."""
        self._transport.send(call.delete(call.path("/api/forms/{}", form_id)))

    def duplicate(self, form_id: str, *, name: str | None = None, idempotency_key: str | None = None) -> Form:
        """Makes a second form like this one, by another name if one is given."""
        path = call.path("/api/forms/{}/duplicate", form_id)
        request = call.create(path, call.given(name=name), idempotency_key=idempotency_key)
        return read_model(Form, self._transport.send(request))

    def export(self, form_id: str) -> FormTemplate:
        """What `import_` takes, here or on another server: the form without ids and times."""
        path = call.path("/api/forms/{}/export", form_id)
        return read_model(FormTemplate, self._transport.send(call.get(path)))

    def import_(self, template: FormTemplate | Mapping[str, Any], *, idempotency_key: str | None = None) -> Form:
        """Makes a form of what `export` or `templates` gave."""
        request = call.create("/api/forms/import", template, idempotency_key=idempotency_key)
        return read_model(Form, self._transport.send(request))

    def templates(self, *, limit: int | None = None, cursor: str | None = None) -> Pager[FormTemplate]:
        """The built-in templates, which `import_` takes."""
        query = {"limit": limit, "cursor": cursor}
        return Pager(self._transport, call.get("/api/templates", query), FormTemplate)

    def stats(self, form_id: str, *, since: date | None = None, until: date | None = None) -> Sequence[StatsDay]:
        """How often it was shown, converted, declined and submitted, day by day (UTC).

        Args:
            form_id: which form.
            since: the first day.
            until: the last day.
        """
        path = call.path("/api/forms/{}/stats", form_id)
        return read_list(StatsDay, self._transport.send(call.get(path, _period(since, until))))

    def stats_of(
        self, form_ids: Sequence[str], *, since: date | None = None, until: date | None = None
    ) -> Sequence[FormStats]:
        """The same of several forms at once: their popups day by day (UTC), and how many submissions each has in all.

        Args:
            form_ids: which forms, at most 100. Those that are not there are left out.
            since: the first day.
            until: the last day.
        """
        query = {"formIds": ",".join(form_ids), **_period(since, until)}
        return read_list(FormStats, self._transport.send(call.get("/api/stats", query)))


def _period(since: date | None, until: date | None) -> dict[str, str | None]:
    return {
        "from": since.isoformat() if since else None,
        "to": until.isoformat() if until else None,
    }
