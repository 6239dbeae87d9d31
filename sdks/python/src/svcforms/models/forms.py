"""Forms."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from ._base import Model, Open
from .popup import Popup
from .tasks import TaskPolicy

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
    "consent",
    "heading",
    "paragraph",
    "image",
    "divider",
]

RatingStyle = Literal["stars", "hearts", "numbers"]
ColorScheme = Literal["light", "dark", "page", "system"]
Density = Literal["compact", "comfortable", "spacious"]
Placement = Literal["inline", "modal", "slide-in", "bar", "fullscreen"]
Language = Literal["en", "de", "fr", "es", "it", "pt-BR", "nl", "pl", "tr", "ja", "zh-CN", "ar"]
LogicOp = Literal["eq", "ne", "contains", "gt", "lt", "answered"]
Position = Literal["bottom-right", "bottom-left", "top-right", "top-left", "bottom", "top"]


class FieldOption(Model):
    """One choice of a field."""

    value: str
    label: str | None = None


class LogicCondition(Model):
    """One condition on the answer to a field. It never holds while that field is hidden."""

    field: str
    op: Open[LogicOp]
    value: bool | int | float | str | None = None
    """What the answer is compared with. `answered` needs none; `False` means not answered."""


class LogicConditions(Model):
    """Conditions on answers: `all` or `any` of them must hold."""

    all: list[LogicCondition] | None = None
    any: list[LogicCondition] | None = None


class ShowIf(Model):
    """Shows the field only while `all` or `any` conditions hold, or in the form of earlier
    versions, while another field has this value. A hidden field isn't required or validated.
    """

    field: str | None = None
    equals: bool | int | float | str | None = None
    all: list[LogicCondition] | None = None
    any: list[LogicCondition] | None = None


class Jump(Model):
    """Which step follows a step, if the conditions hold."""

    from_: int = Field(alias="from")
    to: int | Literal["end"]
    when: LogicConditions | None = None


class Ending(Model):
    """What visitors with certain answers see after submission."""

    name: str
    when: LogicConditions
    title: str | None = None
    message: str | None = None
    redirect_url: str | None = None


class FormField(Model):
    """One field of a form."""

    name: str
    type: Open[FieldType]
    label: str | None = None
    src: str | None = None
    alt: str | None = None
    required: bool | None = None
    placeholder: str | None = None
    help: str | None = None
    options: list[FieldOption] | None = None
    min: int | float | str | None = None
    max: int | float | str | None = None
    rating_style: Open[RatingStyle] | None = None
    min_length: int | None = None
    max_length: int | None = None
    default_value: Any = None
    show_if: ShowIf | None = None
    step: int | None = None


class Theme(Model):
    """Appearance of the form."""

    color_scheme: Open[ColorScheme] | None = None
    accent: str | None = None
    background: str | None = None
    text: str | None = None
    radius: float | None = None
    font: str | None = None
    density: Open[Density] | None = None
    width: int | None = None
    logo: str | None = None
    cover: str | None = None


class ThankYou(Model):
    """The message or redirect after a submission."""

    title: str | None = None
    message: str | None = None
    redirect_url: str | None = None


class Notifications(Model):
    """Emails about new submissions."""

    emails: list[str] | None = None


class CapturedMetadata(Model):
    """Metadata that submissions store."""

    include_ip: bool | None = None
    include_user_agent: bool | None = None


class TaskSettings(Model):
    """Settings of the form's tasks."""

    emit_submission_events: bool | None = None
    policy: TaskPolicy | None = None
    remind_after_seconds: int | None = None
    escalate_after_seconds: int | None = None
    escalate_to: str | None = None
    slack_channel: str | None = None
    """Slack channel that gets new tasks, or ``none``."""


class FormReviewers(Model):
    """Who of the reviewers sees a form."""

    groups: list[str]
    """Ids of the groups whose members review the form."""


class FieldTranslation(Model):
    """The texts of a field in another language."""

    label: str | None = None
    placeholder: str | None = None
    help: str | None = None
    alt: str | None = None
    options: dict[str, str] | None = None
    """Labels of the options by their value."""


class ThankYouTranslation(Model):
    """The thank-you page in another language."""

    title: str | None = None
    message: str | None = None


class Translation(Model):
    """The texts of a form in another language."""

    title: str | None = None
    intro: str | None = None
    fields: dict[str, FieldTranslation] | None = None
    """Texts of the fields by their name."""
    submit_label: str | None = None
    decline_text: str | None = None
    thank_you: ThankYouTranslation | None = None
    closed_message: str | None = None
    """Text of the closed form."""
    endings: dict[str, ThankYouTranslation] | None = None
    """Texts of the endings by their name."""


class Closing(Model):
    """When the form stops accepting submissions."""

    is_closed: bool | None = None
    closes_at: datetime | None = None
    max_submissions: int | None = None
    """How many submissions of visitors and other systems the form accepts."""
    message: str | None = None
    """What visitors see instead of the closed form."""


class SpamSettings(Model):
    """Spam protection of a form."""

    is_enabled: bool
    """Whether suspicious submissions of visitors go to quarantine."""
    block_list: list[str] | None = None
    """Email addresses, domains, words or phrases, IP addresses and networks."""


class FormSettings(Model):
    """Settings of a form."""

    popup: Popup | None = None
    placement: Open[Placement] | None = None
    position: Open[Position] | None = None
    theme: Theme | None = None
    submit_label: str | None = None
    thank_you: ThankYou | None = None
    jumps: list[Jump] | None = None
    endings: list[Ending] | None = None
    notifications: Notifications | None = None
    metadata: CapturedMetadata | None = None
    keep_draft: bool | None = None
    language: Open[Language] | None = None
    """Language of the form's own texts, such as `de`."""
    translations: dict[str, Translation] | None = None
    """The texts of the form in other languages, by language."""
    allowed_origins: list[str] | None = None
    spam: SpamSettings | None = None
    tasks: TaskSettings | None = None
    reviewers: FormReviewers | None = None
    closing: Closing | None = None
    retention_days: int | None = None
    """Days until the server erases submissions and resolved tasks. Default: the account's
    retention.
    """


class FormTemplate(Model):
    """A form without its account, times and versions, for `export` and `import_`."""

    template: Literal[1]
    """Version of the format."""
    name: str
    description: str | None = None
    title: str | None = None
    intro: str | None = None
    fields: list[FormField]
    settings: FormSettings


class FormDraft(Model):
    """Changes of a form that are saved and not published."""

    etag: str
    """Pass it to `forms.replace(…, draft=True, if_match=…)` and `forms.publish(…, if_match=…)`."""
    based_on: int
    """The published version that the draft was begun from; 0 for a form that was never published."""
    updated_at: datetime
    updated_by: str | None
    """Id of the user or key that saved it."""


class ScriptSighting(Model):
    """Where and when a page last loaded the embed script for a form."""

    host: str
    at: datetime


class Form(Model):
    """A form."""

    id: str
    account_id: str
    name: str
    description: str | None = None
    title: str | None = None
    intro: str | None = None
    fields: list[FormField]
    settings: FormSettings
    created_at: datetime
    updated_at: datetime
    version: int
    """Increases with each publication; 0 if the form was never published. Pass it to
    `forms.replace(…, if_version=…)`.
    """
    draft: FormDraft | None = None
    """Present if the form has a draft."""
    script_last_seen: ScriptSighting | None = None
    """The last page of another site that loaded the form."""


class FormVersion(Model):
    """A published version of a form."""

    version: int
    name: str
    is_current: bool
    """Whether visitors see this version."""
    published_at: datetime
    published_by: str | None
    """Id of the user or key that published it."""


class FormVersionDetail(FormVersion):
    """A published version of a form, with its content."""

    description: str | None = None
    title: str | None = None
    intro: str | None = None
    fields: list[FormField]
    settings: FormSettings


class StatsDay(Model):
    """Statistics of a form on one day (UTC)."""

    date: str
    shown: int
    converted: int
    declined: int
    viewed: int | None = None
    """Views in the page and on the hosted page; None for none."""
    submitted: int | None = None
    """Submissions after views; None on days before the server counted them."""
    submissions: int


class ChoiceCount(Model):
    """How often a value was chosen."""

    value: str
    count: int


class NumberSummary(Model):
    """Statistics of numbers."""

    min: float
    max: float
    mean: float
    median: float


class NpsSummary(Model):
    """Net Promoter Score of a rating from 0 to 10."""

    score: int
    promoters: int
    passives: int
    detractors: int


class FieldSummary(Model):
    """Summary of the values of a field."""

    name: str
    answered: int
    choices: list[ChoiceCount] | None = None
    numbers: NumberSummary | None = None
    nps: NpsSummary | None = None


class PageCount(Model):
    """Submissions of a page."""

    page: str
    count: int


class DeviceCount(Model):
    """Submissions of a kind of device."""

    device: Literal["desktop", "phone", "tablet"]
    count: int


class FormSummary(Model):
    """Summary of the submissions of a form in a period."""

    submissions: int
    is_complete: bool
    """False if only the newest submissions of the period are summarized."""
    fields: list[FieldSummary]
    pages: list[PageCount]
    devices: list[DeviceCount]


class PopupDay(Model):
    """Statistics of a popup on one day (UTC)."""

    date: str
    shown: int
    converted: int
    declined: int
    viewed: int | None = None
    """Views in the page and on the hosted page; None for none."""
    submitted: int | None = None
    """Submissions after views; None on days before the server counted them."""


class FormStats(Model):
    """Statistics of one of several forms."""

    form_id: str
    total_submissions: int
    """The current number of submissions, regardless of the period."""
    days: list[PopupDay]
