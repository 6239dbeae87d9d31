"""Forms."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ._base import Model, Open
from .popup import Popup

FieldType = Literal[
    "text",
    "textarea",
    "email",
    "tel",
    "url",
    "number",
    "date",
    "time",
    "select",
    "radio",
    "checkboxes",
    "checkbox",
    "rating",
    "hidden",
]


class FieldOption(Model):
    """One choice of a field."""

    value: str
    label: str | None = None


class ShowIf(Model):
    """The field is shown, required and checked only while another field holds this value."""

    field: str
    equals: bool | int | float | str


class FormField(Model):
    """One field of a form."""

    name: str
    type: Open[FieldType]
    label: str | None = None
    required: bool | None = None
    placeholder: str | None = None
    help: str | None = None
    options: list[FieldOption] | None = None
    min: int | float | str | None = None
    max: int | float | str | None = None
    min_length: int | None = None
    max_length: int | None = None
    default_value: Any = None
    show_if: ShowIf | None = None
    step: int | None = None


class Theme(Model):
    """What the form looks like."""

    accent: str | None = None
    background: str | None = None
    text: str | None = None
    radius: float | None = None
    font: str | None = None


class ThankYou(Model):
    """What a visitor gets after submitting."""

    title: str | None = None
    message: str | None = None
    redirect_url: str | None = None


class Notifications(Model):
    """E-mails on new submissions."""

    emails: list[str] | None = None


class CapturedMetadata(Model):
    """What a submission keeps beside its data."""

    include_ip: bool | None = None
    include_user_agent: bool | None = None


class TaskSettings(Model):
    """Tasks on this form."""

    emit_submission_events: bool | None = None


class FormSettings(Model):
    """Everything about a form but its fields."""

    popup: Popup | None = None
    theme: Theme | None = None
    submit_label: str | None = None
    thank_you: ThankYou | None = None
    notifications: Notifications | None = None
    metadata: CapturedMetadata | None = None
    keep_draft: bool | None = None
    allowed_origins: list[str] | None = None
    tasks: TaskSettings | None = None
    retention_days: int | None = None
    """After how many days submissions and resolved tasks are erased; absent: as the account says."""


class FormTemplate(Model):
    """A form without its account, times and versions: what `export` gives and `import_` takes."""

    template: Literal[1]
    """Version of the format."""
    name: str
    description: str | None = None
    fields: list[FormField]
    settings: FormSettings


class Form(Model):
    """A form."""

    id: str
    account_id: str
    name: str
    description: str | None = None
    fields: list[FormField]
    settings: FormSettings
    created_at: datetime
    updated_at: datetime
    version: int
    """Grows with each save; `forms.replace(…, if_version=…)` takes it."""


class StatsDay(Model):
    """What happened with a form on one day (UTC)."""

    date: str
    shown: int
    converted: int
    declined: int
    submissions: int


class PopupDay(Model):
    """What came of a popup on one day (UTC)."""

    date: str
    shown: int
    converted: int
    declined: int


class FormStats(Model):
    """What came of one of several forms."""

    form_id: str
    total_submissions: int
    """Those that it has now, whenever they came."""
    days: list[PopupDay]
